//! A comparison as JSON: the answer of the API's operation `comparison` with `include=text`, to a caller who
//! may read both editions.

use std::collections::HashMap;

use norma_api::shapes::{AccessLevel, ComparedEdition, ComparedProvision, ComparisonView};
use norma_compare::{Record, Unit, Units};
use norma_handlers::{whole, whole_counts, whole_parts};
use norma_model::Lang;

use super::rows::Compared;
use super::source::Source;

/// The bytes of the answer, with a line end.
pub(crate) fn of(
    editions: [&Source; 2],
    language: &Lang,
    compared: &Compared<'_>,
) -> anyhow::Result<Vec<u8>> {
    let Compared { older, newer, comparison } = compared;
    let record = Record::new(older, newer, comparison);
    let mut items = whole(&record);
    let [from, to] = [older, newer].map(|units| by_id(units));
    for item in &mut items {
        item.older.iter_mut().for_each(|unit| add_text(unit, &from));
        item.newer.iter_mut().for_each(|unit| add_text(unit, &to));
    }
    let (section_changes, table_changes) = whole_parts(&record);
    let view = ComparisonView {
        older: edition(editions[0]),
        newer: edition(editions[1]),
        language: language.as_str().into(),
        matcher: record.version,
        counts: whole_counts(&record),
        items,
        section_changes,
        table_changes,
        next: None,
    };
    let mut json = serde_json::to_vec(&view)?;
    json.push(b'\n');
    Ok(json)
}

fn by_id(units: &Units) -> HashMap<&str, &Unit> {
    units.units.iter().map(|unit| (&*unit.id, unit)).collect()
}

fn add_text<'a>(compared: &mut ComparedProvision<'a>, units: &HashMap<&str, &'a Unit>) {
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
