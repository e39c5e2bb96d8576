//! The frame of all pages, the page of a failure, and what several pages show.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use norma_api::shapes::{ProvisionType, Slice, Status};
use norma_client::DiagnosisStep;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::failure::{FailureKind, PageFailure};
use crate::phrases::Words;
use crate::visit::Visit;

/// Characters of a part of a path or query that are written as they are, in addition to letters and digits.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b':');

/// Content of a page.
pub(crate) struct FramedPage<'a> {
    pub(crate) title: &'a str,
    /// Pages above this one: name and address.
    pub(crate) trail: &'a [(String, String)],
    pub(crate) body: Markup,
    /// Address of a script in addition to that of all pages.
    pub(crate) script: Option<String>,
}

/// An answer: a page, or the page of its failure.
pub(crate) async fn answer(visit: &Visit, made: Result<Response, PageFailure>) -> Response {
    match made {
        Ok(response) => response,
        Err(failure) => failed(visit, &failure, html! {}).await,
    }
}

/// The page of a failure, with what helps in addition.
pub(crate) async fn failed(visit: &Visit, failure: &PageFailure, help: Markup) -> Response {
    let words = visit.words;
    let title = match failure.kind {
        FailureKind::NotFound | FailureKind::Unlicensed => words.not_found,
        FailureKind::Recalled => words.recalled,
        FailureKind::Gone => words.gone,
        FailureKind::Refused => words.refused,
        FailureKind::SearchOff => words.search_off,
        FailureKind::Wrong => words.wrong,
        FailureKind::Busy => words.busy,
        FailureKind::Away => words.away,
        FailureKind::Other => words.failed,
    };
    let findings: Vec<DiagnosisStep> = match failure.kind {
        FailureKind::Refused => visit.site.service.diagnose().await,
        _ => Vec::new(),
    };
    let body = html! {
        div.column {
            h1 { (title) }
            @if failure.kind == FailureKind::NotFound { p { (words.not_found_fix) } }
            p.notice lang="en" { (failure.detail) }
            @if !findings.is_empty() {
                dl.findings lang="en" {
                    @for finding in &findings {
                        dt { @if finding.fix.is_some() { "✗ " } @else { "✓ " } (finding.check) }
                        dd { (finding.message) @if let Some(fix) = &finding.fix { br; strong { (fix) } } }
                    }
                }
            }
            p.actions {
                @if failure.kind != FailureKind::Wrong { a.button href=(visit.own()) { (words.retry) } " " }
                a.button href=(visit.at("")) { (words.standards) }
            }
            (help)
        }
    };
    page(visit, failure.kind.status(), FramedPage { title, trail: &[], body, script: None })
}

/// A text as a part of a path or query.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A page in its frame.
pub(crate) fn page(visit: &Visit, status: StatusCode, page: FramedPage<'_>) -> Response {
    let (words, site) = (visit.words, &visit.site);
    let searched = visit.searched();
    let q = searched.iter().find(|(name, _)| *name == "q").map(|(_, value)| value);
    let markup = html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) " · " (words.explorer) }
                link rel="icon" href=(visit.file("icon.svg"));
                link rel="stylesheet" href=(visit.file("explorer.css"));
                script type="module" src=(visit.file("explorer.js")) {}
                @if let Some(script) = &page.script { script type="module" src=(script) {} }
            }
            body.explorer data-copied=(words.copied) data-copy-csv=(words.copy_csv) data-copy-link=(words.copy_link)
                data-sort=(words.sort) data-loading=(words.loading) data-go=(words.go_there) data-away=(words.away) {
                a.skip href="#main" { (words.skip) }
                header.top {
                    nav.trail aria-label=(words.explorer) {
                        a href=(visit.at("")) { "Norma" }
                        @for (name, address) in page.trail { " / " a href=(address) { (name) } }
                    }
                    form.find role="search" action=(visit.at("search")) {
                        input type="search" name="q" aria-label=(words.search) placeholder=(words.search_hint)
                            value=[q] aria-keyshortcuts="/";
                        @for (name, value) in searched.iter().filter(|(name, _)| *name != "q") { input type="hidden" name=(name) value=(value); }
                        button { (words.search) }
                    }
                    nav.languages aria-label=(words.languages) {
                        @for (language, address) in visit.in_languages() {
                            a href=(address) lang=(language) hreflang=(language) aria-current=[(language == words.language).then_some("true")] { (language) }
                        }
                    }
                }
                main #main tabindex="-1" { (page.body) }
                footer.bottom {
                    p { (words.service) " " code { (site.service.url()) } " · " (words.tenant) " " code { (site.tenant) } " · " (words.client) " " code { (site.client_id) } }
                    details.keys {
                        summary aria-keyshortcuts="?" { (words.keys) }
                        dl {
                            @for (keys, meaning) in [("/", words.search), ("j k", words.key_mark), ("Enter", words.key_open), ("n p", words.key_clause), ("t", words.contents), ("c", words.comparison), ("Esc", words.close), ("?", words.key_list)] {
                                dt { @for key in keys.split(' ') { kbd { (key) } " " } } dd { (meaning) }
                            }
                        }
                    }
                    p.quiet role="status" data-status {}
                }
            }
        }
    };
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], markup.into_string()).into_response()
}

