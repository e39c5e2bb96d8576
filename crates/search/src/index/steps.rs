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
use crate::collect::{About, Collector, Scope, Tier, UnitHit};
use crate::query::{Element, TextQuery};

/// Work between two questions whether a step is over, in units of about 10 ns: 40 µs.
const WORK: u32 = 4_096;
/// Work of opening a list, and of looking for one word in a unit.
const OPENED: u32 = 16;
const LOOK: u32 = 8;

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

    /// Whether the step is over after this work.
    fn comes_after(&mut self, work: u32) -> bool {
        match self.left.checked_sub(work) {
            Some(left) => {
                self.left = left;
                false
            }
            None => {
                self.left = WORK;
                (self.is_over)()
            }
        }
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
    /// Reads which units have the key.
    Keyed(UnitSet),
    /// Reads which units have the rarest element of the query as a prefix or a part of a word.
    RarestWeak(usize, UnitSet),
    /// Reads which units have the rarest element.
    Candidates(UnitSet),
    /// Reads the same of the other elements, for candidates.
    Weak(usize, UnitSet),
    /// Looks at the candidates.
    Matching(Box<CandidateSearch>),
    Done,
}

/// The candidates that are left, and the lists of what they may have, up to their place.
struct CandidateSearch {
    candidates: IntoOnes,
    clauses: Vec<ClausePostings>,
    excluded: Vec<ClausePostings>,
    sequence: ClausePostings,
    of_document: Option<TermPostings>,
    /// Work of one candidate.
    work: u32,
}

