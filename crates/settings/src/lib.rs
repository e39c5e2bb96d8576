//! Settings: what an operator can choose, the source of each value, and its documented default. Each crate
//! checks the values that it uses.

mod doctor;
mod findings;
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

pub use doctor::DoctorSettings;
pub use findings::{SettingFindings, UnusableSetting};
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
    /// The index of texts that searches use.
    pub search: SearchSettings,
    /// The identity provider and what makes a token good.
    pub identity: IdentitySettings,
    /// Limits that callers meet.
    pub limits: LimitSettings,
    /// Limits that documents meet.
    pub ingest: IngestSettings,
    /// The log of the program and the audit lines.
    pub log: LogSettings,
    /// Traces and the collector that receives them.
    pub traces: TraceSettings,
    /// Values that `norma doctor operator` expects.
    pub doctor: DoctorSettings,
}

#[cfg(test)]
mod tests {
    use super::*;

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
