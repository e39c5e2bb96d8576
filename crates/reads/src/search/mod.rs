//! Search: what a caller finds in the editions that they may discover or read.

mod facets;
mod hits;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::header;
use norma_api::Operation;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{QueryLimits, SearchQuery};
use norma_api::shapes::{SearchAnswer, SearchHit, SearchProgress, SearchState, SearchedStandard};
use norma_audit::AuditedStandard;
use norma_editions::search::{
    EditionSearchInSteps, FoundTexts, MAX_SELECTIONS, NoAnswer, SearchInput, selected_editions, text_query,
    unit_filter,
};
use norma_search::{Found, HitGroup, Page, SearchCursor, UnitHit};
use norma_store::Query;

use crate::access::Access;
use crate::edition::AuthorizedEdition;
use crate::representation::Representation;
use crate::services::ReadState;
use crate::{Failure, Request};

/// Longest work of a search in one turn: the next client waits this long.
const SEARCH_STEP: Duration = Duration::from_millis(5);

/// A page of hits.
pub(crate) async fn search(
    access: &mut Access<'_>,
    asked: &SearchQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let services = access.services().clone();
    let index = services.shared.search.as_ref();
    let index = index.ok_or_else(|| Failure::new(Code::SearchOff, "The full-text search is off."))?;
    let (selected, input) = search_input(asked, &services.shared)?;
    let input = Arc::new(input);
    let mut begun = None;
    for attempt in 0..MAX_SELECTIONS {
        let editions = access.searchable(&selected, attempt > 0).await?;

        let step = services.trace.step("search");
        if begun.is_none() {
            // Those that are begun take turns, step by step.
            begun = Some(services.slots.begin_search().await);
        }
        let found = services.slots.run_in_steps(index.begin(editions, &input), search_step).await;
        step.end();
        let found = match found {
            Ok(found) => found,
            // The index of editions or an edition is not of the view: it changed meanwhile.
            Err(NoAnswer::Changed) => continue,
            Err(error @ NoAnswer::TooManyMatches) => {
                let detail = format!("Too many texts match (`search-matches`): {error}.");
                return Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "60"));
            }
        };
        let Some(editions) = access.found(&found.editions).await? else { continue };
        drop(begun);
        access.note_search(audited(&found.found, &editions));
        let step = services.trace.step("read");
        let hits = hits::with_texts(all_hits(&found.found), &editions, &input.query).await?;
        step.end();

        return shape(asked, &found, hits, request);
    }
    let detail = "The catalogue changed while it was searched; ask again.";
    Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1"))
}

/// Goes on with a search for one turn.
fn search_step(search: &mut EditionSearchInSteps) -> Option<Result<FoundTexts, NoAnswer>> {
    let begun = Instant::now();
    search.step(&mut || begun.elapsed() >= SEARCH_STEP).transpose()
}

/// The editions that are asked for, and what is searched for in them.
///
/// # Errors
/// Words, cursor or URNs cannot be searched for.
fn search_input(asked: &SearchQuery, shared: &ReadState) -> Result<(Query, SearchInput), Failure> {
    let query = text_query(asked, QueryLimits::default().max_words)
        .map_err(|error| wrong("q", Code::InvalidParameter, format!("`q`: {error}.")))?;
    let after = match &asked.cursor {
        None => None,
        Some(text) => Some(SearchCursor::decode(text, &asked.canonical()).ok_or_else(|| {
            let detail =
                "`cursor` was altered, or is of another search: repeat `q` and the filters, or leave it out.";
            wrong("cursor", Code::InvalidCursor, detail.to_owned())
        })?),
    };
    let selected = selected_editions(asked)
        .map_err(|error| wrong("urn", Code::InvalidParameter, format!("`urn`: {error}.")))?;
    let page = Page {
        limit: asked.limit as usize,
        after,
        grouped: asked.grouped,
        max_matches: shared.limits.search_matches,
    };
    let facets = asked.facets.iter().filter_map(|facet| facets::edition_facet(*facet)).collect();
    Ok((selected, SearchInput { query, filter: unit_filter(asked), page, facets }))
}

/// The hits of the page.
fn all_hits(found: &Found) -> impl Iterator<Item = &UnitHit> {
    found.hits.iter().chain(found.groups.iter().flat_map(|group| &group.hits))
}

/// The editions of which the page shows texts, or titles only, in order.
fn audited(found: &Found, editions: &HashMap<u32, Arc<AuthorizedEdition>>) -> Vec<AuditedStandard> {
    let mut audited = Vec::with_capacity(editions.len());
    for (slot, edition) in editions {
        let shows_text = all_hits(found).any(|hit| hit.slot == *slot && !hit.shows_title_only());
        audited.push(AuditedStandard { urn: edition.urn().into(), only_discovered: !shows_text });
    }
    audited.sort_by(|a, b| a.urn.cmp(&b.urn));
    audited
}

/// The answer, of the hits with their texts by slot and position.
fn shape(
    asked: &SearchQuery,
    texts: &FoundTexts,
    mut hits: HashMap<(u32, u32), SearchHit<'static>>,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let found = &texts.found;
    let mut take = |hit: &UnitHit| hits.remove(&(hit.slot, hit.position));
    let items = found.hits.iter().filter_map(&mut take).collect();
    let mut standards = Vec::new();
    for HitGroup { hits, count, .. } in &found.groups {
        let items: Vec<SearchHit<'static>> = hits.iter().filter_map(&mut take).collect();
        let Some(first) = items.first().cloned() else { continue };
        standards.push(SearchedStandard {
            urn: first.urn,
            reference: first.reference,
            title: first.title,
            status: first.status,
            access: first.access,
            hits: *count,
            items,
        });
    }
    let state = texts.state();
    // While the index is built, a next page would leave out what is added to this one.
    let next = found.next.as_ref().filter(|_| state != SearchState::Building);
    let progress = SearchProgress {
        searched: texts.indexed as u64,
        titles_only: Some(texts.titles_only as u64).filter(|count| *count > 0),
        selected: texts.selected as u64,
    };
    let answer = SearchAnswer {
        total: found.total,
        state,
        progress: (state != SearchState::Complete).then_some(progress),
        hit_counts: (!asked.facets.is_empty()).then(|| facets::hit_counts(texts, asked)),
        items,
        standards,
        next: next.map(|cursor| cursor.encode(&asked.canonical()).into()),
    };
    let mut representation = Representation::from_large_shape(&answer, request.coding())?;
    representation.is_final = state == SearchState::Complete;
    if let Some(next) = &answer.next {
        let path = Operation::Search.path();
        let target = format!("{}{path}?{}", request.public_url, asked.next(next));
        representation.set(header::LINK, &format!("<{target}>; rel=\"next\""))?;
    }
    Ok(representation)
}

fn wrong(parameter: &'static str, code: Code, detail: String) -> Failure {
    let cause = ProblemError {
        detail: detail.clone().into(),
        parameter: Some(parameter.into()),
        ..ProblemError::default()
    };
    Failure::new(code, detail).because(cause)
}
