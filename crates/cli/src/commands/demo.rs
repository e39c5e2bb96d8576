//! `norma demo`: samples, a development identity provider and the service in one process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use include_dir::{Dir, include_dir};
use norma_dev_idp::{DevIdp, Guid};
use norma_model::Urn;
use norma_service::config::{Layers, Origin};
use norma_service::ingest::Options;
use norma_service::server::{self, Sockets};
use norma_service::telemetry;
use norma_store::{Grant, Level, Scope, Store, Tenant};
use serde::{Deserialize, Serialize};

use super::ingest::with_progress;
use super::{ReadyFile, StopSignal, write_whole};
use crate::settings::with_store_to_serve;
use crate::{args, print};

/// The samples travel in the binary, so that the demonstration needs nothing else.
static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../samples");

/// Samples that are broken on purpose.
const BROKEN: &str = "broken";

/// The sample that the demo tenant may only discover, and the one that it does not see.
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";
const HIDDEN: &str = "urn:nsb:std:nsb:ts:4250:ed-1:en";

/// Caller of the demonstration; stored next to the provider's own state, so that it outlives a restart.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Visitor {
    tenant_id: Guid,
    client_id: Guid,
    client_secret: String,
}

/// What scripts learn from the ready file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready<'a> {
    base_url: &'a str,
    ops_url: String,
    auth_url: &'a str,
    #[serde(flatten)]
    visitor: &'a Visitor,
    scope: String,
    standards: Vec<String>,
}

pub(crate) async fn run(layers: Layers, options: args::Demo) -> anyhow::Result<ExitCode> {
    let mut stop = StopSignal::new()?;
    let ready_file = ReadyFile::new(options.ready_file.clone());
    only_on_loopback("idp-listen", options.idp_listen)?;
    let given = layers.settings()?.http;
    only_on_loopback("listen", given.listen)?;
    only_on_loopback("ops-listen", given.ops_listen)?;
    norma_store::make_folder(&options.data)
        .with_context(|| format!("cannot make the folder {}", options.data.display()))?;
    let idp = start_provider(&options).await?;
    let service = idp.service();
    let layers = configured(layers, &options.data, &idp)?;
    telemetry::log(&layers.settings()?.log)?;
    let visitor = visitor(&idp, &options.data.join("visitor.json"))?;
    let sockets = Sockets::bind(&layers.settings()?)?;
    let (settings, store) =
        with_store_to_serve(&layers).await.map_err(|error| name_folder(error, &options.data))?;
    register(&store, &visitor).await?;
    tokio::select! {
        taken = ingest_samples(&store, &settings.ingest, &options) => taken?,
        // Whatever is stored by now is whole; the next start goes on from there.
        () = stop.came() => return Ok(ExitCode::SUCCESS),
    }
    let standards = grant(&store, &visitor).await?;
    let running = server::start_on(sockets, settings, store).await?;

    let ready = Ready {
        base_url: &running.public_url,
        ops_url: format!("http://{}", running.ops_address),
        auth_url: idp.url(),
        visitor: &visitor,
        scope: format!("{}/.default", service.application_id_uri),
        standards: standards.iter().map(ToString::to_string).collect(),
    };
    welcome(&ready);
    ready_file.write(&serde_json::to_string_pretty(&ready)?)?;
    stop.came().await;
    print::note("stopping");
    let ((), provider) = tokio::join!(running.stop(), idp.shutdown());
    provider?;
    Ok(ExitCode::SUCCESS)
}

/// Says what to do with a folder of an earlier demonstration.
fn name_folder(error: anyhow::Error, data: &Path) -> anyhow::Error {
    if !matches!(error.downcast_ref(), Some(norma_store::Error::EarlierSchema { .. })) {
        return error;
    }
    let folder = data.display();
    error.context(format!(
        "the demo folder {folder} was made before 0.2: delete it, or name another one with `--data`; the demo then \
         ingests again"
    ))
}

