//! Page of an ingest, for an operator: what is flawed in the source of an edition, next to the line and the
//! text that it became, what the last ingest changed, and what is stored.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::query::{AskedRevision, ComparisonQuery};
use norma_api::shapes::{ComparisonAnswer, ComparisonRelation, ComparisonView, ProvisionChange, Status};

use crate::comparison::{merged, printed, relation_words};
use crate::failure::{FailureKind, PageFailure};
use crate::filters::Filters;
use crate::frame::{
    FramedPage, answer, element_address, encoded, language, page, standard_address, status_word, type_word,
};
use crate::ingests::{IngestDiagnostic, IngestReport, IngestedRevision};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Characters of a line before and after the column of a diagnostic: a source may be one line.
const AROUND: usize = 160;

/// Changes since the last ingest that are shown.
const CHANGES: usize = 50;

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let Some(read_report) = &visit.site.read_ingest_report else {
        let detail = "start the explorer with `--store` to see what ingests found".to_owned();
        return Err(PageFailure { kind: FailureKind::NoStore, detail });
    };
    let Some(report) = read_report(urn.to_owned()).await.map_err(PageFailure::other)? else {
        return Err(PageFailure::not_found(format!("the store has no edition `{urn}`")));
    };
    let words = visit.words;
    let reference = stored(&report, "reference").unwrap_or(urn);
    let path = format!("i/{}", encoded(urn));
    let trail =
        [(reference.to_owned(), standard_address(visit, urn)), (words.ingest.to_owned(), visit.at(&path))];
    let filters = Filters::of(visit, &path, visit.parameters(&["severity", "code"]));
    let body = html! {
        div.column.broad {
            h1 { (words.ingest) (words.colon()) span.reference { (reference) } }
            p.urn { (urn) }
            (counts(visit, urn, &report, &filters))
            (diagnostics(visit, urn, &report, &filters))
            @if let Some(replaced) = &report.replaced { (changes(visit, urn, replaced).await) }
            h2 #stored { (words.stored) }
            dl.stored { @for (name, value) in &report.stored { dt { (words.stored_name(name)) } (stored_value(words, name, value)) } }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: reference, trail: &trail, body, script: None }))
}

/// A stored value. What is said in English is translated where its words are known, else marked as English.
fn stored_value(words: &Words, name: &str, value: &str) -> Markup {
    if name == "status"
        && let Ok(status) = value.parse::<Status>()
    {
        return html! { dd { (status_word(words, status)) } };
    }
    if name == "provisions" {
        return html! { dd { (numbers_of_types(words, value)) } };
    }
    let is_english = matches!(name, "size" | "graphics" | "status");
    html! { dd lang=[is_english.then_some("en")] { (value) } }
}

/// `2: recommendation 1, requirement 1` with the words of the page for the types of provisions.
fn numbers_of_types(words: &Words, value: &str) -> String {
    let Some((total, types)) = value.split_once(": ") else { return value.to_owned() };
    let mut said = Vec::new();
    for one in types.split(", ") {
        let parsed = one.rsplit_once(' ').and_then(|(kind, count)| Some((kind.parse().ok()?, count)));
        said.push(match parsed {
            Some((kind, count)) => format!("{} {count}", type_word(words, kind).1),
            None => one.to_owned(),
        });
    }
    let types = said.join(", ");
    if types.is_empty() { total.to_owned() } else { format!("{total}{}{types}", words.colon()) }
}

fn stored<'a>(report: &'a IngestReport, wanted: &str) -> Option<&'a str> {
    report.stored.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
}

/// Counts that lead to what they count.
fn counts(visit: &Visit, urn: &str, report: &IngestReport, filters: &Filters) -> Markup {
    let words = visit.words;
    let own = standard_address(visit, urn);
    html! {
        ul.chips aria-label=(words.stored) {
            @for (name, value) in &report.stored {
                @if COUNTED.contains(name) {
                    // What follows the number says how many of each kind there are.
                    @let count = value.split([':', ',']).next().unwrap_or_default();
                    li { a.chip href=(own) { (words.stored_name(name)) " " b { (count) } } }
                }
            }
        }
        (filters.removable(words))
        ul.chips aria-label=(words.diagnostics) {
            @for (name, value, count) in kinds(&report.diagnostics) {
                @if !filters.has(name, value) {
                    li { a.chip href={ (filters.with(name, value)) "#diagnostics" } { (words.stored_name(value)) " " b { (count) } } }
                }
            }
        }
    }
}

