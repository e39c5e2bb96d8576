//! The frame of all pages, the page of a failure, and what several pages show.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use norma_api::shapes::{ProvisionType, Slice, Status};
use norma_client::DiagnosisStep;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::failure::{FailureKind, PageFailure};
use crate::phrases::{Words, with_code};
use crate::visit::{CHECK_PATH, Visit};

/// Characters that are escaped in a part of a path or query: all but letters, digits and these five.
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
    let (title, advice) = what_failed(words, failure.kind);
    let findings: Vec<DiagnosisStep> = match failure.kind {
        FailureKind::Refused => visit.site.service.diagnose().await,
        _ => Vec::new(),
    };
    let body = html! {
        div.column {
            h1 { (title) }
            p { (with_code(advice)) }
            // What the service says is in English.
            details.raw open[words.language == "en"] {
                summary { (words.service_says) }
                p.notice lang="en" { (with_code(&failure.detail)) }
                @if !findings.is_empty() { (found(&findings)) }
            }
            p.actions {
                @if failure.kind.may_pass() { a.button href=(visit.own()) { (words.retry) } " " }
                a.button href=(visit.at("")) { (words.standards) }
            }
            (help)
        }
    };
    page(visit, failure.kind.status(), FramedPage { title, trail: &[], body, script: None })
}

/// A failure in few words, and what helps.
fn what_failed(words: &Words, kind: FailureKind) -> (&'static str, &'static str) {
    match kind {
        FailureKind::NotFound | FailureKind::Unlicensed => (words.not_found, words.not_found_fix),
        FailureKind::Recalled => (words.recalled, words.recalled_fix),
        FailureKind::Gone => (words.gone, words.gone_fix),
        FailureKind::Refused => (words.refused, words.refused_fix),
        FailureKind::SearchOff => (words.search_off, words.search_off_fix),
        FailureKind::NotComparable => (words.not_comparable, words.not_comparable_fix),
        FailureKind::NoStore => (words.no_store, words.no_store_fix),
        FailureKind::Wrong => (words.wrong, words.wrong_fix),
        FailureKind::Busy => (words.busy, words.busy_fix),
        FailureKind::Away => (words.away, words.away_fix),
        FailureKind::Other => (words.failed, words.failed_fix),
    }
}

/// What a diagnosis of the client found.
fn found(findings: &[DiagnosisStep]) -> Markup {
    html! {
        dl.findings lang="en" {
            @for finding in findings {
                dt { @if finding.fix.is_some() { "✗ " } @else { "✓ " } (finding.check) }
                dd { (with_code(&finding.message)) @if let Some(fix) = &finding.fix { br; strong { (with_code(fix)) } } }
            }
        }
    }
}

/// The page for an address that has none.
pub(crate) fn no_page(visit: &Visit) -> Response {
    let words = visit.words;
    let body = html! {
        div.column {
            h1 { (words.no_page) }
            p { (words.no_page_fix) }
            p.actions { a.button.primary href=(visit.at("")) { (words.standards) } a.button href=(visit.at("search")) { (words.search) } }
        }
    };
    page(visit, StatusCode::NOT_FOUND, FramedPage { title: words.no_page, trail: &[], body, script: None })
}

/// A text as a part of a path or query.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// A page in its frame.
pub(crate) fn page(visit: &Visit, status: StatusCode, page: FramedPage<'_>) -> Response {
    let words = visit.words;
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
                link rel="stylesheet" media="print" href={ (visit.file("print.css")) "?title=" (encoded(page.title)) };
                script type="module" src=(visit.file("explorer.js")) {}
                @if let Some(script) = &page.script { script type="module" src=(script) {} }
            }
            body.explorer data-copied=(words.copied) data-copy-csv=(words.copy_csv) data-copy-link=(if visit.site.link_base.is_some() { words.copy_shared } else { words.copy_link })
                data-sort=(words.sort) data-loading=(words.loading) data-go=(words.go_there) data-away=(words.away) {
                a.skip href="#main" { (words.skip) }
                header.top {
                    nav.trail aria-label=(words.explorer) {
                        a href=(visit.at("")) { "Norma" }
                        @for (name, address) in page.trail { " / " a href=(address) { (name) } }
                    }
                    (search_form(visit))
                    a href=(visit.at(CHECK_PATH)) { (words.check_text) }
                    nav.languages aria-label=(words.languages) {
                        @for (language, address) in visit.in_languages() {
                            a href=(address) lang=(language) hreflang=(language) aria-current=[(language == words.language).then_some("true")] { (language) }
                        }
                    }
                }
                main #main tabindex="-1" { (page.body) }
                (footer(visit))
            }
        }
    };
    (status, [(CONTENT_TYPE, "text/html; charset=utf-8")], markup.into_string()).into_response()
}

/// The search box. On the page of a search it has the words and filters of that search.
fn search_form(visit: &Visit) -> Markup {
    let words = visit.words;
    let searched = visit.searched();
    let q = searched.iter().find(|(name, _)| *name == "q").map(|(_, value)| value);
    html! {
        form.find role="search" action=(visit.at("search")) {
            input type="search" name="q" aria-label=(words.search) placeholder=(words.search_hint)
                value=[q] aria-keyshortcuts="/";
            @for (name, value) in searched.iter().filter(|(name, _)| *name != "q") {
                input type="hidden" name=(name) value=(value);
            }
            button { (words.search) }
        }
    }
}

