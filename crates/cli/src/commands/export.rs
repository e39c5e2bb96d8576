//! `norma export`: provisions, tables and changes for spreadsheets, as a caller.

use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::query::{ComparisonQuery, Parameters, ProvisionsQuery, QueryLimits};
use norma_api::shapes::{
    AccessLevel, ComparisonAnswer, ComparisonView, Provision, ProvisionsView, SelectionView, StandardList,
};
use norma_api::{Media, Operation};
use norma_client::Client;
use norma_export::{ExportOptions, ExportedStandard, Format, IdColumn, export, export_changes};
use serde::de::DeserializeOwned;

use super::caller::{client, query};
use super::write_private;
use crate::args::{Export, ExportIdentity};
use crate::print;

/// Most standards of one export: all of them are in memory until it is written.
const MAX_STANDARDS: u64 = 500;

pub(crate) async fn run(typed: Export) -> anyhow::Result<ExitCode> {
    let format = format(typed.format.as_deref(), typed.output.as_deref())?;
    if format != Format::Csv && typed.output.is_none() && std::io::stdout().is_terminal() {
        bail!("expected `--output FILE`: {} is not text for a terminal", format.as_str());
    }
    let identity = match typed.identity {
        ExportIdentity::Provision => IdColumn::Provision,
        ExportIdentity::Lineage => IdColumn::Lineage,
    };
    let options = ExportOptions { identity, service: &typed.base_url };
    let client = client(typed.caller, &typed.base_url)?;
    let bytes = match typed.compare.as_deref() {
        Some([older, newer]) => {
            let comparison = whole_comparison(&client, older, newer, typed.filter).await?;
            export_changes(&comparison, format, &options)?
        }
        _ => {
            let (urns, selection) = named(typed.names)?;
            let urns = if urns.is_empty() { found(&client, &typed.filter).await? } else { urns };
            let types = typed.types.iter().map(|kind| kind.parse()).collect::<Result<_, _>>();
            let filters =
                ProvisionsQuery { types: types.context("`--type`")?, lineage: true, ..Default::default() };
            let mut standards = Vec::with_capacity(urns.len());
            for urn in &urns {
                standards.push(standard(&client, urn, selection.as_deref(), &filters, format).await?);
            }
            export(&standards, format, &options)?
        }
    };
    match &typed.output {
        Some(path) => write_private(path, bytes)?,
        None => print::bytes(&bytes),
    }
    Ok(ExitCode::SUCCESS)
}

/// A comparison with its texts.
async fn whole_comparison(
    client: &Client,
    older: &str,
    newer: &str,
    filter: Vec<String>,
) -> anyhow::Result<ComparisonView<'static>> {
    let query = query(&[vec![format!("with={newer}"), "include=text".into()], filter].concat())?;
    let parameters = Parameters::parse(Operation::Comparison, &query, QueryLimits::default())?;
    match client.comparison(older, &ComparisonQuery::from_parameters(&parameters)?).await? {
        ComparisonAnswer::Whole(comparison) => Ok(comparison),
        ComparisonAnswer::Summary(_) => {
            bail!("content-not-licensed: a grant to read both editions is needed")
        }
    }
}

/// The format: as asked for, else as the extension of the file says.
fn format(asked: Option<&str>, output: Option<&Path>) -> anyhow::Result<Format> {
    let extension = output.and_then(Path::extension).and_then(OsStr::to_str);
    let name = asked.or(extension).context("expected `--format csv` or `--format xlsx`, found neither")?;
    Ok(name.parse()?)
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

/// The URNs of the standards that the caller may read and the list finds.
async fn found(client: &Client, filter: &[String]) -> anyhow::Result<Vec<String>> {
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
    if bibliographic.metadata.duties_without_verbal_form {
        print::note(format!(
            "norma: warning: {urn} may state duties without a verbal form, in the present tense: no rule finds these"
        ));
    }
    let terms = client.terms(urn).await?;
    let mut revisions = vec![revision, terms.revision.into_owned()];
    let tables = if format == Format::Csv {
        Vec::new()
    } else {
        let tables = client.tables(urn).await?;
        revisions.push(tables.revision.into_owned());
        tables.items
    };
    if revisions.iter().any(|revision| *revision != bibliographic.revision) {
        bail!("{urn} was replaced while it was read: repeat the command");
    }
    Ok(ExportedStandard { provisions, terms: terms.items, tables, bibliographic })
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
