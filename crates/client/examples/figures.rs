//! Example: saves the figures of one standard into a folder, with a certificate as credential.
//!
//! ```sh
//! export NORMA_BASE_URL=… NORMA_AUTH_URL=… NORMA_TENANT_ID=… NORMA_CLIENT_ID=… NORMA_SCOPE=…
//! export NORMA_CLIENT_CERTIFICATE=client.pem  # with its key
//! cargo run -p norma-client --example figures -- urn:nsb:std:nsb:4210:ed-1:en figures/
//! ```

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use std::path::PathBuf;

use anyhow::Context;
use norma_client::shapes::ResolveItem;
use norma_client::{Client, Credential};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let urn = arguments.next().context("which standard? give its URN")?;
    let folder = PathBuf::from(arguments.next().context("where to? give a folder")?);
    let client = connect()?;

    let graphics = client.graphics(&urn).await?.items;
    let there: Vec<&str> =
        graphics.iter().filter(|g| g.available).map(|g| g.asset_reference.as_ref()).collect();
    if there.is_empty() {
        println!("{urn} has no figures with files");
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    for item in client.resolve_all(&urn, &there).await?.items {
        match item {
            ResolveItem::Resolved(asset) => {
                let name = asset.digest.trim_start_matches("sha256:").to_owned();
                std::fs::write(folder.join(&name), client.asset(&asset).await?)?;
                println!("{}: {} bytes of {} in {name}", asset.asset_reference, asset.size, asset.media_type);
            }
            ResolveItem::Unresolved(asset) => println!("{}: {}", asset.asset_reference, asset.problem.detail),
        }
    }
    Ok(())
}

fn connect() -> anyhow::Result<Client> {
    let variable = |name: &str| std::env::var(name).with_context(|| format!("set {name}"));
    // One file with both, as `norma get` takes it.
    let certificate = variable("NORMA_CLIENT_CERTIFICATE")?;
    let credential = Credential::certificate_files(&certificate, &certificate);
    let client = Client::builder(variable("NORMA_BASE_URL")?, credential)
        .authority(variable("NORMA_AUTH_URL")?)
        .tenant(variable("NORMA_TENANT_ID")?)
        .client_id(variable("NORMA_CLIENT_ID")?)
        .scope(variable("NORMA_SCOPE")?)
        .build()?;
    Ok(client)
}
