//! Items of the answer: verdicts and units as callers see them.

use norma_api::shapes::{
    CitationOutcome, CriticalChangeType, CriticalOmissionType, QuotationChange, QuotationOmission,
    ResolvedCitation, UnverifiedCause, VerdictType, VerifiedQuotation, VerifiedUnit,
};
use norma_model::Outline;
use norma_model::printed::{FoundLocation, OutlinePart, PrintedCitation};
use norma_quotations::{CriticalChange, CriticalOmission, Omission, QuotationVerdict, WordChange};

use super::edition::FindingInEdition;
use super::units::UnitPool;
use crate::citations::EditionLocations;

/// An item that says why a quotation is not verified.
pub(super) fn unverified(cause: UnverifiedCause, reason: &str) -> VerifiedQuotation<'static> {
    let mut item = VerifiedQuotation::new(VerdictType::Unverified);
    refuse(&mut item, cause, reason);
    item
}

/// Makes an item one that says why its quotation is not verified. Nothing of the text is shown then.
pub(super) fn refuse(item: &mut VerifiedQuotation<'_>, cause: UnverifiedCause, reason: &str) {
    item.verdict = VerdictType::Unverified;
    item.unverified_cause = Some(cause);
    item.reason = Some(reason.to_owned().into());
    item.at_cited_location = None;
    item.units.clear();
    item.omissions.clear();
    item.changes.clear();
}

/// An item about an edition, with what an answer says of the edition itself.
pub(super) fn of_edition(locations: &EditionLocations, verdict: VerdictType) -> VerifiedQuotation<'static> {
    let ResolvedCitation { urn, reference, title, status, access, superseded_by, amended_by, latest, .. } =
        locations.head("", CitationOutcome::Resolved);
    let unknown = VerifiedQuotation::new(verdict);
    VerifiedQuotation { urn, reference, title, status, access, superseded_by, amended_by, latest, ..unknown }
}

/// The item for what was found in the edition that is cited.
pub(super) fn verified(locations: &EditionLocations, found: &FindingInEdition) -> VerifiedQuotation<'static> {
    let mut item = of_edition(locations, verdict_type(&found.finding.verdict));
    match &found.finding.verdict {
        QuotationVerdict::Partial { omissions, .. } => item.omissions = shown_omissions(omissions),
        QuotationVerdict::Altered { changes, omissions, .. } => {
            item.omissions = shown_omissions(omissions);
            item.changes = changes.iter().map(shown_change).collect();
        }
        QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. } | QuotationVerdict::Absent => {}
    }
    item.units = units(locations, found);
    item.reason = found.reason.clone().map(Into::into);
    if let Some(cited) = &found.cited
        && !found.finding.units.is_empty()
    {
        let is_cited = |unit: &usize| is_in(found.pool.parts[*unit], cited, locations.outline(), &found.pool);
        item.at_cited_location = Some(found.finding.units.iter().any(is_cited));
    }
    item
}

/// The units of a finding with their citations.
pub(super) fn units(locations: &EditionLocations, found: &FindingInEdition) -> Vec<VerifiedUnit<'static>> {
    let mut shown = Vec::with_capacity(found.finding.units.len());
    for &unit in &found.finding.units {
        let mut one = found.pool.units[unit].shown.clone();
        one.cite = citation_of(locations, found.pool.parts[unit], &one, &found.pool).map(Into::into);
        shown.push(one);
    }
    shown
}

fn verdict_type(verdict: &QuotationVerdict) -> VerdictType {
    match verdict {
        QuotationVerdict::Exact { .. } => VerdictType::Exact,
        QuotationVerdict::Normalised { .. } => VerdictType::Normalised,
        QuotationVerdict::Partial { .. } => VerdictType::Partial,
        QuotationVerdict::Altered { .. } => VerdictType::Altered,
        QuotationVerdict::Absent => VerdictType::Absent,
    }
}

fn shown_omissions(omissions: &[Omission]) -> Vec<QuotationOmission<'static>> {
    let mut shown = Vec::with_capacity(omissions.len());
    for Omission { text, critical } in omissions {
        let critical = critical.iter().map(|one| critical_omission(*one)).collect();
        shown.push(QuotationOmission { text: text.clone().into(), critical });
    }
    shown
}

