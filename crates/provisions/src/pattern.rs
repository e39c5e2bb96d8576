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
    /// True where it matches words between quotation marks, and no others.
    pub(super) quoted: bool,
}

impl Pattern {
    /// Reads a pattern; the error says which item cannot be read.
    pub(super) fn parse(text: &str, lexicon: &mut Lexicon) -> Result<Self, String> {
        let mut items = Vec::new();
        for item in text.split_whitespace() {
            items.push(PatternItem::parse(item, lexicon)?);
        }
        let key = key(&items);
        let around = key.map_or(0..0, |key| around(&items, key));
        let after = key.and_then(|_| after(&items[around.end..]));
        Ok(Self { items, key, around, after })
    }

    /// True for a pattern with a word for its lookup, or with the beginning of a sentence.
    pub(super) fn can_be_found(&self) -> bool {
        self.key.is_some() || matches!(self.items.first(), Some(PatternItem::Start))
    }

    /// True if the words of the pattern begin a sentence or a main clause.
    pub(super) fn heads_a_clause(&self) -> bool {
        let begins_with_word =
            matches!(self.items.as_slice(), [PatternItem::Start, PatternItem::OneOf(_), ..]);
        let has_gap = self.items.iter().any(|item| matches!(item, PatternItem::Gap { .. }));
        begins_with_word && !has_gap
    }

    /// The words by which the pattern is looked up; none when it begins a sentence.
    pub(super) fn keys(&self) -> impl Iterator<Item = Word> {
        let words = match self.key.map(|key| &self.items[key]) {
            Some(PatternItem::OneOf(one)) => one.words.as_slice(),
            _ => &[],
        };
        words.iter().copied()
    }

    /// The words with which it begins; `None` where another word may begin it.
    pub(super) fn first_words(&self) -> Option<impl Iterator<Item = Word>> {
        match self.items.first() {
            Some(PatternItem::OneOf(one)) if one.is_plain() => Some(one.words.iter().copied()),
            _ => None,
        }
    }

    /// True if the words directly around the key are around this token.
    pub(super) fn has_neighbours(&self, tokens: &[SentenceToken], at: usize) -> bool {
        let Some(key) = self.key else { return false };
        if self.around.len() == 1 {
            return true;
        }
        let Some(first) = at.checked_sub(key - self.around.start) else { return false };
        let Some(tokens) = tokens.get(first..first + self.around.len()) else { return false };
        for (item, token) in self.items[self.around.clone()].iter().zip(tokens) {
            let PatternItem::OneOf(one) = item else { return false };
            if !one.words.contains(&token.known.word) {
                return false;
            }
        }
        true
    }

    /// Strings of which every matching text has one: the key and the words directly around it.
    pub(super) fn traces(&self) -> Vec<String> {
        if self.key.is_none() {
            return Vec::new();
        }
        let mut traces = vec![String::new()];
        for item in &self.items[self.around.clone()] {
            let PatternItem::OneOf(one) = item else { continue };
            let mut longer = Vec::with_capacity(traces.len() * one.spelled.len());
            for trace in &traces {
                for word in &one.spelled {
                    // No blank is after the apostrophe of an elision, nor before a comma.
                    let is_joined = trace.is_empty() || trace.ends_with('\'') || word == ",";
                    let blank = if is_joined { "" } else { " " };
                    longer.push(format!("{trace}{blank}{word}"));
                }
            }
            traces = longer;
        }
        traces
    }
}

/// The item by which a pattern is looked up: that of the longest words, of several the first. For an item of
/// several words the shortest counts.
fn key(items: &[PatternItem]) -> Option<usize> {
    let mut key = None;
    let mut longest = 0;
    for (index, item) in items.iter().enumerate() {
        let PatternItem::OneOf(one) = item else { continue };
        if !one.is_plain() {
            continue;
        }
        let length = one.spelled.iter().map(String::len).min().unwrap_or(0);
        if length > longest {
            longest = length;
            key = Some(index);
        }
    }
    key
}

/// The items around the key that are words too and must be there.
fn around(items: &[PatternItem], key: usize) -> Range<usize> {
    let is_plain = |item: &PatternItem| matches!(item, PatternItem::OneOf(one) if one.is_plain());
    let mut first = key;
    while first > 0 && is_plain(&items[first - 1]) {
        first -= 1;
    }
    let mut end = key + 1;
    while end < items.len() && is_plain(&items[end]) {
        end += 1;
    }
    first..end
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

/// The bit of a word, which it has in common with one of 64 others.
fn bit(word: Word) -> u64 {
    1 << (word.index() % 64)
}

impl OneOf {
    /// Adds `#`, a list in braces, or a word.
    fn add(&mut self, atom: &str, lexicon: &mut Lexicon) -> Result<(), String> {
        if atom == "#" {
            self.number = true;
        } else if let Some(name) = atom.strip_prefix('{').and_then(|atom| atom.strip_suffix('}')) {
            let list = lexicon.list(name).ok_or_else(|| format!("there is no list `{name}`"))?;
            self.lists = self.lists.union(list);
        } else {
            let word = lexicon.intern(atom);
            self.bits |= bit(word);
            self.words.push(word);
            self.spelled.push(atom.to_owned());
        }
        Ok(())
    }

    /// True for one of the words; the bits rule out most others.
    pub(super) fn names(&self, word: Word) -> bool {
        self.bits & bit(word) != 0 && word != Word::UNKNOWN && self.words.contains(&word)
    }

    /// True if one of its words must be there.
    fn is_plain(&self) -> bool {
        !self.optional && !self.number && !self.quoted && self.lists == ListSet::default()
    }
}

impl PatternItem {
    fn parse(text: &str, lexicon: &mut Lexicon) -> Result<Self, String> {
        match text {
            "^" => return Ok(Self::Start),
            "$" => return Ok(Self::End),
            _ => {}
        }
        let gap = text.strip_prefix("..").or(text.strip_prefix(",,"));
        if let Some(digits) = gap {
            let most = digits.parse().map_err(|_| format!("`{text}` is not a gap"))?;
            return Ok(Self::Gap { most, commas: text.starts_with(',') });
        }
        let (text, optional) = match text.strip_suffix('?') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (text, quoted) = match text.strip_prefix('“').and_then(|text| text.strip_suffix('”')) {
            Some(text) => (text, true),
            None => (text, false),
        };
        let mut one = OneOf { optional, quoted, ..OneOf::default() };
        for atom in text.split('|') {
            if atom.is_empty() {
                return Err(format!("`{text}` has an empty alternative"));
            }
            one.add(atom, lexicon)?;
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
