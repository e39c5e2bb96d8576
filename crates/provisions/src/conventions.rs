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
    /// Whether it is a law or regulation, in French or German.
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
        let stated = sections.iter().find_map(|section| Self::stated(&section.text));
        stated.unwrap_or(if law { Self::Regulation } else { Self::Standard })
    }

    fn stated(text: &str) -> Option<Self> {
        const MEANINGS: [(Soll, &str); 2] = [
            (Soll::StatedRecommendation, "empf ratschl"),
            (Soll::StatedRequirement, "anforderung verbindlich pflicht zwingend"),
        ];
        let found = memmem::find_iter(text.as_bytes(), "soll");
        let words = ["sollen", "soll"].into_iter();
        let mentions = found.flat_map(|at| {
            let word = words.clone().find(|word| text[at..].starts_with(word));
            word.map(|word| at..at + word.len())
        });
        let mut mentions = mentions.filter(|at| is_word(text, at) && is_german_mention(text, at));
        mentions.find_map(|at| {
            let after = text[at.end..].split(['.', ';', '\n']).next().unwrap_or_default().to_lowercase();
            let words =
                MEANINGS.iter().flat_map(|(soll, words)| words.split(' ').map(move |word| (word, *soll)));
            let meanings = words.filter_map(|(word, soll)| Some((after.find(word)?, soll)));
            meanings.min_by_key(|(at, _)| *at).map(|(_, soll)| soll)
        })
    }
}

/// Whether a document is a law or regulation: its sections are numbered by `§` or as articles, or it calls
/// itself one.
pub(super) fn is_law(urn: &PartialUrn, sections: &[Section]) -> bool {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
        words("iese Verordnung, ieser Verordnung, ieses Gesetz, résent règlement, résente loi, résent décret")
    });
    let of_law = |label: &str| label.starts_with('§') || label.starts_with("Art");
    let labelled = || sections.iter().filter_map(|section| section.label.as_deref()).any(of_law);
    !urn.follows_directives() && (labelled() || sections.iter().any(|section| NAMES.is_match(&section.text)))
}

/// Whether the word is in quotation marks, or subject of a verb that explains words.
fn is_german_mention(text: &str, at: &Range<usize>) -> bool {
    const EXPLAINING: [&str; 6] = ["bedeutet", "bezeichnet", "kennzeichnet", "drückt", "gibt", "steht"];
    let (before, after) = (&text[..at.start], &text[at.end..]);
    let quoted =
        before.ends_with(['„', '“', '"', '»', '«', '‚', '\'']) && !after.starts_with(char::is_whitespace);
    quoted || after.split_whitespace().next().is_some_and(|word| EXPLAINING.contains(&word))
}

/// Whether the document uses the key words of BCP 14.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum KeyWords {
    /// It does not say so.
    #[default]
    Plain,
    /// It uses the key words of BCP 14.
    Bcp14,
    /// It uses them, and says that they count in upper case only (RFC 8174).
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

