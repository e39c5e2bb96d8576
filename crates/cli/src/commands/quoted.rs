//! `norma get cite` and `norma get verify`: citations and quotations of documents.

use std::io::read_to_string;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_api::Operation;
use norma_api::shapes::{
    CitationOutcome, CitationsAnswer, CitationsRequest, QuotationsAnswer, QuotationsRequest, SentQuotation,
    VerdictType,
};
use norma_client::Client;

use super::caller::show;
use crate::args::GetFormat;

/// Citations or quotations of one request.
const AT_ONCE: usize = 100;

/// Says where citations lead: those of the command line, or the lines of standard input.
pub(super) async fn cite(
    client: &Client,
    mut citations: Vec<String>,
    (urn, at): (Option<String>, Option<String>),
    format: GetFormat,
) -> anyhow::Result<ExitCode> {
    if citations.is_empty() {
        let lines = standard_input()?;
        citations.extend(lines.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
    }
    if citations.is_empty() {
        bail!("expected a citation as an argument or on standard input, found none");
    }
    let mut answer = CitationsAnswer { items: Vec::new() };
    for some in citations.chunks(AT_ONCE) {
        let request = CitationsRequest { citations: some.to_vec(), urn: urn.clone(), at: at.clone() };
        answer.items.extend(client.resolve_citations(&request).await?.items);
    }
    show(Operation::ResolveCitations, &serde_json::to_value(&answer)?, format)?;
    let are_resolved = answer.items.iter().all(|item| item.outcome == CitationOutcome::Resolved);
    Ok(if are_resolved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Says whether quotations are true: those of the command line, or the whole of standard input. `source`
/// says where they are from.
pub(super) async fn verify(
    client: &Client,
    mut quotations: Vec<String>,
    (source, at): (SentQuotation, Option<String>),
    format: GetFormat,
) -> anyhow::Result<ExitCode> {
    if quotations.is_empty() {
        quotations.push(standard_input()?.trim().to_owned());
    }
    let mut answer = QuotationsAnswer { items: Vec::new() };
    for some in quotations.chunks(AT_ONCE) {
        let mut request = QuotationsRequest { at: at.clone(), ..QuotationsRequest::default() };
        for text in some {
            request.quotations.push(SentQuotation { text: text.clone(), ..source.clone() });
        }
        answer.items.extend(client.verify_quotations(&request).await?.items);
    }
    show(Operation::VerifyQuotations, &serde_json::to_value(&answer)?, format)?;
    let is_true = |verdict| matches!(verdict, VerdictType::Exact | VerdictType::Normalised);
    let are_true = answer.items.iter().all(|item| is_true(item.verdict));
    Ok(if are_true { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn standard_input() -> anyhow::Result<String> {
    read_to_string(std::io::stdin()).context("cannot read standard input")
}
