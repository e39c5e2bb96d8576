//! Settings in use, from the file, the environment and the command line; and their store.

use std::path::Path;

use anyhow::Context;
use norma_editions::stores::{open_store, open_store_to_work};
use norma_settings::{Layers, SettingOrigin, Settings, SettingsError};
use norma_store::Store;

/// The layers: defaults, file, environment and command line.
#[allow(clippy::disallowed_methods, reason = "the environment is a source of settings here")]
pub(crate) fn layers(file: Option<&Path>, overrides: &[(String, String)]) -> anyhow::Result<Layers> {
    let mut layers = Layers::default();
    if let Some(file) = file {
        layers = layers.file(file, has_secret).context("`--config` or NORMA_CONFIG")?;
    }
    layers = layers.environment(|name| std::env::var(name).ok())?;
    for (key, value) in overrides {
        layers = layers.set(key, value, SettingOrigin::Flag)?;
    }
    Ok(layers)
}

/// The settings, each of which can work by the check of the crate that uses it.
pub(crate) fn checked(layers: &Layers) -> Result<Settings, SettingsError> {
    layers.checked(|settings, findings| {
        norma_service::check_settings(settings, findings);
        norma_ingest::check_settings(&settings.ingest, findings);
    })
}

/// True for a setting of a file that is a secret: an address with a password, or with a parameter that may be
/// one, and header fields for a collector.
fn has_secret(name: &str, value: &toml::Value) -> bool {
    match value {
        toml::Value::String(text) => is_secret_address(text),
        toml::Value::Array(values) => name == "traces-headers" && !values.is_empty(),
        _ => false,
    }
}

fn is_secret_address(text: &str) -> bool {
    let Ok(mut address) = url::Url::parse(text) else { return false };
    if address.password().is_some() {
        return true;
    }
    // A user's name alone is not a secret.
    let _ = address.set_username("");
    norma_store::redacted(address.as_str()) != address.as_str()
}

/// The settings and their store, which must exist: a mistyped path must not become an empty store.
pub(crate) async fn with_store(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = checked(layers)?;
    let store = open_store_to_work(&settings.store, false).await;
    opened(settings, store)
}

/// The same for commands that may be the first: the store is made if none exists.
pub(crate) async fn with_store_made(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = checked(layers)?;
    let store = open_store_to_work(&settings.store, true).await;
    opened(settings, store)
}

/// The same for a service: with all the memory that the settings give it.
pub(crate) async fn with_store_to_serve(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = checked(layers)?;
    let store = open_store(&settings.store).await;
    opened(settings, store)
}

fn opened(settings: Settings, store: norma_store::Result<Store>) -> anyhow::Result<(Settings, Store)> {
    let location = shown(&settings);
    match store {
        Ok(store) => Ok((settings, store)),
        Err(error) if error.to_string().contains(&location) => Err(error.into()),
        Err(error) => Err(anyhow::Error::from(error).context(format!("cannot open the store `{location}`"))),
    }
}

