//! Units of an edition that quotations are compared with, read from its pack.

use std::collections::{HashMap, HashSet};

use norma_api::shapes::{
    CitedPartType, Passage, ProvisionType, Quantity, SectionRef, Table, Term, VerifiedUnit,
};
use norma_editions::search::SectionText;
use norma_model::Lang;
use norma_model::printed::OutlinePart;
use norma_quotations::CandidateUnit;
use serde::Deserialize;

use crate::Failure;
use crate::citations::EditionLocations;
use crate::edition::{AmendedItem, AuthorizedEdition};
use crate::json::parsed;

/// Most bytes of a unit that is compared: a page of print has 3,000. The work of reading its words grows
/// with them.
const LONGEST_UNIT: usize = 100_000;
/// Provisions whose JSON is in memory at once.
const PROVISIONS_AT_ONCE: usize = 100;
/// Bytes of memory for each byte of a unit: its words, each as written and in one form.
const MEMORY_FOR_BYTE: u64 = 32;

/// A unit with what a quotation of it may have.
pub(super) struct ReadUnit {
    /// As the answer shows it.
    pub(super) shown: VerifiedUnit<'static>,
    labels: Vec<String>,
    language: Lang,
    is_running_text: bool,
    verbal_form: Option<norma_model::Passage>,
    quantities: Vec<norma_model::Quantity>,
    conditions: Vec<norma_model::Passage>,
    references: Vec<String>,
    position: Option<(usize, usize)>,
}

/// Units of one edition, by the parts that they are.
#[derive(Default)]
pub(super) struct UnitPool {
    pub(super) units: Vec<ReadUnit>,
    /// The part that each unit is.
    pub(super) parts: Vec<OutlinePart>,
    of_parts: HashMap<OutlinePart, usize>,
    /// Parts that are not compared.
    too_long: HashSet<OutlinePart>,
}

impl UnitPool {
    /// Reads parts of an edition, each with the language of its text where that is known. Those that are too
    /// long are left out.
    pub(super) async fn read(
        locations: &EditionLocations,
        parts: &HashMap<OutlinePart, Option<Lang>>,
    ) -> Result<Self, Failure> {
        let reader = UnitReader::new(locations, parts);
        let mut pool = Self::default();
        let mut ordinals = Vec::new();
        let mut terms = Vec::new();
        for part in reader.ordered() {
            match part {
                OutlinePart::Provision(ordinal) => ordinals.push(ordinal),
                OutlinePart::Term(index) => terms.push(index),
                OutlinePart::Section(index) => pool.add(part, reader.section(index).await?),
                OutlinePart::Table(index) => pool.add(part, reader.table(index).await?),
                OutlinePart::Figure(_) => {}
            }
        }
        for some in ordinals.chunks(PROVISIONS_AT_ONCE) {
            for (&ordinal, fragment) in some.iter().zip(locations.edition.fragments(some).await?) {
                pool.add(OutlinePart::Provision(ordinal), reader.provision(ordinal, &fragment)?);
            }
        }
        if !terms.is_empty() {
            let stored: StoredTerms = parsed(&locations.edition.terms().await?)?;
            for (index, term) in (0..).zip(stored.items) {
                if terms.binary_search(&index).is_ok() {
                    pool.add(OutlinePart::Term(index), reader.term(index, term));
                }
            }
        }
        locations.edition.reserve_more(pool.memory()).await?;
        Ok(pool)
    }

    fn add(&mut self, part: OutlinePart, unit: ReadUnit) {
        if unit.shown.text.len() > LONGEST_UNIT {
            self.too_long.insert(part);
        } else if !unit.shown.text.trim().is_empty() {
            self.of_parts.insert(part, self.units.len());
            self.parts.push(part);
            self.units.push(unit);
        }
    }

    /// Whether a part is too long to be compared.
    pub(super) fn is_too_long(&self, part: OutlinePart) -> bool {
        self.too_long.contains(&part)
    }

    /// The unit that a part is; `None` where it has no text, or is too long.
    pub(super) fn of(&self, part: OutlinePart) -> Option<usize> {
        self.of_parts.get(&part).copied()
    }

    fn memory(&self) -> u64 {
        let mut bytes = 0;
        for unit in &self.units {
            bytes += unit.shown.text.len() + unit.shown.lead_in.as_deref().map_or(0, str::len);
        }
        bytes as u64 * MEMORY_FOR_BYTE
    }
}

