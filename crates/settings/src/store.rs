//! Settings of the store.

use serde::Deserialize;

use crate::{Duration, Size};

/// The store and its caches; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct StoreSettings {
    pub store: String,
    pub blobs: String,
    pub migrate: bool,
    pub store_connections: u32,
    pub store_timeout: Duration,
    pub object_timeout: Duration,
    pub poll_interval: Duration,
    pub max_staleness: Duration,
    pub cache_size: Size,
    pub response_cache: Size,
}
