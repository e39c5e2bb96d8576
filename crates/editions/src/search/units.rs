//! From the pack of an edition to the units that the search index has of it.

use std::borrow::Cow;
use std::collections::HashSet;

use norma_api::shapes::Slice;
use norma_compare::{ComparisonUnit, NumberedPart, NumberedPartKind, Units};
use norma_model::table::{Column, Grid};
use norma_model::{Lang, PartialUrn, Term, Urn};
use norma_render::PackPart;
use norma_search::{IndexedUnit, LanguageText, UnitKind, WordsAround};
use norma_store::{EditionHandle, Entry, StoreError, Summary};
use serde::Deserialize;

use super::surroundings::UnitSurroundings;
use crate::pack;

/// The texts of an edition, as they are indexed.
pub(super) struct IndexedText {
    summary: Summary,
    /// The reference without its date.
    undated: Option<String>,
    units: Units,
    /// In the order of the units' sections, each with the text that is in no other unit.
    sections: Vec<SectionText>,
    /// For each provision, true if it is normative.
    normative: Vec<bool>,
    /// For each provision, the id of the table that it is in.
    tables: Vec<Option<Box<str>>>,
}

/// The provisions of an edition, as the pack has them.
#[derive(Deserialize)]
struct StoredProvisions {
    items: Vec<AnchoredProvision>,
}

/// A provision in the text of its section, as the pack has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnchoredProvision {
    normative: bool,
    anchor: Slice,
    lead_in: Option<String>,
    table_id: Option<Box<str>>,
}

/// The content of an edition, as the pack has it.
#[derive(Deserialize)]
struct StoredContent {
    sections: Vec<SectionText>,
}

/// A section, as the pack has it.
#[derive(Default, Deserialize)]
pub struct SectionText {
    /// Id of the section in its edition.
    pub id: String,
    /// Label as printed: `Annex A`.
    pub label: Option<String>,
    /// Number of the section, without the word before it: `A` of `Annex A`.
    pub number: Option<String>,
    /// Title of the section, if it has one.
    pub title: Option<String>,
    /// Plain text of the section, without that of the sections within it.
    pub text: String,
}

impl SectionText {
    /// The text without label and title at its start, without these provisions and the sentences that lead
    /// into them, and without lines that have `others` only.
    pub fn without(&self, mut provisions: Vec<AnchoredProvision>, others: &HashSet<Cow<'_, str>>) -> String {
        provisions.sort_unstable_by_key(|provision| provision.anchor.start);
        let (mut left, mut at, mut scalars) = (String::new(), 0, self.text.chars());
        for Slice { start, end } in provisions.iter().map(|provision| &provision.anchor) {
            left.extend(scalars.by_ref().take(start.saturating_sub(at)));
            left.push('\n');
            at = at.max(*start);
            at += scalars.by_ref().take(end.saturating_sub(at)).count();
        }
        left.push_str(scalars.as_str());
        let lead_ins: HashSet<&str> = provisions.iter().filter_map(|one| one.lead_in.as_deref()).collect();
        let mut own_lines = Vec::new();
        for line in left.lines() {
            let mut cells = line.split('\t').map(str::trim);
            let is_other =
                cells.all(|cell| cell.is_empty() || others.contains(cell) || lead_ins.contains(cell));
            if !is_other {
                own_lines.push(line);
            }
        }
        let left = own_lines.join("\n");
        let mut own = left.as_str();
        for start in [&self.label, &self.title].into_iter().flatten() {
            // The label `4` does not begin `42 anchors`.
            if let Some(after) = own.strip_prefix(start)
                && after.starts_with(char::is_whitespace)
            {
                own = after.trim_start();
            }
        }
        own.to_owned()
    }
}

impl IndexedText {
    /// The texts of an edition from its pack; `None` when another version of Norma wrote the pack.
    ///
    /// # Errors
    /// Those of the store, and [`StoreError::Corrupt`] for a damaged pack.
    pub(super) async fn of(edition: &EditionHandle) -> Result<Option<Self>, StoreError> {
        let Some(units) = pack::units(edition).await? else { return Ok(None) };
        let Some(provisions) = pack::part(edition, PackPart::Provisions).await? else { return Ok(None) };
        let Ok(StoredProvisions { items }) = serde_json::from_slice(&provisions) else { return Ok(None) };
        let Some(content) = pack::part(edition, PackPart::Content).await? else { return Ok(None) };
        let Ok(StoredContent { mut sections }) = serde_json::from_slice(&content) else { return Ok(None) };
        // It may be twice the size of the document.
        drop((provisions, content));
        if (sections.len(), items.len()) != (units.sections.len(), units.units.len()) {
            return Ok(None);
        }
        let normative = items.iter().map(|item| item.normative).collect();
        let tables = items.iter().map(|item| item.table_id.clone()).collect();
        let mut provisions: Vec<Vec<AnchoredProvision>> = sections.iter().map(|_| Vec::new()).collect();
        for (item, unit) in items.into_iter().zip(&units.units) {
            provisions[unit.section].push(item);
        }
        let others = texts_of_other_units(&units);
        for (section, provisions) in sections.iter_mut().zip(provisions) {
            section.text = section.without(provisions, &others);
        }
        Ok(Some(Self { units, sections, normative, tables, ..Self::title_of(edition.entry()) }))
    }

