//! `norma dev-idp`: the development identity provider alone.

use std::process::ExitCode;

use anyhow::Context;
use norma_dev_idp::{DevIdp, DevIdpSettings};

use super::StopSignal;
use crate::{args, print};

pub(crate) async fn run(options: args::DevIdpArguments) -> anyhow::Result<ExitCode> {
    if options.example {
        print::lines(DevIdpSettings::EXAMPLE.trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    let mut stop = StopSignal::new()?;
    let mut settings = match &options.idp_config {
        Some(file) => {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            DevIdpSettings::from_toml(&text).with_context(|| file.display().to_string())?
        }
        None => DevIdpSettings::default(),
    };
    if let Some(listen) = options.idp_listen {
        settings.listen = listen;
    }
    settings.tls |= options.tls;
    let idp = DevIdp::start(settings).await?;
    print::lines(idp.banner());
    stop.came().await;
    idp.shutdown().await?;
    Ok(ExitCode::SUCCESS)
}
