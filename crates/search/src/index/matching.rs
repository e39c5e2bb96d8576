//! Which units of a segment match a query, and how.

use fixedbitset::FixedBitSet;
use tantivy::columnar::{Cardinality, ColumnValues};
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use std::sync::Arc;

use super::{Fields, SearchError};
use crate::UnitKind;
use crate::collect::{About, Collector, LONGEST_TITLE, Tier, TooManyMatches, UnitHit};
use crate::query::{Clause, Element, TextQuery};

impl From<TooManyMatches> for SearchError {
    fn from(_: TooManyMatches) -> Self {
        Self::TooManyMatches
    }
}

fn damaged(error: impl std::fmt::Display) -> SearchError {
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

/// Adds the units of a segment that match.
pub(super) fn collect(
    segment: &SegmentReader,
    fields: Fields,
    query: &TextQuery,
    collector: &mut Collector<'_>,
) -> Result<(), SearchError> {
    let reader = SegmentTexts::open(segment, fields)?;
    let (candidates, keyed) = reader.candidates(query, collector)?;
    if candidates.is_empty() {
        return Ok(());
    }
    let mut clauses = reader.clauses(&query.clauses, collector)?;
    let mut excluded = reader.clauses(&query.excluded, collector)?;
    let mut sequence = reader.clause(&query.sequence, None)?;
    let mut of_document = match query.designation() {
        Some(element) => Some(reader.terms(&reader.document, fields.document, &element.terms)?),
        None => None,
    };
    for doc in candidates {
        let is_keyed = keyed.binary_search(&doc).is_ok();
        let Some(found) = match_all(&mut clauses, doc).or(is_keyed.then_some(UnitMatch::default())) else {
            continue;
        };
        if excluded.iter_mut().any(|clause| clause.excludes(doc)) {
            continue;
        }
        let about = About(reader.about.get_val(doc));
        let kind = about.kind().ok_or_else(|| damaged("a unit has no kind"))?;
        let is_own = kind == UnitKind::Standard && of_document.as_mut().is_some_and(|terms| terms.seek(doc));
        let tier = match () {
            () if is_keyed => Tier::Identifier,
            () if is_own => Tier::Title,
            () => tier(found, query, &mut sequence, doc, about),
        };
        let hit = UnitHit {
            tier,
            slot: reader.slot.get_val(doc) as u32,
            position: reader.position.get_val(doc) as u32,
            kind,
            index: reader.index.get_val(doc) as u32,
            language: about.language(),
        };
        collector.add(hit, about)?;
    }
    Ok(())
}

fn tier(found: UnitMatch, query: &TextQuery, sequence: &mut ClausePostings, doc: u32, about: About) -> Tier {
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
struct UnitMatch {
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
fn match_all(clauses: &mut [ClausePostings], doc: u32) -> Option<UnitMatch> {
    let mut all = UnitMatch { title: true, text: true, document: false };
    for clause in clauses {
        let found = clause.match_at(doc)?;
        all.title &= found.title || found.document;
        all.text &= found.is_whole();
    }
    all.title &= all.text;
    Some(all)
}

struct SegmentTexts<'r> {
    segment: &'r SegmentReader,
    fields: Fields,
    title: Arc<InvertedIndexReader>,
    text: Arc<InvertedIndexReader>,
    parts: Arc<InvertedIndexReader>,
    keys: Arc<InvertedIndexReader>,
    document: Arc<InvertedIndexReader>,
    slot: Arc<dyn ColumnValues<u64>>,
    position: Arc<dyn ColumnValues<u64>>,
    index: Arc<dyn ColumnValues<u64>>,
    about: Arc<dyn ColumnValues<u64>>,
}

fn column(segment: &SegmentReader, name: &str) -> Result<Arc<dyn ColumnValues<u64>>, SearchError> {
    let column = segment.fast_fields().u64(name).map_err(damaged)?;
    match column.get_cardinality() {
        Cardinality::Full => Ok(column.values),
        _ => Err(damaged("a unit has not all its numbers")),
    }
}

impl<'r> SegmentTexts<'r> {
    fn open(segment: &'r SegmentReader, fields: Fields) -> Result<Self, SearchError> {
        let inverted = |field| segment.inverted_index(field).map_err(damaged);
        Ok(Self {
            segment,
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

    fn admits(&self, doc: u32, collector: &Collector<'_>) -> bool {
        !self.segment.is_deleted(doc)
            && collector.admits(self.slot.get_val(doc) as u32, || About(self.about.get_val(doc)))
    }

    /// The admitted units that have the rarest word, with those that are found by their key; and the latter.
    fn candidates(
        &self,
        query: &TextQuery,
        collector: &Collector<'_>,
    ) -> Result<(Vec<u32>, Vec<u32>), SearchError> {
        let keyed = self.terms(&self.keys, self.fields.keys, std::slice::from_ref(&query.key))?;
        let mut keyed: Vec<u32> = keyed.into_docs().filter(|doc| self.admits(*doc, collector)).collect();
        keyed.dedup();
        let mut rarest: Option<(u64, &Element)> = None;
        for element in query.clauses.iter().flat_map(|clause| &clause.0) {
            let cost = self.cost(element, query)?;
            if rarest.is_none_or(|(least, _)| cost < least) {
                rarest = Some((cost, element));
            }
        }
        let Some((_, element)) = rarest else { return Ok((Vec::new(), keyed)) };
        let uses_document = element.is_designation && query.designation().is_none();
        let mut docs = keyed.clone();
        let mut lists = vec![
            self.terms(&self.title, self.fields.title, &element.terms)?,
            self.terms(&self.text, self.fields.text, &element.terms)?,
        ];
        if uses_document {
            lists.push(self.terms(&self.document, self.fields.document, &element.terms)?);
        }
        for list in lists {
            docs.extend(list.into_docs().filter(|doc| self.admits(*doc, collector)));
        }
        docs.extend(self.weak(element, collector)?.iter().flat_map(FixedBitSet::ones).map(|doc| doc as u32));
        docs.sort_unstable();
        docs.dedup();
        Ok((docs, keyed))
    }

    /// About how many units have an element, hidden ones included: it decides only on the order of work.
    fn cost(&self, element: &Element, query: &TextQuery) -> Result<u64, SearchError> {
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

    fn terms(
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

    /// The admitted units that have a word of which an element is a prefix or a part.
    fn weak(&self, element: &Element, collector: &Collector<'_>) -> Result<Option<FixedBitSet>, SearchError> {
        let mut prefixes: Vec<(&InvertedIndexReader, String)> =
            element.parts.iter().map(|part| (&*self.parts, part.clone())).collect();
        if let Some(prefix) = &element.prefix {
            prefixes.push((&self.title, prefix.clone()));
            prefixes.push((&self.text, prefix.clone()));
            prefixes.push((&self.parts, format!("={prefix}")));
        }
        if prefixes.is_empty() {
            return Ok(None);
        }
        let mut set = FixedBitSet::with_capacity(self.segment.max_doc() as usize);
        for (reader, prefix) in prefixes {
            let (from, to) = prefix_range(&prefix);
            let mut terms = reader.terms().range().ge(from).lt(to).into_stream().map_err(damaged)?;
            while terms.advance() {
                let mut postings = reader
                    .read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)
                    .map_err(damaged)?;
                while postings.doc() != TERMINATED {
                    let doc = postings.doc();
                    if !set.contains(doc as usize) && self.admits(doc, collector) {
                        set.insert(doc as usize);
                    }
                    postings.advance();
                }
            }
        }
        Ok(Some(set))
    }

    fn clauses(
        &self,
        clauses: &[Clause],
        collector: &Collector<'_>,
    ) -> Result<Vec<ClausePostings>, SearchError> {
        let uses_document = clauses.len() > 1;
        let mut opened: Vec<ClausePostings> =
            clauses.iter().map(|clause| self.clause(clause, Some(collector))).collect::<Result<_, _>>()?;
        for (clause, Clause(elements)) in opened.iter_mut().zip(clauses) {
            if let Some(element) = elements.first().filter(|e| uses_document && e.is_designation) {
                clause.document = Some(self.terms(&self.document, self.fields.document, &element.terms)?);
            }
        }
        Ok(opened)
    }

    /// Opens a clause. Parts of words are read where there is a collector that admits units.
    fn clause(
        &self,
        clause: &Clause,
        collector: Option<&Collector<'_>>,
    ) -> Result<ClausePostings, SearchError> {
        let mut elements = Vec::new();
        for element in &clause.0 {
            elements.push(ElementPostings {
                offset: element.offset,
                is_prefix: element.prefix.is_some(),
                title: self.terms(&self.title, self.fields.title, &element.terms)?,
                text: self.terms(&self.text, self.fields.text, &element.terms)?,
                weak: match collector {
                    Some(collector) => self.weak(element, collector)?,
                    None => None,
                },
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
struct TermPostings(Vec<SegmentPostings>);

impl TermPostings {
    /// Whether a unit has one of the terms. Units are asked for in rising order.
    fn seek(&mut self, doc: u32) -> bool {
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

    fn into_docs(self) -> impl Iterator<Item = u32> {
        self.0.into_iter().flat_map(|mut postings| {
            std::iter::from_fn(move || {
                let doc = postings.doc();
                postings.advance();
                (doc != TERMINATED).then_some(doc)
            })
        })
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

struct ClausePostings {
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
    fn excludes(&mut self, doc: u32) -> bool {
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
