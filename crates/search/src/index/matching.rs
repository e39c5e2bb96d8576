//! Which units of a segment match a query, and how.

use fixedbitset::FixedBitSet;
use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, Term};

use std::sync::Arc;

use super::error::SearchError;
use super::fields::Fields;
use super::steps::UnitSet;
use crate::about::{About, LONGEST_TITLE};
use crate::collect::{Collector, Scope, Tier, TooManyMatches};
use crate::query::{Clause, Element, TextQuery};

impl From<TooManyMatches> for SearchError {
    fn from(_: TooManyMatches) -> Self {
        Self::TooManyMatches
    }
}

pub(super) fn damaged(error: impl std::fmt::Display) -> SearchError {
    SearchError::Damaged(error.to_string())
}

/// How a unit matches that is not found by its key. `found` says how its clauses match together.
pub(super) fn tier(
    found: UnitMatch,
    query: &TextQuery,
    sequence: &mut ClausePostings,
    doc: u32,
    about: About,
) -> Tier {
    if !found.is_whole() {
        return Tier::Part;
    }
    if !found.title {
        let has_phrase = sequence.is_in(UnitField::Text, doc);
        return if has_phrase { Tier::Phrase } else { Tier::Words };
    }
    let starts = sequence.starts(UnitField::Title, doc);
    if starts.is_empty() {
        return Tier::TitleWords;
    }
    // A title of `LONGEST_TITLE` words may have more: the number of words ends there.
    let words = about.title_words();
    let is_as_long = words == u64::from(query.title_words) && words < LONGEST_TITLE;
    if is_as_long && starts.contains(&query.title_start) { Tier::Title } else { Tier::TitlePhrase }
}

/// Where a clause matches in a unit.
#[derive(Clone, Copy, Default)]
pub(super) struct UnitMatch {
    pub(super) title: bool,
    text: bool,
    /// The unit is of the document that the clause names.
    document: bool,
}

impl UnitMatch {
    /// True where whole words match, not only parts of words.
    fn is_whole(self) -> bool {
        self.title || self.text || self.document
    }
}

/// How all clauses match together. `title` says that the title has all words; `text` that whole words match.
pub(super) fn match_all(clauses: &mut [ClausePostings], doc: u32) -> Option<UnitMatch> {
    let mut all = UnitMatch { title: true, text: true, document: false };
    for clause in clauses {
        let found = clause.match_at(doc)?;
        all.title &= found.title || found.document;
        all.text &= found.is_whole();
    }
    all.title &= all.text;
    Some(all)
}

/// A segment with its lists of words and its numbers of units.
pub(super) struct SegmentTexts {
    segment: SegmentReader,
    pub(super) fields: Fields,
    pub(super) title: Arc<InvertedIndexReader>,
    pub(super) text: Arc<InvertedIndexReader>,
    pub(super) parts: Arc<InvertedIndexReader>,
    pub(super) context: Arc<InvertedIndexReader>,
    pub(super) keys: Arc<InvertedIndexReader>,
    pub(super) document: Arc<InvertedIndexReader>,
    pub(super) slot: Arc<dyn ColumnValues<u64>>,
    pub(super) position: Arc<dyn ColumnValues<u64>>,
    pub(super) index: Arc<dyn ColumnValues<u64>>,
    pub(super) about: Arc<dyn ColumnValues<u64>>,
}

pub(super) fn column(segment: &SegmentReader, name: &str) -> Result<Arc<dyn ColumnValues<u64>>, SearchError> {
    let column = segment.fast_fields().u64(name).map_err(damaged)?;
    match column.get_cardinality() {
        Cardinality::Full => Ok(column.values),
        _ => Err(damaged("a unit has not all its numbers")),
    }
}

impl SegmentTexts {
    pub(super) fn open(segment: &SegmentReader, fields: Fields) -> Result<Self, SearchError> {
        let inverted = |field| segment.inverted_index(field).map_err(damaged);
        Ok(Self {
            segment: segment.clone(),
            fields,
            title: inverted(fields.title)?,
            text: inverted(fields.text)?,
            parts: inverted(fields.parts)?,
            context: inverted(fields.context)?,
            keys: inverted(fields.keys)?,
            document: inverted(fields.document)?,
            slot: column(segment, "slot")?,
            position: column(segment, "position")?,
            index: column(segment, "index")?,
            about: column(segment, "about")?,
        })
    }

    /// True for a unit that may be found, and was not removed.
    pub(super) fn admits(&self, doc: u32, scope: &dyn Scope, collector: &Collector) -> bool {
        if self.segment.is_deleted(doc) {
            return false;
        }
        let slot = self.slot.get_val(doc) as u32;
        collector.admits(scope, slot, || About(self.about.get_val(doc)))
    }

