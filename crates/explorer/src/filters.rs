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
    /// The filters of a page, named by its path after the language.
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

    /// True if the page is filtered by this value.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.chosen.iter().any(|(chosen, chosen_value)| *chosen == name && chosen_value == value)
    }

    /// Each filter with a link that removes it. The words of a search are not a filter.
    pub(crate) fn removable(&self, words: &Words) -> Markup {
        html! {
            ul.chips aria-label=(words.filters) {
                @for (index, (name, value)) in self.chosen.iter().enumerate() {
                    @if self.is_filter(name) {
                        li { a.chip href=(self.without(index)) {
                            span.hidden { (words.remove) " " } span.quiet { (filter_name(words, name)) } " "
                            (filter_value(words, name, value)) span aria-hidden="true" { "✕" }
                        } }
                    }
                }
            }
        }
    }

    fn is_filter(&self, name: &str) -> bool {
        name != "q" || !self.path.ends_with("/search")
    }

    /// The address without one of the filters, by its index.
    fn without(&self, left_out: usize) -> String {
        let others = self.chosen.iter().enumerate().filter(|(index, _)| *index != left_out);
        self.address(others.map(|(_, parameter)| parameter))
    }
}

/// The name of what a filter selects by; empty for a choice whose value says enough.
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
        "severity" | "code" => words.diagnostics,
        _ => "",
    }
}

/// A value of a filter in words; a type of provisions with its mark.
pub(crate) fn filter_value(words: &Words, name: &str, value: &str) -> Markup {
    if name == "type"
        && let Ok(kind) = value.parse::<ProvisionType>()
    {
        return html! { (mark(words, kind)) " " (type_word(words, kind).1) };
    }
    let word = match (name, value) {
        ("in", _) => value.parse().map_or(value, |kind| kind_word(words, kind)),
        ("status", _) => value.parse().map_or(value, |status| status_word(words, status)),
        ("access", _) if value == AccessLevel::Read.as_str() => words.read,
        ("access", _) if value == AccessLevel::Discover.as_str() => words.discover,
        ("normative", "true") => words.normative,
        ("normative", "false") => words.informative,
        ("edition", "all") => words.all_editions,
        ("group", "standard") => words.by_standard,
        ("severity", _) => words.stored_name(value),
        _ => value,
    };
    html! { (word) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::words;
    use crate::visit::tests::visit;

    fn filters(visit: &Visit, path: &str, chosen: &[(&'static str, &str)]) -> Filters {
        Filters::of(visit, path, chosen.iter().map(|(name, value)| (*name, (*value).to_owned())).collect())
    }

    #[tokio::test]
    async fn a_link_adds_its_filter_to_those_of_the_page() {
        let visit = visit("en/search").await;
        let filters = filters(&visit, "search", &[("q", "ö & p"), ("type", "requirement")]);
        assert_eq!(filters.query(), "q=%C3%B6+%26+p&type=requirement");
        assert_eq!(filters.with("in", "term"), "/key/en/search?q=%C3%B6+%26+p&type=requirement&in=term");
        assert!(filters.has("type", "requirement") && !filters.has("type", "permission"));
        assert!(!filters.has("in", "requirement"));
    }

    #[tokio::test]
    async fn each_filter_has_a_link_without_it_and_words_are_a_filter_of_the_list_only() {
        let visit = visit("de/search").await;
        let chosen = [("q", "<b>"), ("status", "withdrawn")];
        let of_search = filters(&visit, "search", &chosen).removable(visit.words).into_string();
        assert_eq!(of_search.matches("<li>").count(), 1);
        assert!(of_search.contains("href=\"/key/de/search?q=%3Cb%3E\""), "{of_search}");
        assert!(of_search.contains("zurückgezogen"), "{of_search}");
        let of_list = filters(&visit, "", &chosen).removable(visit.words).into_string();
        assert_eq!(of_list.matches("<li>").count(), 2);
        assert!(of_list.contains("&lt;b&gt;") && !of_list.contains("<b>"), "{of_list}");
    }

    #[test]
    fn a_value_is_said_in_words_where_the_interface_has_some() {
        let english = words("en").unwrap();
        let said = |name, value| filter_value(english, name, value).into_string();
        assert_eq!(said("in", "term"), "term");
        assert_eq!(said("normative", "false"), "informative");
        assert_eq!(said("publisher", "A & B"), "A &amp; B");
        assert!(said("type", "permission").ends_with("</abbr> permission"));
        assert_eq!(said("access", "read"), "full text");
    }
}
