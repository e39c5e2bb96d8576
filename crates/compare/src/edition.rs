//! The provisions of an edition as units.

use std::sync::Arc;

use foldhash::HashMap;
use norma_model::{
    EditionParts, Lang, PartialUrn, Passage, Provision, ProvisionSurroundings, Reference, ReferenceTarget,
    Section, Term, UrnParts,
};

use crate::units::{
    ComparisonSection, ComparisonUnit, NumberedPart, NumberedPartKind, UnitContext, UnitLimit, UnitReference,
    UnitTarget, Units, UnitsParts,
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
        let targets = Targets::new(edition);
        let adopted = edition.metadata.adoption_of.iter().filter_map(|adoption| adoption.urn.as_ref());
        Self {
            documents: std::iter::once(edition.urn.as_partial()).chain(adopted).map(document_name).collect(),
            languages: languages(edition),
            sections: sections(edition, &targets),
            parts: numbered_parts(edition),
            terms: Vec::new(),
            units: units(edition, &targets),
        }
    }

    /// The same units with the digests of the figures' files: one for each graphic of the edition, in its
    /// order. Figures with the same digest correspond.
    pub fn with_picture_digests(mut self, digests: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let figures = self.parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Figure);
        for (figure, digest) in figures.zip(digests) {
            figure.digest = digest;
        }
        self
    }
}

/// The languages that the metadata state, then others of sections.
fn languages(edition: &EditionParts) -> Vec<Lang> {
    let mut languages = edition.metadata.languages.clone();
    for section in &edition.sections {
        if !languages.contains(&section.language) {
            languages.push(section.language.clone());
        }
    }
    languages
}

fn sections(edition: &EditionParts, targets: &Targets<'_>) -> Vec<ComparisonSection> {
    let mut sections: Vec<ComparisonSection> = edition.sections.iter().map(Into::into).collect();
    for (section, context) in sections.iter_mut().zip(&edition.contexts.sections) {
        section.text_hash = context.hash;
        section.targets = targets.all(&context.references);
    }
    sections
}

/// The tables without cells, then the figures, then the formulae, as [`Targets`] counts them.
fn numbered_parts(edition: &EditionParts) -> Vec<NumberedPart> {
    let mut parts = Vec::new();
    for table in &edition.tables {
        parts.push(NumberedPart {
            kind: NumberedPartKind::Table,
            id: table.id.as_str().into(),
            label: table.label.as_deref().or(table.number.as_deref()).map(Into::into),
            caption: table.caption.as_deref().map(Into::into),
            section: Some(table.section),
            digest: table.digest.map(|digest| *digest.as_bytes()),
            grid: None,
        });
    }
    for graphic in &edition.graphics {
        parts.push(NumberedPart {
            kind: NumberedPartKind::Figure,
            id: graphic.id.as_str().into(),
            label: graphic.label.as_deref().map(Into::into),
            caption: graphic.caption.as_deref().map(Into::into),
            section: graphic.section,
            digest: None,
            grid: None,
        });
    }
    for formula in &edition.formulae {
        parts.push(NumberedPart {
            kind: NumberedPartKind::Formula,
            id: edition.sections[formula.section].id.as_str().into(),
            label: Some(formula.number.clone()),
            caption: None,
            section: Some(formula.section),
            digest: Some(*formula.digest.as_bytes()),
            grid: None,
        });
    }
    parts
}

fn units(edition: &EditionParts, targets: &Targets<'_>) -> Vec<ComparisonUnit> {
    let none = ProvisionSurroundings::default();
    let mut units = Vec::with_capacity(edition.provisions.len());
    for (index, provision) in edition.provisions.iter().enumerate() {
        let context = edition.contexts.provisions.get(index).unwrap_or(&none);
        units.push(ComparisonUnit {
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
            context: targets.context(context),
        });
    }
    units
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
            normative: Some(section.normative),
            text_hash: None,
            targets: Vec::new(),
        }
    }
}

/// The URN of a document without stage, edition and language, as [`UnitsParts::documents`] have it. Without
/// its stage, a draft is an edition of the document that it becomes.
pub fn document_name(urn: &PartialUrn) -> Box<str> {
    let parts = UrnParts { stage: None, edition: None, languages: Vec::new(), ..urn.parts() };
    match PartialUrn::new(parts) {
        Ok(document) => document.as_str().into(),
        Err(_) => urn.document_urn().into(),
    }
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
        let mut by_id: HashMap<&str, UnitTarget> = HashMap::default();
        for (index, table) in edition.tables.iter().enumerate() {
            by_id.entry(table.id.as_str()).or_insert(UnitTarget::Part(index));
        }
        for (index, graphic) in edition.graphics.iter().enumerate() {
            let part = edition.tables.len() + index;
            by_id.entry(graphic.id.as_str()).or_insert(UnitTarget::Part(part));
            // A figure of several graphics is its first one.
            if let Some(figure) = &graphic.figure_id {
                by_id.entry(figure).or_insert(UnitTarget::Part(part));
            }
        }
        // A section outranks a part with the same id.
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

    /// The targets of references, without those that are not known.
    fn all(&self, references: &[Reference]) -> Vec<UnitTarget> {
        references.iter().filter_map(|reference| self.reference(reference).target).collect()
    }

    fn context(&self, context: &ProvisionSurroundings) -> UnitContext {
        let mut limits = Vec::with_capacity(context.limits.len());
        for limit in &context.limits {
            limits.push(UnitLimit { text: limit.text.clone(), hash: limit.hash });
        }
        UnitContext {
            footnotes: context.footnotes.to_vec(),
            limits,
            neighbours: context.neighbours.to_vec(),
            targets: self.all(&context.references),
            terms: context.terms.to_vec(),
        }
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
