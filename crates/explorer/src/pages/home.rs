//! First page: three sentences, and the list of documents with its filters.

use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{AccessLevel, StandardList, StandardSummary, Status};

use crate::documents::{ListedDocument, ListedEdition, document_urn, document_urns, documents, standards_of};
use crate::failure::PageFailure;
use crate::filters::Filters;
use crate::frame::{FramedPage, answer, encoded, page, standard_address, status_word};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Standards of which a page of the list shows the documents.
const PAGE_SIZE: u32 = 100;

/// Filters of the list, by their names in the API.
const FILTERS: [&str; 5] = ["q", "status", "access", "publisher", "ics"];

pub(crate) async fn show(visit: Visit) -> Response {
    let made = made(&visit).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit) -> Result<Response, PageFailure> {
    let (service, words) = (&visit.site.service, visit.words);
    let asked = Filters::of(visit, "", visit.parameters(&FILTERS));
    let query = match visit.value("cursor") {
        Some(cursor) => format!("limit={PAGE_SIZE}&cursor={}", encoded(&cursor)),
        None => format!("limit={PAGE_SIZE}&{}", asked.query()),
    };
    let list: StandardList<'static> = service.json(Operation::Standards, &[], &query).await?;
    let mut urns = document_urns(&list.items);
    // The page before ended among the editions of this document, and has all of them.
    let shown_before = visit.value("after");
    urns.retain(|urn| Some(*urn) != shown_before.as_deref());
    let documents = documents(&urns, standards_of(service, &urns, &asked.query()).await?);
    let is_start = asked.chosen.is_empty() && visit.value("cursor").is_none();
    let body = html! {
        div.column.wide-column {
            @if is_start { (introduction(visit)) } @else { h1 { (words.standards) } }
            (filters(visit))
            p.quiet { (fill(words.editions_found, list.total)) " " (words.only_granted) }
            @if list.items.is_empty() { (nothing(visit, &asked)) } @else { (table(visit, &documents)) }
            @if let Some(address) = next_page(&asked, &list) {
                p.actions { a.button rel="next" href=(address) { (words.next_page) } }
            }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: words.standards, trail: &[], body, script: None }))
}

/// What the explorer is, and a standard to begin with.
fn introduction(visit: &Visit) -> Markup {
    let words = visit.words;
    html! {
        h1 { (words.explorer) }
        p.intro { (words.about_norma) " " (words.about_page) " " (words.about_safety) }
        @if let Some(urn) = &visit.site.featured {
            p { a.button.primary href=(standard_address(visit, urn)) { (words.read_full) } }
        }
    }
}

/// The address of the next page. Editions of the last document may be on it, too: it leaves them out.
fn next_page(asked: &Filters, list: &StandardList<'_>) -> Option<String> {
    let (next, last) = (list.next.as_deref()?, list.items.last()?);
    let after = [("cursor", next.to_owned()), ("after", document_urn(&last.urn).to_owned())];
    Some(asked.address(asked.chosen.iter().chain(&after)))
}

fn filters(visit: &Visit) -> Markup {
    let words = visit.words;
    let mut statuses = Vec::new();
    for &status in Status::ALL {
        statuses.push((status.as_str(), status_word(words, status)));
    }
    let levels = [(AccessLevel::Read.as_str(), words.read), (AccessLevel::Discover.as_str(), words.discover)];
    html! {
        form.list-filters action=(visit.at("")) {
            (field(visit, "q", words.title_or_reference, 22))
            (choice(visit, "status", words.status, &statuses))
            (choice(visit, "access", words.access, &levels))
            (field(visit, "publisher", words.publisher, 10))
            (field(visit, "ics", words.ics, 8))
            button { (words.apply) }
        }
    }
}

fn field(visit: &Visit, name: &str, label: &str, width: u32) -> Markup {
    html! { label { span { (label) } input name=(name) size=(width) value=[visit.value(name)]; } }
}

