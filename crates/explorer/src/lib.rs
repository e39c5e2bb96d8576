//! Pages on the caller's own machine that show what Norma's API answers: the explorer.
//!
//! It listens on a loopback address and calls the service as its caller. Credentials and tokens stay in the
//! process; a browser receives pages only. [Decision 19](../../../docs/decisions/0019-explorer.md) says why.

mod amendments;
mod calls;
mod cited;
pub mod comparison;
mod content;
mod documents;
mod failure;
mod filters;
mod frame;
mod guard;
mod ingests;
mod pages;
mod phrases;
mod print;
mod server;
mod source_lines;
mod visit;

pub use content::{html_standard, picture_without_address, provision_marks, section_input};
pub use ingests::{
    IngestDiagnostic, IngestReport, IngestedRevision, IngestedSection, PendingReport, ReadIngestReport,
};
pub use server::{Explorer, ExplorerError, ExplorerOptions};
