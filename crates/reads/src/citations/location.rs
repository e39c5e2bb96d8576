//! Parts of an edition that citations name, as the answer shows them.

use std::collections::{BTreeSet, HashMap};

use norma_api::shapes::{CitedPart, CitedPartType, ProvisionType, SectionRef};
use norma_model::Outline;
use norma_model::printed::OutlinePart;
use serde::Deserialize;

use crate::Failure;
use crate::edition::{AmendedBy, AmendedItem, AuthorizedEdition, SectionHeading};
use crate::json::parsed;

/// The members of a stored provision that its place shows.
#[derive(Deserialize)]
struct ShownProvision {
    label: Option<String>,
    #[serde(rename = "type")]
    kind: ProvisionType,
}

/// What the names of parts are made of: the provisions among them, by their ordinals.
pub(super) struct PartNames {
    provisions: HashMap<u32, ShownProvision>,
}

impl PartNames {
    /// Reads the names of the provisions among these parts.
    pub(super) async fn read(
        edition: &AuthorizedEdition,
        parts: impl Iterator<Item = OutlinePart>,
    ) -> Result<Self, Failure> {
        let mut ordinals = BTreeSet::new();
        for part in parts {
            if let OutlinePart::Provision(ordinal) = part {
                ordinals.insert(ordinal);
            }
        }
        let ordinals: Vec<u32> = ordinals.into_iter().collect();
        let mut provisions = HashMap::new();
        // A caller who may only discover the edition names no provision.
        if !ordinals.is_empty() {
            for (&ordinal, fragment) in ordinals.iter().zip(edition.fragments(&ordinals).await?) {
                let named: ShownProvision = parsed(&fragment)?;
                provisions.insert(ordinal, named);
            }
        }
        Ok(Self { provisions })
    }
}

/// A part as the answer shows it.
pub(super) fn shown(
    part: OutlinePart,
    outline: &Outline,
    names: &PartNames,
    headings: &[SectionHeading],
    amended: &AmendedBy,
) -> CitedPart<'static> {
    match part {
        OutlinePart::Section(index) => {
            let at = index as usize;
            let mut location = CitedPart::new(CitedPartType::Section, outline.sections[at].id.to_string());
            location.label = outline.sections[at].number.as_deref().map(|number| number.to_owned().into());
            location.title = headings.get(at).and_then(|heading| heading.title.clone()).map(Into::into);
            location.amended_by = amended.of(AmendedItem::Section(at));
            location
        }
        OutlinePart::Provision(ordinal) => {
            let provision = &outline.provisions[ordinal as usize];
            let mut location = CitedPart::new(CitedPartType::Provision, provision.id.to_string());
            if let Some(named) = names.provisions.get(&ordinal) {
                location.label = named.label.clone().map(Into::into);
                location.provision_type = Some(named.kind);
            }
            location.section = headings.get(provision.section as usize).map(section_ref);
            location.amended_by = amended.of(AmendedItem::Provision(ordinal));
            location
        }
        OutlinePart::Table(index) => {
            let table = &outline.tables[index as usize];
            let mut location = CitedPart::new(CitedPartType::Table, table.id.to_string());
            location.label = table.number.clone().map(Into::into);
            location.amended_by = amended.of(AmendedItem::Table(index as usize));
            location
        }
        OutlinePart::Figure(index) => {
            let figure = &outline.figures()[index as usize];
            let mut location = CitedPart::new(CitedPartType::Figure, figure.id.clone());
            location.label = figure.number.clone().map(Into::into);
            location
        }
        OutlinePart::Term(index) => {
            let term = &outline.terms[index as usize];
            let mut location = CitedPart::new(CitedPartType::Term, term.id.to_string());
            location.label = term.number.clone().map(Into::into);
            location.amended_by = amended.of(AmendedItem::Term(index as usize));
            location
        }
    }
}

fn section_ref(heading: &SectionHeading) -> SectionRef<'static> {
    SectionRef {
        id: heading.id.clone().into(),
        number: heading.number.clone().map(Into::into),
        title: heading.title.clone().map(Into::into),
    }
}