/// A choice of one of several values, each with the word for it, or of any.
fn choice(visit: &Visit, name: &str, label: &str, options: &[(&str, &str)]) -> Markup {
    let chosen = visit.value(name);
    html! {
        label {
            span { (label) }
            select name=(name) {
                option value="" { (visit.words.any) }
                @for (value, word) in options {
                    option value=(value) selected[chosen.as_deref() == Some(*value)] { (word) }
                }
            }
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

/// A row for each document; on a narrow page a card.
fn table(visit: &Visit, documents: &[ListedDocument]) -> Markup {
    let words = visit.words;
    let heads =
        [words.reference, words.title, words.editions, words.publisher, words.access, words.last_change];
    html! {
        div.wide tabindex="0" role="region" aria-label=(words.standards) {
            table.list.cards data-sortable {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody { @for document in documents { (row(visit, document)) } }
            }
        }
    }
}

fn row(visit: &Visit, document: &ListedDocument) -> Markup {
    let words = visit.words;
    let present = document.present(words);
    html! {
        tr {
            th.reference scope="row" { a href=(standard_address(visit, &present.urn)) { (present.reference) } }
            td.title lang=(present.language) { (present.title) }
            td data-head=(words.editions) { ul.editions { @for edition in &document.editions { li { (editions(visit, edition)) } } } }
            td data-head=(words.publisher) { (present.publisher) }
            td data-head=(words.access) {
                @match document.access() { Some(level) => (level_word(words, level)), None => (words.partly_read) }
            }
            td.date data-head=(words.last_change) { time { (document.last_change()) } }
        }
    }
}

/// The date of an edition with a link for each language, and its amendments. Languages of the same status
/// share its word.
fn editions(visit: &Visit, edition: &ListedEdition) -> Markup {
    let words = visit.words;
    let first = &edition.texts[0];
    let amendments = edition.amendments();
    html! {
        span.date { @match &first.published_on { Some(date) => (date), None => { (words.edition) " " (first.edition) } } }
        @for texts in edition.texts.chunk_by(|a, b| a.status == b.status) {
            @for text in texts { " " (language_link(visit, text)) }
            @let status = texts[0].status;
            " " span.status data-status-word=(status) { (status_word(words, status)) }
        }
        @if !amendments.is_empty() {
            div.amendments {
                span.quiet { (words.amended_by) } " "
                @for (at, one) in amendments.iter().enumerate() {
                    @if at > 0 { ", " }
                    a.reference href=(standard_address(visit, one.urn)) { (one.reference) }
                }
            }
        }
    }
}

fn language_link(visit: &Visit, text: &StandardSummary<'_>) -> Markup {
    let words = visit.words;
    let is_outline = text.access == AccessLevel::Discover;
    html! {
        a.language href=(standard_address(visit, &text.urn)) hreflang=(text.language) title=[is_outline.then_some(words.discover)] {
            span.hidden { (text.reference) ", " } (text.language)
            @if is_outline { span.hidden { " (" (words.discover) ")" } "°" }
        }
    }
}

fn level_word(words: &Words, level: AccessLevel) -> &'static str {
    match level {
        AccessLevel::Read => words.read,
        AccessLevel::Discover => words.discover,
        AccessLevel::Unrecognized => words.unrecognized,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::tests::listed;
    use crate::visit::tests::visit;

    #[tokio::test]
    async fn a_form_shows_the_filters_of_its_page_escaped() {
        let visit = visit("en/?q=a%22b&status=withdrawn&access=").await;
        let form = filters(&visit).into_string();
        assert!(form.contains("name=\"q\" size=\"22\" value=\"a&quot;b\""), "{form}");
        assert_eq!(form.matches(" selected").count(), 1, "{form}");
        assert!(form.contains("<option value=\"withdrawn\" selected>withdrawn</option>"), "{form}");
        assert!(form.contains("name=\"publisher\" size=\"10\">"), "{form}");
    }

    #[tokio::test]
    async fn nothing_found_without_a_filter_means_that_a_grant_is_missing() {
        let visit = visit("en/").await;
        let filtered = |chosen| nothing(&visit, &Filters::of(&visit, "", chosen)).into_string();
        assert!(filtered(Vec::new()).contains(visit.words.none_at_all));
        assert!(filtered(vec![("q", "lid".to_owned())]).contains(visit.words.none_found));
    }

    #[tokio::test]
    async fn a_row_shows_each_edition_with_its_languages_and_what_may_not_be_read() {
        let visit = visit("de/").await;
        let rows = table(&visit, &listed()).into_string();
        assert_eq!(rows.matches("<tr>").count(), 3, "{rows}");
        assert!(rows.contains("<th class=\"reference\" scope=\"row\"><a href=\"/key/de/s/urn:x:std:x:1:ed-2:de\">X 2025-03</a>"), "{rows}");
        for part in [
            "ed-1:en\" hreflang=\"en\" title=\"nur Gliederung\"",
            "X 1/Amd 1",
            visit.words.partly_read,
            "<time>2026-02-01</time>",
            visit.words.superseded,
        ] {
            assert!(rows.contains(part), "{part} in {rows}");
        }
        // The amendment is on the line of the edition that it amends, before that of the older one.
        let lines: Vec<&str> = rows.split("<li>").collect();
        let amended: Vec<&&str> = lines.iter().filter(|line| line.contains("X 1/Amd 1")).collect();
        assert!(amended.len() == 1 && amended[0].contains("ed-2:de\""), "{rows}");
    }

    #[tokio::test]
    async fn the_next_page_repeats_the_filters_and_leaves_out_the_document_that_this_one_ends_with() {
        let visit = visit("en/?status=published").await;
        let asked = Filters::of(&visit, "", visit.parameters(&FILTERS));
        let items =
            vec![crate::documents::tests::standard("urn:x:std:x:1:ed-1:en", "2020", serde_json::json!({}))];
        let mut list = StandardList { items, next: Some("abc".into()), total: 9 };
        let address = next_page(&asked, &list).unwrap();
        assert_eq!(address, "/key/en/?status=published&cursor=abc&after=urn%3Ax%3Astd%3Ax%3A1");
        list.next = None;
        assert_eq!(next_page(&asked, &list), None);
    }
}
