//! Conventions of a document: the meaning of its verbal forms, by its own statement or by its publisher's
//! rules.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;
use norma_model::{Alternative, PartialUrn, ProvisionKind, Section, SectionKind};
use serde::Deserialize;

/// The meaning of a document's verbal forms, the same in all of its sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Conventions {
    pub(super) key_words: KeyWords,
    pub(super) must: Must,
    pub(super) soll: Soll,
    /// True for a law or regulation in French or German, whose verbal forms have meanings of their own.
    pub(super) law: bool,
}

/// The meaning of `soll` in German.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Soll {
    /// A recommendation, as in standards.
    #[default]
    Standard,
    /// A requirement, as in laws and regulations.
    Regulation,
    /// A requirement by the document's own statement.
    StatedRequirement,
    /// A recommendation by the document's own statement.
    StatedRecommendation,
}

impl Soll {
    /// The meaning by the document's clause on verbal forms, else by its kind.
    pub(super) fn of(sections: &[Section], law: bool) -> Self {
        for section in sections {
            if let Some(stated) = Self::stated(&section.text) {
                return stated;
            }
        }
        if law { Self::Regulation } else { Self::Standard }
    }

    fn stated(text: &str) -> Option<Self> {
        for at in memmem::find_iter(text.as_bytes(), "soll") {
            let length = if text[at..].starts_with("sollen") { "sollen".len() } else { "soll".len() };
            let word = at..at + length;
            if !is_word(text, &word) || !is_german_mention(text, &word) {
                continue;
            }
            let after = text[word.end..].split(['.', ';', '\n']).next().unwrap_or_default();
            let meaning = Self::meaning(&after.to_lowercase());
            if meaning.is_some() {
                return meaning;
            }
        }
        None
    }

    /// The meaning that the rest of a sentence about the word gives it: the first word of meaning counts.
    fn meaning(after: &str) -> Option<Self> {
        const MEANINGS: [(Soll, &str); 2] = [
            (Soll::StatedRecommendation, "empf ratschl"),
            (Soll::StatedRequirement, "anforderung verbindlich pflicht zwingend"),
        ];
        let mut first: Option<(usize, Self)> = None;
        for (soll, words) in MEANINGS {
            for word in words.split(' ') {
                if let Some(at) = after.find(word)
                    && first.is_none_or(|(other, _)| at < other)
                {
                    first = Some((at, soll));
                }
            }
        }
        first.map(|(_, soll)| soll)
    }
}

/// True if a document is a law or regulation: its sections are numbered by `§` or as articles, or it calls
/// itself one.
pub(super) fn is_law(urn: &PartialUrn, sections: &[Section]) -> bool {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
        words("iese Verordnung, ieser Verordnung, ieses Gesetz, résent règlement, résente loi, résent décret")
    });
    if urn.follows_directives() {
        return false;
    }
    for section in sections {
        let label = section.label.as_deref().unwrap_or_default();
        if label.starts_with('§') || label.starts_with("Art") {
            return true;
        }
    }
    sections.iter().any(|section| NAMES.is_match(&section.text))
}

/// True if the word is in quotation marks, or subject of a verb that explains words.
fn is_german_mention(text: &str, at: &Range<usize>) -> bool {
    const EXPLAINING: [&str; 6] = ["bedeutet", "bezeichnet", "kennzeichnet", "drückt", "gibt", "steht"];
    let (before, after) = (&text[..at.start], &text[at.end..]);
    let is_behind_quote = before.ends_with(['„', '“', '"', '»', '«', '‚', '\'']);
    if is_behind_quote && !after.starts_with(char::is_whitespace) {
        return true;
    }
    match after.split_whitespace().next() {
        Some(word) => EXPLAINING.contains(&word),
        None => false,
    }
}

/// The document's declaration that it uses the key words of BCP 14 (RFC 2119, RFC 8174).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum KeyWords {
    /// The document declares nothing.
    #[default]
    Plain,
    /// The key words have their meaning in any case.
    Bcp14,
    /// The key words have their meaning in upper case only (RFC 8174).
    Bcp14UpperOnly,
}

/// The meaning of `must`, except MUST as a key word of BCP 14.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Must {
    /// An external constraint, by the ISO/IEC Directives, Part 2.
    #[default]
    External,
    /// The type that the document's conventions state.
    Stated(ProvisionKind),
    /// A requirement, as it seems; whether the document also has provisions by `shall`.
    Assumed { shall: bool },
    /// Nothing: the document uses the key words of BCP 14, and in capitals only.
    Nothing,
}

