//! Citations: where printed citations lead.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AccessLevel, Amendment, BodyError, CitationOutcome, CitedPartType, Facet, Likelihood, LocationChange,
    ProvisionType, RelatedEdition, SectionRef, Status,
};

/// Body of `POST /citations/resolve`: citations as people write them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CitationsRequest {
    /// The citations; the answer keeps their order. One that is longer than `maxCitationCharacters` is
    /// `unreadable`.
    #[schema(min_items = 1, max_items = 100)]
    pub citations: Vec<String>,
    /// URN of the standard. It is meant where a citation names places alone: `Clause 4.2`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    pub urn: Option<String>,
    /// Day whose editions count, `2024-06-30`; without it all count. An edition that was published later is
    /// then neither found nor named, and the latest edition is that of the day. A date without day or month
    /// counts from its beginning, and an edition without date counts always. `status` is that of today.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    #[schema(format = "date")]
    pub at: Option<String>,
}

/// Reads a text that may be left out, and is not null where it is there.
pub(super) fn text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

impl CitationsRequest {
    /// Reads a body that holds at most `most` citations.
    ///
    /// # Errors
    /// It is not JSON, is JSON of another shape, or holds none or too many.
    pub fn parse(body: &[u8], most: usize) -> Result<Self, BodyError> {
        const SHAPE: &str = "an object with `citations` (a list of texts), perhaps with `urn` and `at` (texts), and no other member";
        let request: Self = BodyError::read(body, SHAPE)?;
        BodyError::check_count(&request.citations, "citation", most, "max-citations")?;
        Ok(request)
    }
}

/// Where each citation leads, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CitationsAnswer<'a> {
    /// One for each citation.
    pub items: Vec<ResolvedCitation<'a>>,
}

/// Where one citation leads. The members of the edition (`urn` to `latest`) are there where one edition is
/// meant that you may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedCitation<'a> {
    /// The citation, as people write it. It is as sent.
    pub citation: Cow<'a, str>,
    /// What the citation leads to.
    pub outcome: CitationOutcome,
    /// The reason of the outcome, for people. It is there where that is not `resolved`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// URN of the standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub urn: Option<Cow<'a, str>>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Cow<'a, str>>,
    /// Title as plain text. It is in the main language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Status of the edition, which says whether it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Level of the caller's access to the edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<AccessLevel>,
    /// Editions that replaced it, of those that the caller may see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub superseded_by: Vec<RelatedEdition<'a>>,
    /// Amendments of the object that the caller may see, in the order of their publication.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// The latest edition of the document that the caller may see, where it is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<CitedEdition<'a>>,
    /// The places, in the order of the citation; of a range all parts in it. There are none where the
    /// standard is cited as a whole.
    pub locations: Vec<CitedPart<'a>>,
    /// The nearest places of the edition, best first, where it does not have a place of the citation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub nearest: Vec<CitedPart<'a>>,
    /// What the citation may mean, where that is `ambiguous`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub candidates: Vec<CitationCandidate<'a>>,
}

/// An edition that a citation names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CitedEdition<'a> {
    /// URN of the standard.
    pub urn: Cow<'a, str>,
    /// Designation of the document. It has the date: `ISO 17301-1:2016`.
    pub reference: Cow<'a, str>,
    /// Status of the edition, which says whether it is in force.
    pub status: Status,
}

/// An edition or a part of one that a citation may mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CitationCandidate<'a> {
    /// The edition.
    #[serde(flatten)]
    pub edition: CitedEdition<'a>,
    /// The part of it, where the edition is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<CitedPart<'a>>,
}

/// A part of an edition that a citation names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CitedPart<'a> {
    /// The kind of the part.
    pub kind: CitedPartType,
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. A provision has `4.2(1)`, another part its number, `A.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// Title as plain text. Only sections have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// Type of a provision.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub provision_type: Option<ProvisionType>,
    /// Section that has the object. Only provisions have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionRef<'a>>,
    /// What the citation names within the part: `item b`, `paragraph 2`. List items, paragraphs and notes
    /// of a section are in its text, as far as that says; other details are not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Cow<'a, str>>,
    /// Amendments of the object that the caller may see, in the order of their publication. They are those
    /// that change the part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
    /// What became of the part in the latest edition, where that is another one and the caller may read both.
    /// Only sections and provisions have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_latest: Option<LocationInLatest<'a>>,
}

/// A part of an edition in the latest edition of its document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocationInLatest<'a> {
    /// What became of the cited part.
    pub change: LocationChange,
    /// Kinds of change. Only provisions have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub changed: Vec<Facet>,
    /// Likelihood that the two belong together; absent of a provision without counterpart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<Likelihood>,
    /// Id of the object. It is the one in the latest edition, and absent where the part is `gone` or
    /// `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
    /// Label, for people. It is the one in the latest edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// True where a later request answers with more. The comparison or the lineages of the document are being
    /// made then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub retry: bool,
}

impl<'a> ResolvedCitation<'a> {
    /// What a citation leads to, with nothing more known.
    pub fn new(citation: impl Into<Cow<'a, str>>, outcome: CitationOutcome) -> Self {
        Self {
            citation: citation.into(),
            outcome,
            reason: None,
            urn: None,
            reference: None,
            title: None,
            status: None,
            access: None,
            superseded_by: Vec::new(),
            amended_by: Vec::new(),
            latest: None,
            locations: Vec::new(),
            nearest: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

impl<'a> CitedPart<'a> {
    /// A part with this id and nothing more.
    pub fn new(kind: CitedPartType, id: impl Into<Cow<'a, str>>) -> Self {
        Self {
            kind,
            id: id.into(),
            label: None,
            title: None,
            provision_type: None,
            section: None,
            within: None,
            amended_by: Vec::new(),
            in_latest: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_read_and_anything_else_is_refused_with_its_reason() {
        let read = |body: &str| CitationsRequest::parse(body.as_bytes(), 2);
        let read_one = CitationsRequest { citations: vec!["a".into()], urn: None, at: None };
        assert_eq!(read(r#"{"citations":["a"]}"#), Ok(read_one));
        assert!(read(r#"{"citations":["a"],"urn":"urn:iso:std:iso:1","at":"2024-06-30"}"#).is_ok());
        assert!(matches!(read(r#"{"citations":["a"],"at":null}"#), Err(BodyError::Shape(_))));
        assert!(read(r#"{"citations":[""]}"#).is_ok(), "an empty citation does not fail the others");
        for shape in [r#"{}"#, r#"[]"#, r#"{"citations":"a"}"#, r#"{"citations":["a"],"from":"b"}"#] {
            assert!(matches!(read(shape), Err(BodyError::Shape(_))), "{shape}");
        }
        assert!(matches!(read("{"), Err(BodyError::NoJson(_))));
        assert!(matches!(read(r#"{"citations":[]}"#), Err(BodyError::Empty(_))));
        let error = read(r#"{"citations":["a","b","c"]}"#).unwrap_err().to_string();
        assert!(error.contains("`max-citations`") && error.contains("at most 2"), "{error}");
    }
}
