//! From the pack of an edition to the units that the search index has of it.

use std::borrow::Cow;

use norma_compare::{Grid, NumberedPartKind, Units};
use norma_model::{Lang, PartialUrn, Urn};
use norma_render::PackPart;
use norma_search::{IndexedUnit, UnitKind};
use norma_store::{EditionHandle, Entry, StoreError, Summary};
use serde::Deserialize;

use crate::pack;

/// The texts of an edition, as they are indexed.
pub(super) struct IndexedText {
    summary: Summary,
    /// The reference without its date.
    undated: Option<String>,
    units: Units,
    /// Whether each provision is normative.
    normative: Vec<bool>,
}

#[derive(Deserialize)]
struct Items {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    normative: bool,
}

impl IndexedText {
    /// The texts of an edition from its pack; `None` when another version of Norma wrote the pack.
    ///
    /// # Errors
    /// Those of the store, and [`StoreError::Corrupt`] for a damaged pack.
    pub(super) async fn of(edition: &EditionHandle) -> Result<Option<Self>, StoreError> {
        let Some(units) = pack::units(edition).await? else { return Ok(None) };
        let Some(provisions) = pack::part(edition, PackPart::Provisions).await? else { return Ok(None) };
        let Ok(Items { items }) = serde_json::from_slice(&provisions) else { return Ok(None) };
        let normative = items.into_iter().map(|item| item.normative).collect();
        Ok(Some(Self { units, normative, ..Self::title_of(edition.entry()) }))
    }

    /// The title alone.
    pub(super) fn title_of(entry: &Entry) -> Self {
        let summary = entry.summary.clone();
        let undated = PartialUrn::from_reference(&summary.reference).map(|citation| citation.undated);
        Self { summary, undated, units: Units::default(), normative: Vec::new() }
    }

    /// The URN of the edition.
    pub(super) fn urn(&self) -> &Urn {
        &self.summary.urn
    }

    /// Its reference.
    pub(super) fn reference(&self) -> &str {
        &self.summary.reference
    }

    /// The units: the standard, then each section with its provisions and tables, then the terms.
    pub(super) fn units(&self) -> Vec<IndexedUnit<'_>> {
        let mut of_sections: Vec<Vec<IndexedUnit<'_>>> =
            self.units.sections.iter().map(|_| Vec::new()).collect();
        for (index, section) in self.units.sections.iter().enumerate() {
            let title = section.title.as_deref().unwrap_or_default();
            let keys = section.label.as_deref().into_iter().chain([&*section.id]).collect();
            let language = self.language_of(index);
            of_sections[index].push(unit(UnitKind::Section, index, language, keys, title, ""));
        }
        for (index, provision) in self.units.units.iter().enumerate() {
            of_sections[provision.section].push(self.provision(index, provision));
        }
        let mut others = Vec::new();
        let tables = self.units.parts.iter().filter(|part| part.kind == NumberedPartKind::Table);
        for (index, table) in tables.enumerate() {
            let list = table.section.map_or(&mut others, |section| &mut of_sections[section]);
            list.push(self.table(index, table));
        }
        let terms = self.units.terms.iter().enumerate().map(|(index, term)| self.term(index, term));
        let standard = std::iter::once(self.standard());
        standard.chain(of_sections.into_iter().flatten()).chain(others).chain(terms).collect()
    }

    fn standard(&self) -> IndexedUnit<'_> {
        let summary = &self.summary;
        let mut keys = vec![summary.reference.as_str(), summary.urn.as_str(), summary.urn.document_urn()];
        keys.extend(self.undated.as_deref());
        let language = summary.languages.first().cloned().unwrap_or_else(Lang::en);
        unit(UnitKind::Standard, 0, language, keys, &summary.title, &summary.reference)
    }

    fn provision<'t>(&self, index: usize, provision: &'t norma_compare::ComparisonUnit) -> IndexedUnit<'t> {
        let keys = provision.label.as_deref().into_iter().chain([&*provision.id]).collect();
        let text = match &provision.lead_in {
            Some(lead_in) => Cow::Owned(format!("{lead_in} {}", provision.text)),
            None => Cow::Borrowed(&*provision.text),
        };
        IndexedUnit {
            provision: provision.kind,
            normative: self.normative.get(index).copied(),
            ..unit(UnitKind::Provision, index, self.language_of(provision.section), keys, "", text)
        }
    }

    fn table<'t>(&self, index: usize, table: &'t norma_compare::NumberedPart) -> IndexedUnit<'t> {
        let keys = table.label.as_deref().into_iter().chain([&*table.id]).collect();
        let language = table.section.map_or_else(|| self.language(0), |section| self.language_of(section));
        let title = table.caption.as_deref().unwrap_or_default();
        let text = table.grid.as_deref().map(grid_text).unwrap_or_default();
        unit(UnitKind::Table, index, language, keys, title, text)
    }

    fn term<'t>(&self, index: usize, term: &'t norma_compare::Term) -> IndexedUnit<'t> {
        let language = term.designations.first().and_then(|text| text.language.clone());
        let language = language.unwrap_or_else(|| self.language(0));
        let joined = |texts: &[norma_compare::TermWording]| {
            texts.iter().map(|text| &*text.text).collect::<Vec<_>>().join("; ")
        };
        let (title, text) = (joined(&term.designations), joined(&term.definitions));
        unit(UnitKind::Term, index, language, vec![&*term.id], title, text)
    }

    fn language_of(&self, section: usize) -> Lang {
        self.language(self.units.sections[section].language)
    }

    /// The language with this index among those of the sections.
    fn language(&self, index: usize) -> Lang {
        let known = self.units.languages.get(index).or(self.summary.languages.first());
        known.cloned().unwrap_or_else(Lang::en)
    }
}

