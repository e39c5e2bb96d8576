//! Ingest: from files to published editions, document by document, with a report on each.

mod derive;
pub mod diagnostics;
mod file_index;
mod limits;
mod manifest;
mod names;
mod package;
mod publication;
mod queue;
mod rebuild;
mod report;
mod run;
mod setting_rules;
mod share;
mod single;
mod sniff;

pub use derive::{DERIVER_VERSION, Derived, DocumentRefusal, KnownUrns, derive};
pub use limits::IngestLimits;
pub use package::{Package, PackageError};
pub use rebuild::{Rebuilt, rebuild};
pub use report::{DocumentReport, EditionTally, IngestVerdict};
pub use run::{IngestOptions, check, ingest};
pub use setting_rules::check_settings;
pub use share::IngestShare;
pub use single::derive_single;
