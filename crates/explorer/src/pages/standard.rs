//! Page of a standard: contents on the left, text in the middle, details on the right.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use norma_api::Operation;
use norma_api::shapes::{Instruction, InstructionsView, ProvisionType, SectionsView, StandardType};

use super::about::{about, provisions};
use super::contents::{Contents, title};
use super::heading::heading;
use crate::amendments;
use crate::calls::Head;
use crate::cited::{HeldDocuments, by_section, with_cited};
use crate::content::{Pictures, Text};
use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, encoded, mark, page, standard_address, type_word};
use crate::phrases::{Words, fill, with_code};
use crate::visit::Visit;

/// Bytes of markup above which one section at the top is shown at a time: a browser lays out a page of this
/// size in a quarter of a second.
const WHOLE_BYTES: usize = 300_000;

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let service = &visit.site.service;
    let head = service.head(urn).await?;
    let reference = head.metadata.reference.clone();
    let documents = HeldDocuments::read(service, head.relations.iter().map(Into::into)).await?;
    let body = if head.is_readable {
        let text = Text::read(service, &head.urn, &head.metadata.language).await?;
        let instructions = instructions(visit, &head).await?;
        readable(visit, &head, &text, &documents, &instructions)
    } else {
        let outline: SectionsView<'static> = service.json(Operation::Sections, &[&head.urn], "").await?;
        outline_only(visit, &head, &outline, &documents)
    };
    let trail = [(reference.to_string(), standard_address(visit, &head.urn))];
    Ok(page(visit, StatusCode::OK, FramedPage { title: &reference, trail: &trail, body, script: None }))
}

/// What the standard changes in others; nothing unless it is an amendment.
async fn instructions(visit: &Visit, head: &Head) -> Result<Vec<Instruction<'static>>, PageFailure> {
    if !matches!(head.metadata.standard_type, StandardType::Amendment | StandardType::Corrigendum) {
        return Ok(Vec::new());
    }
    let service = &visit.site.service;
    let view: InstructionsView<'static> = service.json(Operation::Instructions, &[&head.urn], "").await?;
    Ok(view.items)
}

/// The page for a caller that may not read the text.
fn outline_only(visit: &Visit, head: &Head, outline: &SectionsView<'_>, documents: &HeldDocuments) -> Markup {
    let words = visit.words;
    let contents = Contents {
        visit,
        language: &head.metadata.language,
        text: None,
        amended: HashSet::new(),
        added: HashSet::new(),
        link: &|_| None,
    };
    html! {
        div.reader {
            (heading(visit, head, documents, html! { p.notice { (with_code(words.only_discover)) } }))
            (contents.show(&outline.sections))
            aside.panel aria-label=(words.panel) { (about(visit, head, false)) }
        }
    }
}

/// The part of a text that a page shows: all of it, or one section at the top with those within it.
struct ShownPart {
    /// Sections of each section at the top with those within it.
    tops: Vec<Range<usize>>,
    /// The one that is shown, by its index in `tops`; `None` where the page shows all.
    top: Option<usize>,
}

impl ShownPart {
    /// The part with the element `at`, else the first one.
    fn new(text: &Text, at: Option<&str>) -> Self {
        let tops = text.tops();
        if text.size() <= WHOLE_BYTES || tops.len() < 2 {
            return Self { tops, top: None };
        }
        let section = at.and_then(|id| text.section_with(id)).unwrap_or_default();
        let top = tops.iter().position(|range| range.contains(&section)).unwrap_or_default();
        Self { tops, top: Some(top) }
    }

    fn sections(&self, text: &Text) -> Range<usize> {
        match self.top {
            Some(top) => self.tops[top].clone(),
            None => 0..text.sections.len(),
        }
    }
}

