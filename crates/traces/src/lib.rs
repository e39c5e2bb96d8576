//! Traces of requests and of ingested documents: nothing is recorded without the Cargo feature `otlp`.

#[cfg_attr(not(feature = "otlp"), path = "absent.rs")]
mod spans;

pub use spans::{Step, Trace, Traces};
