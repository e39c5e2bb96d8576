//! `norma demo`: samples, a development identity provider, the service and its explorer in one process.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use anyhow::Context;
use include_dir::{Dir, include_dir};
use norma_client::{Client, Credential};
use norma_dev_idp::{DevIdp, Guid};
use norma_explorer::Explorer;
use norma_ingest::{DERIVER_VERSION, IngestOptions};
use norma_model::Urn;
use norma_service::server::{self, RunningService, Sockets};
use norma_service::telemetry;
use norma_settings::{Layers, SettingOrigin};
use norma_store::{Grant, GrantScope, Level, Store, Tenant};
use serde::{Deserialize, Serialize};

use super::ingest::with_progress;
use super::{ReadyFile, StopSignal, write_private};
use crate::settings::with_store_to_serve;
use crate::{args, print};

/// The samples, which the binary contains, so that the demonstration needs nothing else.
static SAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../samples");

/// The variable of a caller that has the name of a setting of the service, too.
const CALLERS_AUTH_URL: &str = "NORMA_AUTH_URL";

/// Samples that are broken on purpose.
const BROKEN: &str = "broken";

/// The sample that the demo tenant may only discover, and the one that it does not see.
const ONLY_DISCOVERED: &str = "urn:nsb:std:nsb:4220:ed-1:en";
const HIDDEN: &str = "urn:nsb:std:nsb:ts:4250:ed-1:en";

/// The sample that the explorer recommends: it has provisions, terms, tables, figures and an earlier edition.
const FEATURED: &str = "urn:nsb:std:nsb:4210:ed-2:en";

/// Caller of the demonstration, stored with the provider's own state so that it survives a restart.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Visitor {
    tenant_id: Guid,
    client_id: Guid,
    client_secret: String,
}

/// The content of the ready file, for scripts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready<'a> {
    base_url: &'a str,
    ops_url: String,
    auth_url: &'a str,
    explorer_url: &'a str,
    #[serde(flatten)]
    visitor: &'a Visitor,
    scope: String,
    standards: Vec<String>,
}

pub(crate) async fn run(layers: Layers, options: args::Demo) -> anyhow::Result<ExitCode> {
    let mut stop = StopSignal::new()?;
    let mut ready_file = ReadyFile::new(options.ready_file.clone())?;
    only_on_loopback("idp-listen", options.idp_listen)?;
    only_on_loopback("explorer-listen", options.explorer_listen)?;
    let given = crate::settings::checked(&layers)?.http;
    only_on_loopback("listen", given.listen)?;
    only_on_loopback("ops-listen", given.ops_listen)?;
    norma_store::make_folder(&options.data)
        .with_context(|| format!("cannot make the folder {}", options.data.display()))?;
    let idp = start_provider(&options).await?;
    let service = idp.service();
    let layers = configured(layers, &options.data, &idp)?;
    telemetry::log(&crate::settings::checked(&layers)?.log)?;
    let visitor = visitor(&idp, &options.data.join("visitor.json"))?;
    let sockets = Sockets::bind(&crate::settings::checked(&layers)?)?;
    let (settings, store) =
        with_store_to_serve(&layers).await.map_err(|error| name_folder(error, &options.data))?;
    register(&store, &visitor).await?;
    let ingested = tokio::select! {
        ingested = ingest_samples(&store, &settings.ingest, &options) => ingested?,
        // All that is stored by now is whole; the next start continues from there.
        () = stop.came() => return Ok(ExitCode::SUCCESS),
    };
    let DemoGrants { standards, discovered, hidden } = grant(&store, &visitor).await?;
    let running = server::start_on(sockets, settings, store, DERIVER_VERSION).await?;

    searchable(&running).await;

    let scope = format!("{}/.default", service.application_id_uri);
    let explorer = explore(&options, &running.public_url, idp.url(), &visitor, &scope).await?;
    let counts = counts(ingested, standards.len(), discovered, hidden);
    let ready = Ready {
        base_url: &running.public_url,
        ops_url: format!("http://{}", running.ops_address),
        auth_url: idp.url(),
        explorer_url: explorer.url(),
        visitor: &visitor,
        scope,
        standards: standards.iter().map(ToString::to_string).collect(),
    };
    ready_file.write(serde_json::to_string_pretty(&ready)?)?;
    tokio::select! {
        shown = welcome(&ready, &counts, &options.data) => {
            shown?;
            stop.came().await;
        }
        () = stop.came() => {}
    }
    print::note("stopping");
    let ((), provider) = tokio::join!(running.stop(), idp.shutdown());
    provider?;
    Ok(ExitCode::SUCCESS)
}