impl Must {
    /// Type, confidence and alternatives of a provision by `must`, if these are not those of its rule.
    pub(super) fn reading(self) -> Option<(ProvisionKind, f32, &'static [Alternative])> {
        const EXTERNAL: &[Alternative] =
            &[Alternative { kind: ProvisionKind::ExternalConstraint, confidence: 0.3 }];
        match self {
            Self::External | Self::Nothing => None,
            Self::Stated(kind) => Some((kind, 0.95, &[])),
            Self::Assumed { shall: true } => Some((ProvisionKind::Requirement, 0.7, EXTERNAL)),
            Self::Assumed { shall: false } => Some((ProvisionKind::Requirement, 0.7, &[])),
        }
    }
}

const SPELLINGS_OF_MUST: &str = "must, Must, MUST";
static MUST: LazyLock<AhoCorasick> = LazyLock::new(|| words(SPELLINGS_OF_MUST));

impl Conventions {
    /// The conventions of a document; `shall` tells whether it has a provision by `shall`, and is asked where
    /// that matters.
    pub(super) fn of(urn: &PartialUrn, sections: &[Section], shall: impl FnOnce(Self) -> bool) -> Self {
        let (key_words, spelled) = key_words(sections);
        let mut conventions = Self { key_words, ..Self::default() };
        if !sections.iter().any(|section| MUST.is_match(&section.text)) {
            return conventions;
        }
        conventions.must = match (spelled, stated(sections)) {
            (Some(Spelled::Upper), _) => Must::Nothing,
            (Some(Spelled::Lower), _) => Must::Stated(ProvisionKind::Requirement),
            (None, Some(kind)) => Must::Stated(kind),
            (None, None) => {
                let directives = urn.follows_directives() || sections.iter().any(names_directives);
                // A supplement is read with its base, which has the requirements.
                let is_supplement = directives && !urn.supplements().is_empty();
                let shall = is_supplement || shall(conventions);
                if directives && shall { Must::External } else { Must::Assumed { shall } }
            }
        };
        conventions
    }
}

/// The spelling of the key words of BCP 14 where the document declares them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelled {
    Upper,
    Lower,
}

/// The document's declaration of the key words of BCP 14, and how it writes them.
fn key_words(sections: &[Section]) -> (KeyWords, Option<Spelled>) {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| words("RFC 2119, RFC2119, BCP 14, 8174"));
    const SAID: &str = "key words, keywords, Keywords, Key words, interpreted, lüsselw, ots clés, ots-clés";
    let mut found = (KeyWords::Plain, None);
    for section in sections {
        let text = section.text.as_str();
        if !NAMES.is_match(text) || !SAID.split(", ").any(|words| contains(text, words)) {
            continue;
        }
        if contains(text, "8174") || contains(text, "all capitals") {
            return (KeyWords::Bcp14UpperOnly, Some(Spelled::Upper));
        }
        // Some documents declare them in lower case, and then use them so.
        let lower = !contains(text, "MUST") && !mentions(text).is_empty();
        found = (KeyWords::Bcp14, Some(if lower { Spelled::Lower } else { Spelled::Upper }));
    }
    found
}

/// True if the section says that the document is drafted by these rules.
fn names_directives(section: &Section) -> bool {
    const RULES: &str =
        "ISO/IEC Directives, IEC/ISO Directives, CENELEC Internal Regulations, CEN/CLC Internal Regulations";
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| words(RULES));
    !matches!(section.kind, SectionKind::NormativeReferences | SectionKind::Bibliography)
        && NAMES.is_match(&section.text)
}

/// The meaning that the document states for `must`: the first statement counts.
fn stated(sections: &[Section]) -> Option<ProvisionKind> {
    for section in sections {
        for at in mentions(&section.text) {
            let meaning = meaning(&section.text, at);
            if meaning.is_some() {
                return meaning;
            }
        }
    }
    None
}

/// Positions where a text mentions the word `must` instead of using it: all in lower case, then those that
/// begin with a capital, then those in capitals.
fn mentions(text: &str) -> Vec<Range<usize>> {
    let mut mentions = Vec::new();
    if !MUST.is_match(text) {
        return mentions;
    }
    for spelled in SPELLINGS_OF_MUST.split(", ") {
        for start in memmem::find_iter(text.as_bytes(), spelled) {
            let word = start..start + spelled.len();
            if is_word(text, &word) && is_mention(text, &word) {
                mentions.push(word);
            }
        }
    }
    mentions
}