/// The store's location without user and password.
pub(crate) fn shown(settings: &Settings) -> String {
    match settings.store.store.parse::<norma_store::Location>() {
        Ok(location) => location.to_string(),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The refusal of settings typed on the command line.
    fn refusal(typed: &[(&str, &str)]) -> String {
        let mut layers = Layers::default();
        for (key, value) in typed {
            match layers.set(key, value, SettingOrigin::Flag) {
                Ok(more) => layers = more,
                Err(error) => return error.to_string(),
            }
        }
        checked(&layers).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn the_defaults_can_work() {
        assert!(checked(&Layers::default()).is_ok());
    }

    #[test]
    fn what_cannot_work_or_would_be_cut_is_refused_by_its_name_and_origin() {
        for (key, value) in [
            ("header-timeout", "0s"),
            ("idle-timeout", "0s"),
            ("write-timeout", "0s"),
            ("request-timeout", "0s"),
            ("idle-timeout", "9999999999h"),
            ("max-connections", "0"),
            ("max-connections", "-1"),
            ("max-connections", "99999999999999999999"),
            ("max-connections-per-address", "0"),
            ("max-requests-per-client", "0"),
            ("max-requests-per-client", "4294967296"),
            ("cache-size", "16777216TiB"),
            ("cache-size", "1.5KiB"),
            ("store-connections", "0"),
            ("store-timeout", "0s"),
            ("object-timeout", "0s"),
            ("poll-interval", "0s"),
            ("max-staleness", "250ms"),
            ("rate-burst", "199"),
            ("max-bytes-in-flight", "1023KiB"),
            ("comparison-memory", "0B"),
            ("max-compared-provisions", "0"),
            ("search-memory", "0B"),
            ("search-memory", "15MiB"),
            ("search-memory", "4GiB"),
            ("max-document-size", "0B"),
            ("max-file-size", "0B"),
            ("max-package-size", "0B"),
            ("max-package-files", "0"),
            ("audit-keep", "0s"),
            ("audit-file-size", "0B"),
            ("max-backup-age", "0s"),
            ("tls-key", "key.pem"),
            ("public-url", "norma.example"),
            ("public-url", "http://0.0.0.0:8480"),
            ("public-url", "https://norma.example/?a=b"),
            ("traces-endpoint", "127.0.0.1:4318"),
            ("traces-endpoint", "https://norma:hush@collector/v1/traces"),
            ("traces-headers", "hush"),
            ("traces-headers", "a=b,two words=hush"),
            ("traces-sample-ratio", "1.1"),
            ("traces-sample-ratio", "NaN"),
            ("traces-sample-ratio", "some"),
        ] {
            let text = refusal(&[(key, value)]);
            assert!(text.starts_with(&format!("command line: `{key}`: ")), "{value}: {text}");
            assert!(!text.contains("hush"), "{text}");
        }
    }

    #[test]
    fn all_settings_that_cannot_work_are_reported_at_once() {
        let text = refusal(&[("rate-burst", "1"), ("max-file-size", "0B"), ("audit-keep", "0s")]);
        let named: Vec<&str> = text.lines().filter_map(|line| line.split('`').nth(1)).collect();
        assert_eq!(named, ["audit-keep", "rate-burst", "max-file-size"], "{text}");
    }

    #[test]
    fn a_file_with_a_password_in_an_address_is_one_with_a_secret_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("norma.toml");
        for (store, is_secret) in [
            ("postgres://norma:hush@db/norma", true),
            ("postgres://db/norma?password=hush", true),
            ("postgres://norma@db/norma?sslmode=require", false),
            ("norma.db", false),
        ] {
            std::fs::write(&path, format!("[store]\nstore = \"{store}\"\n")).unwrap();
            let layers = Layers::default().file(&path, has_secret).unwrap();
            assert_eq!(!layers.secret_files().is_empty(), is_secret, "{store}");
        }
        for (text, is_secret) in
            [(norma_settings::DEFAULTS, false), ("[traces]\ntraces-headers = [\"x-api-key=hush\"]\n", true)]
        {
            std::fs::write(&path, text).unwrap();
            assert_eq!(
                !Layers::default().file(&path, has_secret).unwrap().secret_files().is_empty(),
                is_secret,
                "{text}"
            );
        }
    }

    #[test]
    fn a_provider_without_encryption_is_refused_unless_it_is_on_this_machine() {
        for (url, is_right) in [
            ("https://login.example", true),
            ("http://127.0.0.1:9", true),
            ("http://[::1]:9/idp", true),
            ("http://login.example", false),
            ("http://10.0.0.1", false),
            ("login.example", false),
            ("https://user:hush@login.example", false),
        ] {
            let layers = Layers::default().set("auth-url", url, SettingOrigin::Flag).unwrap();
            let settings = checked(&layers);
            assert_eq!(settings.is_ok(), is_right, "{url}");
            let said = settings.err().map(|error| error.to_string());
            assert!(said.is_none_or(|said| said.contains("`auth-url`: write https://")), "{url}");
        }
    }
}
