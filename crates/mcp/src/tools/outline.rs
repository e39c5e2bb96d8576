//! `outline`: the sections of a standard.

use norma_api::Operation;
use norma_client::shapes::{CitedPartType, SectionNode, SectionsView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::ToolContext;
use crate::budget::{LeftOut, TokenBudget};
use crate::call_digest::CallDigest;
use crate::citer::CitableUnit;
use crate::edition::{EditionFacts, NamedStandard};
use crate::failure::ToolFailure;
use crate::unit::{DATA_NOTICE, is_false};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutlineArguments {
    /// URN, or designation such as NSB 4210:2025.
    urn: String,
    /// Levels of sections, from 1; all by default.
    #[serde(default)]
    depth: Option<u16>,
    /// 6000 by default, 500 to 12000.
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutlineAnswer {
    notice: &'static str,
    edition: EditionFacts,
    sections: Vec<OutlineRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// A section; those in it follow with a higher level.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OutlineRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    level: u16,
    #[serde(skip_serializing_if = "is_false")]
    informative: bool,
    /// Those of the sections in it included.
    #[serde(skip_serializing_if = "is_zero")]
    provisions: u32,
    #[serde(skip_serializing_if = "is_zero")]
    terms: u32,
    #[serde(skip)]
    label: Option<String>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

pub(super) async fn outline(
    context: &ToolContext,
    arguments: OutlineArguments,
    call: &CallDigest,
) -> Result<OutlineAnswer, ToolFailure> {
    if arguments.depth == Some(0) {
        return Err(ToolFailure::invalid("`depth` counts levels from 1; leave it out to get all sections."));
    }
    let named = NamedStandard::find(&context.calls, &arguments.urn).await?;
    let edition = EditionFacts::read(&context.calls, &named.urn);
    let sections = hierarchy(context, &named.urn);
    let (edition, view) = futures::try_join!(edition, sections)?;
    let mut rows = Vec::new();
    add_rows(&view.sections, arguments.depth.unwrap_or(u16::MAX), &mut rows);
    let rows = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    let budget = TokenBudget::of(arguments.max_tokens);
    let mut fitting = budget.fill(rows, arguments.next.as_deref(), &call.state(&view.revision))?;
    let citable: Vec<CitableUnit> = fitting.items.iter().map(|row| row.citable(&edition)).collect();
    let cites = context.citer.cite(&context.calls, &citable).await?;
    for (row, cite) in fitting.items.iter_mut().zip(cites) {
        row.cite = cite;
    }
    Ok(OutlineAnswer { notice: DATA_NOTICE, edition, sections: fitting.items, left_out: fitting.left_out })
}

/// The sections of an edition.
pub(super) async fn hierarchy(
    context: &ToolContext,
    urn: &str,
) -> Result<SectionsView<'static>, ToolFailure> {
    context.calls.json(Operation::Sections, &[urn], "").await
}

fn add_rows(nodes: &[SectionNode<'_>], depth: u16, rows: &mut Vec<OutlineRow>) {
    for node in nodes {
        if node.head.level > depth {
            continue;
        }
        rows.push(OutlineRow::of(node));
        add_rows(&node.children, depth, rows);
    }
}

impl OutlineRow {
    fn of(node: &SectionNode<'_>) -> Self {
        let head = &node.head;
        let label = head.label.as_ref().or(head.number.as_ref());
        Self {
            cite: None,
            id: head.id.to_string(),
            title: head.title.as_ref().map(ToString::to_string),
            level: head.level,
            informative: !head.normative,
            provisions: node.total_counts.provisions,
            terms: node.total_counts.terms,
            label: label.map(ToString::to_string),
        }
    }

    fn citable(&self, edition: &EditionFacts) -> CitableUnit {
        CitableUnit {
            urn: edition.urn.clone(),
            reference: edition.reference.clone(),
            kind: CitedPartType::Section,
            id: self.id.clone(),
            label: self.label.clone(),
        }
    }
}

/// The outline of a standard as text, a section a line, for a resource.
pub(crate) async fn outline_text(context: &ToolContext, urn: &str) -> Result<String, ToolFailure> {
    let edition = EditionFacts::read(&context.calls, urn);
    let sections = hierarchy(context, urn);
    let (edition, view) = futures::try_join!(edition, sections)?;
    let mut rows = Vec::new();
    add_rows(&view.sections, u16::MAX, &mut rows);
    let mut text = format!("{DATA_NOTICE}\nStatus: {}\n", edition.status);
    if !edition.amended_by.is_empty() {
        text += &format!("Amended by: {}\n", edition.amended_by.join(", "));
    }
    if !edition.superseded_by.is_empty() {
        text += &format!("Superseded by: {}\n", edition.superseded_by.join(", "));
    }
    text += &format!("{} {}\n{}\n\n", edition.reference, edition.title.unwrap_or_default(), edition.urn);
    for row in rows {
        let indent = "  ".repeat(usize::from(row.level.saturating_sub(1)));
        let names = [row.label.unwrap_or_default(), row.title.unwrap_or_default()];
        text += &format!("{indent}{}\n", names.join(" ").trim());
    }
    Ok(text)
}
