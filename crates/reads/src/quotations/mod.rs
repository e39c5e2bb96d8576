//! Quotations: whether texts that are said to be in standards are there.
//!
//! A quotation is looked for in the edition that is cited, then in the other editions of the document that
//! the caller may read. One edition after the other is read, so that memory is reserved for one only.

mod asked;
mod candidates;
mod comparison;
mod edition;
mod others;
mod shown;
mod units;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::problem::Code;
use norma_api::shapes::{
    QuotationsAnswer, QuotationsRequest, UnverifiedCause, VerdictType, VerifiedQuotation,
};
use norma_audit::AuditedStandard;
use norma_editions::search::QuotationSearch;
use norma_model::Urn;
use norma_quotations::Quotation;
use norma_store::Level;

use self::asked::{AskedQuotation, QuotationSource, RefusedQuotation, read_all};
use self::candidates::QuotationIndex;
use self::comparison::rank;
use self::edition::{FindingInEdition, QuotationInEdition, findings};
use self::others::in_other_editions;
use self::shown::{of_edition, refuse, unverified, verified};
use crate::Failure;
use crate::access::{Access, CitedEditionLookup, EditionOfCitation, audited};
use crate::as_of::AsOf;
use crate::citations::{CitedDocuments, EditionLocations, SEVERAL_EDITIONS, cited_edition, unknown_edition};
use crate::edition::AuthorizedEdition;
use crate::limits::MAX_QUOTATIONS;
use crate::representation::Representation;

/// The quotations of one edition, with their positions in the request.
struct QuotationsOfEdition {
    found: EditionOfCitation,
    quotations: Vec<(usize, AskedQuotation)>,
}

/// A quotation that the cited edition does not have.
struct QuotationNotFound {
    /// In the request.
    position: usize,
    quotation: Quotation,
}

