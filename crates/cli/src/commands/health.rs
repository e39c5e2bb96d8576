//! `norma health`: readiness of the service on this machine, for containers and scripts without an HTTP
//! client.

use std::process::ExitCode;

use anyhow::Context;
use norma_service::health::{Probe, ask};
use norma_settings::Layers;

use crate::{args, print};

/// Exits with 1 for every failure: other values have no meaning in a health check of a container.
pub(crate) async fn run(layers: &Layers, options: &args::Health) -> anyhow::Result<ExitCode> {
    let timeout = options.timeout.try_into().context("--timeout is negative: write 3s, 500ms or 1m")?;
    let (probe, healthy) = if options.live { (Probe::Live, "live") } else { (Probe::Ready, "ready") };
    match ask(crate::settings::checked(layers)?.http.ops_listen, probe, timeout).await {
        Ok(()) => {
            print::line(healthy);
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            print::note(format!("norma: not {healthy}: {error}"));
            Ok(ExitCode::FAILURE)
        }
    }
}
