//! The catalogue: all SQL that the engines share.

pub(crate) mod admin;
pub(crate) mod amended_names;
pub(crate) mod amending;
pub(crate) mod blob;
pub(crate) mod changes;
pub(crate) mod comparison;
pub(crate) mod earlier;
pub(crate) mod edition;
pub(crate) mod entry;
pub(crate) mod feed;
pub(crate) mod lineage;
pub(crate) mod lineage_copy;
pub(crate) mod lineage_key;
pub(crate) mod lineage_verify;
pub(crate) mod list;
pub(crate) mod maintain;
pub(crate) mod publish;
pub(crate) mod related;
mod rename;
pub(crate) mod schema;
pub(crate) mod search_set;
pub(crate) mod status;

use std::time::{Duration, SystemTime};

/// Rows or keys of one statement: fewer than every engine's limit on parameters.
pub(crate) const ROW_BATCH: usize = 500;

/// The stored form of a time: microseconds since 1970.
pub(crate) fn micros(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

pub(crate) fn time(micros: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_micros(u64::try_from(micros).unwrap_or_default())
}
