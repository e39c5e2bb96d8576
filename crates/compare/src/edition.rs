//! The provisions of an edition as units.

use foldhash::HashMap;
use norma_model::table::{Cell as TableCell, CellQuantity, Grid as TableGrid};
use norma_model::{
    DesignationStatus, EditionParts, Lang, PartialUrn, Passage, Provision, Quantity, ReferenceTarget,
    UrnParts,
};

use crate::units::{
    Cell, ComparisonUnit, Grid, NumberedPart, NumberedPartKind, Reference, Section, Term, TermWording,
    UnitTarget, Units, UnitsParts,
};

impl From<&EditionParts> for Units {
    /// Makes units from the provisions of an edition with its sections, tables, figures and terms; indices of
    /// sections and terms stay the same.
    fn from(edition: &EditionParts) -> Self {
        let mut languages = edition.metadata.languages.clone();
        let sections: Vec<Section> = edition
            .sections
            .iter()
            .map(|section| Section {
                id: section.id.as_str().into(),
                label: section.number.clone(),
                title: section.title.clone(),
                parent: section.parent,
                language: position(&mut languages, &section.language),
            })
            .collect();
        let tables = edition.tables.iter().map(|table| NumberedPart {
            kind: NumberedPartKind::Table,
            id: table.id.as_str().into(),
            label: table.label.as_deref().or(table.number.as_deref()).map(Into::into),
            caption: table.caption.as_deref().map(Into::into),
            section: Some(table.section),
            digest: table.digest.map(|digest| *digest.as_bytes()),
            grid: table.grid().map(|grid| Box::new(Grid::from(grid))),
        });
        let figures = edition.graphics.iter().map(|graphic| NumberedPart {
            kind: NumberedPartKind::Figure,
            id: graphic.id.as_str().into(),
            label: graphic.label.as_deref().map(Into::into),
            caption: graphic.caption.as_deref().map(Into::into),
            section: graphic.section,
            digest: None,
            grid: None,
        });
        let formulae = edition.formulae.iter().map(|formula| NumberedPart {
            kind: NumberedPartKind::Formula,
            id: edition.sections[formula.section].id.as_str().into(),
            label: Some(formula.number.clone()),
            caption: None,
            section: Some(formula.section),
            digest: Some(*formula.digest.as_bytes()),
            grid: None,
        });
        let terms = edition.terms.iter().map(|term| {
            let text = |language: &Lang, text: &String| TermWording {
                language: Some(language.clone()),
                text: text.as_str().into(),
            };
            let preferred = |wanted: bool| {
                let designations = term.designations.iter();
                let found =
                    designations.filter(move |d| (d.status == DesignationStatus::Preferred) == wanted);
                found.map(|d| text(&d.language, &d.text))
            };
            Term {
                id: term.id.as_str().into(),
                designations: preferred(true).chain(preferred(false)).collect(),
                definitions: term.definitions.iter().map(|d| text(&d.language, &d.text)).collect(),
            }
        });
        let targets = Targets::new(edition);
        let units = edition.provisions.iter().map(|provision| ComparisonUnit {
            id: provision.id.to_string().into(),
            label: Some(provision.label.clone()),
            text: provision.text.clone(),
            lead_in: provision.lead_in.clone(),
            section: provision.section,
            kind: Some(provision.kind),
            negated: provision.negated,
            verbal_form: passage_of(provision, &provision.verbal_form),
            quantities: provision.quantities.to_vec(),
            conditions: provision.conditions.to_vec(),
            subject: provision.subject,
            references: provision.references.iter().map(|reference| targets.reference(reference)).collect(),
            terms: provision.terms.to_vec(),
        });
        let mut layers: Vec<u8> = edition.sections.iter().map(|section| section.layer).collect();
        if layers.iter().all(|&layer| layer == 0) {
            layers.clear();
        }
        let adopted = edition.metadata.adoption_of.iter().filter_map(|adoption| adoption.urn.as_ref());
        let parts = UnitsParts {
            documents: std::iter::once(edition.urn.as_partial()).chain(adopted).map(document_name).collect(),
            languages,
            parts: tables.chain(figures).chain(formulae).collect(),
            terms: terms.collect(),
            units: units.collect(),
            sections,
            layers,
        };
        Self::new(parts).expect("the parts of an edition agree")
    }
}

impl Units {
    /// The same units with the digests of the figures' files: one for each graphic of the edition, in its
    /// order. Figures with the same digest correspond.
    pub fn with_picture_digests(self, digests: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let mut parts = UnitsParts::from(self);
        let figures = parts.parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Figure);
        figures.zip(digests).for_each(|(figure, digest)| figure.digest = digest);
        Self::new(parts).expect("digests change no index")
    }
}