impl ReadUnit {
    /// The unit as quotations are compared with it.
    pub(super) fn candidate(&self) -> CandidateUnit<'_> {
        CandidateUnit {
            text: &self.shown.text,
            lead_in: self.shown.lead_in.as_deref(),
            labels: self.labels.iter().map(String::as_str).collect(),
            language: &self.language,
            is_running_text: self.is_running_text,
            verbal_form: self.verbal_form,
            quantities: &self.quantities,
            conditions: &self.conditions,
            references: self.references.iter().map(String::as_str).collect(),
            position: self.position,
        }
    }

    /// A text of sentences, of which a quotation needs only those that it names.
    fn of_text(shown: VerifiedUnit<'static>, labels: Vec<String>, language: Lang) -> Self {
        Self {
            shown,
            labels,
            language,
            is_running_text: true,
            verbal_form: None,
            quantities: Vec::new(),
            conditions: Vec::new(),
            references: Vec::new(),
            position: None,
        }
    }
}

/// An edition whose parts are read.
struct UnitReader<'a> {
    locations: &'a EditionLocations,
    edition: &'a AuthorizedEdition,
    parts: &'a HashMap<OutlinePart, Option<Lang>>,
    main_language: Lang,
}

impl<'a> UnitReader<'a> {
    fn new(locations: &'a EditionLocations, parts: &'a HashMap<OutlinePart, Option<Lang>>) -> Self {
        let edition = &*locations.edition;
        let languages = &edition.granted().entry().summary.languages;
        let main_language = languages.first().cloned().unwrap_or_else(Lang::undetermined);
        Self { locations, edition, parts, main_language }
    }

    /// The parts in the order of the edition, so that each segment of the pack is inflated once.
    fn ordered(&self) -> Vec<OutlinePart> {
        let mut ordered: Vec<OutlinePart> = self.parts.keys().copied().collect();
        ordered.sort_unstable();
        ordered
    }

    fn language(&self, part: OutlinePart) -> Lang {
        let of_index = self.parts.get(&part).cloned().flatten();
        of_index.unwrap_or_else(|| self.main_language.clone())
    }

    fn provision(&self, ordinal: u32, fragment: &[u8]) -> Result<ReadUnit, Failure> {
        let part = OutlinePart::Provision(ordinal);
        let stored: StoredProvision = parsed(fragment)?;
        let mut labels = Vec::new();
        labels.extend(stored.item_label);
        labels.extend(stored.identifier);
        labels.extend(stored.section.number.as_deref().map(str::to_owned));
        labels.extend(stored.section.title.as_deref().map(str::to_owned));
        let verbal_form = norma_compare::find(&stored.text, stored.lead_in.as_deref(), &stored.verbal_form);
        let in_outline = self.locations.outline().provisions.get(ordinal as usize);
        let mut shown = unit(CitedPartType::Provision, stored.id, stored.text);
        shown.label = Some(stored.label.into());
        shown.provision_type = Some(stored.kind);
        shown.section = Some(stored.section);
        shown.lead_in = stored.lead_in.map(Into::into);
        shown.amended_by = self.locations.amended.of(AmendedItem::Provision(ordinal));
        Ok(ReadUnit {
            is_running_text: false,
            verbal_form,
            quantities: stored.quantities.into_iter().filter_map(Quantity::into_model).collect(),
            conditions: stored.conditions.iter().map(Passage::to_model).collect(),
            references: stored.references.into_iter().map(|reference| reference.text).collect(),
            position: in_outline.map(|provision| (provision.section as usize, ordinal as usize)),
            ..ReadUnit::of_text(shown, labels, self.language(part))
        })
    }

    async fn section(&self, index: u32) -> Result<ReadUnit, Failure> {
        let part = OutlinePart::Section(index);
        let at = index as usize;
        let stored: SectionText = parsed(&self.edition.section(at).await?)?;
        let text = self.edition.own_text(&stored, at).await?;
        let mut labels = Vec::new();
        labels.extend(stored.label);
        labels.extend(stored.number.clone());
        labels.extend(stored.title.clone());
        let mut shown = unit(CitedPartType::Section, stored.id.clone(), text);
        shown.label = stored.number.clone().map(Into::into);
        let (number, title) = (stored.number.map(Into::into), stored.title.map(Into::into));
        shown.section = Some(SectionRef { id: stored.id.into(), number, title });
        shown.amended_by = self.locations.amended.of(AmendedItem::Section(at));
        Ok(ReadUnit::of_text(shown, labels, self.language(part)))
    }

