//! Patterns: the small language in which the rule tables describe words of a sentence.
//!
//! A pattern is a row of items parted by blanks:
//!
//! | item | matches |
//! |---|---|
//! | `shall` | that word, in any case; `,` that mark |
//! | `is\|are` | one of these |
//! | `“shall\|may”` | one of these between quotation marks, where all other items never match a word |
//! | `{object}` | a word of the list of that name in the table's `[lists]` |
//! | `#` | a number, a formula or a reference |
//! | `also?` | may be absent |
//! | `..3` | up to three words, no comma among them |
//! | `,,9` | up to nine words and commas |
//! | `^` | the beginning of the sentence, or of its main clause after an opening phrase |
//! | `$` | the end of a clause: a mark, the end, or a word of the lists `coordinator` and `preposition` after it |
//!
//! In a list, `*ing` matches every word that ends so and `ab*` for every word that begins so.

use std::ops::Range;

use super::lexicon::{Lexicon, ListSet, Word};
use super::tokenizer::SentenceToken;

/// A row of items.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) items: Vec<PatternItem>,
    /// The item by which the pattern is looked up; `None` if it begins a sentence with a listed word.
    pub(super) key: Option<usize>,
    /// The key's item and the plain words directly around it.
    pub(super) around: Range<usize>,
    /// Words that must follow these; `None` if any may.
    pub(super) after: Option<OneOf>,
}

#[derive(Debug)]
pub(super) enum PatternItem {
    OneOf(OneOf),
    Gap { most: usize, commas: bool },
    Start,
    End,
}

/// The possible values of one token.
#[derive(Debug, Default)]
pub(super) struct OneOf {
    pub(super) words: Vec<Word>,
    /// A bit for each of the words, of which most words have none: few comparisons find anything.
    bits: u64,
    /// The same words as they are written.
    spelled: Vec<String>,
    /// Words that are in one of these.
    pub(super) lists: ListSet,
    /// A number, a formula or a reference.
    pub(super) number: bool,
    pub(super) optional: bool,
    /// Whether it matches words between quotation marks, and for no others.
    pub(super) quoted: bool,
}

impl Pattern {
    /// Reads a pattern; the error says which item cannot be read.
    pub(super) fn parse(text: &str, lexicon: &mut Lexicon) -> Result<Self, String> {
        let items = text
            .split_whitespace()
            .map(|item| PatternItem::parse(item, lexicon))
            .collect::<Result<Vec<_>, _>>()?;
        let weight = |item: &PatternItem| match item {
            PatternItem::OneOf(one) if !one.optional && one.is_words() => {
                one.spelled.iter().map(String::len).min().unwrap_or(0)
            }
            _ => 0,
        };
        let key =
            (0..items.len()).rev().max_by_key(|&at| weight(&items[at])).filter(|&at| weight(&items[at]) > 0);
        let around = key.map_or(0..0, |key| around(&items, key));
        let after = key.and_then(|_| after(&items[around.end..]));
        Ok(Self { items, key, around, after })
    }

    /// Whether it has a word for its lookup, or begins a sentence.
    pub(super) fn can_be_found(&self) -> bool {
        self.key.is_some() || matches!(self.items.first(), Some(PatternItem::Start))
    }

    /// Whether its words are at the beginning of a sentence or main clause, and none before them.
    pub(super) fn heads_a_clause(&self) -> bool {
        matches!(self.items.as_slice(), [PatternItem::Start, PatternItem::OneOf(_), ..])
            && !self.items.iter().any(|item| matches!(item, PatternItem::Gap { .. }))
    }

    /// The words by which the pattern is looked up; none when it begins a sentence.
    pub(super) fn keys(&self) -> impl Iterator<Item = Word> {
        let one = match self.key.map(|key| &self.items[key]) {
            Some(PatternItem::OneOf(one)) => one.words.as_slice(),
            _ => &[],
        };
        one.iter().copied()
    }

    /// The words with which it begins; `None` where another word may begin it.
    pub(super) fn first_words(&self) -> Option<impl Iterator<Item = Word>> {
        match self.items.first() {
            Some(PatternItem::OneOf(one)) if !one.optional && one.is_words() => {
                Some(one.words.iter().copied())
            }
            _ => None,
        }
    }

    /// Whether the words directly around the key are around this token.
    pub(super) fn has_neighbours(&self, tokens: &[SentenceToken], at: usize) -> bool {
        let Some(key) = self.key else { return false };
        if self.around.len() == 1 {
            return true;
        }
        let Some(first) = at.checked_sub(key - self.around.start) else { return false };
        let Some(tokens) = tokens.get(first..first + self.around.len()) else { return false };
        self.items[self.around.clone()].iter().zip(tokens).all(|(item, token)| match item {
            PatternItem::OneOf(one) => one.words.contains(&token.known.word),
            _ => false,
        })
    }

    /// Strings of which every matching text has one: the key and the words directly around it.
    pub(super) fn traces(&self) -> Vec<String> {
        if self.key.is_none() {
            return Vec::new();
        }
        let mut traces = vec![String::new()];
        for item in &self.items[self.around.clone()] {
            let PatternItem::OneOf(one) = item else { continue };
            traces = traces
                .iter()
                .flat_map(|trace| {
                    one.spelled.iter().map(move |word| match trace.as_str() {
                        "" => word.clone(),
                        before if before.ends_with('\'') || word == "," => format!("{before}{word}"),
                        before => format!("{before} {word}"),
                    })
                })
                .collect();
        }
        traces
    }
}

