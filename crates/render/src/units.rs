//! The stored form of the units of an edition, which comparisons read. It omits what provisions, terms and
//! tables already have, since their texts and ids would be the largest part of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use foldhash::HashMap;
use norma_api::shapes::{self, Passage, Quantity, SectionRef};
use norma_compare::{
    ComparisonSection, ComparisonUnit, NumberedPart, NumberedPartKind, UnitContext, UnitReference,
    UnitTarget, Units, UnitsParts,
};
use norma_model::{Asset, EditionParts, Lang, ProvisionKind, Term};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::PackPart;

/// The version of the stored form, which changes whenever units of another version cannot be read, or have
/// another meaning.
const VERSION: u8 = 6;

/// The parts of a pack that [`units`] reads, in the order of its argument.
pub const PARTS_OF_UNITS: [PackPart; 4] =
    [PackPart::Units, PackPart::Provisions, PackPart::Terms, PackPart::Tables];

/// The part [`Units`](crate::PackPart::Units): what no other part has of the units, in postcard.
#[derive(Serialize, Deserialize)]
struct PackedUnits {
    documents: Vec<Box<str>>,
    languages: Vec<Lang>,
    sections: Vec<ComparisonSection>,
    /// The tables without id, label and caption, then figures and formulae.
    parts: Vec<NumberedPart>,
    /// One for each provision.
    units: Vec<PackedUnit>,
}

/// The indices of a unit, and its values in the form that comparisons have them.
#[derive(Serialize, Deserialize)]
struct PackedUnit {
    section: usize,
    kind: Option<ProvisionKind>,
    negated: bool,
    /// The target of each reference.
    targets: Vec<Option<UnitTarget>>,
    terms: Vec<usize>,
    context: UnitContext,
}

impl PackedUnit {
    fn new(unit: ComparisonUnit) -> Self {
        let ComparisonUnit { section, kind, negated, references, terms, context, .. } = unit;
        let targets = references.into_iter().map(|reference| reference.target).collect();
        Self { section, kind, negated, targets, terms, context }
    }
}

/// The part [`Units`](crate::PackPart::Units) of an edition: its version, then the [`PackedUnits`]. `assets`
/// is parallel to the graphics.
pub(crate) fn units_to_bytes(edition: &EditionParts, assets: &[Option<Asset>]) -> Vec<u8> {
    let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
    let UnitsParts { documents, languages, sections, mut parts, terms: _, units } =
        UnitsParts::without_cells_and_terms(edition).with_picture_digests(digests);
    for table in parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Table) {
        (table.id, table.label, table.caption) = Default::default();
    }
    let units = units.into_iter().map(PackedUnit::new).collect();
    let stored = PackedUnits { documents, languages, sections, parts, units };
    postcard::to_extend(&stored, vec![VERSION]).expect("units hold text and numbers only")
}

/// The values that a provision adds to its unit.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnitProvision<'a> {
    id: Box<str>,
    label: Box<str>,
    text: Box<str>,
    lead_in: Option<Box<str>>,
    references: Vec<ReferenceText>,
    #[serde(default)]
    verbal_form: Box<str>,
    #[serde(default, borrow)]
    quantities: Vec<Quantity<'a>>,
    #[serde(default, borrow)]
    conditions: Vec<Passage<'a>>,
    #[serde(borrow)]
    subject: Option<Passage<'a>>,
}

/// The members that are the same in the packs of all versions.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProvisionText<'a> {
    id: Box<str>,
    label: Box<str>,
    text: Box<str>,
    lead_in: Option<Box<str>>,
    #[serde(borrow)]
    section: SectionRef<'a>,
}

#[derive(Deserialize)]
struct ReferenceText {
    text: Box<str>,
}

#[derive(Serialize, Deserialize)]
struct UnitItems<T> {
    items: Vec<T>,
}

/// Reads units from the identity bytes of [`PARTS_OF_UNITS`]; `None` when another version of Norma wrote
/// them.
pub fn units([units, provisions, terms, tables]: &[Bytes; 4]) -> Option<Units> {
    let (version, stored) = units.split_first()?;
    if *version != VERSION {
        return None;
    }
    let PackedUnits { documents, languages, sections, mut parts, units } =
        postcard::from_bytes(stored).ok()?;
    let units = with_provisions(units, provisions)?;
    let terms = read_terms(terms, &sections)?;
    add_tables(&mut parts, tables, &units)?;
    Units::new(UnitsParts { documents, languages, sections, parts, terms, units }).ok()
}

