//! Page of a search: hits with excerpts, counts that narrow it, and help.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{AccessLevel, SearchAnswer, SearchHit, SearchKind, SearchState, Status};

use super::citation;
use crate::failure::{FailureKind, PageFailure};
use crate::filters::{Filters, filter_name, filter_value, kind_word};
use crate::frame::{
    FramedPage, element_address, encoded, failed, language, mark, page, provision_address, standard_address,
    status_word, type_word, with_slices,
};
use crate::phrases::{Words, fill, with_code};
use crate::visit::Visit;

/// What hits are counted by.
const FACETS: &str = "facets=type,kind,normative,status,language,publisher,ics";

/// Values of a facet that are shown; the first ones have most hits.
const VALUES: usize = 10;

pub(crate) async fn show(visit: Visit) -> Response {
    match made(&visit).await {
        Ok(response) => response,
        Err(failure) if failure.kind == FailureKind::Wrong => failed(&visit, &failure, help(&visit)).await,
        Err(failure) => failed(&visit, &failure, html! {}).await,
    }
}

async fn made(visit: &Visit) -> Result<Response, PageFailure> {
    let words = visit.words;
    let Some(q) = visit.value("q") else {
        let body = html! { div.column { h1 { (words.search) } (help(visit)) } };
        return Ok(page(
            visit,
            StatusCode::OK,
            FramedPage { title: words.search, trail: &[], body, script: None },
        ));
    };
    // The scheme of a URN may be in capitals (RFC 8141, 2.1).
    if q.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:")) {
        return Ok(Redirect::to(&standard_address(visit, &q)).into_response());
    }
    let filters = Filters::of(visit, "search", visit.searched());
    let is_plain = filters.chosen.len() == 1 && visit.value("cursor").is_none();
    let citation = if is_plain { citation::resolved(visit, &q).await } else { None };
    if let Some(address) = citation.as_ref().and_then(|citation| citation::address(visit, citation)) {
        return Ok(Redirect::to(&address).into_response());
    }
    let cursor = visit.value("cursor").map(|cursor| format!("&cursor={}", encoded(&cursor)));
    let query = format!("{}&{FACETS}{}", filters.query(), cursor.unwrap_or_default());
    let found: SearchAnswer<'static> = visit.site.service.json(Operation::Search, &[], &query).await?;
    let count = if found.total == 1 { words.hit.to_owned() } else { fill(words.hits, found.total) };
    let body = html! {
        div.column.broad {
            p.kicker { (words.search) }
            h1 { bdi { (q) } }
            @if found.total > 0 { p { strong { (count) } } }
            @if let Some(citation) = &citation { (citation::note(visit, citation, found.total)) }
            (progress(visit, &found))
            (filters.removable(words))
            @if found.relaxed || found.total == 0 { (without_all_words(words, &filters, &found)) }
            div.found {
                @if !found.items.is_empty() || !found.standards.is_empty() { (narrowing(words, &filters, &found)) }
                @else { (all_editions(words, &filters)) }
                div.hits {
                    (hits(visit, &filters, &found))
                    @if found.total == 0 && !found.relaxed { (help(visit)) }
                    @if let Some(next) = &found.next {
                        p.actions { a.button rel="next" href=(filters.with("cursor", next)) { (words.more_hits) } }
                    }
                }
            }
        }
    };
    let title = format!("{q} · {}", words.search);
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &[], body, script: None }))
}

/// What is missing in the answer while the service reads standards for its search, or cannot read some.
fn progress(visit: &Visit, found: &SearchAnswer<'_>) -> Markup {
    let words = visit.words;
    let Some(progress) = found.progress else { return html! {} };
    html! {
        @if found.state == SearchState::Building {
            p.notice.warning { (fill(&fill(words.building, progress.searched), progress.selected)) }
            p.actions { a.button href=(visit.own()) { (words.retry) } }
        }
        @if let Some(titles_only) = progress.titles_only {
            p.notice.warning { (fill(&fill(words.titles_only, titles_only), progress.selected)) }
        }
    }
}

