//! Ingest: from files to published editions, document by document, and a report of each.

mod derive;
pub mod flaws;
mod package;
mod plan;
mod rebuild;
mod run;
mod sniff;

pub use derive::{Derived, Refusal, derive};
pub use package::{Package, PackageError};
pub use rebuild::{Rebuilt, rebuild};
pub use run::{Options, Report, Tally, Verdict, check, ingest};
