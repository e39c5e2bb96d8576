//! Titles: by language, whole or in their elements.

use std::collections::BTreeMap;

use norma_model::{Lang, Title};

use crate::document::index::is_footnote_reference;
use crate::xml::names::Name;
use crate::xml::tree::Node;

/// The titles of all blocks; where two blocks have one in the same language, the outer publisher's holds.
pub(super) fn titles(blocks: &[Node<'_>], main: &Lang) -> BTreeMap<Lang, Title> {
    let mut titles = BTreeMap::new();
    for wrap in blocks.iter().flat_map(|b| b.all(Name::TitleWrap)) {
        let language = wrap.attr("lang").and_then(|l| l.parse().ok()).unwrap_or_else(|| main.clone());
        if let Some(title) = title(wrap) {
            titles.entry(language).or_insert(title);
        }
    }
    titles
}

fn title(wrap: Node<'_>) -> Option<Title> {
    let joined = |name| {
        let parts: Vec<String> = wrap.all(name).filter_map(text_without_notes).collect();
        (!parts.is_empty()).then(|| parts.join(" — "))
    };
    let (intro, main, complement) = (joined(Name::Intro), joined(Name::Main), joined(Name::Compl));
    let full = wrap.all(Name::Full).find_map(text_without_notes).or_else(|| {
        let parts: Vec<&str> =
            [&intro, &main, &complement].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" — "))
    })?;
    Some(Title { intro, main, complement, full })
}

/// The text of a title without footnotes and without IEEE's titles of other documents.
fn text_without_notes(title: Node<'_>) -> Option<String> {
    let aside = |n: Node<'_>| {
        let footnote = n.name() == Name::Xref && is_footnote_reference(n);
        footnote || matches!(n.name(), Name::Fn | Name::Footnote | Name::AltTitle)
    };
    let within = |n: &Node<'_>| n.ancestors().take_while(|a| *a != title).any(aside);
    let all: String = title.descendants().filter(|n| !within(n)).map(Node::characters).collect();
    let words = all.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}
