//! First page: three sentences, and the list of standards with its filters.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{AccessLevel, StandardList, Status};
use url::form_urlencoded::Serializer;

use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, encoded, page, standard_address, status_word};
use crate::phrases::fill;
use crate::visit::Visit;

/// Standards on a page of the list.
const PAGE_SIZE: u32 = 50;

/// Filters of the list, by their names in the API.
const FILTERS: [&str; 5] = ["q", "status", "access", "publisher", "ics"];

pub(crate) async fn show(visit: Visit) -> Response {
    let made = made(&visit).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit) -> Result<Response, PageFailure> {
    let words = visit.words;
    let asked: Vec<(&str, String)> = FILTERS
        .iter()
        .flat_map(|&name| visit.values(name).into_iter().map(move |value| (name, value)))
        .collect();
    if let [("q", urn)] = asked.as_slice()
        && urn.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"))
    {
        return Ok(Redirect::to(&standard_address(visit, urn)).into_response());
    }
    let query = match visit.value("cursor") {
        Some(cursor) => format!("limit={PAGE_SIZE}&cursor={}", encoded(&cursor)),
        None => format!("limit={PAGE_SIZE}&{}", query_string(asked.iter())),
    };
    let list: StandardList<'static> = visit.site.service.json(Operation::Standards, &[], &query).await?;
    let featured = visit.site.featured.as_deref().filter(|_| asked.is_empty());
    let body = html! {
        div.column {
            @if asked.is_empty() && visit.value("cursor").is_none() {
                h1 { (words.explorer) }
                p.intro { (words.about_norma) " " (words.about_page) " " (words.about_safety) }
                @if let Some(urn) = featured {
                    p { a.button.primary href=(standard_address(visit, urn)) { (words.read_full) } }
                }
            } @else { h1 { (words.standards) } }
            (filters(visit))
            p.quiet { (fill(words.found, list.total)) }
            @if list.items.is_empty() { (nothing(visit, &asked)) } @else { (table(visit, &list)) }
            @if let Some(next) = &list.next {
                p { a.button rel="next" href={ (visit.at("")) "?cursor=" (encoded(next)) } { (words.next_page) } }
            }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: words.standards, trail: &[], body, script: None }))
}

fn query_string<'a>(pairs: impl Iterator<Item = &'a (&'a str, String)>) -> String {
    Serializer::new(String::new()).extend_pairs(pairs).finish()
}

fn filters(visit: &Visit) -> Markup {
    let words = visit.words;
    let choice = |name: &'static str, label: &str, options: Vec<(&'static str, &'static str)>| {
        let chosen = visit.value(name);
        html! {
            label {
                span { (label) }
                select name=(name) {
                    option value="" { (words.any) }
                    @for (value, word) in options {
                        option value=(value) selected[chosen.as_deref() == Some(value)] { (word) }
                    }
                }
            }
        }
    };
    let statuses = Status::ALL.iter().map(|&status| (status.as_str(), status_word(words, status)));
    let levels = [(AccessLevel::Read.as_str(), words.read), (AccessLevel::Discover.as_str(), words.discover)];
    html! {
        form.list-filters action=(visit.at("")) {
            @for text in visit.values("q") { input type="hidden" name="q" value=(text); }
            (choice("status", words.status, statuses.collect()))
            (choice("access", words.access, levels.to_vec()))
            @for (name, label, width) in [("publisher", words.publisher, 10), ("ics", words.ics, 8)] {
                label { span { (label) } input name=(name) size=(width) value=[visit.value(name)]; }
            }
            button { (words.apply) }
        }
    }
}

/// Which filter to remove where nothing is found.
fn nothing(visit: &Visit, asked: &[(&str, String)]) -> Markup {
    let words = visit.words;
    let without = |left_out: usize| {
        let others = asked.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, pair)| pair);
        format!("{}?{}", visit.at(""), query_string(others))
    };
    html! {
        @if asked.is_empty() { p.notice { (words.none_at_all) } }
        @else {
            p.notice { (words.none_found) }
            ul {
                @for (at, (name, value)) in asked.iter().enumerate() {
                    li { a href=(without(at)) { (name) " = " (value) } }
                }
            }
            p { a href=(visit.at("")) { (words.clear) } }
        }
    }
}

fn table(visit: &Visit, list: &StandardList<'_>) -> Markup {
    let words = visit.words;
    html! {
        div.wide tabindex="0" role="region" aria-label=(words.standards) {
            table.list data-sortable {
                thead { tr { @for head in [words.reference, words.title, words.published, words.status, words.access] { th scope="col" { (head) } } } }
                tbody {
                    @for standard in &list.items {
                        tr {
                            th scope="row" { a href=(standard_address(visit, &standard.urn)) { (standard.reference) } }
                            td lang=(standard.language) { (standard.title) }
                            td { (standard.published_on.as_deref().unwrap_or_default()) }
                            td { span.status data-status-word=(standard.status) { (status_word(words, standard.status)) } }
                            td { @match standard.access { AccessLevel::Read => (words.read), AccessLevel::Discover => (words.discover) } }
                        }
                    }
                }
            }
        }
    }
}
