//! `read`: the whole text of a section, of provisions, or of a table.

use norma_api::Operation;
use norma_client::shapes::{CitedPartType, SectionHead, SelectionView, TableView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::form_urlencoded::Serializer;

use super::context::ToolContext;
use super::section::section_name;
use super::table_text::table_text;
use crate::budget::{LeftOut, TokenBudget};
use crate::call_digest::CallDigest;
use crate::edition::{EditionFacts, NamedPart, NamedStandard};
use crate::failure::ToolFailure;
use crate::unit::{CitedText, DATA_NOTICE};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArguments {
    /// URN, designation, or a `cite`, whose place is read.
    urn: String,
    /// Section with those in it: 7, Annex A, title or id.
    #[serde(default)]
    section: Option<String>,
    /// Provisions: 4.2(1), 5-7, annex:A, table:2.
    #[serde(default)]
    selection: Option<String>,
    /// Number of a table.
    #[serde(default)]
    table: Option<String>,
    /// 6000 by default, 500 to 12000.
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReadAnswer {
    notice: &'static str,
    edition: EditionFacts,
    /// Parts of the selection that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_found: Vec<String>,
    units: Vec<CitedText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// What of a standard is read.
enum WantedPart {
    Whole,
    /// As a reader names it.
    Section(String),
    SectionId(String),
    Selection(String),
    Table(String),
}

/// Whole units in order, of one revision.
struct ReadUnits {
    units: Vec<CitedText>,
    not_found: Vec<String>,
    revision: String,
}

pub(super) async fn read(
    context: &ToolContext,
    arguments: ReadArguments,
    call: &CallDigest,
) -> Result<ReadAnswer, ToolFailure> {
    let named = NamedStandard::find(&context.calls, &arguments.urn).await?;
    let wanted = wanted_part(&arguments, named.part)?;
    let edition = EditionFacts::read(&context.calls, &named.urn);
    let (edition, read) = futures::try_join!(edition, units_of(context, &named.urn, &wanted))?;
    let ReadUnits { mut units, not_found, revision } = read;
    for unit in &mut units {
        // The service says it of provisions that are asked for by a selection.
        if unit.amended_by.is_empty() {
            unit.add_amendments(&edition.amendments);
        }
    }
    let units = units.into_iter().map(|unit| (unit.id.clone(), unit)).collect();
    let budget = TokenBudget::of(arguments.max_tokens);
    let mut fitting = budget.fill(units, arguments.next.as_deref(), &call.state(&revision))?;
    context.cite(&mut fitting.items, &edition.urn, &edition.reference).await?;
    Ok(ReadAnswer {
        notice: DATA_NOTICE,
        edition,
        not_found,
        units: fitting.items,
        left_out: fitting.left_out,
    })
}

/// What is wanted, by the one argument that says it, or by the place of a citation.
fn wanted_part(arguments: &ReadArguments, cited: Option<NamedPart>) -> Result<WantedPart, ToolFailure> {
    let ReadArguments { section, selection, table, .. } = arguments;
    match (section, selection, table, cited) {
        (None, None, None, None) => Ok(WantedPart::Whole),
        (Some(section), None, None, None) => Ok(WantedPart::Section(section.clone())),
        (None, Some(selection), None, None) => Ok(WantedPart::Selection(selection.clone())),
        (None, None, Some(table), None) => {
            let number = table.trim().trim_start_matches("Table ").trim_start_matches("table:");
            Ok(WantedPart::Table(number.to_owned()))
        }
        (None, None, None, Some(part)) => Ok(match part.kind {
            CitedPartType::Provision => WantedPart::Selection(format!("id:{}", part.id)),
            CitedPartType::Table => WantedPart::Table(part.id),
            CitedPartType::Section | CitedPartType::Term => WantedPart::SectionId(part.id),
            _ => return Err(ToolFailure::invalid("This is a figure; read the section that it is in.")),
        }),
        _ => Err(ToolFailure::invalid(
            "Name one place: a citation with its place, or section, or selection, or table.",
        )),
    }
}

async fn units_of(context: &ToolContext, urn: &str, wanted: &WantedPart) -> Result<ReadUnits, ToolFailure> {
    match wanted {
        WantedPart::Whole => section_units(context, urn, None).await,
        WantedPart::Section(section) => {
            let name = section_name(context, &[urn], section).await?;
            section_units(context, urn, Some(&name)).await
        }
        WantedPart::SectionId(id) => section_units(context, urn, Some(id)).await,
        WantedPart::Selection(selection) => provision_units(context, urn, selection).await,
        WantedPart::Table(table) => table_units(context, urn, table).await,
    }
}

/// The content of a standard without its markup.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContentTexts {
    revision: String,
    sections: Vec<SectionAsText>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SectionAsText {
    #[serde(flatten)]
    head: SectionHead<'static>,
    text: String,
    #[serde(default)]
    provision_ids: Vec<String>,
}

async fn section_units(
    context: &ToolContext,
    urn: &str,
    section: Option<&str>,
) -> Result<ReadUnits, ToolFailure> {
    let query = Serializer::new(String::new()).extend_pairs(section.map(|one| ("section", one))).finish();
    let content: ContentTexts = context.calls.json(Operation::Content, &[urn], &query).await?;
    let mut units = Vec::new();
    for section in content.sections {
        // A section of sections has no text of its own.
        if section.text.trim().is_empty() {
            continue;
        }
        let SectionHead { id, label, number, title, normative, .. } = section.head;
        units.push(CitedText {
            kind: CitedPartType::Section.as_str().to_owned(),
            id: id.into_owned(),
            label: label.or(number).map(Into::into),
            title: title.map(Into::into),
            informative: !normative,
            text: Some(section.text),
            provision_ids: section.provision_ids,
            ..CitedText::default()
        });
    }
    Ok(ReadUnits { units, not_found: Vec::new(), revision: content.revision })
}

async fn provision_units(
    context: &ToolContext,
    urn: &str,
    selection: &str,
) -> Result<ReadUnits, ToolFailure> {
    let view: SelectionView<'static> =
        context.calls.json(Operation::Selection, &[urn, selection], "").await?;
    let not_found = view.selection.unmatched.iter().map(ToString::to_string).collect();
    let units = view.items.iter().map(CitedText::of_provision).collect();
    Ok(ReadUnits { units, not_found, revision: view.revision.into_owned() })
}

async fn table_units(context: &ToolContext, urn: &str, table: &str) -> Result<ReadUnits, ToolFailure> {
    let view: TableView<'static> = context.calls.json(Operation::Table, &[urn, table], "").await?;
    if view.table.omitted {
        let section = view.table.section.number.as_deref().unwrap_or(&view.table.section.id);
        let sentence = format!("This table has too many cells; read section {section}, whose text has them.");
        return Err(ToolFailure::invalid(sentence));
    }
    let unit = CitedText {
        kind: CitedPartType::Table.as_str().to_owned(),
        id: view.table.id.to_string(),
        label: view.table.number.as_ref().map(ToString::to_string),
        title: view.table.caption.as_ref().map(ToString::to_string),
        informative: !view.table.normative,
        text: Some(table_text(&view.table)),
        ..CitedText::default()
    };
    Ok(ReadUnits { units: vec![unit], not_found: Vec::new(), revision: view.revision.into_owned() })
}
