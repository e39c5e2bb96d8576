//! The stored form of a comparison: ids, labels, facets and offsets of both editions, and no text of a unit.

use norma_model::{Lang, ProvisionKind, Quantity};
use serde::{Deserialize, Serialize};

use crate::comparison::{
    Amount, Bound, CellChange, Change, Comparison, Confidence, Dependency, DependencyKind, Facets,
    LineChange, Link, Origin, Polarity, ReferenceChange, Relation, SectionChange, Strength, TableChange,
    Unmatched,
};
use crate::difference::Edit;
use crate::passages::Words;
use crate::units::{Part, Section, Unit, Units};

/// A comparison as it is stored. It holds values of facets (numbers with units, references as they read, designations of terms), which a
/// reader may see only where he may read the edition that they are from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`crate::VERSION`] of the matcher.
    pub version: u32,
    /// The language that was compared, where it is known.
    pub language: Option<Lang>,
    /// The units of the older edition in document order; links and candidates name them by index.
    pub older: Vec<RecordedUnit>,
    /// The units of the newer edition in document order.
    pub newer: Vec<RecordedUnit>,
    /// In order of the older edition, then of the newer.
    pub links: Vec<RecordedLink>,
    /// Units of the older edition for which no counterpart was found: removed, or not recognized.
    pub older_unmatched: Vec<RecordedUnmatched>,
    /// Units of the newer edition for which no counterpart was found: new, or not recognized.
    pub newer_unmatched: Vec<RecordedUnmatched>,
    /// What became of each section.
    pub outline: Vec<SectionChange<Heading>>,
    /// What became of each table.
    pub tables: Vec<TableChange<Name>>,
}

/// A unit of an edition, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedUnit {
    /// Its id.
    pub id: Box<str>,
    /// For people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// Its type, where that is known.
    pub kind: Option<ProvisionKind>,
}

/// A unit of the older edition and one of the newer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedLink {
    /// Index of the older unit.
    pub older: usize,
    /// Index of the newer unit.
    pub newer: usize,
    /// How they belong together.
    pub relation: Relation,
    /// How sure that is.
    pub confidence: Confidence,
    /// Where the link comes from.
    pub origin: Origin,
    /// Similarity of the texts: 0 to 1, and 1 where they are equal; a multiple of 1/1024.
    pub similarity: f32,
    /// What changed, by kind.
    pub facets: RecordedFacets,
    /// Words of the lead-in that differ, as offsets in Unicode scalar values.
    pub lead_in: Vec<Edit>,
    /// Words of the text that differ, as offsets in Unicode scalar values.
    pub text: Vec<Edit>,
}

/// What changed in a pair, by kind.
pub type RecordedFacets = Facets<Name, Name, Name>;

/// A section, table, figure, formula or term by id and label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    /// Its id.
    pub id: Box<str>,
    /// Of a section its number, `4.2.1`; of a term its preferred designation.
    pub label: Option<Box<str>>,
}

/// A section by id, number and title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// Its id.
    pub id: Box<str>,
    /// Its number.
    pub label: Option<Box<str>>,
    /// Its title.
    pub title: Option<Box<str>>,
}

/// A unit for which no counterpart was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedUnmatched {
    /// Index of the unit in its edition.
    pub unit: usize,
    /// The nearest units of the other edition, best first.
    pub candidates: Vec<RecordedCandidate>,
}

/// A unit that is near another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedCandidate {
    /// Index of the unit in its edition.
    pub unit: usize,
    /// Similarity of the texts: 0 to 1; a multiple of 1/1024.
    pub similarity: f32,
}

impl Record {
    /// The stored form of the comparison of two editions: `older` and `newer` are those that were compared.
    ///
    /// # Panics
    /// Where the comparison is not one of these two editions and names a unit, section or term that is not there.
    pub fn new(older: &Units, newer: &Units, comparison: &Comparison) -> Self {
        Self {
            version: crate::VERSION,
            language: older.languages.first().cloned(),
            older: older.units.iter().map(RecordedUnit::from).collect(),
            newer: newer.units.iter().map(RecordedUnit::from).collect(),
            links: comparison.links.iter().map(|link| recorded(link, older, newer)).collect(),
            older_unmatched: comparison.older_unmatched.iter().map(RecordedUnmatched::from).collect(),
            newer_unmatched: comparison.newer_unmatched.iter().map(RecordedUnmatched::from).collect(),
            outline: comparison.outline.iter().map(|change| section_change(change, older, newer)).collect(),
            tables: comparison.tables.iter().map(|change| table_change(change, older, newer)).collect(),
        }
    }

