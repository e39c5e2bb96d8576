//! Quotations: whether a text that is said to be in a standard is there.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::citation::text;
use super::{
    AccessLevel, Amendment, BodyError, CitedEdition, CitedPartType, CriticalChangeType, CriticalOmissionType,
    ProvisionType, RelatedEdition, SectionRef, Status, UnverifiedCause, VerdictType,
};

/// Body of `POST /quotations/verify`: texts, each with where it is said to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuotationsRequest {
    /// The quotations; the answer keeps their order.
    #[schema(min_items = 1, max_items = 100)]
    pub quotations: Vec<SentQuotation>,
    /// URN of the standard. It is meant where a quotation has no `urn`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    pub urn: Option<String>,
    /// Day whose editions count, `2024-06-30`; without it all count. An edition that was published later is
    /// then neither found nor named, and the latest edition is that of the day. A date without day or month
    /// counts from its beginning, and an edition without date counts always. `status` is that of today.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    #[schema(format = "date")]
    pub at: Option<String>,
}

/// A text that is said to be in a standard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SentQuotation {
    /// Plain text, without markup. It has 12 to 2,000 characters and a word; another one is `unverified`.
    #[schema(min_length = 12, max_length = 2000)]
    pub text: String,
    /// URN of the standard. It may omit edition and language.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    pub urn: Option<String>,
    /// The citation, as people write it. It names a document, perhaps with places, or places of the standard
    /// that `urn` names.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    pub citation: Option<String>,
    /// Id of the object. It is that of a provision, section, table or term of the edition that `urn` names,
    /// in place of a citation.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "text")]
    pub id: Option<String>,
}

impl QuotationsRequest {
    /// Reads a body that holds at most `most` quotations.
    ///
    /// # Errors
    /// It is not JSON, is JSON of another shape, or holds none or too many.
    pub fn parse(body: &[u8], most: usize) -> Result<Self, BodyError> {
        const SHAPE: &str = "an object with `quotations` (a list of objects with `text`, perhaps with `urn`, \
                             and with `citation` or `id`), perhaps with `urn` and `at` (texts), and no other \
                             member";
        let request: Self = BodyError::read(body, SHAPE)?;
        BodyError::check_count(&request.quotations, "quotation", most, "max-quotations")?;
        if request.quotations.iter().any(|sent| sent.citation.is_some() && sent.id.is_some()) {
            return Err(BodyError::Shape(SHAPE));
        }
        Ok(request)
    }
}

/// Whether each quotation is true, in the order of the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuotationsAnswer<'a> {
    /// One for each quotation.
    pub items: Vec<VerifiedQuotation<'a>>,
}

/// Whether one quotation is true. The members of the edition (`urn` to `latest`) are there where one edition
/// is meant that you may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifiedQuotation<'a> {
    /// Whether the quotation is true. Only `exact` and `normalised` say that it is.
    pub verdict: VerdictType,
    /// Why the quotation is `unverified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unverified_cause: Option<UnverifiedCause>,
    /// The reason of the outcome, for people. It is there where the quotation is `unverified`, and where the
    /// edition does not have the place that is cited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// True where a later request answers with more. The index is being built then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub retry: bool,
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
    /// Whether `units` are at the place that is cited. It is absent where no place is cited, or where there
    /// are no units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_cited_location: Option<bool>,
    /// Units of the edition, whole and in order. Those of the cited one that have the quotation, or are
    /// nearest to it.
    pub units: Vec<VerifiedUnit<'a>>,
    /// What the quotation leaves out of the units before its first word, at an ellipsis and after its last
    /// word, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub omissions: Vec<QuotationOmission<'a>>,
    /// The words that differ from the units, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub changes: Vec<QuotationChange<'a>>,
    /// The edition of the document that has the quotation, where that is another one that you may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_in: Option<EditionWithQuotation<'a>>,
    /// What the citation may mean, where that is `ambiguous`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub candidates: Vec<CitedEdition<'a>>,
}

