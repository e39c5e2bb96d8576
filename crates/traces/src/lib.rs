//! Traces of requests and of ingested documents. Without the Cargo feature `otlp` a collector is refused, so
//! that nothing is recorded.

mod limits;
mod setting_rules;
mod spans;

pub use limits::TraceLimits;
pub use setting_rules::check_settings;
pub use spans::{Step, Trace, Traces};
