//! Example: prints every requirement of the standards that match some words.
//!
//! ```sh
//! export NORMA_BASE_URL=… NORMA_AUTH_URL=… NORMA_TENANT_ID=… NORMA_CLIENT_ID=… NORMA_SCOPE=…
//! export NORMA_CLIENT_SECRET_FILE=…
//! cargo run -p norma-client --example obligations -- ground anchors
//! ```

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

use anyhow::Context;
use futures::TryStreamExt;
use norma_client::shapes::ProvisionType;
use norma_client::{Client, Credential, ListQuery, ProvisionsQuery};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let client = connect()?;
    let mut query = ListQuery::default();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if !words.is_empty() {
        query.filters.q.push(words.join(" "));
    }
    let requirements = ProvisionsQuery {
        types: vec![ProvisionType::Requirement],
        normative: Some(true),
        ..Default::default()
    };
    let mut standards = std::pin::pin!(client.standards(query));
    while let Some(standard) = standards.try_next().await? {
        println!("{} — {}", standard.reference, standard.title);
        for provision in client.provisions(&standard.urn, &requirements).await?.items {
            println!("  {}  {}", provision.label, provision.text);
        }
    }
    Ok(())
}

/// A client from the environment; the secret itself stays in its file.
fn connect() -> anyhow::Result<Client> {
    let variable = |name: &str| std::env::var(name).with_context(|| format!("set {name}"));
    let client = Client::builder(
        variable("NORMA_BASE_URL")?,
        Credential::secret_file(variable("NORMA_CLIENT_SECRET_FILE")?),
    )
    .authority(variable("NORMA_AUTH_URL")?)
    .tenant(variable("NORMA_TENANT_ID")?)
    .client_id(variable("NORMA_CLIENT_ID")?)
    .scope(variable("NORMA_SCOPE")?)
    .build()?;
    Ok(client)
}
