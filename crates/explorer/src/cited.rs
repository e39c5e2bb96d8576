//! Documents that a standard cites: which of them the service has, and links to them in the text.

use std::collections::HashMap;

use maud::{Markup, html};
use norma_api::shapes::{Relation, StandardSummary, Status};

use crate::calls::Service;
use crate::documents::{document_urn, edition_urn, standards_of};
use crate::failure::PageFailure;
use crate::frame::{language, standard_address};
use crate::phrases::fill;
use crate::visit::Visit;

/// What is known of a cited document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeldDocument {
    /// The cited edition, or of an undated citation the latest one.
    Held { urn: String },
    /// Another edition than the cited one alone.
    OtherEdition { urn: String, reference: String },
    /// No edition that the caller may see.
    NotHeld,
}

/// A citation of another document.
#[derive(Clone, Copy)]
pub(crate) struct CitedReference<'a> {
    pub(crate) reference: &'a str,
    /// URN of the document, perhaps with its edition.
    pub(crate) urn: Option<&'a str>,
    /// Year or date of the cited edition.
    pub(crate) date: Option<&'a str>,
}

impl<'a> From<&'a Relation<'_>> for CitedReference<'a> {
    fn from(relation: &'a Relation<'_>) -> Self {
        Self {
            reference: &relation.reference,
            urn: relation.urn.as_deref(),
            date: relation.date.as_deref().filter(|_| relation.dated),
        }
    }
}

/// The editions that the service has of cited documents.
#[derive(Default)]
pub(crate) struct HeldDocuments {
    held: HashMap<String, Vec<StandardSummary<'static>>>,
}

impl HeldDocuments {
    /// Asks the service for the documents of some citations.
    pub(crate) async fn read<'a>(
        service: &Service,
        citations: impl Iterator<Item = CitedReference<'a>>,
    ) -> Result<Self, PageFailure> {
        let mut urns: Vec<&str> = citations.filter_map(|citation| citation.urn).map(document_urn).collect();
        urns.sort_unstable();
        urns.dedup();
        let mut held: HashMap<String, Vec<StandardSummary<'_>>> = HashMap::new();
        for standard in standards_of(service, &urns, "").await? {
            held.entry(document_urn(&standard.urn).to_owned()).or_default().push(standard);
        }
        Ok(Self { held })
    }

    /// What is known of a citation in a text of this language.
    pub(crate) fn find(&self, citation: CitedReference<'_>, text_language: &str) -> HeldDocument {
        let Some(urn) = citation.urn else { return HeldDocument::NotHeld };
        let Some(held) = self.held.get(document_urn(urn)) else { return HeldDocument::NotHeld };
        let mut cited: Vec<&StandardSummary<'_>> = Vec::new();
        for standard in held {
            if is_cited(standard, citation, urn) {
                cited.push(standard);
            }
        }
        match (latest(&cited, text_language), latest(&held.iter().collect::<Vec<_>>(), text_language)) {
            (Some(edition), _) => HeldDocument::Held { urn: edition.urn.to_string() },
            (None, Some(other)) => HeldDocument::OtherEdition {
                urn: other.urn.to_string(),
                reference: other.reference.to_string(),
            },
            (None, None) => HeldDocument::NotHeld,
        }
    }
}

/// True if a standard is the edition that a citation means.
fn is_cited(standard: &StandardSummary<'_>, citation: CitedReference<'_>, urn: &str) -> bool {
    if urn.contains(":ed-") {
        return urn == standard.urn || urn == edition_urn(&standard.urn);
    }
    let Some(date) = citation.date else { return true };
    let of_date = standard.published_on.as_deref().is_some_and(|published| published.starts_with(date));
    of_date || without_spaces(&standard.reference) == without_spaces(citation.reference)
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_lowercase()
}

/// The newest of some editions, those that are not drafts and in the wanted language first.
fn latest<'a>(editions: &[&'a StandardSummary<'a>], wanted: &str) -> Option<&'a StandardSummary<'a>> {
    let order = |standard: &&&StandardSummary<'_>| {
        let is_published = standard.status != Status::Draft;
        let published_on = standard.published_on.as_deref().unwrap_or_default().to_owned();
        (is_published, published_on, language(&standard.urn) == Some(wanted))
    };
    editions.iter().max_by_key(order).copied()
}

/// A citation with a link to what the service has, or with the words that it has nothing.
pub(crate) fn link(visit: &Visit, text: &str, document: &HeldDocument) -> Markup {
    let words = visit.words;
    html! {
        @match document {
            HeldDocument::Held { urn } => a.cited href=(standard_address(visit, urn)) { (text) },
            HeldDocument::OtherEdition { urn, reference } => {
                span.cited data-not-held=(words.not_held) { (text) }
                " " a.other-edition href=(standard_address(visit, urn)) { (fill(words.held_edition, reference)) }
            }
            HeldDocument::NotHeld => span.cited data-not-held=(words.not_held) { (text) },
        }
    }
}