fn readable(
    visit: &Visit,
    head: &Head,
    text: &Text,
    documents: &HeldDocuments,
    instructions: &[Instruction<'_>],
) -> Markup {
    let words = visit.words;
    let part = ShownPart::new(text, visit.value("at").as_deref());
    let figure = |id: &str| Some(visit.file(&format!("figure/{}/{}", encoded(&text.urn), encoded(id))));
    let pictures = Pictures { address: &figure, missing: words.missing_file, figure: words.figure };
    let article = text.article(part.sections(text), &pictures);
    let ids = ids(&article.html);
    let link = |id: &str| {
        let id_in_address = encoded(id);
        let page = if ids.contains(id) { String::new() } else { format!("?at={id_in_address}") };
        Some(format!("{page}#{id_in_address}"))
    };
    let linked = match part.top {
        Some(_) => with_links(&article.html, &ids),
        None => article.html.clone(),
    };
    let cited = with_cited(&linked, &by_section(visit, &head.relations, documents, &text.language));
    let written = amendments::with_changes(visit, &cited, &head.amended_by);
    let notes = html! {
        @if part.top.is_some() { p.quiet { (words.by_section) } }
        @if article.unmarked > 0 { p.quiet { (fill(words.unmarked, article.unmarked)) } }
        @if head.metadata.duties_without_verbal_form { p.notice role="note" { (visit.words.not_complete) } }
        (amendments::instructions(visit, instructions))
        (chips(visit, text))
    };
    let targets = amendments::targets(&head.amended_by).into_iter();
    let (amended, added) = targets.partition(|target| amendments::is_changed(&head.amended_by, target));
    let contents =
        Contents { visit, language: &head.metadata.language, text: Some(text), amended, added, link: &link };
    let own = format!("s/{}", encoded(&head.urn));
    html! {
        div.reader data-service=(visit.site.service.address(Operation::Content, &[&text.urn])) data-provision-page=(visit.at("p/"))
            data-shared=[visit.shared(&own)] {
            (heading(visit, head, documents, notes))
            (contents.show(&text.outline))
            div.text {
                (PreEscaped(written))
                (turns(words, text, &part))
            }
            aside.panel aria-label=(words.panel) {
                div.preview.scripted data-preview aria-live="polite" hidden {
                    p.actions { button type="button" data-close { (words.close) } }
                    div data-content {}
                }
                p.quiet.scripted data-hint hidden { (words.panel_hint) }
                (provisions(visit, text))
                (about(visit, head, !text.provisions.is_empty()))
            }
        }
    }
}

/// The ids of elements in an HTML text.
fn ids(html: &str) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for rest in html.split(" id=\"").skip(1) {
        ids.extend(rest.split('"').next());
    }
    ids
}

/// Links to the parts before and after the one that is shown.
fn turns(words: &Words, text: &Text, part: &ShownPart) -> Markup {
    let previous = part.top.and_then(|top| top.checked_sub(1));
    let next = part.top.map(|top| top + 1);
    html! {
        p.actions.turn {
            (turn(words, text, part, previous, words.previous_section, "prev")) " "
            (turn(words, text, part, next, words.next_section, "next"))
        }
    }
}

fn turn(words: &Words, text: &Text, part: &ShownPart, top: Option<usize>, word: &str, rel: &str) -> Markup {
    let Some(range) = top.and_then(|top| part.tops.get(top)) else { return html! {} };
    let section = &text.sections[range.start];
    let own = &section.head;
    let name = title(words, [&own.number, &own.title, &own.label], own.kind, &section.text);
    html! { a.button rel=(rel) href={ "?at=" (encoded(&own.id)) } { (word) (words.colon()) (name) } }
}

/// Filters of marks, with counts; they work by style alone.
fn chips(visit: &Visit, text: &Text) -> Markup {
    let words = visit.words;
    let hidden = visit.values("hide");
    html! {
        @if text.provisions.is_empty() { p.quiet { (words.no_provisions) } }
        @else {
            fieldset.chips {
                legend { (words.marks) }
                @for &kind in ProvisionType::ALL {
                    @let count = text.provisions.iter().filter(|provision| provision.kind == kind).count();
                    @if count > 0 {
                        label.chip {
                            input type="checkbox" data-marks=(kind) checked[!hidden.iter().any(|name| name == kind.as_str())];
                            (mark(words, kind)) " " (type_word(words, kind).1) " " b { (count) }
                        }
                    }
                }
            }
        }
    }
}

/// The HTML with links to elements of other sections made links to their pages.
fn with_links(written: &str, ids: &HashSet<&str>) -> String {
    const LINK: &str = " href=\"#";
    let mut parts = written.split(LINK);
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split('"').next() {
            Some(id) if !ids.contains(id) => {
                write!(linked, " href=\"?at={id}#").expect("a string takes any text")
            }
            _ => linked.push_str(LINK),
        }
        linked.push_str(part);
    }
    linked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_elements_of_other_sections_lead_to_their_page() {
        let html = "<p id=\"a\">See <a href=\"#a\">A</a>, <a href=\"#b\">B</a> and <a href=\"https://x/#b\">C</a>.</p>";
        let ids = ids(html);
        assert_eq!(ids, HashSet::from(["a"]));
        assert_eq!(
            with_links(html, &ids),
            "<p id=\"a\">See <a href=\"#a\">A</a>, <a href=\"?at=b#b\">B</a> and <a href=\"https://x/#b\">C</a>.</p>"
        );
    }
}