    /// How many bytes of memory it takes, with what the allocator adds to each value, about.
    pub fn memory(&self) -> usize {
        let units = self.older.iter().chain(&self.newer);
        let units = units.map(|unit| size_of::<RecordedUnit>() + text(&unit.id) + optional(&unit.label));
        let links = self.links.iter().map(|link| {
            let edits = [&link.lead_in, &link.text].map(|edits| list::<Edit>(edits.len()));
            size_of::<RecordedLink>() + edits.iter().sum::<usize>() + facets_memory(&link.facets)
        });
        let unmatched = self
            .older_unmatched
            .iter()
            .chain(&self.newer_unmatched)
            .map(|one| size_of::<RecordedUnmatched>() + list::<RecordedCandidate>(one.candidates.len()));
        let heading = |heading: &Option<Heading>| {
            heading.as_ref().map_or(0, |one| text(&one.id) + optional(&one.label) + optional(&one.title))
        };
        let outline = self.outline.iter().map(|change| {
            size_of::<SectionChange<Heading>>() + heading(&change.older) + heading(&change.newer)
        });
        let tables = self.tables.iter().map(table_memory);
        units.sum::<usize>()
            + links.sum::<usize>()
            + unmatched.sum::<usize>()
            + outline.sum::<usize>()
            + tables.sum::<usize>()
    }
}

/// Bytes that the allocator adds to a value, at most.
const ALLOCATION: usize = 24;

fn list<T>(length: usize) -> usize {
    if length == 0 { 0 } else { ALLOCATION + length * size_of::<T>() }
}

fn text(text: &str) -> usize {
    ALLOCATION + text.len()
}

fn optional(label: &Option<Box<str>>) -> usize {
    label.as_deref().map_or(0, text)
}

/// Bytes that a quantity takes apart from itself.
fn quantity_memory(one: &Quantity) -> usize {
    let Quantity { comparator: _, value, upper, tolerance, unit, ucum, passage: _ } = one;
    text(value) + [upper, tolerance, unit, ucum].into_iter().map(optional).sum::<usize>()
}

fn facets_memory(facets: &RecordedFacets) -> usize {
    let Facets {
        moved,
        strength,
        negation,
        quantities,
        bounds,
        conditions,
        subject,
        references,
        terms,
        depends_on,
    } = facets;
    let name = |name: &Name| text(&name.id) + optional(&name.label);
    let names = |change: &Change<Name>| name(&change.older) + name(&change.newer);
    let words = |words: &Option<Words>| words.as_ref().map_or(0, |words| text(&words.text));
    let quantity =
        |one: &Option<Amount>| one.as_ref().map_or(0, |one| quantity_memory(&one.quantity) + text(&one.text));
    let boxed = |is_there: bool, size: usize| if is_there { ALLOCATION + size } else { 0 };
    moved.as_ref().map_or(0, names)
        + boxed(strength.is_some(), size_of::<Change<Strength>>())
        + strength.as_ref().map_or(0, |c| words(&c.older.form) + words(&c.newer.form))
        + boxed(negation.is_some(), size_of::<Change<Polarity>>())
        + negation.as_ref().map_or(0, |c| words(&c.older.form) + words(&c.newer.form))
        + boxed(subject.is_some(), size_of::<Change<Words>>())
        + list::<Change<Option<Amount>>>(quantities.len())
        + quantities.iter().map(|c| quantity(&c.older) + quantity(&c.newer)).sum::<usize>()
        + list::<Change<Bound>>(bounds.len())
        + bounds.iter().map(|c| text(&c.older.words.text) + text(&c.newer.words.text)).sum::<usize>()
        + list::<Change<Option<Words>>>(conditions.len())
        + conditions.iter().map(|c| words(&c.older) + words(&c.newer)).sum::<usize>()
        + subject.as_ref().map_or(0, |c| text(&c.older.text) + text(&c.newer.text))
        + list::<ReferenceChange>(references.len())
        + references.iter().map(|c| words(&c.older) + words(&c.newer)).sum::<usize>()
        + list::<Change<Name>>(terms.len())
        + terms.iter().map(names).sum::<usize>()
        + list::<Dependency<Name>>(depends_on.len())
        + depends_on.iter().map(|one| names(&one.target)).sum::<usize>()
}

