//! `norma explore`: pages on this machine that show what the service answers.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{ExitCode, Stdio};

use anyhow::Context;
use norma_api::shapes::{ContentSection, SectionNode};
use norma_editions::earlier::{Revisions, replaced_source};
use norma_editions::pack;
use norma_explorer::{
    Explorer, ExplorerOptions, IngestDiagnostic, IngestReport, IngestedRevision, IngestedSection,
    ReadIngestReport,
};
use norma_ingest::diagnostics;
use norma_render::PackPart;
use norma_settings::{Layers, SettingOrigin};
use norma_store::{EditionHandle, Store};
use norma_sts::{Diagnostic, ExtractionOptions, diagnostic_kinds, extract};
use serde::Deserialize;
use tokio::process::Command;

use super::{StopSignal, caller, catalogue};
use crate::settings::with_store;
use crate::{args, print};

/// Programs that open a file in the browser of the desktop, in the order in which they are tried.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

/// Code of the diagnostic that says that not all are listed.
const UNLISTED: &str = "further-flaws";

/// Where it listens unless the command line says otherwise; the setting `listen` is that of a service.
const LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8485);

pub(crate) async fn run(layers: &Layers, options: args::Explore) -> anyhow::Result<ExitCode> {
    let args::Explore { caller, base_url, link_base, open } = options;
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
        link_base,
        read_ingest_report,
        clock: crate::clock::now,
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
    let edition = store.handle(&entry);
    let found = diagnostics::stored(&edition).await?;
    let source = pack::part(&edition, PackPart::Source).await?.unwrap_or_default();
    let replaced = replaced(&edition, &source, &found).await?;
    Ok(Some(IngestReport {
        stored: catalogue::about(store, &entry).await?,
        diagnostics: found.into_iter().map(shown).collect(),
        source: String::from_utf8(source.into()).unwrap_or_default(),
        sections: sections(&edition).await?,
        replaced,
    }))
}

/// The members of stored sections that a report has.
#[derive(Deserialize)]
struct StoredSections {
    sections: Vec<ContentSection<'static>>,
}

/// The same of the outline.
#[derive(Deserialize)]
struct StoredOutline {
    sections: Vec<SectionNode<'static>>,
}

/// The sections with their texts; none where another version of Norma wrote the pack.
async fn sections(edition: &EditionHandle) -> anyhow::Result<Vec<IngestedSection>> {
    let content = pack::part(edition, PackPart::Content).await?.unwrap_or_default();
    let outline = pack::part(edition, PackPart::Sections).await?.unwrap_or_default();
    let (Ok(content), Ok(outline)) = (
        serde_json::from_slice::<StoredSections>(&content),
        serde_json::from_slice::<StoredOutline>(&outline),
    ) else {
        return Ok(Vec::new());
    };
    let mut source_ids = HashMap::new();
    add_source_ids(&mut source_ids, &outline.sections);
    let mut sections = Vec::with_capacity(content.sections.len());
    for ContentSection { head, text, .. } in content.sections {
        let name: Vec<&str> = [&head.number, &head.title].into_iter().flatten().map(|part| &**part).collect();
        let name = if name.is_empty() { head.id.to_string() } else { name.join("  ") };
        sections.push(IngestedSection {
            source_id: source_ids.get(&*head.id).map(|id| (*id).to_owned()),
            id: head.id.into_owned(),
            name,
            text: text.into_owned(),
        });
    }
    Ok(sections)
}

fn add_source_ids<'a>(source_ids: &mut HashMap<&'a str, &'a str>, nodes: &'a [SectionNode<'_>]) {
    for node in nodes {
        if let Some(id) = &node.source_id {
            source_ids.insert(&node.head.id, id);
        }
        add_source_ids(source_ids, &node.children);
    }
}

/// The revision before the present one, if its source is retained. `found` are the diagnostics of the present
/// source.
async fn replaced(
    edition: &EditionHandle,
    source: &[u8],
    found: &[Diagnostic],
) -> anyhow::Result<Option<IngestedRevision>> {
    let revisions = Revisions::read(edition).await?;
    let Some(last) = revisions.retained().next() else { return Ok(None) };
    let replaced_at = jiff::Timestamp::try_from(last.replaced_at)?;
    let urn = edition.entry().summary.urn.clone();
    let options = ExtractionOptions { urn: Some(urn), ..ExtractionOptions::default() };
    let earlier = match replaced_source(edition, source).await? {
        // Both sources by the present rules: a new rule does not change a source.
        Some(earlier) => tokio::task::spawn_blocking(move || extract(&earlier, &options)).await?.ok(),
        None => None,
    };
    // Diagnostics of the files of a package are not found in a source alone.
    let of_sources =
        |diagnostic: &&Diagnostic| diagnostic_kinds().iter().any(|kind| kind.code == diagnostic.code);
    let present: Vec<&Diagnostic> = found.iter().filter(of_sources).collect();
    let mut revision = IngestedRevision {
        name: last.revision.clone(),
        replaced_on: replaced_at.strftime("%Y-%m-%d").to_string(),
        corrected: None,
        added: Vec::new(),
    };
    // Where more were found than are listed, the lists do not say which are gone.
    let is_whole = |diagnostics: &[Diagnostic]| diagnostics.iter().all(|one| one.code != UNLISTED);
    if let Some(earlier) = earlier.filter(|earlier| is_whole(&earlier.diagnostics) && is_whole(found)) {
        let before: Vec<&Diagnostic> = earlier.diagnostics.iter().collect();
        revision.corrected = Some(only_in_first(&before, &present));
        revision.added = only_in_first(&present, &before);
    }
    Ok(Some(revision))
}

/// The diagnostics of one source that another does not have: as many of a code and message as it has more.
/// Lines are not compared, since a text that is inserted moves them.
fn only_in_first(first: &[&Diagnostic], second: &[&Diagnostic]) -> Vec<IngestDiagnostic> {
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    for diagnostic in second {
        *counts.entry((diagnostic.code, &diagnostic.message)).or_default() += 1;
    }
    let mut only = Vec::new();
    for diagnostic in first {
        match counts.get_mut(&(diagnostic.code, &*diagnostic.message)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => only.push(shown((*diagnostic).clone())),
        }
    }
    only
}

fn shown(diagnostic: Diagnostic) -> IngestDiagnostic {
    let Diagnostic { code, severity, line, column, message, hint } = diagnostic;
    IngestDiagnostic { severity: print::severity(severity), code, line, column, message, hint }
}