/// What is known of a search that no text has all words of, and what to try.
fn without_all_words(words: &Words, filters: &Filters, found: &SearchAnswer<'_>) -> Markup {
    let hints = found.hints.clone().unwrap_or_default();
    let absent: Vec<&str> = hints.words.iter().filter(|one| one.hits == 0).map(|one| &*one.word).collect();
    let is_filtered = filters.chosen.iter().any(|(name, _)| !["q", "edition", "group"].contains(name));
    html! {
        div.notice {
            p {
                @if found.relaxed { (words.some_words) }
                @else {
                    (words.no_hits)
                    @if hints.advice.is_empty() {
                        " " (if is_filtered { words.no_hits_filtered } else { words.no_hits_fix })
                    }
                }
            }
            @if !hints.left_out.is_empty() { p { (fill(words.words_left_out, hints.left_out.join(", "))) } }
            @if !absent.is_empty() { p { (fill(words.words_absent, absent.join(", "))) } }
            @if !found.relaxed {
                @for advice in &hints.advice {
                    p lang=[(words.language != "en").then_some("en")] { (with_code(advice)) }
                }
            }
        }
    }
}

/// A link to the same search in all editions, where nothing is found in those in force.
fn all_editions(words: &Words, filters: &Filters) -> Markup {
    html! {
        @if !filters.has("edition", "all") {
            p.actions { a.button href=(filters.with("edition", "all")) { (words.all_editions) } }
        }
    }
}

/// The syntax, by searches to try.
fn help(visit: &Visit) -> Markup {
    let words = visit.words;
    // The samples have hits for each.
    let rows = [
        ("proof load", words.syntax_all),
        ("\"proof load\"", words.syntax_phrase),
        ("anchor -test", words.syntax_without),
        ("galvan*", words.syntax_prefix),
        ("8 kN", words.syntax_number),
        ("4.2(1)", words.syntax_label),
        ("NSB 4210", words.syntax_reference),
        ("Anker", words.syntax_compound),
    ];
    html! {
        section {
            p { (words.search_help) }
            dl { @for (q, meaning) in rows { dt { a href={ (visit.at("search")) "?q=" (encoded(q)) } { (q) } } dd { (meaning) } } }
        }
    }
}

/// Choices, and values that some of the hits have, each with the link that adds its filter.
fn narrowing(words: &Words, filters: &Filters, found: &SearchAnswer<'_>) -> Markup {
    let offered = offers(words, filters, found);
    html! {
        details.narrowing {
            summary { (words.narrow) }
            @for offers in offered.chunk_by(|a, b| a.heading == b.heading) {
                @let heading = offers[0].heading;
                p.quiet { (heading) }
                ul.chips aria-label=(heading) {
                    @for offer in offers.iter().take(VALUES) {
                        li { a.chip href=(filters.with(offer.name, &offer.value)) {
                            (filter_value(words, offer.name, &offer.value)) @if let Some(hits) = offer.hits { " " b { (hits) } }
                        } }
                    }
                    @if offers.len() > VALUES { li.quiet { (fill(words.more, offers.len() - VALUES)) } }
                }
            }
        }
    }
}

/// A filter that would narrow a search, or a choice of how its hits are shown.
struct Offer<'a> {
    /// The heading that it is listed under.
    heading: &'static str,
    /// Name of the parameter.
    name: &'static str,
    value: Cow<'a, str>,
    /// Hits that are left with the filter; absent for a choice.
    hits: Option<u64>,
}

/// Filters that leave some hits but not all, then the choices that are not made already.
fn offers<'a>(words: &Words, filters: &Filters, found: &SearchAnswer<'a>) -> Vec<Offer<'a>> {
    let counts = found.hit_counts.clone().unwrap_or_default();
    let facets = [
        ("type", counts.provision_type),
        ("normative", counts.normative),
        ("in", counts.kind),
        ("status", counts.status),
        ("language", counts.language),
        ("publisher", counts.publisher),
        ("ics", counts.ics),
    ];
    let mut offers = Vec::new();
    for (name, values) in facets {
        for value in values.unwrap_or_default() {
            if value.hits < found.total {
                let (heading, hits) = (filter_name(words, name), Some(value.hits));
                offers.push(Offer { heading, name, value: value.facet_value, hits });
            }
        }
    }
    for (name, value) in [("edition", "all"), ("group", "standard")] {
        if !filters.has(name, value) {
            offers.push(Offer { heading: words.show, name, value: value.into(), hits: None });
        }
    }
    offers
}