/// A word for a status.
pub(crate) fn status_word(words: &Words, status: Status) -> &'static str {
    match status {
        Status::Draft => words.draft,
        Status::Published => words.in_force,
        Status::Superseded => words.superseded,
        Status::Withdrawn => words.withdrawn,
        Status::Unrecognized => words.unrecognized,
    }
}

/// A word for a type of provision, with the letter of its mark.
pub(crate) fn type_word(words: &Words, kind: ProvisionType) -> (&'static str, &'static str) {
    match kind {
        ProvisionType::Requirement => ("R", words.requirement),
        ProvisionType::Recommendation => ("S", words.recommendation),
        ProvisionType::Permission => ("P", words.permission),
        ProvisionType::Capability => ("C", words.capability),
        ProvisionType::ExternalConstraint => ("X", words.external),
        ProvisionType::Unrecognized => ("?", words.unrecognized),
    }
}

/// The mark of a type of provision: its letter, in its colour.
pub(crate) fn mark(words: &Words, kind: ProvisionType) -> Markup {
    let (letter, word) = type_word(words, kind);
    html! { abbr.mark data-type=(kind) title=(word) { (letter) } }
}

/// A text with slices of it, in Unicode scalar values, wrapped; of slices that overlap the first one.
pub(crate) fn with_slices<T>(
    text: &str,
    mut slices: Vec<(Slice, T)>,
    wrap: impl Fn(&T, &str) -> Markup,
) -> Markup {
    slices.sort_by_key(|(slice, _)| (slice.start, slice.end));
    let chars: Vec<char> = text.chars().collect();
    let part = |start: usize, end: usize| {
        chars[start.min(chars.len())..end.min(chars.len())].iter().collect::<String>()
    };
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    for (slice, own) in &slices {
        if slice.start >= done && slice.start < slice.end.min(chars.len()) {
            parts.push(html! { (part(done, slice.start)) (wrap(own, &part(slice.start, slice.end))) });
            done = slice.end;
        }
    }
    html! { @for one in &parts { (one) } (part(done, chars.len())) }
}

/// A text with a button that copies it; without the script the text alone.
pub(crate) fn copyable(visit: &Visit, name: &str, text: &str) -> Markup {
    html! {
        div.copyable {
            span.name { (name) }
            code { (text) }
            button.scripted type="button" data-copy=(text) hidden { (visit.words.copy) span.hidden { ": " (name) } }
        }
    }
}

/// The address of a standard.
pub(crate) fn standard_address(visit: &Visit, urn: &str) -> String {
    visit.at(&format!("s/{}", encoded(urn)))
}

/// The address of an element of a standard.
pub(crate) fn element_address(visit: &Visit, urn: &str, id: &str) -> String {
    let id = encoded(id);
    format!("{}?at={id}#{id}", standard_address(visit, urn))
}

/// The address of a provision.
pub(crate) fn provision_address(visit: &Visit, id: &str) -> String {
    visit.at(&format!("p/{}", encoded(id)))
}