    /// The title of an edition, for an index of it without its texts.
    pub(super) fn title_of(entry: &Entry) -> Self {
        let summary = entry.summary.clone();
        let undated = PartialUrn::from_reference(&summary.reference).map(|citation| citation.undated);
        Self::without_texts(summary, undated)
    }

    /// The title of the edition, without its texts.
    pub(super) fn into_title(self) -> Self {
        Self::without_texts(self.summary, self.undated)
    }

    fn without_texts(summary: Summary, undated: Option<String>) -> Self {
        let (sections, normative, tables) = Default::default();
        Self { summary, undated, units: Units::default(), sections, normative, tables }
    }

    /// The URN of the edition.
    pub(super) fn urn(&self) -> &Urn {
        &self.summary.urn
    }

    /// The designation of the edition.
    pub(super) fn reference(&self) -> &str {
        &self.summary.reference
    }

    /// The units: the standard, then each section with its provisions and tables, then the terms. Of the keys
    /// of a unit its id is the first; labels follow.
    pub(super) fn units(&self) -> Vec<IndexedUnit<'_>> {
        let surroundings = UnitSurroundings::new(&self.summary.title, &self.units, &self.main_language());
        let mut of_sections = Vec::with_capacity(self.units.sections.len());
        for (index, section) in self.units.sections.iter().enumerate() {
            let mut unit = self.section(index);
            unit.context = surroundings.of(section.parent, &unit, None);
            of_sections.push(vec![unit]);
        }
        for (index, provision) in self.units.units.iter().enumerate() {
            let mut unit = self.provision(index, provision);
            let table = self.tables.get(index).and_then(Option::as_deref);
            unit.context = surroundings.of(Some(provision.section), &unit, table);
            of_sections[provision.section].push(unit);
        }
        let mut outside = Vec::new();
        let tables = self.units.parts.iter().filter(|part| part.kind == NumberedPartKind::Table);
        for (index, table) in tables.enumerate() {
            let mut unit = self.table(index, table);
            unit.context = surroundings.of(table.section, &unit, None);
            match table.section {
                Some(section) => of_sections[section].push(unit),
                None => outside.push(unit),
            }
        }
        let mut units = vec![self.standard()];
        for of_section in of_sections {
            units.extend(of_section);
        }
        units.extend(outside);
        for (index, term) in self.units.terms.iter().enumerate() {
            let mut unit = self.term(index, term);
            unit.context = surroundings.of(Some(term.section), &unit, None);
            units.push(unit);
        }
        units
    }

    fn standard(&self) -> IndexedUnit<'_> {
        let summary = &self.summary;
        let mut keys = vec![summary.urn.as_str(), summary.reference.as_str(), summary.urn.document_urn()];
        keys.extend(self.undated.as_deref());
        let language = summary.languages.first().cloned().unwrap_or_else(Lang::en);
        let text = |text| vec![LanguageText::new(text, &language)];
        unit(UnitKind::Standard, 0, keys, text(summary.title.as_str()), text(&summary.reference))
    }

    fn section(&self, index: usize) -> IndexedUnit<'_> {
        let SectionText { id, label, number, title, text } = &self.sections[index];
        let mut keys = vec![id.as_str()];
        keys.extend(number.as_deref());
        keys.extend(label.as_deref());
        // A number is often the label.
        keys.dedup();
        let language = self.language_of(index);
        let text_of = |text| vec![LanguageText::new(text, &language)];
        unit(UnitKind::Section, index, keys, text_of(title.as_deref().unwrap_or_default()), text_of(text))
    }

    fn provision<'t>(&self, index: usize, provision: &'t ComparisonUnit) -> IndexedUnit<'t> {
        let mut keys = vec![&*provision.id];
        keys.extend(provision.label.as_deref());
        let text: Cow<'t, str> = match &provision.lead_in {
            Some(lead_in) => format!("{lead_in} {}", provision.text).into(),
            None => (&*provision.text).into(),
        };
        let text = vec![LanguageText::new(text, &self.language_of(provision.section))];
        IndexedUnit {
            provision: provision.kind,
            normative: self.normative.get(index).copied(),
            ..unit(UnitKind::Provision, index, keys, Vec::new(), text)
        }
    }

    fn table<'t>(&self, index: usize, table: &'t NumberedPart) -> IndexedUnit<'t> {
        let mut keys = vec![&*table.id];
        keys.extend(table.label.as_deref());
        let language = match table.section {
            Some(section) => self.language_of(section),
            None => self.main_language(),
        };
        let title = vec![LanguageText::new(table.caption.as_deref().unwrap_or_default(), &language)];
        let text = match &table.grid {
            Some(grid) => grid_texts(grid).join(" ; "),
            None => String::new(),
        };
        let text = vec![LanguageText::new(text, &language)];
        unit(UnitKind::Table, index, keys, title, text)
    }

    /// A term. Each of its designations finds it as typed.
    fn term<'t>(&self, index: usize, term: &'t Term) -> IndexedUnit<'t> {
        let mut keys = vec![term.id.as_str()];
        let mut designations = Vec::with_capacity(term.designations.len());
        for designation in term.designations_preferred_first() {
            keys.push(&designation.text);
            designations.push(LanguageText::new(designation.text.as_str(), &designation.language));
        }
        let mut definitions = Vec::with_capacity(term.definitions.len());
        for definition in &term.definitions {
            definitions.push(LanguageText::new(definition.text.as_str(), &definition.language));
        }
        let title = LanguageText::joined(designations);
        unit(UnitKind::Term, index, keys, title, LanguageText::joined(definitions))
    }

    fn language_of(&self, section: usize) -> Lang {
        match &self.units.sections[section].language {
            Some(language) => language.clone(),
            None => self.main_language(),
        }
    }

    fn main_language(&self) -> Lang {
        let first = self.units.languages.first().or(self.summary.languages.first());
        first.cloned().unwrap_or_else(Lang::en)
    }
}

