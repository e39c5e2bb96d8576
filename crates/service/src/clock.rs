//! Clock of ingest and of tasks; requests have that of `Shared`, and the audit its own.

use std::time::SystemTime;

#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
