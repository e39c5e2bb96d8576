//! Quotations of one edition: their places, units and findings.

use std::collections::HashMap;
use std::sync::Arc;

use norma_editions::search::QuotationCandidates;
use norma_model::Lang;
use norma_model::printed::OutlinePart;
use norma_quotations::Quotation;
use norma_search::UnitKind;

use super::asked::AskedLocation;
use super::comparison::{ComparedQuotation, QuotationFinding, compare_all};
use super::units::UnitPool;
use crate::Failure;
use crate::citations::EditionLocations;
use crate::sections::provisions_in;
use crate::slots::ClientSlots;

/// Most units of an edition that are in memory at once.
const MOST_UNITS: usize = 2_000;
/// Most units of a cited section: of a larger one those with words of the quotation are compared.
const MOST_CITED: usize = 50;

/// A quotation with where it is said to be in the edition.
pub(super) struct QuotationInEdition<'q> {
    pub(super) quotation: &'q Quotation,
    pub(super) location: &'q AskedLocation,
    pub(super) candidates: QuotationCandidates,
}

/// What is known of a quotation in the edition.
pub(super) struct FindingInEdition {
    pub(super) finding: QuotationFinding,
    /// The units that the finding names.
    pub(super) pool: Arc<UnitPool>,
    /// The parts that are cited; `None` where the quotation is of the edition as a whole.
    pub(super) cited: Option<Vec<OutlinePart>>,
    /// Why a citation names no part, as a sentence.
    pub(super) reason: Option<String>,
    /// Whether units that may have the quotation are too long, or too many.
    pub(super) has_too_many: bool,
    /// Whether the index may have more units of it.
    pub(super) is_incomplete: bool,
}

/// A quotation with the parts that it is compared with.
struct QuotationParts {
    quotation: Quotation,
    cited: Option<Vec<OutlinePart>>,
    reason: Option<String>,
    /// Parts at the place that is cited.
    at_location: Vec<OutlinePart>,
    others: Vec<OutlinePart>,
    has_too_many: bool,
    is_incomplete: bool,
}

/// The findings of quotations in an edition that the caller may read, in their order.
pub(super) async fn findings(
    slots: &ClientSlots,
    locations: &EditionLocations,
    quotations: Vec<QuotationInEdition<'_>>,
) -> Result<Vec<FindingInEdition>, Failure> {
    let mut findings = Vec::with_capacity(quotations.len());
    let mut batch: Vec<QuotationParts> = Vec::new();
    let mut parts: HashMap<OutlinePart, Option<Lang>> = HashMap::new();
    for one in quotations {
        let (of_quotation, languages) = parts_of(locations, one).await?;
        parts.extend(languages);
        batch.push(of_quotation);
        if parts.len() >= MOST_UNITS {
            findings.extend(of_batch(slots, locations, &parts, std::mem::take(&mut batch)).await?);
            parts.clear();
        }
    }
    findings.extend(of_batch(slots, locations, &parts, batch).await?);
    Ok(findings)
}

/// The parts that a quotation is compared with, each with the language of its text where that is known.
async fn parts_of(
    locations: &EditionLocations,
    one: QuotationInEdition<'_>,
) -> Result<(QuotationParts, HashMap<OutlinePart, Option<Lang>>), Failure> {
    let (cited, reason) = cited_parts(locations, one.location).await?;
    let mut languages: HashMap<OutlinePart, Option<Lang>> = HashMap::new();
    let mut at_location = Vec::new();
    for part in cited.iter().flatten() {
        for within in parts_within(locations, *part) {
            if !at_location.contains(&within) && at_location.len() < 2 * MOST_CITED {
                at_location.push(within);
                languages.insert(within, None);
            }
        }
    }
    let mut others = Vec::new();
    let mut is_incomplete = one.candidates.is_incomplete;
    for candidate in &one.candidates.units {
        // The index is of another revision than the one that is read.
        if candidate.revision != locations.edition.revision() {
            is_incomplete = true;
            continue;
        }
        let Some(part) = part_of(candidate.kind, candidate.index) else { continue };
        languages.insert(part, candidate.language.and_then(|code| code.parse().ok()));
        others.push(part);
    }
    let has_too_many = one.candidates.has_too_many;
    let quotation = one.quotation.clone();
    let parts = QuotationParts { quotation, cited, reason, at_location, others, has_too_many, is_incomplete };
    Ok((parts, languages))
}

/// The parts of the edition that are cited, and why there are none.
async fn cited_parts(
    locations: &EditionLocations,
    location: &AskedLocation,
) -> Result<(Option<Vec<OutlinePart>>, Option<String>), Failure> {
    match location {
        AskedLocation::Edition => Ok((None, None)),
        AskedLocation::Printed(printed) => {
            let found = locations.cited_parts(printed).await?;
            Ok((Some(found.parts), found.reason))
        }
        AskedLocation::Id(id) => match locations.outline().part_with_id(id) {
            Some(part) => Ok((Some(vec![part]), None)),
            None => Ok((Some(Vec::new()), Some(format!("The edition has no part with the id `{id}`.")))),
        },
    }
}

/// A part with the parts in it, unless those are many: then the section's own text alone.
fn parts_within(locations: &EditionLocations, part: OutlinePart) -> Vec<OutlinePart> {
    let OutlinePart::Section(section) = part else { return vec![part] };
    let outline = locations.outline();
    let subtree = section as usize..outline.sections[section as usize].end as usize;
    let provisions = provisions_in(outline, &subtree);
    if provisions.len() + subtree.len() > MOST_CITED {
        return vec![part];
    }
    let mut parts: Vec<OutlinePart> = provisions.map(OutlinePart::Provision).collect();
    parts.extend((section..outline.sections[section as usize].end).map(OutlinePart::Section));
    parts
}

/// A unit of the index as a part of the edition.
fn part_of(kind: UnitKind, index: u32) -> Option<OutlinePart> {
    match kind {
        UnitKind::Standard => None,
        UnitKind::Section => Some(OutlinePart::Section(index)),
        UnitKind::Provision => Some(OutlinePart::Provision(index)),
        UnitKind::Term => Some(OutlinePart::Term(index)),
        UnitKind::Table => Some(OutlinePart::Table(index)),
    }
}

/// Compares some quotations with the units that they need.
async fn of_batch(
    slots: &ClientSlots,
    locations: &EditionLocations,
    parts: &HashMap<OutlinePart, Option<Lang>>,
    batch: Vec<QuotationParts>,
) -> Result<Vec<FindingInEdition>, Failure> {
    if batch.is_empty() {
        return Ok(Vec::new());
    }
    let pool = Arc::new(UnitPool::read(locations, parts).await?);
    let mut compared = Vec::with_capacity(batch.len());
    for one in &batch {
        compared.push(ComparedQuotation {
            quotation: one.quotation.clone(),
            cited: one.at_location.iter().filter_map(|part| pool.of(*part)).collect(),
            candidates: one.others.iter().filter_map(|part| pool.of(*part)).collect(),
        });
    }
    let found = compare_all(slots, Arc::clone(&pool), compared).await;
    let mut findings = Vec::with_capacity(batch.len());
    for (one, finding) in batch.into_iter().zip(found) {
        let is_too_long = |part: &OutlinePart| pool.is_too_long(*part);
        let has_long = one.at_location.iter().any(is_too_long) || one.others.iter().any(is_too_long);
        findings.push(FindingInEdition {
            finding,
            pool: Arc::clone(&pool),
            cited: one.cited,
            reason: one.reason,
            has_too_many: one.has_too_many || has_long,
            is_incomplete: one.is_incomplete,
        });
    }
    Ok(findings)
}
