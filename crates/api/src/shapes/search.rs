//! Answers of a search.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AccessLevel, ProvisionType, SearchKind, SearchState, SectionRef, Slice, Status};

/// `GET /search`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer<'a> {
    /// How many results the query finds in all. Texts, of all pages.
    pub total: u64,
    /// Whether all texts that the caller may find were searched.
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
    /// Cursor of the next page; absent at the end. Absent while `state` is `building`, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
}

/// How many of the standards that the caller may find were searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchProgress {
    /// Number of standards that were searched, those by title only included.
    pub searched: u64,
    /// Number of standards of which only the title was searched, since their texts cannot be read. Absent
    /// where there are none.
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
    /// By publisher.
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
    /// Number of hits.
    pub hits: u64,
}

/// A text that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit<'a> {
    /// What it is.
    pub kind: SearchKind,
    /// Its id. Absent for a standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
    /// Label, for people. `4.2(1)` of a provision, `4.2` of a section, `Table 1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. With its date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. That of the standard, in the main language.
    pub title: Cow<'a, str>,
    /// Whether it is in force. The standard.
    pub status: Status,
    /// What the caller may do with it. With the standard.
    pub access: AccessLevel,
    /// Type of a provision.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub provision_type: Option<ProvisionType>,
    /// Whether it is normative. Of a provision: as its section is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normative: Option<bool>,
    /// Its section. A section that shows text names itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionRef<'a>>,
    /// Plain text. At most 300 characters, around the first words that are found: of a standard its title; of
    /// a section its title, with its text where words are found there; of a term its designations and
    /// definitions; of a table its caption, cells and notes.
    pub text: Cow<'a, str>,
    /// What is found of the query, as slices of `text` in Unicode scalar values.
    pub highlights: Vec<Slice>,
}

/// A standard with hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchedStandard<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. With its date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. In the main language.
    pub title: Cow<'a, str>,
    /// Whether it is in force.
    pub status: Status,
    /// What the caller may do with it.
    pub access: AccessLevel,
    /// Number of hits. All of the standard.
    pub hits: u64,
    /// The best three.
    pub items: Vec<SearchHit<'a>>,
}
