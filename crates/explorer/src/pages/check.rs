//! Page "Check a text": what a pasted text says about standards, and whether that is so.

use axum::extract::Form;
use axum::extract::rejection::FormRejection;
use axum::http::StatusCode;
use axum::http::header::REFERRER_POLICY;
use axum::response::Response;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use norma_api::shapes::Slice;
use norma_review::{
    DocumentFormat, Review, ReviewBaseline, ReviewDocument, ReviewFinding, ReviewReport, ReviewRule,
    read_document,
};
use serde::Deserialize;

use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, page, standard_address, with_slices};
use crate::phrases::{Words, fill, with_code};
use crate::visit::{CHECK_PATH, Visit};

/// Most characters of a text that is shown again in the form.
const SHOWN_AGAIN: usize = 200_000;

/// What a person sends.
#[derive(Deserialize, Default)]
pub(crate) struct CheckForm {
    #[serde(default)]
    text: String,
    /// `text`, `markdown` or `html`.
    #[serde(default)]
    format: String,
    /// The day whose editions count; the present one where it is empty.
    #[serde(default)]
    at: String,
}

pub(crate) async fn show(visit: Visit) -> Response {
    with_form(&visit, StatusCode::OK, &CheckForm::default(), html! {})
}

pub(crate) async fn review(visit: Visit, form: Result<Form<CheckForm>, FormRejection>) -> Response {
    let Ok(Form(form)) = form else {
        let notice = html! { p.notice.warning role="alert" { (with_code(visit.words.check_too_long)) } };
        return with_form(&visit, StatusCode::PAYLOAD_TOO_LARGE, &CheckForm::default(), notice);
    };
    if form.text.trim().is_empty() {
        let notice = html! { p.notice role="alert" { (visit.words.check_nothing) } };
        return with_form(&visit, StatusCode::OK, &form, notice);
    }
    match reviewed(&visit, &form).await {
        Ok(report) => with_form(&visit, StatusCode::OK, &form, findings(&visit, &report)),
        Err(failure) => answer(&visit, Err(failure)).await,
    }
}

async fn reviewed(visit: &Visit, form: &CheckForm) -> Result<ReviewReport, PageFailure> {
    let today = jiff::Timestamp::try_from((visit.site.clock)())
        .map_err(|error| PageFailure::other(error.to_string()))?
        .to_zoned(TimeZone::system())
        .date();
    let at: Date = form.at.trim().parse().unwrap_or(today);
    let format = match form.format.as_str() {
        "markdown" => DocumentFormat::Markdown,
        "html" => DocumentFormat::Html,
        _ => DocumentFormat::Text,
    };
    let document =
        ReviewDocument { name: String::new(), blocks: read_document(format, form.text.as_bytes()) };
    let mut review = Review::new(vec![document], at, today);
    let service = &visit.site.service;
    let _large = service.large_turn().await;
    let (_turn, client) = service.turn().await;
    review
        .ask(
            |request| async move { client.resolve_citations(&request).await },
            |request| async move { client.verify_quotations(&request).await },
        )
        .await?;
    Ok(review.report(&ReviewBaseline::default()))
}

/// The page with its form, and what is known of the text.
fn with_form(visit: &Visit, status: StatusCode, form: &CheckForm, result: Markup) -> Response {
    let words = visit.words;
    let formats = [("text", words.plain_text), ("markdown", "Markdown"), ("html", "HTML")];
    let shown: String = form.text.chars().take(SHOWN_AGAIN).collect();
    let body = html! {
        div.column.broad {
            h1 { (words.check_text) }
            p { (words.check_about) }
            (result)
            form.check method="post" action=(visit.at(CHECK_PATH)) {
                label { span { (words.check_paste) } textarea name="text" rows="12" required { (shown) } }
                div.list-filters {
                    label { span { (words.format) } select name="format" {
                        @for (value, name) in formats { option value=(value) selected[form.format == value] { (name) } }
                    } }
                    label { span { (words.check_at) } input type="date" name="at" value=(form.at); }
                    button { (words.check) }
                }
            }
        }
    };
    let framed = FramedPage { title: words.check_text, trail: &[], body, script: None };
    let mut response = page(visit, status, framed);
    // A browser names the origin of a form only where the referrer policy of its page lets it (Fetch, 3.2.5).
    // This page has no links to other origins.
    response.headers_mut().insert(REFERRER_POLICY, "same-origin".parse().expect("it is a value of a header"));
    response
}

/// The findings of a report.
fn findings(visit: &Visit, report: &ReviewReport) -> Markup {
    let words = visit.words;
    let (mut citations, mut quotations) = (0, 0);
    for file in &report.files {
        citations += file.citations;
        quotations += file.quotations;
    }
    html! {
        section #findings aria-labelledby="diagnostics" {
            h2 #diagnostics { (words.diagnostics) }
            p { strong { (fill(&fill(words.check_counts, citations), quotations)) } }
            @if let Some(failure) = &report.failure { p.notice.warning role="alert" lang="en" { (with_code(failure)) } }
            @if report.findings.is_empty() { p.notice { (words.check_no_findings) } }
            @for (index, finding) in report.findings.iter().enumerate() { (finding_of(visit, index, finding)) }
            @if !report.unknown_documents.is_empty() {
                p.quiet {
                    (words.check_unknown)
                    @for unknown in &report.unknown_documents { " " bdi { (unknown.document) } " (" (unknown.citations) ")" }
                }
            }
        }
    }
}