    /// A set of units of the segment, with no lists to read.
    pub(super) fn empty_set(&self) -> UnitSet {
        UnitSet::empty(self.segment.max_doc())
    }

    /// Lets a set read the units that have one of some terms.
    pub(super) fn add_terms(
        &self,
        set: &mut UnitSet,
        reader: &Arc<InvertedIndexReader>,
        field: Field,
        terms: &[String],
    ) -> Result<(), SearchError> {
        for term in terms {
            let info = reader.get_term_info(&Term::from_field_text(field, term)).map_err(damaged)?;
            if let Some(info) = info {
                set.pending.push((Arc::clone(reader), info));
            }
        }
        Ok(())
    }

    /// About how many units have an element, hidden ones included: it decides only on the order of work.
    pub(super) fn cost(&self, element: &Element, query: &TextQuery) -> Result<u64, SearchError> {
        if element.prefix.is_some() {
            return Ok(u64::MAX);
        }
        let limits_documents = element.is_designation && query.designation().is_none();
        let mut cost = 0;
        for term in &element.terms {
            cost += units_with(&self.title, self.fields.title, term)?;
            cost += units_with(&self.text, self.fields.text, term)?;
            if limits_documents {
                cost += units_with(&self.document, self.fields.document, term)?;
            }
        }
        Ok(cost)
    }

    /// The number of units with a term in their text, hidden and removed ones included.
    pub(super) fn units_with_text(&self, term: &str) -> Result<u64, SearchError> {
        units_with(&self.text, self.fields.text, term)
    }

    /// Opens the lists of the units that have one of some terms.
    pub(super) fn terms(
        &self,
        reader: &InvertedIndexReader,
        field: Field,
        terms: &[String],
    ) -> Result<TermPostings, SearchError> {
        let mut opened = Vec::new();
        for term in terms {
            let term = Term::from_field_text(field, term);
            let record = IndexRecordOption::WithFreqsAndPositions;
            if let Some(postings) = reader.read_postings(&term, record).map_err(damaged)? {
                opened.push(postings);
            }
        }
        Ok(TermPostings(opened))
    }

    /// A set that reads the units that have a word of which an element is a prefix or a part; `None` where it
    /// is neither.
    pub(super) fn weak(&self, element: &Element) -> Result<Option<UnitSet>, SearchError> {
        if element.prefix.is_none() && element.parts.is_empty() {
            return Ok(None);
        }
        let mut set = self.empty_set();
        for part in &element.parts {
            add_prefix(&mut set, &self.parts, part)?;
        }
        if let Some(prefix) = &element.prefix {
            add_prefix(&mut set, &self.title, prefix)?;
            add_prefix(&mut set, &self.text, prefix)?;
            add_prefix(&mut set, &self.parts, &format!("={prefix}"))?;
        }
        Ok(Some(set))
    }

    /// Opens clauses that all must match, or none may. `weak` has the sets of their elements, one after the
    /// other.
    pub(super) fn clauses(
        &self,
        clauses: &[Clause],
        weak: &mut impl Iterator<Item = Option<FixedBitSet>>,
    ) -> Result<Vec<ClausePostings>, SearchError> {
        let mut opened = Vec::new();
        for clause in clauses {
            let mut postings = self.clause(clause, weak)?;
            // Next to other clauses a designation says in which document they are.
            if let Some(first) = clause.0.first()
                && first.is_designation
                && clauses.len() > 1
            {
                postings.document = Some(self.terms(&self.document, self.fields.document, &first.terms)?);
            }
            opened.push(postings);
        }
        Ok(opened)
    }

    /// Opens a clause. `weak` has the sets of its elements; without it they are not compared with parts.
    pub(super) fn clause(
        &self,
        clause: &Clause,
        weak: &mut impl Iterator<Item = Option<FixedBitSet>>,
    ) -> Result<ClausePostings, SearchError> {
        let mut elements = Vec::new();
        for element in &clause.0 {
            elements.push(ElementPostings {
                offset: element.offset,
                is_prefix: element.prefix.is_some(),
                title: self.terms(&self.title, self.fields.title, &element.terms)?,
                text: self.terms(&self.text, self.fields.text, &element.terms)?,
                weak: weak.next().flatten(),
            });
        }
        Ok(ClausePostings { elements, document: None })
    }
}

