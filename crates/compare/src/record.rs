//! The stored form of a comparison: ids, labels, facets and offsets of both editions, without the text of a
//! unit.

use norma_model::{Lang, ProvisionKind, Quantity};
use serde::{Deserialize, Serialize};

use crate::comparison::{
    Amount, Bound, Candidate, CellChange, Change, Comparison, Dependency, DependencyKind, Facets, LineChange,
    Link, Polarity, ReferenceChange, SectionChange, Strength, TableChange, Unmatched,
};
use crate::difference::Edit;
use crate::passages::PassageWords;
use crate::units::{ComparisonSection, ComparisonUnit, NumberedPartKind, Units};

/// A comparison as it is stored. It holds values of facets (numbers with units, references as they read,
/// designations of terms), which a reader may see only where he may read the edition that they are from.
/// Similarities are multiples of 1/1024.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonRecord {
    /// [`crate::VERSION`] of the matcher.
    pub version: u32,
    /// The language that was compared, where it is known.
    pub language: Option<Lang>,
    /// The units of the older edition in document order; links and candidates name them by index.
    pub older: Vec<UnitName>,
    /// The units of the newer edition in document order.
    pub newer: Vec<UnitName>,
    /// In order of the older edition, then of the newer.
    pub links: Vec<Link<PartName>>,
    /// Units of the older edition for which no counterpart was found: removed, or not recognized.
    pub older_unmatched: Vec<Unmatched>,
    /// Units of the newer edition for which no counterpart was found: new, or not recognized.
    pub newer_unmatched: Vec<Unmatched>,
    /// The change of each section, in order of the newer edition, then the removed ones.
    pub outline: Vec<SectionChange<Heading>>,
    /// The change of each table, in the same order.
    pub tables: Vec<TableChange<PartName>>,
}

/// A unit of an edition, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitName {
    /// The id, which is unique in the edition.
    pub id: Box<str>,
    /// The label for people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// The type, where that is known.
    pub kind: Option<ProvisionKind>,
}

/// A section, table, figure, formula, term or unit by id and label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartName {
    /// The id in the edition; for a formula that of its section.
    pub id: Box<str>,
    /// The label: for a section its number, `4.2.1`; for a term its preferred designation.
    pub label: Option<Box<str>>,
}

/// A section by id, number and title.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The id in the edition.
    pub id: Box<str>,
    /// The number: `4.2.1`, `A`; `None` for a section without one, such as a foreword.
    pub label: Option<Box<str>>,
    /// The title as plain text.
    pub title: Option<Box<str>>,
}

impl ComparisonRecord {
    /// The stored form of the comparison of the editions `older` and `newer`.
    ///
    /// # Panics
    /// Where the comparison is not one of these two editions and names a unit, section or term that is not
    /// there.
    pub fn new(older: &Units, newer: &Units, comparison: &Comparison) -> Self {
        let editions = Editions { older, newer };
        let mut record = Self {
            version: crate::VERSION,
            language: older.languages.first().cloned(),
            older: unit_names(&older.units),
            newer: unit_names(&newer.units),
            links: Vec::with_capacity(comparison.links.len()),
            older_unmatched: comparison.older_unmatched.clone(),
            newer_unmatched: comparison.newer_unmatched.clone(),
            outline: Vec::with_capacity(comparison.outline.len()),
            tables: Vec::with_capacity(comparison.tables.len()),
        };
        for link in &comparison.links {
            record.links.push(editions.link(link.clone()));
        }
        for change in &comparison.outline {
            record.outline.push(editions.section_change(change));
        }
        for change in &comparison.tables {
            record.tables.push(editions.table_change(change.clone()));
        }
        record.round_similarities();
        record
    }

    fn round_similarities(&mut self) {
        for link in &mut self.links {
            link.similarity = rounded(link.similarity);
        }
        for unmatched in self.older_unmatched.iter_mut().chain(&mut self.newer_unmatched) {
            for candidate in &mut unmatched.candidates {
                candidate.similarity = rounded(candidate.similarity);
            }
        }
    }

    /// Approximate bytes of memory, with what the allocator adds to each value.
    pub fn memory(&self) -> usize {
        self.heap()
    }
}

/// The nearest multiple of 1/1024. The last 13 bits of it are zero, so that it compresses.
fn rounded(similarity: f32) -> f32 {
    (similarity * 1024.0).round() / 1024.0
}

fn unit_names(units: &[ComparisonUnit]) -> Vec<UnitName> {
    let mut names = Vec::with_capacity(units.len());
    for unit in units {
        names.push(UnitName { id: unit.id.clone(), label: unit.label.clone(), kind: unit.kind });
    }
    names
}

/// The two editions of a comparison, from which names for its indices come.
struct Editions<'a> {
    older: &'a Units,
    newer: &'a Units,
}

