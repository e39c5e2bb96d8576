//! Head of the page of a standard: what it is, whether it is in force, and how it is related to others.

use maud::{Markup, html};
use norma_api::shapes::{RelatedEdition, RelatedEditionType, Relation, RelationType, Status};

use crate::amendments;
use crate::calls::Head;
use crate::cited::{self, HeldDocuments};
use crate::documents::document_urn;
use crate::frame::{capitalized, encoded, language, standard_address, status_word};
use crate::phrases::fill;
use crate::visit::Visit;

/// Reference, title, status, and what leads to other pages.
pub(super) fn heading(visit: &Visit, head: &Head, documents: &HeldDocuments, notes: Markup) -> Markup {
    let (words, metadata) = (visit.words, &head.metadata);
    let others = compared_editions(head);
    html! {
        header.head {
            (not_in_force(visit, head))
            (amendments::notice(visit, &head.urn, &head.amended_by))
            p.kicker {
                strong { (metadata.reference) } " · " span.status data-status-word=(head.status) { (status_word(words, head.status)) }
                @if let Some(date) = &metadata.published_on { " · " (date) }
            }
            h1 lang=(metadata.language) { (metadata.title.as_ref().unwrap_or(&metadata.reference)) }
            (facts(visit, head, documents))
            p.actions {
                @for (at, other) in others.iter().enumerate() {
                    a.button.primary[at == 0] data-compare[at == 0] href=(visit.at(&format!("c/{}/{}", encoded(&head.urn), encoded(&other.urn)))) { (fill(words.compare_with, &other.reference)) } " "
                }
                a.button href=(visit.at(&format!("r/{}", encoded(&head.urn)))) { (words.relations) }
                @if visit.site.read_ingest_report.is_some() { " " a.button href=(visit.at(&format!("i/{}", encoded(&head.urn)))) { (words.ingest) } }
            }
            (notes)
        }
    }
}

/// That the edition is not in force, since when and why, and which one is instead.
fn not_in_force(visit: &Visit, head: &Head) -> Markup {
    let words = visit.words;
    let successor = head.related_editions.iter().find(|other| other.kind == RelatedEditionType::ReplacedBy);
    let others = editions(head, RelatedEditionType::Edition);
    html! {
        @if matches!(head.status, Status::Superseded | Status::Withdrawn) {
            p.notice.warning role="note" {
                (fill(words.not_in_force, status_word(words, head.status)))
                @if let Some(date) = &head.withdrawn_on { " (" (date) ")" }
                @match successor {
                    Some(other) => { " " a href=(standard_address(visit, &other.urn)) { (fill(words.present_edition, &other.reference)) } }
                    // Which of them is instead is not known.
                    None => {
                        @if !others.is_empty() {
                            " " (capitalized(words.other_edition)) (words.colon())
                            @for (at, other) in others.iter().enumerate() { @if at > 0 { ", " } (edition_link(visit, other)) }
                        }
                    }
                }
                @if let Some(notice) = &head.notice { br; (notice) }
            }
        }
    }
}

/// Other documents that a reader of this one has to know, and what the caller may do with it.
fn facts(visit: &Visit, head: &Head, documents: &HeldDocuments) -> Markup {
    let words = visit.words;
    let kinds = [
        (RelatedEditionType::ReplacedBy, None, words.replaced_by),
        (RelatedEditionType::Replaces, Some(RelationType::Replaces), words.replaces),
        (RelatedEditionType::Amends, Some(RelationType::Amends), words.amends),
        (RelatedEditionType::Adopts, Some(RelationType::Adopts), words.adopted),
        (RelatedEditionType::AdoptedAs, None, words.adopted_as),
        (RelatedEditionType::Edition, None, words.other_edition),
    ];
    let level = if head.is_readable { words.read } else { words.discover };
    html! {
        dl.facts {
            @for (kind, stated_kind, name) in kinds {
                @let held = editions(head, kind);
                @let stated = stated(head, stated_kind, &held);
                @if !held.is_empty() || !stated.is_empty() {
                    dt { (capitalized(name)) }
                    dd {
                        @for (at, other) in held.iter().enumerate() { @if at > 0 { ", " } (edition_link(visit, other)) }
                        @for (at, relation) in stated.iter().enumerate() {
                            @let document = documents.find((*relation).into(), &head.metadata.language);
                            @if at + held.len() > 0 { ", " }
                            (cited::link(visit, &relation.reference, &document))
                        }
                    }
                }
            }
            (languages(visit, head))
            dt.on-screen { (words.access) } dd.on-screen { (level) }
            @if let Some(statement) = copyright(head) { dt { (words.rights) } dd lang=(head.metadata.language) { (statement) } }
        }
    }
}