/// The demonstration's provider gives tokens to anybody who asks: nobody else may reach it, or what believes it.
fn only_on_loopback(setting: &str, address: SocketAddr) -> anyhow::Result<()> {
    anyhow::ensure!(
        address.ip().is_loopback(),
        "`--{setting} {address}`: the demonstration listens on loopback addresses only, such as 127.0.0.1; `norma serve` \
         listens anywhere"
    );
    Ok(())
}

async fn start_provider(options: &args::Demo) -> anyhow::Result<DevIdp> {
    let settings = norma_dev_idp::Settings {
        listen: options.idp_listen,
        state_file: Some(options.data.join("identity-provider.json")),
        ..norma_dev_idp::Settings::default()
    };
    DevIdp::start(settings)
        .await
        .context("the development identity provider does not start; `--idp-listen` names another address")
}

/// What the demonstration sets itself, below what file, environment and command line say.
fn configured(layers: Layers, data: &Path, idp: &DevIdp) -> anyhow::Result<Layers> {
    let service = idp.service();
    let own = [
        ("store", data.join("norma.db").display().to_string()),
        ("auth-url", idp.url().to_owned()),
        ("audience", format!("{},{}", service.client_id, service.application_id_uri)),
        ("role", service.role),
        ("rate-limit", "0".to_owned()),
        ("drain-time", "0s".to_owned()),
        ("log-level", "warn".to_owned()),
    ];
    let mut layers = layers;
    for (key, value) in own {
        if layers.origin(key) == Some(&Origin::Default) {
            layers = layers.set(key, &value, Origin::Command)?;
        }
    }
    Ok(layers)
}

/// The demo tenant's client; made, consented to and given the role at the first start.
fn visitor(idp: &DevIdp, file: &Path) -> anyhow::Result<Visitor> {
    if let Ok(text) = std::fs::read_to_string(file) {
        return serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged; delete the data folder", file.display()));
    }
    let tenant_id = idp.add_tenant("Demo tenant")?;
    let client = idp.register_client(tenant_id, "Demo client")?;
    idp.consent(tenant_id)?;
    idp.grant_role(tenant_id, client.client_id)?;
    let visitor =
        Visitor { tenant_id, client_id: client.client_id, client_secret: client.secret.expose().to_owned() };
    write_whole(file, &serde_json::to_string_pretty(&visitor)?)?;
    Ok(visitor)
}

async fn register(store: &Store, visitor: &Visitor) -> anyhow::Result<()> {
    let id = visitor.tenant_id.to_string();
    let tenant = Tenant { id, name: "Demo tenant".to_owned(), ..Tenant::default() };
    Ok(store.put_tenant(&tenant, crate::clock::now()).await?)
}

/// Writes a folder of the samples and all below it, for the owner only whatever the umask.
fn extract(folder: &Dir<'_>, target: &Path) -> anyhow::Result<()> {
    norma_store::make_folder(&target.join(folder.path()))?;
    for file in folder.files() {
        write_whole(&target.join(file.path()), file.contents())?;
    }
    folder.dirs().try_for_each(|below| extract(below, target))
}

/// Ingests the samples that are not broken, and what the user brings.
async fn ingest_samples(
    store: &Store,
    limits: &norma_service::config::Ingest,
    options: &args::Demo,
) -> anyhow::Result<()> {
    let samples = options.data.join("samples");
    for folder in SAMPLES.dirs().filter(|folder| !folder.path().ends_with(BROKEN)) {
        extract(folder, &samples).with_context(|| format!("cannot write into {}", samples.display()))?;
    }
    let sources: Vec<PathBuf> = [samples].into_iter().chain(options.ingest.iter().cloned()).collect();
    let options = Options::new(limits.clone());
    let names: Vec<String> = sources.iter().map(|source| source.display().to_string()).collect();
    print::note(format!("Ingesting {} …", names.join(", ")));
    with_progress(store, sources, &options, |_| {}).await.print();
    Ok(())
}

