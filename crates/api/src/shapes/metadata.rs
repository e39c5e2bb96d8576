//! Metadata of an edition.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::vocabulary::{StandardType, SupplementType};
use super::{borrowed, borrowed_all};

/// Metadata of an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metadata<'a> {
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Title as plain text. It is in the main language, else in English, and absent where the source states
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Titles with their elements, by language (BCP 47).
    pub titles: BTreeMap<Cow<'a, str>, Title<'a>>,
    /// Publisher, as written in the source.
    pub publisher: Cow<'a, str>,
    /// Kind of document: a standard, an amendment, a report, or another.
    #[serde(rename = "type")]
    pub standard_type: StandardType,
    /// Kind of document, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_label: Option<Cow<'a, str>>,
    /// Number of the object, as text. It is without the part.
    pub number: Cow<'a, str>,
    /// Part of the standard, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Cow<'a, str>>,
    /// Supplement that the document is, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplement: Option<Supplement<'a>>,
    /// Edition as the URN counts it: `2`, `2008-12`.
    pub edition: Cow<'a, str>,
    /// Document version as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Cow<'a, str>>,
    /// Stage code or word as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<Cow<'a, str>>,
    /// Language code (BCP 47). It is the main language of the text.
    pub language: Cow<'a, str>,
    /// All languages of the text (BCP 47), the main one first.
    pub languages: Vec<Cow<'a, str>>,
    /// Languages for which provisions are derived (BCP 47). It is present where the text is in another one
    /// too: there only provisions that the source itself marks are found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub provision_languages: Vec<Cow<'a, str>>,
    /// Dates by name, each a year, a month or a day (ISO 8601). The names are `published`, `released`,
    /// `approved`, `withdrawn`, and those that the source gives others, in lower case: `ratified`,
    /// `vote-start`. `publishedOn` is the one to sort by.
    pub dates: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
    /// Date of publication as far as it is known (ISO 8601): `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. The date
    /// named `published`, else `released`, else that of the reference, else the year of the copyright.
    #[schema(pattern = r"^\d{4}(-\d{2}){0,2}$")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_on: Option<Cow<'a, str>>,
    /// Committee that is responsible for the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committee: Option<Cow<'a, str>>,
    /// Secretariat of the committee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secretariat: Option<Cow<'a, str>>,
    /// Rights in the document, as the source states them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copyright: Option<Copyright<'a>>,
    /// Pages of the printed form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
    /// Present and true where the text may state duties without a verbal form, as French and German laws do
    /// in the present tense. No rule finds these, so that the list of provisions is not complete.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duties_without_verbal_form: bool,
    /// Other identifiers that name this edition; they resolve as aliases.
    pub identifiers: Vec<Cow<'a, str>>,
    /// The documents it adopts, outermost first.
    pub adoption_of: Vec<Adoption<'a>>,
}

/// A title and its elements (ISO/IEC Directives, Part 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Title<'a> {
    /// Introductory element: the field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intro: Option<Cow<'a, str>>,
    /// Main element: the subject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub main: Option<Cow<'a, str>>,
    /// Complementary element: the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complement: Option<Cow<'a, str>>,
    /// Full title, with all its elements.
    pub full: Cow<'a, str>,
}

/// Which supplement a document is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Supplement<'a> {
    /// Amendment, corrigendum or addendum.
    #[serde(rename = "type")]
    pub kind: SupplementType,
    /// Number of the object, as text. It is `1` of the first supplement.
    pub number: Cow<'a, str>,
    /// Year, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<Cow<'a, str>>,
}

/// Rights in the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Copyright<'a> {
    /// Copyright statement, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statement: Option<Cow<'a, str>>,
    /// Year, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<Cow<'a, str>>,
    /// Copyright holder, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<Cow<'a, str>>,
}

/// A document that this one adopts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Adoption<'a> {
    /// Designation of the document. It is as written.
    pub reference: Cow<'a, str>,
    /// URN of the standard. Its own metadata or the reference states it; it may omit edition and language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub urn: Option<Cow<'a, str>>,
}

/// A class of the International Classification for Standards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ics<'a> {
    /// Code, for programs. Of a class of the ICS: `67.060`.
    pub code: Cow<'a, str>,
    /// Title as plain text. It is as the source states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
}

impl<'a> From<&'a norma_model::Metadata> for Metadata<'a> {
    fn from(metadata: &'a norma_model::Metadata) -> Self {
        let norma_model::Metadata {
            reference,
            titles,
            publisher,
            standard_type,
            type_label,
            number,
            part,
            supplement,
            edition,
            version,
            stage,
            languages,
            provision_languages,
            dates,
            // A part of the date of publication.
            reference_date: _,
            committee,
            secretariat,
            copyright,
            page_count,
            duties_without_verbal_form,
            identifiers,
            adoption_of,
        } = metadata;
        Self {
            reference: reference.into(),
            title: metadata.title().map(|title| title.full.as_str().into()),
            titles: titles.iter().map(|(lang, title)| (lang.as_str().into(), title.into())).collect(),
            publisher: publisher.into(),
            standard_type: (*standard_type).into(),
            type_label: borrowed(type_label),
            number: number.into(),
            part: borrowed(part),
            supplement: supplement.as_ref().map(Into::into),
            edition: edition.into(),
            version: borrowed(version),
            stage: borrowed(stage),
            language: metadata.language().as_str().into(),
            languages: languages.iter().map(|l| l.as_str().into()).collect(),
            provision_languages: provision_languages.iter().map(|l| l.as_str().into()).collect(),
            dates: dates.iter().map(|(name, date)| (name.into(), date.as_str().into())).collect(),
            published_on: metadata.published_on().map(|date| date.as_str().to_owned().into()),
            committee: borrowed(committee),
            secretariat: borrowed(secretariat),
            copyright: copyright.as_ref().map(Into::into),
            page_count: *page_count,
            duties_without_verbal_form: *duties_without_verbal_form,
            identifiers: borrowed_all(identifiers),
            adoption_of: adoption_of.iter().map(Into::into).collect(),
        }
    }
}

impl<'a> From<&'a norma_model::Title> for Title<'a> {
    fn from(title: &'a norma_model::Title) -> Self {
        let norma_model::Title { intro, main, complement, full } = title;
        Self {
            intro: borrowed(intro),
            main: borrowed(main),
            complement: borrowed(complement),
            full: full.into(),
        }
    }
}

impl<'a> From<&'a norma_model::Supplement> for Supplement<'a> {
    fn from(supplement: &'a norma_model::Supplement) -> Self {
        let norma_model::Supplement { kind, number, year } = supplement;
        Self { kind: (*kind).into(), number: number.into(), year: borrowed(year) }
    }
}

impl<'a> From<&'a norma_model::Copyright> for Copyright<'a> {
    fn from(copyright: &'a norma_model::Copyright) -> Self {
        let norma_model::Copyright { statement, year, holder } = copyright;
        Self { statement: borrowed(statement), year: borrowed(year), holder: borrowed(holder) }
    }
}

impl<'a> From<&'a norma_model::Adoption> for Adoption<'a> {
    fn from(adoption: &'a norma_model::Adoption) -> Self {
        let norma_model::Adoption { reference, urn } = adoption;
        Self { reference: reference.into(), urn: urn.as_ref().map(super::relation::urn) }
    }
}

impl<'a> From<&'a norma_model::Ics> for Ics<'a> {
    fn from(ics: &'a norma_model::Ics) -> Self {
        let norma_model::Ics { code, title } = ics;
        Self { code: code.into(), title: borrowed(title) }
    }
}
