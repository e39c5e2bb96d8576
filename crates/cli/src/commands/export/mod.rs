//! `norma export`: standards and changes for spreadsheets and tools of requirements, as a caller.

mod document;
mod state;

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::query::{ComparisonQuery, Parameters, ProvisionsQuery, QueryLimits};
use norma_api::shapes::{
    AccessLevel, BibliographicData, ComparisonAnswer, ComparisonView, Provision, ProvisionsView,
    SelectionView, StandardList,
};
use norma_api::{Code, Media, Operation};
use norma_client::{Client, ClientError};
use norma_export::{
    ExportOptions, ExportedStandard, Format, IdColumn, PartIds, RequirementFormat, export, export_changes,
    export_mapping, export_requirements, format_names,
};
use serde::de::DeserializeOwned;

use self::document::DocumentRequest;
use self::state::ExportStateFile;
use super::caller::{client, query};
use super::write_private;
use crate::args::{Export, ExportIdentity};
use crate::print;

/// Most standards of one export: all of them are in memory until it is written.
const MAX_STANDARDS: u64 = 500;

/// What an export is written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExportFormat {
    Sheet(Format),
    Requirements(RequirementFormat),
}

impl ExportFormat {
    fn as_str(self) -> &'static str {
        match self {
            Self::Sheet(format) => format.as_str(),
            Self::Requirements(format) => format.as_str(),
        }
    }

    /// True for a format that a terminal can show.
    fn is_text(self) -> bool {
        match self {
            Self::Sheet(format) => format == Format::Csv,
            Self::Requirements(format) => !format.is_archive(),
        }
    }
}

