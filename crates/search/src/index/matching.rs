//! Which units of a segment match a query, and how.

use fixedbitset::FixedBitSet;
use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use std::sync::Arc;

use super::error::SearchError;
use super::fields::Fields;
use super::steps::UnitSet;
use crate::collect::{About, Collector, LONGEST_TITLE, Scope, Tier, TooManyMatches};
use crate::query::{Clause, Element, TextQuery};

impl From<TooManyMatches> for SearchError {
    fn from(_: TooManyMatches) -> Self {
        Self::TooManyMatches
    }
}

pub(super) fn damaged(error: impl std::fmt::Display) -> SearchError {
    SearchError::Damaged(error.to_string())
}

/// The names and slots of the editions of a segment.
pub(super) fn editions(
    segment: &SegmentReader,
    fields: Fields,
    sign: char,
    editions: &mut Vec<(String, u32)>,
) -> Result<(), SearchError> {
    let keys = segment.inverted_index(fields.keys).map_err(damaged)?;
    let slots = column(segment, "slot")?;
    let (from, to) = prefix_range(&sign.to_string());
    let mut terms = keys.terms().range().ge(from).lt(to).into_stream().map_err(damaged)?;
    while terms.advance() {
        let mut postings =
            keys.read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic).map_err(damaged)?;
        let mut alive = std::iter::from_fn(|| {
            let doc = postings.doc();
            postings.advance();
            (doc != TERMINATED).then_some(doc)
        });
        if let Some(doc) = alive.find(|doc| !segment.is_deleted(*doc)) {
            let name = String::from_utf8_lossy(&terms.key()[sign.len_utf8()..]).into_owned();
            editions.push((name, slots.get_val(doc) as u32));
        }
    }
    Ok(())
}

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
    if found.title {
        let words = about.title_words();
        let is_as_long = words == u64::from(query.title_words) && words < LONGEST_TITLE;
        let starts = sequence.starts(UnitField::Title, doc);
        return match starts.is_empty() {
            true => Tier::TitleWords,
            false if is_as_long && starts.contains(&query.title_start) => Tier::Title,
            false => Tier::TitlePhrase,
        };
    }
    match sequence.is_in(UnitField::Text, doc) {
        true => Tier::Phrase,
        false => Tier::Words,
    }
}

/// Where a clause matches in a unit.
#[derive(Clone, Copy, Default)]
pub(super) struct UnitMatch {
    title: bool,
    text: bool,
    /// The unit is of the document that the clause names.
    document: bool,
}

