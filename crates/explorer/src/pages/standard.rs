//! Page of a standard: contents on the left, text in the middle, details on the right.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use norma_api::Operation;
use norma_api::shapes::{ProvisionType, RelatedEditionType, SectionNode, SectionType, SectionsView, Status};
use norma_export::Format;

use super::download::VIEWS;
use crate::calls::Head;
use crate::content::{Pictures, Text};
use crate::failure::PageFailure;
use crate::frame::{
    FramedPage, answer, encoded, mark, page, provision_address, standard_address, status_word, type_word,
};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Bytes of markup above which one section at the top is shown at a time: a browser lays out a page of this
/// size in a quarter of a second.
const WHOLE_BYTES: usize = 300_000;

/// Sections up to which the contents are open at the second level.
const OPEN_SECTIONS: usize = 80;

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let (service, words) = (&visit.site.service, visit.words);
    let head = service.head(urn).await?;
    let reference = head.metadata.reference.clone();
    let body = if head.is_readable {
        let text = Text::read(service, &head.urn, &head.metadata.language).await?;
        readable(visit, &head, &text)
    } else {
        let outline: SectionsView<'static> = service.json(Operation::Sections, &[&head.urn], "").await?;
        html! {
            div.reader {
                (heading(visit, &head, html! { p.notice { (words.only_discover) } }))
                (contents(visit, &head, &outline.sections, None, &|_| None))
                aside.panel aria-label=(words.panel) { (about(visit, &head, false)) }
            }
        }
    };
    let trail = [(reference.to_string(), standard_address(visit, &head.urn))];
    Ok(page(visit, StatusCode::OK, FramedPage { title: &reference, trail: &trail, body, script: None }))
}