/// True if the word is in quotation marks, named as a word, at the head of its explanation, or subject of a
/// verb that explains words.
fn is_mention(text: &str, at: &Range<usize>) -> bool {
    const QUOTES: [char; 9] = ['“', '”', '"', '‘', '’', '\'', '«', '„', '`'];
    const NOUNS: &str = "word words term terms verb verbs keyword auxiliary";
    const EXPLAINING: &str =
        "indicates indicate denotes denote means mean expresses express signifies designates implies conveys";
    let (before, after) = (&text[..at.start], &text[at.end..]);
    if before.ends_with(QUOTES) && after.starts_with(QUOTES) {
        return true;
    }
    if lists(NOUNS, before.split_whitespace().next_back()) {
        return true;
    }
    let after = after.strip_prefix(" not").or_else(|| after.strip_prefix(" NOT")).unwrap_or(after);
    if lists(EXPLAINING, after.split_whitespace().next()) {
        return true;
    }
    let is_head = before.is_empty() || before.ends_with('\n');
    is_head && after.trim_start_matches(' ').starts_with(['\t', ':', '–', '—', '-', '='])
}

/// True if a word is one of a list that blanks part.
fn lists(words: &str, word: Option<&str>) -> bool {
    word.is_some_and(|word| words.split(' ').any(|listed| listed == word))
}

fn is_word(text: &str, at: &Range<usize>) -> bool {
    !text[..at.start].ends_with(char::is_alphanumeric) && !text[at.end..].starts_with(char::is_alphanumeric)
}

/// The type that the words around a mention give; `None` where they give none.
fn meaning(text: &str, at: Range<usize>) -> Option<ProvisionKind> {
    /// Most bytes from the word within which its meaning is searched.
    const REACH: usize = 240;
    const DENIED: [&str; 6] = [" not", "(not", " not use", "avoid", "rather than", "instead of"];
    static FINDER: LazyLock<MeaningFinder> = LazyLock::new(MeaningFinder::new);
    let before = text[..at.start].trim_end_matches(['“', '"', '‘', '\'', '„']).trim_end();
    let before = before.trim_end_matches("the word").trim_end();
    if DENIED.iter().any(|words| before.ends_with(words)) {
        return Some(ProvisionKind::ExternalConstraint);
    }
    let after = &text[at.end..];
    let after = after.split("\n\n").next().unwrap_or(after);
    let end = after.floor_char_boundary(REACH);
    FINDER.first_in(&after[..end])
}

/// Words of an explanation of `must`, and the type that each gives it.
const MEANINGS: [(ProvisionKind, &str); 5] = [
    (
        ProvisionKind::ExternalConstraint,
        "external, unavoidable, inevitab, law, legal, statut, legislat, regulation, natur",
    ),
    (ProvisionKind::ExternalConstraint, "physical, deprecated, not used, not be used, avoided, outside"),
    (
        ProvisionKind::Requirement,
        "requirement, mandatory, obligat, required, compulsory, binding, imperative, equivalent",
    ),
    (ProvisionKind::Requirement, "synonym, same meaning, same as, interchangeabl, necessary, essential"),
    (ProvisionKind::Recommendation, "recommend, advis"),
];

/// Finds the first word of `MEANINGS` in one pass.
struct MeaningFinder {
    words: AhoCorasick,
    /// The type that each word gives, parallel to the words.
    kinds: Vec<ProvisionKind>,
}

impl MeaningFinder {
    fn new() -> Self {
        let mut words = Vec::new();
        let mut kinds = Vec::new();
        for (kind, list) in MEANINGS {
            for word in list.split(", ") {
                words.push(word);
                kinds.push(kind);
            }
        }
        let words = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(words)
            .expect("a test reads such a statement");
        Self { words, kinds }
    }

    fn first_in(&self, text: &str) -> Option<ProvisionKind> {
        let found = self.words.find(text)?;
        Some(self.kinds[found.pattern().as_usize()])
    }
}

/// Finds the first of some words in one pass.
fn words(words: &str) -> AhoCorasick {
    AhoCorasick::new(words.split(", ")).expect("few words make a small automaton")
}

fn contains(text: &str, word: &str) -> bool {
    memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}
