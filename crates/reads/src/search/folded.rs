//! Hits of one page that are the same object for a reader: a term with its own clause, and objects of the
//! same label in translations and adoptions.

use std::collections::HashMap;
use std::sync::Arc;

use norma_api::shapes::{AccessLevel, AlsoIn, RelatedEditionType, SearchHit, SearchKind};

use crate::edition::AuthorizedEdition;

/// Editions of a page that are the same text: translations and adoptions of one edition.
#[derive(Default)]
pub(super) struct SameTexts {
    /// URNs of editions that are the same text.
    groups: Vec<Vec<String>>,
}

impl SameTexts {
    /// Of the editions of a page, as far as the caller may know of the relation.
    pub(super) fn of(editions: &HashMap<u32, Arc<AuthorizedEdition>>) -> Self {
        let mut same = Self::default();
        for edition in editions.values() {
            for related in edition.related() {
                let is_same = matches!(
                    related.kind,
                    RelatedEditionType::Translation
                        | RelatedEditionType::Adopts
                        | RelatedEditionType::AdoptedAs
                );
                if is_same && editions.values().any(|other| other.urn() == related.urn) {
                    same.join(edition.urn(), &related.urn);
                }
            }
        }
        same
    }

    /// Notes that two editions are the same text, and so are those that are the same as one of them.
    fn join(&mut self, one: &str, other: &str) {
        let mut joined = vec![one.to_owned(), other.to_owned()];
        let is_of_others = |group: &Vec<String>| !group.iter().any(|urn| urn == one || urn == other);
        let (others, known): (Vec<_>, Vec<_>) = self.groups.drain(..).partition(is_of_others);
        joined.extend(known.into_iter().flatten());
        self.groups = others;
        self.groups.push(joined);
    }

    fn are_same(&self, one: &str, other: &str) -> bool {
        let has = |group: &[String], wanted: &str| group.iter().any(|urn| urn == wanted);
        one != other && self.groups.iter().any(|group| has(group, one) && has(group, other))
    }
}

/// The hits of a list, each object once: the first one of the same says where else it is.
pub(super) fn folded(hits: Vec<SearchHit<'static>>, same: &SameTexts) -> Vec<SearchHit<'static>> {
    let mut folded: Vec<SearchHit<'static>> = Vec::with_capacity(hits.len());
    for hit in hits {
        if let Some(other) = folded.iter_mut().find(|other| is_clause_of_term(other, &hit)) {
            // The term has the definition.
            if hit.kind == SearchKind::Term {
                *other = hit;
            }
            continue;
        }
        match folded.iter_mut().find(|first| is_same_object(first, &hit, same)) {
            Some(first) => first.also_in.push(AlsoIn { urn: hit.urn, reference: hit.reference, id: hit.id }),
            None => folded.push(hit),
        }
    }
    folded
}

/// True for a term and the section with its label, in either order.
fn is_clause_of_term(one: &SearchHit<'_>, other: &SearchHit<'_>) -> bool {
    let kinds = [one.kind, other.kind];
    let are_term_and_section =
        kinds == [SearchKind::Term, SearchKind::Section] || kinds == [SearchKind::Section, SearchKind::Term];
    are_term_and_section && one.label.is_some() && one.label == other.label && one.urn == other.urn
}

/// True for objects of the same kind and label in readable editions that are the same text.
fn is_same_object(first: &SearchHit<'_>, hit: &SearchHit<'_>, same: &SameTexts) -> bool {
    if first.kind != hit.kind || first.label.is_none() || first.label != hit.label {
        return false;
    }
    let are_readable = first.access == AccessLevel::Read && hit.access == AccessLevel::Read;
    are_readable && same.are_same(&first.urn, &hit.urn)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn hit(kind: &str, label: &str, urn: &str, access: &str) -> SearchHit<'static> {
        let hit = json!({
            "kind": kind, "label": label, "urn": urn, "reference": urn, "title": "", "status": "published",
            "access": access, "text": "", "highlights": [],
        });
        serde_json::from_value(hit).unwrap()
    }

    fn shown(hits: &[SearchHit<'_>]) -> Vec<(String, SearchKind, Vec<String>)> {
        let mut shown = Vec::new();
        for hit in hits {
            let others = hit.also_in.iter().map(|other| other.urn.to_string()).collect();
            shown.push((hit.urn.to_string(), hit.kind, others));
        }
        shown
    }

    #[test]
    fn the_same_label_in_readable_translations_and_adoptions_is_one_hit() {
        let mut same = SameTexts::default();
        same.join("a", "x");
        same.join("y", "z");
        same.join("x", "b");
        let provision = |label: &str, urn: &str| hit("provision", label, urn, "read");
        let hits = folded(
            vec![
                provision("4(1)", "a"),
                provision("4(1)", "c"),
                provision("4(1)", "b"),
                provision("4(2)", "b"),
                hit("section", "4(1)", "b", "read"),
                hit("provision", "4(1)", "b", "discover"),
            ],
            &same,
        );
        let kind = SearchKind::Provision;
        let none = Vec::new;
        assert_eq!(
            shown(&hits),
            [
                ("a".to_owned(), kind, vec!["b".to_owned()]),
                ("c".to_owned(), kind, none()),
                ("b".to_owned(), kind, none()),
                ("b".to_owned(), SearchKind::Section, none()),
                ("b".to_owned(), kind, none()),
            ]
        );
    }

    #[test]
    fn a_term_and_the_section_with_its_label_are_the_term() {
        let of = |kind: &str, urn: &str| hit(kind, "3.1", urn, "read");
        let hits = folded(vec![of("section", "a"), of("term", "b"), of("term", "a")], &SameTexts::default());
        let expected = [("a", SearchKind::Term), ("b", SearchKind::Term)];
        assert_eq!(shown(&hits), expected.map(|(urn, kind)| (urn.to_owned(), kind, Vec::new())));
        let hits = folded(vec![of("term", "a"), of("section", "a")], &SameTexts::default());
        assert_eq!(hits.len(), 1);
    }
}