pub(crate) async fn run(typed: Export) -> anyhow::Result<ExitCode> {
    let format = format(typed.format.as_deref(), typed.output.as_deref())?;
    if !format.is_text() && typed.output.is_none() && std::io::stdout().is_terminal() {
        bail!("expected `--output FILE`: {} is not text for a terminal", format.as_str());
    }
    check_options(&typed, format)?;
    let identity = match typed.identity {
        ExportIdentity::Provision => IdColumn::Provision,
        ExportIdentity::Lineage => IdColumn::Lineage,
    };
    let options = ExportOptions { identity, service: &typed.base_url };
    let client = client(typed.caller, &typed.base_url)?;
    let mut state = match &typed.state {
        Some(path) => Some(ExportStateFile::read(path, typed.output.as_deref())?),
        None => None,
    };
    let bytes = match typed.compare.as_deref() {
        Some([older, newer]) => changes(&client, [older, newer], typed.filter, format, &options).await?,
        _ => {
            let (urns, selection) = named(typed.names)?;
            let urns =
                if urns.is_empty() { found(&client, &typed.filter, typed.headings).await? } else { urns };
            let types = typed.types.iter().map(|kind| kind.parse()).collect::<Result<_, _>>();
            let filters =
                ProvisionsQuery { types: types.context("`--type`")?, lineage: true, ..Default::default() };
            match format {
                ExportFormat::Sheet(format) => {
                    let mut standards = Vec::with_capacity(urns.len());
                    for urn in &urns {
                        standards.push(standard(&client, urn, selection.as_deref(), &filters, format).await?);
                    }
                    export(&standards, format, &options)?
                }
                ExportFormat::Requirements(format) => {
                    let request = DocumentRequest {
                        client: &client,
                        selection: selection.as_deref(),
                        filters: &filters,
                        headings: typed.headings,
                        format,
                    };
                    let mut standards = Vec::with_capacity(urns.len());
                    for urn in &urns {
                        let document = request.document(urn).await?;
                        let ids = match &mut state {
                            Some(state) => state.assign(&client, &document).await?,
                            None => PartIds::of_edition(&document),
                        };
                        standards.push((document, ids));
                    }
                    export_requirements(&standards, format, &options)?
                }
            }
        }
    };
    match &typed.output {
        Some(path) => write_private(path, bytes)?,
        None => print::bytes(&bytes),
    }
    // The state after it: an export that failed has changed nothing.
    if let Some(state) = state {
        print::finish()?;
        state.write()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses options that the format does not have.
fn check_options(typed: &Export, format: ExportFormat) -> anyhow::Result<()> {
    let is_requirements = matches!(format, ExportFormat::Requirements(_));
    if !is_requirements && typed.state.is_some() {
        bail!("`--state` is for formats of requirements: {} has no sections", format.as_str());
    }
    if !is_requirements && typed.headings {
        bail!("`--headings` is for formats of requirements: {} has provisions alone", format.as_str());
    }
    let by_lineage = typed.identity == ExportIdentity::Lineage;
    if is_requirements && by_lineage && typed.state.is_none() {
        bail!("expected `--state FILE` with `--identity lineage`: it has the ids of sections and terms");
    }
    if typed.state.is_some() && !by_lineage {
        bail!("`--state` has the ids that survive an edition: give `--identity lineage` as well");
    }
    Ok(())
}

/// The changes between two editions, or the mapping of one to the other.
async fn changes(
    client: &Client,
    [older, newer]: [&str; 2],
    mut filter: Vec<String>,
    format: ExportFormat,
    options: &ExportOptions<'_>,
) -> anyhow::Result<Vec<u8>> {
    filter.push("include=text".into());
    let comparison = whole_comparison(client, older, newer, filter).await?;
    note_order(client, older, &comparison).await?;
    match format {
        ExportFormat::Sheet(format) => Ok(export_changes(&comparison, format, options)?),
        ExportFormat::Requirements(format) => {
            let newer = client.bibliographic_data(&comparison.newer.urn).await?;
            Ok(export_mapping(&comparison, newer.metadata.published_on.as_deref(), format, options)?)
        }
    }
}

/// Says which edition is the older one where they were named in the other order, as `norma compare` does.
async fn note_order(
    client: &Client,
    named_older: &str,
    comparison: &ComparisonView<'_>,
) -> anyhow::Result<()> {
    let (older, newer) = (&*comparison.older.urn, &*comparison.newer.urn);
    if older == newer || named_older == older {
        return Ok(());
    }
    // A shorter URN names the newest edition, and a URN may be in upper case.
    let named = client.bibliographic_data(named_older).await?;
    if named.urn == newer {
        print::note(format!("{older} is older than {newer}: compared in this order"));
    }
    Ok(())
}

/// A comparison with the items of all its pages.
async fn whole_comparison(
    client: &Client,
    older: &str,
    newer: &str,
    filter: Vec<String>,
) -> anyhow::Result<ComparisonView<'static>> {
    let query = query(&[vec![format!("with={newer}")], filter].concat())?;
    let parameters = Parameters::parse(Operation::Comparison, &query, QueryLimits::default())?;
    match client.comparison(older, &ComparisonQuery::from_parameters(&parameters)?).await {
        Ok(ComparisonAnswer::Whole(comparison)) => Ok(comparison),
        Ok(ComparisonAnswer::Summary(_)) => {
            bail!("content-not-licensed: a grant to read both editions is needed")
        }
        Err(error) if is_of_different_documents(&error) => bail!(
            "not-comparable: {older} and {newer} are editions of different documents; to compare them, add \
             `--filter differentDocuments=true`"
        ),
        Err(error) => Err(error.into()),
    }
}

/// True if the service compares the two editions only where that is asked for.
fn is_of_different_documents(error: &ClientError) -> bool {
    error.code() == Some(Code::NotComparable) && error.to_string().contains("differentDocuments")
}

/// The format: as asked for, else as the extension of the file says.
fn format(asked: Option<&str>, output: Option<&Path>) -> anyhow::Result<ExportFormat> {
    let extension = output.and_then(Path::extension).and_then(OsStr::to_str);
    let name = asked.or(extension).with_context(|| {
        format!(
            "expected `--format` with one of {}, or `--output` with such an extension",
            format_names().join(", ")
        )
    })?;
    match name.parse() {
        Ok(format) => Ok(ExportFormat::Sheet(format)),
        Err(_) => Ok(ExportFormat::Requirements(name.parse()?)),
    }
}

/// The URNs, and the selection behind them.
fn named(mut names: Vec<String>) -> anyhow::Result<(Vec<String>, Option<String>)> {
    let is_urn = |name: &String| name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"));
    let selection = names.pop_if(|name| !is_urn(name));
    match names.iter().find(|name| !is_urn(name)) {
        Some(name) => bail!("expected URNs, then at most one selection; found `{name}` in front of others"),
        None => Ok((names, selection)),
    }
}

/// The URNs of the standards that the list finds and the caller may read, or with `headings` discover.
async fn found(client: &Client, filter: &[String], headings: bool) -> anyhow::Result<Vec<String>> {
    if filter.is_empty() {
        bail!("expected a URN, or `--filter NAME=VALUE` to find standards");
    }
    let (mut urns, mut query, mut hidden) = (Vec::new(), query(filter)?, 0_u64);
    loop {
        let page: StandardList<'_> = read(client, Operation::Standards, &[], &query).await?;
        if page.total > MAX_STANDARDS {
            bail!("expected at most {MAX_STANDARDS} standards, found {}: add a filter", page.total);
        }
        for item in page.items {
            match item.access {
                AccessLevel::Read => urns.push(item.urn.into_owned()),
                AccessLevel::Discover if headings => urns.push(item.urn.into_owned()),
                AccessLevel::Discover | AccessLevel::Unrecognized => hidden += 1,
            }
        }
        let Some(cursor) = page.next else { break };
        query = format!("cursor={cursor}");
    }
    if hidden > 0 {
        print::note(format!(
            "norma: warning: left out, as a grant to read them is missing: {hidden} standards"
        ));
    }
    if urns.is_empty() {
        bail!("the filters find no standard that you may read: `norma get standards` lists all");
    }
    Ok(urns)
}

/// What is exported of a standard.
async fn standard(
    client: &Client,
    urn: &str,
    selection: Option<&str>,
    filters: &ProvisionsQuery,
    format: Format,
) -> anyhow::Result<ExportedStandard<'static>> {
    let bibliographic = client.bibliographic_data(urn).await?;
    // A shorter URN names the newest edition: from here on, the one that was found.
    let urn = &*bibliographic.urn;
    let (provisions, revision) = provisions(client, urn, selection, filters).await?;
    warn_of_duties(&bibliographic);
    let terms = client.terms(urn).await?;
    let outline = client.sections(urn).await?;
    let mut revisions = vec![revision, terms.revision.into_owned(), outline.revision.into_owned()];
    let tables = if format == Format::Csv {
        Vec::new()
    } else {
        let tables = client.tables(urn).await?;
        revisions.push(tables.revision.into_owned());
        tables.items
    };
    check_revisions(&revisions, &bibliographic)?;
    let outline = outline.sections;
    Ok(ExportedStandard { provisions, terms: terms.items, tables, outline, bibliographic })
}

