//! Places of citations in the latest edition of their document: what became of sections and provisions.

use std::collections::BTreeSet;

use norma_api::shapes::{
    ComparedProvision, ComparisonRelation, Facet, LocationChange, LocationInLatest, MigrateItem,
    MigrationOutcome, PartChangeType, SectionChange,
};
use norma_model::Outline;
use norma_model::lineage::Asked;

use super::pairs::comparisons;
use super::{
    ITEM, MigrationDraft, MigrationSources, NamedSection, followed, of_section, revisions, units_of,
};
use crate::Failure;
use crate::access::Access;
use crate::edition::AuthorizedEdition;
use crate::pair_side::PairSide;

/// A part of the edition that is cited, by its index in document order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LocationInEdition {
    Section(u32),
    Provision(u32),
}

/// What became of these parts of the edition `from`, which has this outline, in the latest edition. The
/// caller may read both.
pub(crate) async fn locations_in_latest(
    access: &mut Access<'_>,
    latest: &AuthorizedEdition,
    from: &AuthorizedEdition,
    outline: &Outline,
    locations: &[LocationInEdition],
) -> Result<Vec<LocationInLatest<'static>>, Failure> {
    latest.reserve_work_with(&[], (locations.len() as u64).saturating_mul(ITEM)).await?;
    let mut asked = Vec::new();
    for location in locations {
        if let LocationInEdition::Provision(ordinal) = location {
            asked.push(Asked::Provision(outline.provisions[*ordinal as usize].id));
        }
    }
    let fates = latest.fates(&asked, Some(from)).await?;
    let sources = MigrationSources {
        own: latest.urn(),
        from: Some(from.urn()),
        compared: comparisons(access, latest, BTreeSet::from([from.urn()])).await?,
        former: revisions::of_retired_ids(access, latest, &fates).await?,
        texts: false,
    };
    let pair = sources.compared.get(from.urn());
    let mut fates = fates.iter();
    let mut drafts = Vec::with_capacity(locations.len());
    for location in locations {
        drafts.push(match location {
            LocationInEdition::Provision(_) => match fates.next() {
                Some(Some(fate)) => followed(fate, &sources),
                Some(None) | None => MigrationDraft::of_nothing(None),
            },
            LocationInEdition::Section(section) => {
                let mut draft = of_section(&named_section(outline, *section), pair);
                draft.item.retry |= pair.is_some_and(|pair| pair.is_pending);
                draft
            }
        });
    }
    let units = units_of(latest, &drafts, false).await?;
    let is_latest_newer = pair.is_none_or(|pair| pair.other == PairSide::Older);
    let mut found = Vec::with_capacity(locations.len());
    for (location, draft) in locations.iter().zip(&drafts) {
        found.push(match location {
            LocationInEdition::Section(_) => section_in_latest(&draft.item, is_latest_newer),
            LocationInEdition::Provision(_) => {
                let unit = draft.ordinals.first().and_then(|ordinal| units.get(ordinal));
                provision_in_latest(&draft.item, unit)
            }
        });
    }
    Ok(found)
}

fn named_section(outline: &Outline, index: u32) -> NamedSection {
    let section = &outline.sections[index as usize];
    NamedSection {
        id: section.id.to_string(),
        number: section.number.as_deref().map(str::to_owned),
        provisions: 0,
    }
}

/// A place of which nothing is known.
fn unknown(retry: bool) -> LocationInLatest<'static> {
    LocationInLatest {
        change: LocationChange::Unknown,
        changed: Vec::new(),
        likelihood: None,
        id: None,
        label: None,
        retry,
    }
}

fn section_in_latest(item: &MigrateItem<'_>, is_latest_newer: bool) -> LocationInLatest<'static> {
    let mut location = unknown(item.retry);
    let Some(SectionChange { kind, older, newer, .. }) = &item.section_change else { return location };
    let (cited, latest) = match is_latest_newer {
        true => (older, newer),
        false => (newer, older),
    };
    let Some(latest) = latest else {
        // A section without title may be there under another number with other words.
        if cited.as_ref().is_some_and(|cited| cited.title.is_some()) {
            location.change = LocationChange::Gone;
        }
        return location;
    };
    let has_other_number = cited.as_ref().is_some_and(|cited| cited.number != latest.number);
    location.change = match kind {
        PartChangeType::Same if has_other_number => LocationChange::Moved,
        PartChangeType::Same => LocationChange::Same,
        PartChangeType::Moved => LocationChange::Moved,
        PartChangeType::Changed => LocationChange::Changed,
        PartChangeType::New | PartChangeType::Removed | PartChangeType::Unrecognized => {
            LocationChange::Unknown
        }
    };
    location.id = Some(latest.id.to_string().into());
    location.label = latest.number.as_ref().map(|number| number.to_string().into());
    location
}

fn provision_in_latest(
    item: &MigrateItem<'_>,
    unit: Option<&ComparedProvision<'static>>,
) -> LocationInLatest<'static> {
    let mut location = unknown(item.retry);
    match item.outcome {
        MigrationOutcome::Found => {}
        MigrationOutcome::Absent | MigrationOutcome::Gone => {
            location.change = LocationChange::Gone;
            return location;
        }
        MigrationOutcome::Unknown | MigrationOutcome::Unrecognized => return location,
    }
    let Some(unit) = unit else { return location };
    location.id = Some(unit.id.clone());
    location.label.clone_from(&unit.label);
    location.likelihood = item.likelihood;
    location.changed.clone_from(&item.changed);
    let cited_label = item.source.as_ref().and_then(|source| source.label.as_ref());
    let has_other_label = cited_label.is_some() && cited_label != unit.label.as_ref();
    let has_changed = item.changed.iter().any(|facet| *facet != Facet::Moved);
    location.change = match item.relation {
        Some(ComparisonRelation::Same) if !has_changed => {
            if has_other_label {
                LocationChange::Moved
            } else {
                LocationChange::Same
            }
        }
        Some(_) => LocationChange::Changed,
        // The two belong together, and have not been compared yet.
        None => LocationChange::Unknown,
    };
    location
}