impl Editions<'_> {
    fn names(&self, kind: DependencyKind, change: Change<usize>) -> Change<PartName> {
        Change { older: name(self.older, kind, change.older), newer: name(self.newer, kind, change.newer) }
    }

    fn link(&self, link: Link) -> Link<PartName> {
        let Link { older, newer, relation, confidence, origin, similarity, facets, lead_in, text } = link;
        let mut terms = Vec::with_capacity(facets.terms.len());
        for term in facets.terms {
            terms.push(self.names(DependencyKind::Term, term));
        }
        let mut depends_on = Vec::with_capacity(facets.depends_on.len());
        for Dependency { kind, target, changed, new, removed, unknown } in facets.depends_on {
            let target = self.names(kind, target);
            depends_on.push(Dependency { kind, target, changed, new, removed, unknown });
        }
        let facets = Facets {
            moved: facets.moved.map(|change| self.names(DependencyKind::Clause, change)),
            strength: facets.strength,
            normative: facets.normative,
            negation: facets.negation,
            quantities: facets.quantities,
            bounds: facets.bounds,
            conditions: facets.conditions,
            subject: facets.subject,
            references: facets.references,
            terms,
            depends_on,
        };
        Link { older, newer, relation, confidence, origin, similarity, facets, lead_in, text }
    }

    fn section_change(&self, change: &SectionChange) -> SectionChange<Heading> {
        let SectionChange { relation, older, newer, provisions } = *change;
        let older = older.map(|section| heading(self.older, section));
        let newer = newer.map(|section| heading(self.newer, section));
        SectionChange { relation, older, newer, provisions }
    }

    fn table_change(&self, change: TableChange) -> TableChange<PartName> {
        let TableChange { relation, older, newer, caption, notes_changed, changed_cells, .. } = change;
        let TableChange { cells, rows, columns, .. } = change;
        let table = DependencyKind::Part(NumberedPartKind::Table);
        let older = older.map(|part| name(self.older, table, part));
        let newer = newer.map(|part| name(self.newer, table, part));
        TableChange { relation, older, newer, caption, notes_changed, changed_cells, cells, rows, columns }
    }
}

fn heading(units: &Units, section: usize) -> Heading {
    let ComparisonSection { id, number, title, .. } = &units.sections[section];
    Heading { id: id.clone(), label: number.clone(), title: title.clone() }
}

/// The id and label of a target, whose kind says which list the index is of.
fn name(units: &Units, kind: DependencyKind, index: usize) -> PartName {
    let (id, label): (&str, Option<&str>) = match kind {
        DependencyKind::Clause => {
            let section = &units.sections[index];
            (&section.id, section.number.as_deref())
        }
        DependencyKind::Part(_) => {
            let part = &units.parts[index];
            (&part.id, part.label.as_deref())
        }
        DependencyKind::Term => {
            let term = &units.terms[index];
            let preferred = term.designations_preferred_first().next();
            (term.id.as_str(), preferred.map(|designation| designation.text.as_str()))
        }
        DependencyKind::Footnote | DependencyKind::Sentence => {
            let unit = &units.units[index];
            (&unit.id, unit.label.as_deref())
        }
    };
    PartName { id: id.into(), label: label.map(Into::into) }
}

/// Bytes that a value takes apart from itself.
trait Heap {
    fn heap(&self) -> usize;
}

/// Most bytes that the allocator adds to a value.
const ALLOCATION: usize = 24;

impl Heap for Box<str> {
    fn heap(&self) -> usize {
        ALLOCATION + self.len()
    }
}

impl<T: Heap> Heap for Box<T> {
    fn heap(&self) -> usize {
        ALLOCATION + size_of::<T>() + T::heap(self)
    }
}

impl<T: Heap> Heap for Option<T> {
    fn heap(&self) -> usize {
        match self {
            Some(value) => value.heap(),
            None => 0,
        }
    }
}

impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        let mut bytes = if self.is_empty() { 0 } else { ALLOCATION + self.len() * size_of::<T>() };
        for value in self {
            bytes += value.heap();
        }
        bytes
    }
}

impl<T: Heap> Heap for Change<T> {
    fn heap(&self) -> usize {
        self.older.heap() + self.newer.heap()
    }
}

/// Sums the memory of the named members of each type; the others use none outside of themselves.
macro_rules! heap {
    ($($type:ty: $($member:ident)*;)*) => {
        $(impl Heap for $type {
            fn heap(&self) -> usize {
                0 $(+ self.$member.heap())*
            }
        })*
    };
}

heap! {
    ComparisonRecord: older newer links older_unmatched newer_unmatched outline tables;
    UnitName: id label;
    PartName: id label;
    Heading: id label title;
    Link<PartName>: facets lead_in text;
    Edit: ;
    Unmatched: candidates;
    Candidate: ;
    SectionChange<Heading>: older newer;
    TableChange<PartName>: older newer caption cells rows columns;
    CellChange: row column text quantity;
    LineChange: older newer;
    Facets<PartName>: moved strength negation quantities bounds conditions subject references terms depends_on;
    Strength: form;
    Polarity: form;
    Amount: quantity text;
    Bound: words;
    ReferenceChange: older newer;
    Dependency<PartName>: target;
    PassageWords: text;
    Quantity: value upper tolerance unit ucum;
}