impl UnitMatch {
    /// Whether whole words match, not only parts of words.
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

pub(super) struct SegmentTexts {
    segment: SegmentReader,
    pub(super) fields: Fields,
    pub(super) title: Arc<InvertedIndexReader>,
    pub(super) text: Arc<InvertedIndexReader>,
    parts: Arc<InvertedIndexReader>,
    pub(super) keys: Arc<InvertedIndexReader>,
    pub(super) document: Arc<InvertedIndexReader>,
    pub(super) slot: Arc<dyn ColumnValues<u64>>,
    pub(super) position: Arc<dyn ColumnValues<u64>>,
    pub(super) index: Arc<dyn ColumnValues<u64>>,
    pub(super) about: Arc<dyn ColumnValues<u64>>,
}

fn column(segment: &SegmentReader, name: &str) -> Result<Arc<dyn ColumnValues<u64>>, SearchError> {
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
            keys: inverted(fields.keys)?,
            document: inverted(fields.document)?,
            slot: column(segment, "slot")?,
            position: column(segment, "position")?,
            index: column(segment, "index")?,
            about: column(segment, "about")?,
        })
    }

    pub(super) fn admits(&self, doc: u32, scope: &dyn Scope, collector: &Collector) -> bool {
        !self.segment.is_deleted(doc)
            && collector.admits(scope, self.slot.get_val(doc) as u32, || About(self.about.get_val(doc)))
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
            set.pending.extend(info.map(|info| (Arc::clone(reader), info)));
        }
        Ok(())
    }

    /// About how many units have an element, hidden ones included: it decides only on the order of work.
    pub(super) fn cost(&self, element: &Element, query: &TextQuery) -> Result<u64, SearchError> {
        if element.prefix.is_some() {
            return Ok(u64::MAX);
        }
        let mut cost = 0;
        for term in &element.terms {
            for (reader, field) in [(&self.title, self.fields.title), (&self.text, self.fields.text)] {
                cost += u64::from(reader.doc_freq(&Term::from_field_text(field, term)).map_err(damaged)?);
            }
            if element.is_designation && query.designation().is_none() {
                let term = Term::from_field_text(self.fields.document, term);
                cost += u64::from(self.document.doc_freq(&term).map_err(damaged)?);
            }
        }
        Ok(cost)
    }

    pub(super) fn terms(
        &self,
        reader: &InvertedIndexReader,
        field: Field,
        terms: &[String],
    ) -> Result<TermPostings, SearchError> {
        let mut found = Vec::new();
        for term in terms {
            let term = Term::from_field_text(field, term);
            let record = IndexRecordOption::WithFreqsAndPositions;
            found.extend(reader.read_postings(&term, record).map_err(damaged)?);
        }
        Ok(TermPostings(found))
    }

    /// A set that reads the units that have a word of which an element is a prefix or a part; `None` where it
    /// is neither.
    pub(super) fn weak(&self, element: &Element) -> Result<Option<UnitSet>, SearchError> {
        let mut prefixes: Vec<(&Arc<InvertedIndexReader>, String)> =
            element.parts.iter().map(|part| (&self.parts, part.clone())).collect();
        if let Some(prefix) = &element.prefix {
            prefixes.push((&self.title, prefix.clone()));
            prefixes.push((&self.text, prefix.clone()));
            prefixes.push((&self.parts, format!("={prefix}")));
        }
        if prefixes.is_empty() {
            return Ok(None);
        }
        let mut set = self.empty_set();
        for (reader, prefix) in prefixes {
            let (from, to) = prefix_range(&prefix);
            let mut terms = reader.terms().range().ge(from).lt(to).into_stream().map_err(damaged)?;
            while terms.advance() {
                set.pending.push((Arc::clone(reader), terms.value().clone()));
            }
        }
        Ok(Some(set))
    }

    pub(super) fn clauses(
        &self,
        clauses: &[Clause],
        weak: &mut impl Iterator<Item = Option<FixedBitSet>>,
    ) -> Result<Vec<ClausePostings>, SearchError> {
        let uses_document = clauses.len() > 1;
        let mut opened = Vec::new();
        for clause in clauses {
            let mut postings = self.clause(clause, weak)?;
            let Clause(elements) = clause;
            if let Some(element) = elements.first().filter(|e| uses_document && e.is_designation) {
                postings.document = Some(self.terms(&self.document, self.fields.document, &element.terms)?);
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

/// The range of terms that begin with a prefix.
fn prefix_range(prefix: &str) -> (Vec<u8>, Vec<u8>) {
    // No byte of UTF-8 is 0xff.
    let to = [prefix.as_bytes(), &[0xff]].concat();
    (prefix.as_bytes().to_vec(), to)
}

/// Units that have one of some terms.
pub(super) struct TermPostings(Vec<SegmentPostings>);

impl TermPostings {
    /// Whether a unit has one of the terms. Units are asked for in rising order.
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
        if self.seek(doc) {
            for postings in self.0.iter_mut().filter(|postings| postings.doc() == doc) {
                postings.append_positions_with_offset(0, &mut positions);
            }
            positions.sort_unstable();
        }
        positions
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitField {
    Title,
    Text,
}

struct ElementPostings {
    offset: u32,
    is_prefix: bool,
    title: TermPostings,
    text: TermPostings,
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

pub(super) struct ClausePostings {
    elements: Vec<ElementPostings>,
    document: Option<TermPostings>,
}

impl ClausePostings {
    /// Where the clause matches in a unit; `None` where it does not.
    fn match_at(&mut self, doc: u32) -> Option<UnitMatch> {
        let document = self.document.as_mut().is_some_and(|terms| terms.seek(doc));
        let (title, text) = (self.is_in(UnitField::Title, doc), self.is_in(UnitField::Text, doc));
        let weak = match self.elements.as_slice() {
            [element] => element.weak.as_ref().is_some_and(|weak| weak.contains(doc as usize)),
            _ => false,
        };
        (title || text || document || weak).then_some(UnitMatch { title, text, document })
    }

    /// Whether a unit with the clause is not to be found: with its words, not with longer ones that have a
    /// word as a part.
    pub(super) fn excludes(&mut self, doc: u32) -> bool {
        let is_prefix = self.elements.iter().any(|element| element.is_prefix);
        self.match_at(doc).is_some_and(|found| found.is_whole() || is_prefix)
    }

    /// Whether the words are in their order in a unit.
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
