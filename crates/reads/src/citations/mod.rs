//! Citations: which edition and which places of it printed citations mean to a caller.

mod detail;
mod documents;
mod edition;
mod location;

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use norma_api::problem::Code;
use norma_api::shapes::{
    CitationCandidate, CitationOutcome, CitationsAnswer, CitationsRequest, CitedEdition, ResolvedCitation,
};
use norma_model::Identifier;
use norma_model::printed::{CitedLocation, PrintedCitation};

pub(crate) use self::documents::{CitedDocuments, read_citation, standard_of, unknown_edition};
pub(crate) use self::edition::EditionLocations;
use crate::Failure;
use crate::access::{Access, CitedEditionLookup, EditionOfCitation, audited};
use crate::as_of::AsOf;
use crate::edition::AuthorizedEdition;
use crate::limits::MAX_CITATIONS;
use crate::representation::Representation;

/// A citation of the request.
struct SentCitation {
    text: String,
    /// A document, perhaps with places; places alone where the request names their standard. Where it cannot
    /// be read, the reason.
    citation: Result<PrintedCitation, String>,
}

/// The citations of one edition, by their positions in the request.
struct CitationsOfEdition {
    found: EditionOfCitation,
    positions: Vec<usize>,
}

/// Where each citation in a body leads.
pub(crate) async fn citations(
    access: &mut Access<'_>,
    body: impl Future<Output = Result<Bytes, Failure>>,
) -> Result<Representation, Failure> {
    let request = CitationsRequest::parse(&body.await?, MAX_CITATIONS)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let standard = standard_of(request.urn.as_deref())?;
    let mut documents = CitedDocuments::new(AsOf::read(request.at.as_deref())?);
    let mut asked = Vec::with_capacity(request.citations.len());
    for text in request.citations {
        let citation = read_citation(&text, standard.is_some());
        asked.push(SentCitation { text, citation });
    }

    let mut items: Vec<Option<ResolvedCitation<'static>>> = Vec::new();
    items.resize_with(asked.len(), || None);
    let by_edition = by_edition(access, &asked, standard.as_ref(), &mut documents, &mut items).await?;
    let mut cited = Vec::new();
    for CitationsOfEdition { found, positions } in by_edition.into_values() {
        cited.push(audited(&found.edition));
        let locations = EditionLocations::read(access, &found, documents.as_of()).await?;
        let citations: Vec<(&str, &[CitedLocation])> = positions
            .iter()
            .map(|&position| (asked[position].text.as_str(), asked[position].locations()))
            .collect();
        let resolved = locations.resolve(access, &citations).await?;
        for (position, item) in positions.into_iter().zip(resolved) {
            items[position] = Some(item);
        }
    }
    access.note_cited(cited);

    let items = items.into_iter().flatten().collect();
    Representation::without_tag(&CitationsAnswer { items })
}

impl SentCitation {
    fn locations(&self) -> &[CitedLocation] {
        match &self.citation {
            Ok(citation) => &citation.locations,
            Err(_) => &[],
        }
    }
}

/// The citations of each edition, by its URN. Those that lead to no edition, or to several, have their items.
async fn by_edition(
    access: &mut Access<'_>,
    asked: &[SentCitation],
    standard: Option<&Identifier>,
    documents: &mut CitedDocuments,
    items: &mut [Option<ResolvedCitation<'static>>],
) -> Result<BTreeMap<String, CitationsOfEdition>, Failure> {
    let mut editions: BTreeMap<String, CitationsOfEdition> = BTreeMap::new();
    for (position, SentCitation { text, citation }) in asked.iter().enumerate() {
        let citation = match citation {
            Ok(citation) => citation,
            Err(reason) => {
                items[position] = Some(refused(text, CitationOutcome::Unreadable, reason));
                continue;
            }
        };
        let document = citation.document.as_ref();
        match &*documents.edition(access, document, standard).await? {
            CitedEditionLookup::One(found) => {
                let urn = found.edition.urn().to_owned();
                let of_edition = editions
                    .entry(urn)
                    .or_insert_with(|| CitationsOfEdition { found: found.clone(), positions: Vec::new() });
                of_edition.positions.push(position);
            }
            CitedEditionLookup::Several(editions) => items[position] = Some(ambiguous(text, editions)),
            CitedEditionLookup::Unknown => {
                let reason = unknown_edition(document, standard.is_some(), documents.as_of());
                items[position] = Some(refused(text, CitationOutcome::EditionUnknown, &reason));
            }
        }
    }
    Ok(editions)
}

fn refused(text: &str, outcome: CitationOutcome, reason: &str) -> ResolvedCitation<'static> {
    let mut item = ResolvedCitation::new(text.to_owned(), outcome);
    item.reason = Some(reason.to_owned().into());
    item
}

/// Why a citation is ambiguous.
pub(crate) const SEVERAL_EDITIONS: &str = "Several editions have this designation; cite one with its date.";

/// The item for a citation that may mean several editions.
fn ambiguous(text: &str, editions: &[Arc<AuthorizedEdition>]) -> ResolvedCitation<'static> {
    let mut item = refused(text, CitationOutcome::Ambiguous, SEVERAL_EDITIONS);
    for edition in editions {
        item.candidates.push(CitationCandidate { edition: cited_edition(edition), location: None });
    }
    item
}

/// An edition by name.
pub(crate) fn cited_edition(edition: &AuthorizedEdition) -> CitedEdition<'static> {
    let summary = edition.summary();
    CitedEdition {
        urn: summary.urn.into_owned().into(),
        reference: summary.reference.into_owned().into(),
        status: edition.status(),
    }
}