/// Whose answers the page shows, and the keys that its script knows.
fn footer(visit: &Visit) -> Markup {
    let (words, site) = (visit.words, &visit.site);
    let keys = [
        ("/", words.search),
        ("j k", words.key_mark),
        ("Enter", words.key_open),
        ("n p", words.key_clause),
        ("t", words.contents),
        ("c", words.comparison),
        ("Esc", words.close),
        ("?", words.key_list),
    ];
    html! {
        footer.bottom {
            p { (words.service) " " code { (site.service.url()) } " · " (words.tenant) " " code { (site.tenant) } " · " (words.client) " " code { (site.client_id) } }
            details.keys {
                summary aria-keyshortcuts="?" { (words.keys) }
                dl {
                    @for (keys, meaning) in keys {
                        dt { @for key in keys.split(' ') { kbd { (key) } " " } } dd { (meaning) }
                    }
                }
            }
            p.quiet role="status" data-status {}
        }
    }
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

/// A text with slices of it wrapped, which count Unicode scalar values. Where two overlap, the first one is
/// wrapped.
pub(crate) fn with_slices<T>(
    text: &str,
    mut slices: Vec<(Slice, T)>,
    wrap: impl Fn(&T, &str) -> Markup,
) -> Markup {
    slices.sort_by_key(|(slice, _)| (slice.start, slice.end));
    let chars: Vec<char> = text.chars().collect();
    let mut parts: Vec<Markup> = Vec::new();
    let mut done = 0;
    for (slice, own) in &slices {
        let overlaps = slice.start < done;
        let is_empty = slice.start >= slice.end.min(chars.len());
        if overlaps || is_empty {
            continue;
        }
        let before = part(&chars, done, slice.start);
        parts.push(html! { (before) (wrap(own, &part(&chars, slice.start, slice.end))) });
        done = slice.end;
    }
    html! { @for one in &parts { (one) } (part(&chars, done, chars.len())) }
}

/// The characters between two offsets; an offset beyond the text means its end.
fn part(chars: &[char], start: usize, end: usize) -> String {
    chars[start.min(chars.len())..end.min(chars.len())].iter().collect()
}

/// A text with a button that copies it; without the script the text alone.
pub(crate) fn copyable(visit: &Visit, name: &str, text: &str) -> Markup {
    html! {
        div.copyable {
            span.name { (name) }
            code { (text) }
            button.scripted type="button" data-copy=(text) hidden { (visit.words.copy) span.hidden { (visit.words.colon()) (name) } }
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

/// A text with its first letter in upper case, as a heading or at the begin of a line.
pub(crate) fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => first.to_uppercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// The language at the end of a URN; nothing where it is not one language.
pub(crate) fn language(urn: &str) -> Option<&str> {
    let last = urn.rsplit(':').next()?;
    let is_language = last.len() == 2 && last.bytes().all(|byte| byte.is_ascii_lowercase());
    is_language.then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::tests::visit;

    #[test]
    fn a_part_of_an_address_has_no_separators_and_no_escapes_of_urns() {
        assert_eq!(encoded("urn:x:std:9999:ed-2:en"), "urn:x:std:9999:ed-2:en");
        assert_eq!(encoded("a/b?c#d&e=ü %"), "a%2Fb%3Fc%23d%26e%3D%C3%BC%20%25");
    }

    #[test]
    fn the_language_of_a_urn_is_known_only_where_it_is_one() {
        assert_eq!(language("urn:nsb:std:nsb:4210:ed-2:en"), Some("en"));
        for urn in ["urn:nsb:std:nsb:4210:ed-2:en,fr", "urn:nsb:std:nsb:4210:ed-2", "urn:x:EN", ""] {
            assert_eq!(language(urn), None, "{urn}");
        }
    }

    fn marked(text: &str, slices: &[(usize, usize)]) -> String {
        let slices = slices.iter().map(|&(start, end)| (Slice { start, end }, ())).collect();
        with_slices(text, slices, |(), part| html! { mark { (part) } }).into_string()
    }

    #[test]
    fn slices_count_characters_and_are_escaped() {
        assert_eq!(marked("ä < ö", &[(4, 5), (0, 1)]), "<mark>ä</mark> &lt; <mark>ö</mark>");
        assert_eq!(marked("a<b", &[(1, 2)]), "a<mark>&lt;</mark>b");
    }

    #[test]
    fn of_slices_that_overlap_the_first_one_is_marked() {
        assert_eq!(marked("abcdef", &[(1, 4), (2, 5), (4, 6)]), "a<mark>bcd</mark><mark>ef</mark>");
    }

    #[test]
    fn slices_beyond_the_text_or_without_characters_mark_nothing() {
        assert_eq!(marked("abc", &[(1, 1), (3, 5), (7, 9)]), "abc");
        assert_eq!(marked("abc", &[(2, 9)]), "ab<mark>c</mark>");
    }

    #[tokio::test]
    async fn addresses_of_parts_stay_in_the_language_of_the_page() {
        let visit = visit("fr/").await;
        assert_eq!(element_address(&visit, "urn:x:en", "a b"), "/key/fr/s/urn:x:en?at=a%20b#a%20b");
        assert_eq!(provision_address(&visit, "prv/1"), "/key/fr/p/prv%2F1");
    }

    #[tokio::test]
    async fn the_search_box_has_the_words_and_filters_of_a_search_escaped() {
        let visit = visit("en/search?q=%22%3Cb%3E&type=term&cursor=x").await;
        let form = search_form(&visit).into_string();
        assert!(form.contains("value=\"&quot;&lt;b&gt;\""), "{form}");
        assert!(form.contains("<input type=\"hidden\" name=\"type\" value=\"term\">"), "{form}");
        assert!(!form.contains("cursor"), "{form}");
    }
}