/// Lets a set read the units that have a term with a prefix.
pub(super) fn add_prefix(
    set: &mut UnitSet,
    reader: &Arc<InvertedIndexReader>,
    prefix: &str,
) -> Result<(), SearchError> {
    let (from, to) = prefix_range(prefix);
    let mut terms = reader.terms().range().ge(from).lt(to).into_stream().map_err(damaged)?;
    while terms.advance() {
        set.pending.push((Arc::clone(reader), terms.value().clone()));
    }
    Ok(())
}

/// The number of units of a segment with a term, hidden and removed ones included.
fn units_with(reader: &InvertedIndexReader, field: Field, term: &str) -> Result<u64, SearchError> {
    let units = reader.doc_freq(&Term::from_field_text(field, term)).map_err(damaged)?;
    Ok(u64::from(units))
}

/// The range of terms that begin with a prefix.
pub(super) fn prefix_range(prefix: &str) -> (Vec<u8>, Vec<u8>) {
    let from = prefix.as_bytes().to_vec();
    let mut to = from.clone();
    // No byte of UTF-8 is 0xff.
    to.push(0xff);
    (from, to)
}

/// Units that have one of some terms.
pub(super) struct TermPostings(Vec<SegmentPostings>);

impl TermPostings {
    /// True for a unit that has one of the terms. Units are asked for in rising order.
    pub(super) fn seek(&mut self, doc: u32) -> bool {
        let mut found = false;
        for postings in &mut self.0 {
            if postings.doc() < doc {
                postings.seek(doc);
            }
            found |= postings.doc() == doc;
        }
        found
    }

    /// The positions of the terms in a unit, in rising order.
    fn positions(&mut self, doc: u32) -> Vec<u32> {
        let mut positions = Vec::new();
        if !self.seek(doc) {
            return positions;
        }
        for postings in &mut self.0 {
            if postings.doc() == doc {
                postings.append_positions_with_offset(0, &mut positions);
            }
        }
        positions.sort_unstable();
        positions
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitField {
    Title,
    Text,
}

struct ElementPostings {
    /// Number of words of the query before the element.
    offset: u32,
    is_prefix: bool,
    title: TermPostings,
    text: TermPostings,
    /// Units with a word of which the element is a prefix or a part.
    weak: Option<FixedBitSet>,
}

impl ElementPostings {
    fn terms(&mut self, side: UnitField) -> &mut TermPostings {
        match side {
            UnitField::Title => &mut self.title,
            UnitField::Text => &mut self.text,
        }
    }
}

/// A clause with the lists of units of its words.
pub(super) struct ClausePostings {
    elements: Vec<ElementPostings>,
    /// Units of the document that the clause names.
    document: Option<TermPostings>,
}

impl ClausePostings {
    /// Where the clause matches in a unit; `None` where it does not.
    pub(super) fn match_at(&mut self, doc: u32) -> Option<UnitMatch> {
        let found = UnitMatch {
            title: self.is_in(UnitField::Title, doc),
            text: self.is_in(UnitField::Text, doc),
            document: match &mut self.document {
                Some(units) => units.seek(doc),
                None => false,
            },
        };
        if found.is_whole() || self.is_weak(doc) { Some(found) } else { None }
    }

    /// True for a unit with a word of which the clause is a prefix or a part. Words of phrases are whole.
    fn is_weak(&self, doc: u32) -> bool {
        let [element] = self.elements.as_slice() else { return false };
        match &element.weak {
            Some(weak) => weak.contains(doc as usize),
            None => false,
        }
    }

    /// True for a unit that is not found because it has the clause: its words, not longer ones that have a
    /// word as a part.
    pub(super) fn excludes(&mut self, doc: u32) -> bool {
        let Some(found) = self.match_at(doc) else { return false };
        found.is_whole() || self.elements.iter().any(|element| element.is_prefix)
    }

    /// True for a unit that has the words in their order.
    fn is_in(&mut self, side: UnitField, doc: u32) -> bool {
        match self.elements.as_mut_slice() {
            [element] => element.terms(side).seek(doc),
            _ => !self.starts(side, doc).is_empty(),
        }
    }

    /// Where the words are in their order in a unit, by the positions of the first.
    fn starts(&mut self, side: UnitField, doc: u32) -> Vec<u32> {
        let Some((first, rest)) = self.elements.split_first_mut() else { return Vec::new() };
        let mut starts = first.terms(side).positions(doc);
        for element in rest {
            if starts.is_empty() {
                break;
            }
            let distance = element.offset - first.offset;
            let positions = element.terms(side).positions(doc);
            starts.retain(|start| positions.binary_search(&(start + distance)).is_ok());
        }
        starts
    }
}
