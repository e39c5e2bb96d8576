//! Titles: by language, whole or in their elements.

use std::collections::BTreeMap;

use norma_model::{Lang, Title};

use crate::text::words;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The titles of all blocks; if two blocks have one in the same language, that of the outer publisher counts.
pub(super) fn titles(blocks: &[XmlNode<'_>], main: &Lang) -> BTreeMap<Lang, Title> {
    let mut titles = BTreeMap::new();
    for wrap in blocks.iter().flat_map(|block| block.all(Name::TitleWrap)) {
        let language = wrap.language().unwrap_or_else(|| main.clone());
        if let Some(title) = title(wrap) {
            titles.entry(language).or_insert(title);
        }
    }
    titles
}

fn title(wrap: XmlNode<'_>) -> Option<Title> {
    let intro = element(wrap, Name::Intro);
    let main = element(wrap, Name::Main);
    let complement = element(wrap, Name::Compl);
    let full = match wrap.all(Name::Full).find_map(words) {
        Some(full) => full,
        None => joined([&intro, &main, &complement].into_iter().flatten().cloned().collect())?,
    };
    Some(Title { intro, main, complement, full })
}

/// One element of a title; a source may repeat it for several lines.
fn element(wrap: XmlNode<'_>, name: Name) -> Option<String> {
    joined(wrap.all(name).filter_map(words).collect())
}

fn joined(parts: Vec<String>) -> Option<String> {
    if parts.is_empty() { None } else { Some(parts.join(" — ")) }
}
