//! Words of instructions in English, French and German: what an editor is asked to do, and how the parts of a
//! document are named. The lists are in `instruction_words/`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use norma_model::{InstructionOperation, InstructionPartKind, KnownSection};
use serde::Deserialize;

/// The file of one language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WordsFile {
    /// Primary subtag (BCP 47).
    language: String,
    orders: BTreeMap<Verb, Vec<String>>,
    passives: BTreeMap<Verb, Vec<String>>,
    words: SmallWords,
    phrases: BTreeMap<String, String>,
    ordinals: BTreeMap<String, u32>,
    cardinals: BTreeMap<String, u32>,
    clauses: ClauseWords,
    kinds: BTreeMap<InstructionPartKind, Vec<String>>,
    sections: BTreeMap<KnownSection, Vec<String>>,
}

/// What a verb asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verb {
    Replace,
    Add,
    Delete,
    Renumber,
    Change,
    /// “For X read Y”.
    Read,
}

impl Verb {
    /// The operation that the verb asks for.
    pub(crate) fn operation(self) -> InstructionOperation {
        match self {
            Self::Replace | Self::Read => InstructionOperation::Replace,
            Self::Add => InstructionOperation::Add,
            Self::Delete => InstructionOperation::Delete,
            Self::Renumber => InstructionOperation::Renumber,
            Self::Change => InstructionOperation::Change,
        }
    }
}

/// Words around verbs and parts; the files say what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SmallWords {
    pub(crate) auxiliaries: HashSet<String>,
    pub(crate) with: HashSet<String>,
    pub(crate) r#as: HashSet<String>,
    pub(crate) new: HashSet<String>,
    pub(crate) after: HashSet<String>,
    pub(crate) between: HashSet<String>,
    pub(crate) before: HashSet<String>,
    pub(crate) within: HashSet<String>,
    pub(crate) end: HashSet<String>,
    pub(crate) start: HashSet<String>,
    pub(crate) articles: HashSet<String>,
    pub(crate) nouns: HashSet<String>,
    pub(crate) and: HashSet<String>,
    pub(crate) to: HashSet<String>,
    pub(crate) last: HashSet<String>,
    pub(crate) new_in_headings: HashSet<String>,
    pub(crate) instead_of: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClauseWords {
    clause: Vec<String>,
    annex: Vec<String>,
}

/// The words of one language.
pub(crate) struct InstructionWords {
    /// Verbs as orders: “replace”.
    pub(crate) orders: HashMap<String, Verb>,
    /// Verbs in passives, and nouns made of them.
    pub(crate) passives: HashMap<String, Verb>,
    pub(crate) small: SmallWords,
    /// Words of several parts, cut into words, and the one word that they are read as.
    pub(crate) phrases: Vec<(Vec<String>, String)>,
    ordinals: HashMap<String, u32>,
    pub(crate) cardinals: HashMap<String, u32>,
    /// Words before the number of a clause or the letter of an annex.
    pub(crate) clauses: HashSet<String>,
    pub(crate) kinds: HashMap<String, InstructionPartKind>,
    /// Titles of sections that are known by them.
    sections: Vec<(String, KnownSection)>,
    /// Set where adjectives have endings, which are cut off to look ordinals up.
    pub(crate) is_german: bool,
}

/// Endings of German ordinals, which the list has with `e`.
const GERMAN_ENDINGS: [&str; 5] = ["en", "er", "es", "em", "e"];

impl InstructionWords {
    fn new(file: WordsFile) -> Self {
        let mut clauses = HashSet::default();
        clauses.extend(file.clauses.clause);
        clauses.extend(file.clauses.annex);
        let mut sections = Vec::new();
        for (section, titles) in file.sections {
            for title in titles {
                sections.push((title, section));
            }
        }
        let mut phrases = Vec::new();
        for (phrase, word) in file.phrases {
            let phrase = phrase.replace('’', "'");
            // An article with an apostrophe is a token of its own.
            let parts: Vec<String> =
                phrase.split_inclusive([' ', '\'']).map(|part| part.trim().to_owned()).collect();
            phrases.push((parts, word));
        }
        // The longest first.
        phrases.sort_by_key(|(parts, _)| std::cmp::Reverse(parts.len()));
        Self {
            orders: by_word(file.orders),
            passives: by_word(file.passives),
            small: file.words,
            phrases,
            ordinals: file.ordinals.into_iter().collect(),
            cardinals: file.cardinals.into_iter().collect(),
            clauses,
            kinds: by_word(file.kinds),
            sections,
            is_german: file.language == "de",
        }
    }

    /// The words of a language, by its primary subtag; `None` for a language without a list.
    pub(crate) fn of(language: &str) -> Option<&'static Self> {
        WORDS.get(language)
    }

    /// The number of an ordinal.
    pub(crate) fn ordinal(&self, word: &str) -> Option<u32> {
        if let Some(number) = self.ordinals.get(word) {
            return Some(*number);
        }
        if !self.is_german {
            return None;
        }
        for ending in GERMAN_ENDINGS {
            let Some(stem) = word.strip_suffix(ending) else { continue };
            if let Some(number) = self.ordinals.get(&format!("{stem}e")) {
                return Some(*number);
            }
        }
        None
    }

    /// What a verb asks for, in whatever form.
    pub(crate) fn verb(&self, word: &str) -> Option<Verb> {
        self.orders.get(word).or(self.passives.get(word)).copied()
    }

    /// The section that has this title, in lower case and without a number.
    pub(crate) fn section(&self, title: &str) -> Option<KnownSection> {
        for (known, section) in &self.sections {
            if known == title {
                return Some(*section);
            }
        }
        None
    }
}

/// The section that has this title in any language with a list.
pub fn section_in_any_language(title: &str) -> Option<KnownSection> {
    let title = title.to_lowercase().replace('’', "'");
    WORDS.values().find_map(|words| words.section(&title))
}

fn by_word<T: Copy>(lists: BTreeMap<T, Vec<String>>) -> HashMap<String, T> {
    let mut by_word = HashMap::default();
    for (value, words) in lists {
        for word in words {
            by_word.insert(word, value);
        }
    }
    by_word
}

/// The files of the languages.
const FILES: [&str; 3] = [
    include_str!("instruction_words/en.toml"),
    include_str!("instruction_words/de.toml"),
    include_str!("instruction_words/fr.toml"),
];

static WORDS: LazyLock<BTreeMap<String, InstructionWords>> = LazyLock::new(|| {
    let mut words = BTreeMap::new();
    for text in FILES {
        let file: WordsFile = toml::from_str(text).expect("a test reads each file");
        words.insert(file.language.clone(), InstructionWords::new(file));
    }
    words
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_words_for_every_verb_and_every_kind() {
        for language in ["en", "de", "fr"] {
            let words = InstructionWords::of(language).unwrap();
            assert!(words.orders.len() >= 10 && words.kinds.len() >= 30, "{language}");
            assert_eq!(
                words.sections.iter().map(|(_, s)| *s).collect::<std::collections::BTreeSet<_>>().len(),
                6
            );
        }
        assert!(InstructionWords::of("nl").is_none());
    }

    #[test]
    fn german_ordinals_have_endings() {
        let words = InstructionWords::of("de").unwrap();
        for word in ["dritte", "dritten", "dritter", "drittes", "drittem"] {
            assert_eq!(words.ordinal(word), Some(3));
        }
        assert_eq!(words.ordinal("drit"), None);
    }
}
