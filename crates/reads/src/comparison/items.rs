//! Items of a comparison, in the order and in the shapes of the contract.

use std::borrow::Cow;

use norma_api::shapes::{
    ComparedProvision, ComparisonCandidate, ComparisonCounts, ComparisonRelation, Difference, Edit, Facet,
    Facets, Origin, PartChangeType, PartCounts, ProvisionChange, SectionChange, Slice, TableChange,
};
use norma_compare::{
    ComparisonRecord, Confidence, Link, PartName, TextSpan, UnitName, UnitRelation, Unmatched,
};

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

    /// The link of an item with provisions of both editions.
    pub(super) fn link(self, record: &ComparisonRecord) -> Option<&Link<PartName>> {
        match self {
            Self::Link(index) => Some(&record.links[index as usize]),
            Self::New(_) | Self::Removed(_) => None,
        }
    }

    /// What happened to the provisions of the item, in the words of the contract.
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
    let mut items = Vec::new();
    for index in 0..record.links.len() {
        items.push(ItemIndex::Link(number(index)));
    }
    for index in 0..record.newer_unmatched.len() {
        items.push(ItemIndex::New(number(index)));
    }
    items.sort_by_key(|item| {
        let [older, newer] = item.units(record);
        (newer, older)
    });
    for index in 0..record.older_unmatched.len() {
        items.push(ItemIndex::Removed(number(index)));
    }
    items
}

/// An item in the shape of the contract, without texts.
pub(super) fn item_at(index: ItemIndex, record: &ComparisonRecord) -> ProvisionChange<'_> {
    match index {
        ItemIndex::Link(index) => linked(&record.links[index as usize], record),
        ItemIndex::New(index) => alone(&record.newer_unmatched[index as usize], record, PairSide::Newer),
        ItemIndex::Removed(index) => alone(&record.older_unmatched[index as usize], record, PairSide::Older),
    }
}

/// All items of a comparison, in the order of the contract.
pub fn whole(record: &ComparisonRecord) -> Vec<ProvisionChange<'_>> {
    let mut items = Vec::new();
    for index in item_indices(record) {
        items.push(item_at(index, record));
    }
    items
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
                Facet::Normative => &mut counts.changed.normative,
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

/// Sections and tables of the first page: all sections, and the tables of which something changed.
pub fn whole_parts(record: &ComparisonRecord) -> (Vec<SectionChange<'_>>, Vec<TableChange<'_>>) {
    let sections = record.outline.iter().map(section_change).collect();
    let mut tables = Vec::new();
    for table in &record.tables {
        if table.relation != norma_compare::PartRelation::Same {
            tables.push(table_change(table));
        }
    }
    (sections, tables)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// An item with this relation, and nothing more.
fn item(relation: ComparisonRelation) -> ProvisionChange<'static> {
    ProvisionChange {
        relation,
        older: None,
        newer: None,
        changed: Vec::new(),
        likelihood: None,
        origin: None,
        similarity: None,
        facets: None,
        difference: None,
        candidates: Vec::new(),
    }
}

/// The provision at this index among the units of an edition.
fn recorded(units: &[UnitName], index: usize) -> Option<ComparedProvision<'_>> {
    let UnitName { id, label, kind } = units.get(index)?;
    Some(ComparedProvision {
        id: (**id).into(),
        label: label.as_deref().map(Cow::Borrowed),
        kind: kind.map(Into::into),
        lead_in: None,
        text: None,
    })
}

