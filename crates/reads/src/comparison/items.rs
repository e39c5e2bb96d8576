//! Items of a comparison, in the order and in the shapes of the contract.

use std::borrow::Cow;

use norma_api::shapes::{
    ComparedProvision, ComparisonCandidate, ComparisonCounts, ComparisonRelation, Difference, Edit, Facet,
    Facets, Origin, PartChangeType, PartCounts, ProvisionChange, SectionChange, Slice, TableChange,
};
use norma_compare::{
    ComparisonRecord, Confidence, Link, PartName, TextSpan, UnitName, UnitRelation, Unmatched,
};
use norma_model::ProvisionKind;

use super::compared::{changed, facets, kind as part_kind, relation, section_change, table_change};
use crate::pair_side::PairSide;

/// The index of an item of a comparison in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemIndex {
    Link(u32),
    New(u32),
    Removed(u32),
}

impl ItemIndex {
    /// The units of the older and the newer edition.
    pub(super) fn units(self, record: &ComparisonRecord) -> [Option<usize>; 2] {
        match self {
            Self::Link(index) => {
                let link = &record.links[index as usize];
                [Some(link.older), Some(link.newer)]
            }
            Self::New(index) => [None, Some(record.newer_unmatched[index as usize].unit)],
            Self::Removed(index) => [Some(record.older_unmatched[index as usize].unit), None],
        }
    }

    /// The pair, if it is one.
    pub(super) fn link(self, record: &ComparisonRecord) -> Option<&Link<PartName>> {
        match self {
            Self::Link(index) => Some(&record.links[index as usize]),
            Self::New(_) | Self::Removed(_) => None,
        }
    }

    /// What happened to the provisions.
    pub(super) fn relation(self, record: &ComparisonRecord) -> ComparisonRelation {
        match self {
            Self::Link(index) => relation(record.links[index as usize].relation),
            Self::New(_) => ComparisonRelation::New,
            Self::Removed(_) => ComparisonRelation::Removed,
        }
    }
}

/// The items of a record: links and new provisions in the order of the newer edition, then removed ones in
/// the order of the older.
pub(super) fn item_indices(record: &ComparisonRecord) -> Vec<ItemIndex> {
    let mut ordered: Vec<(usize, Option<usize>, ItemIndex)> = (0..)
        .zip(&record.links)
        .map(|(n, link)| (link.newer, Some(link.older), ItemIndex::Link(n)))
        .collect();
    ordered.extend((0..).zip(&record.newer_unmatched).map(|(n, one)| (one.unit, None, ItemIndex::New(n))));
    ordered.sort_by_key(|(newer, older, _)| (*newer, *older));
    let removed = (0..).zip(&record.older_unmatched).map(|(n, _)| ItemIndex::Removed(n));
    ordered.into_iter().map(|(_, _, index)| index).chain(removed).collect()
}

/// The item in the shape of the contract.
pub(super) fn item_at(index: ItemIndex, record: &ComparisonRecord) -> ProvisionChange<'_> {
    match index {
        ItemIndex::Link(index) => linked(&record.links[index as usize], record),
        ItemIndex::New(index) => alone(&record.newer_unmatched[index as usize], record, PairSide::Newer),
        ItemIndex::Removed(index) => alone(&record.older_unmatched[index as usize], record, PairSide::Older),
    }
}

/// All items of a comparison, in the order of the contract.
pub fn whole(record: &ComparisonRecord) -> Vec<ProvisionChange<'_>> {
    item_indices(record).into_iter().map(|index| item_at(index, record)).collect()
}

/// Numbers of provisions for each relation, and of pairs for each kind of change.
pub fn whole_counts(record: &ComparisonRecord) -> ComparisonCounts {
    let mut counts = ComparisonCounts {
        new: number(record.newer_unmatched.len()),
        removed: number(record.older_unmatched.len()),
        ..ComparisonCounts::default()
    };
    for link in &record.links {
        *match link.relation {
            UnitRelation::Same => &mut counts.same,
            UnitRelation::Reworded => &mut counts.reworded,
            UnitRelation::Split => &mut counts.split,
            UnitRelation::Merged => &mut counts.merged,
        } += 1;
        for facet in changed(&link.facets) {
            *match facet {
                Facet::Strength => &mut counts.changed.strength,
                Facet::Negation => &mut counts.changed.negation,
                Facet::Quantity => &mut counts.changed.quantity,
                Facet::Bound => &mut counts.changed.bound,
                Facet::Condition => &mut counts.changed.condition,
                Facet::Subject => &mut counts.changed.subject,
                Facet::References => &mut counts.changed.references,
                Facet::Terms => &mut counts.changed.terms,
                Facet::DependsOn => &mut counts.changed.depends_on,
                Facet::Moved => &mut counts.changed.moved,
                Facet::Unrecognized => continue,
            } += 1;
        }
    }
    counts.sections = counted(record.outline.iter().map(|change| part_kind(change.relation)));
    counts.tables = counted(record.tables.iter().map(|change| part_kind(change.relation)));
    counts
}