/// The hits of a page, one after the other or by standard.
fn hits(visit: &Visit, filters: &Filters, found: &SearchAnswer<'_>) -> Markup {
    let words = visit.words;
    html! {
        @if !found.items.is_empty() {
            ol { @for found in &found.items { li { h2 { (heading(visit, found)) } (excerpt(visit, found, true)) } } }
        }
        @for standard in &found.standards {
            @let urn = ("urn", standard.urn.to_string());
            @let others = filters.chosen.iter().filter(|(name, _)| *name != "group");
            section {
                h2 { a href=(standard_address(visit, &standard.urn)) { (standard.reference) } }
                p lang=[language(&standard.urn)] { (standard.title) }
                p.quiet { (rights(words, standard.status, standard.access)) a href=(filters.address(others.chain([&urn]))) { @if standard.hits == 1 { (words.hit) } @else { (fill(words.hits, standard.hits)) } } }
                ol { @for found in &standard.items { li { h3 { (heading(visit, found)) } (excerpt(visit, found, false)) } } }
            }
        }
    }
}

/// Label and type of a hit, with a link to it in its standard.
fn heading(visit: &Visit, hit: &SearchHit<'_>) -> Markup {
    let words = visit.words;
    let address = match &hit.id {
        Some(id) => element_address(visit, &hit.urn, id),
        None => standard_address(visit, &hit.urn),
    };
    let word = match hit.provision_type {
        Some(kind) => type_word(words, kind).1,
        None => kind_word(words, hit.kind),
    };
    let label = if hit.kind == SearchKind::Standard { Some(&hit.reference) } else { hit.label.as_ref() };
    // A section without a number is named by its title.
    let own_section = hit.section.as_ref().filter(|_| hit.kind == SearchKind::Section);
    let title = own_section.and_then(|section| section.title.as_deref());
    html! {
        @if let Some(kind) = hit.provision_type { (mark(words, kind)) " " }
        a data-hit href=(address) {
            @match (label, title) {
                (Some(label), _) => (label),
                (None, Some(title)) => span lang=[language(&hit.urn)] { (title) },
                (None, None) => (word),
            }
        }
        @if label.is_some() || title.is_some() { " " span.quiet { (word) } }
    }
}

/// The text of a hit with what is found marked, and where it is.
fn excerpt(visit: &Visit, hit: &SearchHit<'_>, names_standard: bool) -> Markup {
    let words = visit.words;
    let lang = language(&hit.urn);
    let highlights = hit.highlights.iter().map(|slice| (*slice, ())).collect();
    html! {
        p.excerpt lang=[lang] dir="auto" { (with_slices(&hit.text, highlights, |(), text| html! { mark { (text) } })) }
        p.quiet {
            @if names_standard {
                @if hit.kind != SearchKind::Standard { a href=(standard_address(visit, &hit.urn)) { (hit.reference) } " " span lang=[lang] { (hit.title) } " " }
                (rights(words, hit.status, hit.access))
            }
            @if let Some(section) = &hit.section {
                @if names_standard { "· " }
                a href=(element_address(visit, &hit.urn, &section.id)) lang=[lang] { (section.number.as_deref().unwrap_or_default()) " " (section.title.as_deref().unwrap_or_default()) }
            }
            @if let (SearchKind::Provision, Some(id)) = (hit.kind, &hit.id) { " · " a href=(provision_address(visit, id)) { (words.panel) } }
        }
        @if !hit.also_in.is_empty() {
            p.quiet {
                (words.also_in)
                @for other in &hit.also_in {
                    @let address = match &other.id {
                        Some(id) => element_address(visit, &other.urn, id),
                        None => standard_address(visit, &other.urn),
                    };
                    " " a data-hit href=(address) { (other.reference) @if let Some(lang) = language(&other.urn) { " (" (lang) ")" } }
                }
            }
        }
    }
}

