//! Terms: concepts with their designations and definitions (ISO 10241-1; TBX, ISO 30042).

use std::borrow::Cow;

use norma_model::TermId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Acceptability, Amendment, SectionRef, borrowed};

/// Answer of `GET /standards/{id}/terms`: the terms of the standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermsView<'a> {
    /// Amendments of the object that the caller may see, in the order of their publication. It is absent
    /// without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Revision of the edition, which changes with its source and with the way it is derived.
    pub revision: Cow<'a, str>,
    /// Terms in document order.
    pub items: Vec<Term<'a>>,
}

/// One concept of the edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Term<'a> {
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Number of the object, as text. It is that of the entry: `3.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Cow<'a, str>>,
    /// Designations of the concept, in source order.
    pub designations: Vec<Designation<'a>>,
    /// Definitions of the concept, one for each language stated.
    pub definitions: Vec<Definition<'a>>,
    /// Subject field; several are joined by `; `.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<Cow<'a, str>>,
    /// Notes to the entry, in source order.
    pub notes: Vec<TermText<'a>>,
    /// Examples of the concept, in source order.
    pub examples: Vec<TermText<'a>>,
    /// Sources that the entry was taken from.
    pub sources: Vec<TermText<'a>>,
    /// Section that has the object.
    pub section: SectionRef<'a>,
}

/// One word, phrase or symbol for a concept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Designation<'a> {
    /// Plain text, without markup. It is the word, phrase or symbol.
    pub text: Cow<'a, str>,
    /// Acceptability rating, which says whether the publisher wants the designation to be used (ISO 10241-1).
    pub acceptability: Acceptability,
    /// Kind as the source names it: `acronym`, `symbol`, `fullForm`…
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Cow<'a, str>>,
    /// Part of speech as the source names it: `noun`, `verb`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part_of_speech: Option<Cow<'a, str>>,
    /// Language code (BCP 47).
    pub language: Cow<'a, str>,
}

/// A definition in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Definition<'a> {
    /// Language code (BCP 47).
    pub language: Cow<'a, str>,
    /// Plain text, without markup.
    pub text: Cow<'a, str>,
    /// Markup of the source, well-formed alone.
    pub xml: Cow<'a, str>,
}

/// A note, example or source in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TermText<'a> {
    /// Language code (BCP 47).
    pub language: Cow<'a, str>,
    /// Plain text, without markup.
    pub text: Cow<'a, str>,
}

impl<'a> Term<'a> {
    /// The shape of a term of an edition with these sections.
    pub fn new(term: &'a norma_model::Term, sections: &'a [norma_model::Section]) -> Self {
        let norma_model::Term {
            id,
            number,
            designations,
            definitions,
            domains,
            notes,
            examples,
            sources,
            section,
        } = term;
        let texts = |texts: &'a [norma_model::TermText]| texts.iter().map(Into::into).collect();
        Self {
            id: id.as_str().into(),
            number: borrowed(number),
            designations: designations.iter().map(Into::into).collect(),
            definitions: definitions.iter().map(Into::into).collect(),
            domain: match domains.as_slice() {
                [] => None,
                [domain] => Some(domain.text.as_str().into()),
                several => {
                    Some(several.iter().map(|d| d.text.as_str()).collect::<Vec<_>>().join("; ").into())
                }
            },
            notes: texts(notes),
            examples: texts(examples),
            sources: texts(sources),
            section: (&sections[*section]).into(),
        }
    }

    /// The term that this is the shape of, in the section with this index. Its subject fields are left out:
    /// the shape has them as one text. `None` where a later version of Norma wrote a word that this one does
    /// not know.
    pub fn into_model(self, section: usize) -> Option<norma_model::Term> {
        let Self { id, number, designations, definitions, domain: _, notes, examples, sources, section: _ } =
            self;
        let texts = |texts: Vec<TermText<'a>>| {
            texts.into_iter().map(TermText::into_model).collect::<Option<Vec<_>>>()
        };
        Some(norma_model::Term {
            id: TermId::new(id),
            number: number.map(Cow::into_owned),
            designations: designations.into_iter().map(Designation::into_model).collect::<Option<_>>()?,
            definitions: definitions.into_iter().map(Definition::into_model).collect::<Option<_>>()?,
            domains: Vec::new(),
            notes: texts(notes)?,
            examples: texts(examples)?,
            sources: texts(sources)?,
            section,
        })
    }
}

impl Designation<'_> {
    fn into_model(self) -> Option<norma_model::Designation> {
        let Self { text, acceptability, kind, part_of_speech, language } = self;
        Some(norma_model::Designation {
            text: text.into_owned(),
            status: acceptability.try_into().ok()?,
            kind: kind.map(Cow::into_owned),
            part_of_speech: part_of_speech.map(Cow::into_owned),
            language: language.parse().ok()?,
        })
    }
}

impl Definition<'_> {
    fn into_model(self) -> Option<norma_model::Definition> {
        let Self { language, text, xml } = self;
        let language = language.parse().ok()?;
        Some(norma_model::Definition { language, text: text.into_owned(), xml: xml.into_owned() })
    }
}

impl TermText<'_> {
    fn into_model(self) -> Option<norma_model::TermText> {
        let Self { language, text } = self;
        Some(norma_model::TermText { language: language.parse().ok()?, text: text.into_owned() })
    }
}

impl<'a> From<&'a norma_model::Designation> for Designation<'a> {
    fn from(designation: &'a norma_model::Designation) -> Self {
        let norma_model::Designation { text, status, kind, part_of_speech, language } = designation;
        Self {
            text: text.into(),
            acceptability: (*status).into(),
            kind: borrowed(kind),
            part_of_speech: borrowed(part_of_speech),
            language: language.as_str().into(),
        }
    }
}

impl<'a> From<&'a norma_model::Definition> for Definition<'a> {
    fn from(definition: &'a norma_model::Definition) -> Self {
        let norma_model::Definition { language, text, xml } = definition;
        Self { language: language.as_str().into(), text: text.into(), xml: xml.into() }
    }
}

impl<'a> From<&'a norma_model::TermText> for TermText<'a> {
    fn from(text: &'a norma_model::TermText) -> Self {
        let norma_model::TermText { language, text } = text;
        Self { language: language.as_str().into(), text: text.into() }
    }
}
