//! The provisions of an edition as units.

use std::sync::Arc;

use foldhash::HashMap;
use norma_model::{
    EditionParts, PartialUrn, Passage, Provision, Reference, ReferenceTarget, Section, Term, UrnParts,
};

use crate::units::{
    ComparisonSection, ComparisonUnit, NumberedPart, NumberedPartKind, UnitReference, UnitTarget, Units,
    UnitsParts,
};

impl From<&EditionParts> for Units {
    /// Makes units from the provisions of an edition with its sections, tables, figures and terms; indices of
    /// sections and terms stay the same.
    fn from(edition: &EditionParts) -> Self {
        let mut parts = UnitsParts::without_cells_and_terms(edition);
        for (part, table) in parts.parts.iter_mut().zip(&edition.tables) {
            part.grid = table.grid().map(|grid| Arc::new(grid.clone()));
        }
        // A pack has the subject fields of a term as one text.
        parts.terms = edition.terms.iter().map(|term| Term { domains: Vec::new(), ..term.clone() }).collect();
        Self::new(parts).expect("the parts of an edition agree")
    }
}

impl UnitsParts {
    /// The units of an edition without its terms and without the cells of its tables, which are the first of
    /// the parts. The stored form needs neither: a pack has terms and tables in parts of their own.
    pub fn without_cells_and_terms(edition: &EditionParts) -> Self {
        let mut languages = edition.metadata.languages.clone();
        for section in &edition.sections {
            if !languages.contains(&section.language) {
                languages.push(section.language.clone());
            }
        }
        let tables = edition.tables.iter().map(|table| NumberedPart {
            kind: NumberedPartKind::Table,
            id: table.id.as_str().into(),
            label: table.label.as_deref().or(table.number.as_deref()).map(Into::into),
            caption: table.caption.as_deref().map(Into::into),
            section: Some(table.section),
            digest: table.digest.map(|digest| *digest.as_bytes()),
            grid: None,
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
        let adopted = edition.metadata.adoption_of.iter().filter_map(|adoption| adoption.urn.as_ref());
        Self {
            documents: std::iter::once(edition.urn.as_partial()).chain(adopted).map(document_name).collect(),
            languages,
            sections: edition.sections.iter().map(Into::into).collect(),
            parts: tables.chain(figures).chain(formulae).collect(),
            terms: Vec::new(),
            units: units.collect(),
        }
    }

    /// The same units with the digests of the figures' files: one for each graphic of the edition, in its
    /// order. Figures with the same digest correspond.
    pub fn with_picture_digests(mut self, digests: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let figures = self.parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Figure);
        figures.zip(digests).for_each(|(figure, digest)| figure.digest = digest);
        self
    }
}

impl Units {
    /// The same units with the digests of the figures' files: see [`UnitsParts::with_picture_digests`].
    pub fn with_picture_digests(self, digests: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let parts = UnitsParts::from(self).with_picture_digests(digests);
        Self::new(parts).expect("digests change no index")
    }
}

impl From<&Section> for ComparisonSection {
    fn from(section: &Section) -> Self {
        Self {
            id: section.id.as_str().into(),
            number: section.number.clone(),
            title: section.title.clone(),
            parent: section.parent,
            language: Some(section.language.clone()),
            layer: section.layer,
        }
    }
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

    fn reference(&self, reference: &Reference) -> UnitReference {
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
        UnitReference { text: reference.text.as_str().into(), target }
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