/// Adds to an error how to handle a folder of an earlier demonstration.
fn name_folder(error: anyhow::Error, data: &Path) -> anyhow::Error {
    if !matches!(error.downcast_ref(), Some(norma_store::StoreError::EarlierSchema { .. })) {
        return error;
    }
    let folder = data.display();
    error.context(format!(
        "a version that was never released made the demo folder {folder}: delete it, or name another one with `--data`; the demo then \
         ingests again"
    ))
}

/// Refuses other addresses than loopback: the demonstration's provider issues tokens to everybody, so no
/// other machine may reach it, or what trusts it.
fn only_on_loopback(setting: &str, address: SocketAddr) -> anyhow::Result<()> {
    anyhow::ensure!(
        address.ip().is_loopback(),
        "`--{setting} {address}`: the demonstration listens on loopback addresses only, such as 127.0.0.1; `norma serve` \
         listens anywhere"
    );
    Ok(())
}

async fn start_provider(options: &args::Demo) -> anyhow::Result<DevIdp> {
    let settings = norma_dev_idp::DevIdpSettings {
        listen: options.idp_listen,
        state_file: Some(options.data.join("identity-provider.json")),
        ..norma_dev_idp::DevIdpSettings::default()
    };
    DevIdp::start(settings)
        .await
        .context("the development identity provider does not start; `--idp-listen` names another address")
}

