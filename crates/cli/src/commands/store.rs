//! `norma store` and `norma gc`: the store itself.

use std::process::ExitCode;
use std::time::SystemTime;

use norma_service::config::Layers;

use crate::settings::{shown, with_store};
use crate::{args, print};

pub(crate) async fn run(layers: Layers, typed: args::StoreCommand) -> anyhow::Result<ExitCode> {
    match typed {
        args::StoreCommand::Migrate => {
            let (settings, _) = with_store(&layers).await?;
            print::line(format!("{} is up to date", shown(&settings)));
        }
        args::StoreCommand::Stats => {
            let (_, store) = with_store(&layers).await?;
            print::line(format!("{:#?}", store.stats().await?));
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn gc(layers: Layers, typed: args::Gc) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let untouched = std::time::Duration::try_from(typed.untouched_for)?;
    let collected = store.gc(untouched, SystemTime::now()).await?;
    print::line(format!("{} blobs with {} bytes are deleted", collected.blobs, collected.bytes));
    Ok(ExitCode::SUCCESS)
}
