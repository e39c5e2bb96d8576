//! The ordered content of an edition, section by section.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Amendment, Graphic, SectionHead, Term};

/// Answer of `GET /standards/{id}/content`: the sections with their content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Sections, in document order. All are in one list, each after the one that holds it.
    pub sections: Vec<ContentSection<'a>>,
}

/// The content of one section, without the sections within it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentSection<'a> {
    /// Name and place of the section.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// Id of the section that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<Cow<'a, str>>,
    /// Markup of the source, well-formed alone. Without the sections within it.
    pub xml: Cow<'a, str>,
    /// Plain text, without markup. It is the section's own text: paragraphs separated by blank lines, lists
    /// with their labels, table cells separated by tabs.
    pub text: Cow<'a, str>,
    /// Graphics, in document order. They are its own, without those of the sections within it.
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. They are its own, without those of the sections within it.
    pub terms: Vec<Term<'a>>,
    /// Ids of the provisions in the object, in document order. They are its own, without those of the
    /// sections within it.
    pub provision_ids: Vec<Cow<'a, str>>,
}
