//! Words of English, German and French for facets and features: frames of provisions, empty words, and words
//! that negate, limit, or open a condition.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use foldhash::HashSet;
use serde::Deserialize;

use crate::difference::tokens;
use crate::features::stem;
use crate::spelling::one_spelling;

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
    joining: ByLanguage<(String, String)>,
    restrictions: ByLanguage<String>,
    agent_marks: ByLanguage<String>,
    agents: ByLanguage<String>,
    measures: ByLanguage<(String, String, String, String)>,
    spelling: Spelling,
}

/// Phrases that open a condition, by what they mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenersFile {
    condition: ByLanguage<String>,
    exception: ByLanguage<String>,
    proviso: ByLanguage<String>,
}

/// Two spellings of English: British, American.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spelling {
    /// Endings, with the fewest letters of a word that they hold for.
    pub(crate) endings: Vec<(String, String, usize)>,
    /// Parts of words.
    pub(crate) parts: Vec<(String, String)>,
    /// Whole words.
    pub(crate) words: Vec<(String, String)>,
}

/// Words that measure without a number: `twice`, `every week`.
pub(crate) struct MeasureWords {
    /// The words, in lower case.
    pub(crate) words: Vec<String>,
    /// Whether the last word may have any ending.
    pub(crate) is_beginning: bool,
    /// The value.
    pub(crate) value: String,
    /// UCUM code and name of the unit; `None` for a count.
    pub(crate) unit: Option<(String, String)>,
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
    joining: Vec<(String, String)>,
    restrictions: HashSet<String>,
    /// Words before an agent, with their language.
    agent_marks: Vec<(String, String)>,
    agents: ByLanguage<String>,
    /// The longest phrases first.
    measures: Vec<MeasureWords>,
    spelling: Spelling,
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
    let mut agent_marks = Vec::new();
    for (language, marks) in file.agent_marks {
        agent_marks.extend(marks.into_iter().map(|mark| (mark, language.clone())));
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
        joining: file.joining.into_values().flatten().collect(),
        restrictions: all(file.restrictions),
        agent_marks,
        agents: file.agents,
        measures: measures(file.measures),
        spelling: file.spelling,
    }
});

/// Words that measure, the longest phrases first.
fn measures(by_language: ByLanguage<(String, String, String, String)>) -> Vec<MeasureWords> {
    let mut all = Vec::new();
    for (words, value, code, name) in by_language.into_values().flatten() {
        let is_beginning = words.ends_with('*');
        let words: Vec<String> = words.trim_end_matches('*').split(' ').map(str::to_owned).collect();
        let unit = (!code.is_empty()).then_some((code, name));
        all.push(MeasureWords { words, is_beginning, value, unit });
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.words.len()));
    all
}

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

/// Whether one of two words joins both of two things, and the other one of them.
pub(crate) fn join_otherwise(a: &str, b: &str) -> bool {
    VOCABULARY.joining.iter().any(|(both, one)| (a, b) == (both, one) || (b, a) == (both, one))
}

/// Whether a word restricts what a provision says to what follows or precedes it.
pub(crate) fn is_restriction(word: &str) -> bool {
    VOCABULARY.restrictions.contains(word)
}

/// The language of the noun that follows a word before the one who acts: `en` of `by`.
pub(crate) fn agent_language(mark: &str) -> Option<&'static str> {
    let found = VOCABULARY.agent_marks.iter().find(|(word, _)| word == mark);
    found.map(|(_, language)| &**language)
}

/// Whether a word of this language is a noun for one who acts.
pub(crate) fn is_agent(language: &str, word: &str) -> bool {
    let nouns = VOCABULARY.agents.get(language).into_iter().flatten();
    nouns.into_iter().any(|noun| match noun.strip_prefix('*') {
        Some(ending) => word.ends_with(ending),
        None => word == noun,
    })
}

/// Words that measure without a number, the longest phrases first.
pub(crate) fn measure_words() -> &'static [MeasureWords] {
    &VOCABULARY.measures
}

/// Two spellings of English.
pub(crate) fn spelling() -> &'static Spelling {
    &VOCABULARY.spelling
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

/// A word in the form for comparing texts: without ending, and in one spelling.
fn folded(word: &str) -> String {
    stem(&one_spelling(word)).to_owned()
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
        let joins = VOCABULARY.joining.iter().any(|(both, one)| word == both || word == one);
        !(has_digit
            || joins
            || VOCABULARY.fillers.contains(&**word)
            || VOCABULARY.negations.contains(&**word)
            || is_restriction(word)
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
            ("seulement", &VOCABULARY.restrictions),
        ] {
            assert!(list.contains(word), "{word}");
        }
        assert!(is_agent("de", "seilprüfer") && !is_agent("en", "seilprüfer"));
        assert_eq!(measure_words().first().map(|one| one.words.len()), Some(4));
        assert!(are_opposite("höchstens", "mindestens") && are_opposite("minimum", "maximum"));
        assert_eq!(
            [condition("s’il pleut").0, condition("à moins que").0, condition("nur wenn").0],
            [1, 2, 3]
        );
    }
}
