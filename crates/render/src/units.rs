//! The stored form of the units of an edition, which comparisons read. It omits what provisions, terms and
//! tables already have, since their texts and ids would be the largest part of it.

use bytes::Bytes;
use norma_api::shapes::{self, Acceptability, ProvisionPart, SectionRef, Term};
use norma_compare::{Cell, ComparisonUnit, Grid, NumberedPartKind, Section, Units, UnitsParts};
use norma_model::{Asset, EditionParts, Passage, Quantity};
use serde::Deserialize;

use crate::PackPart;

/// The version of the stored form, which changes whenever units of another version cannot be read, or have
/// another meaning.
const VERSION: u8 = 4;

/// The parts of a pack that [`units`] reads, in the order of its argument.
pub const PARTS_OF_UNITS: [PackPart; 4] =
    [PackPart::Units, PackPart::Provisions, PackPart::Terms, PackPart::Tables];

/// The part [`Units`](crate::PackPart::Units) of an edition: its version, then the units without texts.
/// `assets` is parallel to the graphics.
pub(crate) fn units_to_bytes(edition: &EditionParts, assets: &[Option<Asset>]) -> Vec<u8> {
    let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
    let mut parts = UnitsParts::from(Units::from(edition).with_picture_digests(digests));
    for unit in &mut parts.units {
        (unit.id, unit.label, unit.text, unit.lead_in) = Default::default();
        (unit.verbal_form, unit.quantities, unit.conditions, unit.subject) = Default::default();
        unit.references.iter_mut().for_each(|reference| reference.text = Box::default());
    }
    for part in parts.parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Table) {
        (part.id, part.label, part.caption, part.grid) = Default::default();
    }
    for term in &mut parts.terms {
        term.id = Box::default();
        term.designations.iter_mut().chain(&mut term.definitions).for_each(|text| text.text = Box::default());
    }
    postcard::to_extend(&parts, vec![VERSION]).expect("units hold text and numbers only")
}

/// The values that a provision adds to its unit.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnitProvision<'a> {
    id: Box<str>,
    label: Box<str>,
    text: Box<str>,
    lead_in: Option<Box<str>>,
    references: Vec<UnitReference>,
    #[serde(default)]
    verbal_form: Box<str>,
    #[serde(default, borrow)]
    quantities: Vec<shapes::Quantity<'a>>,
    #[serde(default, borrow)]
    conditions: Vec<shapes::Passage<'a>>,
    #[serde(borrow)]
    subject: Option<shapes::Passage<'a>>,
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
struct UnitReference {
    text: Box<str>,
}

#[derive(Deserialize)]
struct UnitItems<T> {
    items: Vec<T>,
}

/// Reads units from the identity bytes of [`PARTS_OF_UNITS`]; `None` when another version of Norma wrote
/// them.
pub fn units([units, provisions, terms, tables]: &[Bytes; 4]) -> Option<Units> {
    let (_, units) = units.split_first().filter(|(version, _)| **version == VERSION)?;
    let mut parts: UnitsParts = postcard::from_bytes(units).ok()?;
    let provisions: UnitItems<UnitProvision<'_>> = serde_json::from_slice(provisions).ok()?;
    if provisions.items.len() != parts.units.len() {
        return None;
    }
    for (unit, provision) in parts.units.iter_mut().zip(provisions.items) {
        let form = norma_compare::find(&provision.text, provision.lead_in.as_deref(), &provision.verbal_form);
        unit.verbal_form = form;
        unit.quantities = provision.quantities.into_iter().filter_map(quantity).collect();
        unit.conditions = provision.conditions.iter().map(passage).collect();
        unit.subject = provision.subject.as_ref().map(passage);
        (unit.id, unit.label) = (provision.id, Some(provision.label));
        (unit.text, unit.lead_in) = (provision.text, provision.lead_in);
        for (reference, UnitReference { text }) in unit.references.iter_mut().zip(provision.references) {
            reference.text = text;
        }
    }
    let terms: UnitItems<Term<'_>> = serde_json::from_slice(terms).ok()?;
    if terms.items.len() != parts.terms.len() {
        return None;
    }
    for (term, Term { id, mut designations, definitions, .. }) in parts.terms.iter_mut().zip(terms.items) {
        // As in the units: the preferred ones first, each kind in the order of the source.
        designations.sort_by_key(|designation| designation.acceptability != Acceptability::Preferred);
        let texts =
            designations.into_iter().map(|one| one.text).chain(definitions.into_iter().map(|one| one.text));
        term.id = id.into();
        for (own, text) in term.designations.iter_mut().chain(&mut term.definitions).zip(texts) {
            own.text = text.into();
        }
    }
    let tables: UnitItems<shapes::Table<'_>> = serde_json::from_slice(tables).ok()?;
    let own = parts.parts.iter_mut().filter(|part| part.kind == NumberedPartKind::Table);
    for (part, table) in own.zip(tables.items) {
        let label = table.label.or(table.number);
        part.grid = (!table.omitted)
            .then(|| Box::new(grid(&table.columns, &table.rows, &table.annotations, &table.footnotes)));
        (part.id, part.label, part.caption) =
            (table.id.into(), label.map(Into::into), table.caption.map(Into::into));
    }
    Units::new(parts).ok()
}

