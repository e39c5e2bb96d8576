//! Clock for stored rows: editions, lineages and tables of correspondence.

use std::time::SystemTime;

/// The present time, where no caller gives one.
#[allow(clippy::disallowed_methods, reason = "the clock of this crate and of ingest")]
pub fn now() -> SystemTime {
    SystemTime::now()
}
