//! Clock of updates: when lineages and tables of correspondence are stored.

use std::time::SystemTime;

#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
