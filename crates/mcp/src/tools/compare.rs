//! `compare`: what changed from one edition to another, with old and new text.

use norma_api::Operation;
use norma_client::ComparisonQuery;
use norma_client::shapes::{
    CitedPartType, ComparedEdition, ComparedProvision, ComparisonAnswer, ComparisonRelation, ComparisonView,
    ProvisionChange, TableChange,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{ToolContext, words};
use super::section::section_name;
use crate::budget::{LeftOut, TokenBudget};
use crate::call_digest::CallDigest;
use crate::citer::CitableUnit;
use crate::edition::NamedStandard;
use crate::failure::{ONE_NOT_LICENSED, ToolFailure, ToolFailureKind};
use crate::unit::DATA_NOTICE;

/// What `changes` does not have.
const NOT_LISTED: &str = "`changes` has provisions only: changes of terms, notes and other text are not \
                          listed; `alsoChanged` counts tables. A section counts as same by its title and \
                          its provisions alone.";

/// Tables that an answer names; all are counted.
const TABLES_NAMED: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareArguments {
    /// URN or designation of one edition.
    older: String,
    /// URN or designation of the other edition.
    newer: String,
    /// Only this section of either: 7, Annex A, title or id.
    #[serde(default)]
    section: Option<String>,
    /// Only strength, negation, quantity, bound, condition, references, terms, moved.
    #[serde(default)]
    changed: Option<Vec<String>>,
    /// Only reworded, split, merged, new, removed.
    #[serde(default)]
    relations: Option<Vec<String>>,
    /// 6000 by default, 500 to 12000.
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComparisonAnswerItems {
    notice: &'static str,
    older: EditionSide,
    newer: EditionSide,
    /// Numbers of provisions of the whole comparison, and sections by what became of them.
    counts: String,
    /// What `changes` does not have.
    not_listed: &'static str,
    /// Tables of the whole editions, whatever the arguments leave.
    #[serde(skip_serializing_if = "Option::is_none")]
    also_changed: Option<ChangedTables>,
    changes: Vec<ChangedUnit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOut>,
}

/// Tables that changed, moved, came or went.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedTables {
    tables: usize,
    /// What became of the first ones.
    first_tables: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EditionSide {
    urn: String,
    reference: String,
}

/// A provision that changed, came or went.
#[derive(Debug, Serialize, JsonSchema)]
struct ChangedUnit {
    relation: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    older: Option<ChangedSide>,
    #[serde(skip_serializing_if = "Option::is_none")]
    newer: Option<ChangedSide>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangedSide {
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
    id: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    provision_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_in: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip)]
    label: Option<String>,
}

pub(super) async fn compare(
    context: &ToolContext,
    arguments: CompareArguments,
    call: &CallDigest,
) -> Result<ComparisonAnswerItems, ToolFailure> {
    let calls = &context.calls;
    let (older, newer) = futures::try_join!(
        NamedStandard::find(calls, &arguments.older),
        NamedStandard::find(calls, &arguments.newer)
    )?;
    let section = match &arguments.section {
        Some(text) => Some(section_name(context, &[&older.urn, &newer.urn], text).await?),
        None => None,
    };
    let query = ComparisonQuery {
        section,
        changed: words("changed", &arguments.changed.unwrap_or_default())?,
        relations: words("relations", &arguments.relations.unwrap_or_default())?,
        text: true,
        ..ComparisonQuery::with(&newer.urn)
    };
    let whole = whole_comparison(context, &older.urn, &query).await?;
    let state = call.state(&format!("{}.{}", whole.older.revision, whole.newer.revision));
    let mut items = Vec::new();
    for change in &whole.items {
        // A pair in which nothing changed is only counted.
        if change.relation == ComparisonRelation::Same && change.changed.is_empty() {
            continue;
        }
        let unit = ChangedUnit::of(change);
        items.push((unit.id().to_owned(), unit));
    }
    let budget = TokenBudget::of(arguments.max_tokens);
    let mut fitting = budget.fill(items, arguments.next.as_deref(), &state)?;
    cite(context, &mut fitting.items, &whole).await?;
    Ok(ComparisonAnswerItems {
        notice: DATA_NOTICE,
        older: EditionSide::of(&whole.older),
        newer: EditionSide::of(&whole.newer),
        counts: counts(&whole),
        not_listed: NOT_LISTED,
        also_changed: ChangedTables::of(&whole.table_changes),
        changes: fitting.items,
        left_out: fitting.left_out,
    })
}

/// All pages of a comparison.
async fn whole_comparison(
    context: &ToolContext,
    urn: &str,
    query: &ComparisonQuery,
) -> Result<ComparisonView<'static>, ToolFailure> {
    let mut whole = page(context, urn, &query.query_string()).await?;
    while let Some(cursor) = whole.next.take() {
        let more = page(context, urn, &query.next(&cursor)).await?;
        // A cursor that comes again would never end.
        whole.next = more.next.filter(|next| *next != cursor);
        whole.items.extend(more.items);
    }
    Ok(whole)
}

