//! Traces of requests and of ingested documents: nothing is recorded without the Cargo feature `otlp`.

mod limits;
mod setting_rules;
#[cfg_attr(not(feature = "otlp"), path = "absent.rs")]
mod spans;

pub use limits::TraceLimits;
pub use setting_rules::check_settings;
pub use spans::{Step, Trace, Traces};
