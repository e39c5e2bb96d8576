//! `resolve_citation`: where a printed citation leads.

use norma_client::shapes::{CitedEdition, CitedPart, CitedPartType, LocationChange, ResolvedCitation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::ToolContext;
use crate::citer::CitableUnit;
use crate::edition::{EditionFacts, NamedStandard, resolve};
use crate::failure::ToolFailure;
use crate::unit::{DATA_NOTICE, UnitAmendment, is_false, unit_amendments};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CitationArguments {
    /// As printed: NSB 4210:2025, 4.2(1).
    citation: String,
    /// Standard of a citation that names places alone.
    #[serde(default)]
    urn: Option<String>,
    /// Day whose editions count, 2024-06-30.
    #[serde(default)]
    at: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CitationAnswer {
    notice: &'static str,
    /// resolved, edition-unknown, place-unknown, ambiguous, not-licensed or unreadable.
    outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edition: Option<EditionFacts>,
    /// The latest edition, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<OtherEdition>,
    locations: Vec<CitedUnit>,
    /// Places that are near the cited one, where that is not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nearest: Vec<CitedUnit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<OtherEdition>,
}

/// Another edition by its name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OtherEdition {
    status: String,
    /// References of its amendments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amended_by: Vec<String>,
    /// True where it is not known whether it is amended.
    #[serde(skip_serializing_if = "is_false")]
    amendments_not_looked_at: bool,
    urn: String,
    reference: String,
    /// The part that may be meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

/// A part that a citation leads to, without its text.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CitedUnit {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amended_by: Vec<UnitAmendment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
    kind: String,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    provision_type: Option<String>,
    /// The list item, paragraph or note that is meant in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    /// What became of it in the latest edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_latest: Option<String>,
}

pub(super) async fn resolve_citation(
    context: &ToolContext,
    arguments: CitationArguments,
) -> Result<CitationAnswer, ToolFailure> {
    let CitationArguments { citation, urn, at } = arguments;
    let urn = match urn {
        Some(urn) => Some(NamedStandard::find(&context.calls, &urn).await?.urn),
        None => None,
    };
    let found = resolve(&context.calls, &citation, urn.as_deref(), at.as_deref()).await?;
    let mut locations: Vec<CitedUnit> = found.locations.iter().map(CitedUnit::of).collect();
    let mut nearest: Vec<CitedUnit> = found.nearest.iter().map(CitedUnit::of).collect();
    let (latest, cited) =
        futures::join!(latest_edition(context, &found), cite(context, &found, &mut locations));
    cited?;
    cite(context, &found, &mut nearest).await?;
    let candidates = found.candidates.iter().map(|candidate| OtherEdition {
        label: candidate.location.as_ref().and_then(|part| part.label.as_ref().map(ToString::to_string)),
        ..OtherEdition::of(&candidate.edition)
    });
    Ok(CitationAnswer {
        notice: DATA_NOTICE,
        outcome: found.outcome.as_str().to_owned(),
        reason: found.reason.as_ref().map(ToString::to_string),
        edition: EditionFacts::of_citation(&found),
        latest,
        candidates: candidates.collect(),
        locations,
        nearest,
    })
}

/// The latest edition with its amendments, which the service is asked for.
async fn latest_edition(context: &ToolContext, found: &ResolvedCitation<'_>) -> Option<OtherEdition> {
    let mut latest = OtherEdition::of(found.latest.as_ref()?);
    // Where that fails, the answer says that they are not looked at.
    if let Ok(facts) = EditionFacts::read(&context.calls, &latest.urn).await {
        latest.amended_by = facts.amended_by;
        latest.amendments_not_looked_at = false;
    }
    Some(latest)
}

/// Adds citations by which each part is found again: that of the question may name several, or be of another
/// form.
async fn cite(
    context: &ToolContext,
    found: &ResolvedCitation<'_>,
    units: &mut [CitedUnit],
) -> Result<(), ToolFailure> {
    let (Some(urn), Some(reference)) = (&found.urn, &found.reference) else { return Ok(()) };
    let mut citable = Vec::with_capacity(units.len());
    for unit in units.iter() {
        citable.push(CitableUnit {
            urn: urn.to_string(),
            reference: reference.to_string(),
            kind: unit.kind.parse().map_err(|_| super::context::unexpected("a place of an unknown kind"))?,
            id: unit.id.clone(),
            label: unit.label.clone(),
        });
    }
    let cites = context.citer.cite(&context.calls, &citable).await?;
    for (unit, cite) in units.iter_mut().zip(cites) {
        unit.cite = cite;
    }
    Ok(())
}

impl OtherEdition {
    /// An edition by what the service says of it, which is nothing about its amendments.
    pub(super) fn of(edition: &CitedEdition<'_>) -> Self {
        Self {
            status: edition.status.as_str().to_owned(),
            amended_by: Vec::new(),
            amendments_not_looked_at: true,
            urn: edition.urn.to_string(),
            reference: edition.reference.to_string(),
            label: None,
        }
    }
}

impl CitedUnit {
    fn of(part: &CitedPart<'_>) -> Self {
        Self {
            amended_by: unit_amendments(&part.amended_by),
            cite: None,
            kind: part.kind.as_str().to_owned(),
            id: part.id.to_string(),
            label: part.label.as_ref().map(ToString::to_string),
            title: part.title.as_ref().map(ToString::to_string),
            provision_type: part.provision_type.map(|kind| kind.as_str().to_owned()),
            within: part.within.as_ref().map(ToString::to_string),
            in_latest: in_latest(part),
        }
    }
}

/// What became of a part in the latest edition, in a few words.
fn in_latest(part: &CitedPart<'_>) -> Option<String> {
    let later = part.in_latest.as_ref()?;
    let is_there = matches!(later.change, LocationChange::Same | LocationChange::Moved);
    // Of a section the title and the provisions are compared, and not all of its words.
    let change =
        if part.kind == CitedPartType::Section && is_there { "there" } else { later.change.as_str() };
    let mut text = change.to_owned();
    if !later.changed.is_empty() {
        let facets: Vec<&str> = later.changed.iter().map(|facet| facet.as_str()).collect();
        text += &format!(" ({})", facets.join(", "));
    }
    if let Some(label) = &later.label {
        text += &format!(", now {label}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use norma_client::shapes::LocationInLatest;

    use super::*;

    fn said(kind: CitedPartType, change: LocationChange) -> String {
        let in_latest_edition = LocationInLatest {
            change,
            changed: Vec::new(),
            likelihood: None,
            id: None,
            label: Some("3.4".into()),
            retry: false,
        };
        let part = CitedPart { in_latest: Some(in_latest_edition), ..CitedPart::new(kind, "id") };
        in_latest(&part).unwrap()
    }

    #[test]
    fn a_section_whose_words_are_not_compared_is_there_and_not_the_same() {
        assert_eq!(said(CitedPartType::Section, LocationChange::Same), "there, now 3.4");
        assert_eq!(said(CitedPartType::Section, LocationChange::Moved), "there, now 3.4");
        assert_eq!(said(CitedPartType::Section, LocationChange::Changed), "changed, now 3.4");
        assert_eq!(said(CitedPartType::Provision, LocationChange::Same), "same, now 3.4");
    }
}
