//! Words of English, German and French for facets and features: frames of provisions, empty words, and words
//! that negate, limit, or open a condition.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use foldhash::HashSet;
use serde::Deserialize;

use crate::difference::{lower_case, tokens};
use crate::features::stem;
use crate::spelling::one_spelling;

/// Words or phrases, by the primary subtag of their language.
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
    /// Parts that are replaced wherever they are in a word.
    pub(crate) parts: Vec<(String, String)>,
    /// Whole words, which are not looked up among parts and endings.
    pub(crate) words: Vec<(String, String)>,
}

/// Words that measure without a number: `twice`, `every week`.
pub(crate) struct MeasureWords {
    /// The words, in lower case.
    pub(crate) words: Vec<String>,
    /// Set where the last word may have any ending.
    pub(crate) is_beginning: bool,
    /// The value as a decimal number.
    pub(crate) value: String,
    /// UCUM code and name of the unit; `None` for a count.
    pub(crate) unit: Option<(String, String)>,
}

/// The words of all languages: a sentence is read with all of them, whichever language it is in.
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
    /// The words of each phrase, and its meaning.
    openers: Vec<(Vec<String>, ConditionMeaning)>,
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
    let meanings = [
        (file.openers.condition, ConditionMeaning::Condition),
        (file.openers.exception, ConditionMeaning::Exception),
        (file.openers.proviso, ConditionMeaning::Proviso),
    ];
    let mut openers = Vec::new();
    for (phrases, meaning) in meanings {
        for phrase in phrases.into_values().flatten() {
            // Apostrophes are tokens of their own.
            let phrase = phrase.replace('\'', " '").replace('’', " ’");
            openers.push((phrase.split_whitespace().map(str::to_owned).collect(), meaning));
        }
    }
    let mut agent_marks = Vec::new();
    for (language, marks) in file.agent_marks {
        for mark in marks {
            agent_marks.push((mark, language.clone()));
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

fn all(words: ByLanguage<String>) -> HashSet<String> {
    words.into_values().flatten().collect()
}

/// True for the name of a law of the European Union, in lower case.
pub(crate) fn is_law(word: &str) -> bool {
    VOCABULARY.laws.contains(word)
}

/// True for the title, in lower case, of a first subsection into which new editions move the body of a
/// clause.
pub(crate) fn is_general_title(title: &str) -> bool {
    VOCABULARY.general_titles.contains(title)
}

/// True for a word that frames a provision, or denies it.
pub(crate) fn is_frame(word: &str) -> bool {
    VOCABULARY.frames.contains(word) || VOCABULARY.negations.contains(word)
}

/// True for a word that negates, where `next` follows it: “no”, but not “no” in “no more than”.
pub fn negates(word: &str, next: Option<&str>) -> bool {
    if !VOCABULARY.negations.contains(word) {
        return false;
    }
    match next {
        Some(next) => !VOCABULARY.compared.contains(next),
        None => true,
    }
}

/// True for a word that sets a limit together with a negation before it.
pub(crate) fn is_limited(word: &str) -> bool {
    VOCABULARY.limited.contains(word)
}

/// True for two words that are opposite limits.
pub(crate) fn are_opposite(a: &str, b: &str) -> bool {
    for (one, other) in &VOCABULARY.opposites {
        if is_or_begins_with(a, one) && is_or_begins_with(b, other)
            || is_or_begins_with(a, other) && is_or_begins_with(b, one)
        {
            return true;
        }
    }
    false
}

/// A word matches a listed one if it is the same or, where the listed one is long enough to be a stem, begins
/// with it.
fn is_or_begins_with(word: &str, listed: &str) -> bool {
    word == listed || listed.len() > 5 && word.starts_with(listed)
}

/// True where one of two words joins both of two things, and the other word only one of them: `and`, `or`.
pub(crate) fn join_otherwise(a: &str, b: &str) -> bool {
    VOCABULARY.joining.iter().any(|(both, one)| (a, b) == (both, one) || (b, a) == (both, one))
}

/// True for a word that restricts what a provision says to what follows or precedes it.
pub fn is_restriction(word: &str) -> bool {
    VOCABULARY.restrictions.contains(word)
}

/// The language of the noun that follows a word before the one who acts: `en` of `by`.
pub(crate) fn agent_language(mark: &str) -> Option<&'static str> {
    for (word, language) in &VOCABULARY.agent_marks {
        if word == mark {
            return Some(language);
        }
    }
    None
}

/// True for a noun of this language that names one who acts. The list has whole nouns, and endings with a
/// star before them.
pub(crate) fn is_agent(language: &str, word: &str) -> bool {
    let Some(nouns) = VOCABULARY.agents.get(language) else { return false };
    for noun in nouns {
        let is_listed = match noun.strip_prefix('*') {
            Some(ending) => word.ends_with(ending),
            None => word == noun,
        };
        if is_listed {
            return true;
        }
    }
    false
}

/// Words that measure without a number, the longest phrases first.
pub(crate) fn measure_words() -> &'static [MeasureWords] {
    &VOCABULARY.measures
}

