//! Settings in use, from the file, the environment and the command line; and their store.

use std::path::Path;

use anyhow::Context;
use norma_editions::stores::{open_store, open_store_to_work};
use norma_settings::{Layers, SettingOrigin, Settings};
use norma_store::Store;

/// The layers: defaults, file, environment and command line.
#[allow(clippy::disallowed_methods, reason = "the environment is a source of settings here")]
pub(crate) fn layers(file: Option<&Path>, overrides: &[(String, String)]) -> anyhow::Result<Layers> {
    let mut layers = Layers::default();
    if let Some(file) = file {
        layers = layers.file(file).context("`--config` or NORMA_CONFIG")?;
    }
    layers = layers.environment(|name| std::env::var(name).ok())?;
    for (key, value) in overrides {
        layers = layers.set(key, value, SettingOrigin::Flag)?;
    }
    Ok(layers)
}

/// The settings and their store, which must exist: a mistyped path must not become an empty store.
pub(crate) async fn with_store(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = layers.settings()?;
    let store = open_store_to_work(&settings.store, false).await;
    opened(settings, store)
}

/// The same for commands that may be the first: the store is made if none exists.
pub(crate) async fn with_store_made(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = layers.settings()?;
    let store = open_store_to_work(&settings.store, true).await;
    opened(settings, store)
}

/// The same for a service: with all the memory that the settings give it.
pub(crate) async fn with_store_to_serve(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = layers.settings()?;
    let store = open_store(&settings.store).await;
    opened(settings, store)
}

fn opened(settings: Settings, store: norma_store::Result<Store>) -> anyhow::Result<(Settings, Store)> {
    let location = shown(&settings);
    let store = store.map_err(|error| match error.to_string().contains(&location) {
        true => error.into(),
        false => anyhow::Error::from(error).context(format!("cannot open the store `{location}`")),
    })?;
    Ok((settings, store))
}

/// The store's location without user and password.
pub(crate) fn shown(settings: &Settings) -> String {
    settings
        .store
        .store
        .parse::<norma_store::Location>()
        .map_or_else(|e| e.to_string(), |location| location.to_string())
}