fn finding_of(visit: &Visit, index: usize, finding: &ReviewFinding) -> Markup {
    let words = visit.words;
    let quoted: Vec<&str> = finding.changes.iter().map(|change| &*change.quoted).collect();
    let mut right: Vec<&str> = finding.changes.iter().map(|change| &*change.actual).collect();
    right.extend(finding.omissions.iter().map(|omission| &*omission.text));
    html! {
        article.diagnostic id={ "d" (index + 1) } {
            header {
                h3 { a data-hit href={ "#d" (index + 1) } { (words.line) " " (finding.position) } }
                span.status data-severity=(finding.level) { (words.stored_name(finding.level.as_str())) }
                @match &finding.edition {
                    Some(edition) => a href=(standard_address(visit, &edition.urn)) { bdi { (finding.citation) } },
                    None => bdi { (finding.citation) },
                }
            }
            p { (rule_words(words, finding.rule)) }
            @if let Some(quotation) = &finding.quotation { blockquote { bdi { (with_marks(quotation, &quoted)) } } }
            @for actual in &finding.actual {
                p.quiet { bdi { (actual.cite) } }
                blockquote { bdi { (with_marks(&actual.text, &right)) } }
            }
            // What is right and what to do is said in English. Of words of another edition, this sentence
            // alone says which edition and place has them.
            details.raw open[words.language == "en" || finding.rule == ReviewRule::OtherEdition] { summary { (words.check_advice) } p lang="en" { bdi { (finding.message) } } }
        }
    }
}

/// A text with marks around some words of it. Findings have no positions: words that the text has several
/// times are not marked.
fn with_marks(text: &str, marked: &[&str]) -> Markup {
    let mut slices = Vec::new();
    for words in marked {
        let mut found = text.match_indices(words).filter(|(start, words)| is_whole(text, *start, words));
        if let (Some((start, words)), None) = (found.next(), found.next()) {
            let start = text[..start].chars().count();
            slices.push((Slice { start, end: start + words.chars().count() }, ()));
        }
    }
    with_slices(text, slices, |(), words| html! { mark { (words) } })
}

/// True if a part of a text does not begin or end within a word.
fn is_whole(text: &str, start: usize, part: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (before, after) = (text[..start].chars().next_back(), text[start + part.len()..].chars().next());
    let begins_within = is_letter(before) && is_letter(part.chars().next());
    let ends_within = is_letter(after) && is_letter(part.chars().next_back());
    !part.is_empty() && !begins_within && !ends_within
}

/// What a rule finds, in one sentence.
fn rule_words(words: &Words, rule: ReviewRule) -> &'static str {
    match rule {
        ReviewRule::LocationUnknown => words.rule_location_unknown,
        ReviewRule::EditionUnknown => words.rule_edition_unknown,
        ReviewRule::SupersededEdition => words.rule_superseded,
        ReviewRule::WithdrawnEdition => words.rule_withdrawn,
        ReviewRule::AmendedLocation => words.rule_amended,
        ReviewRule::AmbiguousCitation => words.rule_ambiguous,
        ReviewRule::AlteredQuotation => words.rule_altered,
        ReviewRule::PartialQuotation => words.rule_partial,
        ReviewRule::OtherEdition => words.rule_other_edition,
        ReviewRule::AbsentQuotation => words.rule_absent,
        ReviewRule::OtherLocation => words.rule_other_location,
        ReviewRule::Unverified => words.rule_unverified,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::visit::tests::visit;

    async fn text_of(response: Response) -> String {
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn a_text_without_a_citation_is_checked_without_a_call_of_the_service() {
        let form = CheckForm { text: "Nothing <b> is cited.".to_owned(), ..CheckForm::default() };
        let response = review(visit("de/check").await, Ok(Form(form))).await;
        assert_eq!(response.headers()[REFERRER_POLICY], "same-origin");
        let text = text_of(response).await;
        let words = crate::phrases::words("de").unwrap();
        assert!(text.contains(words.check_no_findings), "{text}");
        assert!(text.contains("Nothing &lt;b&gt; is cited.</textarea>"), "{text}");
    }

    #[test]
    fn words_that_differ_are_marked_where_the_text_has_them_once() {
        let marked = with_marks("ä load of 5 kN < 15 kN for 60 s", &["5 kN", "o", "", "60 s", "9 s"]);
        assert_eq!(marked.into_string(), "ä load of <mark>5 kN</mark> &lt; 15 kN for <mark>60 s</mark>");
        assert_eq!(with_marks("a lid, a box", &["a"]).into_string(), "a lid, a box");
    }

    #[tokio::test]
    async fn an_empty_text_asks_for_one_and_a_citation_asks_the_service() {
        let empty = review(visit("fr/check").await, Ok(Form(CheckForm::default()))).await;
        assert!(text_of(empty).await.contains(crate::phrases::words("fr").unwrap().check_nothing));
        let form = CheckForm { text: "See ISO 9001:2015, 4.2.".to_owned(), ..CheckForm::default() };
        let away = review(visit("en/check").await, Ok(Form(form))).await;
        assert_eq!(away.status(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