/// The settings of the demonstration, below those of file, environment and command line.
fn configured(layers: Layers, data: &Path, idp: &DevIdp) -> anyhow::Result<Layers> {
    let service = idp.service();
    let own = [
        ("store", data.join("norma.db").display().to_string()),
        ("search-dir", data.join("search").display().to_string()),
        ("auth-url", idp.url().to_owned()),
        ("audience", format!("{},{}", service.client_id, service.application_id_uri)),
        ("role", service.role),
        ("rate-limit", "0".to_owned()),
        ("drain-time", "0s".to_owned()),
        ("log-level", "warn".to_owned()),
    ];
    let mut layers = layers;
    for (key, value) in own {
        let is_free = match layers.origin(key) {
            Some(SettingOrigin::Default) => true,
            // It is in the file `environment` of each demonstration, which the shell may have read: there it
            // says where a caller gets tokens, here it would name the provider that the service trusts.
            Some(SettingOrigin::Environment(name)) if name == CALLERS_AUTH_URL => {
                print::note(format!(
                    "{name} is ignored: it is of `norma get`, and the demonstration has an identity provider of its own"
                ));
                true
            }
            _ => false,
        };
        if is_free {
            layers = layers.set(key, &value, SettingOrigin::Command)?;
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
    write_private(file, &serde_json::to_string_pretty(&visitor)?)?;
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
        write_private(&target.join(file.path()), file.contents())?;
    }
    folder.dirs().try_for_each(|below| extract(below, target))
}

/// Ingests the valid samples, and the user's documents.
async fn ingest_samples(
    store: &Store,
    settings: &norma_settings::IngestSettings,
    options: &args::Demo,
) -> anyhow::Result<u64> {
    let samples = options.data.join("samples");
    for folder in SAMPLES.dirs().filter(|folder| !folder.path().ends_with(BROKEN)) {
        extract(folder, &samples).with_context(|| format!("cannot write into {}", samples.display()))?;
    }
    let sources: Vec<PathBuf> = [samples].into_iter().chain(options.ingest.iter().cloned()).collect();
    let options = IngestOptions::new(settings);
    let summary = with_progress(store, sources, &options, |_| {}).await;
    Ok(summary.taken())
}

/// The explorer of the demo tenant's client.
async fn explore(
    options: &args::Demo,
    service: &str,
    authority: &str,
    visitor: &Visitor,
    scope: &str,
) -> anyhow::Result<Explorer> {
    let (tenant, client_id) = (visitor.tenant_id.to_string(), visitor.client_id.to_string());
    let client = Client::builder(service, Credential::secret(visitor.client_secret.clone()))
        .authority(authority)
        .tenant(&tenant)
        .client_id(&client_id)
        .scope(scope);
    let options = norma_explorer::ExplorerOptions {
        listen: options.explorer_listen,
        client,
        service: service.to_owned(),
        tenant,
        client_id,
        featured: Some(FEATURED.to_owned()),
        link_base: None,
        read_ingest_report: None,
        clock: crate::clock::now,
    };
    Explorer::start(options)
        .await
        .context("the explorer does not start; `--explorer-listen` names another address")
}

/// Waits until the search finds all standards, for a moment only: the others are found later.
async fn searchable(running: &RunningService) {
    let found = async {
        while running.search_state().is_some_and(|state| !state.is_open || state.missing > 0) {
            tokio::time::sleep(SEARCH_POLL).await;
        }
    };
    // Nothing else waits for the search.
    let _ = tokio::time::timeout(SEARCH_WAIT, found).await;
}

/// Time between looks at the search index.
const SEARCH_POLL: Duration = Duration::from_millis(50);
/// Longest time that a demonstration waits for its search index.
const SEARCH_WAIT: Duration = Duration::from_secs(20);

/// Makes the grants of the demonstration again at each start: for all standards except two samples, which
/// show what a caller without a licence gets.
async fn grant(store: &Store, visitor: &Visitor) -> anyhow::Result<DemoGrants> {
    let tenant = visitor.tenant_id.to_string();
    let now = crate::clock::now();
    for (id, grant) in &store.policy().await?.grants {
        if grant.tenant == tenant {
            store.remove_grant(*id, now).await?;
        }
    }
    let mut stored: Vec<Urn> = Vec::new();
    loop {
        let page = store.editions(stored.last(), 500).await?;
        if page.is_empty() {
            break;
        }
        stored.extend(page.into_iter().map(|edition| edition.urn));
    }
    let (mut readable, mut discovered, mut hidden) = (Vec::new(), Vec::new(), 0);
    for urn in stored {
        match urn.as_str() {
            ONLY_DISCOVERED => discovered.push(urn),
            HIDDEN => hidden += 1,
            _ => readable.push(urn),
        }
    }
    let granted = DemoGrants { discovered: discovered.len(), hidden, standards: readable.clone() };
    for (level, urns) in [(Level::Read, readable), (Level::Discover, discovered)] {
        let urns = urns.into_iter().collect();
        let grant = Grant {
            tenant: tenant.clone(),
            client: None,
            scope: GrantScope::List(urns),
            level,
            from: None,
            until: None,
        };
        store.add_grant(&grant, now).await?;
    }
    Ok(granted)
}

/// What the caller of the demonstration may use of the standards in the store.
struct DemoGrants {
    /// Those that it may read.
    standards: Vec<Urn>,
    /// How many it may only discover.
    discovered: usize,
    /// How many it has no grant for.
    hidden: usize,
}

/// Says how many standards there are, and why the caller finds fewer.
fn counts(ingested: u64, readable: usize, discovered: usize, hidden: usize) -> String {
    let found = readable + discovered;
    let mut text = format!(
        "{ingested} standards are ingested. The caller of the demonstration finds {found} and may read {readable} of them."
    );
    if discovered > 0 {
        text.push_str(&format!("\n{discovered} {} without a grant to read", is_or_are(discovered)));
        if hidden > 0 {
            text.push_str(&format!(", and {hidden} {} hidden: no grant names it", is_or_are(hidden)));
        }
        text.push('.');
    }
    text
}

fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// First steps: a heading, and commands with the variables of the file `environment`. `JQ` is left out where
/// jq is missing.
const STEPS: [(&str, &str); 6] = [
    (
        "What may this caller see? Of one standard only that it exists: access `discover`.",
        "norma get standards --format table",
    ),
    (
        "What do all standards that this caller may read require of a proof load?",
        "norma get search '\"proof load\"' type=requirement language=en --format table",
    ),
    (
        "The provisions of a clause, each with an id that it keeps. Without --format: the JSON of the service.",
        "norma get provisions urn:nsb:std:nsb:4210:ed-2:en 4.2 --format table",
    ),
    (
        "Which recommendations of 2019 became requirements in 2025, or the reverse?",
        "norma get comparison urn:nsb:std:nsb:4210:ed-1:en --with urn:nsb:std:nsb:4210:ed-2:en \\\n    \
         --filter changed=strength --filter include=text --format table",
    ),
    (
        "A test report of 2019 cites three provisions by their labels. What became of them?",
        "norma get migrate urn:nsb:std:nsb:4210:ed-2:en --from urn:nsb:std:nsb:4210:ed-1:en \\\n    \
         '4.2(1)' '5.3(1)' '5.3(2)' --format table",
    ),
    (
        "By curl: a table as CSV; then the text of the standard that may only be discovered.",
        "curl -s -H \"Authorization: Bearer $TOKEN\" -H 'Accept: text/csv' \\\n    \
         $API/standards/urn:nsb:std:nsb:4210:ed-2:en/tables/1\n\
         curl -s -H \"Authorization: Bearer $TOKEN\" $API/standards/urn:nsb:std:nsb:4220:ed-1:en/contentJQ",
    ),
];

/// Lines of output that are shown of a step.
const SHOWN_LINES: usize = 30;

/// Shows the explorer's address, and commands that work in a shell, each with its output.
async fn welcome(ready: &Ready<'_>, counts: &str, data: &Path) -> anyhow::Result<()> {
    let Ready { base_url, ops_url, auth_url, explorer_url, visitor, scope, .. } = ready;
    print::lines(format!("Look: {explorer_url}\n\n{counts}"));
    let Visitor { tenant_id, client_id, client_secret } = visitor;
    let program = std::env::current_exe()?;
    let path = std::path::absolute(data.join("environment"))?;
    let file = quoted(&path);
    let folder = quoted(program.parent().unwrap_or(Path::new("/")));
    write_private(
        &path,
        format!(
            "# Variables of `norma get` as the demo tenant, and of the commands that the demonstration shows.\n\
             unset NORMA_CLIENT_SECRET_FILE NORMA_CLIENT_CERTIFICATE NORMA_CA_FILE\n\
             export NORMA_BASE_URL={base_url} NORMA_AUTH_URL={auth_url} NORMA_SCOPE={scope}\n\
             export NORMA_TENANT_ID={tenant_id} NORMA_CLIENT_ID={client_id} NORMA_CLIENT_SECRET='{client_secret}'\n\
             export API=$NORMA_BASE_URL/api/content/v1 PATH={folder}:\"$PATH\"\n\
             TOKEN=$(norma token)\n"
        ),
    )?;
    print::lines(format!(
        "Norma is ready at {base_url}, with its documentation at {base_url}/docs.\n\n\
         In another shell, first set NORMA_BASE_URL and the other variables of `norma get`, $API and $TOKEN:\n\n\
         \x20 . {file}\n\n\
         Then try these commands. What each prints is below it."
    ));
    let has_jq = shell("command -v jq").await.is_ok_and(|said| !said.is_empty());
    for (at, (heading, commands)) in (1..).zip(STEPS) {
        let commands = commands.replace("JQ", if has_jq { " | jq" } else { "" });
        print::lines(format!("\n{at}. {heading}\n\n  {}\n", commands.replace('\n', "\n  ")));
        let said = shell(&format!(". {file}\n{commands}")).await?;
        let lines: Vec<String> = said.lines().map(|line| format!("    {line}")).collect();
        print::lines(lines[..lines.len().min(SHOWN_LINES)].join("\n"));
        if lines.len() > SHOWN_LINES {
            print::line(format!("    … ({} lines more)", lines.len() - SHOWN_LINES));
        }
    }
    print::lines(format!(
        "\n`norma get --help` lists all that a caller may ask, `norma list --store {}` what is stored.\n\
         Health and metrics: {ops_url}/readyz {ops_url}/metrics. Identity provider for development: {auth_url}.\n\
         Ctrl-C stops it.",
        quoted(&data.join("norma.db"))
    ));
    Ok(())
}

/// A path as a word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// The output of a command in a shell, errors last, for a terminal as wide as this one minus the indent.
async fn shell(command: &str) -> anyhow::Result<String> {
    let said = tokio::process::Command::new("sh")
        .args(["-c", command])
        .env("COLUMNS", print::width().min(104).saturating_sub(4).to_string())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .context("cannot run `sh`")?;
    Ok(String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned())
}
