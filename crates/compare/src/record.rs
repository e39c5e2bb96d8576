//! The stored form of a comparison: ids, labels, facets and offsets of both editions, and no text of a unit.

use norma_model::{Lang, ProvisionKind};
use serde::{Deserialize, Serialize};

use crate::comparison::{
    Change, Comparison, Confidence, Facets, Link, Origin, ReferenceChange, Relation, Strength, Unmatched,
};
use crate::difference::Edit;
use crate::quantities::Quantity;
use crate::units::{Section, Unit, Units};

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

/// What changed in a pair, by kind. Whatever is empty did not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedFacets {
    /// Sections, where they do not correspond.
    pub moved: Option<Change<SectionName>>,
    /// Type and polarity.
    pub strength: Option<Change<Strength>>,
    /// Number of negating words in lead-in and text.
    pub negation: Option<Change<usize>>,
    /// Numbers with their units; `None` where one was added or dropped.
    pub quantities: Vec<Change<Option<Quantity>>>,
    /// References.
    pub references: Vec<ReferenceChange>,
    /// Preferred designations of terms that both units use and whose definition changed.
    pub terms: Vec<Change<Box<str>>>,
}

/// A section by id and label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionName {
    /// Its id.
    pub id: Box<str>,
    /// Label without its leading word: `4.2.1`, `A`.
    pub label: Option<Box<str>>,
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
        }
    }

    /// How many bytes of memory it takes, with what the allocator adds to each value, about.
    pub fn memory(&self) -> usize {
        let text = |text: &str| ALLOCATION + text.len();
        let label = |label: &Option<Box<str>>| label.as_deref().map_or(0, text);
        let units = self.older.iter().chain(&self.newer);
        let units = units.map(|unit| size_of::<RecordedUnit>() + text(&unit.id) + label(&unit.label));
        let section = |name: &SectionName| text(&name.id) + label(&name.label);
        let links = self.links.iter().map(|link| {
            let RecordedFacets { moved, strength: _, negation: _, quantities, references, terms } =
                &link.facets;
            let edits = [&link.lead_in, &link.text].map(|edits| list::<Edit>(edits.len()));
            let number = |number: &Option<Quantity>| {
                number.as_ref().map_or(0, |one| text(&one.value) + one.unit.as_deref().map_or(0, text))
            };
            let quantity = |change: &Change<Option<Quantity>>| number(&change.from) + number(&change.to);
            let reference = |change: &ReferenceChange| label(&change.from) + label(&change.to);
            size_of::<RecordedLink>()
                + edits.iter().sum::<usize>()
                + moved.as_ref().map_or(0, |change| section(&change.from) + section(&change.to))
                + list::<Change<Option<Quantity>>>(quantities.len())
                + quantities.iter().map(quantity).sum::<usize>()
                + list::<ReferenceChange>(references.len())
                + references.iter().map(reference).sum::<usize>()
                + list::<Change<Box<str>>>(terms.len())
                + terms.iter().map(|term| text(&term.from) + text(&term.to)).sum::<usize>()
        });
        let unmatched = self
            .older_unmatched
            .iter()
            .chain(&self.newer_unmatched)
            .map(|one| size_of::<RecordedUnmatched>() + list::<RecordedCandidate>(one.candidates.len()));
        units.sum::<usize>() + links.sum::<usize>() + unmatched.sum::<usize>()
    }
}

/// Bytes that the allocator adds to a value, at most.
const ALLOCATION: usize = 24;

fn list<T>(length: usize) -> usize {
    if length == 0 { 0 } else { ALLOCATION + length * size_of::<T>() }
}

fn recorded(link: &Link, older: &Units, newer: &Units) -> RecordedLink {
    let Facets { moved, strength, negation, quantities, references, terms } = &link.facets;
    let designation = |units: &Units, term: usize| -> Box<str> {
        units.terms[term].designations.first().map_or_else(Box::default, |first| first.text.clone())
    };
    let facets = RecordedFacets {
        moved: moved.map(|Change { from, to }| Change {
            from: (&older.sections[from]).into(),
            to: (&newer.sections[to]).into(),
        }),
        strength: *strength,
        negation: *negation,
        quantities: quantities.clone(),
        references: references.clone(),
        terms: terms
            .iter()
            .map(|term| Change { from: designation(older, term.from), to: designation(newer, term.to) })
            .collect(),
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

impl From<&Section> for SectionName {
    fn from(section: &Section) -> Self {
        Self { id: section.id.clone(), label: section.label.clone() }
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
