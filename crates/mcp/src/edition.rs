//! Facts of an edition in answers: its status and amendments first, then its name.

use norma_api::Operation;
use norma_client::shapes::{
    Amendment, CitationOutcome, CitationsRequest, CitedPart, CitedPartType, RelatedEdition,
    RelatedEditionType, ResolvedCitation, Status, StatusReason,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api_calls::ApiCalls;
use crate::failure::{ToolFailure, ToolFailureKind};

/// The members of a standard's metadata that answers need.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetadataHead {
    status: Status,
    #[serde(default)]
    status_reason: Option<StatusReason>,
    #[serde(default)]
    withdrawn_on: Option<String>,
    #[serde(default)]
    notice: Option<String>,
    #[serde(default)]
    amended_by: Vec<Amendment<'static>>,
    #[serde(default)]
    related_editions: Vec<RelatedEdition<'static>>,
    urn: String,
    revision: String,
    metadata: EditionNames,
}

/// How an edition is named.
#[derive(Deserialize)]
struct EditionNames {
    reference: String,
    #[serde(default)]
    title: Option<String>,
    language: String,
}

/// An edition, with what limits its use in front.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditionFacts {
    pub(crate) status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) withdrawn_on: Option<String>,
    /// Notice of the operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) operator_notice: Option<String>,
    /// References of amendments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) amended_by: Vec<String>,
    /// References of the editions that replaced it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) superseded_by: Vec<String>,
    pub(crate) urn: String,
    pub(crate) reference: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) revision: Option<String>,
    /// The amendments with what they change, for the units of an answer.
    #[serde(skip)]
    #[schemars(skip)]
    pub(crate) amendments: Vec<Amendment<'static>>,
}

impl EditionFacts {
    /// Asks for the edition that a URN means.
    pub(crate) async fn read(calls: &ApiCalls, urn: &str) -> Result<Self, ToolFailure> {
        let whole = "fields=metadata,ics,relations,relatedEditions";
        let head = match calls.json::<MetadataHead>(Operation::Metadata, &[urn], whole).await {
            // A caller that may discover an edition sees no other editions of it here.
            Err(failure) if failure.kind == ToolFailureKind::NotLicensed => {
                calls.json(Operation::Metadata, &[urn], "fields=metadata,ics,relations").await?
            }
            answer => answer?,
        };
        Ok(Self::of_head(head))
    }

    fn of_head(head: MetadataHead) -> Self {
        Self {
            status: head.status.as_str().to_owned(),
            status_reason: head.status_reason.map(|reason| reason.as_str().to_owned()),
            withdrawn_on: head.withdrawn_on,
            operator_notice: head.notice,
            amended_by: references(&head.amended_by),
            superseded_by: successors(&head.related_editions),
            urn: head.urn,
            reference: head.metadata.reference,
            title: head.metadata.title,
            language: Some(head.metadata.language),
            revision: Some(head.revision),
            amendments: head.amended_by,
        }
    }

    /// The edition of a resolved citation; `None` where the citation leads to no edition.
    pub(crate) fn of_citation(citation: &ResolvedCitation<'_>) -> Option<Self> {
        let (urn, reference) = (citation.urn.as_ref()?, citation.reference.as_ref()?);
        Some(Self {
            status: citation.status.map_or("", Status::as_str).to_owned(),
            amended_by: references(&citation.amended_by),
            superseded_by: successors(&citation.superseded_by),
            urn: urn.to_string(),
            reference: reference.to_string(),
            title: citation.title.as_ref().map(ToString::to_string),
            ..Self::default()
        })
    }
}

/// References of amendments, each once.
pub(crate) fn references(amendments: &[Amendment<'_>]) -> Vec<String> {
    distinct(amendments.iter().map(|amendment| &*amendment.reference))
}

/// References of the editions that replaced an edition, each once: one may be there in several languages.
pub(crate) fn successors(related: &[RelatedEdition<'_>]) -> Vec<String> {
    let replacing = related.iter().filter(|edition| edition.kind == RelatedEditionType::ReplacedBy);
    distinct(replacing.map(|edition| &*edition.reference))
}

fn distinct<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        if !found.iter().any(|one| one == text) {
            found.push(text.to_owned());
        }
    }
    found
}

/// What a text that names a standard means: an edition, perhaps with a place.
pub(crate) struct NamedStandard {
    pub(crate) urn: String,
    pub(crate) part: Option<NamedPart>,
}

/// A part of an edition that a citation names.
pub(crate) struct NamedPart {
    pub(crate) kind: CitedPartType,
    pub(crate) id: String,
    pub(crate) label: Option<String>,
}

impl NamedStandard {
    /// Finds the standard that a URN, a designation or a citation names.
    pub(crate) async fn find(calls: &ApiCalls, text: &str) -> Result<Self, ToolFailure> {
        let text = text.trim();
        if text.starts_with("urn:") && !text.contains([',', ' ']) {
            return Ok(Self { urn: text.to_owned(), part: None });
        }
        let found = resolve(calls, text, None, None).await?;
        if found.outcome != CitationOutcome::Resolved {
            return Err(unresolved(&found));
        }
        let urn = found.urn.as_deref().unwrap_or_default().to_owned();
        let part = match found.locations.as_slice() {
            [] => None,
            [only] => Some(NamedPart::of(only)),
            several => {
                let sentence = format!(
                    "`{text}` names {} places; name one of them, or a range as `selection`.",
                    several.len()
                );
                return Err(ToolFailure::invalid(sentence));
            }
        };
        Ok(Self { urn, part })
    }
}

impl NamedPart {
    fn of(part: &CitedPart<'_>) -> Self {
        Self { kind: part.kind, id: part.id.to_string(), label: part.label.as_ref().map(ToString::to_string) }
    }
}

/// Resolves one citation.
pub(crate) async fn resolve(
    calls: &ApiCalls,
    citation: &str,
    urn: Option<&str>,
    at: Option<&str>,
) -> Result<ResolvedCitation<'static>, ToolFailure> {
    let request = CitationsRequest {
        citations: vec![citation.to_owned()],
        urn: urn.map(str::to_owned),
        at: at.map(str::to_owned),
    };
    let answer = calls.resolve_citations(&request).await?;
    answer.items.into_iter().next().ok_or_else(|| {
        let sentence = "The service answered nothing to a citation; report this to its operator.";
        ToolFailure::new(ToolFailureKind::Unexpected, sentence)
    })
}

/// The failure of a citation that leads to no single place, with what it may mean.
fn unresolved(found: &ResolvedCitation<'_>) -> ToolFailure {
    let mut meanings: Vec<String> =
        found.candidates.iter().map(|candidate| candidate.edition.urn.to_string()).collect();
    meanings.extend(found.nearest.iter().filter_map(|part| part.label.as_ref().map(ToString::to_string)));
    let reason = found.reason.as_deref().unwrap_or("It cannot be resolved.");
    let nearest = if meanings.is_empty() {
        "find the standard with find_standards".to_owned()
    } else {
        format!("it may mean {}", meanings.join(", "))
    };
    let kind = match found.outcome {
        CitationOutcome::NotLicensed => ToolFailureKind::NotLicensed,
        CitationOutcome::EditionUnknown | CitationOutcome::LocationUnknown => ToolFailureKind::NotFound,
        _ => ToolFailureKind::Invalid,
    };
    ToolFailure::new(kind, format!("`{}` leads nowhere, {nearest}: {reason}", found.citation))
}
