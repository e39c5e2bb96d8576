//! First page: three sentences, and the list of standards with its filters.

use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{AccessLevel, StandardList, Status};

use crate::failure::PageFailure;
use crate::filters::Filters;
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
    let asked = Filters::of(visit, "", visit.parameters(&FILTERS));
    let query = match visit.value("cursor") {
        Some(cursor) => format!("limit={PAGE_SIZE}&cursor={}", encoded(&cursor)),
        None => format!("limit={PAGE_SIZE}&{}", asked.query()),
    };
    let list: StandardList<'static> = visit.site.service.json(Operation::Standards, &[], &query).await?;
    let featured = visit.site.featured.as_deref().filter(|_| asked.chosen.is_empty());
    let body = html! {
        div.column {
            @if asked.chosen.is_empty() && visit.value("cursor").is_none() {
                h1 { (words.explorer) }
                p.intro { (words.about_norma) " " (words.about_page) " " (words.about_safety) }
                @if let Some(urn) = featured {
                    p { a.button.primary href=(standard_address(visit, urn)) { (words.read_full) } }
                }
            } @else { h1 { (words.standards) } }
            (filters(visit))
            p.quiet { (fill(words.found, list.total)) ". " (words.only_granted) }
            @if list.items.is_empty() { (nothing(visit, &asked)) } @else { (table(visit, &list)) }
            @if let Some(next) = &list.next {
                p { a.button rel="next" href={ (visit.at("")) "?cursor=" (encoded(next)) } { (words.next_page) } }
            }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: words.standards, trail: &[], body, script: None }))
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
    let field = |name: &str, label: &str, width: u32| {
        html! { label { span { (label) } input name=(name) size=(width) value=[visit.value(name)]; } }
    };
    let statuses = Status::ALL.iter().map(|&status| (status.as_str(), status_word(words, status)));
    let levels = [(AccessLevel::Read.as_str(), words.read), (AccessLevel::Discover.as_str(), words.discover)];
    html! {
        form.list-filters action=(visit.at("")) {
            (field("q", words.title_or_reference, 22))
            (choice("status", words.status, statuses.collect()))
            (choice("access", words.access, levels.to_vec()))
            (field("publisher", words.publisher, 10))
            (field("ics", words.ics, 8))
            button { (words.apply) }
        }
    }
}

/// Which filter to remove where nothing is found.
fn nothing(visit: &Visit, asked: &Filters) -> Markup {
    let words = visit.words;
    html! {
        @if asked.chosen.is_empty() { p.notice { (words.none_at_all) } }
        @else {
            p.notice { (words.none_found) }
            (asked.removable(words))
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
                            td { @match standard.access { AccessLevel::Read => (words.read), AccessLevel::Discover => (words.discover), AccessLevel::Unrecognized => (words.unrecognized) } }
                        }
                    }
                }
            }
        }
    }
}