fn linked<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> ProvisionChange<'a> {
    let mut shape = ProvisionChange {
        older: recorded(&record.older, link.older),
        newer: recorded(&record.newer, link.newer),
        changed: changed(&link.facets),
        likelihood: Some(likelihood(link.confidence)),
        facets: facets_of(link, record),
        ..item(relation(link.relation))
    };
    if link.origin == norma_compare::LinkOrigin::Authored {
        shape.origin = Some(Origin::Authored);
    }
    if link.relation != UnitRelation::Same {
        shape.similarity = Some(link.similarity);
    }
    // The parts of a split provision have no words to compare one by one.
    let is_pair = matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
    let has_edits = !link.lead_in.is_empty() || !link.text.is_empty();
    if is_pair && has_edits {
        let (lead_in_edits, text_edits) = (edits(&link.lead_in), edits(&link.text));
        shape.difference = Some(Difference { lead_in_edits, text_edits });
    }
    shape
}

fn alone<'a>(unmatched: &'a Unmatched, record: &'a ComparisonRecord, side: PairSide) -> ProvisionChange<'a> {
    match side {
        PairSide::Older => ProvisionChange {
            older: recorded(&record.older, unmatched.unit),
            candidates: candidates(unmatched, &record.newer),
            ..item(ComparisonRelation::Removed)
        },
        PairSide::Newer => ProvisionChange {
            newer: recorded(&record.newer, unmatched.unit),
            candidates: candidates(unmatched, &record.older),
            ..item(ComparisonRelation::New)
        },
    }
}

/// The likelihood of a link, in the words of the contract.
pub(crate) fn likelihood(confidence: Confidence) -> norma_api::shapes::Likelihood {
    match confidence {
        Confidence::Certain => norma_api::shapes::Likelihood::Certain,
        Confidence::High => norma_api::shapes::Likelihood::High,
        Confidence::Likely => norma_api::shapes::Likelihood::Likely,
    }
}

/// The facets of a link, where something changed.
pub(crate) fn facets_of<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> Option<Facets<'a>> {
    let facets = facets(&link.facets, record);
    if facets == Facets::default() { None } else { Some(facets) }
}

/// The units of the other edition that are similar to one without counterpart.
pub(crate) fn candidates<'a>(unmatched: &Unmatched, others: &'a [UnitName]) -> Vec<ComparisonCandidate<'a>> {
    let mut shapes = Vec::with_capacity(unmatched.candidates.len());
    for near in &unmatched.candidates {
        if let Some(unit) = others.get(near.unit) {
            shapes.push(candidate(unit, near.similarity));
        }
    }
    shapes
}

/// A unit that is similar to another.
pub(crate) fn candidate(unit: &UnitName, similarity: f32) -> ComparisonCandidate<'_> {
    let label = unit.label.as_deref().map(Cow::Borrowed);
    ComparisonCandidate { id: (*unit.id).into(), label, similarity }
}

fn edits(edits: &[norma_compare::Edit]) -> Vec<Edit> {
    edits.iter().map(|edit| Edit { older: slice(edit.older), newer: slice(edit.newer) }).collect()
}

fn slice(span: TextSpan) -> Slice {
    Slice { start: span.start, end: span.end }
}

#[cfg(test)]
mod tests {
    use super::super::example::compared;
    use super::*;

    #[test]
    fn counts_are_of_relations_and_of_kinds_of_change() {
        let counts = whole_counts(&compared().record);
        let of_relations = (counts.same, counts.reworded, counts.split, counts.new, counts.removed);
        assert_eq!(of_relations, (1, 1, 2, 1, 1));
        assert_eq!((counts.changed.normative, counts.changed.moved), (1, 0));
    }

    #[test]
    fn a_similarity_is_said_only_of_texts_that_differ_and_candidates_only_of_what_has_no_counterpart() {
        let compared = compared();
        let items = whole(&compared.record);
        let similar: Vec<bool> = items.iter().map(|item| item.similarity.is_some()).collect();
        assert_eq!(similar, [false, true, false, true, true, false]);
        let [_, _, new, _, _, removed] = &items[..] else { panic!("{items:?}") };
        assert_eq!((&*new.candidates[0].id, &*removed.candidates[0].id), ("removed", "new'"));
        assert!(new.older.is_none() && removed.newer.is_none());
    }
}
