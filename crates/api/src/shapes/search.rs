//! Answers of a search.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AccessLevel, Amendment, ProvisionType, SearchElsewhere, SearchKind, SearchState, SectionRef, Slice,
    Status,
};

/// Answer of `GET /search`: a page of the texts that were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer<'a> {
    /// Number of results over all pages. The results are texts, each with all words: where `relaxed` is true,
    /// it is 0.
    pub total: u64,
    /// Present and true where no text has all words: the items have some of them, the texts with most words
    /// first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub relaxed: bool,
    /// What was understood of a search without results, and what to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hints: Option<SearchHints<'a>>,
    /// State of the search, which says whether all texts that the caller may find were searched.
    pub state: SearchState,
    /// How many standards were searched, unless `state` is `complete`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<SearchProgress>,
    /// Number of all hits by value, for what `facets` asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_counts: Option<SearchFacets<'a>>,
    /// Hits in order; empty where they are grouped.
    pub items: Vec<SearchHit<'a>>,
    /// Standards in the order of their best hits; empty unless hits are grouped.
    pub standards: Vec<SearchedStandard<'a>>,
    /// Cursor of the next page; absent at the end. It is absent while `state` is `building`, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
}

/// What was understood of a search without results, and what to try.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHints<'a> {
    /// Words that were searched for.
    pub words: Vec<AskedWord<'a>>,
    /// Words that only ask, such as `how`, and were not searched for.
    pub left_out: Vec<Cow<'a, str>>,
    /// Searches that find texts with all words elsewhere.
    pub elsewhere: Vec<HintedSearch<'a>>,
    /// What to try, as sentences for people.
    pub advice: Vec<Cow<'a, str>>,
}

/// A word that was searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AskedWord<'a> {
    /// The word in lower case. Words that signs join are one.
    pub word: Cow<'a, str>,
    /// Number of texts that were found. They have the word, or it is around them.
    pub hits: u64,
}

/// A search that finds what another one did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HintedSearch<'a> {
    /// What it searches more than the other search.
    pub scope: SearchElsewhere,
    /// Number of texts that were found. They have all words.
    pub hits: u64,
    /// Query of this search: `q=anchor&edition=all`.
    pub query: Cow<'a, str>,
}

/// How many of the standards that the caller may find were searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchProgress {
    /// Number of standards that were searched, those by title only included.
    pub searched: u64,
    /// Number of standards of which only the title was searched, since their texts cannot be read. It is
    /// absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub titles_only: Option<u64>,
    /// Number of standards that the filters leave.
    pub selected: u64,
}

/// Counts of all hits by values, the highest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchFacets<'a> {
    /// By kind of text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Vec<ValueCount<'a>>>,
    /// By type of provision.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub provision_type: Option<Vec<ValueCount<'a>>>,
    /// By whether provisions are normative: `true`, `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normative: Option<Vec<ValueCount<'a>>>,
    /// Hits by publisher of the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Vec<ValueCount<'a>>>,
    /// By status of the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Vec<ValueCount<'a>>>,
    /// By language of the standard; one in two languages counts for both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Vec<ValueCount<'a>>>,
    /// By ICS code of the standard; one of two classes counts for both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ics: Option<Vec<ValueCount<'a>>>,
}

/// How many hits have a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValueCount<'a> {
    /// A value as the filter of this name takes it.
    pub facet_value: Cow<'a, str>,
    /// Number of texts that were found.
    pub hits: u64,
}

/// A text that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit<'a> {
    /// Kind of text that was found.
    pub kind: SearchKind,
    /// Id of the object. A standard has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
    /// Label, for people. It is `4.2(1)` of a provision, `4.2` of a section, `Table 1` of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. It is that of the standard, in the main language.
    pub title: Cow<'a, str>,
    /// Status of the edition, which says whether it is in force. It is said of the standard.
    pub status: Status,
    /// Level of the caller's access to the edition. It is said of the standard.
    pub access: AccessLevel,
    /// Amendments of the object that the caller may see, in the order of their publication. Those that touch
    /// what was found; of a standard all. It is absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// Type of a provision.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub provision_type: Option<ProvisionType>,
    /// True for normative content. A provision is as its section is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normative: Option<bool>,
    /// Section that has the object. A section that shows text names itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionRef<'a>>,
    /// Label and title of the object, and designation of the document: `5.2 Marking · NSB 4210:2025`. The
    /// title is that of the section where the object has none.
    #[serde(default)]
    pub heading: Cow<'a, str>,
    /// What is found of what was asked for. They are words of the query that the object has, or that are
    /// around it, and are there only where `relaxed` is true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub matched: Vec<Cow<'a, str>>,
    /// Words of the query that the object has not; only where `relaxed` is true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub missing: Vec<Cow<'a, str>>,
    /// What is around the object and has words of the query that the object has not: titles above it, the
    /// title of the standard, the caption of its table, other names of a term.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub above: Vec<FoundAbove<'a>>,
    /// Objects with the same label in translations and adoptions of the standard that would be on this page
    /// too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub also_in: Vec<AlsoIn<'a>>,
    /// Plain text, without markup. It has at most 300 characters, around the first words that are found: of a
    /// standard its title; of a section its title, with its text where words are found there; of a term its
    /// designations and definitions; of a table its caption, cells and notes.
    pub text: Cow<'a, str>,
    /// What is found of the query, as slices of `text` in Unicode scalar values.
    pub highlights: Vec<Slice>,
}

/// What is around an object, with words that were searched for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundAbove<'a> {
    /// Plain text, without markup. It is a title with the number before it, a caption, or names of a term.
    pub text: Cow<'a, str>,
    /// What is found of the query, as slices of `text` in Unicode scalar values.
    pub highlights: Vec<Slice>,
}

/// The same object of another edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlsoIn<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Id of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
}

/// A standard with hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchedStandard<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. It is in the main language.
    pub title: Cow<'a, str>,
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Level of the caller's access to the edition.
    pub access: AccessLevel,
    /// Number of texts that were found. They are all of the standard.
    pub hits: u64,
    /// Best three hits in the standard.
    pub items: Vec<SearchHit<'a>>,
}
