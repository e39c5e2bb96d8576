//! Clock of the command: only here is the time read; elsewhere it is an argument.

use std::time::SystemTime;

#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
