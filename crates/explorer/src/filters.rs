//! Filters of a list or search, in the address of its page.

use std::iter::once;

use maud::{Markup, html};
use norma_api::shapes::{AccessLevel, ProvisionType, SearchKind};
use url::form_urlencoded::Serializer;

use crate::frame::{mark, status_word, type_word};
use crate::phrases::Words;
use crate::visit::{PageParameter, Visit};

/// Words and filters of a page, which each link to it repeats.
pub(crate) struct Filters {
    /// Address of the page, without a query.
    path: String,
    pub(crate) chosen: Vec<PageParameter>,
}

impl Filters {
    /// Those of a page, named by its path after the language.
    pub(crate) fn of(visit: &Visit, path: &str, chosen: Vec<PageParameter>) -> Self {
        Self { path: visit.at(path), chosen }
    }

    /// The address of the page with these parameters.
    pub(crate) fn address<'a>(&self, chosen: impl Iterator<Item = &'a PageParameter>) -> String {
        let mut query = Serializer::for_suffix(format!("{}?", self.path), self.path.len() + 1);
        query.extend_pairs(chosen).finish()
    }

    /// The address with another filter or parameter.
    pub(crate) fn with(&self, name: &'static str, value: &str) -> String {
        self.address(self.chosen.iter().chain(once(&(name, value.to_owned()))))
    }

    /// Words and filters as a query of the service.
    pub(crate) fn query(&self) -> String {
        self.address(self.chosen.iter()).split_off(self.path.len() + 1)
    }

    /// Whether a filter has this value.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.chosen.iter().any(|chosen| chosen.0 == name && chosen.1 == value)
    }

    /// Each filter with a link that removes it. The words of a search are not a filter.
    pub(crate) fn removable(&self, words: &Words) -> Markup {
        let is_filter = |name: &str| name != "q" || !self.path.ends_with("/search");
        let without = |left_out: usize| {
            let others = self.chosen.iter().enumerate().filter(|(at, _)| *at != left_out);
            self.address(others.map(|(_, pair)| pair))
        };
        html! {
            ul.chips aria-label=(words.filters) {
                @for (at, (name, value)) in self.chosen.iter().enumerate().filter(|(_, (name, _))| is_filter(name)) {
                    li { a.chip href=(without(at)) {
                        span.hidden { (words.remove) " " } span.quiet { (filter_name(words, name)) } " "
                        (filter_value(words, name, value)) span aria-hidden="true" { "✕" }
                    } }
                }
            }
        }
    }
}

/// What a filter is by; nothing for a choice that its value says.
pub(crate) fn filter_name(words: &Words, name: &str) -> &'static str {
    match name {
        "q" => words.title_or_reference,
        "type" | "normative" => words.provision_type,
        "in" => words.kind,
        "status" => words.status,
        "access" => words.access,
        "publisher" => words.publisher,
        "ics" => words.ics,
        "language" => words.text_language,
        "urn" => "URN",
        _ => "",
    }
}

/// A value of a filter in words; a type of provisions with its mark.
pub(crate) fn filter_value(words: &Words, name: &str, value: &str) -> Markup {
    let kind: Option<ProvisionType> = value.parse().ok().filter(|_| name == "type");
    let word = match (name, value) {
        ("in", _) => value.parse().map_or(value, |kind| kind_word(words, kind)),
        ("status", _) => value.parse().map_or(value, |status| status_word(words, status)),
        ("access", _) if value == AccessLevel::Read.as_str() => words.read,
        ("access", _) if value == AccessLevel::Discover.as_str() => words.discover,
        ("normative", "true") => words.normative,
        ("normative", "false") => words.informative,
        ("edition", "all") => words.all_editions,
        ("group", "standard") => words.by_standard,
        _ => value,
    };
    html! { @match kind { Some(kind) => { (mark(words, kind)) " " (type_word(words, kind).1) }, None => (word) } }
}

/// A word for a kind of text.
pub(crate) fn kind_word(words: &Words, kind: SearchKind) -> &'static str {
    match kind {
        SearchKind::Standard => words.kind_standard,
        SearchKind::Section => words.kind_section,
        SearchKind::Provision => words.kind_provision,
        SearchKind::Term => words.kind_term,
        SearchKind::Table => words.kind_table,
        SearchKind::Unrecognized => words.unrecognized,
    }
}