/// A citation that is looked for in the text of a section.
pub(crate) struct SectionCitation {
    /// The reference, escaped as HTML has it.
    reference: String,
    /// What is written instead.
    markup: String,
}

/// The citations of each section, by its id, the longest first: `ISO 4210-1` is not `ISO 4210`.
pub(crate) fn by_section<'a>(
    visit: &Visit,
    relations: &'a [Relation<'_>],
    documents: &HeldDocuments,
    text_language: &str,
) -> HashMap<&'a str, Vec<SectionCitation>> {
    let mut by_section: HashMap<&str, Vec<SectionCitation>> = HashMap::new();
    for relation in relations {
        let document = documents.find(relation.into(), text_language);
        for section in &relation.section_ids {
            by_section.entry(section).or_default().push(SectionCitation {
                reference: html! { (relation.reference) }.into_string(),
                markup: inline(visit, &relation.reference, &document).into_string(),
            });
        }
    }
    for citations in by_section.values_mut() {
        citations.sort_by_key(|citation| std::cmp::Reverse(citation.reference.len()));
    }
    by_section
}

/// A citation within a sentence: a link, or a mark that only the style shows, so that the words stay those of
/// the standard.
fn inline(visit: &Visit, text: &str, document: &HeldDocument) -> Markup {
    let words = visit.words;
    html! {
        @match document {
            HeldDocument::Held { urn } => a.cited href=(standard_address(visit, urn)) { (text) },
            HeldDocument::OtherEdition { urn, reference } => {
                a.cited href=(standard_address(visit, urn)) data-not-held=(fill(words.held_edition, reference)) { (text) }
            }
            HeldDocument::NotHeld => span.cited data-not-held=(words.not_held) { (text) },
        }
    }
}

/// The HTML of a text with links at the citations of its sections. Words within links are left alone.
pub(crate) fn with_cited(article: &str, by_section: &HashMap<&str, Vec<SectionCitation>>) -> String {
    if by_section.is_empty() {
        return article.to_owned();
    }
    let mut linked = String::with_capacity(article.len());
    let mut sections: Vec<&str> = Vec::new();
    let mut links = 0;
    let mut rest = article;
    while let Some(start) = rest.find('<') {
        let citations = sections.last().and_then(|id| by_section.get(id));
        match citations {
            Some(citations) if links == 0 => add_words(&mut linked, &rest[..start], citations),
            _ => linked.push_str(&rest[..start]),
        }
        let end = rest[start..].find('>').map_or(rest.len(), |end| start + end + 1);
        let tag = &rest[start..end];
        match tag.split([' ', '>']).next().unwrap_or_default() {
            "<section" => sections.push(id_of(tag)),
            "</section" => _ = sections.pop(),
            // Characters of a formula are not words.
            "<a" | "<math" => links += 1,
            "</a" | "</math" => links -= 1,
            _ => {}
        }
        linked.push_str(tag);
        rest = &rest[end..];
    }
    linked.push_str(rest);
    linked
}

fn id_of(tag: &str) -> &str {
    let id = tag.split(" id=\"").nth(1).unwrap_or_default();
    id.split('"').next().unwrap_or_default()
}

/// Adds words with the citations in them, from left to right.
fn add_words(linked: &mut String, words: &str, citations: &[SectionCitation]) {
    let mut rest = words;
    while let Some((start, citation)) = next_citation(rest, citations) {
        linked.push_str(&rest[..start]);
        linked.push_str(&citation.markup);
        rest = &rest[start + citation.reference.len()..];
    }
    linked.push_str(rest);
}

/// The first citation in some words, and of those at one position the longest.
fn next_citation<'c>(words: &str, citations: &'c [SectionCitation]) -> Option<(usize, &'c SectionCitation)> {
    let mut first: Option<(usize, &SectionCitation)> = None;
    for citation in citations {
        let Some(start) = find_whole(words, &citation.reference) else { continue };
        if first.is_none_or(|(earlier, _)| start < earlier) {
            first = Some((start, citation));
        }
    }
    first
}

/// Where a reference is that is not a part of a longer one: `ISO 4210` is not in `ISO 4210-1` and not in
/// `EN ISO 4210`, and is in `ISO 4210, Clause 5`.
fn find_whole(words: &str, reference: &str) -> Option<usize> {
    if reference.is_empty() {
        return None;
    }
    for (start, _) in words.match_indices(reference) {
        if !continues(&words[start + reference.len()..]) && !is_in_longer(&words[..start]) {
            return Some(start);
        }
    }
    None
}

