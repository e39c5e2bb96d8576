//! Other forms of a word of a query: spellings of British and American English, and numbers as words.

use std::sync::LazyLock;

use crate::digits::ungrouped;

/// Numbers that texts write as words, from 2 on: `one` is an article in the other two languages.
const NUMBER_WORDS: [[&str; 3]; 11] = [
    ["two", "zwei", "deux"],
    ["three", "drei", "trois"],
    ["four", "vier", "quatre"],
    ["five", "fünf", "cinq"],
    ["six", "sechs", "six"],
    ["seven", "sieben", "sept"],
    ["eight", "acht", "huit"],
    ["nine", "neun", "neuf"],
    ["ten", "zehn", "dix"],
    ["eleven", "elf", "onze"],
    ["twelve", "zwölf", "douze"],
];

/// Where a spelling is in a word.
enum SpellingScope {
    Word,
    Within,
    End,
}

/// Spellings of one word or part of a word.
struct Spellings {
    scope: SpellingScope,
    forms: Vec<&'static str>,
}

static SPELLINGS: LazyLock<Vec<Spellings>> = LazyLock::new(|| {
    let mut spellings = Vec::new();
    for line in include_str!("spellings.txt").lines() {
        let mut columns = line.split(' ');
        let scope = match columns.next() {
            Some("=") => SpellingScope::Word,
            Some("~") => SpellingScope::Within,
            Some("-") => SpellingScope::End,
            _ => continue,
        };
        spellings.push(Spellings { scope, forms: columns.collect() });
    }
    spellings
});

/// Letters that a word has before an end whose spelling differs, at least: `wise` is not `wize`.
const BEFORE_END: usize = 3;

impl Spellings {
    /// The word with other forms in the same position; empty where it has none of them.
    fn others(&self, word: &str) -> Vec<String> {
        for form in &self.forms {
            let parts = match self.scope {
                SpellingScope::Word => (word == *form).then_some(("", "")),
                SpellingScope::Within => word.split_once(form),
                SpellingScope::End => word.strip_suffix(form).map(|start| (start, "")),
            };
            let Some((start, end)) = parts else { continue };
            if matches!(self.scope, SpellingScope::End) && start.len() < BEFORE_END {
                continue;
            }
            let others = self.forms.iter().filter(|other| *other != form);
            return others.map(|other| format!("{start}{other}{end}")).collect();
        }
        Vec::new()
    }
}

/// Other spellings, British and American, that a folded word of an English query also finds.
pub fn spellings(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for spellings in SPELLINGS.iter() {
        for other in spellings.others(word) {
            // `colourise` differs twice.
            if !found.contains(&other) && other != word {
                found.push(other);
            }
        }
    }
    found
}

/// Other forms of a number, or of a folded word for a number, that a query also finds: `4` for `four`, and
/// `four`, `vier` and `quatre` for `4`.
pub fn number_forms(word: &str) -> Vec<String> {
    for (number, words) in (2u32..).zip(NUMBER_WORDS) {
        let digits = number.to_string();
        if digits == word {
            return words.iter().map(|word| (*word).to_owned()).collect();
        }
        if words.contains(&word) {
            return vec![digits];
        }
    }
    // A decimal comma is a point already.
    ungrouped(word, Some('.')).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_and_american_spellings_are_forms_of_one_word() {
        let pairs = [
            ("galvanised", "galvanized"),
            ("colour", "color"),
            ("millimetres", "millimeters"),
            ("labelled", "labeled"),
            ("analyser", "analyzer"),
            ("aluminium", "aluminum"),
            ("tyre", "tire"),
            ("sulphate", "sulfate"),
        ];
        for (british, american) in pairs {
            assert!(spellings(british).contains(&american.to_owned()), "{british}: {:?}", spellings(british));
            assert!(
                spellings(american).contains(&british.to_owned()),
                "{american}: {:?}",
                spellings(american)
            );
        }
        assert_eq!(spellings("wise"), Vec::<String>::new());
        assert_eq!(spellings("anchor"), Vec::<String>::new());
    }

    #[test]
    fn a_number_has_its_words_and_a_word_its_number() {
        assert_eq!(number_forms("5"), ["five", "fünf", "cinq"]);
        assert_eq!(number_forms("zwölf"), ["12"]);
        assert_eq!(number_forms("10.000"), ["10000"]);
        assert_eq!(number_forms("0.125"), Vec::<String>::new());
        assert_eq!(number_forms("15"), Vec::<String>::new());
    }
}
