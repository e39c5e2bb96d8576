//! Words of English, German and French for facets and features: frames of provisions, empty words, and words
//! that negate, limit, or open a condition.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use foldhash::HashSet;
use serde::Deserialize;

use crate::difference::tokens;
use crate::features::stem;

/// Words or phrases, by their language.
type ByLanguage<T> = BTreeMap<String, Vec<T>>;

/// The file `vocabulary.toml`, which says what each list is for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct VocabularyFile {
    frames: ByLanguage<String>,
    fillers: ByLanguage<String>,
    negations: ByLanguage<String>,
    affirmations: ByLanguage<String>,
    compared: ByLanguage<String>,
    limited: ByLanguage<String>,
    before_limits: ByLanguage<String>,
    laws: ByLanguage<String>,
    general_titles: ByLanguage<String>,
    opposites: ByLanguage<(String, String)>,
    openers: OpenersFile,
}

/// Phrases that open a condition, by what they mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenersFile {
    condition: ByLanguage<String>,
    exception: ByLanguage<String>,
    proviso: ByLanguage<String>,
}

/// The words of all languages.
struct ComparisonWords {
    frames: HashSet<String>,
    fillers: HashSet<String>,
    negations: HashSet<String>,
    affirmations: HashSet<String>,
    compared: HashSet<String>,
    limited: HashSet<String>,
    before_limits: HashSet<String>,
    laws: HashSet<String>,
    general_titles: HashSet<String>,
    opposites: Vec<(String, String)>,
    /// The words of each phrase, and the number of its meaning.
    openers: Vec<(Vec<String>, u8)>,
}

static VOCABULARY: LazyLock<ComparisonWords> = LazyLock::new(|| {
    let file: VocabularyFile =
        toml::from_str(include_str!("vocabulary.toml")).expect("a test reads the file");
    let meanings = [(file.openers.condition, 1), (file.openers.exception, 2), (file.openers.proviso, 3)];
    let mut openers = Vec::new();
    for (phrases, number) in meanings {
        for phrase in phrases.into_values().flatten() {
            // Apostrophes are tokens of their own.
            let phrase = phrase.replace('\'', " '").replace('’', " ’");
            openers.push((phrase.split_whitespace().map(str::to_owned).collect(), number));
        }
    }
    ComparisonWords {
        frames: all(file.frames),
        fillers: all(file.fillers),
        negations: all(file.negations),
        affirmations: all(file.affirmations),
        compared: all(file.compared),
        limited: all(file.limited),
        before_limits: all(file.before_limits),
        laws: all(file.laws),
        general_titles: all(file.general_titles),
        opposites: file.opposites.into_values().flatten().collect(),
        openers,
    }
});

/// The words of all languages.
fn all(words: ByLanguage<String>) -> HashSet<String> {
    words.into_values().flatten().collect()
}

/// Whether a word, in lower case, is the name of a law of the European Union.
pub(crate) fn is_law(word: &str) -> bool {
    VOCABULARY.laws.contains(word)
}

/// Whether a title, in lower case, is that of a first subsection into which new editions move the body of a
/// clause.
pub(crate) fn is_general_title(title: &str) -> bool {
    VOCABULARY.general_titles.contains(title)
}

/// Whether a word frames a provision, or denies it.
pub(crate) fn is_frame(word: &str) -> bool {
    VOCABULARY.frames.contains(word) || VOCABULARY.negations.contains(word)
}

/// Whether a word negates, where `next` follows it.
pub(crate) fn negates(word: &str, next: Option<&str>) -> bool {
    VOCABULARY.negations.contains(word) && !next.is_some_and(|next| VOCABULARY.compared.contains(next))
}

/// Whether a word sets a limit together with a negation before it.
pub(crate) fn is_limited(word: &str) -> bool {
    VOCABULARY.limited.contains(word)
}