/// What is to be known of a standard that is not in force or not readable.
fn rights(words: &Words, status: Status, access: AccessLevel) -> Markup {
    html! {
        @if status != Status::Published { span.status data-status-word=(status) { (status_word(words, status)) } " " }
        @if access == AccessLevel::Discover { span.status { (words.discover) } " " }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::tests::visit;

    fn found(total: u64) -> SearchAnswer<'static> {
        let answer = serde_json::json!({
            "total": total, "state": "complete", "items": [], "standards": [],
            "hitCounts": {
                "type": [{"facetValue": "requirement", "hits": 7}, {"facetValue": "permission", "hits": 2}],
                "language": [{"facetValue": "en", "hits": 9}],
            },
        });
        serde_json::from_value(answer).unwrap()
    }

    #[tokio::test]
    async fn a_filter_that_all_hits_have_and_a_choice_that_is_made_are_not_offered() {
        let visit = visit("en/search?q=lid&group=standard").await;
        let filters = Filters::of(&visit, "search", visit.searched());
        let found = found(9);
        let offers = offers(visit.words, &filters, &found);
        let offered: Vec<_> = offers.iter().map(|offer| (offer.name, &*offer.value, offer.hits)).collect();
        assert_eq!(
            offered,
            [("type", "requirement", Some(7)), ("type", "permission", Some(2)), ("edition", "all", None)]
        );
    }

    #[tokio::test]
    async fn a_search_that_no_text_has_all_words_of_says_which_words_are_absent_and_what_to_try() {
        let visit = visit("de/search?q=lid").await;
        let filters = Filters::of(&visit, "search", visit.searched());
        let mut found = found(0);
        let said = |found: &SearchAnswer<'_>| without_all_words(visit.words, &filters, found).into_string();
        assert!(said(&found).contains(visit.words.no_hits_fix), "{}", said(&found));
        let hints = serde_json::json!({
            "words": [{"word": "galvanisd", "hits": 0}, {"word": "lid", "hits": 3}],
            "leftOut": ["how", "must"], "elsewhere": [], "advice": ["Write fewer words."],
        });
        found.hints = Some(serde_json::from_value(hints).unwrap());
        let nothing = said(&found);
        let advice = "<p lang=\"en\">Write fewer words.</p>";
        for part in ["Ohne: how, must</p>", "hat hier: galvanisd</p>", advice] {
            assert!(nothing.contains(part), "{part} in {nothing}");
        }
        found.relaxed = true;
        assert!(said(&found).contains(visit.words.some_words) && !said(&found).contains("fewer"));
    }

    #[tokio::test]
    async fn a_section_without_a_number_is_named_by_its_title() {
        let visit = visit("en/search?q=lid").await;
        let hit: SearchHit<'static> = serde_json::from_value(serde_json::json!({
            "kind": "section", "id": "sec_f", "urn": "urn:x:std:x:1:ed-1:fr", "reference": "X 1", "title": "Lids",
            "status": "published", "access": "read", "section": {"id": "sec_f", "title": "Avant-propos"},
            "text": "Avant-propos", "highlights": [],
        }))
        .unwrap();
        let named = heading(&visit, &hit).into_string();
        assert!(
            named.contains("Avant-propos") && named.contains("<span class=\"quiet\">section</span>"),
            "{named}"
        );
    }

    #[tokio::test]
    async fn a_search_without_words_shows_the_syntax_without_a_call_of_the_service() {
        let answer = made(&visit("de/search?q=+").await).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_urn_in_the_search_box_leads_to_its_standard() {
        let answer = made(&visit("en/search?q=URN:x:std:x:1").await).await.unwrap();
        assert_eq!(answer.headers()["location"], "/key/en/s/URN:x:std:x:1");
    }
}