/// The index of a language in a list, to which it is added if it is missing.
fn position(languages: &mut Vec<Lang>, language: &Lang) -> usize {
    languages.iter().position(|known| known == language).unwrap_or_else(|| {
        languages.push(language.clone());
        languages.len() - 1
    })
}

/// The URN of a document without stage, edition and language, as [`UnitsParts::documents`] have it. Without
/// its stage, a draft is an edition of the document that it becomes.
pub fn document_name(urn: &PartialUrn) -> Box<str> {
    let parts = UrnParts { stage: None, edition: None, languages: Vec::new(), ..urn.parts() };
    PartialUrn::new(parts).map_or_else(|_| urn.document_urn().into(), |urn| urn.as_str().into())
}

/// The position of a provision's verbal form: the first occurrence of its words in the text, or else in the
/// lead-in.
fn passage_of(provision: &Provision, words: &str) -> Option<Passage> {
    crate::passages::find(&provision.text, provision.lead_in.as_deref(), words)
}

impl From<&TableGrid> for Grid {
    fn from(grid: &TableGrid) -> Self {
        let notes = grid.notes.iter().chain(grid.footnotes.iter().map(|footnote| &footnote.text));
        Self {
            columns: grid.columns.iter().map(|column| column.heads.join(" ").into()).collect(),
            rows: grid.rows.iter().map(|row| row.iter().map(Cell::from).collect()).collect(),
            notes: notes.cloned().collect(),
        }
    }
}

impl From<&TableCell> for Cell {
    fn from(cell: &TableCell) -> Self {
        let quantity =
            cell.quantity.as_deref().map(|CellQuantity { comparator, value, upper, tolerance, unit }| {
                let (text, ucum) = match unit {
                    Some((unit, _)) => (Some(unit.text.clone()), unit.ucum.clone()),
                    None => (None, None),
                };
                let (upper, tolerance) = (upper.clone(), tolerance.clone());
                let passage = Passage::default();
                Box::new(Quantity {
                    comparator: Some(*comparator),
                    value: value.clone(),
                    upper,
                    tolerance,
                    unit: text,
                    ucum,
                    passage,
                })
            });
        Self {
            text: cell.text.clone(),
            column: cell.column,
            more_columns: cell.columns.saturating_sub(1),
            more_rows: cell.rows.saturating_sub(1),
            is_head: cell.is_head,
            quantity,
        }
    }
}

/// Sections, tables, figures and formulae of an edition by their ids.
struct Targets<'a> {
    by_id: HashMap<&'a str, UnitTarget>,
    edition: &'a EditionParts,
}

/// Words before the number of a formula, in lower case.
const FORMULA_WORDS: [&str; 7] = ["formula", "equation", "eq.", "formel", "gleichung", "formule", "équation"];

impl<'a> Targets<'a> {
    fn new(edition: &'a EditionParts) -> Self {
        let tables = edition.tables.iter().map(|table| [Some(table.id.as_str()), None]);
        let figures = edition.graphics.iter().map(|one| [Some(one.id.as_str()), one.figure_id.as_deref()]);
        let mut by_id: HashMap<&str, UnitTarget> = HashMap::default();
        // A figure of several graphics is its first one; a section outranks a part with the same id.
        for (index, ids) in tables.chain(figures).enumerate() {
            for id in ids.into_iter().flatten() {
                by_id.entry(id).or_insert(UnitTarget::Part(index));
            }
        }
        for (index, section) in edition.sections.iter().enumerate() {
            by_id.insert(section.id.as_str(), UnitTarget::Section(index));
        }
        Self { by_id, edition }
    }

    fn reference(&self, reference: &norma_model::Reference) -> Reference {
        let target = match &reference.target {
            Some(ReferenceTarget::Part(id)) => {
                self.formula(&reference.text).or_else(|| self.by_id.get(id.as_str()).cloned())
            }
            Some(ReferenceTarget::Urn(urn)) => Some(UnitTarget::Document {
                document: urn.document_urn().into(),
                edition: reference.date.as_deref().or(urn.edition()).map(Into::into),
                clause: reference.clause.as_deref().map(Into::into),
            }),
            None => None,
        };
        Reference { text: reference.text.as_str().into(), target }
    }

    /// The formula that a reference names: the section with the formula is its target.
    fn formula(&self, text: &str) -> Option<UnitTarget> {
        let lower = text.to_lowercase();
        let rest = FORMULA_WORDS.iter().find_map(|word| Some(&text[lower.find(word)? + word.len()..]))?;
        let number = rest.split_whitespace().next_back()?.trim_matches(['(', ')']);
        let index = self.edition.formulae.iter().position(|formula| *formula.number == *number)?;
        Some(UnitTarget::Part(self.edition.tables.len() + self.edition.graphics.len() + index))
    }
}