/// Whether two words are opposite limits.
pub(crate) fn are_opposite(a: &str, b: &str) -> bool {
    let is = |word: &str, known: &str| word == known || known.len() > 5 && word.starts_with(known);
    VOCABULARY.opposites.iter().any(|(x, y)| is(a, x) && is(b, y) || is(a, y) && is(b, x))
}

/// Whether a word limits, in whatever direction.
fn limits(word: &str) -> bool {
    let is = |known: &str| word == known || known.len() > 5 && word.starts_with(known);
    VOCABULARY.limited.contains(word)
        || VOCABULARY.opposites.iter().any(|(x, y)| is(x) || is(y))
        || VOCABULARY.before_limits.contains(word)
}

/// The words of a text in lower case, without signs.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let words = tokens.iter().filter(|token| token.text.starts_with(char::is_alphanumeric));
    words.map(|token| token.text.to_lowercase()).collect()
}

/// A word in the form for comparing texts: without ending, and in one spelling of English.
fn folded(word: &str) -> String {
    let word = word.replace("ß", "ss");
    let american = if word.ends_with("our") && word.len() > 4 { word.replace("our", "or") } else { word };
    stem(&american).to_owned()
}

/// The content of a phrase: its words without those that add nothing.
pub(crate) fn content(text: &str) -> Vec<String> {
    let words = lower_words(text).into_iter().filter(|word| !VOCABULARY.fillers.contains(&**word));
    words.map(|word| folded(&word)).collect()
}

/// The content of a subject, without numbers, negations and limits, which are facets of their own.
pub(crate) fn named(text: &str) -> Vec<String> {
    let words = lower_words(text).into_iter().filter(|word| {
        let has_digit = word.starts_with(|c: char| c.is_ascii_digit());
        !(has_digit
            || VOCABULARY.fillers.contains(&**word)
            || VOCABULARY.negations.contains(&**word)
            || limits(word))
    });
    words.map(|word| folded(&word)).collect()
}

/// The content of a sentence without its polarity: its words without frames and negations, sorted.
pub(crate) fn said(text: &str) -> Vec<String> {
    let is_word = |word: &String| {
        let word = &**word;
        !(VOCABULARY.frames.contains(word)
            || VOCABULARY.fillers.contains(word)
            || VOCABULARY.negations.contains(word)
            || VOCABULARY.affirmations.contains(word))
    };
    let mut words: Vec<String> =
        lower_words(text).into_iter().filter(is_word).map(|word| folded(&word)).collect();
    words.sort_unstable();
    words
}

/// The number of the phrase that opens a condition, 0 for other words, and its content.
pub(crate) fn condition(text: &str) -> (u8, Vec<String>) {
    let lower = tokens(text).iter().map(|token| token.text.to_lowercase()).collect::<Vec<_>>();
    let found = VOCABULARY.openers.iter().filter_map(|(words, number)| {
        let fits = words.len() <= lower.len() && words.iter().zip(&lower).all(|(word, own)| word == own);
        fits.then_some((words.len(), *number))
    });
    let (length, number) = found.max().unwrap_or((0, 0));
    (number, content(&lower[length..].join(" ")))
}

/// Whether a text begins like an exception or a proviso.
pub(crate) fn is_exception(text: &str) -> bool {
    condition(text).0 > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_and_has_words_of_each_language_in_each_list() {
        for (word, list) in [
            ("shall", &VOCABULARY.frames),
            ("jeder", &VOCABULARY.fillers),
            ("jamais", &VOCABULARY.negations),
            ("ou", &VOCABULARY.affirmations),
            ("weniger", &VOCABULARY.compared),
            ("exceed", &VOCABULARY.limited),
            ("als", &VOCABULARY.before_limits),
            ("règlement", &VOCABULARY.laws),
            ("allgemeines", &VOCABULARY.general_titles),
        ] {
            assert!(list.contains(word), "{word}");
        }
        assert!(are_opposite("höchstens", "mindestens") && are_opposite("minimum", "maximum"));
        assert_eq!(
            [condition("s’il pleut").0, condition("à moins que").0, condition("nur wenn").0],
            [1, 2, 3]
        );
    }
}
