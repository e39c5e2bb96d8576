//! The provisions of an edition as units.

use foldhash::HashMap;
use norma_model::{DesignationStatus, EditionParts, Lang, PartialUrn, ReferenceTarget, UrnParts};

use crate::units::{Part, PartKind, Reference, Section, Target, Term, TermText, Unit, Units, UnitsParts};

impl From<&EditionParts> for Units {
    /// The provisions of an edition with its sections, tables, figures and terms; indices of sections and terms stay.
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
        let tables = edition.tables.iter().map(|table| Part {
            kind: PartKind::Table,
            label: table.number.as_deref().map(Into::into),
            caption: table.caption.as_deref().map(Into::into),
            section: Some(table.section),
            digest: table.digest.map(|digest| *digest.as_bytes()),
        });
        let figures = edition.graphics.iter().map(|graphic| Part {
            kind: PartKind::Figure,
            label: graphic.label.as_deref().map(Into::into),
            caption: graphic.caption.as_deref().map(Into::into),
            section: graphic.section,
            digest: None,
        });
        let terms = edition.terms.iter().map(|term| {
            let text = |language: &Lang, text: &String| TermText {
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
                designations: preferred(true).chain(preferred(false)).collect(),
                definitions: term.definitions.iter().map(|d| text(&d.language, &d.text)).collect(),
            }
        });
        let targets = Targets::new(edition);
        let units = edition.provisions.iter().map(|provision| Unit {
            id: provision.id.to_string().into(),
            label: Some(provision.label.clone()),
            text: provision.text.clone(),
            lead_in: provision.lead_in.clone(),
            section: provision.section,
            kind: Some(provision.kind),
            negated: provision.negated,
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
            parts: tables.chain(figures).collect(),
            terms: terms.collect(),
            units: units.collect(),
            sections,
            layers,
        };
        Self::new(parts).expect("the parts of an edition agree")
    }
}

impl Units {
    /// The same units with the digests of the figures' files: one for each graphic of the edition, in its order. Figures with the same digest
    /// correspond.
    pub fn with_picture_digests(self, digests: impl IntoIterator<Item = Option<[u8; 32]>>) -> Self {
        let mut parts = UnitsParts::from(self);
        let figures = parts.parts.iter_mut().filter(|part| part.kind == PartKind::Figure);
        figures.zip(digests).for_each(|(figure, digest)| figure.digest = digest);
        Self::new(parts).expect("digests change no index")
    }
}

/// The index of a language in a list, to which it is added where it is not there.
fn position(languages: &mut Vec<Lang>, language: &Lang) -> usize {
    languages.iter().position(|known| known == language).unwrap_or_else(|| {
        languages.push(language.clone());
        languages.len() - 1
    })
}

/// A URN without stage, edition and language: a draft is an edition of the document that it becomes.
/// The URN of a document without stage, edition and language, as [`UnitsParts::documents`] have it.
pub fn document_name(urn: &PartialUrn) -> Box<str> {
    let parts = UrnParts { stage: None, edition: None, languages: Vec::new(), ..urn.parts() };
    PartialUrn::new(parts).map_or_else(|_| urn.document_urn().into(), |urn| urn.as_str().into())
}

/// Sections, tables and figures of an edition by their ids.
struct Targets<'a>(HashMap<&'a str, Target>);

impl<'a> Targets<'a> {
    fn new(edition: &'a EditionParts) -> Self {
        let tables = edition.tables.iter().map(|table| table.id.as_str());
        let figures = edition
            .graphics
            .iter()
            .map(|graphic| graphic.figure_id.as_deref().unwrap_or(graphic.id.as_str()));
        let mut targets: HashMap<&str, Target> = HashMap::default();
        // A figure of several graphics is its first one; a section outranks a part with the same id.
        for (index, id) in tables.chain(figures).enumerate() {
            targets.entry(id).or_insert(Target::Part(index));
        }
        for (index, section) in edition.sections.iter().enumerate() {
            targets.insert(section.id.as_str(), Target::Section(index));
        }
        Self(targets)
    }

    fn reference(&self, reference: &norma_model::Reference) -> Reference {
        let target = match &reference.target {
            Some(ReferenceTarget::Part(id)) => self.0.get(id.as_str()).cloned(),
            Some(ReferenceTarget::Urn(urn)) => Some(Target::Document {
                document: urn.document_urn().into(),
                edition: urn.edition().map(Into::into),
                clause: reference.clause.as_deref().map(Into::into),
            }),
            None => None,
        };
        Reference { text: reference.text.as_str().into(), target }
    }
}
