//! `find_standards`: standards that the caller may see.

use norma_api::Operation;
use norma_api::query::ListQuery;
use norma_client::shapes::{AccessLevel, SearchAnswer, SearchKind, StandardSummary};
use norma_client::{ListFilters, SearchQuery, Sort, SortBy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{ToolContext, words};
use crate::call_digest::CallDigest;
use crate::edition::references;
use crate::failure::ToolFailure;
use crate::unit::{DATA_NOTICE, is_false, notable};

/// Standards of an answer where the model asks for no other number.
const STANDARDS: u32 = 10;

/// Most standards of an answer.
const MOST_STANDARDS: u32 = 50;

/// Standards that are nearly meant, where none is found.
const NEAREST: u32 = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindArguments {
    /// Words of reference or title; all must be there.
    #[serde(default)]
    words: Option<String>,
    #[serde(default)]
    publisher: Option<String>,
    /// Beginning of an ICS code, 43.150.
    #[serde(default)]
    ics: Option<String>,
    /// published, superseded, withdrawn or draft.
    #[serde(default)]
    status: Option<String>,
    /// Earlier editions too.
    #[serde(default)]
    all_editions: Option<bool>,
    /// 10 by default, 1 to 50.
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundStandards {
    notice: &'static str,
    total: u64,
    standards: Vec<FoundStandard>,
    /// Standards with some of the words, where none has all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nearest: Vec<FoundStandard>,
    /// Three things to try, where none is found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attempts: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FoundStandard {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amended_by: Vec<String>,
    reference: String,
    title: String,
    urn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_on: Option<String>,
    /// True where only outline and title may be read.
    #[serde(skip_serializing_if = "is_false")]
    not_licensed: bool,
}

pub(super) async fn find(
    context: &ToolContext,
    arguments: FindArguments,
    call: &CallDigest,
) -> Result<FoundStandards, ToolFailure> {
    let FindArguments { words: asked, publisher, ics, status, all_editions, limit, next } = arguments;
    let next = call.cursor_of(next.as_deref())?;
    let filters = ListFilters {
        q: asked.iter().cloned().collect(),
        publisher: publisher.into_iter().collect(),
        ics: ics.into_iter().collect(),
        status: words("status", status.as_slice())?,
        latest: !all_editions.unwrap_or(false) && status.is_none(),
        ..ListFilters::default()
    };
    let query = ListQuery {
        limit: limit.unwrap_or(STANDARDS).clamp(1, MOST_STANDARDS),
        // The newest editions first: those in force are before those that they replaced.
        sort: Sort { by: SortBy::Published, descending: true },
        filters,
        after: None,
    };
    let list = context.calls.standards(&query, next.as_deref()).await?;
    let mut nearest = Vec::new();
    let mut attempts = Vec::new();
    if list.items.is_empty() && next.is_none() {
        if let Some(asked) = &asked {
            nearest = standards_near(context, asked).await?;
        }
        attempts = vec![
            "Use fewer or other words of the title, or a number alone.",
            "Leave publisher, ics and status out, or set all_editions.",
            "Call search: the words may be in the text of a standard.",
        ];
    }
    Ok(FoundStandards {
        notice: DATA_NOTICE,
        total: list.total,
        standards: list.items.iter().map(FoundStandard::of).collect(),
        nearest,
        attempts,
        next: list.next.map(|cursor| call.next_of(&cursor)),
    })
}

/// Standards whose titles have some of the words.
async fn standards_near(context: &ToolContext, asked: &str) -> Result<Vec<FoundStandard>, ToolFailure> {
    let query = SearchQuery { kinds: vec![SearchKind::Standard], limit: NEAREST, ..SearchQuery::new(asked) };
    let found: SearchAnswer<'static> =
        context.calls.json(Operation::Search, &[], &query.query_string()).await?;
    let mut nearest = Vec::with_capacity(found.items.len());
    for hit in found.items {
        nearest.push(FoundStandard {
            status: notable(hit.status),
            amended_by: references(&hit.amended_by),
            reference: hit.reference.into_owned(),
            title: hit.title.into_owned(),
            urn: hit.urn.into_owned(),
            language: None,
            published_on: None,
            not_licensed: hit.access != AccessLevel::Read,
        });
    }
    Ok(nearest)
}

impl FoundStandard {
    fn of(summary: &StandardSummary<'_>) -> Self {
        Self {
            status: notable(summary.status),
            amended_by: references(&summary.amended_by),
            reference: summary.reference.to_string(),
            title: summary.title.to_string(),
            urn: summary.urn.to_string(),
            language: Some(summary.language.to_string()),
            published_on: summary.published_on.as_ref().map(ToString::to_string),
            not_licensed: summary.access != AccessLevel::Read,
        }
    }
}
