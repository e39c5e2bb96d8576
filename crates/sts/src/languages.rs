//! Words of standards by language: titles of clauses, the status of annexes, notes, examples, continued
//! tables.
//!
//! `languages/` has one file for each language, in which each word has the drafting rules or documents that
//! it was seen in. The source `general language`, with the meaning of each word, is that of words which no
//! document at hand prints. Languages that are not there have no source at hand. Titles and the status of
//! annexes are looked up in all languages at once: a document may have an annex in another language.

use std::sync::LazyLock;

use foldhash::{HashMap, HashSet};
use norma_model::SectionKind;
use serde::Deserialize;

/// The file of one language, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LanguageFile {
    /// Primary subtag (BCP 47).
    language: String,
    from: Vec<SourcedWords>,
    generated: Option<GeneratedPhrases>,
}

/// Words that one source has, in lower case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[derive(Default)]
struct SourcedWords {
    /// The drafting rules or documents that have them.
    source: String,
    foreword: Vec<String>,
    introduction: Vec<String>,
    scope: Vec<String>,
    normative_references: Vec<String>,
    /// Whole titles of clauses that define terms.
    terms: Vec<String>,
    bibliography: Vec<String>,
    index: Vec<String>,
    /// Words of which the title of a clause that defines terms has at least one.
    term_words: Vec<String>,
    /// The other words of such titles.
    term_fillers: Vec<String>,
    /// Beginnings of words for symbols and abbreviations.
    symbols: Vec<String>,
    annex: Vec<String>,
    /// Parts of words that say that an annex is informative, and that it is normative.
    informative: Vec<String>,
    normative: Vec<String>,
    /// Words that turn such a statement into its contrary.
    negations: Vec<String>,
    note: Vec<String>,
    example: Vec<String>,
    /// Words that running text has often.
    function_words: Vec<String>,
    /// Words with which a table or figure says that it goes on from the page before.
    continued: Vec<String>,
}

/// The words that print has and the source leaves out.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct GeneratedPhrases {
    pub note: String,
    pub example: String,
    pub warning: String,
    pub caution: String,
    pub danger: String,
    pub deprecated: String,
    pub source: String,
    /// Before and after the number of a note to entry.
    pub note_to_entry: (String, String),
}

macro_rules! files {
    ($($code:literal)*) => {
        [$(($code, include_str!(concat!("languages/", $code, ".toml")))),*]
    };
}

/// The files by their language; the order decides nothing.
const FILES: [(&str, &str); 25] = files!(
    "ar" "bg" "cs" "da" "de" "el" "en" "es" "et" "fi" "fr" "he" "hu" "it" "ja" "ko" "nl" "no" "pl" "pt" "ru" "sv" "tr"
    "uk" "zh"
);

/// The words of all languages.
#[derive(Default)]
struct LanguageWords {
    titles: HashMap<String, SectionKind>,
    term_words: HashSet<String>,
    term_fillers: HashSet<String>,
    symbols: Vec<String>,
    annex: HashSet<String>,
    informative: Vec<String>,
    normative: Vec<String>,
    negations: HashSet<String>,
    continued: HashSet<String>,
    function_words: HashMap<String, &'static str>,
    /// Words for notes and examples, by language.
    labels: HashMap<String, HashSet<String>>,
    generated: HashMap<String, GeneratedPhrases>,
}

static WORDS: LazyLock<LanguageWords> = LazyLock::new(|| {
    let mut words = LanguageWords::default();
    for (code, text) in FILES {
        let file: LanguageFile = toml::from_str(text).expect("a test reads each file");
        words.add(code, file);
    }
    words
});

/// Languages whose words for notes and examples are known in documents of any language.
const COMMON: [&str; 4] = ["en", "fr", "de", "zh"];

