//! The complete standard, and the standard without section bodies.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Graphic, Ics, Metadata, Provision, RelatedEditionType, Relation, Section, Status, Term};

/// The members that every view begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViewHead<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
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
    /// Whether it is in force.
    pub status: Status,
    /// Other editions in the catalogue that the caller may see.
    #[schema(required = false)]
    pub related_editions: Vec<RelatedEdition<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Its metadata.
    #[schema(required = false)]
    pub metadata: Metadata<'a>,
    /// Classes, without repeats.
    #[schema(required = false)]
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    #[schema(required = false)]
    pub relations: Vec<Relation<'a>>,
    /// Sections, in document order. Those at the top, with the others within them, and with their content.
    #[schema(required = false)]
    pub sections: Vec<Section<'a>>,
    /// Graphics, in document order. All of the standard.
    #[schema(required = false)]
    pub graphics: Vec<Graphic<'a>>,
    /// Terms, in document order. All of the standard.
    #[schema(required = false)]
    pub terms: Vec<Term<'a>>,
}

/// `GET /standards/{id}/metadata`: the standard without section bodies. Members that `fields` does not name
/// are absent, but for `status`, `urn` and `revision`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MetadataView<'a> {
    /// Whether it is in force.
    pub status: Status,
    /// Other editions in the catalogue that the caller may see.
    #[schema(required = false)]
    pub related_editions: Vec<RelatedEdition<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Its metadata.
    #[schema(required = false)]
    pub metadata: Metadata<'a>,
    /// Classes, without repeats.
    #[schema(required = false)]
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    #[schema(required = false)]
    pub relations: Vec<Relation<'a>>,
    /// Provisions, in document order. All of the standard.
    #[schema(required = false)]
    pub provisions: Vec<Provision<'a>>,
    /// Terms, in document order. All of the standard.
    #[schema(required = false)]
    pub terms: Vec<Term<'a>>,
    /// Graphics, in document order. All of the standard.
    #[schema(required = false)]
    pub graphics: Vec<Graphic<'a>>,
}

/// `GET /standards/{id}/metadata?fields=metadata,ics,relations`: what a bibliography says of a standard.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BibliographicData<'a> {
    /// Whether it is in force.
    pub status: Status,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Changes when the source or the way it is derived changes.
    pub revision: Cow<'a, str>,
    /// Its metadata.
    pub metadata: Metadata<'a>,
    /// Classes, without repeats.
    pub ics: Vec<Ics<'a>>,
    /// Relations to other documents.
    pub relations: Vec<Relation<'a>>,
}

/// Members of a standard that come from the catalogue: they change while the edition does not, and so are
/// prepended to the stored bytes when they are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueMembers<'a> {
    /// Whether it is in force.
    pub status: Status,
    /// Other editions in the catalogue that the caller may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_editions: Option<Vec<RelatedEdition<'a>>>,
}

/// Another edition in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelatedEdition<'a> {
    /// Its relation to this one.
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
