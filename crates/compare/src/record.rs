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
    /// The change of each section.
    pub outline: Vec<SectionChange<Heading>>,
    /// The change of each table.
    pub tables: Vec<TableChange<PartName>>,
}

/// A unit of an edition, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitName {
    /// Its id.
    pub id: Box<str>,
    /// For people: `4.2.1(2)`.
    pub label: Option<Box<str>>,
    /// Its type, where that is known.
    pub kind: Option<ProvisionKind>,
}

/// A section, table, figure, formula or term by id and label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartName {
    /// Its id.
    pub id: Box<str>,
    /// Its label: for a section its number, `4.2.1`; for a term its preferred designation.
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

impl ComparisonRecord {
    /// The stored form of the comparison of the editions `older` and `newer`.
    ///
    /// # Panics
    /// Where the comparison is not one of these two editions and names a unit, section or term that is not
    /// there.
    pub fn new(older: &Units, newer: &Units, comparison: &Comparison) -> Self {
        let units = |list: &[ComparisonUnit]| {
            let named = |ComparisonUnit { id, label, kind, .. }: &ComparisonUnit| UnitName {
                id: id.clone(),
                label: label.clone(),
                kind: *kind,
            };
            list.iter().map(named).collect()
        };
        let editions = Editions { older, newer };
        let mut record = Self {
            version: crate::VERSION,
            language: older.languages.first().cloned(),
            older: units(&older.units),
            newer: units(&newer.units),
            links: comparison.links.iter().cloned().map(|link| editions.link(link)).collect(),
            older_unmatched: comparison.older_unmatched.clone(),
            newer_unmatched: comparison.newer_unmatched.clone(),
            outline: comparison
                .outline
                .iter()
                .cloned()
                .map(|change| editions.section_change(change))
                .collect(),
            tables: comparison.tables.iter().cloned().map(|change| editions.table_change(change)).collect(),
        };
        let unmatched = record.older_unmatched.iter_mut().chain(&mut record.newer_unmatched);
        let candidates = unmatched.flat_map(|one| &mut one.candidates).map(|near| &mut near.similarity);
        for similarity in candidates.chain(record.links.iter_mut().map(|link| &mut link.similarity)) {
            // The last 13 bits of a multiple of 1/1024 are zero, so that it compresses.
            *similarity = (*similarity * 1024.0).round() / 1024.0;
        }
        record
    }

    /// Approximate bytes of memory, with what the allocator adds to each value.
    pub fn memory(&self) -> usize {
        self.heap()
    }
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
        let dependency = |Dependency { kind, target, changed, new, removed }| Dependency {
            kind,
            target: self.names(kind, target),
            changed,
            new,
            removed,
        };
        let facets = Facets {
            moved: facets.moved.map(|change| self.names(DependencyKind::Clause, change)),
            strength: facets.strength,
            negation: facets.negation,
            quantities: facets.quantities,
            bounds: facets.bounds,
            conditions: facets.conditions,
            subject: facets.subject,
            references: facets.references,
            terms: facets.terms.into_iter().map(|term| self.names(DependencyKind::Term, term)).collect(),
            depends_on: facets.depends_on.into_iter().map(dependency).collect(),
        };
        Link { older, newer, relation, confidence, origin, similarity, facets, lead_in, text }
    }

    fn section_change(&self, change: SectionChange) -> SectionChange<Heading> {
        let heading = |section: usize, units: &Units| {
            let ComparisonSection { id, number, title, .. } = &units.sections[section];
            Heading { id: id.clone(), label: number.clone(), title: title.clone() }
        };
        let SectionChange { relation, older, newer, provisions } = change;
        let older = older.map(|section| heading(section, self.older));
        let newer = newer.map(|section| heading(section, self.newer));
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
        self.as_ref().map_or(0, T::heap)
    }
}

impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        let own = if self.is_empty() { 0 } else { ALLOCATION + self.len() * size_of::<T>() };
        own + self.iter().map(T::heap).sum::<usize>()
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