impl Conventions {
    /// The conventions of a document; `shall` tells whether it has a provision by `shall`, and is asked where
    /// that matters.
    pub(super) fn of(urn: &PartialUrn, sections: &[Section], shall: impl FnOnce(Self) -> bool) -> Self {
        let (key_words, spelled) = key_words(sections);
        let mut conventions = Self { key_words, ..Self::default() };
        static MUST: LazyLock<AhoCorasick> = LazyLock::new(|| words("must, Must, MUST"));
        if !sections.iter().any(|s| MUST.is_match(&s.text)) {
            return conventions;
        }
        conventions.must = match (spelled, stated(sections)) {
            (Some(Spelled::Upper), _) => Must::Nothing,
            (Some(Spelled::Lower), _) => Must::Stated(ProvisionKind::Requirement),
            (None, Some(kind)) => Must::Stated(kind),
            (None, None) => {
                let directives = urn.follows_directives() || sections.iter().any(names_directives);
                // A supplement is read with its base, which has the requirements.
                match directives && !urn.supplements().is_empty() || shall(conventions) {
                    true if directives => Must::External,
                    shall => Must::Assumed { shall },
                }
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

/// Whether the document says that it uses the key words of BCP 14, and how it writes them.
fn key_words(sections: &[Section]) -> (KeyWords, Option<Spelled>) {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| words("RFC 2119, RFC2119, BCP 14, 8174"));
    const SAID: &str = "key words, keywords, Keywords, Key words, interpreted, lüsselw, ots clés, ots-clés";
    let statement = |text: &str| NAMES.is_match(text) && SAID.split(", ").any(|words| contains(text, words));
    let mut found = (KeyWords::Plain, None);
    for section in sections.iter().filter(|s| statement(&s.text)) {
        let has = |word: &str| contains(&section.text, word);
        if has("8174") || has("all capitals") {
            return (KeyWords::Bcp14UpperOnly, Some(Spelled::Upper));
        }
        // Some documents declare them in lower case, and then use them so.
        let lower = !has("MUST") && mentions(&section.text).next().is_some();
        found = (KeyWords::Bcp14, Some(if lower { Spelled::Lower } else { Spelled::Upper }));
    }
    found
}

/// Whether the section says that the document is drafted by these rules.
fn names_directives(section: &Section) -> bool {
    const RULES: &str =
        "ISO/IEC Directives, IEC/ISO Directives, CENELEC Internal Regulations, CEN/CLC Internal Regulations";
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| words(RULES));
    !matches!(section.kind, SectionKind::NormativeReferences | SectionKind::Bibliography)
        && NAMES.is_match(&section.text)
}

/// The meaning that the document states for `must`: the first statement counts.
fn stated(sections: &[Section]) -> Option<ProvisionKind> {
    sections.iter().find_map(|section| mentions(&section.text).find_map(|at| meaning(&section.text, at)))
}

/// Positions where a text mentions the word `must` instead of using it.
fn mentions(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    const SPELLED: &str = "must, Must, MUST";
    static ANY: LazyLock<AhoCorasick> = LazyLock::new(|| words(SPELLED));
    let spelled = SPELLED.split(", ").filter(move |_| ANY.is_match(text));
    spelled.flat_map(move |word| {
        let found = memmem::find_iter(text.as_bytes(), word).map(|at| at..at + word.len());
        found.filter(|at| is_word(text, at) && is_mention(text, at))
    })
}

/// Whether the word is in quotation marks, named as a word, at the head of its explanation, or subject of a
/// verb that explains words.
fn is_mention(text: &str, at: &Range<usize>) -> bool {
    const QUOTES: [char; 9] = ['“', '”', '"', '‘', '’', '\'', '«', '„', '`'];
    const NOUNS: &str = "word words term terms verb verbs keyword auxiliary";
    const EXPLAINING: &str =
        "indicates indicate denotes denote means mean expresses express signifies designates implies conveys";
    let lists =
        |words: &str, word: Option<&str>| word.is_some_and(|word| words.split(' ').any(|w| w == word));
    let (before, after) = (&text[..at.start], &text[at.end..]);
    let quoted = before.ends_with(QUOTES) && after.starts_with(QUOTES);
    let named = lists(NOUNS, before.split_whitespace().next_back());
    let after = after.strip_prefix(" not").or_else(|| after.strip_prefix(" NOT")).unwrap_or(after);
    let explained = lists(EXPLAINING, after.split_whitespace().next());
    let heads = before.is_empty() || before.ends_with('\n');
    quoted
        || named
        || explained
        || heads && after.trim_start_matches(' ').starts_with(['\t', ':', '–', '—', '-', '='])
}

fn is_word(text: &str, at: &Range<usize>) -> bool {
    !text[..at.start].ends_with(char::is_alphanumeric) && !text[at.end..].starts_with(char::is_alphanumeric)
}

/// The type that the words around a mention give; `None` where they give none.
fn meaning(text: &str, at: Range<usize>) -> Option<ProvisionKind> {
    /// Most bytes from the word within which its meaning is searched.
    const REACH: usize = 240;
    const DENIED: [&str; 6] = [" not", "(not", " not use", "avoid", "rather than", "instead of"];
    static MEANINGS: LazyLock<(AhoCorasick, Vec<ProvisionKind>)> = LazyLock::new(|| {
        use ProvisionKind::{ExternalConstraint, Recommendation, Requirement};
        let words = [
            (
                ExternalConstraint,
                "external, unavoidable, inevitab, law, legal, statut, legislat, regulation, natur",
            ),
            (ExternalConstraint, "physical, deprecated, not used, not be used, avoided, outside"),
            (
                Requirement,
                "requirement, mandatory, obligat, required, compulsory, binding, imperative, equivalent",
            ),
            (Requirement, "synonym, same meaning, same as, interchangeabl, necessary, essential"),
            (Recommendation, "recommend, advis"),
        ];
        let each = || words.iter().flat_map(|(kind, words)| words.split(", ").map(move |word| (*kind, word)));
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(each().map(|(_, word)| word));
        (finder.expect("a test reads such a statement"), each().map(|(kind, _)| kind).collect())
    });
    let before = text[..at.start].trim_end_matches(['“', '"', '‘', '\'', '„']).trim_end();
    let before = before.trim_end_matches("the word").trim_end();
    if DENIED.iter().any(|words| before.ends_with(words)) {
        return Some(ProvisionKind::ExternalConstraint);
    }
    let after = &text[at.end..];
    let after = after.split("\n\n").next().unwrap_or(after);
    let end = (0..=REACH.min(after.len())).rev().find(|&end| after.is_char_boundary(end)).unwrap_or(0);
    let (finder, kinds) = &*MEANINGS;
    finder.find(&after[..end]).map(|found| kinds[found.pattern().as_usize()])
}

/// Finds the first of some words in one pass.
fn words(words: &str) -> AhoCorasick {
    AhoCorasick::new(words.split(", ")).expect("few words make a small automaton")
}

fn contains(text: &str, word: &str) -> bool {
    memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}
