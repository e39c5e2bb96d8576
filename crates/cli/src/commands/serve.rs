//! `norma serve`: the service until a signal stops it.

use std::process::ExitCode;

use norma_ingest::DERIVER_VERSION;
use norma_service::server::{self, Sockets};
use norma_service::telemetry;
use norma_settings::Layers;
use sd_notify::NotifyState;
use serde_json::json;

use super::{ReadyFile, StopSignal};
use crate::args;
use crate::settings::{shown, with_store_to_serve};

pub(crate) async fn run(layers: Layers, options: args::Serve) -> anyhow::Result<ExitCode> {
    let mut stop = StopSignal::new()?;
    let mut ready = ReadyFile::new(options.ready_file)?;
    telemetry::log(&crate::settings::checked(&layers)?.log)?;
    let sockets = Sockets::bind(&crate::settings::checked(&layers)?)?;
    let (settings, store) = with_store_to_serve(&layers).await?;
    let location = shown(&settings);
    if let Some(origin) = layers.origin("auth-url") {
        let auth_url = &settings.identity.auth_url;
        tracing::info!(auth_url, from = %origin, "tokens of this identity provider are accepted");
    }
    let (_, memory) = norma_service::memory_bound(&settings);
    let running = server::start_on(sockets, settings, store, DERIVER_VERSION).await?;
    tracing::info!(api = running.public_url, ops = %running.ops_address, store = location, "serving");
    tracing::info!("memory is at most {memory}");
    let addresses = json!({
        "baseUrl": running.public_url,
        "opsUrl": format!("http://{}", running.ops_address),
    });
    ready.write(addresses.to_string())?;
    notify(NotifyState::Ready);
    stop.came().await;
    notify(NotifyState::Stopping);
    tracing::info!("stopping: not ready; connections are still taken for drain-time, then requests finish");
    running.stop().await;
    Ok(ExitCode::SUCCESS)
}

/// Reports a state of the service to the service manager (sd_notify(3)), if there is one.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager could not be notified");
    }
}
