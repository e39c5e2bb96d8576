//! `provision`: one provision with what it depends on.

use norma_api::Operation;
use norma_client::shapes::{
    CitedPartType, Lineage, ProvisionInContext, Reference, RelatedProvision, SelectionView,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::ToolContext;
use crate::edition::{EditionFacts, NamedStandard};
use crate::failure::ToolFailure;
use crate::unit::{CitedText, DATA_NOTICE, is_false};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProvisionArguments {
    /// Its id (prv_…) or `cite`.
    provision: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProvisionAnswer {
    notice: &'static str,
    edition: EditionFacts,
    unit: CitedText,
    /// Clause with those around it, outermost first.
    section: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    conditions: Vec<String>,
    /// Comparator, value and unit.
    quantities: Vec<String>,
    references: Vec<ReferenceFacts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    term_ids: Vec<String>,
    /// What it was and became in other editions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lineage: Vec<LineageStep>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_id: Option<String>,
}

/// A reference of the provision.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReferenceFacts {
    text: String,
    /// Id of a part of this edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urn: Option<String>,
    /// True where it names another document without its edition.
    #[serde(skip_serializing_if = "is_false")]
    undated: bool,
}

/// A provision of another edition that is the same one, or may be.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LineageStep {
    direction: &'static str,
    relation: String,
    urn: String,
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

pub(super) async fn provision(
    context: &ToolContext,
    arguments: ProvisionArguments,
) -> Result<ProvisionAnswer, ToolFailure> {
    let asked = arguments.provision.trim();
    let id = if asked.starts_with("prv_") || asked.starts_with("lin_") {
        asked.to_owned()
    } else {
        provision_of_citation(context, asked).await?
    };
    let found: ProvisionInContext<'static> = context.calls.json(Operation::Provision, &[&id], "").await?;
    let edition = EditionFacts::read(&context.calls, &found.urn).await?;
    let mut units = [CitedText::of_provision(&found.provision)];
    context.cite(&mut units, &edition.urn, &edition.reference).await?;
    let [unit] = units;
    let provision = &found.provision;
    Ok(ProvisionAnswer {
        notice: DATA_NOTICE,
        edition,
        unit,
        section: section_path(&found),
        subject: provision.subject.as_ref().map(|subject| subject.text.to_string()),
        conditions: provision.conditions.iter().map(|condition| condition.text.to_string()).collect(),
        quantities: provision.quantities.iter().map(ToString::to_string).collect(),
        references: provision.references.iter().map(ReferenceFacts::of).collect(),
        term_ids: provision.term_ids.iter().map(ToString::to_string).collect(),
        lineage: provision.lineage.as_ref().map(steps).unwrap_or_default(),
        previous_id: found.previous_id.map(Into::into),
        next_id: found.next_id.map(Into::into),
    })
}

/// The id of the one provision that a citation names. A section with one provision names that.
async fn provision_of_citation(context: &ToolContext, citation: &str) -> Result<String, ToolFailure> {
    let named = NamedStandard::find(&context.calls, citation).await?;
    let Some(part) = named.part else {
        return Err(ToolFailure::invalid(
            "This names a whole standard; name a provision, such as `, 4.2(1)`.",
        ));
    };
    if part.kind == CitedPartType::Provision {
        return Ok(part.id);
    }
    let label = part.label.unwrap_or(part.id);
    let not_one = || {
        let sentence = format!("{label} is not one provision; read it, and name a provision in it.");
        ToolFailure::invalid(sentence)
    };
    if part.kind != CitedPartType::Section {
        return Err(not_one());
    }
    let view: SelectionView<'static> =
        context.calls.json(Operation::Selection, &[&named.urn, &label], "").await?;
    match view.items.as_slice() {
        [only] => Ok(only.id.to_string()),
        _ => Err(not_one()),
    }
}

/// Numbers and titles of the section of a provision and of those around it.
fn section_path(found: &ProvisionInContext<'_>) -> String {
    let around = &found.section_context;
    let mut names = Vec::new();
    for section in &around.ancestors {
        names.push([section.number.as_deref(), section.title.as_deref()]);
    }
    names.push([around.label.as_deref().or(around.number.as_deref()), around.title.as_deref()]);
    let names: Vec<String> =
        names.into_iter().map(|name| name.into_iter().flatten().collect::<Vec<_>>().join(" ")).collect();
    names.join(" > ")
}

impl ReferenceFacts {
    fn of(reference: &Reference<'_>) -> Self {
        Self {
            text: reference.text.to_string(),
            target_id: reference.target_id.as_ref().map(ToString::to_string),
            urn: reference.urn.as_ref().map(ToString::to_string),
            undated: reference.urn.is_some() && reference.date.is_none(),
        }
    }
}

fn steps(lineage: &Lineage<'_>) -> Vec<LineageStep> {
    let mut steps = Vec::new();
    for (direction, related) in [("before", &lineage.predecessors), ("after", &lineage.successors)] {
        for one in related.iter().flatten() {
            steps.push(LineageStep::of(direction, one));
        }
    }
    steps
}

impl LineageStep {
    fn of(direction: &'static str, related: &RelatedProvision<'_>) -> Self {
        Self {
            direction,
            relation: related.kind.as_str().to_owned(),
            urn: related.urn.to_string(),
            id: related.id.to_string(),
            label: related.label.as_ref().map(ToString::to_string),
        }
    }
}
