//! A search in one segment, made in steps: it holds its place in the lists of units between two of them.

use std::sync::Arc;

use fixedbitset::{FixedBitSet, IntoOnes};
use tantivy::postings::{SegmentPostings, TermInfo};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED};

use super::error::SearchError;
use super::fields::Fields;
use super::matching::{ClausePostings, SegmentTexts, TermPostings, UnitMatch, damaged, match_all, tier};
use crate::UnitKind;
use crate::about::About;
use crate::collect::{Collector, Scope, Tier, UnitHit};
use crate::query::{Element, TextQuery};

/// Work between two questions whether a step is over, in units of about 10 ns: 40 µs.
const WORK: u32 = 4_096;
/// Work of opening a list, and of looking for one word in a unit.
pub(super) const OPENED: u32 = 16;
pub(super) const LOOK: u32 = 8;

/// The end of a step.
pub(super) struct StepEnd<'e> {
    is_over: &'e mut dyn FnMut() -> bool,
    left: u32,
}

impl<'e> StepEnd<'e> {
    /// The step ends when this says so.
    pub(super) fn new(is_over: &'e mut dyn FnMut() -> bool) -> Self {
        Self { is_over, left: WORK }
    }

    /// True where the step is over after this work.
    pub(super) fn comes_after(&mut self, work: u32) -> bool {
        if let Some(left) = self.left.checked_sub(work) {
            self.left = left;
            return false;
        }
        self.left = WORK;
        (self.is_over)()
    }
}

/// A search in one segment, which is made in steps. It holds its place in the lists of units, and nothing of
/// the scope.
pub(super) struct SegmentSearch {
    texts: SegmentTexts,
    stage: Stage,
    /// Units that are found by their key.
    keyed: FixedBitSet,
    /// Units that have the rarest word, or a key.
    candidates: FixedBitSet,
    /// By element of the query, the units that have a word of which it is a prefix or a part.
    weak: Vec<Option<FixedBitSet>>,
}

/// What a search in a segment does next.
enum Stage {
    /// Reads which units have what the goal says.
    Reading(ReadingGoal, Box<UnitSet>),
    /// Looks at the candidates.
    Matching(Box<CandidateSearch>),
    Done,
}

/// What a set of units is read for. Elements of the query are named by their index.
#[derive(Clone, Copy)]
enum ReadingGoal {
    /// Units that have the key.
    Keyed,
    /// Units that have the rarest element as a prefix or a part of a word.
    RarestWeak(usize),
    /// Units that have the rarest element.
    Candidates,
    /// Candidates that have another element as a prefix or a part of a word.
    Weak(usize),
}

/// The candidates that are left, and the lists of what they may have, up to their place.
struct CandidateSearch {
    candidates: IntoOnes,
    clauses: Vec<ClausePostings>,
    excluded: Vec<ClausePostings>,
    sequence: ClausePostings,
    /// Units of the document that is all that the query names.
    of_document: Option<TermPostings>,
    /// Work of one candidate.
    work: u32,
}

impl SegmentSearch {
    /// A search that has looked at nothing.
    pub(super) fn begin(
        segment: &SegmentReader,
        fields: Fields,
        query: &TextQuery,
    ) -> Result<Self, SearchError> {
        let texts = SegmentTexts::open(segment, fields)?;
        let mut keyed = texts.empty_set();
        texts.add_terms(&mut keyed, &texts.keys, fields.keys, std::slice::from_ref(&query.key))?;
        Ok(Self {
            texts,
            stage: Stage::Reading(ReadingGoal::Keyed, Box::new(keyed)),
            keyed: FixedBitSet::new(),
            candidates: FixedBitSet::new(),
            weak: vec![None; elements(query).count()],
        })
    }

