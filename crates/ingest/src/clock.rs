//! Clock of ingest: when an edition is published.

use std::time::SystemTime;

#[allow(clippy::disallowed_methods, reason = "this is the one place")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
