//! Lexicon: each word that a table of rules names, as a number, with the lists that hold it; one lookup finds both.

use std::collections::{BTreeMap, HashSet};

use foldhash::HashMap;

/// The words and lists of one language. The default one knows no word.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// Whether an apostrophe ends a word.
    pub(super) elision: bool,
    known: HashMap<String, Entry>,
    names: BTreeMap<String, Set>,
    lists: Vec<List>,
    /// Lists that hold all words but their exceptions.
    everything: Set,
    /// Wildcards by the last byte of their ending, for words that the tables do not name.
    endings: HashMap<u8, Vec<(String, Set)>>,
    /// Wildcards by the first byte of their beginning, with the ending that goes with it.
    beginnings: HashMap<u8, Vec<(String, String, Set)>>,
}

/// A word that a table names; 0 stands for all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Word(u32);

/// Lists, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(u64);

/// What is known of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    pub(super) word: Word,
    pub(super) lists: Set,
}

/// A list of words, with wildcards at either end.
#[derive(Debug, Default)]
struct List {
    whole: HashSet<String>,
    /// Beginning and ending of each wildcard; either may be empty.
    wildcards: Vec<(String, String)>,
    exceptions: HashSet<String>,
}

impl Word {
    pub(super) const UNKNOWN: Self = Self(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Set {
    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl List {
    /// Reads the words of a list; `-word` takes one out that a wildcard would let in.
    fn new(words: &[String]) -> Self {
        let mut list = Self::default();
        for word in words {
            if let Some(word) = word.strip_prefix('-') {
                list.exceptions.insert(word.to_owned());
            } else if let Some((beginning, ending)) = word.split_once('*') {
                list.wildcards.push((beginning.to_owned(), ending.to_owned()));
            } else {
                list.whole.insert(word.clone());
            }
        }
        list
    }

    fn holds(&self, word: &str) -> bool {
        let by_wildcard = |(beginning, ending): &(String, String)| fits(word, beginning, ending);
        self.whole.contains(word) || !self.exceptions.contains(word) && self.wildcards.iter().any(by_wildcard)
    }
}

/// Whether a wildcard stands for the word; what stands before an ending is at least one letter.
fn fits(word: &str, beginning: &str, ending: &str) -> bool {
    let least = beginning.len() + ending.len();
    (ending.is_empty() && !beginning.is_empty() || word.len() > least)
        && word.len() >= least
        && word.starts_with(beginning)
        && word.ends_with(ending)
}

impl Lexicon {
    /// The most lists that one table may have.
    pub(super) const MOST_LISTS: usize = 64;

    /// A lexicon of lists by name; the error says what is wrong with them.
    pub(super) fn new(elision: bool, lists: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        if lists.len() > Self::MOST_LISTS {
            return Err(format!("{} lists are more than {}", lists.len(), Self::MOST_LISTS));
        }
        let mut lexicon = Self { elision, ..Self::default() };
        for (bit, (name, words)) in lists.iter().enumerate() {
            let set = Set(1 << bit);
            lexicon.names.insert(name.clone(), set);
            let list = List::new(words);
            for (beginning, ending) in list.wildcards.iter().cloned() {
                match (beginning.bytes().next(), ending.bytes().next_back()) {
                    (Some(first), _) => {
                        lexicon.beginnings.entry(first).or_default().push((beginning, ending, set));
                    }
                    (None, Some(last)) => lexicon.endings.entry(last).or_default().push((ending, set)),
                    (None, None) => lexicon.everything = lexicon.everything.and(set),
                }
            }
            lexicon.lists.push(list);
        }
        for words in lists.values() {
            for word in words.iter().filter(|w| !w.contains('*')) {
                lexicon.intern(word.strip_prefix('-').unwrap_or(word));
            }
        }
        Ok(lexicon)
    }

    /// The number of a word that a table names.
    pub(super) fn intern(&mut self, word: &str) -> Word {
        if let Some(entry) = self.known.get(word) {
            return entry.word;
        }
        let number = u32::try_from(self.known.len() + 1).unwrap_or(u32::MAX);
        let holding = self.lists.iter().enumerate().filter(|(_, list)| list.holds(word));
        let lists = holding.fold(Set::default(), |set, (bit, _)| set.and(Set(1 << bit)));
        let entry = Entry { word: Word(number), lists };
        self.known.insert(word.to_owned(), entry);
        entry.word
    }

    /// How many words are known; their numbers are 1 to this.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The list of this name; `None` where the table has none.
    pub(super) fn list(&self, name: &str) -> Option<Set> {
        self.names.get(name).copied()
    }

    /// What is known of a word in lower case.
    pub(super) fn look_up(&self, word: &str) -> Entry {
        self.known
            .get(word)
            .copied()
            .unwrap_or_else(|| Entry { word: Word::UNKNOWN, lists: self.fitting(word) })
    }

    /// The lists that hold a word by a wildcard. Exceptions need no look: they are known words.
    fn fitting(&self, word: &str) -> Set {
        let mut set = Set::default();
        let mut bytes = word.bytes();
        let (Some(first), last) = (bytes.next(), bytes.next_back()) else { return set };
        set = set.and(self.everything);
        for (ending, lists) in self.endings.get(&last.unwrap_or(first)).into_iter().flatten() {
            if fits(word, "", ending) {
                set = set.and(*lists);
            }
        }
        for (beginning, ending, lists) in self.beginnings.get(&first).into_iter().flatten() {
            if fits(word, beginning, ending) {
                set = set.and(*lists);
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_in_the_lists_that_hold_it_by_name_or_wildcard() {
        let list = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let lists = BTreeMap::from([
            ("ed".to_owned(), list(&["*ed", "-need", "shut"])),
            ("any".to_owned(), list(&["*", "-the"])),
            ("up".to_owned(), list(&["up*", "pre*ing"])),
        ]);
        let mut lexicon = Lexicon::new(false, &lists).unwrap();
        let set = |lexicon: &Lexicon, name: &str| lexicon.list(name).unwrap();
        let holds = |lexicon: &Lexicon, name, word| lexicon.look_up(word).lists.meets(set(lexicon, name));
        for (name, word, wanted) in [
            ("ed", "tested", true),
            ("ed", "need", false),
            ("ed", "ed", false),
            ("ed", "shut", true),
            ("any", "tested", true),
            ("any", "the", false),
            ("any", "", false),
            ("up", "upward", true),
            ("up", "up", true),
            ("up", "preheating", true),
            ("up", "preing", false),
        ] {
            assert_eq!(holds(&lexicon, name, word), wanted, "{name} {word}");
        }
        let late = lexicon.intern("preheating");
        assert_eq!(lexicon.look_up("preheating").word, late);
        assert!(holds(&lexicon, "up", "preheating"));
        assert_eq!(lexicon.look_up("cooling").word, Word::UNKNOWN);
        assert!(lexicon.list("none").is_none());
    }
}
