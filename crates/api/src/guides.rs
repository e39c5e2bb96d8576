//! Guides for people who write clients: pages of `docs/`, which the service shows at `/guides/NAME`.

use std::borrow::Cow;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::page::page;

/// A guide for people who write clients.
#[derive(Debug)]
pub struct Guide {
    /// The name in the path, which is that of its file.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What it helps with.
    pub summary: &'static str,
    markdown: &'static str,
}

macro_rules! guides {
    ($($name:literal $title:literal $summary:literal)+) => {
        &[$(Guide {
            name: $name,
            title: $title,
            summary: $summary,
            markdown: include_str!(concat!("../../../docs/", $name, ".md")),
        },)+]
    };
}

impl Guide {
    /// Every guide, the first steps first.
    pub const ALL: &[Self] = guides! {
        "using-the-api" "Using the API" "ten steps from a token to a working mirror."
        "onboarding" "Onboarding" "from the registration of a caller to the first call."
        "selections" "Selections" "how clauses, provisions, tables and terms are named in a request."
        "search" "Search" "what is searched, and in which order hits come."
        "tables" "Tables" "cells with their values, and CSV."
        "compare" "Comparing editions" "which provision became which, and what changed."
    };

    /// The guide of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|guide| guide.name == name)
    }

    /// A link to it, from a page from which `up` leads to the root.
    pub(crate) fn link(&self, up: &str) -> String {
        format!("<a href=\"{up}guides/{}\">{}</a>", self.name, self.title)
    }

    /// The page in HTML, which loads nothing. A link to a document that the service does not show is its text
    /// alone.
    pub fn html(&self) -> String {
        let mut events = Vec::new();
        let mut links = Vec::new();
        for event in Parser::new_ext(self.markdown, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    let shown = shown_target(&dest_url).map(|url| CowStr::from(url.into_owned()));
                    links.push(shown.is_some());
                    let Some(dest_url) = shown else { continue };
                    events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
                }
                Event::End(TagEnd::Link) if links.pop() == Some(false) => {}
                event => events.push(event),
            }
        }
        name_headings(&mut events);
        let mut body = String::new();
        html::push_html(&mut body, events.into_iter());
        page(self.title, &body, "../")
    }
}

/// Where a link of a document leads on the service; `None` where it leads to nothing that is shown there.
fn shown_target(target: &str) -> Option<Cow<'_, str>> {
    if target.starts_with('#') || target.starts_with("https://") {
        return Some(target.into());
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let name = file.strip_suffix(".md")?;
    if name == "problems" {
        let below = if fragment.is_empty() { String::new() } else { format!("/{fragment}") };
        return Some(format!("../problems{below}").into());
    }
    Guide::named(name)?;
    Some(target.replacen(".md", "", 1).into())
}

/// Gives each heading the id by which other documents refer to it.
fn name_headings(events: &mut [Event<'_>]) {
    for at in 0..events.len() {
        let mut text = String::new();
        for event in &events[at + 1..] {
            match event {
                Event::Text(part) | Event::Code(part) => text.push_str(part),
                Event::End(TagEnd::Heading(_)) => break,
                _ => {}
            }
        }
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
            *id = Some(fragment_of(&text).into());
        }
    }
}

/// The fragment of a heading: in small letters, words joined by hyphens, without other signs.
fn fragment_of(heading: &str) -> String {
    let mut fragment = String::new();
    for letter in heading.to_lowercase().chars() {
        match letter {
            ' ' => fragment.push('-'),
            letter if letter.is_alphanumeric() || letter == '-' || letter == '_' => fragment.push(letter),
            _ => {}
        }
    }
    fragment
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::problem::Code;

    fn values<'p>(page: &'p str, attribute: &str) -> BTreeSet<&'p str> {
        let mut found = BTreeSet::new();
        for part in page.split(&format!(" {attribute}=\"")).skip(1) {
            found.insert(part.split('"').next().unwrap());
        }
        found
    }

    #[test]
    fn each_link_of_a_guide_leads_to_something_that_the_service_shows() {
        let mut links = 0;
        for guide in Guide::ALL {
            let page = guide.html();
            assert!(page.contains("<main>\n<h1 id="), "{page}");
            for link in values(&page, "href") {
                links += 1;
                if let Some(code) = link.strip_prefix("../problems/") {
                    code.parse::<Code>().unwrap();
                    continue;
                }
                if link.starts_with("https://") || ["data:,", "../docs", "../problems"].contains(&link) {
                    continue;
                }
                let (name, fragment) = link.split_once('#').unwrap_or((link, ""));
                let name = name.strip_prefix("../guides/").unwrap_or(name);
                let target = if name.is_empty() { guide } else { Guide::named(name).unwrap() };
                let is_there = fragment.is_empty() || values(&target.html(), "id").contains(fragment);
                assert!(is_there, "{link} of {}", guide.name);
            }
        }
        assert!(links > 30, "{links}");
    }

    #[test]
    fn a_link_to_a_document_that_is_not_shown_is_its_text() {
        let page = Guide::named("using-the-api").unwrap().html();
        assert!(page.contains("norma-client") && !page.contains("python/README"), "{page}");
    }
}
