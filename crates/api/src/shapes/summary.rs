//! Summaries of standards, and a page of the list.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AccessLevel, Amendment, StandardType, Status, Supplement};

/// `GET /standards`: one page of the standards that the caller may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StandardList<'a> {
    /// In the order asked for.
    pub items: Vec<StandardSummary<'a>>,
    /// Cursor of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cow<'a, str>>,
    /// Number of results over all pages. The results are standards.
    pub total: u64,
}

/// A standard in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StandardSummary<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. It is in the main language.
    pub title: Cow<'a, str>,
    /// Publisher, as written in the source.
    pub publisher: Cow<'a, str>,
    /// Number of the object, as text. It is without the part.
    pub number: Cow<'a, str>,
    /// Part of the standard, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Cow<'a, str>>,
    /// Supplement that the document is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplement: Option<Supplement<'a>>,
    /// Edition as the URN counts it: `2`, `2008-12`.
    pub edition: Cow<'a, str>,
    /// Language code (BCP 47). It is the main language of the text.
    pub language: Cow<'a, str>,
    /// Kind of document: a standard, an amendment, a report, or another.
    #[serde(rename = "type")]
    pub standard_type: StandardType,
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Day on which the operator withdrew the edition (ISO 8601).
    #[schema(format = Date)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_on: Option<Cow<'a, str>>,
    /// Notice of the operator about the withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
    /// Amendments of the object that the caller may see, in the order of their publication. Only lists that
    /// name documents by `urn` or `reference` have it. It is absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// Date of publication as far as it is known (ISO 8601): `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Filters take
    /// a year or month as all of it; lists are ordered by its first day. The stated date, else that of the
    /// reference, else the year of the copyright.
    #[schema(pattern = r"^\d{4}(-\d{2}){0,2}$")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_on: Option<Cow<'a, str>>,
    /// Codes of its classes (ICS): `67.060`.
    pub ics_codes: Vec<Cow<'a, str>>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// When the catalogue last changed it (RFC 3339, UTC).
    #[schema(format = DateTime)]
    pub updated_at: Cow<'a, str>,
    /// Level of the caller's access to the edition.
    pub access: AccessLevel,
}
