//! Instructions of amendments and corrigenda, and what they change in the standard that is amended.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{InstructionOperation, SectionRef, UnresolvedReason, borrowed};

/// `GET /standards/{id}/instructions`: what an amendment or corrigendum changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstructionsView<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Instructions in document order.
    pub items: Vec<Instruction<'a>>,
}

/// One change that an amendment states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Instruction<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Operation that the instruction does.
    pub operation: InstructionOperation,
    /// Label, for people. It is the part that it names, as printed: `4.1, third paragraph`.
    pub label: Cow<'a, str>,
    /// Plain text, without markup. It is the instruction as printed, with white space collapsed.
    pub text: Cow<'a, str>,
    /// The text that it brings, a paragraph a line. It is absent where it brings none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_text: Option<Cow<'a, str>>,
    /// Language code (BCP 47). It is the language of its words.
    pub language: Cow<'a, str>,
    /// Section that has the object.
    pub section: SectionRef<'a>,
    /// Ids of the provisions in the object, in document order. They are in the text that it brings.
    pub provision_ids: Vec<Cow<'a, str>>,
    /// The editions that it changes, of those that the caller may read.
    pub bases: Vec<InstructionBase<'a>>,
}

/// An edition that an instruction changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstructionBase<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document.
    pub reference: Cow<'a, str>,
    /// True where all that the instruction says of the part is so. Else the whole clause is among the
    /// targets, if the instruction names one that exists.
    pub resolved: bool,
    /// Reason why the part is not certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved_reason: Option<UnresolvedReason>,
    /// Ids of the sections, provisions, tables, figures and terms that it touches, in this order.
    pub targets: Vec<Cow<'a, str>>,
}

/// An amendment or corrigendum of a standard, with one of its changes where the caller may read both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Amendment<'a> {
    /// URN of the standard. It is that of the amendment.
    pub urn: Cow<'a, str>,
    /// Designation of the document.
    pub reference: Cow<'a, str>,
    /// Date of publication as far as it is known (ISO 8601): `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    #[schema(pattern = r"^\d{4}(-\d{2}){0,2}$")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_on: Option<Cow<'a, str>>,
    /// Id of an instruction of an amendment. The one that states the change. This and the following members
    /// are absent where the caller may only discover the amendment or the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_id: Option<Cow<'a, str>>,
    /// Operation that the instruction does. It is the operation of the instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<InstructionOperation>,
    /// Label, for people. It is the part that the instruction names, as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Plain text, without markup. It is the instruction as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Cow<'a, str>>,
    /// The text that it brings, a paragraph a line. It is absent where it brings none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_text: Option<Cow<'a, str>>,
    /// Language code (BCP 47). It is the language of the instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Cow<'a, str>>,
    /// True where all that the instruction says of the part is so. Else the whole clause is among the
    /// targets, if the instruction names one that exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<bool>,
    /// Reason why the part is not certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unresolved_reason: Option<UnresolvedReason>,
    /// Ids of the sections, provisions, tables, figures and terms that it touches, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub targets: Vec<Cow<'a, str>>,
}

impl<'a> Amendment<'a> {
    /// An amendment by name alone, without what it changes.
    pub fn named(urn: Cow<'a, str>, reference: Cow<'a, str>, published_on: Option<Cow<'a, str>>) -> Self {
        Self {
            urn,
            reference,
            published_on,
            instruction_id: None,
            operation: None,
            label: None,
            text: None,
            new_text: None,
            language: None,
            resolved: None,
            unresolved_reason: None,
            targets: Vec::new(),
        }
    }
}

/// The id of the instruction with this index.
pub fn instruction_id(index: usize) -> String {
    format!("ins_{}", index + 1)
}

impl<'a> Instruction<'a> {
    /// The shape of the instruction with this index, in this section. `provisions` are the ids of all
    /// provisions of the amendment.
    pub fn new(
        index: usize,
        instruction: &'a norma_model::Instruction,
        section: SectionRef<'a>,
        provision_ids: Vec<Cow<'a, str>>,
        bases: Vec<InstructionBase<'a>>,
    ) -> Self {
        Self {
            id: instruction_id(index).into(),
            operation: instruction.operation.into(),
            label: (*instruction.printed).into(),
            text: (*instruction.text).into(),
            new_text: borrowed(&instruction.new_text),
            language: instruction.language.as_str().into(),
            section,
            provision_ids,
            bases,
        }
    }
}
