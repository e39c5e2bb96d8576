//! The hierarchy of an edition, with and without its content.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Graphic, SectionType, Term};

/// `GET /standards/{id}/sections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionsView<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Sections, in document order. Those at the top, with the others within them.
    pub sections: Vec<SectionNode<'a>>,
}

/// Name and place of a section, which it has in the hierarchy, the content and the complete standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionHead<'a> {
    /// Its id. Unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. As written: `Annex A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Its number, as text. The label without leading word, white space and final dot: `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text. Of the section of a term its designation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: SectionType,
    /// Whether it is normative.
    pub normative: bool,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Position in document order, counted from 1 over all sections.
    pub order: u32,
}

/// One element of the hierarchy, without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionNode<'a> {
    /// Its name and place.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
    /// How many there are of each kind. Of its own, without the sections within it.
    pub counts: SectionCounts,
    /// How many there are of each kind, with those of the sections within it.
    pub total_counts: SectionCounts,
    /// Sections within it, in document order. None below the level that `depth` asks for.
    #[schema(no_recursion)]
    pub children: Vec<SectionNode<'a>>,
}

/// How much a section holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionCounts {
    /// Provisions.
    pub provisions: u32,
    /// Terms.
    pub terms: u32,
    /// Graphics.
    pub graphics: u32,
}

/// One element of the hierarchy with its content, as in a complete standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section<'a> {
    /// Its name and place.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
    /// Markup of the source, well-formed alone. Without the sections within it.
    pub xml: Cow<'a, str>,
    /// Plain text. Its own, without that of the sections within it.
    pub text: Cow<'a, str>,
    /// Graphics, in document order. Its own, without those of the sections within it.
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. Its own, without those of the sections within it.
    pub terms: Vec<Term<'a>>,
    /// Ids of the provisions in it, in document order. Its own, without those of the sections within it.
    pub provision_ids: Vec<Cow<'a, str>>,
    /// Sections within it, in document order.
    #[schema(no_recursion)]
    pub children: Vec<Section<'a>>,
}

/// A section that something is in or refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionRef<'a> {
    /// Its id. Unique in the edition.
    pub id: Cow<'a, str>,
    /// Its number, as text. The label without leading word, white space and final dot: `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text. Of the section of a term its designation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
}

impl<'a> From<&'a norma_model::Section> for SectionRef<'a> {
    fn from(section: &'a norma_model::Section) -> Self {
        Self {
            id: section.id.as_str().into(),
            number: super::borrowed(&section.number),
            title: super::borrowed(&section.title),
        }
    }
}