fn readable(visit: &Visit, head: &Head, text: &Text) -> Markup {
    let words = visit.words;
    let tops = text.tops();
    let is_whole = text.size() <= WHOLE_BYTES || tops.len() < 2;
    let wanted = visit.value("at").and_then(|id| text.section_with(&id)).unwrap_or_default();
    let top = tops.iter().position(|range| range.contains(&wanted)).unwrap_or_default();
    let range = if is_whole { 0..text.sections.len() } else { tops[top].clone() };
    let figure = |id: &str| Some(visit.file(&format!("figure/{}/{}", encoded(&text.urn), encoded(id))));
    let pictures = Pictures { address: &figure, missing: words.missing_file, figure: words.figure };
    let article = text.article(range, &pictures);
    let ids: HashSet<&str> =
        article.html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let link = |id: &str| {
        let mark = encoded(id);
        Some(if ids.contains(id) { format!("#{mark}") } else { format!("?at={mark}#{mark}") })
    };
    let written = if is_whole { article.html.clone() } else { with_links(&article.html, &ids) };
    let neighbour = |at: Option<usize>, word: &str, rel: &str| {
        let section = at.and_then(|at| tops.get(at)).map(|range| &text.sections[range.start]);
        html! {
            @if let Some(section) = section.filter(|_| !is_whole) {
                @let own = &section.head;
                a.button rel=(rel) href={ "?at=" (encoded(&own.id)) } { (word) ": " (title(words, [&own.number, &own.title, &own.label], own.kind, &section.text)) }
            }
        }
    };
    let notes = html! {
        @if !is_whole { p.quiet { (words.by_section) } }
        @if article.unmarked > 0 { p.quiet { (fill(words.unmarked, article.unmarked)) } }
        @if head.metadata.duties_without_verbal_form { p.notice role="note" { (visit.words.not_complete) } }
        (chips(visit, text))
    };
    html! {
        div.reader data-service=(visit.site.service.address(Operation::Content, &[&text.urn])) data-provision-page=(visit.at("p/")) {
            (heading(visit, head, notes))
            (contents(visit, head, &text.outline, Some(text), &link))
            div.text {
                (PreEscaped(written))
                p.actions.turn {
                    (neighbour(top.checked_sub(1), words.previous_section, "prev")) " "
                    (neighbour(Some(top + 1), words.next_section, "next"))
                }
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

/// Reference, title, status, and what leads to other pages.
fn heading(visit: &Visit, head: &Head, notes: Markup) -> Markup {
    let (words, metadata) = (visit.words, &head.metadata);
    let successor = head.related_editions.iter().find(|other| other.kind == RelatedEditionType::ReplacedBy);
    let compared = head.related_editions.iter().filter(|other| {
        matches!(other.kind, RelatedEditionType::Edition | RelatedEditionType::ReplacedBy)
            && other.urn.rsplit(':').next() == head.urn.rsplit(':').next()
    });
    let mut others: Vec<_> = compared.collect();
    others.dedup_by(|a, b| a.urn == b.urn);
    html! {
        header.head {
            @if matches!(head.status, Status::Superseded | Status::Withdrawn) {
                p.notice.warning role="note" {
                    (fill(words.not_in_force, status_word(words, head.status))) " "
                    @if let Some(other) = successor { a href=(standard_address(visit, &other.urn)) { (fill(words.present_edition, &other.reference)) } }
                }
            }
            p.kicker {
                strong { (metadata.reference) } " · " span.status data-status-word=(head.status) { (status_word(words, head.status)) }
                @if let Some(date) = &metadata.published_on { " · " (date) }
            }
            h1 lang=(metadata.language) { (metadata.title.as_ref().unwrap_or(&metadata.reference)) }
            p.actions {
                @for (at, other) in others.iter().enumerate() {
                    a.button.primary[at == 0] data-compare[at == 0] href=(visit.at(&format!("c/{}/{}", encoded(&head.urn), encoded(&other.urn)))) { (fill(words.compare_with, &other.reference)) } " "
                }
                a.button href=(visit.at(&format!("r/{}", encoded(&head.urn)))) { (words.relations) }
                @if visit.site.read_ingest_report.is_some() { " " a.button href=(visit.at(&format!("i/{}", encoded(&head.urn)))) { (words.ingest) } }
            }
            (notes)
        }
    }
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

/// The contents: sections with links, those within them folded.
fn contents(
    visit: &Visit,
    head: &Head,
    outline: &[SectionNode<'_>],
    text: Option<&Text>,
    link: &dyn Fn(&str) -> Option<String>,
) -> Markup {
    let words = visit.words;
    let is_open = count(outline) <= OPEN_SECTIONS;
    html! {
        nav.tree aria-label=(words.contents) {
            details.tree-box open {
                summary { (words.contents) }
                div lang=(head.metadata.language) { (nodes(visit, outline, text, is_open, link)) }
            }
        }
    }
}

fn count(outline: &[SectionNode<'_>]) -> usize {
    outline.iter().map(|node| 1 + count(&node.children)).sum()
}

fn nodes(
    visit: &Visit,
    outline: &[SectionNode<'_>],
    text: Option<&Text>,
    is_open: bool,
    link: &dyn Fn(&str) -> Option<String>,
) -> Markup {
    html! {
        ol {
            @for node in outline {
                @let own = &node.head;
                @let text_if_untitled = text.filter(|_| own.title.is_none());
                @let untitled = text_if_untitled.and_then(|text| text.sections.iter().find(|section| section.head.id == own.id)).map_or("", |section| &section.text);
                @let name = title(visit.words, [&own.number, &own.title, &own.label], own.kind, untitled);
                li {
                    @match link(&own.id) {
                        Some(href) => a href=(href) data-section=(own.id) { (name) },
                        None => span { (name) },
                    }
                    @if !node.children.is_empty() {
                        details open[is_open] {
                            summary { span.hidden lang=(visit.words.language) { (fill(visit.words.within, &name)) } }
                            (nodes(visit, &node.children, text, is_open && own.level == 0, link))
                        }
                    }
                }
            }
        }
    }
}

/// Number and title of a section, else its label, else a word for its type; of a clause its first words.
fn title(
    words: &Words,
    [number, title, label]: [&Option<Cow<'_, str>>; 3],
    kind: SectionType,
    text: &str,
) -> String {
    /// Characters of a text that serve as its name.
    const NAME: usize = 40;
    let written = [number, title].into_iter().flatten().map(|part| &**part).collect::<Vec<_>>().join("  ");
    if !written.is_empty() {
        return written;
    }
    let mut begin = text.split_whitespace().take(NAME).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = begin.char_indices().nth(NAME) {
        begin.truncate(begin[..end].rfind(' ').unwrap_or(end));
        begin.push('…');
    }
    let word = match kind {
        SectionType::Foreword => words.foreword,
        SectionType::Introduction => words.introduction,
        SectionType::Scope => words.scope,
        SectionType::NormativeReferences => words.normative_references,
        SectionType::Terms => words.terms_and_definitions,
        SectionType::Annex => words.annex,
        SectionType::Bibliography => words.bibliography,
        SectionType::Footnotes => words.footnotes,
        SectionType::Index => words.index,
        _ if !begin.is_empty() => return begin,
        SectionType::Term => words.term,
        SectionType::Clause => words.clause,
        SectionType::Other | SectionType::Unrecognized => words.section,
    };
    label.as_deref().unwrap_or(word).to_owned()
}

/// Every provision with a link to its page.
fn provisions(visit: &Visit, text: &Text) -> Markup {
    let words = visit.words;
    html! {
        @if !text.provisions.is_empty() {
            details.provisions {
                summary { (words.provisions) " " b { (text.provisions.len()) } }
                ul { @for provision in &text.provisions { li { a href=(provision_address(visit, &provision.id)) { (mark(words, provision.kind)) " " (provision.label) } } } }
            }
        }
    }
}

/// Bibliographic data and downloads; spreadsheets where there are provisions.
fn about(visit: &Visit, head: &Head, has_provisions: bool) -> Markup {
    let (words, metadata) = (visit.words, &head.metadata);
    let download = |view: &str| visit.at(&format!("d/{}/{view}", encoded(&head.urn)));
    let ics = head.ics.iter().map(|ics| match &ics.title {
        Some(title) => format!("{} {title}", ics.code),
        None => ics.code.to_string(),
    });
    let adopted = metadata.adoption_of.iter().map(|adoption| adoption.reference.to_string());
    let derived_for = match &metadata.provision_languages[..] {
        [] => String::new(),
        languages => words.derived_for.replacen("{}", &languages.join(", "), 1),
    };
    let rows = [
        ("URN", head.urn.clone()),
        (words.publisher, metadata.publisher.to_string()),
        (words.edition, metadata.edition.to_string()),
        (words.languages, metadata.languages.join(", ")),
        (words.provisions, derived_for),
        (words.committee, metadata.committee.as_deref().unwrap_or_default().to_owned()),
        (words.ics, ics.collect::<Vec<_>>().join("; ")),
        (words.adopts, adopted.collect::<Vec<_>>().join(", ")),
    ];
    html! {
        details.about open {
            summary { (words.about_this) }
            dl { @for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) { dt { (name) } dd { (value) } } }
        }
        details.downloads {
            summary { (words.downloads) }
            ul {
                @if head.is_readable {
                    li { a href=(download("html")) { (words.whole_html) } }
                    li { a href=(download("source")) { (words.source) } }
                }
                @for format in Format::ALL.iter().filter(|_| has_provisions) {
                    li { a href=(download(format.as_str())) { (fill(words.provisions_as, format.as_str().to_uppercase())) } }
                }
                @for (view, ..) in VIEWS.iter().take(if head.is_readable { VIEWS.len() } else { 1 }) {
                    li { a href=(download(view)) { (view) " (JSON)" } }
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
    use crate::phrases::words;

    #[test]
    fn a_section_without_number_and_title_has_a_name_that_a_reader_understands() {
        let title = |parts: [Option<&str>; 3], kind, text| {
            let [number, title, label] = parts.map(|part| part.map(Cow::from));
            super::title(words("de").unwrap(), [&number, &title, &label], kind, text)
        };
        let none = [None; 3];
        assert_eq!(title([Some("4"), Some("Deckel"), Some("4")], SectionType::Clause, "x"), "4  Deckel");
        assert_eq!(title(none, SectionType::Introduction, "Der Deckel schließt."), "Einleitung");
        assert_eq!(title(none, SectionType::Clause, "Der Deckel\nschließt."), "Der Deckel schließt.");
        let long = "Der Deckel des Behälters schließt dicht ab, wenn er gedrückt wird.";
        assert_eq!(title(none, SectionType::Other, long), "Der Deckel des Behälters schließt dicht…");
        let chinese = "盖".repeat(50);
        assert_eq!(title(none, SectionType::Other, &chinese), format!("{}…", "盖".repeat(40)));
        assert_eq!(title(none, SectionType::Other, ""), "Abschnitt");
        assert_eq!(title([None, None, Some("Anhang ZZ")], SectionType::Annex, ""), "Anhang ZZ");
    }
}
