//! The hierarchy of an edition, with and without its content.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Graphic, SectionType, Term};

/// `GET /standards/{id}/sections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionsView<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// The sections at the top, in document order.
    pub sections: Vec<SectionNode<'a>>,
}

/// One element of the hierarchy, without its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionNode<'a> {
    /// Unique in the edition.
    pub id: Cow<'a, str>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
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
    /// Whether its text is normative.
    pub normative: bool,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Position in document order, counted from 1 over all sections.
    pub order: u32,
    /// Sections within it, in document order.
    #[schema(no_recursion)]
    pub children: Vec<SectionNode<'a>>,
    /// What it holds itself, without the sections within it.
    pub counts: Counts,
}

/// How much a section holds itself, without the sections within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Counts {
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
    /// Unique in the edition.
    pub id: Cow<'a, str>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
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
    /// Whether its text is normative.
    pub normative: bool,
    /// Depth: 1 at the top.
    pub level: u16,
    /// Position in document order, counted from 1 over all sections.
    pub order: u32,
    /// Its own markup without the sections within it, well-formed alone.
    pub xml: Cow<'a, str>,
    /// Its own text without the sections within it.
    pub text: Cow<'a, str>,
    /// Its own graphics.
    pub graphics: Vec<Graphic<'a>>,
    /// Its own terms.
    pub terms: Vec<Term<'a>>,
    /// Ids of its own provisions.
    pub provisions: Vec<Cow<'a, str>>,
    /// Sections within it, in document order.
    #[schema(no_recursion)]
    pub children: Vec<Section<'a>>,
}

/// A section named from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionRef<'a> {
    /// Its id in this edition.
    pub id: Cow<'a, str>,
    /// Its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Its title.
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
