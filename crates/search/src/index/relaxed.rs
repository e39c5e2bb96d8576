//! A search for units that have some words of a question, made in steps: for a query whose words are not all
//! in one unit.
//!
//! First the lists of all words are read, into sets of the admitted units of each segment. Then the units
//! that have enough of the words are looked at. No number depends on a unit that is not admitted.

use fixedbitset::FixedBitSet;
use tantivy::SegmentReader;

use super::error::SearchError;
use super::fields::Fields;
use super::matching::{ClausePostings, SegmentTexts, TermPostings, damaged};
use super::steps::{LOOK, OPENED, StepEnd, UnitSet};
use super::word_sets::{FIRST_LONG_WORD, READ_AT_ONCE};
use crate::TextQuery;
use crate::about::About;
use crate::collect::{Collector, Scope, Tier, UnitHit};
use crate::found_words::{FoundWords, QueriedWord, RelaxedFound};
use crate::query::Clause;

/// Words that a unit has at least, where a question has more.
const LEAST_WORDS: usize = 2;
/// Most words that no admitted unit has and that are looked for within others: each is compared with all long
/// words of the index.
const MOST_PARTS: usize = 3;

/// A search for units that have some of the words.
pub(super) struct RelaxedSearch {
    /// The words, each once.
    words: Vec<Clause>,
    /// None of these may match.
    excluded: Vec<Clause>,
    segments: Vec<RelaxedSegment>,
    /// Sets that are to be read, the next one last.
    pending: Vec<PendingSet>,
    /// The set that is being read.
    reading: Option<ReadingSet>,
    /// By word, the number of admitted units that have it themselves.
    own_units: Vec<u64>,
    /// By word, the number of those and of others around which it is.
    units: Vec<u64>,
    /// Set when words that no admitted unit has are looked for by the words that they are made of.
    reads_parts: bool,
    /// Set when they are looked for within longer ones, which takes longest.
    reads_middle: bool,
    /// Words that a unit has at least.
    least: u32,
    /// Set when a unit with so many words was found.
    has_found: bool,
    /// Segments whose units were looked at.
    finished: usize,
    matching: Option<RelaxedCandidates>,
}

/// A segment with the units that have each word.
struct RelaxedSegment {
    texts: SegmentTexts,
    words: Vec<WordUnits>,
    /// By excluded element, the units with a word of which it is a prefix.
    weak_excluded: Vec<Option<FixedBitSet>>,
}

/// The units that have a word.
#[derive(Default)]
struct WordUnits {
    own: FixedBitSet,
    around: FixedBitSet,
}

/// A set that is being read.
struct ReadingSet {
    pending: PendingSet,
    set: UnitSet,
    /// The last word that was compared with the middle of a word, unless all were.
    compared: Option<Vec<u8>>,
}

/// A set of units that have an element.
#[derive(Clone, Copy)]
struct PendingSet {
    segment: usize,
    /// Index of the word, or of the excluded element.
    word: usize,
    /// Index of the element in the word.
    element: usize,
    part: UnitPart,
}

/// Where units have an element.
#[derive(Clone, Copy)]
enum UnitPart {
    Own,
    Around,
    /// In a shorter word that it is made of, or in one with the same beginning.
    Fragments,
    /// In a longer word that has it in the middle.
    Middle,
    /// The element is excluded, and may be a prefix.
    Excluded,
}

/// Units of a segment that are looked at.
struct RelaxedCandidates {
    units: fixedbitset::IntoOnes,
    /// By word.
    postings: Vec<WordPostings>,
    excluded: Vec<ClausePostings>,
}

/// The lists that say how a unit has a word.
enum WordPostings {
    /// A word by itself: the units that have it in the title.
    Title(TermPostings),
    /// Several words in a row.
    Phrase(ClausePostings),
}

impl RelaxedSearch {
    /// A search that has read nothing.
    pub(super) fn begin(
        segments: &[SegmentReader],
        fields: Fields,
        query: &TextQuery,
    ) -> Result<Self, SearchError> {
        let words = query.asked_words();
        let excluded_elements = query.excluded.iter().map(|clause| clause.0.len()).sum();
        let mut opened = Vec::new();
        let mut pending = Vec::new();
        for (segment, reader) in segments.iter().enumerate() {
            let word_units = words.iter().map(|_| WordUnits::default()).collect();
            let weak_excluded = vec![None; excluded_elements];
            opened.push(RelaxedSegment {
                texts: SegmentTexts::open(reader, fields)?,
                words: word_units,
                weak_excluded,
            });
            for (word, Clause(elements)) in words.iter().enumerate() {
                for element in 0..elements.len() {
                    for part in [UnitPart::Own, UnitPart::Around] {
                        pending.push(PendingSet { segment, word, element, part });
                    }
                }
            }
            for word in 0..excluded_elements {
                pending.push(PendingSet { segment, word, element: 0, part: UnitPart::Excluded });
            }
        }
        pending.reverse();
        Ok(Self {
            excluded: query.excluded.clone(),
            segments: opened,
            pending,
            reading: None,
            own_units: vec![0; words.len()],
            units: vec![0; words.len()],
            least: least_words(words.len()),
            has_found: false,
            words,
            reads_parts: false,
            reads_middle: false,
            finished: 0,
            matching: None,
        })
    }

