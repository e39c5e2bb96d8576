//! Page of one edition in two languages, section by section.

use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};

use crate::content::{Pictures, Text};
use crate::failure::PageFailure;
use crate::frame::{FramedPage, encoded, page, standard_address};
use crate::visit::Visit;

/// Sections on a page; a longer text has several pages.
const SECTIONS: usize = 60;

/// A text with the reference of its edition.
struct LanguageSide {
    text: Text,
    reference: String,
}

/// Sections that are the same in both languages, by index; one of them where the other text has none.
type TranslatedSections = (Option<usize>, Option<usize>);

pub(super) async fn made(visit: &Visit, left: &str, right: &str) -> Result<Response, PageFailure> {
    // One after the other: both at once would take all calls.
    let sides = [side(visit, left).await?, side(visit, right).await?];
    let pairs = pairs(&sides[0].text, &sides[1].text);
    let first = visit.value("from").and_then(|from| from.parse().ok()).unwrap_or(0).min(pairs.len());
    let shown = &pairs[first..pairs.len().min(first + SECTIONS)];
    let body = html! {
        div.bilingual {
            h1 { (visit.words.side_by_side) (visit.words.colon()) (sides[0].reference) }
            div.pair.heads { @for side in &sides { p { a href=(standard_address(visit, &side.text.urn)) { (side.reference) } " · " (side.text.language) } } }
            @for pair in shown { (row(visit, &sides, *pair)) }
            (turns(visit, first, pairs.len()))
        }
    };
    let trail =
        sides.each_ref().map(|side| (side.reference.clone(), standard_address(visit, &side.text.urn)));
    let title = format!("{} · {} – {}", sides[0].reference, sides[0].text.language, sides[1].text.language);
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &trail, body, script: None }))
}

async fn side(visit: &Visit, urn: &str) -> Result<LanguageSide, PageFailure> {
    let service = &visit.site.service;
    let head = service.head(urn).await?;
    let text = Text::read(service, &head.urn, &head.metadata.language).await?;
    Ok(LanguageSide { text, reference: head.metadata.reference.to_string() })
}

/// What two sections of translations have in common: kind, level and number.
fn key(text: &Text, index: usize) -> (&str, u16, Option<&str>) {
    let head = &text.sections[index].head;
    (head.kind.as_str(), head.level, head.number.as_deref().or(head.label.as_deref()))
}

/// The sections of both texts in the order of the left one. Translations have the same sections; where one
/// has another in between, it is alone.
fn pairs(left: &Text, right: &Text) -> Vec<TranslatedSections> {
    let mut pairs: Vec<TranslatedSections> = Vec::new();
    let mut next = 0;
    for index in 0..left.sections.len() {
        let wanted = key(left, index);
        let found = (next..right.sections.len()).find(|&other| key(right, other) == wanted);
        if let Some(found) = found {
            pairs.extend((next..found).map(|alone| (None, Some(alone))));
            next = found + 1;
        }
        pairs.push((Some(index), found));
    }
    pairs.extend((next..right.sections.len()).map(|alone| (None, Some(alone))));
    pairs
}

fn row(visit: &Visit, sides: &[LanguageSide; 2], (left, right): TranslatedSections) -> Markup {
    html! {
        div.pair {
            div { @if let Some(index) = left { (block_language(&sides[0])) (section(visit, &sides[0].text, index, "l-")) } }
            div { @if let Some(index) = right { (block_language(&sides[1])) (section(visit, &sides[1].text, index, "r-")) } }
        }
    }
}

/// The language of a text, which a narrow page shows: there the texts follow each other.
fn block_language(side: &LanguageSide) -> Markup {
    html! { p.quiet.block-language { (side.text.language) } }
}

/// A section without those within it. Its ids begin with the side, so that no two elements have the same one,
/// and its links lead to the page of the standard.
fn section(visit: &Visit, text: &Text, index: usize, side: &str) -> Markup {
    let words = visit.words;
    let figure = |id: &str| Some(visit.file(&format!("figure/{}/{}", encoded(&text.urn), encoded(id))));
    let pictures = Pictures { address: &figure, missing: words.missing_file, figure: words.figure };
    let written = text.article(index..index + 1, &pictures).html;
    html! { (PreEscaped(with_own_ids(&written, side, &standard_address(visit, &text.urn)))) }
}

fn with_own_ids(written: &str, side: &str, standard: &str) -> String {
    let with_ids = written.replace(" id=\"", &format!(" id=\"{side}"));
    let mut parts = with_ids.split(" href=\"#");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let id = part.split('"').next().unwrap_or_default();
        linked.push_str(&format!(" href=\"{standard}?at={id}#"));
        linked.push_str(part);
    }
    linked
}

/// Links to the sections before and after those that are shown.
fn turns(visit: &Visit, first: usize, count: usize) -> Markup {
    let words = visit.words;
    html! {
        p.actions.turn {
            @if first > 0 { a.button rel="prev" href={ "?from=" (first.saturating_sub(SECTIONS)) } { (words.previous_section) } }
            @if first + SECTIONS < count { a.button rel="next" href={ "?from=" (first + SECTIONS) } { (words.next_section) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(sections: &[(&str, Option<&str>)]) -> Text {
        let mut text = Text {
            urn: "urn:x:std:x:1:ed-1:en".to_owned(),
            language: "en".to_owned(),
            sections: Vec::new(),
            provisions: Vec::new(),
            outline: Vec::new(),
        };
        for (kind, number) in sections {
            let mut section = json!({
                "id": "s", "type": kind, "normative": true, "level": 1, "order": 1, "xml": "<sec/>", "text": "",
                "terms": [], "graphics": [], "provisionIds": [],
            });
            if let Some(number) = number {
                section["number"] = json!(number);
            }
            text.sections.push(serde_json::from_value(section).unwrap());
        }
        text
    }

    #[test]
    fn sections_of_translations_are_paired_by_kind_and_number_and_others_are_alone() {
        let left = text(&[("foreword", None), ("clause", Some("1")), ("clause", Some("2"))]);
        let right =
            text(&[("foreword", None), ("introduction", None), ("clause", Some("1")), ("annex", Some("A"))]);
        let expected =
            [(Some(0), Some(0)), (None, Some(1)), (Some(1), Some(2)), (Some(2), None), (None, Some(3))];
        assert_eq!(pairs(&left, &right), expected);
    }

    #[test]
    fn ids_are_those_of_a_side_and_links_lead_to_the_standard() {
        let html = "<p id=\"a\">See <a href=\"#b\">B</a>.</p>";
        assert_eq!(
            with_own_ids(html, "r-", "/key/en/s/urn:x"),
            "<p id=\"r-a\">See <a href=\"/key/en/s/urn:x?at=b#b\">B</a>.</p>"
        );
    }
}