/// Number of items for each relation.
fn counted(relations: impl Iterator<Item = PartChangeType>) -> PartCounts {
    let mut counts = PartCounts::default();
    for relation in relations {
        *match relation {
            PartChangeType::Same => &mut counts.same,
            PartChangeType::Changed => &mut counts.changed,
            PartChangeType::Moved => &mut counts.moved,
            PartChangeType::New => &mut counts.new,
            PartChangeType::Removed => &mut counts.removed,
            PartChangeType::Unrecognized => continue,
        } += 1;
    }
    counts
}

/// The tables of which something changed.
fn changed_tables(
    record: &ComparisonRecord,
) -> impl Iterator<Item = &norma_compare::TableChange<norma_compare::PartName>> {
    record.tables.iter().filter(|change| change.relation != norma_compare::PartRelation::Same)
}

/// Sections and tables of the first page, for a comparison that is not served.
pub fn whole_parts(record: &ComparisonRecord) -> (Vec<SectionChange<'_>>, Vec<TableChange<'_>>) {
    let sections = record.outline.iter().map(section_change).collect();
    (sections, changed_tables(record).map(table_change).collect())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn item<'a>(
    relation: ComparisonRelation,
    (older, newer): (Option<ComparedProvision<'a>>, Option<ComparedProvision<'a>>),
    changed: Vec<Facet>,
) -> ProvisionChange<'a> {
    ProvisionChange {
        relation,
        older,
        newer,
        changed,
        likelihood: None,
        origin: None,
        similarity: None,
        facets: None,
        difference: None,
        candidates: Vec::new(),
    }
}

fn unit<'a>(id: &'a str, label: &'a Option<Box<str>>, kind: Option<ProvisionKind>) -> ComparedProvision<'a> {
    let label = label.as_deref().map(Cow::Borrowed);
    ComparedProvision { id: id.into(), label, kind: kind.map(Into::into), lead_in: None, text: None }
}

fn recorded(units: &[UnitName], index: usize) -> Option<ComparedProvision<'_>> {
    units.get(index).map(|one| unit(&one.id, &one.label, one.kind))
}

fn linked<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> ProvisionChange<'a> {
    let sides = (recorded(&record.older, link.older), recorded(&record.newer, link.newer));
    let is_pair = matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
    ProvisionChange {
        likelihood: Some(likelihood(link.confidence)),
        origin: (link.origin == norma_compare::LinkOrigin::Authored).then_some(Origin::Authored),
        similarity: (link.relation != UnitRelation::Same).then_some(link.similarity),
        facets: facets_of(link, record),
        difference: (is_pair && !(link.lead_in.is_empty() && link.text.is_empty()))
            .then(|| Difference { lead_in_edits: edits(&link.lead_in), text_edits: edits(&link.text) }),
        ..item(relation(link.relation), sides, changed(&link.facets))
    }
}

fn alone<'a>(unmatched: &'a Unmatched, record: &'a ComparisonRecord, side: PairSide) -> ProvisionChange<'a> {
    let (relation, units, others) = match side {
        PairSide::Older => (ComparisonRelation::Removed, &record.older, &record.newer),
        PairSide::Newer => (ComparisonRelation::New, &record.newer, &record.older),
    };
    let own = recorded(units, unmatched.unit);
    let sides = match side {
        PairSide::Older => (own, None),
        PairSide::Newer => (None, own),
    };
    ProvisionChange { candidates: candidates(unmatched, others), ..item(relation, sides, Vec::new()) }
}

/// The likelihood in the words of the contract.
pub(crate) fn likelihood(confidence: Confidence) -> norma_api::shapes::Likelihood {
    match confidence {
        Confidence::Certain => norma_api::shapes::Likelihood::Certain,
        Confidence::High => norma_api::shapes::Likelihood::High,
        Confidence::Likely => norma_api::shapes::Likelihood::Likely,
    }
}

/// The facets of a link, where something changed.
pub(crate) fn facets_of<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> Option<Facets<'a>> {
    Some(facets(&link.facets, record)).filter(|facets| *facets != Facets::default())
}

/// The units of the other edition that are similar to one without counterpart.
pub(crate) fn candidates<'a>(unmatched: &Unmatched, others: &'a [UnitName]) -> Vec<ComparisonCandidate<'a>> {
    let near = unmatched.candidates.iter();
    near.filter_map(|near| Some(candidate(others.get(near.unit)?, near.similarity))).collect()
}

/// A unit that is similar to another.
pub(crate) fn candidate(unit: &UnitName, similarity: f32) -> ComparisonCandidate<'_> {
    let label = unit.label.as_deref().map(Cow::Borrowed);
    ComparisonCandidate { id: (*unit.id).into(), label, similarity }
}

fn edits(edits: &[norma_compare::Edit]) -> Vec<Edit> {
    let slice = |span: TextSpan| Slice { start: span.start, end: span.end };
    edits.iter().map(|edit| Edit { older: slice(edit.older), newer: slice(edit.newer) }).collect()
}