    /// Goes on until the step is over (false), or all units are in the collector (true).
    pub(super) fn step(
        &mut self,
        scope: &dyn Scope,
        collector: &mut Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        loop {
            if !self.read(scope, collector, end)? {
                return Ok(false);
            }
            if self.finished == self.segments.len() {
                if self.has_found || self.reads_middle && self.least == 1 {
                    return Ok(true);
                }
                if self.reads_middle {
                    // No unit has enough words. Those with most of the few are better than nothing.
                    self.least = 1;
                } else {
                    self.reads_middle = true;
                    self.look_for_parts(UnitPart::Middle);
                }
                self.finished = 0;
                continue;
            }
            let mut candidates = match self.matching.take() {
                Some(candidates) => candidates,
                None => {
                    let candidates = self.candidates(self.finished)?;
                    if end.comes_after(OPENED * self.words.len() as u32) {
                        self.matching = Some(candidates);
                        return Ok(false);
                    }
                    candidates
                }
            };
            if !self.look_at(&mut candidates, scope, collector, end)? {
                self.matching = Some(candidates);
                return Ok(false);
            }
            self.finished += 1;
        }
    }

    /// What was looked for, after the last step.
    pub(super) fn finish(self, query: &TextQuery) -> RelaxedFound {
        let mut words = Vec::with_capacity(self.words.len());
        for (word, units) in self.words.iter().zip(self.units) {
            words.push(QueriedWord { typed: word.typed(), units });
        }
        RelaxedFound { words, left_out: query.asking_words() }
    }

    /// Reads the sets until the step is over (false), or all are read (true).
    fn read(
        &mut self,
        scope: &dyn Scope,
        collector: &Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        loop {
            let mut reading = match self.reading.take() {
                Some(reading) => reading,
                None => match self.next_set()? {
                    Some(reading) => reading,
                    None => return Ok(true),
                },
            };
            let PendingSet { segment, word, element, .. } = reading.pending;
            let texts = &self.segments[segment].texts;
            while let Some(compared) = reading.compared.take() {
                let element = &self.words[word].0[element];
                reading.compared = texts.add_middle(&mut reading.set, element, &compared)?;
                if end.comes_after(READ_AT_ONCE) {
                    self.reading = Some(reading);
                    return Ok(false);
                }
            }
            if !reading.set.read(|doc| texts.admits(doc, scope, collector), end)? {
                self.reading = Some(reading);
                return Ok(false);
            }
            self.store(reading.pending, reading.set.units);
        }
    }

    /// The next set that is to be read. After those of all words come those of fragments.
    fn next_set(&mut self) -> Result<Option<ReadingSet>, SearchError> {
        if self.pending.is_empty() && !self.reads_parts {
            self.reads_parts = true;
            self.look_for_parts(UnitPart::Fragments);
        }
        let Some(pending) = self.pending.pop() else { return Ok(None) };
        let set = self.set(pending)?;
        let is_middle = matches!(pending.part, UnitPart::Middle);
        let compared = is_middle.then(|| FIRST_LONG_WORD.to_vec());
        Ok(Some(ReadingSet { pending, set, compared }))
    }

    /// Adds sets for the words that may be German and that no admitted unit has.
    fn look_for_parts(&mut self, part: UnitPart) {
        let mut left = MOST_PARTS;
        for (word, Clause(elements)) in self.words.iter().enumerate() {
            let [element] = elements.as_slice() else { continue };
            let is_german = element.parts.iter().any(|part| part.as_bytes().starts_with(FIRST_LONG_WORD));
            if self.own_units[word] > 0 || !is_german || left == 0 {
                continue;
            }
            left -= 1;
            for segment in 0..self.segments.len() {
                self.pending.push(PendingSet { segment, word, element: 0, part });
            }
        }
    }

    /// A set with the lists that are to be read for it.
    fn set(&self, pending: PendingSet) -> Result<UnitSet, SearchError> {
        let texts = &self.segments[pending.segment].texts;
        if let UnitPart::Excluded = pending.part {
            let elements = self.excluded.iter().flat_map(|clause| &clause.0);
            let Some(element) = elements.clone().nth(pending.word) else { return Ok(texts.empty_set()) };
            return Ok(texts.weak(element)?.unwrap_or_else(|| texts.empty_set()));
        }
        let element = &self.words[pending.word].0[pending.element];
        match pending.part {
            UnitPart::Own => texts.own(element),
            UnitPart::Fragments => texts.fragments(element),
            UnitPart::Middle => Ok(texts.empty_set()),
            UnitPart::Around | UnitPart::Excluded => texts.around(element),
        }
    }

