//! What is meant: the settings that file, environment and command line come to.

use std::path::Path;

use anyhow::Context;
use norma_service::app::open_store;
use norma_service::config::{Layers, Origin, Settings};
use norma_store::Store;

/// Defaults, file, environment and command line over each other.
pub(crate) fn layers(file: Option<&Path>, given: &[(String, String)]) -> anyhow::Result<Layers> {
    let mut layers = Layers::default();
    if let Some(file) = file {
        layers = layers.file(file)?;
    }
    layers = layers.environment(|name| std::env::var(name).ok())?;
    for (key, value) in given {
        layers = layers.set(key, value, Origin::Flag)?;
    }
    Ok(layers)
}

/// The settings, and the store that they name.
pub(crate) async fn with_store(layers: &Layers) -> anyhow::Result<(Settings, Store)> {
    let settings = layers.settings()?;
    let store = open_store(&settings.store)
        .await
        .with_context(|| format!("cannot open the store `{}`", shown(&settings)))?;
    Ok((settings, store))
}

/// The store's place without user and password.
pub(crate) fn shown(settings: &Settings) -> String {
    settings
        .store
        .store
        .parse::<norma_store::Location>()
        .map_or_else(|e| e.to_string(), |place| place.to_string())
}
