//! Draft of an item of the answer to a migration: what became of one id or label, before the provisions that
//! it leads to are read.

use norma_api::shapes::{MigrateItem, MigrationOutcome, MigrationSource};
use norma_compare::{Heading, Link, PartName, UnitRelation};

use super::pairs::PairComparisons;
use crate::comparison::{
    ComparedPair, candidate, candidates, changed, facets_of, likelihood, relation, section_change,
};
use crate::pair_side::PairSide;

/// An item of the answer, and the ordinals of its provisions in the edition.
pub(super) struct MigrationDraft<'a> {
    pub(super) item: MigrateItem<'a>,
    pub(super) ordinals: Vec<u32>,
}

/// A unit of one side of a comparison: that of the edition which ids come from.
#[derive(Clone, Copy)]
pub(super) struct MigratedUnit<'a> {
    pub(super) compared: &'a ComparedPair,
    pub(super) side: PairSide,
    /// Index of the unit among those of its side.
    pub(super) unit: usize,
}

impl<'a> MigratedUnit<'a> {
    /// The links of the unit: pairs with a counterpart, and links to parts where it was split or merged.
    fn links(self) -> (Vec<&'a Link<PartName>>, Vec<&'a Link<PartName>>) {
        let (mut pairs, mut parts) = (Vec::new(), Vec::new());
        for link in &self.compared.record.links {
            if end(link, self.side) != self.unit {
                continue;
            }
            if is_pair(link) {
                pairs.push(link);
            } else {
                parts.push(link);
            }
        }
        (pairs, parts)
    }

    /// The ordinal of the provision that a link leads to, in its whole edition.
    fn ordinal_at_other_end(self, link: &Link<PartName>) -> Option<u32> {
        let to = self.side.opposite();
        self.compared.ordinal(to, end(link, to))
    }

    /// The ordinal of the counterpart of the unit.
    fn counterpart(self) -> Option<u32> {
        for link in &self.compared.record.links {
            if end(link, self.side) == self.unit && is_pair(link) {
                return self.ordinal_at_other_end(link);
            }
        }
        None
    }
}

impl<'a> MigrationDraft<'a> {
    /// A draft with this outcome, and nothing more.
    pub(super) fn new(outcome: MigrationOutcome) -> Self {
        Self { item: MigrateItem::new("", outcome), ordinals: Vec::new() }
    }

    /// A draft for an id or label that names nothing, for this reason.
    pub(super) fn of_nothing(reason: Option<String>) -> Self {
        let mut draft = Self::new(MigrationOutcome::Unknown);
        draft.item.reason = reason.map(Into::into);
        draft
    }

    /// What became of a section, which the edition has or has not.
    pub(super) fn of_section(change: &'a norma_compare::SectionChange<Heading>, is_there: bool) -> Self {
        let outcome = if is_there { MigrationOutcome::Found } else { MigrationOutcome::Absent };
        let mut draft = Self::new(outcome);
        draft.item.section_change = Some(section_change(change));
        draft
    }

    /// Adds what the comparisons with the edition `urn` say about the provision with this ordinal in it.
    pub(super) fn compare(&mut self, urn: &'a str, ordinal: usize, pair: &'a PairComparisons) {
        let side = pair.other;
        if let Ok(ordinal) = u32::try_from(ordinal) {
            for compared in &pair.all {
                let compared = compared.pair();
                // Each language has a comparison of its own, with the units in that language.
                if let Ok(unit) = compared.ordinals[side.index()].binary_search(&ordinal) {
                    return self.compare_unit(urn, MigratedUnit { compared, side, unit }, pair.is_pending);
                }
            }
        }
        self.item.retry |= pair.is_pending;
    }

    /// Adds what the comparison of an earlier revision says about a unit of it. The comparison alone decides
    /// what the unit became: no lineage leads to another provision.
    pub(super) fn compare_revision(&mut self, urn: &'a str, of_revision: MigratedUnit<'a>) {
        let counterpart = of_revision.counterpart();
        self.ordinals.clear();
        self.ordinals.extend(counterpart);
        self.item.outcome = match counterpart {
            Some(_) => MigrationOutcome::Found,
            None => MigrationOutcome::Absent,
        };
        self.compare_unit(urn, of_revision, false);
    }

