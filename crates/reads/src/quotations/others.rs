//! Other editions: those of the document that the caller may read, in which a quotation is looked for that
//! the cited one does not have.

use std::sync::Arc;

use norma_api::shapes::{EditionWithQuotation, UnverifiedCause, VerdictType};
use norma_editions::search::{QuotationCandidates, QuotationSearch};
use norma_model::Urn;

use super::asked::AskedLocation;
use super::candidates::QuotationIndex;
use super::comparison::rank;
use super::edition::{QuotationInEdition, findings};
use super::shown::{refuse, units};
use super::{Items, NOT_INDEXED, QuotationNotFound, TOO_MANY};
use crate::Failure;
use crate::access::{Access, EditionOfCitation};
use crate::as_of::AsOf;
use crate::citations::{EditionLocations, cited_edition};
use crate::edition::AuthorizedEdition;

/// Most other editions of a document in which a quotation is looked for, the newest ones.
const MOST_EDITIONS: usize = 20;

/// A quotation that is still looked for, with its units in all of the editions.
struct SoughtQuotation {
    position: usize,
    quotation: norma_quotations::Quotation,
    candidates: QuotationCandidates,
    is_found: bool,
}

/// Looks for quotations in the other editions of a document, the newest first, and returns those that have
/// one.
pub(super) async fn in_other_editions(
    access: &mut Access<'_>,
    index: &QuotationIndex,
    (edition, missing): (&AuthorizedEdition, Vec<QuotationNotFound>),
    as_of: &AsOf,
    items: &mut Items,
) -> Result<Vec<Arc<AuthorizedEdition>>, Failure> {
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let others = access.other_readable_editions(edition, as_of, MOST_EDITIONS).await?;
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let mut sought = sought(access, index, missing, &others).await?;
    let mut with_quotations = Vec::new();
    for (number, urn) in others.iter().enumerate() {
        if let Some(found) = in_edition(access, (number, urn), &mut sought, as_of, items).await? {
            with_quotations.push(found);
        }
    }
    for one in &sought {
        refuse_in_doubt(one, index, items);
    }
    Ok(with_quotations)
}

/// The quotations with their units in these editions.
async fn sought(
    access: &mut Access<'_>,
    index: &QuotationIndex,
    missing: Vec<QuotationNotFound>,
    editions: &[Urn],
) -> Result<Vec<SoughtQuotation>, Failure> {
    let editions: Vec<String> = editions.iter().map(ToString::to_string).collect();
    let mut searches = Vec::with_capacity(missing.len());
    for one in &missing {
        searches.push(QuotationSearch { texts: one.quotation.search_texts(), editions: editions.clone() });
    }
    let candidates = index.candidates(access, &searches).await?;
    let mut sought = Vec::with_capacity(missing.len());
    for (QuotationNotFound { position, quotation }, candidates) in missing.into_iter().zip(candidates) {
        sought.push(SoughtQuotation { position, quotation, candidates, is_found: false });
    }
    Ok(sought)
}

/// Looks for quotations in one of the editions, and returns it if it has one.
async fn in_edition(
    access: &mut Access<'_>,
    (number, urn): (usize, &Urn),
    sought: &mut [SoughtQuotation],
    as_of: &AsOf,
    items: &mut Items,
) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
    let mut asked: Vec<(&mut SoughtQuotation, QuotationCandidates)> = Vec::new();
    for one in sought {
        let mut units = one.candidates.units.clone();
        units.retain(|unit| unit.edition == number);
        if !one.is_found && !units.is_empty() {
            asked.push((one, QuotationCandidates { units, ..QuotationCandidates::default() }));
        }
    }
    let Some((_, first)) = asked.first() else { return Ok(None) };
    let Some(edition) = access.readable_revision(urn, &first.units[0].revision).await? else {
        // It changed since it was indexed.
        for (one, _) in asked {
            one.candidates.is_incomplete = true;
        }
        return Ok(None);
    };
    let slots = access.services().slots.clone();
    let found = EditionOfCitation { edition: Arc::clone(&edition), latest: None };
    let locations = EditionLocations::read(access, &found, as_of).await?;
    let mut in_edition = Vec::with_capacity(asked.len());
    for (one, candidates) in &asked {
        in_edition.push(QuotationInEdition {
            quotation: &one.quotation,
            location: &AskedLocation::Edition,
            candidates: candidates.clone(),
        });
    }
    let findings = findings(&slots, &locations, in_edition).await?;
    let mut has_quotation = false;
    for ((one, _), found) in asked.into_iter().zip(findings) {
        one.candidates.has_too_many |= found.has_too_many;
        if rank(&found.finding.verdict) > 0 {
            continue;
        }
        (one.is_found, has_quotation) = (true, true);
        if let Some(item) = &mut items[one.position] {
            item.verdict = VerdictType::OtherEdition;
            let edition = cited_edition(&edition);
            item.found_in = Some(EditionWithQuotation { edition, units: units(&locations, &found) });
        }
    }
    Ok(has_quotation.then_some(edition))
}

/// A quotation of which not all editions are known to be without it is not absent.
fn refuse_in_doubt(one: &SoughtQuotation, index: &QuotationIndex, items: &mut Items) {
    let Some(item) = &mut items[one.position] else { return };
    if one.is_found || item.verdict != VerdictType::Absent {
        return;
    }
    if one.candidates.is_incomplete {
        refuse(item, UnverifiedCause::NotIndexed, NOT_INDEXED);
        item.retry = index.is_on();
    } else if one.candidates.has_too_many {
        refuse(item, UnverifiedCause::TooManyMatches, TOO_MANY);
    }
}
