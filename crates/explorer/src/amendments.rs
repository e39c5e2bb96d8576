//! Amendments on the pages of a standard: who amends it, in which parts, and what an amendment changes.

use maud::{Markup, html};
use norma_api::shapes::{Amendment, Instruction, InstructionOperation};

use crate::frame::{capitalized, element_address, language, standard_address};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// The amendments of a standard, each with the parts that it changes.
pub(crate) fn notice(visit: &Visit, urn: &str, amended_by: &[Amendment<'_>]) -> Markup {
    let words = visit.words;
    html! {
        @for changes in amended_by.chunk_by(|a, b| a.urn == b.urn) {
            @let amendment = &changes[0];
            p.notice role="note" data-amended-by=(amendment.urn) {
                strong { (capitalized(words.amended_by)) " " a.reference href=(standard_address(visit, &amendment.urn)) { (amendment.reference) } }
                @if let Some(date) = &amendment.published_on { " (" (date) ")" }
                @if amendment.operation.is_some() {
                    (words.colon())
                    @for (at, change) in changes.iter().enumerate() {
                        @if at > 0 { ", " }
                        (part_link(visit, urn, change))
                    }
                }
            }
        }
    }
}

/// The part that a change is in, with a link to it.
fn part_link(visit: &Visit, urn: &str, change: &Amendment<'_>) -> Markup {
    let words = visit.words;
    let label = change.label.as_deref().filter(|label| !label.is_empty());
    let name = label.or(change.text.as_deref()).unwrap_or_default();
    let lang = change.language.as_deref();
    let (before, after) = if is_addition(change) && label.is_some() { around_added(words) } else { ("", "") };
    html! {
        (before)
        @match change.targets.first() {
            Some(target) => a href=(element_address(visit, urn, target)) lang=[lang] { (name) },
            None => span lang=[lang] { (name) },
        }
        (after)
        @if change.resolved == Some(false) { " (" (words.not_certain) ")" }
    }
}

/// The changes as a list, each with the instruction and its text.
pub(crate) fn changes(visit: &Visit, amended_by: &[Amendment<'_>]) -> Markup {
    let words = visit.words;
    let name = if amended_by.iter().all(is_addition) { words.added_here } else { words.amended_by };
    html! {
        @if !amended_by.is_empty() {
            aside.amended role="note" lang=(words.language) aria-label=(name) {
                @for change in amended_by { (change_of_text(visit, change)) }
            }
        }
    }
}

/// True for a change that brings new text, and leaves the part that it names as it is.
fn is_addition(change: &Amendment<'_>) -> bool {
    change.operation == Some(InstructionOperation::Add)
}

/// True if a change does more to a part than to bring new text next to it.
pub(crate) fn is_changed(amended_by: &[Amendment<'_>], target: &str) -> bool {
    amended_by.iter().any(|change| !is_addition(change) && change.targets.iter().any(|one| *one == target))
}

/// A change as a mark that opens: who makes it, what it does to which part, and the text that it brings.
fn change_of_text(visit: &Visit, change: &Amendment<'_>) -> Markup {
    let words = visit.words;
    let lang = change.language.as_deref();
    let label = change.label.as_deref().unwrap_or_default();
    html! {
        details {
            summary {
                @if is_addition(change) {
                    span aria-hidden="true" { "+ " }
                    (words.added_by) " " strong.reference { (change.reference) }
                    @if !label.is_empty() { " · " span lang=[lang] { (label) } }
                } @else {
                    span aria-hidden="true" { "Δ " }
                    (capitalized(words.amended_by)) " " strong.reference { (change.reference) }
                    @if let Some(operation) = change.operation {
                        (words.colon())
                        (done(words, operation, label, lang))
                    }
                }
                @if change.resolved == Some(false) { " · " (words.not_certain) }
            }
            @if let Some(text) = &change.text { p lang=[lang] { (text) } }
            @if let Some(new_text) = &change.new_text {
                blockquote lang=[lang] { @for line in new_text.lines() { p { (line) } } }
            }
            p { a href=(standard_address(visit, &change.urn)) { (fill(words.open_amendment, &change.reference)) } }
        }
    }
}

/// What an instruction does, and the part that it names. The service does not say whether new text goes
/// before, after or into that part: only the words of the instruction do.
fn done(words: &Words, operation: InstructionOperation, label: &str, lang: Option<&str>) -> Markup {
    let (before, after) = match operation {
        InstructionOperation::Add => around_added(words),
        _ => ("", ""),
    };
    html! {
        @if label.is_empty() { (operation_word(words, operation)) }
        @else if operation == InstructionOperation::Add { (before) span lang=[lang] { (label) } (after) }
        @else { (operation_word(words, operation)) " · " span lang=[lang] { (label) } }
    }
}

/// The words before and after the part that new text is next to.
fn around_added(words: &Words) -> (&'static str, &'static str) {
    words.operation_add_at.split_once("{}").unwrap_or_default()
}

/// The ids of the parts that amendments change, each once.
pub(crate) fn targets<'a>(amended_by: &'a [Amendment<'_>]) -> Vec<&'a str> {
    let mut targets: Vec<&str> = Vec::new();
    for target in amended_by.iter().flat_map(|change| &change.targets) {
        if !targets.contains(&&**target) {
            targets.push(target);
        }
    }
    targets
}

/// The HTML of a text with a mark at each part that amendments touch: the changes below the heading of a
/// section, and an attribute at a provision, table or term.
pub(crate) fn with_changes(visit: &Visit, article: &str, amended_by: &[Amendment<'_>]) -> String {
    let mut marked = article.to_owned();
    for target in targets(amended_by) {
        let Some(end) = end_of_heading(&marked, target) else {
            if is_changed(amended_by, target) {
                mark_element(&mut marked, target);
            }
            continue;
        };
        let mut touching: Vec<Amendment<'_>> = Vec::new();
        for change in amended_by {
            if change.targets.iter().any(|one| *one == target) {
                touching.push(change.clone());
            }
        }
        marked.insert_str(end, &changes(visit, &touching).into_string());
    }
    marked
}

/// Where the heading of a section ends in a text, or the opening tag of one without a heading; `None` where
/// the id is not that of a section. The designations and definitions of a term belong to its heading.
fn end_of_heading(article: &str, id: &str) -> Option<usize> {
    let start = article.find(&format!("<section id=\"{id}\""))?;
    let inside = start + article[start..].find('>')? + 1;
    let content = article[inside..].trim_start();
    if !content.starts_with("<h") {
        return Some(inside);
    }
    let closing = inside + article[inside..].find("</h")?;
    let end = closing + article[closing..].find('>')? + 1;
    Some(end + designations(&article[end..]))
}

/// The bytes of the designations at the begin of a text and of the definitions that follow them, with the
/// elements of their entry that open before them.
fn designations(text: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    while let Some(tag) = text[at..].strip_prefix('<').and_then(|rest| rest.split('>').next()) {
        let is_entry = tag.contains(" data-type=\"term\"") || tag.contains(" data-type=\"language\"");
        if tag.starts_with("div") && is_entry {
            at += tag.len() + 2;
        } else if tag.starts_with("p ")
            && (tag.contains(" data-type=\"designation\"")
                || end > 0 && tag.contains(" data-type=\"definition\""))
        {
            let Some(length) = text[at..].find("</p>") else { break };
            at += length + "</p>".len();
            end = at;
        } else {
            break;
        }
    }
    end
}

/// Marks the element with an id, if the text has one. The changes below the heading of its section say what
/// amends it.
fn mark_element(article: &mut String, id: &str) {
    let attribute = format!(" id=\"{id}\"");
    if let Some(start) = article.find(&attribute) {
        article.insert_str(start + attribute.len(), " data-amended");
    }
}

/// What an amendment changes, with links into the editions that it amends.
pub(crate) fn instructions(visit: &Visit, items: &[Instruction<'_>]) -> Markup {
    let words = visit.words;
    html! {
        @if !items.is_empty() {
            details.instructions open {
                summary { (words.instructions) " " b { (items.len()) } }
                ol {
                    @for item in items {
                        li {
                            strong { (done(words, item.operation, &item.label, Some(&item.language))) }
                            p lang=(item.language) { (item.text) }
                            @if let Some(new_text) = &item.new_text {
                                blockquote lang=(item.language) { @for line in new_text.lines() { p { (line) } } }
                            }
                            @for base in &item.bases {
                                p.quiet {
                                    @let address = match base.targets.first() {
                                        Some(target) => element_address(visit, &base.urn, target),
                                        None => standard_address(visit, &base.urn),
                                    };
                                    a href=(address) { (base.reference) }
                                    @if let Some(language) = language(&base.urn) { " " (language) }
                                    @if !base.resolved { " (" (words.not_certain) ")" }
                                }
                            }
                            @if item.bases.is_empty() { p.quiet { (words.base_not_here) } }
                        }
                    }
                }
            }
        }
    }
}

fn operation_word(words: &Words, operation: InstructionOperation) -> String {
    let word = match operation {
        InstructionOperation::Replace => words.operation_replace,
        InstructionOperation::Add => words.operation_add,
        InstructionOperation::Delete => words.operation_delete,
        InstructionOperation::Renumber => words.operation_renumber,
        InstructionOperation::Change | InstructionOperation::Unrecognized => words.operation_change,
    };
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::tests::visit;

    fn amendment(target: &str, new_text: &str) -> Amendment<'static> {
        let amendment = serde_json::json!({
            "urn": "urn:x:std:x:1:amd:1:en", "reference": "X 1/Amd 1", "operation": "replace", "resolved": true,
            "targets": [target], "text": "Replace it.", "newText": new_text, "language": "en",
        });
        serde_json::from_value(amendment).unwrap()
    }

    #[tokio::test]
    async fn each_change_is_shown_once_below_the_heading_of_its_section_and_escaped() {
        let visit = visit("en/").await;
        let article =
            "<section id=\"s1\"><h2>1</h2><p id=\"p1\">A</p></section><section id=\"s2\"></section>";
        let amended_by = [amendment("s1", "<b>"), amendment("p1", "other"), amendment("s1", "second")];
        let marked = with_changes(&visit, article, &amended_by);
        assert_eq!(marked.matches("<aside").count(), 1, "{marked}");
        assert!(marked.starts_with("<section id=\"s1\"><h2>1</h2><aside class=\"amended\""), "{marked}");
        assert!(
            marked.contains("&lt;b&gt;") && marked.contains("second") && !marked.contains("other"),
            "{marked}"
        );
        assert!(marked.ends_with("<p id=\"p1\" data-amended>A</p></section><section id=\"s2\"></section>"));
        assert_eq!(with_changes(&visit, article, &[]), article);
    }

    #[test]
    fn changes_come_below_the_heading_of_their_section() {
        let article = "<section id=\"sec_4\" class=\"clause\">\n<h2>4 Design</h2><p>Text</p></section>";
        let end = end_of_heading(article, "sec_4").unwrap();
        assert_eq!(&article[end..], "<p>Text</p></section>");
        let without_heading = "<section id=\"sec_4\"><p>Text</p></section>";
        let end = end_of_heading(without_heading, "sec_4").unwrap();
        assert_eq!(&without_heading[end..], "<p>Text</p></section>");
        assert_eq!(end_of_heading(article, "sec_5"), None);
    }

    #[test]
    fn changes_come_after_the_designations_and_the_definition_of_a_term() {
        let heading = "<section id=\"sec_3.4\" data-type=\"term\"><h3>3.4</h3><div id=\"t\" data-type=\"term\">\
                       <div data-type=\"language\" lang=\"en\"><p id=\"d\" data-type=\"designation\">lid</p>\
                       <p data-type=\"definition\">cover</p>";
        let article = format!("{heading}<p data-type=\"note\">n</p></div></div></section>");
        assert_eq!(end_of_heading(&article, "sec_3.4"), Some(heading.len()));
        assert_eq!(designations("<p data-type=\"definition\">x</p>"), 0);
        assert_eq!(designations("<div data-type=\"term\"><p>x</p></div>"), 0);
    }

    #[tokio::test]
    async fn an_addition_is_not_said_to_be_of_the_part_that_it_names() {
        let visit = visit("de/").await;
        let said = |operation| done(visit.words, operation, "3.4", Some("en")).into_string();
        assert_eq!(said(InstructionOperation::Add), "neuer Text bei <span lang=\"en\">3.4</span>");
        assert_eq!(said(InstructionOperation::Replace), "ersetzen · <span lang=\"en\">3.4</span>");
        let mut addition = amendment("s1", "new");
        addition.operation = Some(InstructionOperation::Add);
        let one = [addition.clone()];
        let shown = changes(&visit, &one).into_string();
        assert!(shown.contains(visit.words.added_by) && !shown.contains('Δ'), "{shown}");
        let both = [addition, amendment("s1", "other")];
        assert_eq!((is_changed(&one, "s1"), is_changed(&both, "s1")), (false, true));
        let marked = with_changes(&visit, "<p id=\"s1\">A</p>", &one);
        assert_eq!(marked, "<p id=\"s1\">A</p>");
    }

    #[test]
    fn an_element_is_marked_once_and_others_are_not() {
        let mut article = "<p><span id=\"prv_a\">A</span><span id=\"prv_ab\">B</span></p>".to_owned();
        mark_element(&mut article, "prv_a");
        mark_element(&mut article, "prv_c");
        assert_eq!(article, "<p><span id=\"prv_a\" data-amended>A</span><span id=\"prv_ab\">B</span></p>");
    }
}
