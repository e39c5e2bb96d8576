//! A comparison as the API answers it: its operation `comparison` with `include=text`, to a caller that may
//! read both editions.

use std::collections::HashMap;
use std::sync::Arc;

use norma_api::shapes::{AccessLevel, ComparedEdition, ComparedProvision, ComparisonView};
use norma_compare::{ComparisonRecord, ComparisonUnit, NumberedPartKind, Units};
use norma_explorer::comparison::EditionOutline;
use norma_model::Lang;
use norma_reads::{whole, whole_counts, whole_parts};

use super::source::Source;

/// The answer, of the units that were compared.
pub(crate) fn view<'a>(
    editions: [&'a Source; 2],
    units: [&'a Units; 2],
    language: &'a Lang,
    record: &'a ComparisonRecord,
) -> ComparisonView<'a> {
    let mut items = whole(record);
    let [from, to] = units.map(by_id);
    for item in &mut items {
        item.older.iter_mut().for_each(|unit| add_text(unit, &from));
        item.newer.iter_mut().for_each(|unit| add_text(unit, &to));
    }
    let (section_changes, table_changes) = whole_parts(record);
    ComparisonView {
        older: edition(editions[0]),
        newer: edition(editions[1]),
        language: language.as_str().into(),
        matcher: record.version,
        counts: whole_counts(record),
        items,
        section_changes,
        table_changes,
        next: None,
    }
}

/// Where the units of an edition are.
pub(crate) fn outline(units: &Units) -> EditionOutline {
    let mut outline = EditionOutline::default();
    for section in &units.sections {
        let parent = section.parent.map(|parent| &*units.sections[parent].id);
        outline.add_section(&section.id, section.number.as_deref(), section.title.as_deref(), parent);
    }
    for unit in &units.units {
        outline.add_provision(&unit.id, &units.sections[unit.section].id);
    }
    for part in units.parts.iter().filter(|part| part.kind == NumberedPartKind::Table) {
        let section = part.section.map_or("", |section| &*units.sections[section].id);
        outline.add_table(&part.id, part.label.as_deref(), part.caption.as_deref(), section);
        if let Some(grid) = &part.grid {
            outline.add_grid(&part.id, Arc::clone(grid));
        }
    }
    outline
}

fn by_id(units: &Units) -> HashMap<&str, &ComparisonUnit> {
    units.units.iter().map(|unit| (&*unit.id, unit)).collect()
}

fn add_text<'a>(compared: &mut ComparedProvision<'a>, units: &HashMap<&str, &'a ComparisonUnit>) {
    if let Some(unit) = units.get(&*compared.id) {
        compared.text = Some((*unit.text).into());
        compared.lead_in = unit.lead_in.as_deref().map(Into::into);
    }
}

fn edition(source: &Source) -> ComparedEdition<'_> {
    ComparedEdition {
        urn: source.urn().as_str().into(),
        revision: source.revision.as_str().into(),
        reference: source.reference.as_str().into(),
        title: source.title.as_deref().unwrap_or_default().into(),
        access: AccessLevel::Read,
    }
}
