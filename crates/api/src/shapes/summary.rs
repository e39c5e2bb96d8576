//! Summaries of standards, and a page of the list.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AccessLevel, StandardType, Status, Supplement};

/// `GET /standards`: one page of the standards that the caller may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StandardList<'a> {
    /// In the order asked for.
    pub items: Vec<StandardSummary<'a>>,
    /// Cursor of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
    /// How many results the query finds in all. Standards, of all pages.
    pub total: u64,
}

/// A standard in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandardSummary<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. With its date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. In the main language.
    pub title: Cow<'a, str>,
    /// Publisher as written.
    pub publisher: Cow<'a, str>,
    /// Its number, as text. Without part.
    pub number: Cow<'a, str>,
    /// Part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Cow<'a, str>>,
    /// Which supplement it is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplement: Option<Supplement<'a>>,
    /// Edition as the URN counts it: `2`, `2008-12`.
    pub edition: Cow<'a, str>,
    /// Language (BCP 47). The main one of the text.
    pub language: Cow<'a, str>,
    /// Kind of document.
    #[serde(rename = "type")]
    pub standard_type: StandardType,
    /// Whether it is in force.
    pub status: Status,
    /// Date of publication as far as it is known (ISO 8601): `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Filters take
    /// a year or month as all of it; lists are ordered by its first day. The stated date, else that of the
    /// reference, else the year of the copyright.
    #[schema(pattern = r"^\d{4}(-\d{2}){0,2}$")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_on: Option<Cow<'a, str>>,
    /// Codes of its classes (ICS): `67.060`.
    pub ics_codes: Vec<Cow<'a, str>>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// When the catalogue last changed it (RFC 3339, UTC).
    #[schema(format = DateTime)]
    pub updated_at: Cow<'a, str>,
    /// What the caller may do with it.
    pub access: AccessLevel,
}
