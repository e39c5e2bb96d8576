//! Finds the provisions of an edition: reads its blocks sentence by sentence, by rules that stand as data.

mod authored;
mod clauses;
mod derive;
mod draft;
mod eval;
mod finish;
mod gold;
mod identity;
mod judge;
mod language;
mod lead;
mod lexicon;
mod matching;
mod pattern;
mod phrases;
mod place;
mod references;
mod sentences;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem;
use norma_model::{Lang, Provision, Section, Term, Urn};

use crate::Limits;
use crate::blocks::Block;
use crate::diagnostic::Flaws;
use judge::{KeyWords, Manner};
use language::Language;
use terms::Vocabulary;

pub use eval::{GoldError, Report, Row, eval};

/// What provisions are looked for in.
pub(crate) struct Input<'a> {
    pub(crate) urn: &'a Urn,
    pub(crate) language: &'a Lang,
    pub(crate) sections: &'a [Section],
    pub(crate) blocks: &'a [Block<'a>],
    pub(crate) terms: &'a [Term],
    pub(crate) limits: &'a Limits,
    /// How many provisions there may be; reading ends soon after there are more.
    pub(crate) most: usize,
}

/// What was found, in document order.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) provisions: Vec<Provision>,
    /// Obligations where none should stand, and what was not read; by the block.
    pub(crate) flaws: Flaws,
}

/// Finds the provisions of an edition; `None` when there are more than there may be. Without rules for its language only
/// those that the source marks are found.
pub(crate) fn find(input: &Input<'_>) -> Option<Found> {
    let language = Language::of(input.language);
    let roles = place::roles(input.sections, language);
    let key_words = key_words(input.sections);
    let manner = Manner { key_words, ..Manner::default() };
    let mut drafts = authored::authored(input, language, manner);
    let vocabulary = Vocabulary::new(input.terms, input.language);
    let mut flaws = Flaws::new(input.limits.flaws);
    if let Some(language) = language {
        let derived;
        (derived, flaws) = derive::derived(input, language, &roles, &vocabulary, key_words)?;
        drafts.extend(derived);
    }
    if drafts.len() > input.most {
        return None;
    }
    drafts.sort_by_key(|d| (d.section, d.range.start, d.further));
    Some(Found { provisions: finish::finish(input, drafts, &vocabulary), flaws })
}

/// Whether the document says that it uses the key words of BCP 14, and that they count in upper case only.
fn key_words(sections: &[Section]) -> KeyWords {
    static NAMES: LazyLock<AhoCorasick> = LazyLock::new(|| {
        AhoCorasick::new(["RFC 2119", "RFC2119", "BCP 14", "8174"]).expect("a test reads such a statement")
    });
    let says = |text: &str, what: &str| memmem::find(text.as_bytes(), what.as_bytes()).is_some();
    let statement = |text: &str| {
        NAMES.is_match(text)
            && ["key words", "keywords", "Keywords", "Key words", "interpreted"].iter().any(|w| says(text, w))
    };
    let mut found = KeyWords::Plain;
    for section in sections.iter().filter(|s| statement(&s.text)) {
        if says(&section.text, "8174") || says(&section.text, "all capitals") {
            return KeyWords::Bcp14UpperOnly;
        }
        found = KeyWords::Bcp14;
    }
    found
}