/// Grants of the demonstration, given again at each start: all that is there, but the two samples that show what a
/// caller without a licence meets. Returns what the tenant may read.
async fn grant(store: &Store, visitor: &Visitor) -> anyhow::Result<Vec<Urn>> {
    let tenant = visitor.tenant_id.to_string();
    let now = crate::clock::now();
    for (id, grant) in &store.policy().await?.grants {
        if grant.tenant == tenant {
            store.remove_grant(*id, now).await?;
        }
    }
    let mut readable = Vec::new();
    loop {
        let page = store.editions(readable.last(), 500).await?;
        if page.is_empty() {
            break;
        }
        readable.extend(page.into_iter().map(|edition| edition.urn));
    }
    let special = |urn: &Urn| [ONLY_DISCOVERED, HIDDEN].contains(&urn.as_str());
    let discovered = readable.iter().filter(|urn| urn.as_str() == ONLY_DISCOVERED).cloned().collect();
    readable.retain(|urn| !special(urn));
    for (level, urns) in [(Level::Read, readable.iter().cloned().collect()), (Level::Discover, discovered)] {
        let grant = Grant {
            tenant: tenant.clone(),
            client: None,
            scope: Scope::List(urns),
            level,
            from: None,
            until: None,
        };
        store.add_grant(&grant, now).await?;
    }
    Ok(readable)
}

/// Lines that work when they are pasted into a shell.
fn welcome(ready: &Ready<'_>) {
    let Ready { base_url, ops_url, auth_url, visitor, scope, standards } = ready;
    let Visitor { tenant_id, client_id, client_secret } = visitor;
    let example = "urn:nsb:std:nsb:4210:ed-2:en";
    let urn = if standards.iter().any(|s| s == example) {
        example
    } else {
        standards.first().map_or(example, |s| s)
    };
    let id = urn.replace(':', "%3A");
    let api = format!("{base_url}/api/content/v1");
    print::lines(format!(
        r#"
Norma is ready. Paste these lines into another shell.

# A token, as a licensed caller asks for it
TOKEN=$(curl -s {auth_url}/{tenant_id}/oauth2/v2.0/token \
  -d grant_type=client_credentials -d client_id={client_id} \
  -d client_secret='{client_secret}' -d scope={scope} | sed 's/.*"access_token":"\([^"]*\)".*/\1/')

# The standards that the caller may see
curl -s -H "Authorization: Bearer $TOKEN" {api}/standards

# A whole standard
curl -s -H "Authorization: Bearer $TOKEN" {api}/standards/{id}

# The provisions of clause 4 and all below it
curl -s -H "Authorization: Bearer $TOKEN" {api}/standards/{id}/provisions/4

# One provision in context
PROVISION=$(curl -s -H "Authorization: Bearer $TOKEN" {api}/standards/{id}/provisions/4 | sed 's/.*"items":\[{{"id":"\([^"]*\)".*/\1/')
curl -s -H "Authorization: Bearer $TOKEN" {api}/provisions/$PROVISION

# A table, as CSV
curl -s -H "Authorization: Bearer $TOKEN" -H 'Accept: text/csv' {api}/standards/{id}/tables/1

# A picture: a short-lived URL, then its bytes
ASSET=$(curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
  -d '{{"reference":"fig_1"}}' {api}/standards/{id}/assets/resolve | sed 's/.*"url":"\([^"]*\)".*/\1/')
curl -s -o figure -w '%{{content_type}}, %{{size_download}} bytes\n' "$ASSET"

# The knowledge graph
curl -s -H "Authorization: Bearer $TOKEN" -H 'Accept: application/ld+json' \
  {base_url}/api/content/preview/knowledge-graph/standards/{id}

Documentation: {base_url}/docs     Health and metrics: {ops_url}/readyz {ops_url}/metrics
Identity provider for development: {auth_url}
Ctrl-C stops it.
"#
    ));
}