impl SegmentSearch {
    pub(super) fn begin(
        segment: &SegmentReader,
        fields: Fields,
        query: &TextQuery,
    ) -> Result<Self, SearchError> {
        let texts = SegmentTexts::open(segment, fields)?;
        let mut keyed = texts.empty_set();
        texts.add_terms(&mut keyed, &texts.keys, fields.keys, std::slice::from_ref(&query.key))?;
        let weak = elements(query).map(|_| None).collect();
        let (none, candidates) = Default::default();
        Ok(Self { texts, stage: Stage::Keyed(keyed), keyed: none, candidates, weak })
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
            let stage = std::mem::replace(&mut self.stage, Stage::Done);
            let (is_over, next) = match stage {
                Stage::Done => return Ok(true),
                Stage::Keyed(mut set) => {
                    let is_read = set.read(|doc| self.texts.admits(doc, scope, collector), end)?;
                    match is_read {
                        false => (true, Stage::Keyed(set)),
                        true => {
                            self.keyed = set.units;
                            (false, self.after_keyed(query)?)
                        }
                    }
                }
                Stage::RarestWeak(rarest, mut set) => {
                    let is_read = set.read(|doc| self.texts.admits(doc, scope, collector), end)?;
                    match is_read {
                        false => (true, Stage::RarestWeak(rarest, set)),
                        true => {
                            self.weak[rarest] = Some(set.units);
                            (false, self.candidates(query, rarest)?)
                        }
                    }
                }
                Stage::Candidates(mut set) => {
                    let is_read = set.read(|doc| self.texts.admits(doc, scope, collector), end)?;
                    match is_read {
                        false => (true, Stage::Candidates(set)),
                        true => {
                            self.candidates = set.units;
                            (false, self.after_candidates(query)?)
                        }
                    }
                }
                Stage::Weak(at, mut set) => {
                    match set.read(|doc| self.candidates.contains(doc as usize), end)? {
                        false => (true, Stage::Weak(at, set)),
                        true => {
                            self.weak[at] = Some(set.units);
                            (false, self.after_weak(query, at + 1)?)
                        }
                    }
                }
                Stage::Matching(mut matching) => {
                    match matching.step(&self.texts, &self.keyed, query, scope, collector, end)? {
                        false => (true, Stage::Matching(matching)),
                        true => (false, Stage::Done),
                    }
                }
            };
            self.stage = next;
            if is_over {
                return Ok(false);
            }
        }
    }

    /// The rarest element of the query, by the number of units that have it, hidden ones included: it decides
    /// only on the order of work.
    fn after_keyed(&mut self, query: &TextQuery) -> Result<Stage, SearchError> {
        let mut rarest: Option<(u64, usize)> = None;
        let positive = query.clauses.iter().flat_map(|clause| &clause.0);
        for (at, element) in positive.enumerate() {
            let cost = self.texts.cost(element, query)?;
            if rarest.is_none_or(|(least, _)| cost < least) {
                rarest = Some((cost, at));
            }
        }
        let Some((_, rarest)) = rarest else { return Ok(Stage::Done) };
        let element = elements(query).nth(rarest).expect("the rarest is one of them");
        match self.texts.weak(element)? {
            Some(weak) => Ok(Stage::RarestWeak(rarest, weak)),
            None => self.candidates(query, rarest),
        }
    }

    fn candidates(&mut self, query: &TextQuery, rarest: usize) -> Result<Stage, SearchError> {
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
        Ok(Stage::Candidates(set))
    }

    fn after_candidates(&mut self, query: &TextQuery) -> Result<Stage, SearchError> {
        if self.candidates.is_clear() {
            return Ok(Stage::Done);
        }
        self.after_weak(query, 0)
    }

    /// Reads the weak set of the next element from this one on, or begins to match.
    fn after_weak(&mut self, query: &TextQuery, from: usize) -> Result<Stage, SearchError> {
        for (at, element) in elements(query).enumerate().skip(from) {
            if self.weak[at].is_none()
                && let Some(weak) = self.texts.weak(element)?
            {
                return Ok(Stage::Weak(at, weak));
            }
        }
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
        let matching = CandidateSearch { candidates, clauses, excluded, sequence, of_document, work };
        Ok(Stage::Matching(Box::new(matching)))
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
            self.look(doc as u32, keyed.contains(doc), texts, query, (scope, collector))?;
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
        (scope, collector): (&dyn Scope, &mut Collector),
    ) -> Result<(), SearchError> {
        // The scope of a later step may have fewer editions than that of the step that found the candidate.
        if !texts.admits(doc, scope, collector) {
            return Ok(());
        }
        let Some(found) = match_all(&mut self.clauses, doc).or(is_keyed.then_some(UnitMatch::default()))
        else {
            return Ok(());
        };
        if self.excluded.iter_mut().any(|clause| clause.excludes(doc)) {
            return Ok(());
        }
        let about = About(texts.about.get_val(doc));
        let kind = about.kind().ok_or_else(|| damaged("a unit has no kind"))?;
        let is_own =
            kind == UnitKind::Standard && self.of_document.as_mut().is_some_and(|terms| terms.seek(doc));
        let tier = match () {
            () if is_keyed => Tier::Identifier,
            () if is_own => Tier::Title,
            () => tier(found, query, &mut self.sequence, doc, about),
        };
        let hit = UnitHit {
            tier,
            slot: texts.slot.get_val(doc) as u32,
            position: texts.position.get_val(doc) as u32,
            kind,
            index: texts.index.get_val(doc) as u32,
            language: about.language(),
        };
        collector.add(scope, hit, about)?;
        Ok(())
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
    units: FixedBitSet,
}

impl UnitSet {
    /// No units of a segment with this number of them, and nothing to read.
    pub(super) fn empty(units: u32) -> Self {
        let units = FixedBitSet::with_capacity(units as usize);
        Self { pending: Vec::new(), current: None, units }
    }

    /// Reads the lists, as far as units are `wanted`, until the step is over (false), or all are read.
    fn read(&mut self, wanted: impl Fn(u32) -> bool, end: &mut StepEnd<'_>) -> Result<bool, SearchError> {
        loop {
            let mut postings = match (self.current.take(), self.pending.pop()) {
                (Some(current), next) => {
                    self.pending.extend(next);
                    current
                }
                (None, Some((reader, term))) => {
                    let opened = reader.read_postings_from_terminfo(&term, IndexRecordOption::Basic);
                    let opened = opened.map_err(damaged)?;
                    if end.comes_after(OPENED) {
                        self.current = Some(opened);
                        return Ok(false);
                    }
                    opened
                }
                (None, None) => return Ok(true),
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
