//! The provisions of an edition as units.

use foldhash::HashMap;
use norma_model::{DesignationStatus, EditionParts, ReferenceTarget};

use crate::units::{Part, PartKind, Reference, Section, Target, Term, Unit, Units, UnitsParts};

impl From<&EditionParts> for Units {
    /// The provisions of an edition with its sections, tables, figures and terms; indices of sections and terms stay.
    fn from(edition: &EditionParts) -> Self {
        let sections = edition.sections.iter().map(|section| Section {
            label: section.number.clone(),
            title: section.title.clone(),
            parent: section.parent,
        });
        let tables = edition.tables.iter().map(|table| Part {
            kind: PartKind::Table,
            label: table.number.as_deref().map(Into::into),
            caption: table.caption.as_deref().map(Into::into),
            section: Some(table.section),
        });
        let figures = edition.graphics.iter().map(|graphic| Part {
            kind: PartKind::Figure,
            label: graphic.label.as_deref().map(Into::into),
            caption: graphic.caption.as_deref().map(Into::into),
            section: graphic.section,
        });
        let terms = edition.terms.iter().map(|term| {
            let preferred = term.designations.iter().find(|d| d.status == DesignationStatus::Preferred);
            let designation = preferred.or(term.designations.first());
            let definition =
                designation.and_then(|d| term.definitions.iter().find(|t| t.language == d.language));
            Term {
                designation: designation.map_or_else(Default::default, |d| d.text.as_str().into()),
                definition: definition
                    .or(term.definitions.first())
                    .map_or_else(Default::default, |d| d.text.as_str().into()),
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
        let parts = UnitsParts {
            parts: tables.chain(figures).collect(),
            terms: terms.collect(),
            units: units.collect(),
            sections: sections.collect(),
        };
        Self::new(parts).expect("the parts of an edition agree")
    }
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