/// Says that provisions are not all duties of a text.
fn warn_of_duties(bibliographic: &BibliographicData<'_>) {
    if bibliographic.metadata.duties_without_verbal_form {
        print::note(format!(
            "norma: warning: {} may state duties without a verbal form, in the present tense: no rule finds these",
            bibliographic.urn
        ));
    }
}

/// Refuses parts of a standard that are of different revisions.
fn check_revisions(revisions: &[String], bibliographic: &BibliographicData<'_>) -> anyhow::Result<()> {
    if revisions.iter().any(|revision| *revision != bibliographic.revision) {
        bail!("{} was replaced while it was read: repeat the command", bibliographic.urn);
    }
    Ok(())
}

/// The provisions of a standard that are asked for, and the revision that they are of.
async fn provisions(
    client: &Client,
    urn: &str,
    selection: Option<&str>,
    filters: &ProvisionsQuery,
) -> anyhow::Result<(Vec<Provision<'static>>, String)> {
    let query = filters.query_string();
    let Some(selection) = selection else {
        let view: ProvisionsView<'_> = read(client, Operation::Provisions, &[urn], &query).await?;
        return Ok((view.items, view.revision.into_owned()));
    };
    let view: SelectionView<'_> = read(client, Operation::Selection, &[urn, selection], &query).await?;
    if !view.selection.unmatched.is_empty() {
        print::note(format!("norma: warning: not in {urn}: {}", view.selection.unmatched.join("; ")));
    }
    Ok((view.items, view.revision.into_owned()))
}

async fn read<T: DeserializeOwned>(
    client: &Client,
    operation: Operation,
    arguments: &[&str],
    query: &str,
) -> anyhow::Result<T> {
    let answer = client.fetch(operation, arguments, query, Media::Json).await?;
    serde_json::from_slice(&answer.body).context("the service answered something else than was asked for")
}
