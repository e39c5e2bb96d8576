//! The units that a quotation may be from: those of some editions with at least half of its words.

use std::collections::HashMap;

use norma_model::Lang;
use tantivy::postings::SegmentPostings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, SegmentReader, TERMINATED, Term};

use super::error::SearchError;
use super::matching::{SegmentTexts, damaged};
use super::{SearchReader, guarded};
use crate::UnitKind;
use crate::about::About;
use crate::analyse::{Token, analyse};

/// Most units that are found for a quotation.
pub const MOST_CANDIDATES: usize = 50;
/// Most entries of lists that are read for a quotation: about 1 ms. What is left are the commonest words.
const MOST_ENTRIES: usize = 40_000;
/// Most different words of a quotation that are looked up, the first ones.
const MOST_WORDS: usize = 400;

/// A unit that has words of a quotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedUnit {
    /// The slot of its edition.
    pub slot: u32,
    /// Its kind.
    pub kind: UnitKind,
    /// Its index among the units of its kind in the edition.
    pub index: u32,
    /// The code of the language of its stems; `None` where they are not of one that is stemmed.
    pub language: Option<&'static str>,
    /// How many different words of the quotation it has, of those that were looked up.
    pub shared: u32,
    /// How many were looked up.
    pub words: u32,
}

impl QuotedUnit {
    /// Whether two are the same unit.
    pub fn is_same_as(&self, other: &Self) -> bool {
        (self.slot, self.kind, self.index) == (other.slot, other.kind, other.index)
    }
}

/// A word of a quotation, as the languages of the editions write its stem.
struct QuotedWord {
    terms: Vec<String>,
    /// Units with it, in all editions: the rarest word is looked up first.
    units: u64,
}

impl SearchReader {
    /// The units in some slots that have at least half of the words of a text, those with the most words
    /// first and at most [`MOST_CANDIDATES`]. Words that say little count only where there are no others.
    /// The work is bounded: of a large edition the commonest words are not looked up.
    ///
    /// # Errors
    /// Too many units have even the rarest word, or the index is damaged.
    pub fn units_with_words(
        &self,
        text: &str,
        languages: &[Lang],
        slots: &[u32],
    ) -> Result<Vec<QuotedUnit>, SearchError> {
        guarded(|| {
            let searcher = self.reader.searcher();
            let mut segments = Vec::new();
            for segment in searcher.segment_readers() {
                segments.push((segment, SegmentTexts::open(segment, self.fields)?));
            }
            let mut words = quoted_words(text, languages);
            for word in &mut words {
                for (_, texts) in &segments {
                    for term in &word.terms {
                        word.units += texts.units_with_text(term)?;
                    }
                }
            }
            words.sort_by_key(|word| word.units);
            let mut count = WordCount { slots, entries: 0, shared: HashMap::new(), words: 0 };
            for word in &words {
                if !count.add(word, &segments, self.fields.slot, self.fields.text)? {
                    if count.words == 0 {
                        return Err(SearchError::TooManyMatches);
                    }
                    break;
                }
            }
            Ok(count.most(&segments))
        })
    }
}

/// The different words of a text. Stop words are left out where there are others.
fn quoted_words(text: &str, languages: &[Lang]) -> Vec<QuotedWord> {
    let undetermined = [Lang::undetermined()];
    let languages = if languages.is_empty() { &undetermined[..] } else { languages };
    let mut readings = Vec::with_capacity(languages.len());
    for language in languages {
        let tokens = analyse(text, language);
        // Which numbers have groups depends on the language; their groups are words themselves.
        let is_word = |token: &Token| !token.is_designation && !token.is_grouped;
        readings.push(tokens.into_iter().filter(is_word).collect::<Vec<Token>>());
    }
    let has_words = readings[0].iter().any(|token| !token.is_stop_word());
    let mut words: Vec<QuotedWord> = Vec::new();
    for (position, token) in readings[0].iter().enumerate() {
        let is_known = words.iter().any(|word| word.terms[0] == token.term);
        if is_known || has_words && token.is_stop_word() || words.len() == MOST_WORDS {
            continue;
        }
        let mut terms = vec![token.term.clone()];
        for reading in &readings[1..] {
            if let Some(other) = reading.get(position).filter(|other| !terms.contains(&other.term)) {
                terms.push(other.term.clone());
            }
        }
        words.push(QuotedWord { terms, units: 0 });
    }
    words
}

/// How many words each unit has.
struct WordCount<'s> {
    slots: &'s [u32],
    /// Entries of lists that were read.
    entries: usize,
    /// By segment and unit.
    shared: HashMap<(u32, u32), u32>,
    /// Words that were looked up.
    words: u32,
}

impl WordCount<'_> {
    /// Adds the units of the slots that have a word. `false` where that is too much to read: then the word
    /// counts for none of them.
    fn add(
        &mut self,
        word: &QuotedWord,
        segments: &[(&SegmentReader, SegmentTexts)],
        slot_field: Field,
        text_field: Field,
    ) -> Result<bool, SearchError> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (number, (segment, texts)) in (0..).zip(segments) {
            let by_slot = segment.inverted_index(slot_field).map_err(damaged)?;
            for term in &word.terms {
                for slot in self.slots {
                    let term = Term::from_field_text(text_field, term);
                    let slot = Term::from_field_u64(slot_field, u64::from(*slot));
                    let basic = IndexRecordOption::Basic;
                    let units = texts.text.read_postings(&term, basic).map_err(damaged)?;
                    let own = by_slot.read_postings(&slot, basic).map_err(damaged)?;
                    let (Some(units), Some(own)) = (units, own) else { continue };
                    self.entries += 1;
                    if !self.units_of_both(number, units, own, &mut found) {
                        return Ok(false);
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        for unit in found {
            *self.shared.entry(unit).or_default() += 1;
        }
        self.words += 1;
        Ok(true)
    }

    /// The units that are in both lists, each of which goes on to the next unit of the other.
    fn units_of_both(
        &mut self,
        segment: u32,
        mut units: SegmentPostings,
        mut own: SegmentPostings,
        found: &mut Vec<(u32, u32)>,
    ) -> bool {
        while units.doc() != TERMINATED && own.doc() != TERMINATED {
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                return false;
            }
            let (unit, next) = (units.doc(), own.doc());
            if unit == next {
                found.push((segment, unit));
                units.advance();
            } else if unit < next {
                units.seek(next);
            } else {
                own.seek(unit);
            }
        }
        true
    }

    /// The units with at least half of the words that were looked up, those with the most first.
    fn most(self, segments: &[(&SegmentReader, SegmentTexts)]) -> Vec<QuotedUnit> {
        let mut found = Vec::new();
        let Self { shared: units, words, .. } = self;
        for ((number, unit), shared) in units {
            if shared * 2 < words {
                continue;
            }
            let (segment, texts) = &segments[number as usize];
            let about = About(texts.about.get_val(unit));
            let Some(kind) = about.kind().filter(|kind| *kind != UnitKind::Standard) else { continue };
            if segment.is_deleted(unit) {
                continue;
            }
            let slot = texts.slot.get_val(unit) as u32;
            let index = texts.index.get_val(unit) as u32;
            let position = texts.position.get_val(unit);
            found.push((
                (std::cmp::Reverse(shared), slot, position),
                QuotedUnit { slot, kind, index, language: about.language(), shared, words },
            ));
        }
        found.sort_unstable_by_key(|(rank, _)| *rank);
        found.truncate(MOST_CANDIDATES);
        found.into_iter().map(|(_, unit)| unit).collect()
    }
}
