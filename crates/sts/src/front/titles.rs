//! Titles: by language, whole or in their elements.

use std::collections::BTreeMap;

use norma_model::{Lang, Title};

use crate::text::words;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The titles of all blocks; if two blocks have one in the same language, that of the outer publisher counts.
pub(super) fn titles(blocks: &[XmlNode<'_>], main: &Lang) -> BTreeMap<Lang, Title> {
    let mut titles = BTreeMap::new();
    for wrap in blocks.iter().flat_map(|b| b.all(Name::TitleWrap)) {
        let language = wrap.language().unwrap_or_else(|| main.clone());
        if let Some(title) = title(wrap) {
            titles.entry(language).or_insert(title);
        }
    }
    titles
}

fn title(wrap: XmlNode<'_>) -> Option<Title> {
    let joined = |name| {
        let parts: Vec<String> = wrap.all(name).filter_map(words).collect();
        (!parts.is_empty()).then(|| parts.join(" — "))
    };
    let (intro, main, complement) = (joined(Name::Intro), joined(Name::Main), joined(Name::Compl));
    let full = wrap.all(Name::Full).find_map(words).or_else(|| {
        let parts: Vec<&str> =
            [&intro, &main, &complement].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" — "))
    })?;
    Some(Title { intro, main, complement, full })
}