    /// Goes on until the step is over (false), or all units that match are in the collector (true).
    pub(super) fn step(
        &mut self,
        query: &TextQuery,
        scope: &dyn Scope,
        collector: &mut Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        loop {
            match std::mem::replace(&mut self.stage, Stage::Done) {
                Stage::Done => return Ok(true),
                Stage::Reading(goal, mut set) => {
                    if !self.read(goal, &mut set, scope, collector, end)? {
                        self.stage = Stage::Reading(goal, set);
                        return Ok(false);
                    }
                    self.stage = self.after_reading(goal, set.units, query)?;
                }
                Stage::Matching(mut matching) => {
                    if !matching.step(&self.texts, &self.keyed, query, scope, collector, end)? {
                        self.stage = Stage::Matching(matching);
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Reads a set until the step is over (false), or the set is read (true).
    fn read(
        &self,
        goal: ReadingGoal,
        set: &mut UnitSet,
        scope: &dyn Scope,
        collector: &Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        match goal {
            ReadingGoal::Keyed | ReadingGoal::RarestWeak(_) | ReadingGoal::Candidates => {
                set.read(|doc| self.texts.admits(doc, scope, collector), end)
            }
            ReadingGoal::Weak(_) => set.read(|doc| self.candidates.contains(doc as usize), end),
        }
    }

    /// Stores the units that were read for a goal, and says what is next.
    fn after_reading(
        &mut self,
        goal: ReadingGoal,
        units: FixedBitSet,
        query: &TextQuery,
    ) -> Result<Stage, SearchError> {
        match goal {
            ReadingGoal::Keyed => {
                self.keyed = units;
                self.rarest(query)
            }
            ReadingGoal::RarestWeak(rarest) => {
                self.weak[rarest] = Some(units);
                self.candidates(query, rarest)
            }
            ReadingGoal::Candidates => {
                if units.is_clear() {
                    return Ok(Stage::Done);
                }
                self.candidates = units;
                self.weak_from(query, 0)
            }
            ReadingGoal::Weak(element) => {
                self.weak[element] = Some(units);
                self.weak_from(query, element + 1)
            }
        }
    }

    /// Begins with the rarest element of the query, by the number of units that have it. Hidden units count:
    /// the number decides only on the order of work.
    fn rarest(&self, query: &TextQuery) -> Result<Stage, SearchError> {
        let mut rarest = None;
        let mut least_cost = u64::MAX;
        let wanted = query.clauses.iter().flat_map(|clause| &clause.0);
        for (index, element) in wanted.enumerate() {
            let cost = self.texts.cost(element, query)?;
            if rarest.is_none() || cost < least_cost {
                rarest = Some((index, element));
                least_cost = cost;
            }
        }
        let Some((index, element)) = rarest else { return Ok(Stage::Done) };
        match self.texts.weak(element)? {
            Some(weak) => Ok(Stage::Reading(ReadingGoal::RarestWeak(index), Box::new(weak))),
            None => self.candidates(query, index),
        }
    }

    /// Begins to read the units that have the rarest element, after those that have it as a prefix or a part.
    fn candidates(&self, query: &TextQuery, rarest: usize) -> Result<Stage, SearchError> {
        let element = elements(query).nth(rarest).expect("the rarest is one of them");
        let (texts, fields) = (&self.texts, self.texts.fields);
        let mut set = texts.empty_set();
        set.units.union_with(&self.keyed);
        if let Some(weak) = &self.weak[rarest] {
            set.units.union_with(weak);
        }
        texts.add_terms(&mut set, &texts.title, fields.title, &element.terms)?;
        texts.add_terms(&mut set, &texts.text, fields.text, &element.terms)?;
        if element.is_designation && query.designation().is_none() {
            texts.add_terms(&mut set, &texts.document, fields.document, &element.terms)?;
        }
        Ok(Stage::Reading(ReadingGoal::Candidates, Box::new(set)))
    }

    /// Reads the weak set of the next element from this one on, or begins to match.
    fn weak_from(&mut self, query: &TextQuery, from: usize) -> Result<Stage, SearchError> {
        for (index, element) in elements(query).enumerate().skip(from) {
            if self.weak[index].is_none()
                && let Some(weak) = self.texts.weak(element)?
            {
                return Ok(Stage::Reading(ReadingGoal::Weak(index), Box::new(weak)));
            }
        }
        let matching = self.matching(query)?;
        Ok(Stage::Matching(Box::new(matching)))
    }

    /// Opens all lists. The weak sets and the candidates become those of the search among candidates.
    fn matching(&mut self, query: &TextQuery) -> Result<CandidateSearch, SearchError> {
        let texts = &self.texts;
        let mut weak = std::mem::take(&mut self.weak).into_iter();
        let clauses = texts.clauses(&query.clauses, &mut weak)?;
        let excluded = texts.clauses(&query.excluded, &mut weak)?;
        let sequence = texts.clause(&query.sequence, &mut std::iter::empty())?;
        let of_document = match query.designation() {
            Some(element) => Some(texts.terms(&texts.document, texts.fields.document, &element.terms)?),
            None => None,
        };
        let words = elements(query).count() + query.sequence.0.len();
        let work = LOOK * u32::try_from(words).unwrap_or(u32::MAX / LOOK);
        let candidates = std::mem::take(&mut self.candidates).into_ones();
        Ok(CandidateSearch { candidates, clauses, excluded, sequence, of_document, work })
    }
}

impl CandidateSearch {
    /// Looks at the candidates until the step is over (false), or none is left.
    fn step(
        &mut self,
        texts: &SegmentTexts,
        keyed: &FixedBitSet,
        query: &TextQuery,
        scope: &dyn Scope,
        collector: &mut Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        while let Some(doc) = self.candidates.next() {
            self.look(doc as u32, keyed.contains(doc), texts, query, scope, collector)?;
            if end.comes_after(self.work) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a unit to the collector if it matches.
    fn look(
        &mut self,
        doc: u32,
        is_keyed: bool,
        texts: &SegmentTexts,
        query: &TextQuery,
        scope: &dyn Scope,
        collector: &mut Collector,
    ) -> Result<(), SearchError> {
        // The scope of a later step may have fewer editions than that of the step that found the candidate.
        if !texts.admits(doc, scope, collector) {
            return Ok(());
        }
        let found = match match_all(&mut self.clauses, doc) {
            Some(found) => found,
            None if is_keyed => UnitMatch::default(),
            None => return Ok(()),
        };
        if self.excluded.iter_mut().any(|clause| clause.excludes(doc)) {
            return Ok(());
        }
        let about = About(texts.about.get_val(doc));
        let kind = about.kind().ok_or_else(|| damaged("a unit has no kind"))?;
        let tier = if is_keyed {
            Tier::Identifier
        } else if kind == UnitKind::Standard && self.is_of_document(doc) {
            Tier::Title
        } else {
            tier(found, query, &mut self.sequence, doc, about)
        };
        let hit = UnitHit {
            tier,
            words: None,
            slot: texts.slot.get_val(doc) as u32,
            position: texts.position.get_val(doc) as u32,
            kind,
            index: texts.index.get_val(doc) as u32,
            language: about.language(),
        };
        collector.add(scope, hit, about)?;
        Ok(())
    }

    /// True for a unit of the document, where the query names that and nothing else.
    fn is_of_document(&mut self, doc: u32) -> bool {
        match &mut self.of_document {
            Some(units) => units.seek(doc),
            None => false,
        }
    }
}

/// The elements of a query that are looked for in units: those of its clauses, then the excluded ones.
fn elements(query: &TextQuery) -> impl Iterator<Item = &Element> {
    query.clauses.iter().chain(&query.excluded).flat_map(|clause| &clause.0)
}

/// Lists of units that are read into a set.
pub(super) struct UnitSet {
    /// Terms whose lists are to be read.
    pub(super) pending: Vec<(Arc<InvertedIndexReader>, TermInfo)>,
    /// The list that is being read.
    current: Option<SegmentPostings>,
    pub(super) units: FixedBitSet,
}

impl UnitSet {
    /// No units of a segment with this number of them, and nothing to read.
    pub(super) fn empty(units: u32) -> Self {
        let units = FixedBitSet::with_capacity(units as usize);
        Self { pending: Vec::new(), current: None, units }
    }

    /// Reads the lists, as far as units are `wanted`, until the step is over (false), or all are read.
    pub(super) fn read(
        &mut self,
        wanted: impl Fn(u32) -> bool,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        loop {
            let mut postings = match self.current.take() {
                Some(current) => current,
                None => {
                    let Some((reader, term)) = self.pending.pop() else { return Ok(true) };
                    let opened = reader.read_postings_from_terminfo(&term, IndexRecordOption::Basic);
                    let opened = opened.map_err(damaged)?;
                    if end.comes_after(OPENED) {
                        self.current = Some(opened);
                        return Ok(false);
                    }
                    opened
                }
            };
            while postings.doc() != TERMINATED {
                let doc = postings.doc();
                if !self.units.contains(doc as usize) && wanted(doc) {
                    self.units.insert(doc as usize);
                }
                postings.advance();
                if end.comes_after(1) {
                    self.current = Some(postings);
                    return Ok(false);
                }
            }
        }
    }
}