pub(crate) fn spelling() -> &'static Spelling {
    &VOCABULARY.spelling
}

/// True for a word that limits, in whatever direction.
fn limits(word: &str) -> bool {
    compares(word) || VOCABULARY.before_limits.contains(word)
}

/// True for a word that compares with a value: `exceed`, `least`, `before`.
pub fn compares(word: &str) -> bool {
    if VOCABULARY.limited.contains(word) {
        return true;
    }
    let mut opposites = VOCABULARY.opposites.iter();
    opposites.any(|(one, other)| is_or_begins_with(word, one) || is_or_begins_with(word, other))
}

/// True for a word that adds nothing to a phrase: `the`.
pub fn is_filler(word: &str) -> bool {
    VOCABULARY.fillers.contains(word)
}

/// True for a word of a verbal form, or of a phrase in its position, that says how strong it is: `shall`,
/// `required`. Auxiliaries such as `be` do not.
pub fn has_strength(word: &str) -> bool {
    VOCABULARY.frames.contains(word)
        && !VOCABULARY.fillers.contains(word)
        && !VOCABULARY.negations.contains(word)
}

/// The words of a text in lower case, without signs.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for token in tokens(text) {
        if token.text.starts_with(char::is_alphanumeric) {
            words.push(token.text.to_lowercase());
        }
    }
    words
}

/// A word in the form for comparing texts: without ending, and in one spelling.
fn folded(word: &str) -> String {
    stem(&one_spelling(word)).to_owned()
}

/// The content of a phrase: its words without those that add nothing.
pub(crate) fn content(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in lower_words(text) {
        if !VOCABULARY.fillers.contains(&word) {
            words.push(folded(&word));
        }
    }
    words
}

/// The content of a subject, without numbers, negations and limits, which are facets of their own.
pub(crate) fn named(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in lower_words(text) {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_left_out = is_number
            || joins(&word)
            || VOCABULARY.fillers.contains(&word)
            || VOCABULARY.negations.contains(&word)
            || is_restriction(&word)
            || limits(&word);
        if !is_left_out {
            words.push(folded(&word));
        }
    }
    words
}

/// True for a word that joins two things: `and`, `or`.
fn joins(word: &str) -> bool {
    VOCABULARY.joining.iter().any(|(both, one)| word == both || word == one)
}

/// The content of a sentence without its polarity: its words without frames and negations, sorted.
pub(crate) fn said(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in lower_words(text) {
        let is_left_out = VOCABULARY.frames.contains(&word)
            || VOCABULARY.fillers.contains(&word)
            || VOCABULARY.negations.contains(&word)
            || VOCABULARY.affirmations.contains(&word);
        if !is_left_out {
            words.push(folded(&word));
        }
    }
    words.sort_unstable();
    words
}

/// What a phrase opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedClause {
    /// A condition, or a proviso: `if`, `provided that`.
    Condition,
    /// An exception: `unless`.
    Exception,
}

/// What the first words of a text open, if they open something.
pub fn opened_clause(text: &str) -> Option<OpenedClause> {
    match ConditionWords::of(text).meaning? {
        ConditionMeaning::Exception => Some(OpenedClause::Exception),
        ConditionMeaning::Condition | ConditionMeaning::Proviso => Some(OpenedClause::Condition),
    }
}

/// The meaning of the phrase that opens a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConditionMeaning {
    /// “if the lid is shut”
    Condition,
    /// “unless the lid is shut”
    Exception,
    /// “provided that the lid is shut”
    Proviso,
}

/// A condition as it is compared with another one: “if the lid is shut” is the same as “when the lid is
/// shut”.
#[derive(PartialEq, Eq)]
pub(crate) struct ConditionWords {
    /// `None` where no phrase of the list opens the condition.
    pub(crate) meaning: Option<ConditionMeaning>,
    /// The content of the words behind that phrase.
    pub(crate) content: Vec<String>,
}

impl ConditionWords {
    pub(crate) fn of(text: &str) -> Self {
        let lower = lower_case(&tokens(text));
        let mut longest: Option<(usize, ConditionMeaning)> = None;
        for (words, meaning) in &VOCABULARY.openers {
            if lower.starts_with(words) {
                longest = longest.max(Some((words.len(), *meaning)));
            }
        }
        match longest {
            Some((length, meaning)) => {
                Self { meaning: Some(meaning), content: content(&lower[length..].join(" ")) }
            }
            None => Self { meaning: None, content: content(&lower.join(" ")) },
        }
    }
}

/// True for a text that begins like an exception or a proviso.
pub(crate) fn is_exception(text: &str) -> bool {
    let meaning = ConditionWords::of(text).meaning;
    matches!(meaning, Some(ConditionMeaning::Exception | ConditionMeaning::Proviso))
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
        for (text, meaning) in [
            ("s’il pleut", ConditionMeaning::Condition),
            ("à moins que", ConditionMeaning::Exception),
            ("nur wenn", ConditionMeaning::Proviso),
        ] {
            assert_eq!(ConditionWords::of(text).meaning, Some(meaning), "{text}");
        }
    }
}