    /// Adds what a comparison says about a unit of the edition `urn`. `is_pending`: a better comparison will
    /// be made.
    fn compare_unit(&mut self, urn: &'a str, migrated: MigratedUnit<'a>, is_pending: bool) {
        let record = &migrated.compared.record;
        let source = &migrated.compared.units(migrated.side)[migrated.unit];
        self.item.source = Some(MigrationSource {
            urn: urn.into(),
            id: (*source.id).into(),
            label: source.label.as_deref().map(Into::into),
            revision: None,
            text: None,
            lead_in: None,
        });

        let (pairs, parts) = migrated.links();
        let main = pairs.iter().find(|pair| {
            let ordinal = migrated.ordinal_at_other_end(pair);
            ordinal.is_some_and(|ordinal| self.ordinals.contains(&ordinal))
        });
        // A split or merge comes first: its links lead to all provisions that the unit became.
        if let Some(link) = parts.first().or(main) {
            self.item.relation = Some(relation(link.relation));
            self.item.likelihood = Some(likelihood(link.confidence));
            self.item.outcome = MigrationOutcome::Found;
            for part in &parts {
                if let Some(ordinal) = migrated.ordinal_at_other_end(part)
                    && !self.ordinals.contains(&ordinal)
                {
                    self.ordinals.push(ordinal);
                }
            }
        }
        if let Some(pair) = main {
            self.item.changed = changed(&pair.facets);
            self.item.facets = facets_of(pair, record);
        }
        if self.item.outcome == MigrationOutcome::Absent {
            self.add_candidates(migrated, &pairs);
            self.item.retry |= is_pending;
        }
    }

    /// Adds the provisions that may continue a unit without counterpart.
    fn add_candidates(&mut self, migrated: MigratedUnit<'a>, pairs: &[&'a Link<PartName>]) {
        let record = &migrated.compared.record;
        let to = migrated.side.opposite();
        let others = migrated.compared.units(to);
        self.item.candidates.clear();
        // A pair of low confidence unites no lineages.
        for pair in pairs {
            if let Some(unit) = others.get(end(pair, to)) {
                self.item.candidates.push(candidate(unit, pair.similarity));
            }
        }
        let unmatched = match migrated.side {
            PairSide::Older => &record.older_unmatched,
            PairSide::Newer => &record.newer_unmatched,
        };
        if let Some(one) = unmatched.iter().find(|one| one.unit == migrated.unit) {
            self.item.candidates.extend(candidates(one, others));
        }
    }
}

/// The unit that a link has on a side.
fn end(link: &Link<PartName>, side: PairSide) -> usize {
    match side {
        PairSide::Older => link.older,
        PairSide::Newer => link.newer,
    }
}

/// True for a link between two provisions that are counterparts as a whole.
fn is_pair(link: &Link<PartName>) -> bool {
    match link.relation {
        UnitRelation::Same | UnitRelation::Reworded => true,
        UnitRelation::Split | UnitRelation::Merged => false,
    }
}

#[cfg(test)]
mod tests {
    use norma_api::shapes::{ComparisonRelation, Facet};

    use super::*;
    use crate::comparison::example::compared;

    /// The draft for a unit of a revision on this side.
    fn draft(compared: &ComparedPair, side: PairSide, unit: usize) -> MigrationDraft<'_> {
        let mut draft = MigrationDraft::new(MigrationOutcome::Unknown);
        draft.compare_revision("urn:x", MigratedUnit { compared, side, unit });
        draft
    }

    #[test]
    fn a_reworded_provision_is_found_with_what_changed() {
        let compared = compared();
        for (side, id, ordinal) in [(PairSide::Older, "reworded", 21), (PairSide::Newer, "reworded'", 11)] {
            let draft = draft(&compared, side, 1);
            assert_eq!((draft.item.outcome, &draft.ordinals[..]), (MigrationOutcome::Found, &[ordinal][..]));
            assert_eq!(draft.item.relation, Some(ComparisonRelation::Reworded));
            assert_eq!(draft.item.changed, [Facet::Normative]);
            assert_eq!(draft.item.source.unwrap().id, id);
        }
    }

    #[test]
    fn a_split_provision_leads_to_all_its_parts() {
        let compared = compared();
        let draft = draft(&compared, PairSide::Older, 3);
        assert_eq!((draft.item.outcome, &draft.ordinals[..]), (MigrationOutcome::Found, &[23, 24][..]));
        assert_eq!(draft.item.relation, Some(ComparisonRelation::Split));
        assert!(draft.item.changed.is_empty(), "changes are those of a pair");
    }

    #[test]
    fn a_provision_without_counterpart_is_absent_and_the_nearest_ones_are_named() {
        let compared = compared();
        for (side, near) in [(PairSide::Older, "new'"), (PairSide::Newer, "removed")] {
            let draft = draft(&compared, side, 2);
            assert_eq!((draft.item.outcome, draft.ordinals.len()), (MigrationOutcome::Absent, 0));
            let ids: Vec<&str> = draft.item.candidates.iter().map(|one| &*one.id).collect();
            assert_eq!(ids, [near]);
        }
    }
}