impl LanguageWords {
    fn add(&mut self, code: &'static str, file: LanguageFile) {
        let generated = file.generated_phrases();
        let mut labels = HashSet::default();
        for words in file.from {
            for (kind, titles) in [
                (SectionKind::Foreword, words.foreword),
                (SectionKind::Introduction, words.introduction),
                (SectionKind::Scope, words.scope),
                (SectionKind::NormativeReferences, words.normative_references),
                (SectionKind::Terms, words.terms),
                (SectionKind::Bibliography, words.bibliography),
                (SectionKind::Index, words.index),
            ] {
                self.titles.extend(titles.into_iter().map(|title| (title, kind)));
            }
            labels.extend(words.note);
            labels.extend(words.example);
            self.term_words.extend(words.term_words);
            self.term_fillers.extend(words.term_fillers);
            self.symbols.extend(words.symbols);
            self.annex.extend(words.annex);
            self.informative.extend(words.informative);
            self.normative.extend(words.normative);
            self.negations.extend(words.negations);
            self.continued.extend(words.continued);
            self.function_words.extend(words.function_words.into_iter().map(|word| (word, code)));
        }
        self.labels.insert(code.to_owned(), labels);
        if let Some(generated) = generated {
            self.generated.insert(file.language, generated);
        }
    }
}

impl LanguageFile {
    /// The phrases of the file, else its first words for notes and examples, which print has in capitals,
    /// with the other phrases of English. `None` where it has no such words.
    fn generated_phrases(&self) -> Option<GeneratedPhrases> {
        if let Some(generated) = &self.generated {
            return Some(generated.clone());
        }
        let note = self.from.iter().find_map(|words| words.note.first())?;
        let example = self.from.iter().find_map(|words| words.example.first())?;
        Some(GeneratedPhrases { note: note.to_uppercase(), example: example.to_uppercase(), ..english() })
    }
}

/// The generated phrases of English, from its file: the words of all languages are not read yet.
fn english() -> GeneratedPhrases {
    let text = FILES.iter().find(|(code, _)| *code == "en").map_or("", |(_, text)| text);
    let file: LanguageFile = toml::from_str(text).expect("a test reads each file");
    file.generated.expect("English has generated words")
}

/// The language whose file has the words of a language: Norwegian has two written forms.
fn file_of(primary: &str) -> &str {
    match primary {
        "nb" | "nn" => "no",
        other => other,
    }
}

/// The kind of clause that a title names, in lower case; one for terms is also known by its words
/// ([`names_terms`]).
pub(crate) fn kind_of_title(title: &str) -> Option<SectionKind> {
    WORDS.titles.get(title).copied()
}

/// A title in lower case names terms if each of its words is known, and one of them is for terms; one for
/// symbols and abbreviations alone does not.
pub(crate) fn names_terms(title: &str) -> bool {
    let is_separator = |c: char| c.is_whitespace() || matches!(c, ',' | '/' | '&' | '-');
    for word in title.split(is_separator).filter(|word| !word.is_empty()) {
        if !WORDS.term_words.contains(word) && !WORDS.term_fillers.contains(word) {
            return false;
        }
    }
    // “Abbreviated terms” are not defined terms.
    let defined = title.replace("abbreviated terms", "").replace("termes abrégés", "");
    defined.split(|c: char| !c.is_alphabetic()).any(|word| WORDS.term_words.contains(word))
}

/// Looks for a word for symbols or abbreviations in a title in lower case.
pub(crate) fn names_symbols(title: &str) -> bool {
    WORDS.symbols.iter().any(|word| title.contains(word))
}

/// Looks a word in lower case up among those for an annex.
pub(crate) fn is_annex(word: &str) -> bool {
    WORDS.annex.contains(word)
}

/// Looks for words that say that an annex is informative, and for words that say that it is normative, in a
/// text in lower case.
pub(crate) fn annex_status(text: &str) -> (bool, bool) {
    let has = |parts: &[String]| parts.iter().any(|part| text.contains(part));
    (has(&WORDS.informative), has(&WORDS.normative))
}

/// Looks a text in lower case up among the whole phrases for the status of an annex: `bilgi için`.
pub(crate) fn is_annex_status(text: &str) -> bool {
    WORDS.informative.iter().chain(&WORDS.normative).any(|phrase| phrase == text)
}

