//! `verify_quotations`: whether texts that are said to be in standards are there.

use norma_client::shapes::{
    CitedPartType, QuotationsRequest, SentQuotation, VerdictType, VerifiedQuotation, VerifiedUnit,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::ToolContext;
use super::resolve_citation::OtherEdition;
use crate::edition::{EditionFacts, NamedStandard, references, successors};
use crate::failure::ToolFailure;
use crate::unit::{CitedText, DATA_NOTICE, is_false, unit_amendments};

/// Most quotations of a call (`max-quotations` of the service).
const MOST_QUOTATIONS: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyArguments {
    /// At most 100.
    quotations: Vec<QuotationToVerify>,
    /// Standard of quotations that name none: URN or designation.
    #[serde(default)]
    urn: Option<String>,
    /// Day whose editions count, 2024-06-30.
    #[serde(default)]
    at: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct QuotationToVerify {
    /// 12 to 2000 characters, whole sentences.
    text: String,
    /// The `cite` of the unit.
    #[serde(default)]
    citation: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VerifiedQuotations {
    notice: &'static str,
    items: Vec<QuotationVerdictItem>,
}

/// Whether one quotation is true.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct QuotationVerdictItem {
    /// True for exact and normalised alone.
    found: bool,
    /// exact, normalised, partial, altered, other-edition, absent or unverified.
    verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    retry: bool,
    /// False where the words are at another place.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_cited_location: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edition: Option<EditionFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<OtherEdition>,
    /// The units that have it, or the nearest ones with their text.
    units: Vec<CitedText>,
    /// Words that it leaves out, with why they matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omissions: Vec<OmittedWords>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<ChangedWords>,
    /// The edition that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_in: Option<OtherEdition>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OmittedWords {
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    critical: Vec<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChangedWords {
    quoted: String,
    actual: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical: Option<&'static str>,
}

pub(super) async fn verify(
    context: &ToolContext,
    arguments: VerifyArguments,
) -> Result<VerifiedQuotations, ToolFailure> {
    let count = arguments.quotations.len();
    if count == 0 || count > MOST_QUOTATIONS {
        let sentence = format!("Send 1 to {MOST_QUOTATIONS} quotations in a call; these are {count}.");
        return Err(ToolFailure::invalid(sentence));
    }
    let urn = match arguments.urn {
        Some(urn) => Some(NamedStandard::find(&context.calls, &urn).await?.urn),
        None => None,
    };
    let sent = arguments.quotations.into_iter().map(|asked| SentQuotation {
        text: asked.text,
        citation: asked.citation,
        ..SentQuotation::default()
    });
    let request = QuotationsRequest { quotations: sent.collect(), urn, at: arguments.at };
    let answer = context.calls.verify_quotations(&request).await?;
    Ok(VerifiedQuotations {
        notice: DATA_NOTICE,
        items: answer.items.iter().map(QuotationVerdictItem::of).collect(),
    })
}

impl QuotationVerdictItem {
    fn of(item: &VerifiedQuotation<'_>) -> Self {
        let found = matches!(item.verdict, VerdictType::Exact | VerdictType::Normalised);
        Self {
            found,
            verdict: item.verdict.as_str().to_owned(),
            reason: item.reason.as_ref().map(ToString::to_string),
            retry: item.retry,
            at_cited_location: item.at_cited_location,
            edition: edition(item),
            latest: item.latest.as_ref().map(OtherEdition::of),
            units: item.units.iter().map(|unit| verified_unit(unit, found)).collect(),
            omissions: omissions(item),
            changes: changes(item),
            found_in: item.found_in.as_ref().map(|other| OtherEdition::of(&other.edition)),
        }
    }
}

fn edition(item: &VerifiedQuotation<'_>) -> Option<EditionFacts> {
    let (urn, reference) = (item.urn.as_ref()?, item.reference.as_ref()?);
    Some(EditionFacts {
        status: item.status.map_or("", |status| status.as_str()).to_owned(),
        amended_by: references(&item.amended_by),
        superseded_by: successors(&item.superseded_by),
        urn: urn.to_string(),
        reference: reference.to_string(),
        ..EditionFacts::default()
    })
}

/// A unit with its citation. The text of one that has the quotation is the quotation.
fn verified_unit(unit: &VerifiedUnit<'_>, found: bool) -> CitedText {
    let text =
        if found && unit.kind != CitedPartType::Provision { None } else { Some(unit.text.to_string()) };
    CitedText {
        amended_by: unit_amendments(&unit.amended_by),
        cite: unit.cite.as_ref().map(ToString::to_string),
        kind: unit.kind.as_str().to_owned(),
        id: unit.id.to_string(),
        provision_type: unit.provision_type.map(|kind| kind.as_str().to_owned()),
        lead_in: unit.lead_in.as_ref().map(ToString::to_string),
        text,
        ..CitedText::default()
    }
}

fn omissions(item: &VerifiedQuotation<'_>) -> Vec<OmittedWords> {
    let mut shown = Vec::with_capacity(item.omissions.len());
    for omission in &item.omissions {
        let critical = omission.critical.iter().map(|critical| critical.as_str()).collect();
        shown.push(OmittedWords { text: omission.text.to_string(), critical });
    }
    shown
}

fn changes(item: &VerifiedQuotation<'_>) -> Vec<ChangedWords> {
    let mut shown = Vec::with_capacity(item.changes.len());
    for change in &item.changes {
        shown.push(ChangedWords {
            quoted: change.quoted.to_string(),
            actual: change.actual.to_string(),
            critical: change.critical.map(|critical| critical.as_str()),
        });
    }
    shown
}
