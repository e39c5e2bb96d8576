//! Lineages: what a provision was in older editions and became in newer ones, and what became of many at once.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BodyError, LineageRelation, MigrationOutcome, ProvisionType};

/// The lineage of a provision: the provisions of other editions of its document that are the same provision. Editions that you may not
/// read are passed over. Where a provision is listed with others, its lineage has the id alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lineage<'a> {
    /// Names the lineage in all editions of the document. It changes when an older edition arrives or the oldest one is removed; `migrate`
    /// takes each id that was ever answered.
    #[schema(pattern = "^lin_[a-z2-7]{26}$")]
    pub id: Cow<'a, str>,
    /// Earlier ids in its own edition, its members in older editions, the nearest first, and provisions that it was possibly split from
    /// or merged of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predecessors: Option<Vec<RelatedProvision<'a>>>,
    /// Its members in newer editions, the nearest first, and provisions that it was possibly split into or merged with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successors: Option<Vec<RelatedProvision<'a>>>,
}

/// A provision that comes before or after another in its lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelatedProvision<'a> {
    /// URN of its edition.
    pub urn: Cow<'a, str>,
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its label in that edition; ids of earlier revisions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// How it is related.
    pub relation: LineageRelation,
}

impl<'a> Lineage<'a> {
    /// The id alone.
    pub fn of_id(id: impl Into<Cow<'a, str>>) -> Self {
        Self { id: id.into(), predecessors: None, successors: None }
    }
}

/// Body of `POST /standards/{id}/migrate`: ids of provisions and lineages, or labels of the edition that the parameter `from` names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum MigrateRequest {
    /// Ids of provisions (`prv_…`) and lineages (`lin_…`).
    #[schema(title = "MigrateIds")]
    Ids {
        /// The ids; the answer keeps their order.
        #[schema(min_items = 1, max_items = 1000)]
        ids: Vec<String>,
    },
    /// Labels of provisions of another edition.
    #[schema(title = "MigrateLabels")]
    Labels {
        /// The labels: `4.2.1(2)`; the answer keeps their order.
        #[schema(min_items = 1, max_items = 1000)]
        labels: Vec<String>,
    },
}

impl MigrateRequest {
    /// Reads a body that holds at most `most` ids or labels.
    ///
    /// # Errors
    /// It is not JSON, is JSON of another shape, has an empty text, or holds none or too many.
    pub fn parse(body: &[u8], most: usize) -> Result<Self, BodyError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Body {
            ids: Option<Vec<String>>,
            labels: Option<Vec<String>>,
        }
        const SHAPE: &str = "an object with `ids` or `labels` (a list of texts), and no other member";
        let request = match BodyError::read(body, SHAPE)? {
            Body { ids: Some(ids), labels: None } => Self::Ids { ids },
            Body { ids: None, labels: Some(labels) } => Self::Labels { labels },
            _ => return Err(BodyError::Shape(SHAPE)),
        };
        let (list, what) = match &request {
            Self::Ids { ids } => (ids, "id"),
            Self::Labels { labels } => (labels, "label"),
        };
        BodyError::check(list, what, most, "max-migrated-ids")?;
        Ok(request)
    }
}

/// What became of each, in the order of the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MigrateAnswer<'a> {
    /// URN of the edition.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// One for each id or label.
    pub items: Vec<MigrateItem<'a>>,
}

/// What became of one id or label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MigrateItem<'a> {
    /// The id or label as sent.
    pub asked: Cow<'a, str>,
    /// What became of it.
    pub outcome: MigrationOutcome,
    /// The provision of this edition, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provision: Option<MigratedProvision<'a>>,
}

/// A provision of the edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MigratedProvision<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// For people, and itself a selection.
    pub label: Cow<'a, str>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ProvisionType,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_or_labels_are_read_and_anything_else_is_refused_with_its_reason() {
        let read = |body: &str| MigrateRequest::parse(body.as_bytes(), 2);
        assert_eq!(
            read(r#"{"ids":["a","b"]}"#),
            Ok(MigrateRequest::Ids { ids: vec!["a".into(), "b".into()] })
        );
        let labels = MigrateRequest::Labels { labels: vec!["4.2(1)".into()] };
        assert_eq!(read(r#"{"labels":["4.2(1)"]}"#), Ok(labels));
        for shape in [
            r#"{}"#,
            r#"[]"#,
            r#"{"labels":["a"],"ids":["b"]}"#,
            r#"{"ids":["a"],"from":"b"}"#,
            r#"{"ids":1}"#,
        ] {
            assert!(matches!(read(shape), Err(BodyError::Shape(_))), "{shape}");
        }
        assert!(matches!(read("{"), Err(BodyError::NoJson(_))));
        assert!(matches!(read(r#"{"ids":[""]}"#), Err(BodyError::Empty(_))));
        let error = read(r#"{"ids":["a","b","c"]}"#).unwrap_err().to_string();
        assert!(error.contains("`max-migrated-ids`") && error.contains("at most 2"), "{error}");
    }
}
