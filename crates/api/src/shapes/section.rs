//! The hierarchy of an edition, with and without its content.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Amendment, Graphic, SectionType, Term};

/// Answer of `GET /standards/{id}/sections`: the section hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SectionsView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Sections, in document order. They are those at the top, with the others within them.
    pub sections: Vec<SectionNode<'a>>,
}

/// Normative status of the section of a provision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NormativeStatus {
    /// True for normative content.
    pub normative: bool,
}

/// Name and place of a section, which it has in the hierarchy, the content and the complete standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionHead<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. It is as written: `Annex A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Number of the object, as text. It is the label without leading word, white space and final dot:
    /// `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text. The section of a term has its designation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Kind of section: a clause, an annex, a term entry, or another.
    #[serde(rename = "type")]
    pub kind: SectionType,
    /// True for normative content.
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
    /// Name and place of the section.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
    /// Numbers of items by kind. They are its own, without those of the sections within it.
    pub counts: SectionCounts,
    /// Numbers of items by kind, with those of the sections within it.
    pub total_counts: SectionCounts,
    /// Sections within it, in document order. There are none below the level that `depth` asks for.
    #[schema(no_recursion)]
    pub children: Vec<SectionNode<'a>>,
}

/// Numbers of what a section holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionCounts {
    /// Number of provisions.
    pub provisions: u32,
    /// Number of terms.
    pub terms: u32,
    /// Number of graphics.
    pub graphics: u32,
}

/// One element of the hierarchy with its content, as in a complete standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Section<'a> {
    /// Name and place of the section.
    #[serde(flatten)]
    pub head: SectionHead<'a>,
    /// The source's own id, where `id` differs from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<Cow<'a, str>>,
    /// Markup of the source, well-formed alone. Without the sections within it.
    pub xml: Cow<'a, str>,
    /// Plain text, without markup. It is its own, without that of the sections within it.
    pub text: Cow<'a, str>,
    /// Graphics, in document order. They are its own, without those of the sections within it.
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. They are its own, without those of the sections within it.
    pub terms: Vec<Term<'a>>,
    /// Ids of the provisions in the object, in document order. They are its own, without those of the
    /// sections within it.
    pub provision_ids: Vec<Cow<'a, str>>,
    /// Sections within it, in document order.
    #[schema(no_recursion)]
    pub children: Vec<Section<'a>>,
}
