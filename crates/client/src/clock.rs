//! Clock of the client: the one place that reads the time, which is an argument everywhere else.

use std::time::SystemTime;

#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