fn passage(passage: &shapes::Passage<'_>) -> Passage {
    let shapes::Passage { text: _, part, start, end } = passage;
    Passage { in_lead_in: *part == Some(ProvisionPart::LeadIn), start: *start, end: *end }
}

/// A quantity, unless a later version wrote it with a comparator that this one does not know.
fn quantity(quantity: shapes::Quantity<'_>) -> Option<Quantity> {
    let comparator = quantity.comparator.map(TryInto::try_into).transpose().ok()?;
    let (unit, ucum) = quantity.unit.map_or((None, None), |unit| (Some(unit.text.into()), unit.ucum));
    Some(Quantity {
        comparator,
        value: quantity.value.into(),
        upper: quantity.upper.map(Into::into),
        tolerance: quantity.tolerance.map(Into::into),
        unit,
        ucum: ucum.map(Into::into),
        passage: passage(&quantity.passage),
    })
}

fn grid(
    columns: &[shapes::Column<'_>],
    rows: &[shapes::TableRow<'_>],
    annotations: &[std::borrow::Cow<'_, str>],
    footnotes: &[shapes::TableFootnote<'_>],
) -> Grid {
    let texts = annotations.iter().chain(footnotes.iter().map(|footnote| &footnote.text));
    Grid {
        columns: columns.iter().map(|column| column.heads.join(" ").into()).collect(),
        rows: rows.iter().map(cells).collect(),
        notes: texts.map(|text| (**text).into()).collect(),
    }
}

/// The cells of a row. A cell that does not say its column is in the one behind the cell before.
fn cells(row: &shapes::TableRow<'_>) -> Vec<Cell> {
    let mut next = 0;
    let cells = row.cells.iter().map(|cell| {
        let column = cell.column.unwrap_or(next);
        let columns = cell.column_span.unwrap_or(1);
        next = column.saturating_add(columns);
        let quantity = cell.quantity.as_ref().and_then(|quantity| {
            let comparator = quantity.comparator.try_into().ok()?;
            let (unit, ucum) = match &quantity.unit {
                Some(unit) => (Some(&*unit.text), unit.ucum.as_deref()),
                None => (None, None),
            };
            Some(Box::new(Quantity {
                comparator: Some(comparator),
                value: (*quantity.value).into(),
                upper: quantity.upper.as_deref().map(Into::into),
                tolerance: quantity.tolerance.as_deref().map(Into::into),
                unit: unit.map(Into::into),
                ucum: ucum.map(Into::into),
                passage: Passage::default(),
            }))
        });
        Cell {
            text: (*cell.text).into(),
            column,
            more_columns: columns.saturating_sub(1),
            more_rows: cell.row_span.unwrap_or(1).saturating_sub(1),
            is_head: cell.head,
            quantity,
        }
    });
    cells.collect()
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
            let [label, title] = [section.number, section.title].map(|text| text.map(Into::into));
            parts.sections.push(Section { id: section.id.into(), label, title, ..Section::default() });
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
