//! The complete standard, and the standard without section bodies.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Amendment, Graphic, Ics, Metadata, Provision, RelatedEditionType, Relation, Section, Status,
    StatusReason, Term,
};

/// The members that every view begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewHead<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
}

/// Members of `head`, and after them the member `list` up to its opening bracket: items and `]}` make JSON of
/// it.
///
/// # Panics
/// Where `head` is not a JSON object.
pub fn open_list(head: &impl Serialize, list: &str) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(head).expect("the shape has text keys");
    bytes.pop();
    bytes.extend_from_slice(format!(",\"{list}\":[").as_bytes());
    bytes
}

/// `GET /standards/{id}`: the complete standard.
///
/// `status` and `relatedEditions` come first: they depend on the rest of the catalogue, and on the caller.
/// Members that `fields` does not name are absent, but for `status`, `urn` and `revision`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Standard<'a> {
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Reason why the edition is in force again, where that is not plain: the edition that superseded it was
    /// recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<StatusReason>,
    /// Day on which the operator withdrew the edition (ISO 8601).
    #[schema(format = Date)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_on: Option<Cow<'a, str>>,
    /// Notice of the operator about the withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// Other editions in the catalogue that the caller may see.
    #[schema(required = false)]
    pub related_editions: Vec<RelatedEdition<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Bibliographic metadata of the edition.
    #[schema(required = false)]
    pub metadata: Metadata<'a>,
    /// Classes of the edition (ICS), without repeats.
    #[schema(required = false)]
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    #[schema(required = false)]
    pub relations: Vec<Relation<'a>>,
    /// Sections, in document order. They are those at the top, with the others within them, and with their
    /// content.
    #[schema(required = false)]
    pub sections: Vec<Section<'a>>,
    /// Graphics, in document order. They are all of the standard.
    #[schema(required = false)]
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. They are all of the standard.
    #[schema(required = false)]
    pub terms: Vec<Term<'a>>,
}

/// `GET /standards/{id}/metadata`: the standard without section bodies. Members that `fields` does not name
/// are absent, but for `status`, `urn` and `revision`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetadataView<'a> {
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Reason why the edition is in force again, where that is not plain: the edition that superseded it was
    /// recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<StatusReason>,
    /// Day on which the operator withdrew the edition (ISO 8601).
    #[schema(format = Date)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_on: Option<Cow<'a, str>>,
    /// Notice of the operator about the withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// Other editions in the catalogue that the caller may see.
    #[schema(required = false)]
    pub related_editions: Vec<RelatedEdition<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Bibliographic metadata of the edition.
    #[schema(required = false)]
    pub metadata: Metadata<'a>,
    /// Classes of the edition (ICS), without repeats.
    #[schema(required = false)]
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    #[schema(required = false)]
    pub relations: Vec<Relation<'a>>,
    /// Provisions, in document order. They are all of the standard.
    #[schema(required = false)]
    pub provisions: Vec<Provision<'a>>,
    /// Terms, in document order. They are all of the standard.
    #[schema(required = false)]
    pub terms: Vec<Term<'a>>,
    /// Graphics, in document order. They are all of the standard.
    #[schema(required = false)]
    pub graphics: Vec<Graphic<'a>>,
}

/// `GET /standards/{id}/metadata?fields=metadata,ics,relations`: what a bibliography says of a standard.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BibliographicData<'a> {
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Amendments of the object that the caller may see, in the order of their publication.
    #[serde(default, rename = "amendedBy")]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Bibliographic metadata of the edition.
    pub metadata: Metadata<'a>,
    /// Classes of the edition (ICS), without repeats.
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    pub relations: Vec<Relation<'a>>,
}

/// Members of a standard that come from the catalogue: they change while the edition does not, and so are
/// prepended to the stored bytes when they are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueMembers<'a> {
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
    /// Reason why the edition is in force again, where that is not plain: the edition that superseded it was
    /// recalled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_reason: Option<StatusReason>,
    /// Day on which the operator withdrew the edition (ISO 8601).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_on: Option<Cow<'a, str>>,
    /// Notice of the operator about the withdrawal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Cow<'a, str>>,
    /// Amendments of the object that the caller may see, in the order of their publication.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amended_by: Vec<Amendment<'a>>,
    /// Other editions in the catalogue that the caller may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_editions: Option<Vec<RelatedEdition<'a>>>,
}

/// Another edition in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelatedEdition<'a> {
    /// Relation of the other edition to this one.
    #[serde(rename = "type")]
    pub kind: RelatedEditionType,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document.
    pub reference: Cow<'a, str>,
}

impl CatalogueMembers<'_> {
    /// The bytes that replace the first byte, the opening brace, of a standard without these members:
    /// `{"status":…,"relatedEditions":[…],`.
    pub fn json_prefix(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("the shape has text keys");
        bytes.pop();
        bytes.push(b',');
        bytes
    }
}