fn around(items: &[PatternItem], key: usize) -> Range<usize> {
    let plain = |at: &usize| match &items[*at] {
        PatternItem::OneOf(one) => !one.optional && one.is_words(),
        _ => false,
    };
    let first = (0..key).rev().take_while(plain).last().unwrap_or(key);
    let last = (key + 1..items.len()).take_while(plain).last().unwrap_or(key);
    first..last + 1
}

/// The possible tokens at the begin of these items; `None` if any token, or none, may be there.
fn after(items: &[PatternItem]) -> Option<OneOf> {
    let mut after = OneOf::default();
    for item in items {
        let PatternItem::OneOf(one) = item else { return None };
        after.words.extend(&one.words);
        after.bits |= one.bits;
        after.lists = after.lists.union(one.lists);
        after.number |= one.number;
        if !one.optional {
            return Some(after);
        }
    }
    None
}

fn bit(word: Word) -> u64 {
    1 << (word.index() % 64)
}

impl OneOf {
    /// Whether it has the word.
    pub(super) fn names(&self, word: Word) -> bool {
        self.bits & bit(word) != 0 && word != Word::UNKNOWN && self.words.contains(&word)
    }

    fn is_words(&self) -> bool {
        !self.number && !self.quoted && self.lists == ListSet::default()
    }
}

impl PatternItem {
    fn parse(text: &str, lexicon: &mut Lexicon) -> Result<Self, String> {
        let gap = |digits: &str, commas| {
            digits
                .parse()
                .map(|most| Self::Gap { most, commas })
                .map_err(|_| format!("`{text}` is not a gap"))
        };
        match text {
            "^" => return Ok(Self::Start),
            "$" => return Ok(Self::End),
            _ => {}
        }
        if let Some(digits) = text.strip_prefix("..") {
            return gap(digits, false);
        }
        if let Some(digits) = text.strip_prefix(",,") {
            return gap(digits, true);
        }
        let (text, optional) = text.strip_suffix('?').map_or((text, false), |rest| (rest, true));
        let inside = text.strip_prefix('“').and_then(|text| text.strip_suffix('”'));
        let (text, quoted) = inside.map_or((text, false), |inside| (inside, true));
        let mut one = OneOf { optional, quoted, ..OneOf::default() };
        for atom in text.split('|') {
            match atom {
                "" => return Err(format!("`{text}` has an empty alternative")),
                "#" => one.number = true,
                _ => match atom.strip_prefix('{').and_then(|a| a.strip_suffix('}')) {
                    Some(name) => {
                        let list = lexicon.list(name).ok_or_else(|| format!("there is no list `{name}`"))?;
                        one.lists = one.lists.union(list);
                    }
                    None => {
                        let word = lexicon.intern(atom);
                        one.bits |= bit(word);
                        one.words.push(word);
                        one.spelled.push(atom.to_owned());
                    }
                },
            }
        }
        Ok(Self::OneOf(one))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::matching::SentenceView;
    use super::super::tokenizer::tokens;
    use super::*;

    fn lexicon() -> Lexicon {
        let lists = BTreeMap::from([("end".to_owned(), vec!["*ed".to_owned(), "-need".to_owned()])]);
        Lexicon::new(false, &lists).unwrap()
    }

    fn holds(pattern: &str, text: &str) -> Option<String> {
        let mut lexicon = lexicon();
        let pattern = Pattern::parse(pattern, &mut lexicon).unwrap();
        let tokens = tokens(text, 0..text.len(), &[], &lexicon);
        let view = SentenceView { tokens: &tokens, starts: &[0], closing: ListSet::default() };
        let found = (0..tokens.len()).find_map(|at| pattern.at(view, at))?;
        Some(found.words.iter().map(|&at| tokens[at].word(text).into_owned()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn items_stand_for_what_the_table_says() {
        assert_eq!(holds("shall also? not", "It shall also not be").as_deref(), Some("shall also not"));
        assert_eq!(holds("shall also? not", "It shall be"), None);
        assert_eq!(holds("is|are ..2 {end}", "They are now fully tested").as_deref(), Some("are"));
        assert_eq!(holds("is|are ..1 {end}", "They are now fully tested"), None);
        assert_eq!(holds("is ..1 {end}", "it is need"), None);
        assert_eq!(holds("is ,,4 to", "it is, if wet, to be").as_deref(), Some("is to"));
        assert_eq!(holds("is ..4 to", "it is, if wet, to be"), None);
        assert_eq!(holds("^ do not", "Do not open").as_deref(), Some("do not"));
        assert_eq!(holds("^ do not", "They do not open"), None);
        assert_eq!(holds("than # g", "less than 5 g").as_deref(), Some("than g"));
    }

    #[test]
    fn quoted_words_are_never_meant() {
        assert_eq!(holds("shall", "the word “shall” here"), None);
        assert!(holds("word ..1 “shall|may”", "the word “shall” here").is_some());
        assert_eq!(holds("word ..1 “shall|may”", "the word shall here"), None);
    }

    #[test]
    fn traces_are_the_key_and_its_neighbours() {
        let traces = Pattern::parse("it is|are necessary ..2 to", &mut lexicon()).unwrap().traces();
        assert_eq!(traces, ["it is necessary", "it are necessary"]);
    }

    #[test]
    fn a_pattern_that_cannot_be_read_or_found_is_known() {
        for wrong in ["a||b", "shall ..x", ",,", "{lost}"] {
            assert!(Pattern::parse(wrong, &mut lexicon()).is_err(), "{wrong}");
        }
        for lost in ["..3", "{end}", "also?"] {
            assert!(!Pattern::parse(lost, &mut lexicon()).unwrap().can_be_found(), "{lost}");
        }
    }
}