fn critical_omission(critical: CriticalOmission) -> CriticalOmissionType {
    match critical {
        CriticalOmission::Negation => CriticalOmissionType::Negation,
        CriticalOmission::VerbalForm => CriticalOmissionType::VerbalForm,
        CriticalOmission::Condition => CriticalOmissionType::Condition,
        CriticalOmission::Exception => CriticalOmissionType::Exception,
        CriticalOmission::Limit => CriticalOmissionType::Limit,
        CriticalOmission::LeadIn => CriticalOmissionType::LeadIn,
    }
}

fn shown_change(change: &WordChange) -> QuotationChange<'static> {
    let critical = change.critical.map(|critical| match critical {
        CriticalChange::Negation => CriticalChangeType::Negation,
        CriticalChange::Verb => CriticalChangeType::Verb,
        CriticalChange::Number => CriticalChangeType::Number,
        CriticalChange::Unit => CriticalChangeType::Unit,
        CriticalChange::Comparator => CriticalChangeType::Comparator,
        CriticalChange::Reference => CriticalChangeType::Reference,
    });
    QuotationChange { quoted: change.quoted.clone().into(), actual: change.actual.clone().into(), critical }
}

/// Whether a unit is one of these parts, or in one of them.
fn is_in(unit: OutlinePart, parts: &[OutlinePart], outline: &Outline, pool: &UnitPool) -> bool {
    parts.contains(&unit) || parts.iter().any(|part| is_within(unit, *part, outline, pool))
}

fn is_within(unit: OutlinePart, part: OutlinePart, outline: &Outline, pool: &UnitPool) -> bool {
    match (unit, part) {
        (_, OutlinePart::Section(section)) => {
            let subtree = section..outline.sections[section as usize].end;
            section_of(unit, outline, pool).is_some_and(|own| subtree.contains(&own))
        }
        (OutlinePart::Provision(provision), OutlinePart::Table(table)) => {
            outline.provisions[provision as usize].table == Some(table)
        }
        _ => false,
    }
}

/// The section that a unit is in.
fn section_of(unit: OutlinePart, outline: &Outline, pool: &UnitPool) -> Option<u32> {
    match unit {
        OutlinePart::Section(section) => Some(section),
        OutlinePart::Provision(provision) => Some(outline.provisions[provision as usize].section),
        OutlinePart::Table(_) | OutlinePart::Term(_) | OutlinePart::Figure(_) => {
            let section = pool.units[pool.of(unit)?].shown.section.as_ref()?;
            match outline.part_with_id(&section.id)? {
                OutlinePart::Section(index) => Some(index),
                _ => None,
            }
        }
    }
}

/// A citation that leads to a unit: by its reference, or by the URN where that cannot be read. `None` where
/// neither leads there.
fn citation_of(
    locations: &EditionLocations,
    part: OutlinePart,
    unit: &VerifiedUnit<'_>,
    pool: &UnitPool,
) -> Option<String> {
    let label = unit.label.as_deref()?;
    let reference = locations.edition.summary().reference.into_owned();
    for document in [reference.as_str(), locations.edition.urn()] {
        for location in printed_forms(part, label) {
            let citation = format!("{document}, {location}");
            if leads_to(&citation, document, part, locations.outline(), pool) {
                return Some(citation);
            }
        }
    }
    None
}

/// How a part with a label may be cited.
fn printed_forms(part: OutlinePart, label: &str) -> Vec<String> {
    match part {
        OutlinePart::Table(_) => vec![format!("Table {label}")],
        OutlinePart::Section(_) => vec![label.to_owned(), format!("Annex {label}")],
        OutlinePart::Provision(_) | OutlinePart::Term(_) | OutlinePart::Figure(_) => vec![label.to_owned()],
    }
}

fn leads_to(citation: &str, document: &str, part: OutlinePart, outline: &Outline, pool: &UnitPool) -> bool {
    let (Ok(read), Ok(alone)) = (PrintedCitation::read(citation), PrintedCitation::read(document)) else {
        return false;
    };
    let [location] = read.locations.as_slice() else { return false };
    if read.document != alone.document || !alone.locations.is_empty() || !location.details.is_empty() {
        return false;
    }
    let FoundLocation::Parts(found) = outline.find_location(location) else { return false };
    match (part, found.as_slice()) {
        // The entry of a term is a section or is in one.
        (OutlinePart::Term(_), [OutlinePart::Section(_)]) => is_in(part, &found, outline, pool),
        (part, [only]) => *only == part,
        _ => false,
    }
}
