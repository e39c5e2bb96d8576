//! Migration: what became of many ids and labels, and what changed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    BodyError, ChangeCause, ComparedProvision, ComparisonCandidate, ComparisonRelation, Facet, Facets,
    Likelihood, Lineage, MigrationOutcome, SectionChange,
};

/// Body of `POST /standards/{id}/migrate`: ids of provisions and lineages, or labels of the edition that the
/// parameter `from` names.
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
    /// Labels of provisions and sections of another edition.
    #[schema(title = "MigrateLabels")]
    Labels {
        /// The labels: `4.2.1(2)` of a provision, `5.2` or `Annex A` of a section; the answer keeps their
        /// order.
        #[schema(min_items = 1, max_items = 1000)]
        labels: Vec<String>,
    },
}

impl MigrateRequest {
    /// Reads a body that holds at most `most` ids or labels.
    ///
    /// # Errors
    /// It is not JSON, is JSON of another shape, or holds none or too many.
    pub fn parse(body: &[u8], most: usize) -> Result<Self, BodyError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct MigrateBody {
            ids: Option<Vec<String>>,
            labels: Option<Vec<String>>,
        }
        const SHAPE: &str = "an object with `ids` or `labels` (a list of texts), and no other member";
        let request = match BodyError::read(body, SHAPE)? {
            MigrateBody { ids: Some(ids), labels: None } => Self::Ids { ids },
            MigrateBody { ids: None, labels: Some(labels) } => Self::Labels { labels },
            _ => return Err(BodyError::Shape(SHAPE)),
        };
        let (list, what) = match &request {
            Self::Ids { ids } => (ids, "id"),
            Self::Labels { labels } => (labels, "label"),
        };
        BodyError::check_count(list, what, most, "max-migrated-ids")?;
        Ok(request)
    }
}

/// What became of each id or label, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MigrateAnswer<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// One for each id or label.
    pub items: Vec<MigrateItem<'a>>,
}

/// What became of one id or label. `source` and what follows from it (`relation` to `candidates`) are there
/// where you may read both editions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrateItem<'a> {
    /// The id or label as sent.
    pub asked: Cow<'a, str>,
    /// Change from the older edition to the newer one.
    pub outcome: MigrationOutcome,
    /// The reason of the outcome, for people. It says why it is `unknown`, or why what changed is not:
    /// what was sent is not an id, names nothing in the edition `from`, or is of a revision that cannot
    /// be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Lineage of the provision in the editions of its document. Its id alone is given. It is absent where no
    /// provision of it is left, and for sections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Lineage<'a>>,
    /// Cause of another id of the provision within its edition, where it got one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<ChangeCause>,
    /// Provision that was compared: the one with the id that was sent, or the member of the lineage in the
    /// edition `from`. With `fromRevision`, and for an id of an earlier revision, that of the revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<MigrationSource<'a>>,
    /// Relation of the two provisions, or the side of the only one. It is read from the older to the newer
    /// edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<ComparisonRelation>,
    /// Likelihood that the two belong together; absent of a provision without counterpart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<Likelihood>,
    /// Kinds of change. The two sides are the source and the first of the provisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Facet>,
    /// Changes by kind, with the values on both sides. The two sides are the source and the first of the
    /// provisions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facets: Option<Facets<'a>>,
    /// What it is in this edition: one provision, and those that it was possibly split into or merged with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared_provisions: Vec<ComparedProvision<'a>>,
    /// What became of the section, where the label is that of a section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section_change: Option<SectionChange<'a>>,
    /// Nearest provisions of the other edition, best first. Where it is `absent`, from the stored comparison
    /// of neighbouring editions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<ComparisonCandidate<'a>>,
    /// True where a later request answers with more. The comparison or the lineages of the document are being
    /// made then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retry: bool,
}

impl<'a> MigrateItem<'a> {
    /// What became of an id or label, with nothing more known.
    pub fn new(asked: impl Into<Cow<'a, str>>, outcome: MigrationOutcome) -> Self {
        Self {
            asked: asked.into(),
            outcome,
            reason: None,
            lineage: None,
            cause: None,
            source: None,
            relation: None,
            likelihood: None,
            changed: Vec::new(),
            facets: None,
            compared_provisions: Vec::new(),
            section_change: None,
            candidates: Vec::new(),
            retry: false,
        }
    }
}

/// A provision of the edition from which an id or label comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MigrationSource<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Id of the object.
    pub id: Cow<'a, str>,
    /// Label, for people. It is itself a selection: `4.2.1(2)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Revision of the edition, which changes with its source and with the way it is derived. A provision of
    /// an earlier revision has the name of that revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Cow<'a, str>>,
    /// Plain text, without markup. It is the sentence or item of an earlier revision, and is there only with
    /// `include=text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
    /// Lead-in: the sentence that the item completes. Only with `include=text`, of an earlier revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
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
        assert!(matches!(read(r#"{"ids":[]}"#), Err(BodyError::Empty(_))));
        assert!(read(r#"{"ids":[""]}"#).is_ok(), "an empty id does not fail the others");
        let error = read(r#"{"ids":["a","b","c"]}"#).unwrap_err().to_string();
        assert!(error.contains("`max-migrated-ids`") && error.contains("at most 2"), "{error}");
    }
}