fn unit<'t>(
    kind: UnitKind,
    index: usize,
    keys: Vec<&'t str>,
    title: Vec<LanguageText<'t>>,
    text: Vec<LanguageText<'t>>,
) -> IndexedUnit<'t> {
    let (index, context) = (index as u32, WordsAround::default());
    IndexedUnit { kind, index, provision: None, normative: None, keys, title, text, context }
}

#[cfg(test)]
impl IndexedText {
    /// A text whose units cannot be made: making them panics.
    pub(super) fn flawed() -> Self {
        let mut text = tests::text();
        text.sections.clear();
        text
    }
}

/// Heads, cells, notes and footnotes of a table, without empty ones.
fn grid_texts(grid: &Grid) -> Vec<Cow<'_, str>> {
    let mut texts: Vec<Cow<'_, str>> = grid.columns.iter().map(Column::head).collect();
    for cell in grid.rows.iter().flatten() {
        texts.push(Cow::Borrowed(&cell.text));
    }
    for note in &grid.notes {
        texts.push(Cow::Borrowed(note));
    }
    for footnote in &grid.footnotes {
        texts.push(Cow::Borrowed(&footnote.text));
    }
    texts.retain(|text| !text.is_empty());
    texts
}

/// Texts of tables and terms.
fn texts_of_other_units(units: &Units) -> HashSet<Cow<'_, str>> {
    let mut texts = HashSet::new();
    for part in &units.parts {
        if let Some(grid) = &part.grid {
            texts.extend(grid_texts(grid));
        }
    }
    for term in &units.terms {
        for designation in &term.designations {
            texts.insert(Cow::Borrowed(designation.text.as_str()));
        }
        for definition in &term.definitions {
            texts.insert(Cow::Borrowed(definition.text.as_str()));
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use norma_compare::{ComparisonSection, UnitsParts};
    use norma_model::table::Cell;
    use norma_model::{Definition, Designation, DesignationStatus, ProvisionKind, StandardType, TermId};

    use super::*;

    pub(super) fn text() -> IndexedText {
        let section = |id: &str, number: &str, title: &str| ComparisonSection {
            id: id.into(),
            number: Some(number.into()),
            title: Some(title.into()),
            language: Some(Lang::en()),
            ..ComparisonSection::default()
        };
        let provision = |id: &str, section, lead_in: Option<&str>, text: &str| ComparisonUnit {
            id: id.into(),
            label: Some(format!("{section}(1)").into()),
            text: text.into(),
            lead_in: lead_in.map(Into::into),
            section,
            kind: Some(ProvisionKind::Requirement),
            ..ComparisonUnit::default()
        };
        let cell = |text: &str| Cell { text: text.into(), ..Cell::default() };
        let table = NumberedPart {
            kind: NumberedPartKind::Table,
            id: "tab_1".into(),
            label: Some("Table 1".into()),
            caption: Some("Depths".into()),
            section: Some(0),
            digest: None,
            grid: Some(Arc::new(Grid {
                columns: vec![Column { heads: vec!["Soil".into()], ..Column::default() }],
                rows: vec![vec![cell("sand"), cell("")]],
                notes: vec!["Dry soil.".into()],
                ..Grid::default()
            })),
        };
        let designation = |text: &str, status| Designation {
            text: text.into(),
            status,
            kind: None,
            part_of_speech: None,
            language: Lang::en(),
        };
        let definition =
            Definition { language: Lang::en(), text: "device in soil".into(), xml: String::new() };
        let parts = UnitsParts {
            languages: vec![Lang::en()],
            sections: vec![section("sec_4", "4", "Anchors"), section("sec_5", "5", "Marking")],
            parts: vec![table],
            terms: vec![Term {
                id: TermId::new("term_3.1"),
                number: None,
                designations: vec![
                    designation("tie", DesignationStatus::Admitted),
                    designation("anchor", DesignationStatus::Preferred),
                ],
                definitions: vec![definition],
                domains: Vec::new(),
                notes: Vec::new(),
                examples: Vec::new(),
                sources: Vec::new(),
                section: 0,
            }],
            units: vec![
                provision("prv_1", 0, Some("Anchors shall"), "hold"),
                provision("prv_2", 1, None, "Anchors shall be marked."),
            ],
            ..UnitsParts::default()
        };
        let stored = |id: &str, number: &str, label: &str, title: &str, text: &str| SectionText {
            id: id.to_owned(),
            label: Some(label.to_owned()),
            number: Some(number.to_owned()),
            title: Some(title.to_owned()),
            text: text.to_owned(),
        };
        IndexedText {
            summary: Summary {
                urn: "urn:nsb:std:nsb:4210:ed-2:en".parse().unwrap(),
                reference: "NSB 4210:2024".to_owned(),
                title: "Ground anchors".to_owned(),
                publisher: "NSB".to_owned(),
                number: "4210".to_owned(),
                part: None,
                supplement: None,
                languages: vec![Lang::en()],
                kind: StandardType::Is,
                published_on: None,
                ics: Vec::new(),
            },
            undated: Some("NSB 4210".to_owned()),
            sections: vec![
                stored("sec_4", "4", "4", "Anchors", ""),
                stored("sec_5", "5", "Annex A", "Marking", "Plates rust."),
            ],
            units: Units::new(parts).unwrap(),
            normative: vec![true, false],
            tables: vec![None, None],
        }
    }

    #[test]
    fn units_come_in_document_order_with_their_texts() {
        let text = text();
        let units = text.units();
        let joined = |parts: &[LanguageText<'_>]| parts.iter().map(|part| &*part.text).collect::<String>();
        let found: Vec<(UnitKind, u32, String, String)> = units
            .iter()
            .map(|unit| (unit.kind, unit.index, joined(&unit.title), joined(&unit.text)))
            .collect();
        let expected = [
            (UnitKind::Standard, 0, "Ground anchors", "NSB 4210:2024"),
            (UnitKind::Section, 0, "Anchors", ""),
            (UnitKind::Provision, 0, "", "Anchors shall hold"),
            (UnitKind::Table, 0, "Depths", "Soil ; sand ; Dry soil."),
            (UnitKind::Section, 1, "Marking", "Plates rust."),
            (UnitKind::Provision, 1, "", "Anchors shall be marked."),
            (UnitKind::Term, 0, "anchor; tie", "device in soil"),
        ];
        let expected =
            expected.map(|(kind, index, title, text)| (kind, index, title.to_owned(), text.to_owned()));
        assert_eq!(found, expected);
        assert_eq!(units[5].normative, Some(false));
        assert_eq!(units[1].keys, ["sec_4", "4"]);
        assert_eq!(units[4].keys, ["sec_5", "5", "Annex A"]);
        assert_eq!(units[6].keys, ["term_3.1", "anchor", "tie"]);
        assert!(units[0].keys.contains(&"NSB 4210") && units[0].keys.contains(&"urn:nsb:std:nsb:4210"));
    }

    #[test]
    fn a_section_has_what_is_in_no_other_unit() {
        let text =
            "4 Soil\n\nAnchors rust. They shall hold. Then:\n\nNails\tsand\n\na)\tPlates.\nNo bending.";
        let provision = |of: &str, lead_in: Option<&str>| {
            let start = text[..text.find(of).unwrap()].chars().count();
            let anchor = Slice { start, end: start + of.chars().count() };
            AnchoredProvision { normative: true, anchor, lead_in: lead_in.map(str::to_owned), table_id: None }
        };
        let provisions = vec![provision("No bending.", Some("Then:")), provision("They shall hold.", None)];
        let section = SectionText {
            label: Some("4".to_owned()),
            title: Some("Soil".to_owned()),
            text: text.to_owned(),
            ..SectionText::default()
        };
        let own = section.without(provisions, &HashSet::from(["Nails".into(), "sand".into()]));
        assert_eq!(own, "Anchors rust. \na)\tPlates.");
    }
}