/// The related editions of a kind, each once. Editions that are listed with a more telling kind are left out.
fn editions(head: &Head, kind: RelatedEditionType) -> Vec<&RelatedEdition<'static>> {
    let mut editions: Vec<&RelatedEdition<'_>> = Vec::new();
    for other in head.related_editions.iter().filter(|other| other.kind == kind) {
        let has_other_kind = kind == RelatedEditionType::Edition
            && head.related_editions.iter().any(|one| one.urn == other.urn && one.kind != kind);
        let is_known = editions.iter().any(|one| one.urn == other.urn);
        if !has_other_kind && !is_known {
            editions.push(other);
        }
    }
    editions
}

/// The relations that the source states and the catalogue does not show as an edition.
fn stated<'a>(
    head: &'a Head,
    kind: Option<RelationType>,
    held: &[&RelatedEdition<'_>],
) -> Vec<&'a Relation<'static>> {
    let mut relations: Vec<&Relation<'_>> = Vec::new();
    for relation in &head.relations {
        let urn = relation.urn.as_deref().map(document_urn);
        let is_held = held.iter().any(|other| Some(document_urn(&other.urn)) == urn);
        if Some(relation.kind) == kind && !is_held {
            relations.push(relation);
        }
    }
    relations
}

/// A link to another edition, with its language.
fn edition_link(visit: &Visit, other: &RelatedEdition<'_>) -> Markup {
    html! {
        a.reference href=(standard_address(visit, &other.urn)) { (other.reference) }
        @if let Some(tag) = language(&other.urn) { " (" (tag) ")" }
    }
}

/// The same edition in other languages.
fn languages(visit: &Visit, head: &Head) -> Markup {
    let translations = editions(head, RelatedEditionType::Translation);
    html! {
        @if !translations.is_empty() {
            dt { (visit.words.other_languages) }
            dd { @for (at, other) in translations.iter().enumerate() { @if at > 0 { ", " } span.reference { (translation(visit, head, other)) } } }
        }
    }
}

/// A link to a translation, and to the page with both texts.
fn translation(visit: &Visit, head: &Head, other: &RelatedEdition<'_>) -> Markup {
    let tag = language(&other.urn);
    let both = format!("c/{}/{}", encoded(&head.urn), encoded(&other.urn));
    html! {
        a.language href=(standard_address(visit, &other.urn)) hreflang=[tag] {
            span.hidden { (other.reference) ", " } (tag.unwrap_or(&other.reference))
        }
        @if head.is_readable { " " a.on-screen href=(visit.at(&both)) { (visit.words.both_texts) span.hidden { " " (tag.unwrap_or_default()) } } }
    }
}

/// The rights that the source states.
fn copyright(head: &Head) -> Option<String> {
    let copyright = head.metadata.copyright.as_ref()?;
    if let Some(statement) = &copyright.statement {
        return Some(statement.to_string());
    }
    let parts: Vec<&str> =
        [&copyright.year, &copyright.holder].into_iter().flatten().map(|part| &**part).collect();
    if parts.is_empty() { None } else { Some(format!("© {}", parts.join(" "))) }
}

/// The editions of the same standard in the same language, as the URNs end with it.
fn compared_editions(head: &Head) -> Vec<&RelatedEdition<'static>> {
    let language = head.urn.rsplit(':').next();
    let mut others: Vec<&RelatedEdition<'_>> = Vec::new();
    for other in &head.related_editions {
        let is_edition = matches!(other.kind, RelatedEditionType::Edition | RelatedEditionType::ReplacedBy);
        let is_known = others.iter().any(|known| known.urn == other.urn);
        if is_edition && !is_known && other.urn.rsplit(':').next() == language {
            others.push(other);
        }
    }
    others
}
