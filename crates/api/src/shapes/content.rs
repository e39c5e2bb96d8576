//! The ordered content of an edition, section by section.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Graphic, SectionType, Term};

/// `GET /standards/{id}/content`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContentView<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// All sections in document order, parents before children.
    pub sections: Vec<ContentSection<'a>>,
}

/// The content of one section, without the sections within it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContentSection<'a> {
    /// Unique in the edition.
    pub id: Cow<'a, str>,
    /// Label as written: `Annex A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Label without its leading word, white space and final dot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: SectionType,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Position in document order, counted from 1 over all sections.
    pub order: u32,
    /// Id of the section that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Cow<'a, str>>,
    /// Its own markup without the sections within it, well-formed alone.
    pub xml: Cow<'a, str>,
    /// Its own text: paragraphs separated by blank lines, lists with their labels, table cells separated by tabs.
    pub text: Cow<'a, str>,
    /// Its own graphics.
    pub graphics: Vec<Graphic<'a>>,
    /// Its own terms.
    pub terms: Vec<Term<'a>>,
    /// Ids of its own provisions.
    pub provisions: Vec<Cow<'a, str>>,
}