async fn page(context: &ToolContext, urn: &str, query: &str) -> Result<ComparisonView<'static>, ToolFailure> {
    match context.calls.json(Operation::Comparison, &[urn], query).await? {
        ComparisonAnswer::Whole(view) => Ok(view),
        ComparisonAnswer::Summary(_) => Err(ToolFailure::new(ToolFailureKind::NotLicensed, ONE_NOT_LICENSED)),
    }
}

/// Adds the citations of both sides.
async fn cite(
    context: &ToolContext,
    changes: &mut [ChangedUnit],
    whole: &ComparisonView<'_>,
) -> Result<(), ToolFailure> {
    let mut sides: Vec<(&mut ChangedSide, &ComparedEdition<'_>)> = Vec::new();
    for change in changes {
        sides.extend(change.older.as_mut().map(|side| (side, &whole.older)));
        sides.extend(change.newer.as_mut().map(|side| (side, &whole.newer)));
    }
    let mut citable = Vec::with_capacity(sides.len());
    for (side, edition) in &sides {
        citable.push(CitableUnit {
            urn: edition.urn.to_string(),
            reference: edition.reference.to_string(),
            kind: CitedPartType::Provision,
            id: side.id.clone(),
            label: side.label.clone(),
        });
    }
    let cites = context.citer.cite(&context.calls, &citable).await?;
    for ((side, _), cite) in sides.into_iter().zip(cites) {
        side.cite = cite;
    }
    Ok(())
}

fn counts(whole: &ComparisonView<'_>) -> String {
    let counts = &whole.counts;
    format!(
        "{} same, {} reworded, {} split, {} merged, {} new, {} removed; sections: {} same, {} changed, {} moved, {} new, {} removed",
        counts.same,
        counts.reworded,
        counts.split,
        counts.merged,
        counts.new,
        counts.removed,
        counts.sections.same,
        counts.sections.changed,
        counts.sections.moved,
        counts.sections.new,
        counts.sections.removed
    )
}

impl ChangedTables {
    fn of(changes: &[TableChange<'_>]) -> Option<Self> {
        let mut first_tables = Vec::new();
        for change in changes.iter().take(TABLES_NAMED) {
            let side = change.newer.as_ref().or(change.older.as_ref());
            let name = side.map_or("", |table| table.label.as_deref().unwrap_or(&table.id));
            first_tables.push(format!("{name}: {}", change.kind.as_str()));
        }
        if changes.is_empty() { None } else { Some(Self { tables: changes.len(), first_tables }) }
    }
}

impl EditionSide {
    fn of(edition: &ComparedEdition<'_>) -> Self {
        Self { urn: edition.urn.to_string(), reference: edition.reference.to_string() }
    }
}

impl ChangedUnit {
    fn of(change: &ProvisionChange<'_>) -> Self {
        Self {
            relation: change.relation.as_str().to_owned(),
            changed: change.changed.iter().map(|facet| facet.as_str().to_owned()).collect(),
            older: change.older.as_ref().map(ChangedSide::of),
            newer: change.newer.as_ref().map(ChangedSide::of),
        }
    }

    fn id(&self) -> &str {
        let side = self.newer.as_ref().or(self.older.as_ref());
        side.map_or("", |side| side.id.as_str())
    }
}

impl ChangedSide {
    fn of(provision: &ComparedProvision<'_>) -> Self {
        Self {
            cite: None,
            id: provision.id.to_string(),
            provision_type: provision.kind.map(|kind| kind.as_str().to_owned()),
            lead_in: provision.lead_in.as_ref().map(ToString::to_string),
            text: provision.text.as_ref().map(ToString::to_string),
            label: provision.label.as_ref().map(ToString::to_string),
        }
    }
}