/// Rows of what is stored that count parts of the text.
const COUNTED: [&str; 5] = ["sections", "provisions", "terms", "tables", "graphics"];

/// Severities and codes, each with the number of its diagnostics.
fn kinds(diagnostics: &[IngestDiagnostic]) -> Vec<(&'static str, &'static str, usize)> {
    let mut kinds: Vec<(&'static str, &'static str, usize)> = Vec::new();
    for name in ["severity", "code"] {
        for diagnostic in diagnostics {
            let value = if name == "code" { diagnostic.code } else { diagnostic.severity };
            match kinds.iter_mut().find(|kind| (kind.0, kind.1) == (name, value)) {
                Some(kind) => kind.2 += 1,
                None => kinds.push((name, value, 1)),
            }
        }
    }
    kinds
}

/// The diagnostics that the filters leave, each with links to the one before and after it.
fn diagnostics(visit: &Visit, urn: &str, report: &IngestReport, filters: &Filters) -> Markup {
    let words = visit.words;
    let mut shown: Vec<&IngestDiagnostic> = Vec::new();
    for diagnostic in &report.diagnostics {
        if is_chosen(filters, "severity", diagnostic.severity) && is_chosen(filters, "code", diagnostic.code)
        {
            shown.push(diagnostic);
        }
    }
    html! {
        h2 #diagnostics { (words.diagnostics) " " b { (shown.len()) } }
        @if report.diagnostics.is_empty() { p.notice { (words.no_diagnostics) } }
        @for (index, diagnostic) in shown.iter().enumerate() {
            article.diagnostic id={ "d" (index + 1) } {
                header {
                    h3 { a data-hit href={ "#d" (index + 1) } { (words.line) " " (diagnostic.line) ":" (diagnostic.column) } }
                    span.status data-severity=(diagnostic.severity) { (words.stored_name(diagnostic.severity)) }
                    code { (diagnostic.code) }
                    span.steps {
                        @if index > 0 { a href={ "#d" (index) } title=(words.previous_diagnostic) { "↑" span.hidden { (words.previous_diagnostic) } } }
                        @if index + 1 < shown.len() { a href={ "#d" (index + 2) } title=(words.next_diagnostic) { "↓" span.hidden { (words.next_diagnostic) } } }
                    }
                }
                (explanation(words, diagnostic))
                div.pair {
                    div { p.name { (words.source_line) } (source_line(report, diagnostic)) }
                    div { p.name { (words.became) } (became(visit, urn, report, diagnostic)) }
                }
            }
        }
    }
}

/// What a diagnostic says, in the language of the page; what the service says of it is in English, with the
/// words of the source.
fn explanation(words: &Words, diagnostic: &IngestDiagnostic) -> Markup {
    let own = html! {
        p lang="en" { (diagnostic.message) }
        @if !diagnostic.hint.is_empty() { p.quiet lang="en" { (diagnostic.hint) } }
    };
    match words.explained(diagnostic.code) {
        Some(explained) => html! {
            p { (explained.meaning) }
            p.quiet { (explained.remedy) }
            details.raw { summary { (words.service_words) } (own) }
        },
        None => own,
    }
}

fn is_chosen(filters: &Filters, name: &str, value: &str) -> bool {
    filters.has(name, value) || !filters.chosen.iter().any(|(chosen, _)| *chosen == name)
}

