//! Search: what a caller finds in the editions that they may discover or read.

mod above;
mod cited;
mod facets;
mod folded;
mod hints;
mod hits;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::header;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_api::query::{QueryLimits, SearchQuery};
use norma_api::shapes::{
    SearchAnswer, SearchHints, SearchHit, SearchProgress, SearchState, SearchedStandard,
};
use norma_audit::AuditedStandard;
use norma_editions::search::{
    EditionSearchInSteps, FoundTexts, MAX_SELECTIONS, NoAnswer, SearchInput, selected_editions, text_query,
    unit_filter,
};
use norma_search::{Found, Page, SearchCursor, UnitHit};
use norma_store::Query;

use self::cited::CitedHits;
use self::folded::{SameTexts, folded};
use self::hints::WiderSearch;
use self::hits::HitWords;
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
    let Some(index) = &services.shared.search else {
        return Err(Failure::new(Code::SearchOff, "The full-text search is off."));
    };
    let (selected, input) = search_input(asked, &services.shared)?;
    if let Some(cited) = CitedHits::of(access, asked, &input).await? {
        access.note_search(vec![cited.edition.clone()]);
        return cited.answer(request);
    }
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
        let asked_words = found.found.relaxed.as_ref().map_or(&[][..], |relaxed| &relaxed.words);
        let words = HitWords { query: &input.query, asked: asked_words };
        let hits = hits::with_texts(all_hits(&found.found), &editions, &words).await?;
        step.end();
        let shown = ShownHits { hits, same: SameTexts::of(&editions) };
        let hints = hints(access, asked, &found.found).await?;

        return shape(asked, &found, shown, hints, request);
    }
    let detail = "The catalogue changed while it was searched; ask again.";
    Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1"))
}

/// What is said of a search that found no text with all words, on its first page.
async fn hints(
    access: &mut Access<'_>,
    asked: &SearchQuery,
    found: &Found,
) -> Result<Option<SearchHints<'static>>, Failure> {
    let Some(relaxed) = &found.relaxed else { return Ok(None) };
    if asked.cursor.is_some() {
        return Ok(None);
    }
    let services = access.services().clone();
    let Some(index) = &services.shared.search else { return Ok(None) };
    let mut elsewhere = Vec::new();
    for wider in WiderSearch::all(asked) {
        let (selected, mut input) = search_input(&wider.asked, &services.shared)?;
        input.page.relaxes = false;
        let editions = access.searchable(&selected, false).await?;
        let _begun = services.slots.begin_search().await;
        let search = index.begin(editions, &Arc::new(input));
        // Without an answer there is no hint: the catalogue changed, or too many texts match.
        if let Ok(found) = services.slots.run_in_steps(search, search_step).await {
            elsewhere.extend(wider.hint(&found.found));
        }
    }
    let has_hits = !found.hits.is_empty() || !found.groups.is_empty();
    Ok(Some(hints::hints(relaxed, has_hits, elsewhere)))
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
        .map_err(|error| Failure::of_parameter(Code::InvalidParameter, "q", format!("`q`: {error}.")))?;
    let mut after = None;
    if let Some(text) = &asked.cursor {
        let Some(cursor) = SearchCursor::decode(text, &asked.canonical()) else {
            let detail =
                "`cursor` was altered, or is of another search: repeat `q` and the filters, or leave it out.";
            return Err(Failure::of_parameter(Code::InvalidCursor, "cursor", detail));
        };
        after = Some(cursor);
    }
    let selected = selected_editions(asked)
        .map_err(|error| Failure::of_parameter(Code::InvalidParameter, "urn", format!("`urn`: {error}.")))?;
    let page = Page {
        limit: asked.limit as usize,
        after,
        grouped: asked.grouped,
        max_matches: shared.limits.search_matches,
        relaxes: true,
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

/// The hits of a page with their texts.
struct ShownHits {
    /// By slot and position.
    hits: HashMap<(u32, u32), SearchHit<'static>>,
    same: SameTexts,
}

/// The answer, of the hits of the page.
fn shape(
    asked: &SearchQuery,
    texts: &FoundTexts,
    mut shown: ShownHits,
    hints: Option<SearchHints<'static>>,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let found = &texts.found;
    let items = folded(taken(&mut shown.hits, &found.hits), &shown.same);
    let mut standards = Vec::new();
    for group in &found.groups {
        let items = folded(taken(&mut shown.hits, &group.hits), &SameTexts::default());
        let Some(first) = items.first().cloned() else { continue };
        standards.push(SearchedStandard {
            urn: first.urn,
            reference: first.reference,
            title: first.title,
            status: first.status,
            access: first.access,
            hits: group.count,
            items,
        });
    }
    let state = texts.state();
    let mut answer = SearchAnswer {
        total: found.total,
        relaxed: found.relaxed.is_some() && !(found.hits.is_empty() && found.groups.is_empty()),
        hints,
        state,
        progress: None,
        hit_counts: None,
        items,
        standards,
        next: None,
    };
    if state != SearchState::Complete {
        answer.progress = Some(SearchProgress {
            searched: texts.indexed as u64,
            titles_only: (texts.titles_only > 0).then_some(texts.titles_only as u64),
            selected: texts.selected as u64,
        });
    }
    if !asked.facets.is_empty() {
        answer.hit_counts = Some(facets::hit_counts(texts, asked));
    }
    // While the index is built, a next page would leave out what is added to this one.
    if state != SearchState::Building
        && let Some(cursor) = &found.next
    {
        answer.next = Some(cursor.encode(&asked.canonical()).into());
    }
    let mut representation = Representation::from_large_shape(&answer, request.coding())?;
    representation.is_final = state == SearchState::Complete;
    if let Some(next) = &answer.next {
        let path = Operation::Search.path();
        let target = format!("{}{path}?{}", request.public_url, asked.next(next));
        representation.set(header::LINK, &format!("<{target}>; rel=\"next\""))?;
    }
    Ok(representation)
}

/// The hits of a list with their texts, taken out of those of the page.
fn taken(page: &mut HashMap<(u32, u32), SearchHit<'static>>, hits: &[UnitHit]) -> Vec<SearchHit<'static>> {
    let mut taken = Vec::with_capacity(hits.len());
    for hit in hits {
        taken.extend(page.remove(&(hit.slot, hit.position)));
    }
    taken
}
