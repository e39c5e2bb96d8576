//! The stored form of the units of an edition, which comparisons read: only what the provisions and terms do not say already, since
//! their texts and ids would be the largest part of it.

use bytes::Bytes;
use norma_api::shapes::{DesignationStatus, SectionRef, Term};
use norma_compare::{Section, Unit, Units, UnitsParts};
use norma_model::{Asset, EditionParts};
use serde::Deserialize;

use crate::Part;

/// Changes whenever units of another version cannot be read, or mean something else.
const VERSION: u8 = 2;
/// Layers of adoption, the last member, as an empty list: units that were stored before end in front of it, and where they do not, what
/// follows is not read.
const NO_LAYERS: &[u8] = &[0];

/// The parts of a pack that [`units`] reads, in the order of its argument.
pub const PARTS_OF_UNITS: [Part; 3] = [Part::Units, Part::Provisions, Part::Terms];

/// The part [`Units`](crate::Part::Units) of an edition: its version, then the units without texts. `assets` is parallel to the graphics.
pub(crate) fn units_to_bytes(edition: &EditionParts, assets: &[Option<Asset>]) -> Vec<u8> {
    let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
    let mut parts = UnitsParts::from(Units::from(edition).with_picture_digests(digests));
    for unit in &mut parts.units {
        (unit.id, unit.label, unit.text, unit.lead_in) = Default::default();
        unit.references.iter_mut().for_each(|reference| reference.text = Box::default());
    }
    for term in &mut parts.terms {
        term.designations.iter_mut().chain(&mut term.definitions).for_each(|text| text.text = Box::default());
    }
    postcard::to_extend(&parts, vec![VERSION]).expect("units hold text and numbers only")
}

/// What a provision adds to its unit.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Provision<'a> {
    id: Box<str>,
    label: Box<str>,
    text: Box<str>,
    lead_in: Option<Box<str>>,
    references: Vec<Reference>,
    #[serde(borrow)]
    section: SectionRef<'a>,
}

#[derive(Deserialize)]
struct Reference {
    text: Box<str>,
}

#[derive(Deserialize)]
struct Items<T> {
    items: Vec<T>,
}

/// Reads units from the identity bytes of [`PARTS_OF_UNITS`]; `None` when another version of Norma wrote them.
pub fn units([units, provisions, terms]: &[Bytes; 3]) -> Option<Units> {
    let (_, units) = units.split_first().filter(|(version, _)| **version == VERSION)?;
    let mut parts: UnitsParts = postcard::from_bytes(&[units, NO_LAYERS].concat()).ok()?;
    let provisions: Items<Provision<'_>> = serde_json::from_slice(provisions).ok()?;
    let terms: Items<Term<'_>> = serde_json::from_slice(terms).ok()?;
    if provisions.items.len() != parts.units.len() || terms.items.len() != parts.terms.len() {
        return None;
    }
    for (unit, Provision { id, label, text, lead_in, references, .. }) in
        parts.units.iter_mut().zip(provisions.items)
    {
        (unit.id, unit.label, unit.text, unit.lead_in) = (id, Some(label), text, lead_in);
        for (reference, Reference { text }) in unit.references.iter_mut().zip(references) {
            reference.text = text;
        }
    }
    for (term, Term { mut designations, definitions, .. }) in parts.terms.iter_mut().zip(terms.items) {
        // As in the units: the preferred ones first, each kind in the order of the source.
        designations.sort_by_key(|designation| designation.status != DesignationStatus::Preferred);
        let texts =
            designations.into_iter().map(|one| one.text).chain(definitions.into_iter().map(|one| one.text));
        for (own, text) in term.designations.iter_mut().chain(&mut term.definitions).zip(texts) {
            own.text = text.into();
        }
    }
    Units::new(parts).ok()
}

/// The units that follow from the identity bytes of the part [`Provisions`](Part::Provisions) alone, without languages, terms, types and
/// targets of references: enough to find a provision again in another derivation of the same edition, also where another version of
/// Norma wrote the pack. `None` where it had provisions in another form.
pub fn units_of_provisions(provisions: &[u8]) -> Option<Units> {
    let provisions: Items<Provision<'_>> = serde_json::from_slice(provisions).ok()?;
    let mut parts = UnitsParts::default();
    for Provision { id, label, text, lead_in, section, references: _ } in provisions.items {
        if parts.sections.last().is_none_or(|last| *last.id != *section.id) {
            let [label, title] = [section.number, section.title].map(|text| text.map(Into::into));
            parts.sections.push(Section { id: section.id.into(), label, title, ..Section::default() });
        }
        let section = parts.sections.len() - 1;
        parts.units.push(Unit { id, label: Some(label), text, lead_in, section, ..Unit::default() });
    }
    Units::new(parts).ok()
}
