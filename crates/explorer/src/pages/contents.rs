//! Contents of a standard: its sections with links, those within them folded.

use std::borrow::Cow;
use std::collections::HashSet;

use maud::{Markup, html};
use norma_api::shapes::{SectionHead, SectionNode, SectionType};

use crate::content::Text;
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Sections up to which the contents are open at the second level.
const OPEN_SECTIONS: usize = 80;

/// What the contents show of each section.
pub(super) struct Contents<'a> {
    pub(super) visit: &'a Visit,
    /// Main language of the standard.
    pub(super) language: &'a str,
    /// The text, where the caller may read it.
    pub(super) text: Option<&'a Text>,
    /// Ids of the sections that amendments change.
    pub(super) amended: HashSet<&'a str>,
    /// Ids of the sections that amendments only bring new text next to.
    pub(super) added: HashSet<&'a str>,
    /// The address of a section by its id; `None` where the page has no text.
    pub(super) link: &'a dyn Fn(&str) -> Option<String>,
}

impl Contents<'_> {
    /// The contents as a fold, which is open.
    pub(super) fn show(&self, outline: &[SectionNode<'_>]) -> Markup {
        let words = self.visit.words;
        let is_open = count(outline) <= OPEN_SECTIONS;
        html! {
            nav.tree aria-label=(words.contents) {
                details.tree-box open {
                    summary { (words.contents) " " span.current-clause data-now lang=(self.language) {} }
                    div lang=(self.language) { (self.nodes(outline, is_open)) }
                }
            }
        }
    }

    fn nodes(&self, outline: &[SectionNode<'_>], is_open: bool) -> Markup {
        html! {
            ol {
                @for node in outline {
                    @let own = &node.head;
                    @let name = node_name(self.visit.words, own, self.text);
                    li {
                        @match (self.link)(&own.id) {
                            Some(href) => a href=(href) data-section=(own.id) { (name) (self.mark(&own.id)) },
                            None => span { (name) },
                        }
                        @if !node.children.is_empty() {
                            details open[is_open] {
                                summary { span.hidden lang=(self.visit.words.language) { (fill(self.visit.words.within, &name)) } }
                                (self.nodes(&node.children, is_open && own.level == 0))
                            }
                        }
                    }
                }
            }
        }
    }

    /// A mark at a section that an amendment changes, or only brings new text next to.
    fn mark(&self, id: &str) -> Markup {
        let words = self.visit.words;
        let (sign, said) = if self.amended.contains(id) {
            ("Δ", words.amended)
        } else if self.added.contains(id) {
            ("+", words.added_here)
        } else {
            return html! {};
        };
        html! { " " span.amended-mark lang=(words.language) title=(said) { (sign) span.hidden { " " (said) } } }
    }
}

fn count(outline: &[SectionNode<'_>]) -> usize {
    outline.iter().map(|node| 1 + count(&node.children)).sum()
}

/// The name of a section in the contents. The text is searched only if the section has no title.
fn node_name(words: &Words, section: &SectionHead<'_>, text: Option<&Text>) -> String {
    let mut own_text = "";
    if let (Some(text), None) = (text, &section.title)
        && let Some(content) = text.sections.iter().find(|content| content.head.id == section.id)
    {
        own_text = &content.text;
    }
    title(words, [&section.number, &section.title, &section.label], section.kind, own_text)
}

/// Number and title of a section, else its label, else a word for its type; of a clause its first words.
pub(super) fn title(
    words: &Words,
    [number, title, label]: [&Option<Cow<'_, str>>; 3],
    kind: SectionType,
    text: &str,
) -> String {
    let parts: Vec<&str> = [number, title].into_iter().flatten().map(|part| &**part).collect();
    let written = parts.join("  ");
    if !written.is_empty() {
        return written;
    }
    let begin = first_words(text);
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

/// The begin of a text, cut after a word where it is longer than 40 characters.
fn first_words(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut begin = text.split_whitespace().take(LONGEST).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = begin.char_indices().nth(LONGEST) {
        begin.truncate(begin[..end].rfind(' ').unwrap_or(end));
        begin.push('…');
    }
    begin
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

    #[test]
    fn first_words_end_with_a_word_within_40_characters() {
        assert_eq!(first_words("  The lid\n\tcloses. "), "The lid closes.");
        let exact = "a".repeat(19) + " " + &"b".repeat(20);
        assert_eq!(first_words(&exact), exact);
        assert_eq!(first_words(&format!("{exact}b")), "a".repeat(19) + "…");
        assert_eq!(first_words(""), "");
    }
}
