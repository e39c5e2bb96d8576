//! The tools: each parses its arguments, calls operations of the API, and shapes one answer.

mod compare;
mod context;
mod find_standards;
mod lengths;
mod outline;
mod provision;
mod read;
mod resolve_citation;
mod schema;
mod search;
mod search_hints;
mod section;
mod table_text;
mod verify_quotations;

use rmcp::model::{JsonObject, Tool};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::call_digest::CallDigest;
use crate::failure::ToolFailure;
use context::unexpected;
use lengths::check_lengths;
use schema::tool;

pub(crate) use context::ToolContext;
pub(crate) use lengths::check_length;
pub(crate) use outline::outline_text;

/// The definitions of all tools, in the order in which an engineer needs them.
pub(crate) fn definitions() -> Vec<Tool> {
    vec![
        tool::<search::SearchToolArguments, search::SearchedUnits>(
            "search",
            "Find requirements, terms, tables and sections in all standards that you may read. Start here with the question or its key words.",
        ),
        tool::<find_standards::FindArguments, find_standards::FoundStandards>(
            "find_standards",
            "List standards by words of reference or title, publisher, ICS or status; current editions first.",
        ),
        tool::<outline::OutlineArguments, outline::OutlineAnswer>(
            "outline",
            "Sections of a standard: number, title, counts of provisions and terms.",
        ),
        tool::<read::ReadArguments, read::ReadAnswer>(
            "read",
            "Whole text of a section, of provisions or of a table.",
        ),
        tool::<provision::ProvisionArguments, provision::ProvisionAnswer>(
            "provision",
            "One provision with conditions, quantities, references and what it was in other editions.",
        ),
        tool::<compare::CompareArguments, compare::ComparisonAnswerItems>(
            "compare",
            "What changed between two editions, with old and new text.",
        ),
        tool::<resolve_citation::CitationArguments, resolve_citation::CitationAnswer>(
            "resolve_citation",
            "Where a printed citation leads, and what became of that place in the latest edition.",
        ),
        tool::<verify_quotations::VerifyArguments, verify_quotations::VerifiedQuotations>(
            "verify_quotations",
            "Whether quotations are word for word in a standard. Call it before you quote.",
        ),
    ]
}

/// Calls a tool; `None` where no tool has this name.
pub(crate) async fn call(
    context: &ToolContext,
    name: &str,
    arguments: JsonObject,
) -> Option<Result<Value, ToolFailure>> {
    let call = &CallDigest::of(name, &arguments);
    let answer = match name {
        "search" => run(arguments, |arguments| search::search(context, arguments, call)).await,
        "find_standards" => run(arguments, |arguments| find_standards::find(context, arguments, call)).await,
        "outline" => run(arguments, |arguments| outline::outline(context, arguments, call)).await,
        "read" => run(arguments, |arguments| read::read(context, arguments, call)).await,
        "provision" => run(arguments, |arguments| provision::provision(context, arguments)).await,
        "compare" => run(arguments, |arguments| compare::compare(context, arguments, call)).await,
        "resolve_citation" => {
            run(arguments, |arguments| resolve_citation::resolve_citation(context, arguments)).await
        }
        "verify_quotations" => {
            run(arguments, |arguments| verify_quotations::verify(context, arguments)).await
        }
        _ => return None,
    };
    Some(answer)
}

/// Parses the arguments of a tool, runs it, and makes JSON of its answer.
async fn run<A, T, F>(arguments: JsonObject, tool: impl FnOnce(A) -> F) -> Result<Value, ToolFailure>
where
    A: DeserializeOwned,
    T: Serialize,
    F: Future<Output = Result<T, ToolFailure>>,
{
    check_lengths(&arguments)?;
    let arguments = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| ToolFailure::invalid(format!("Correct the arguments of this tool: {error}.")))?;
    let answer = tool(arguments).await?;
    serde_json::to_value(answer).map_err(|error| unexpected(&error.to_string()))
}
