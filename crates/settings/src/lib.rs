//! Settings: what an operator can choose, the source of each value, and its documented default.

mod check;
mod doctor;
mod http;
mod identity;
mod ingest;
mod key;
mod layers;
mod limits;
mod log;
mod search;
mod store;
mod traces;
mod value;

pub use check::UnusableSetting;
pub use doctor::DoctorSettings;
pub use http::HttpSettings;
pub use identity::IdentitySettings;
pub use ingest::IngestSettings;
pub use key::{SettingKey, common_defaults, keys};
pub use layers::{Layers, SettingOrigin, SettingsError};
pub use limits::LimitSettings;
pub use log::{LogFormat, LogSettings};
pub use search::SearchSettings;
pub use store::StoreSettings;
pub use traces::TraceSettings;
pub use value::{Duration, Size};

use serde::Deserialize;

/// The defaults as an operator may read them: a commented TOML file.
pub const DEFAULTS: &str = include_str!("default.toml");

/// All settings, each with a value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Listeners, TLS and their limits.
    pub http: HttpSettings,
    /// The store and its caches.
    pub store: StoreSettings,
    /// The full-text search.
    pub search: SearchSettings,
    /// The identity provider and what makes a token good.
    pub identity: IdentitySettings,
    /// Limits that callers meet.
    pub limits: LimitSettings,
    /// Limits that documents meet.
    pub ingest: IngestSettings,
    /// Log and audit.
    pub log: LogSettings,
    /// Traces and the collector that receives them.
    pub traces: TraceSettings,
    /// Values that `norma doctor operator` expects.
    pub doctor: DoctorSettings,
}

/// Bytes of memory that an instance uses beyond what settings bound: for the program, its connections and
/// each request while it is read, 8 MiB for verified tokens, and 90 MiB for merges of the search index
/// (`bench/run search`).
const UNBOUND_BY_SETTINGS: u64 = 218 << 20;

impl Settings {
    /// Most bytes of memory that an instance uses, with the parts of the sum.
    pub fn memory_bound(&self) -> (u64, String) {
        let bounds = [
            ("cache-size", self.store.cache_size),
            ("response-cache", self.store.response_cache),
            ("max-bytes-in-flight", self.limits.max_bytes_in_flight),
            ("comparison-memory", self.limits.comparison_memory),
            ("search-memory", self.search.search_memory),
        ];
        let sum: u64 = bounds.iter().map(|(_, size)| size.bytes()).sum();
        let mib = |bytes: u64| bytes >> 20;
        let named = bounds.map(|(name, size)| format!("{name} {} MiB", mib(size.bytes()))).join(", ");
        let all = sum.saturating_add(UNBOUND_BY_SETTINGS);
        (
            all,
            format!(
                "{} MiB: {named}, and {} MiB more; for each 100,000 editions it grows by 50 MB",
                mib(all),
                mib(UNBOUND_BY_SETTINGS)
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_of_memory_names_its_parts() {
        let (bytes, text) = Settings::defaults().memory_bound();
        assert_eq!(bytes, (256 + 64 + 64 + 128 + 64 + 218) << 20);
        assert_eq!(
            text,
            "794 MiB: cache-size 256 MiB, response-cache 64 MiB, max-bytes-in-flight 64 MiB, \
             comparison-memory 128 MiB, search-memory 64 MiB, and 218 MiB more; for each 100,000 editions it \
             grows by 50 MB"
        );
    }

    #[test]
    fn the_defaults_name_every_setting_once_and_explain_it() {
        let settings = Settings::defaults();
        assert_eq!(settings.http.listen.port(), 8480);
        let keys = keys();
        let mut names: Vec<_> = keys.iter().map(|k| k.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), keys.len(), "a key is in two sections");
        for key in &keys {
            assert!(!key.doc.is_empty(), "{} has no comment", key.name);
        }
    }
}
