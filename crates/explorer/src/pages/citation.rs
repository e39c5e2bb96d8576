//! Citations in the search box: a place to go to, or what is known of it.

use maud::{Markup, html};
use norma_api::shapes::{CitationOutcome, CitationsRequest, CitedPart, ResolvedCitation};
use norma_model::printed::PrintedCitation;

use crate::frame::{capitalized, element_address, standard_address};
use crate::phrases::{fill, with_code};
use crate::visit::Visit;

/// What the service reads in the words of a search, if they are a citation. Other words are read by
/// the search alone, and so are all where the service does not resolve citations.
pub(super) async fn resolved(visit: &Visit, q: &str) -> Option<ResolvedCitation<'static>> {
    let request = CitationsRequest { citations: vec![q.to_owned()], urn: None, at: None };
    let (_turn, client) = visit.site.service.turn().await;
    let answer = client.resolve_citations(&request).await.ok()?;
    let first = answer.items.into_iter().next()?;
    (first.outcome != CitationOutcome::Unreadable).then_some(first)
}

/// The address of the one place that a citation leads to.
pub(super) fn address(visit: &Visit, citation: &ResolvedCitation<'_>) -> Option<String> {
    let [only] = &citation.locations[..] else { return None };
    Some(element_address(visit, citation.urn.as_deref()?, &only.id))
}

/// What a reader has to know of a citation that leads to no place, or to one of several. Where the search
/// finds something, an edition is said to be unknown only if the words name one: `4.2(1)` alone does not.
pub(super) fn note(visit: &Visit, citation: &ResolvedCitation<'_>, hits: u64) -> Markup {
    let words = visit.words;
    let reference = citation.reference.as_deref().unwrap_or(&citation.citation);
    match (citation.outcome, &citation.urn) {
        (CitationOutcome::LocationUnknown, Some(urn)) => html! {
            p.notice.warning {
                (fill(words.location_unknown, reference)) " "
                a href=(standard_address(visit, urn)) { (reference) }
                @for part in &citation.nearest { " · " (part_link(visit, urn, part)) }
            }
        },
        (CitationOutcome::NotLicensed, Some(urn)) => html! {
            p.notice.warning { (with_code(words.only_discover)) " " a href=(standard_address(visit, urn)) { (reference) } }
        },
        (CitationOutcome::Ambiguous, _) => html! {
            p.notice.warning { (words.ambiguous) (candidates(visit, citation)) }
        },
        (CitationOutcome::EditionUnknown, _) if hits == 0 || names_document(&citation.citation) => html! {
            p.notice.warning {
                @match &citation.reference {
                    Some(reference) => (fill(words.edition_unknown, reference)),
                    None => (fill(words.citation_unknown, &citation.citation)),
                }
                @if let Some(latest) = &citation.latest {
                    " " (capitalized(words.other_edition)) (words.colon())
                    a href=(standard_address(visit, &latest.urn)) { (latest.reference) }
                }
                (candidates(visit, citation))
            }
        },
        _ => html! {},
    }
}

/// Links to the editions or parts that a citation may mean.
fn candidates(visit: &Visit, citation: &ResolvedCitation<'_>) -> Markup {
    html! {
        @for candidate in &citation.candidates {
            " · "
            @match &candidate.location {
                Some(part) => { (candidate.edition.reference) ", " (part_link(visit, &candidate.edition.urn, part)) },
                None => a href=(standard_address(visit, &candidate.edition.urn)) { (candidate.edition.reference) },
            }
        }
    }
}

/// Whether the words of a citation name a document.
fn names_document(text: &str) -> bool {
    PrintedCitation::read(text).is_ok_and(|citation| citation.document.is_some())
}

fn part_link(visit: &Visit, urn: &str, part: &CitedPart<'_>) -> Markup {
    let name = part.label.as_deref().or(part.title.as_deref()).unwrap_or(&part.id);
    html! { a href=(element_address(visit, urn, &part.id)) { (name) } }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::visit::tests::visit;

    fn citation(members: serde_json::Value) -> ResolvedCitation<'static> {
        let mut citation = json!({"citation": "X 1:2020, 4.2", "outcome": "resolved", "locations": []});
        for (name, value) in members.as_object().unwrap() {
            citation[name] = value.clone();
        }
        serde_json::from_value(citation).unwrap()
    }

    #[tokio::test]
    async fn a_citation_of_one_part_has_an_address_and_one_of_several_or_none_has_not() {
        let visit = visit("en/search?q=x").await;
        let part = |id: &str| json!({"kind": "section", "id": id, "label": "4.2"});
        let to = |locations| citation(json!({"urn": "urn:x:std:x:1:ed-1:en", "locations": locations}));
        let one = address(&visit, &to(json!([part("sec_4.2")])));
        assert_eq!(one.as_deref(), Some("/key/en/s/urn:x:std:x:1:ed-1:en?at=sec_4.2#sec_4.2"));
        assert_eq!(address(&visit, &to(json!([part("a"), part("b")]))), None);
        assert_eq!(address(&visit, &to(json!([]))), None);
    }

    #[tokio::test]
    async fn an_edition_that_is_not_there_is_said_with_hits_of_others() {
        let visit = visit("en/search?q=x").await;
        let unknown = |text: &str| citation(json!({"citation": text, "outcome": "edition-unknown"}));
        let said = |text: &str, hits| note(&visit, &unknown(text), hits).into_string();
        assert!(said("NSB 1:2011", 14).contains("cannot find “NSB 1:2011”"), "{}", said("NSB 1:2011", 14));
        assert!(said("NSB 1:2011, 4.1", 1).contains("NSB 1:2011, 4.1"));
        assert_eq!((said("4.2(1)", 3), said("4.2(1)", 0).is_empty()), (String::new(), false));
    }

    #[tokio::test]
    async fn a_part_that_is_not_there_is_said_with_the_nearest_ones() {
        let visit = visit("en/search?q=x").await;
        let unknown = citation(json!({
            "outcome": "place-unknown", "urn": "urn:x:std:x:1:ed-1:en", "reference": "X 1:2020",
            "nearest": [{"kind": "section", "id": "sec_4", "label": "4"}],
        }));
        let note = note(&visit, &unknown, 3).into_string();
        assert!(note.contains("?at=sec_4#sec_4\">4</a>") && note.contains("X 1:2020"), "{note}");
    }
}