/// The items of an answer, by the positions of their quotations in the request.
type Items = [Option<VerifiedQuotation<'static>>];

/// Why a quotation of an edition that is only discovered is not verified.
const NOT_LICENSED: &str = "You may discover this edition, and not read it.";
/// Why a quotation is not verified without the index.
const NOT_INDEXED: &str = "The search index does not have the edition, or not yet.";
const SEARCH_OFF: &str = "The full-text search is off, and the cited place does not have the quotation.";
/// Why a quotation is not verified where the work would have no bound.
const TOO_MANY: &str =
    "The words are in too many texts of the edition, or in one that is too long to compare.";

/// Whether each quotation in a body is true.
pub(crate) async fn quotations(
    access: &mut Access<'_>,
    body: impl Future<Output = Result<Bytes, Failure>>,
) -> Result<Representation, Failure> {
    let request = QuotationsRequest::parse(&body.await?, MAX_QUOTATIONS)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let mut documents = CitedDocuments::new(AsOf::read(request.at.as_deref())?);
    let asked = read_all(&request)?;

    let mut items = Vec::new();
    items.resize_with(asked.len(), || None);
    let editions = by_edition(access, asked, &mut documents, &mut items).await?;
    let urns = editions.keys().filter_map(|urn| urn.parse::<Urn>().ok());
    let index = QuotationIndex::new(access, urns);
    let mut shown = Vec::new();
    let mut not_found = Vec::new();
    for of_edition in editions.into_values() {
        let edition = Arc::clone(&of_edition.found.edition);
        let positions: Vec<usize> = of_edition.quotations.iter().map(|(position, _)| *position).collect();
        let missing = in_cited_edition(access, &index, of_edition, documents.as_of(), &mut items).await?;
        let shows_text = positions.iter().any(|&position| shows_text(&items, position));
        shown.push(shown_edition(&edition, shows_text));
        not_found.push((edition, missing));
    }
    for (edition, missing) in not_found {
        let found =
            in_other_editions(access, &index, (&edition, missing), documents.as_of(), &mut items).await?;
        shown.extend(found.iter().map(|edition| shown_edition(edition, true)));
    }
    access.note_cited(each_once(shown));

    let items = items.into_iter().flatten().collect();
    Representation::without_tag(&QuotationsAnswer { items })
}

fn shows_text(items: &Items, position: usize) -> bool {
    items[position].as_ref().is_some_and(|item| !item.units.is_empty())
}

/// An edition for the audit. One whose text is not shown is not read.
fn shown_edition(edition: &AuthorizedEdition, shows_text: bool) -> AuditedStandard {
    let mut standard = audited(edition);
    standard.only_discovered |= !shows_text;
    standard
}

/// The editions of an answer, each once; one that is read for a quotation is read.
fn each_once(shown: Vec<AuditedStandard>) -> Vec<AuditedStandard> {
    let mut editions: BTreeMap<String, AuditedStandard> = BTreeMap::new();
    for one in shown {
        let known = editions.entry(one.urn.to_string()).or_insert_with(|| one.clone());
        known.only_discovered &= one.only_discovered;
    }
    editions.into_values().collect()
}

/// The quotations of each edition, by its URN. Those of no edition, or of several, have their items.
async fn by_edition(
    access: &mut Access<'_>,
    asked: Vec<Result<AskedQuotation, RefusedQuotation>>,
    documents: &mut CitedDocuments,
    items: &mut Items,
) -> Result<BTreeMap<String, QuotationsOfEdition>, Failure> {
    let mut editions: BTreeMap<String, QuotationsOfEdition> = BTreeMap::new();
    for (position, one) in asked.into_iter().enumerate() {
        let one = match one {
            Ok(one) => one,
            Err(RefusedQuotation { cause, reason }) => {
                items[position] = Some(unverified(cause, &reason));
                continue;
            }
        };
        let found = match &one.source {
            QuotationSource::Document(document) => documents.edition(access, Some(document), None).await?,
            QuotationSource::Standard(standard) => documents.edition(access, None, Some(standard)).await?,
            QuotationSource::Provision(id) => {
                let found = access.edition_of_provision(id, documents.as_of()).await?;
                Arc::new(found.map_or(CitedEditionLookup::Unknown, CitedEditionLookup::One))
            }
        };
        match &*found {
            CitedEditionLookup::One(found) => {
                let urn = found.edition.urn().to_owned();
                let of_edition = editions
                    .entry(urn)
                    .or_insert_with(|| QuotationsOfEdition { found: found.clone(), quotations: Vec::new() });
                of_edition.quotations.push((position, one));
            }
            CitedEditionLookup::Several(candidates) => {
                let mut item = unverified(UnverifiedCause::Ambiguous, SEVERAL_EDITIONS);
                item.candidates = candidates.iter().map(|candidate| cited_edition(candidate)).collect();
                items[position] = Some(item);
            }
            CitedEditionLookup::Unknown => {
                let reason = unknown_source(&one.source, documents.as_of());
                items[position] = Some(unverified(UnverifiedCause::EditionUnknown, &reason));
            }
        }
    }
    Ok(editions)
}

fn unknown_source(source: &QuotationSource, as_of: &AsOf) -> String {
    match source {
        QuotationSource::Document(document) => unknown_edition(Some(document), false, as_of),
        QuotationSource::Standard(_) => unknown_edition(None, true, as_of),
        QuotationSource::Provision(_) => {
            "There is no provision with the id in `id` that you may see.".to_owned()
        }
    }
}

/// Looks for quotations in the edition that is cited. The rest are those that it does not have.
async fn in_cited_edition(
    access: &mut Access<'_>,
    index: &QuotationIndex,
    QuotationsOfEdition { found, quotations }: QuotationsOfEdition,
    as_of: &AsOf,
    items: &mut Items,
) -> Result<Vec<QuotationNotFound>, Failure> {
    if found.edition.granted().level() < Level::Read {
        let locations = EditionLocations::read(access, &found, as_of).await?;
        for (position, _) in quotations {
            let mut item = of_edition(&locations, VerdictType::Unverified);
            refuse(&mut item, UnverifiedCause::NotLicensed, NOT_LICENSED);
            items[position] = Some(item);
        }
        return Ok(Vec::new());
    }
    let mut searches = Vec::with_capacity(quotations.len());
    for (_, one) in &quotations {
        let editions = vec![found.edition.urn().to_owned()];
        searches.push(QuotationSearch { texts: one.quotation.search_texts(), editions });
    }
    let candidates = index.candidates(access, &searches).await?;
    let slots = access.services().slots.clone();
    let locations = EditionLocations::read(access, &found, as_of).await?;
    let mut in_edition = Vec::with_capacity(quotations.len());
    for ((_, one), candidates) in quotations.iter().zip(candidates) {
        let (quotation, location) = (&one.quotation, &one.location);
        in_edition.push(QuotationInEdition { quotation, location, candidates });
    }
    let findings = findings(&slots, &locations, in_edition).await?;
    let mut not_found = Vec::new();
    for ((position, one), found) in quotations.into_iter().zip(findings) {
        let mut item = verified(&locations, &found);
        if rank(&found.finding.verdict) > 0 {
            match doubt(&found, index) {
                Some((cause, reason)) => {
                    refuse(&mut item, cause, reason);
                    item.retry = cause == UnverifiedCause::NotIndexed && index.is_on();
                }
                None => not_found.push(QuotationNotFound { position, quotation: one.quotation }),
            }
        }
        items[position] = Some(item);
    }
    Ok(not_found)
}

/// Why it is not known that an edition does not have a quotation.
fn doubt(found: &FindingInEdition, index: &QuotationIndex) -> Option<(UnverifiedCause, &'static str)> {
    if found.is_incomplete {
        let reason = if index.is_on() { NOT_INDEXED } else { SEARCH_OFF };
        return Some((UnverifiedCause::NotIndexed, reason));
    }
    found.has_too_many.then_some((UnverifiedCause::TooManyMatches, TOO_MANY))
}
