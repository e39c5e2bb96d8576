//! Full-text search over units of text: standards, sections, provisions, terms and tables.
//!
//! A document of the index is an [`IndexedUnit`] of an edition. An edition has a *slot*, a number that the
//! caller of this crate assigns. A search gets the [`Scope`] of its caller. What is not in it has no effect
//! on hits, totals, counts, order and limits. The order depends on query, unit and [`SlotKey`] alone, so that
//! all instances answer alike.
//!
//! The index stores no text. [`excerpt`] makes excerpts from texts that the caller of this crate reads.

mod about;
mod analyse;
mod collect;
mod context;
mod digits;
mod excerpt;
mod fold;
mod found_words;
mod index;
mod query;
mod stem;
mod variants;
mod vocabulary;

pub use analyse::{ANALYSER_VERSION, Token, analyse};
pub use collect::{
    Found, HitGroup, Page, Scope, SearchCursor, SlotAccess, SlotKey, Tier, UnitFilter, UnitHit,
};
pub use context::{OtherNames, WordsAround};
pub use excerpt::{Excerpt, LONGEST_EXCERPT, excerpt};
pub use found_words::{FoundWords, QueriedWord, RelaxedFound};
pub use index::{
    CommittedFile, CommittedFiles, EditionChanges, IndexError, KnownEditions, MOST_CANDIDATES, QuotedUnit,
    ReceivedFile, ReceivedIndex, SearchError, SearchInSteps, SearchIndex, SearchReader, is_in_use,
};
pub use query::{MAX_QUERY_BYTES, ParseQueryError, TextQuery};
pub use variants::{number_forms, spellings};

use std::borrow::Cow;

use norma_model::{Lang, ProvisionKind};

/// The kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum UnitKind {
    /// An edition by its title.
    Standard,
    /// A section by its title, and by those of its texts that are no other units.
    Section,
    /// A provision by its own words.
    Provision,
    /// A term with its definition.
    Term,
    /// A table with its caption and cells.
    Table,
}

impl UnitKind {
    /// All kinds, in the order of their numbers in the index.
    pub const ALL: [Self; 5] = [Self::Standard, Self::Section, Self::Provision, Self::Term, Self::Table];
}

/// The types of provisions, in the order of their numbers in the index.
pub const PROVISION_KINDS: [ProvisionKind; 5] = [
    ProvisionKind::Requirement,
    ProvisionKind::Recommendation,
    ProvisionKind::Permission,
    ProvisionKind::Capability,
    ProvisionKind::ExternalConstraint,
];

/// One document of the index.
#[derive(Clone, Debug)]
pub struct IndexedUnit<'t> {
    /// The kind, by which searches are filtered and counted.
    pub kind: UnitKind,
    /// The index among the units of its kind in the edition.
    pub index: u32,
    /// The type of a provision.
    pub provision: Option<ProvisionKind>,
    /// True for normative text, false for informative; `None` where the edition does not say.
    pub normative: Option<bool>,
    /// Identifiers, references and labels that find it as typed.
    pub keys: Vec<&'t str>,
    /// Title, caption, or the designations of a term.
    pub title: Vec<LanguageText<'t>>,
    /// The text below the title.
    pub text: Vec<LanguageText<'t>>,
    /// Words of what is around it, which count where no unit has all words of a query.
    pub context: WordsAround,
}

/// A part of a text in one language.
#[derive(Clone, Debug)]
pub struct LanguageText<'t> {
    /// The part, with what parts it from the next one.
    pub text: Cow<'t, str>,
    /// The language by which its words are reduced to stems.
    pub language: Lang,
}

impl<'t> LanguageText<'t> {
    /// A text in a language.
    pub fn new(text: impl Into<Cow<'t, str>>, language: &Lang) -> Self {
        Self { text: text.into(), language: language.clone() }
    }

    /// Texts of one kind, such as the designations of a term, with `; ` between them.
    pub fn joined(mut texts: Vec<Self>) -> Vec<Self> {
        if let Some((_, before_last)) = texts.split_last_mut() {
            for text in before_last {
                text.text.to_mut().push_str("; ");
            }
        }
        texts
    }

    /// A title and what is below it, with `: ` between them where both are there.
    pub fn titled(title: Vec<Self>, text: Vec<Self>) -> Vec<Self> {
        if title.iter().all(|part| part.text.is_empty()) {
            return text;
        }
        if text.iter().all(|part| part.text.is_empty()) {
            return title;
        }
        let mut whole = title;
        whole.push(Self::new(": ", &Lang::undetermined()));
        whole.extend(text);
        whole
    }
}