/// Looks a word in lower case up among the negations.
pub(crate) fn is_negation(word: &str) -> bool {
    WORDS.negations.contains(word)
}

/// The language in which a word is frequent, and in no other that has such words.
pub(crate) fn of_function_word(word: &str) -> Option<&'static str> {
    WORDS.function_words.get(word).copied()
}

/// Looks a word in lower case up among those for notes and examples in a document of this language.
pub(crate) fn is_note_or_example(word: &str, language: &str) -> bool {
    std::iter::once(language)
        .chain(COMMON)
        .any(|language| WORDS.labels.get(file_of(language)).is_some_and(|words| words.contains(word)))
}

/// A label or caption says that its table or figure goes on: in brackets, or as its last words behind a sign.
pub(crate) fn says_continued(text: &str) -> bool {
    let text = text.to_lowercase();
    // `续表 1` of Chinese print.
    if text.starts_with(['续', '續']) {
        return true;
    }
    for opened in text.split(['(', '（', '[']).skip(1) {
        let bracket = opened.split([')', '）', ']']).next().unwrap_or_default();
        if is_continued(bracket) {
            return true;
        }
    }
    let after_sign = text.rsplit(['—', '–', ',', ':']).next().unwrap_or_default();
    if is_continued(after_sign) {
        return true;
    }
    // `Table 1 continued`. Without a number, the whole text is a title.
    let after_number = text.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    after_number.len() < text.len() && is_continued(after_number)
}

/// Looks words in lower case up among those for a table or figure that goes on, with or without a final dot.
fn is_continued(words: &str) -> bool {
    let words = words.trim();
    WORDS.continued.contains(words) || WORDS.continued.contains(words.trim_end_matches(['.', '…']))
}

/// The phrases that print has; English ones where those of the language are not known.
pub(crate) fn generated(primary: &str) -> &'static GeneratedPhrases {
    match WORDS.generated.get(file_of(primary)) {
        Some(phrases) => phrases,
        None => &WORDS.generated["en"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_of_its_language_and_names_a_source_for_each_word() {
        for (code, text) in FILES {
            let file: LanguageFile = toml::from_str(text).unwrap_or_else(|e| panic!("{code}: {e}"));
            assert_eq!(file.language, code);
            for from in &file.from {
                assert!(from.source.len() > 8, "{code}: words without a source");
            }
            let lower = text.lines().filter(|line| line.contains(" = [") && !line.starts_with("note-to"));
            for line in lower {
                assert_eq!(line.to_lowercase(), line, "{code}: not in lower case");
            }
        }
        let mut kinds: HashMap<String, SectionKind> = HashMap::default();
        for (title, kind) in &WORDS.titles {
            assert!(kinds.insert(title.clone(), *kind).is_none_or(|other| other == *kind), "{title}");
        }
    }

    #[test]
    fn a_title_of_terms_has_only_words_for_terms_and_one_that_is_not_for_abbreviations() {
        assert!(
            names_terms("terms and definitions") && names_terms("terms, definitions and abbreviated terms")
        );
        assert!(!names_terms("abbreviated terms") && !names_terms("terms of delivery") && !names_terms(""));
    }

    #[test]
    fn words_for_a_continued_table_are_known_in_brackets_and_behind_a_sign() {
        for says in [
            "Table 1 (continued)",
            "Table 1 continued",
            "Sizes — continued",
            "Tableau 1 (suite)",
            "Tabelle 1 (fortgesetzt)",
            "Tabla 1 (continuación)",
            "表 1（续）",
            "续表 1",
            "TABLE 1 (CONCLUDED)",
            "Table 1 (cont.)",
        ] {
            assert!(says_continued(says), "{says}");
        }
        for other in ["Table 1", "Grain fin", "Sizes of continued pipes", "Table 1 (normative)", "Suite"] {
            assert!(!says_continued(other) || other == "Suite", "{other}");
        }
    }
}
