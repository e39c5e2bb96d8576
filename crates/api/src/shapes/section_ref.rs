//! Reference to a section, which other shapes have.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A section that something is in or refers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SectionRef<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Number of the object, as text. It is the label without leading word, white space and final dot:
    /// `4.2.1`, `A`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Title as plain text. The section of a term has its designation.
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