/// The line of the source, with a mark at the column. Of a long line the part around it.
fn source_line(report: &IngestReport, diagnostic: &IngestDiagnostic) -> Markup {
    let Some(line) = report.line(diagnostic) else { return html! { p.quiet { "–" } } };
    let chars: Vec<char> = line.chars().collect();
    let column = (diagnostic.column.saturating_sub(1) as usize).min(chars.len());
    let start = column.saturating_sub(AROUND);
    let end = chars.len().min(column + AROUND);
    let before: String = chars[start..column].iter().collect();
    let after: String = chars[column..end].iter().collect();
    html! {
        pre.source-line {
            @if start > 0 { "…" }
            @let indented = before.trim_start();
            (if start > 0 { before.as_str() } else { indented }) mark.column-mark { "▸" } (after)
            @if end < chars.len() { "…" }
        }
    }
}

/// The text that the line became, with its section.
fn became(visit: &Visit, urn: &str, report: &IngestReport, diagnostic: &IngestDiagnostic) -> Markup {
    let words = visit.words;
    let lang = language(urn);
    match report.text_of(diagnostic) {
        Some(text) => html! {
            @if let Some(paragraph) = &text.paragraph { p.became lang=[lang] { (printed(paragraph)) } }
            p.quiet { a href=(element_address(visit, urn, text.section_id)) lang=[lang] { (text.section_name) } }
        },
        None => html! { p.quiet { (words.in_no_section) } },
    }
}

/// What the last ingest changed in provisions, as the service compares the two revisions.
async fn changes(visit: &Visit, urn: &str, replaced: &IngestedRevision) -> Markup {
    let words = visit.words;
    let query = ComparisonQuery {
        text: true,
        with_revision: replaced.name.parse::<AskedRevision>().ok(),
        ..ComparisonQuery::with(urn)
    };
    let (_turn, client) = visit.site.service.turn().await;
    let compared = client.comparison(urn, &query).await;
    html! {
        h2 #changes { (fill(words.since_ingest, &replaced.replaced_on)) }
        @match &compared {
            Ok(ComparisonAnswer::Whole(view)) => (changed_provisions(visit, view)),
            _ => p.quiet { (words.no_comparison) },
        }
        @match &replaced.corrected {
            Some(corrected) => {
                (changed_diagnostics(words, words.corrected_diagnostics, corrected))
                (changed_diagnostics(words, words.added_diagnostics, &replaced.added))
            }
            None => p.quiet { (words.diagnostics_not_compared) },
        }
    }
}

/// Diagnostics that one of two sources has, after their number. Lines are those of the source that has them.
fn changed_diagnostics(words: &Words, heading: &str, diagnostics: &[IngestDiagnostic]) -> Markup {
    html! {
        h3 { (fill(heading, diagnostics.len())) }
        @if !diagnostics.is_empty() {
            ul {
                @for diagnostic in diagnostics.iter().take(CHANGES) {
                    li {
                        (words.line) " " (diagnostic.line) (words.colon()) code { (diagnostic.code) } " "
                        span lang="en" { (diagnostic.message) }
                    }
                }
            }
        }
        @if diagnostics.len() > CHANGES { p.quiet { (fill(words.more, diagnostics.len() - CHANGES)) } }
    }
}

fn changed_provisions(visit: &Visit, view: &ComparisonView<'_>) -> Markup {
    let words = visit.words;
    let mut changed: Vec<&ProvisionChange<'_>> = Vec::new();
    for item in &view.items {
        if item.relation != ComparisonRelation::Same || !item.changed.is_empty() {
            changed.push(item);
        }
    }
    html! {
        @if changed.is_empty() { p.notice { (words.no_changes) } }
        ol.history {
            @for item in changed.iter().take(CHANGES) { li { (changed_provision(words, item, &view.language)) } }
        }
        @if changed.len() > CHANGES { p.quiet { (fill(words.more, changed.len() - CHANGES)) } }
    }
}

