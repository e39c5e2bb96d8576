//! NISO STS, ISOSTS and TBX bytes in; an [`Edition`](norma_model::Edition) and [`Diagnostic`]s out.

mod blocks;
mod diagnostic;
mod provisions;

pub use diagnostic::{Diagnostic, Severity};