/// True if what follows a reference belongs to it: another digit, a part, a date, a supplement.
fn continues(after: &str) -> bool {
    let mut after = after.chars();
    match after.next() {
        Some('-' | '–' | ':' | '/' | '.' | ',') => after.next().is_some_and(char::is_alphanumeric),
        Some(next) => next.is_alphanumeric(),
        None => false,
    }
}

/// True if what is before a reference belongs to it: a letter, or the name of a body that adopts documents.
fn is_in_longer(before: &str) -> bool {
    if before.ends_with(char::is_alphanumeric) {
        return true;
    }
    let last = before.split_whitespace().next_back().unwrap_or_default();
    last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::documents::tests::standard;
    use crate::visit::tests::visit;

    fn documents() -> HeldDocuments {
        let mut held = HashMap::new();
        let editions = vec![
            standard("urn:x:std:x:1:ed-1:en", "2019", json!({"reference": "X 1:2019"})),
            standard("urn:x:std:x:1:ed-2:de", "2025-03", json!({"reference": "X 1:2025"})),
            standard("urn:x:std:x:1:ed-2:en", "2025-03", json!({"reference": "X 1:2025"})),
            standard("urn:x:std:x:1:ed-3:en", "2026", json!({"reference": "X 1:2026", "status": "draft"})),
        ];
        held.insert("urn:x:std:x:1".to_owned(), editions);
        HeldDocuments { held }
    }

    fn cited<'a>(reference: &'a str, urn: &'a str, date: Option<&'a str>) -> CitedReference<'a> {
        CitedReference { reference, urn: Some(urn), date }
    }

    #[test]
    fn a_dated_citation_means_its_edition_and_an_undated_one_the_latest_in_the_language_of_the_text() {
        let documents = documents();
        let held = |urn: &str| HeldDocument::Held { urn: urn.to_owned() };
        let find =
            |reference, date, language| documents.find(cited(reference, "urn:x:std:x:1", date), language);
        assert_eq!(find("X 1", None, "en"), held("urn:x:std:x:1:ed-2:en"));
        assert_eq!(find("X 1", None, "de"), held("urn:x:std:x:1:ed-2:de"));
        assert_eq!(find("X 1:2019", Some("2019"), "de"), held("urn:x:std:x:1:ed-1:en"));
        assert_eq!(find("X 1:2025-03", Some("2025-03"), "en"), held("urn:x:std:x:1:ed-2:en"));
    }

    #[test]
    fn another_edition_than_the_cited_one_is_said_to_be_another_and_an_unknown_document_not_held() {
        let documents = documents();
        let other = documents.find(cited("X 1:2012", "urn:x:std:x:1", Some("2012")), "en");
        let expected = HeldDocument::OtherEdition {
            urn: "urn:x:std:x:1:ed-2:en".to_owned(),
            reference: "X 1:2025".to_owned(),
        };
        assert_eq!(other, expected);
        assert_eq!(documents.find(cited("X 2", "urn:x:std:x:2", None), "en"), HeldDocument::NotHeld);
        let without_urn = CitedReference { reference: "A report", urn: None, date: None };
        assert_eq!(documents.find(without_urn, "en"), HeldDocument::NotHeld);
    }

    #[test]
    fn a_reference_is_found_whole_only() {
        for (words, found) in [
            ("to ISO 4210, Clause 5", Some(3)),
            ("to ISO 4210.", Some(3)),
            ("ISO 4210-1 and ISO 4210", Some(15)),
            ("EN ISO 4210", None),
            ("ISO 4210:2014", None),
            ("ISO 42100", None),
            ("", None),
        ] {
            assert_eq!(find_whole(words, "ISO 4210"), found, "{words}");
        }
    }

    #[tokio::test]
    async fn citations_of_a_section_become_links_and_those_of_others_and_within_links_do_not() {
        let visit = visit("en/").await;
        let relation = |reference: &str, urn: &str| -> Relation<'static> {
            let relation = json!({
                "type": "normativeReference", "reference": reference, "urn": urn, "dated": false, "sectionIds": ["s1"],
            });
            serde_json::from_value(relation).unwrap()
        };
        let relations = [relation("X 1", "urn:x:std:x:1"), relation("A & B 7", "urn:ab:std:ab:7")];
        let by_section = by_section(&visit, &relations, &documents(), "en");
        let article = "<section id=\"s1\"><p>See X 1, A &amp; B 7 and <a href=\"#x\">X 1</a>.</p><section id=\"s2\">X 1</section></section>";
        let linked = with_cited(article, &by_section);
        assert_eq!(
            linked,
            "<section id=\"s1\"><p>See <a class=\"cited\" href=\"/key/en/s/urn:x:std:x:1:ed-2:en\">X 1</a>, \
             <span class=\"cited\" data-not-held=\"not held\">A &amp; B 7</span> and <a href=\"#x\">X 1</a>.</p>\
             <section id=\"s2\">X 1</section></section>"
        );
    }
}