fn table_memory(table: &TableChange<Name>) -> usize {
    let name = |name: &Option<Name>| name.as_ref().map_or(0, |name| text(&name.id) + optional(&name.label));
    let texts = |change: &Change<Box<str>>| text(&change.older) + text(&change.newer);
    let quantities =
        |change: &Change<Quantity>| quantity_memory(&change.older) + quantity_memory(&change.newer);
    let cell = |cell: &CellChange| {
        text(&cell.row)
            + text(&cell.column)
            + texts(&cell.text)
            + cell.quantity.as_ref().map_or(0, quantities)
    };
    let lines = [&table.rows, &table.columns].map(|lines| {
        let heads = lines.iter().map(|line| optional(&line.older) + optional(&line.newer));
        list::<LineChange>(lines.len()) + heads.sum::<usize>()
    });
    size_of::<TableChange<Name>>()
        + name(&table.older)
        + name(&table.newer)
        + table.caption.as_ref().map_or(0, texts)
        + list::<CellChange>(table.cells.len())
        + table.cells.iter().map(cell).sum::<usize>()
        + lines.iter().sum::<usize>()
}

/// The names of what changed, of two indices.
fn names(change: Change<usize>, name: impl Fn(usize, &Units) -> Name, editions: [&Units; 2]) -> Change<Name> {
    Change { older: name(change.older, editions[0]), newer: name(change.newer, editions[1]) }
}

fn section_name(section: usize, units: &Units) -> Name {
    let Section { id, label, .. } = &units.sections[section];
    Name { id: id.clone(), label: label.clone() }
}

fn part_name(part: usize, units: &Units) -> Name {
    let Part { id, label, .. } = &units.parts[part];
    Name { id: id.clone(), label: label.clone() }
}

fn term_name(term: usize, units: &Units) -> Name {
    let term = &units.terms[term];
    Name { id: term.id.clone(), label: term.designations.first().map(|first| first.text.clone()) }
}

fn section_change(change: &SectionChange, older: &Units, newer: &Units) -> SectionChange<Heading> {
    let heading = |section: Option<usize>, units: &Units| {
        let Section { id, label, title, .. } = &units.sections[section?];
        Some(Heading { id: id.clone(), label: label.clone(), title: title.clone() })
    };
    let SectionChange { relation, older: from, newer: to, provisions } = *change;
    SectionChange { relation, older: heading(from, older), newer: heading(to, newer), provisions }
}

fn table_change(change: &TableChange, older: &Units, newer: &Units) -> TableChange<Name> {
    TableChange {
        relation: change.relation,
        older: change.older.map(|part| part_name(part, older)),
        newer: change.newer.map(|part| part_name(part, newer)),
        caption: change.caption.clone(),
        notes_changed: change.notes_changed,
        changed_cells: change.changed_cells,
        cells: change.cells.clone(),
        rows: change.rows.clone(),
        columns: change.columns.clone(),
    }
}

fn recorded(link: &Link, older: &Units, newer: &Units) -> RecordedLink {
    let editions = [older, newer];
    let facets = link.facets.clone();
    let dependency = |one: Dependency| Dependency {
        kind: one.kind,
        target: match one.kind {
            DependencyKind::Clause => names(one.target, section_name, editions),
            DependencyKind::Part(_) => names(one.target, part_name, editions),
            DependencyKind::Term => names(one.target, term_name, editions),
        },
        changed: one.changed,
        new: one.new,
        removed: one.removed,
    };
    let facets = Facets {
        moved: facets.moved.map(|change| names(change, section_name, editions)),
        strength: facets.strength,
        negation: facets.negation,
        quantities: facets.quantities,
        bounds: facets.bounds,
        conditions: facets.conditions,
        subject: facets.subject,
        references: facets.references,
        terms: facets.terms.into_iter().map(|change| names(change, term_name, editions)).collect(),
        depends_on: facets.depends_on.into_iter().map(dependency).collect(),
    };
    RecordedLink {
        older: link.older,
        newer: link.newer,
        relation: link.relation,
        confidence: link.confidence,
        origin: link.origin,
        similarity: rounded(link.similarity),
        facets,
        lead_in: link.lead_in.clone(),
        text: link.text.clone(),
    }
}

/// The nearest multiple of 1/1024: its last 13 bits are zero, so that it compresses.
fn rounded(similarity: f32) -> f32 {
    (similarity * 1024.0).round() / 1024.0
}

impl From<&Unit> for RecordedUnit {
    fn from(unit: &Unit) -> Self {
        Self { id: unit.id.clone(), label: unit.label.clone(), kind: unit.kind }
    }
}

impl From<&Unmatched> for RecordedUnmatched {
    fn from(unmatched: &Unmatched) -> Self {
        let candidates = unmatched.candidates.iter();
        let candidates =
            candidates.map(|c| RecordedCandidate { unit: c.unit, similarity: rounded(c.similarity) });
        Self { unit: unmatched.unit, candidates: candidates.collect() }
    }
}