fn unit<'t>(
    kind: UnitKind,
    index: usize,
    language: Lang,
    keys: Vec<&'t str>,
    title: impl Into<Cow<'t, str>>,
    text: impl Into<Cow<'t, str>>,
) -> IndexedUnit<'t> {
    let (title, text) = (title.into(), text.into());
    IndexedUnit { kind, index: index as u32, provision: None, normative: None, language, keys, title, text }
}

/// Heads, cells and notes of a table.
fn grid_text(grid: &Grid) -> String {
    let cells = grid.rows.iter().flatten().map(|cell| &*cell.text);
    let heads = grid.columns.iter().map(|head| &**head);
    let notes = grid.notes.iter().map(|note| &**note);
    heads.chain(cells).chain(notes).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ; ")
}

#[cfg(test)]
mod tests {
    use norma_compare::{Cell, Section, Term, TermWording, UnitsParts};
    use norma_model::{ProvisionKind, StandardType};

    use super::*;

    fn text() -> IndexedText {
        let section = |id: &str, label: &str, title: &str| Section {
            id: id.into(),
            label: Some(label.into()),
            title: Some(title.into()),
            ..Section::default()
        };
        let provision =
            |id: &str, section, lead_in: Option<&str>, text: &str| norma_compare::ComparisonUnit {
                id: id.into(),
                label: Some(format!("{section}(1)").into()),
                text: text.into(),
                lead_in: lead_in.map(Into::into),
                section,
                kind: Some(ProvisionKind::Requirement),
                ..norma_compare::ComparisonUnit::default()
            };
        let cell = |text: &str| Cell { text: text.into(), ..Cell::default() };
        let table = norma_compare::NumberedPart {
            kind: NumberedPartKind::Table,
            id: "tab_1".into(),
            label: Some("Table 1".into()),
            caption: Some("Depths".into()),
            section: Some(0),
            digest: None,
            grid: Some(Box::new(Grid {
                columns: vec!["Soil".into()],
                rows: vec![vec![cell("sand"), cell("")]],
                notes: vec!["Dry soil.".into()],
            })),
        };
        let term_text = |text: &str| TermWording { language: Some(Lang::en()), text: text.into() };
        let parts = UnitsParts {
            languages: vec![Lang::en()],
            sections: vec![section("sec_4", "4", "Anchors"), section("sec_5", "5", "Marking")],
            parts: vec![table],
            terms: vec![Term {
                id: "term_3.1".into(),
                designations: vec![term_text("anchor"), term_text("tie")],
                definitions: vec![term_text("device in soil")],
            }],
            units: vec![
                provision("prv_1", 0, Some("Anchors shall"), "hold"),
                provision("prv_2", 1, None, "Anchors shall be marked."),
            ],
            ..UnitsParts::default()
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
            units: Units::new(parts).unwrap(),
            normative: vec![true, false],
        }
    }

    #[test]
    fn units_come_in_document_order_with_their_texts() {
        let text = text();
        let units = text.units();
        let found: Vec<(UnitKind, u32, &str, &str)> =
            units.iter().map(|unit| (unit.kind, unit.index, &*unit.title, &*unit.text)).collect();
        let expected = [
            (UnitKind::Standard, 0, "Ground anchors", "NSB 4210:2024"),
            (UnitKind::Section, 0, "Anchors", ""),
            (UnitKind::Provision, 0, "", "Anchors shall hold"),
            (UnitKind::Table, 0, "Depths", "Soil ; sand ; Dry soil."),
            (UnitKind::Section, 1, "Marking", ""),
            (UnitKind::Provision, 1, "", "Anchors shall be marked."),
            (UnitKind::Term, 0, "anchor; tie", "device in soil"),
        ];
        assert_eq!(found, expected);
        assert_eq!(units[5].normative, Some(false));
        assert!(units[0].keys.contains(&"NSB 4210") && units[0].keys.contains(&"urn:nsb:std:nsb:4210"));
    }
}
