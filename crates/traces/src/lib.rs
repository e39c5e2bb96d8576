//! Traces of requests and of ingested documents: nothing is recorded without the Cargo feature `otlp`.

mod limits;
#[cfg_attr(not(feature = "otlp"), path = "absent.rs")]
mod spans;

pub use limits::TraceLimits;
pub use spans::{Step, Trace, Traces};