    async fn table(&self, index: u32) -> Result<ReadUnit, Failure> {
        let part = OutlinePart::Table(index);
        let stored: Table<'static> = parsed(&self.edition.table(index as usize).await?)?;
        let text = lines_of(&stored);
        let labels = stored.label.iter().map(ToString::to_string).collect();
        let mut shown = unit(CitedPartType::Table, stored.id.into_owned(), text);
        shown.label = stored.number;
        shown.section = Some(stored.section);
        shown.amended_by = self.locations.amended.of(AmendedItem::Table(index as usize));
        Ok(ReadUnit::of_text(shown, labels, self.language(part)))
    }

    fn term(&self, index: u32, stored: Term<'static>) -> ReadUnit {
        let mut texts: Vec<&str> = Vec::new();
        texts.extend(stored.definitions.iter().map(|definition| &*definition.text));
        texts.extend(stored.notes.iter().chain(&stored.examples).map(|note| &*note.text));
        let text = texts.join("\n");
        let mut labels = Vec::new();
        labels.extend(stored.number.as_deref().map(str::to_owned));
        labels.extend(stored.designations.iter().map(|designation| designation.text.to_string()));
        let mut shown = unit(CitedPartType::Term, stored.id.into_owned(), text);
        shown.label = stored.number;
        shown.section = Some(stored.section);
        shown.amended_by = self.locations.amended.of(AmendedItem::Term(index as usize));
        ReadUnit::of_text(shown, labels, self.language(OutlinePart::Term(index)))
    }
}

fn unit(kind: CitedPartType, id: String, text: String) -> VerifiedUnit<'static> {
    VerifiedUnit {
        kind,
        id: id.into(),
        label: None,
        cite: None,
        provision_type: None,
        section: None,
        lead_in: None,
        text: text.into(),
        amended_by: Vec::new(),
    }
}

/// The text of a table: its caption, heads and rows, notes and footnotes, each on a line of its own.
fn lines_of(table: &Table<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(table.caption.as_deref().map(str::to_owned));
    let mut heads: Vec<String> = Vec::new();
    for column in &table.columns {
        heads.push(column.heads.join(" "));
    }
    lines.push(heads.join("\t"));
    for row in &table.rows {
        let cells: Vec<&str> = row.cells.iter().map(|cell| &*cell.text).collect();
        lines.push(cells.join("\t"));
    }
    lines.extend(table.annotations.iter().map(ToString::to_string));
    lines.extend(table.footnotes.iter().map(|footnote| footnote.text.to_string()));
    lines.retain(|line| !line.trim().is_empty());
    lines.join("\n")
}

/// The members of a stored provision that a quotation is compared with, or that the answer shows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredProvision {
    id: String,
    label: String,
    identifier: Option<String>,
    item_label: Option<String>,
    #[serde(rename = "type")]
    kind: ProvisionType,
    #[serde(default)]
    verbal_form: String,
    text: String,
    lead_in: Option<String>,
    section: SectionRef<'static>,
    references: Vec<StoredReference>,
    #[serde(default)]
    quantities: Vec<Quantity<'static>>,
    #[serde(default)]
    conditions: Vec<Passage<'static>>,
}

/// A reference in a stored provision, as it reads.
#[derive(Deserialize)]
struct StoredReference {
    text: String,
}

/// The terms of an edition.
#[derive(Deserialize)]
struct StoredTerms {
    items: Vec<Term<'static>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_line_for_each_row_and_each_note() {
        let table = r#"{"id": "t", "section": {"id": "s"}, "normative": true, "caption": "Sizes",
            "columns": [{"heads": ["Lid", "mm"]}, {"heads": ["Load"]}],
            "rows": [{"cells": [{"text": "4"}, {"text": "5 kN"}]}, {"cells": [{"text": ""}, {"text": ""}]}],
            "annotations": ["In mm."], "footnotes": [{"text": "Measured dry."}], "provisionIds": [],
            "citingProvisionIds": []}"#;
        let table: Table<'_> = serde_json::from_str(table).unwrap();
        assert_eq!(lines_of(&table), "Sizes\nLid mm\tLoad\n4\t5 kN\nIn mm.\nMeasured dry.");
    }
}
