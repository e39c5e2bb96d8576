//! Lineages: what a provision was in older editions and became in newer ones.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::LineageRelation;

/// The lineage of a provision: the provisions of other editions of its document that are the same provision.
/// Editions that you may not read are passed over. Where a provision is listed with others, its lineage has
/// the id alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lineage<'a> {
    /// Id of the object. It names the lineage in all editions of the document, and changes when an older
    /// edition arrives or the oldest one is removed; `migrate` takes each id that was ever answered.
    #[schema(pattern = "^lin_[a-z2-7]{26}$")]
    pub id: Cow<'a, str>,
    /// Earlier ids in its own edition, its members in older editions, the nearest first, and provisions that
    /// it was possibly split from or merged of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predecessors: Option<Vec<RelatedProvision<'a>>>,
    /// Successors: provisions of newer editions that carry the provision on. First come its members, the
    /// nearest first, then provisions that it was possibly split into or merged with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successors: Option<Vec<RelatedProvision<'a>>>,
}

/// A provision that comes before or after another in its lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelatedProvision<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Id of the object.
    pub id: Cow<'a, str>,
    /// Label, for people. It is the label in its edition; ids of earlier revisions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// How it is related.
    #[serde(rename = "type")]
    pub kind: LineageRelation,
}

impl<'a> Lineage<'a> {
    /// A lineage of which only the id is given.
    pub fn of_id(id: impl Into<Cow<'a, str>>) -> Self {
        Self { id: id.into(), predecessors: None, successors: None }
    }
}
