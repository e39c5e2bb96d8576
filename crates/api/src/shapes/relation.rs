//! Relations of an edition to other documents.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RelationType, borrowed};

/// One document that the edition cites, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relation<'a> {
    /// The kind of relation.
    #[serde(rename = "type")]
    pub kind: RelationType,
    /// Designation of the document. It is as cited.
    pub reference: Cow<'a, str>,
    /// URN of the standard. Derived from the text of the reference alone, it may omit edition and language.
    /// Where the reference is dated, the edition of that date is meant, and no later one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urn: Option<Cow<'a, str>>,
    /// True where the reference names one dated edition.
    pub dated: bool,
    /// Year or date of the cited edition, as printed: `2009`, `2008-12`. That edition is meant, and no later
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Cow<'a, str>>,
    /// Title as plain text. It is as cited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Ids of the sections that cite it, in document order.
    pub section_ids: Vec<Cow<'a, str>>,
}

impl<'a> Relation<'a> {
    /// The shape of a relation of an edition with these sections.
    pub fn new(relation: &'a norma_model::Relation, sections: &'a [norma_model::Section]) -> Self {
        let norma_model::Relation { kind, reference, urn: name, dated, date, title, sections: citing } =
            relation;
        Self {
            kind: (*kind).into(),
            reference: reference.into(),
            urn: name.as_ref().map(urn),
            dated: *dated,
            date: borrowed(date),
            title: borrowed(title),
            section_ids: citing.iter().map(|&s| sections[s].id.as_str().into()).collect(),
        }
    }
}

/// The text of a URN that may omit edition and language.
pub(crate) fn urn(urn: &norma_model::PartialUrn) -> Cow<'_, str> {
    urn.as_str().into()
}
