//! The ordered content of an edition, section by section.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Graphic, SectionHead, Term};

/// `GET /standards/{id}/content`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ContentView<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Sections, in document order. All of them in one list, each after the one that holds it.
    pub sections: Vec<ContentSection<'a>>,
}

/// The content of one section, without the sections within it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentSection<'a> {
    /// Its name and place.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// Id of the section that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Cow<'a, str>>,
    /// Markup of the source, well-formed alone. Without the sections within it.
    pub xml: Cow<'a, str>,
    /// Plain text. Its own: paragraphs separated by blank lines, lists with their labels, table cells
    /// separated by tabs.
    pub text: Cow<'a, str>,
    /// Graphics, in document order. Its own, without those of the sections within it.
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. Its own, without those of the sections within it.
    pub terms: Vec<Term<'a>>,
    /// Ids of the provisions in it, in document order. Its own, without those of the sections within it.
    pub provision_ids: Vec<Cow<'a, str>>,
}