/// A unit of an edition that a quotation is compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifiedUnit<'a> {
    /// The kind of the unit: `provision`, `section`, `term` or `table`.
    pub kind: CitedPartType,
    /// Id of the object. It is unique in the edition.
    pub id: Cow<'a, str>,
    /// Label, for people. A provision has `4.2(1)`, another unit its number, `A.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Cow<'a, str>>,
    /// A citation of the unit, which `citations/resolve` reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cite: Option<Cow<'a, str>>,
    /// Type of a provision.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub provision_type: Option<ProvisionType>,
    /// Section that has the object. A section names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionRef<'a>>,
    /// Lead-in: the sentence that the item completes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead_in: Option<Cow<'a, str>>,
    /// Plain text, without markup. It is whole: of a section the text that is in no provision, table or
    /// term, of a term its definition with its notes and examples, of a table caption, heads, cells and
    /// notes.
    pub text: Cow<'a, str>,
    /// Amendments of the object that the caller may see, in the order of their publication. They are those
    /// that change the unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub amended_by: Vec<Amendment<'a>>,
}

/// What a quotation leaves out of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuotationOmission<'a> {
    /// Plain text, without markup. It is as it reads in the unit.
    pub text: Cow<'a, str>,
    /// Why the words matter. A quotation says something else without them; there are none where it does not.
    pub critical: Vec<CriticalOmissionType>,
}

/// Words that differ between a quotation and a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuotationChange<'a> {
    /// The words as quoted; empty where the quotation omits them.
    pub quoted: Cow<'a, str>,
    /// The words as they read in the unit; empty where the quotation adds them.
    pub actual: Cow<'a, str>,
    /// Why the words matter. It is absent where they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalChangeType>,
}

/// An edition that has a quotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EditionWithQuotation<'a> {
    /// The edition.
    #[serde(flatten)]
    pub edition: CitedEdition<'a>,
    /// Units of the edition, whole and in order. They have the quotation.
    pub units: Vec<VerifiedUnit<'a>>,
}

impl VerifiedQuotation<'_> {
    /// A verdict with nothing more known.
    pub fn new(verdict: VerdictType) -> Self {
        Self {
            verdict,
            unverified_cause: None,
            reason: None,
            retry: false,
            urn: None,
            reference: None,
            title: None,
            status: None,
            access: None,
            superseded_by: Vec::new(),
            amended_by: Vec::new(),
            latest: None,
            at_cited_location: None,
            units: Vec::new(),
            omissions: Vec::new(),
            changes: Vec::new(),
            found_in: None,
            candidates: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_read_and_anything_else_is_refused_with_its_reason() {
        let read = |body: &str| QuotationsRequest::parse(body.as_bytes(), 2);
        let sent = SentQuotation { text: "a".into(), ..SentQuotation::default() };
        let one = QuotationsRequest { quotations: vec![sent], ..QuotationsRequest::default() };
        assert_eq!(read(r#"{"quotations":[{"text":"a"}]}"#), Ok(one));
        let whole = r#"{"quotations":[{"text":"a","urn":"u","id":"i"},{"text":"b","citation":"c"}],"urn":"v","at":"d"}"#;
        assert!(read(whole).is_ok());
        for shape in [
            r#"{}"#,
            r#"[]"#,
            r#"{"quotations":["a"]}"#,
            r#"{"quotations":[{}]}"#,
            r#"{"quotations":[{"text":null}]}"#,
            r#"{"quotations":[{"text":"a","id":null}]}"#,
            r#"{"quotations":[{"text":"a","urn":null}]}"#,
            r#"{"quotations":[{"text":"a","citation":null}]}"#,
            r#"{"quotations":[{"text":"a","citation":"c","id":"i"}]}"#,
            r#"{"quotations":[{"text":"a"}],"at":null}"#,
            r#"{"quotations":[{"text":"a"}],"urn":null}"#,
            r#"{"quotations":[{"text":"a"}],"other":1}"#,
        ] {
            assert!(matches!(read(shape), Err(BodyError::Shape(_))), "{shape}");
        }
        assert!(matches!(read("{"), Err(BodyError::NoJson(_))));
        assert!(matches!(read(r#"{"quotations":[]}"#), Err(BodyError::Empty(_))));
        let error = read(r#"{"quotations":[{"text":"a"},{"text":"b"},{"text":"c"}]}"#).unwrap_err();
        assert!(error.to_string().contains("`max-quotations`"), "{error}");
    }
}