    /// Stores a set that was read. Of words in a row, a unit has all.
    fn store(&mut self, pending: PendingSet, units: FixedBitSet) {
        let segment = &mut self.segments[pending.segment];
        let stored = match pending.part {
            UnitPart::Own => &mut segment.words[pending.word].own,
            UnitPart::Around => &mut segment.words[pending.word].around,
            UnitPart::Fragments | UnitPart::Middle => {
                let word = &mut segment.words[pending.word];
                self.own_units[pending.word] += units.count_ones(..) as u64;
                self.units[pending.word] += units.difference_count(&word.around) as u64;
                word.own = units;
                return;
            }
            UnitPart::Excluded => {
                segment.weak_excluded[pending.word] = Some(units);
                return;
            }
        };
        if pending.element == 0 {
            *stored = units;
        } else {
            stored.intersect_with(&units);
        }
        let is_last = pending.element + 1 == self.words[pending.word].0.len();
        if is_last && matches!(pending.part, UnitPart::Around) {
            let word = &segment.words[pending.word];
            self.own_units[pending.word] += word.own.count_ones(..) as u64;
            self.units[pending.word] += word.own.union_count(&word.around) as u64;
        }
    }

    /// The units of a segment that may have enough words. A unit that has none of all words but a few has too
    /// few: so those with one of the rarest words are enough.
    fn candidates(&self, segment: usize) -> Result<RelaxedCandidates, SearchError> {
        let mut by_rarity: Vec<usize> = (0..self.words.len()).collect();
        by_rarity.sort_by_key(|word| self.units[*word]);
        by_rarity.truncate(self.words.len() + 1 - self.least as usize);

        let RelaxedSegment { texts, words, weak_excluded } = &self.segments[segment];
        let mut units = texts.empty_set().units;
        for word in by_rarity {
            units.union_with(&words[word].own);
            units.union_with(&words[word].around);
        }
        let mut postings = Vec::with_capacity(self.words.len());
        for word in &self.words {
            postings.push(match word.0.as_slice() {
                [element] => {
                    WordPostings::Title(texts.terms(&texts.title, texts.fields.title, &element.terms)?)
                }
                _ => WordPostings::Phrase(texts.clause(word, &mut std::iter::empty())?),
            });
        }
        let mut weak = weak_excluded.clone().into_iter();
        let excluded = texts.clauses(&self.excluded, &mut weak)?;
        Ok(RelaxedCandidates { units: units.into_ones(), postings, excluded })
    }

    /// Looks at the units that are left of a segment, until the step is over (false) or none is left.
    fn look_at(
        &mut self,
        candidates: &mut RelaxedCandidates,
        scope: &dyn Scope,
        collector: &mut Collector,
        end: &mut StepEnd<'_>,
    ) -> Result<bool, SearchError> {
        let segment = &self.segments[self.finished];
        for doc in candidates.units.by_ref() {
            let words = segment.words_of(doc, &mut candidates.postings);
            let doc = doc as u32;
            let has_enough = words.matched.count_ones() >= self.least;
            // The scope of a later step may have fewer editions than that of the step that read the lists.
            if has_enough
                && segment.texts.admits(doc, scope, collector)
                && !candidates.excluded.iter_mut().any(|clause| clause.excludes(doc))
            {
                self.has_found = true;
                collector.add_relaxed(scope, segment.hit(doc, words)?);
            }
            // Each word that the unit has itself was looked for in a list.
            if end.comes_after(LOOK * (1 + words.own.count_ones())) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Words that a unit has at least: half of them, and two where there are so many.
fn least_words(words: usize) -> u32 {
    words.div_ceil(2).max(LEAST_WORDS).min(words) as u32
}

impl RelaxedSegment {
    /// The words that a unit has. Units are asked for in rising order.
    fn words_of(&self, doc: usize, postings: &mut [WordPostings]) -> FoundWords {
        let mut found = FoundWords::default();
        for (index, (word, postings)) in self.words.iter().zip(postings).enumerate() {
            let bit = 1 << index;
            let (is_own, is_in_title) = match postings {
                _ if !word.own.contains(doc) => (false, false),
                WordPostings::Title(units) => (true, units.seek(doc as u32)),
                WordPostings::Phrase(phrase) => match phrase.match_at(doc as u32) {
                    Some(in_a_row) => (true, in_a_row.title),
                    None => (false, false),
                },
            };
            if is_own || word.around.contains(doc) {
                found.matched |= bit;
            }
            if is_own {
                found.own |= bit;
            }
            if is_in_title {
                found.title |= bit;
            }
        }
        found
    }

    fn hit(&self, doc: u32, words: FoundWords) -> Result<UnitHit, SearchError> {
        let texts = &self.texts;
        let about = About(texts.about.get_val(doc));
        let kind = about.kind().ok_or_else(|| damaged("a unit has no kind"))?;
        let is_title_only = words.own != 0 && words.own == words.title;
        Ok(UnitHit {
            tier: if is_title_only { Tier::TitleWords } else { Tier::Words },
            words: Some(words),
            slot: texts.slot.get_val(doc) as u32,
            position: texts.position.get_val(doc) as u32,
            kind,
            index: texts.index.get_val(doc) as u32,
            language: about.language(),
        })
    }
}