fn changed_provision(words: &Words, item: &ProvisionChange<'_>, text_language: &str) -> Markup {
    let difference = item.difference.clone().unwrap_or_default();
    let text_of = |provision: &Option<norma_api::shapes::ComparedProvision<'_>>| {
        provision.as_ref().and_then(|one| one.text.as_deref()).unwrap_or_default().to_owned()
    };
    let provision = item.newer.as_ref().or(item.older.as_ref());
    let label = provision.and_then(|one| one.label.as_deref()).unwrap_or_default();
    html! {
        p { strong { (label) } " " span class={ "badge " (item.relation) } { (relation_words(words, item.relation.as_str(), 1)) } }
        blockquote lang=(text_language) {
            @match (&item.older, &item.newer) {
                (Some(_), Some(_)) => p { (merged(&text_of(&item.older), &text_of(&item.newer), &difference.text_edits)) },
                (Some(_), None) => p { del { (printed(&text_of(&item.older))) } },
                _ => p { ins { (printed(&text_of(&item.newer))) } },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingests::IngestedSection;
    use crate::visit::tests::visit;

    fn report() -> IngestReport {
        let diagnostic = |severity, code, line, column| IngestDiagnostic {
            severity,
            code,
            line,
            column,
            message: "expected <b>".to_owned(),
            hint: "Correct it.",
        };
        IngestReport {
            stored: vec![("reference", "X 1:2020".to_owned()), ("provisions", "3".to_owned())],
            diagnostics: vec![
                diagnostic("warning", "lost-title", 2, 5),
                diagnostic("note", "odd-label", 3, 1),
            ],
            source: "<body><sec id=\"s1\">\n    <p>The lid shall close.</p>\n</sec></body>".to_owned(),
            sections: vec![IngestedSection {
                id: "s1".to_owned(),
                source_id: None,
                name: "1  Lids".to_owned(),
                text: "The lid shall close.".to_owned(),
            }],
            replaced: None,
        }
    }

    #[tokio::test]
    async fn a_diagnostic_is_next_to_its_line_and_the_text_that_it_became() {
        let visit = visit("en/i/urn:x:en").await;
        let filters = Filters::of(&visit, "i/urn:x:en", Vec::new());
        let shown = diagnostics(&visit, "urn:x:en", &report(), &filters).into_string();
        assert!(shown.contains("▸</mark>&lt;p&gt;The lid shall close."), "{shown}");
        assert!(shown.contains("<p class=\"became\" lang=\"en\">The lid shall close.</p>"), "{shown}");
        assert!(shown.contains("?at=s1#s1\" lang=\"en\">1  Lids</a>"), "{shown}");
        assert!(shown.contains("expected &lt;b&gt;") && shown.contains("href=\"#d2\" title"), "{shown}");
    }

    #[test]
    fn stored_values_are_said_in_the_language_of_the_page_or_marked_as_english() {
        let said = |language, name, value| {
            stored_value(crate::phrases::words(language).unwrap(), name, value).into_string()
        };
        assert_eq!(said("de", "status", "published"), "<dd>gültig</dd>");
        assert_eq!(
            said("fr", "provisions", "2: recommendation 1, requirement 1"),
            "<dd>2\u{a0}: recommandation 1, exigence 1</dd>"
        );
        assert_eq!(said("de", "provisions", "0: "), "<dd>0</dd>");
        assert_eq!(said("de", "size", "1 500 bytes of source"), "<dd lang=\"en\">1 500 bytes of source</dd>");
        assert_eq!(said("de", "title", "Deckel und Kappen"), "<dd>Deckel und Kappen</dd>");
    }

    #[tokio::test]
    async fn counts_filter_by_severity_and_code_and_lead_to_the_text() {
        let visit = visit("en/i/urn:x:en?code=odd-label").await;
        let filters = Filters::of(&visit, "i/urn:x:en", visit.parameters(&["severity", "code"]));
        let report = report();
        let shown = counts(&visit, "urn:x:en", &report, &filters).into_string();
        assert!(
            shown.contains("/key/en/i/urn:x:en?code=odd-label&amp;severity=warning#diagnostics"),
            "{shown}"
        );
        assert!(shown.contains("provisions <b>3</b>"), "{shown}");
        let left = diagnostics(&visit, "urn:x:en", &report, &filters).into_string();
        assert_eq!(left.matches("<article").count(), 1, "{left}");
        assert!(left.contains("odd-label") && !left.contains("lost-title"), "{left}");
    }
}
