//! `search`: texts in all standards, provisions whole.

use futures::future::try_join_all;
use norma_api::Operation;
use norma_client::SearchQuery;
use norma_client::shapes::{
    AccessLevel, CitedPartType, Provision, SearchAnswer, SearchHit, SearchKind, SearchState, SelectionView,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::{ToolContext, words};
use super::search_hints::{NoHitAdvice, advice};
use crate::call_digest::CallDigest;
use crate::citer::CitableUnit;
use crate::edition::NamedStandard;
use crate::failure::ToolFailure;
use crate::unit::{CitedText, DATA_NOTICE, UnitAmendment, is_false, notable, unit_amendments};

/// Hits of an answer where the model asks for no other number.
const HITS: u32 = 8;

/// Most hits of an answer.
const MOST_HITS: u32 = 20;

/// Characters of the longest excerpt of the service: a text that is shorter is whole.
const LONGEST_EXCERPT: usize = 300;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchToolArguments {
    /// A question or words; "a phrase", -excluded, prefix*.
    words: String,
    /// Only provision, term, table, section or standard.
    #[serde(default)]
    kinds: Option<Vec<String>>,
    /// Only requirement, recommendation, permission, capability or externalConstraint.
    #[serde(default)]
    types: Option<Vec<String>>,
    /// Only in this standard: URN or designation.
    #[serde(default)]
    urn: Option<String>,
    /// Earlier editions too.
    #[serde(default)]
    all_editions: Option<bool>,
    /// 8 by default, 1 to 20.
    #[serde(default)]
    limit: Option<u32>,
    #[serde(default)]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchedUnits {
    notice: &'static str,
    total: u64,
    /// True where no text has all words.
    #[serde(skip_serializing_if = "is_false")]
    only_some_words: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<NoHitAdvice>,
    /// Why not all standards were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<String>,
    hits: Vec<FoundUnit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A text that was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FoundUnit {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    amended_by: Vec<UnitAmendment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cite: Option<String>,
    urn: String,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    heading: String,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    provision_type: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    informative: bool,
    /// True where only the title may be read.
    #[serde(skip_serializing_if = "is_false")]
    not_licensed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead_in: Option<String>,
    /// The whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// A part of a longer text, which `read` gives.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
    /// Words of the search that it does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    /// Translations and adoptions that have a hit with the same label. Their texts and their amendments are
    /// not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    same_label_in: Vec<String>,
}

pub(super) async fn search(
    context: &ToolContext,
    arguments: SearchToolArguments,
    call: &CallDigest,
) -> Result<SearchedUnits, ToolFailure> {
    let asked = arguments.words.clone();
    let query = SearchQuery {
        cursor: call.cursor_of(arguments.next.as_deref())?,
        ..query_of(context, arguments).await?
    };
    let answer: SearchAnswer<'static> =
        context.calls.json(Operation::Search, &[], &query.query_string()).await?;
    let mut hits: Vec<FoundUnit> = answer.items.iter().map(FoundUnit::of).collect();
    let whole = whole_provisions(context, &answer.items);
    let cites = cites(context, &answer.items);
    let (whole, cites) = futures::try_join!(whole, cites)?;
    for (hit, cite) in hits.iter_mut().zip(cites) {
        hit.cite = cite;
    }
    for provision in &whole {
        for hit in hits.iter_mut().filter(|hit| hit.id.as_deref() == Some(&*provision.id)) {
            hit.make_whole(provision);
        }
    }
    Ok(SearchedUnits {
        notice: DATA_NOTICE,
        total: answer.total,
        only_some_words: answer.relaxed,
        advice: answer.hints.as_ref().map(|hints| advice(&asked, hints)),
        incomplete: incomplete(answer.state),
        hits,
        next: answer.next.map(|cursor| call.next_of(&cursor)),
    })
}

/// The search without the place where its page begins.
async fn query_of(context: &ToolContext, arguments: SearchToolArguments) -> Result<SearchQuery, ToolFailure> {
    let SearchToolArguments { words: asked, kinds, types, urn, all_editions, limit, next: _ } = arguments;
    let urn = match urn {
        Some(urn) => vec![NamedStandard::find(&context.calls, &urn).await?.urn],
        None => Vec::new(),
    };
    Ok(SearchQuery {
        kinds: words("kinds", &kinds.unwrap_or_default())?,
        types: words("types", &types.unwrap_or_default())?,
        // An edition that is named is searched, whether it is the latest one or not.
        all_editions: all_editions.unwrap_or(false) || !urn.is_empty(),
        urn,
        limit: limit.unwrap_or(HITS).clamp(1, MOST_HITS),
        ..SearchQuery::new(asked)
    })
}

fn incomplete(state: SearchState) -> Option<String> {
    match state {
        SearchState::Complete => None,
        SearchState::Building => Some("The index is being built; search again in a minute.".to_owned()),
        _ => Some("Some standards could not be searched, or by their titles only.".to_owned()),
    }
}

/// The provisions of hits whose excerpt is cut: an excerpt may lose a condition or an exception.
async fn whole_provisions(
    context: &ToolContext,
    hits: &[SearchHit<'_>],
) -> Result<Vec<Provision<'static>>, ToolFailure> {
    let mut ids_by_urn: Vec<(&str, Vec<&str>)> = Vec::new();
    for hit in hits {
        let Some(id) = hit.id.as_deref() else { continue };
        if hit.kind != SearchKind::Provision || !may_be_cut(&hit.text) {
            continue;
        }
        match ids_by_urn.iter_mut().find(|(urn, _)| *urn == hit.urn) {
            Some((_, ids)) => ids.push(id),
            None => ids_by_urn.push((&hit.urn, vec![id])),
        }
    }
    let mut reads = Vec::with_capacity(ids_by_urn.len());
    for (urn, ids) in ids_by_urn {
        reads.push(selected(context, urn.to_owned(), format!("id:{}", ids.join(","))));
    }
    let found = try_join_all(reads).await?;
    Ok(found.into_iter().flat_map(|view| view.items).collect())
}

async fn selected(
    context: &ToolContext,
    urn: String,
    selection: String,
) -> Result<SelectionView<'static>, ToolFailure> {
    context.calls.json(Operation::Selection, &[&urn, &selection], "").await
}

fn may_be_cut(text: &str) -> bool {
    text.chars().count() >= LONGEST_EXCERPT
}

async fn cites(context: &ToolContext, hits: &[SearchHit<'_>]) -> Result<Vec<Option<String>>, ToolFailure> {
    let mut citable = Vec::with_capacity(hits.len());
    for hit in hits {
        let (id, label) = match hit.kind {
            // A standard is cited by its reference.
            SearchKind::Standard => (None, None),
            // The entry of a term is a section.
            SearchKind::Term => {
                (hit.section.as_ref().map(|section| section.id.to_string()), hit.label.clone())
            }
            _ => (hit.id.as_ref().map(ToString::to_string), hit.label.clone()),
        };
        citable.push(CitableUnit {
            urn: hit.urn.to_string(),
            reference: hit.reference.to_string(),
            kind: hit.kind.as_str().parse().unwrap_or(CitedPartType::Section),
            id: id.unwrap_or_default(),
            label: label.map(Into::into),
        });
    }
    context.citer.cite(&context.calls, &citable).await
}

impl FoundUnit {
    fn of(hit: &SearchHit<'_>) -> Self {
        // The service adds the lead-in to the text of a provision, and shows texts of other kinds in excerpts
        // that may begin and end anywhere.
        let is_whole =
            matches!(hit.kind, SearchKind::Provision | SearchKind::Standard) && !may_be_cut(&hit.text);
        let shown = Some(hit.text.to_string());
        Self {
            status: notable(hit.status),
            amended_by: unit_amendments(&hit.amended_by),
            cite: None,
            urn: hit.urn.to_string(),
            kind: hit.kind.as_str().to_owned(),
            id: hit.id.as_ref().map(ToString::to_string),
            heading: hit.heading.to_string(),
            provision_type: hit.provision_type.map(|kind| kind.as_str().to_owned()),
            informative: hit.normative == Some(false),
            not_licensed: hit.access != AccessLevel::Read,
            lead_in: None,
            text: if is_whole { shown.clone() } else { None },
            excerpt: if is_whole { None } else { shown },
            missing: hit.missing.iter().map(ToString::to_string).collect(),
            same_label_in: hit.also_in.iter().map(|edition| edition.reference.to_string()).collect(),
        }
    }

    fn make_whole(&mut self, provision: &Provision<'_>) {
        let whole = CitedText::of_provision(provision);
        self.lead_in = whole.lead_in;
        self.text = whole.text;
        self.excerpt = None;
    }
}
