//! `norma explore`: pages on this machine that show what the service answers.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{ExitCode, Stdio};

use anyhow::Context;
use norma_explorer::{Explorer, ExplorerOptions, IngestDiagnostic, IngestReport, ReadIngestReport};
use norma_ingest::diagnostics;
use norma_settings::{Layers, SettingOrigin};
use norma_store::Store;
use norma_sts::Diagnostic;
use tokio::process::Command;

use super::{StopSignal, caller, catalogue};
use crate::settings::with_store;
use crate::{args, print};

/// Programs that open a file in the browser of the desktop, in the order in which they are tried.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

/// Where it listens unless the command line says otherwise; the setting `listen` is that of a service.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8485);

pub(crate) async fn run(layers: &Layers, options: args::Explore) -> anyhow::Result<ExitCode> {
    let args::Explore { caller, base_url, open } = options;
    let listen = match layers.origin("listen") {
        Some(SettingOrigin::Flag) => crate::settings::checked(layers)?.http.listen,
        _ => LISTEN,
    };
    let read_ingest_report = match layers.origin("store") {
        Some(SettingOrigin::Flag) => Some(reports_of(with_store(layers).await?.1)),
        _ => None,
    };
    let mut stop = StopSignal::new()?;
    let (tenant, client_id) = (caller.tenant.clone(), caller.client_id.clone());
    let explorer = Explorer::start(ExplorerOptions {
        listen,
        client: caller::builder(caller, &base_url)?,
        service: base_url,
        tenant,
        client_id,
        featured: None,
        read_ingest_report,
    })
    .await?;
    print::line(format!("Look: {}", explorer.url()));
    let _file = if open { Some(open_browser(explorer.url())?) } else { None };
    stop.came().await;
    Ok(ExitCode::SUCCESS)
}

/// Opens a file that leads to the address. Other users can read the arguments of a process, and not this
/// file. It is removed when it is dropped.
fn open_browser(url: &str) -> anyhow::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("norma-").suffix(".html").tempfile()?;
    let page = format!("<!DOCTYPE html>\n<meta http-equiv=\"refresh\" content=\"0; url={url}\">\n");
    std::io::Write::write_all(&mut file, page.as_bytes())
        .with_context(|| format!("cannot write {}", file.path().display()))?;
    let start = |program: &&str| {
        let mut command = Command::new(program);
        command.arg(file.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().ok()
    };
    let opener = OPENERS.iter().find_map(start);
    tokio::spawn(async move {
        let is_open = match opener {
            Some(mut opener) => opener.wait().await.is_ok_and(|status| status.success()),
            None => false,
        };
        if !is_open {
            print::note("no browser can be started here: open the address above yourself");
        }
    });
    Ok(file)
}

/// A reader of what the store of an operator says of ingests.
fn reports_of(store: Store) -> ReadIngestReport {
    Box::new(move |urn| {
        let store = store.clone();
        Box::pin(async move { report(&store, &urn).await.map_err(|error| format!("{error:#}")) })
    })
}

async fn report(store: &Store, urn: &str) -> anyhow::Result<Option<IngestReport>> {
    let Ok(urn) = urn.parse() else { return Ok(None) };
    let Some(entry) = store.entry(&urn).await? else { return Ok(None) };
    let found = diagnostics::stored(&store.handle(&entry)).await?;
    Ok(Some(IngestReport {
        stored: catalogue::about(store, &entry).await?,
        diagnostics: found.into_iter().map(shown).collect(),
    }))
}

fn shown(diagnostic: Diagnostic) -> IngestDiagnostic {
    let Diagnostic { code, severity, line, column, message, hint } = diagnostic;
    IngestDiagnostic { severity: print::severity(severity), code, line, column, message, hint }
}