/// The same parts without the positions of provisions in the text of their sections. [`units`] does not read
/// them, and a word that is added to a section changes those of all provisions after it. Parts that another
/// version of Norma wrote stay as they are.
pub fn without_positions([units, provisions, terms, tables]: [Bytes; 4]) -> [Bytes; 4] {
    let stripped = match serde_json::from_slice::<UnitItems<BTreeMap<&str, &RawValue>>>(&provisions) {
        Ok(mut read) => {
            for provision in &mut read.items {
                provision.remove("anchor");
            }
            serde_json::to_vec(&read).ok()
        }
        Err(_) => None,
    };
    [units, stripped.map_or(provisions, Bytes::from), terms, tables]
}

/// The units with what the part of the provisions has of them.
fn with_provisions(stored: Vec<PackedUnit>, provisions: &[u8]) -> Option<Vec<ComparisonUnit>> {
    let provisions: UnitItems<UnitProvision<'_>> = serde_json::from_slice(provisions).ok()?;
    if provisions.items.len() != stored.len() {
        return None;
    }
    let mut units = Vec::with_capacity(stored.len());
    for (stored, provision) in stored.into_iter().zip(provisions.items) {
        let PackedUnit { section, kind, negated, targets, terms, context } = stored;
        let form = norma_compare::find(&provision.text, provision.lead_in.as_deref(), &provision.verbal_form);
        let mut references = Vec::with_capacity(provision.references.len());
        for (reference, target) in provision.references.into_iter().zip(targets) {
            references.push(UnitReference { text: reference.text, target });
        }
        units.push(ComparisonUnit {
            id: provision.id,
            label: Some(provision.label),
            text: provision.text,
            lead_in: provision.lead_in,
            section,
            kind,
            negated,
            verbal_form: form,
            quantities: provision.quantities.into_iter().filter_map(Quantity::into_model).collect(),
            conditions: provision.conditions.iter().map(Passage::to_model).collect(),
            subject: provision.subject.as_ref().map(Passage::to_model),
            references,
            terms,
            context,
        });
    }
    Some(units)
}

/// The terms from their part.
fn read_terms(terms: &[u8], sections: &[ComparisonSection]) -> Option<Vec<Term>> {
    let index_of: HashMap<&str, usize> =
        sections.iter().enumerate().map(|(index, section)| (&*section.id, index)).collect();
    let terms: UnitItems<shapes::Term<'_>> = serde_json::from_slice(terms).ok()?;
    let mut found = Vec::with_capacity(terms.items.len());
    for term in terms.items {
        let section = *index_of.get(&*term.section.id)?;
        found.push(term.into_model(section)?);
    }
    Some(found)
}

/// Adds to the tables, which are the first of the parts, what the part of the tables has of them.
fn add_tables(parts: &mut [NumberedPart], tables: &[u8], units: &[ComparisonUnit]) -> Option<()> {
    let tables: UnitItems<shapes::Table<'_>> = serde_json::from_slice(tables).ok()?;
    let (own, others) = parts.split_at_mut_checked(tables.items.len())?;
    let figures = others.iter().filter(|part| part.kind == NumberedPartKind::Figure);
    let graphics: HashMap<&str, u32> = figures.map(|figure| &*figure.id).zip(0..).collect();
    let provisions: HashMap<&str, u32> = units.iter().map(|unit| &*unit.id).zip(0..).collect();
    for (part, table) in own.iter_mut().zip(tables.items) {
        let grid = table.to_model_grid(|id| graphics.get(id).copied(), |id| provisions.get(id).copied());
        part.grid = grid.map(Arc::new);
        part.id = table.id.into();
        part.label = table.label.or(table.number).map(Into::into);
        part.caption = table.caption.map(Into::into);
    }
    Some(())
}

/// The units from the identity bytes of the part [`Provisions`](PackPart::Provisions) alone, without
/// languages, terms, types and targets of references. This is enough to find a provision again in another
/// derivation of the same edition, even if another version of Norma wrote the pack. `None` where it had
/// provisions in another form.
pub fn units_of_provisions(provisions: &[u8]) -> Option<Units> {
    let provisions: UnitItems<ProvisionText<'_>> = serde_json::from_slice(provisions).ok()?;
    let mut parts = UnitsParts::default();
    for ProvisionText { id, label, text, lead_in, section } in provisions.items {
        if parts.sections.last().is_none_or(|last| *last.id != *section.id) {
            let SectionRef { id, number, title } = section;
            parts.sections.push(ComparisonSection {
                id: id.into(),
                number: number.map(Into::into),
                title: title.map(Into::into),
                ..ComparisonSection::default()
            });
        }
        let section = parts.sections.len() - 1;
        parts.units.push(ComparisonUnit {
            id,
            label: Some(label),
            text,
            lead_in,
            section,
            ..ComparisonUnit::default()
        });
    }
    Units::new(parts).ok()
}
