//! Page of relations: other documents in columns, and the same as a table.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::shapes::{RelatedEditionType, RelationType};

use crate::calls::Head;
use crate::cited::{HeldDocument, HeldDocuments, link};
use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, encoded, language, page, standard_address};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Documents of a column that the picture shows; the table has all.
const COLUMN: usize = 12;

/// Width of a box, in units of the picture.
const WIDTH: usize = 250;
/// Height of a row, in units of the picture.
const ROW: usize = 52;
/// Space between two columns, in units of the picture.
const GAP: usize = 110;
/// Left edge of the box in the middle.
const CENTER: usize = WIDTH + GAP;

/// A document that has a relation with the one of the page.
struct Other {
    /// The relation in words, from the document of the page to the other one.
    relation: &'static str,
    reference: String,
    /// What the service has of it.
    held: HeldDocument,
    title: String,
    date: String,
}

impl Other {
    /// True if another one is the same relation to the same text, or to the same document of which the
    /// service has no text.
    fn is_same(&self, other: &Self) -> bool {
        let is_same_document = match (&self.held, &other.held) {
            (HeldDocument::Held { urn }, HeldDocument::Held { urn: others }) => urn == others,
            (HeldDocument::Held { .. }, _) | (_, HeldDocument::Held { .. }) => false,
            _ => self.reference == other.reference,
        };
        self.relation == other.relation && is_same_document
    }

    /// The URN of an edition that can be opened.
    fn urn(&self) -> Option<&str> {
        match &self.held {
            HeldDocument::Held { urn } | HeldDocument::OtherEdition { urn, .. } => Some(urn),
            HeldDocument::NotHeld => None,
        }
    }
}

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let words = visit.words;
    let head = visit.site.service.head(urn).await?;
    let documents = HeldDocuments::read(&visit.site.service, head.relations.iter().map(Into::into)).await?;
    let reference = &head.metadata.reference;
    let trail = [
        (reference.to_string(), standard_address(visit, &head.urn)),
        (words.relations.to_owned(), visit.at(&format!("r/{}", encoded(&head.urn)))),
    ];
    let (from, to) = each_once(stated(words, &head, &documents), editions(words, &head));
    let body = html! {
        div.column.broad {
            h1 { (words.relations) (words.colon()) (reference) }
            @if from.is_empty() && to.is_empty() { p.notice { (words.no_relations) } }
            @else {
                div.wide.picture tabindex="0" role="region" aria-label=(words.relations) { (picture(visit, reference, &from, &to)) }
                (table(visit, &[from, to]))
            }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: reference, trail: &trail, body, script: None }))
}

/// Documents that the source names.
fn stated(words: &Words, head: &Head, documents: &HeldDocuments) -> Vec<Other> {
    let mut others = Vec::with_capacity(head.relations.len());
    for relation in &head.relations {
        others.push(Other {
            relation: match relation.kind {
                RelationType::Replaces => words.replaces,
                RelationType::Amends => words.amends,
                RelationType::Adopts => words.adopted,
                RelationType::NormativeReference => words.normative_reference,
                RelationType::InformativeReference => words.informative_reference,
                RelationType::Related => words.related,
                RelationType::Unrecognized => words.unrecognized,
            },
            reference: relation.reference.to_string(),
            held: documents.find(relation.into(), &head.metadata.language),
            title: relation.title.as_deref().unwrap_or_default().to_owned(),
            date: relation.date.as_deref().unwrap_or_default().to_owned(),
        });
    }
    others
}

/// Other editions in the catalogue.
fn editions(words: &Words, head: &Head) -> Vec<Other> {
    let mut others = Vec::with_capacity(head.related_editions.len());
    for edition in &head.related_editions {
        // An edition that is listed with a more telling relation, too.
        let is_listed_otherwise = edition.kind == RelatedEditionType::Edition
            && head.related_editions.iter().any(|one| one.urn == edition.urn && one.kind != edition.kind);
        if is_listed_otherwise {
            continue;
        }
        let other_language = language(&edition.urn).filter(|tag| Some(*tag) != language(&head.urn));
        others.push(Other {
            relation: match edition.kind {
                RelatedEditionType::ReplacedBy => words.replaced_by,
                RelatedEditionType::AmendedBy => words.amended_by,
                RelatedEditionType::AdoptedAs => words.adopted_as,
                RelatedEditionType::Replaces => words.replaces,
                RelatedEditionType::Amends => words.amends,
                RelatedEditionType::Adopts => words.adopted,
                RelatedEditionType::Edition => words.other_edition,
                RelatedEditionType::Translation => words.translation,
                RelatedEditionType::Unrecognized => words.unrecognized,
            },
            reference: match other_language {
                Some(tag) => format!("{} ({tag})", edition.reference),
                None => edition.reference.to_string(),
            },
            held: HeldDocument::Held { urn: edition.urn.to_string() },
            title: String::new(),
            date: String::new(),
        });
    }
    others
}

/// What the source states and what the catalogue has, each relation to a text of a document once. The
/// catalogue's is kept, since it has the document; it gets title and date from the source.
fn each_once(stated: Vec<Other>, editions: Vec<Other>) -> (Vec<Other>, Vec<Other>) {
    let mut held: Vec<Other> = Vec::with_capacity(editions.len());
    for other in editions {
        if !held.iter().any(|known| known.is_same(&other)) {
            held.push(other);
        }
    }
    let mut named: Vec<Other> = Vec::with_capacity(stated.len());
    for other in stated {
        if let Some(known) = held.iter_mut().find(|known| known.is_same(&other)) {
            known.title = other.title;
            known.date = other.date;
        } else if !named.iter().any(|known| known.is_same(&other)) {
            named.push(other);
        }
    }
    (named, held)
}

/// Rows of a column: its documents, and one that says how many more there are.
fn rows(others: &[Other]) -> usize {
    others.len().min(COLUMN + 1)
}

/// Three columns: what the source states, this document, other editions.
fn picture(visit: &Visit, reference: &str, from: &[Other], to: &[Other]) -> Markup {
    let height = rows(from).max(rows(to)).max(1) * ROW;
    let (width, middle) = (3 * WIDTH + 2 * GAP, height / 2);
    html! {
        svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) aria-hidden="true" {
            (column(visit, from, &PictureColumn { x: 0, edge: WIDTH, own_edge: CENTER, middle }))
            (column(visit, to, &PictureColumn { x: 2 * CENTER, edge: 2 * CENTER, own_edge: CENTER + WIDTH, middle }))
            g.own {
                rect x=(CENTER) y=(middle - 22) width=(WIDTH) height="44" rx="4" {}
                text x=(CENTER + WIDTH / 2) y=(middle + 5) text-anchor="middle" { (short(reference)) }
            }
        }
    }
}

/// Where a column is, in units of the picture.
struct PictureColumn {
    /// Left edge of its boxes.
    x: usize,
    /// The edge of its boxes at which lines begin.
    edge: usize,
    /// The edge of the box in the middle at which lines end.
    own_edge: usize,
    /// Half of the picture's height.
    middle: usize,
}

fn column(visit: &Visit, others: &[Other], column: &PictureColumn) -> Markup {
    let &PictureColumn { x, edge, own_edge, middle } = column;
    let top = middle - rows(others) * ROW / 2;
    html! {
        @for (index, other) in others.iter().take(COLUMN).enumerate() {
            @let y = top + index * ROW + ROW / 2;
            path d={ "M" (edge) " " (y) " L" (own_edge) " " (middle) } {}
            (document(visit, other, x, y))
        }
        @if others.len() > COLUMN {
            text x=(x + 8) y=(top + COLUMN * ROW + ROW / 2) { (fill(visit.words.more, others.len() - COLUMN)) }
        }
    }
}

fn document(visit: &Visit, other: &Other, x: usize, y: usize) -> Markup {
    let inside = html! {
        rect x=(x) y=(y - 22) width=(WIDTH) height="44" rx="4" {}
        text.relation x=(x + 8) y=(y - 5) { (other.relation) }
        text x=(x + 8) y=(y + 13) { (short(&other.reference)) }
    };
    html! {
        @match other.urn() {
            // The table has the same link for the keyboard.
            Some(urn) => a href=(standard_address(visit, urn)) tabindex="-1" { (inside) },
            None => (inside),
        }
    }
}

/// As much of a designation as a box has room for.
fn short(reference: &str) -> String {
    const ROOM: usize = 30;
    if reference.chars().count() <= ROOM {
        return reference.to_owned();
    }
    let start: String = reference.chars().take(ROOM - 1).collect();
    format!("{start}…")
}

fn table(visit: &Visit, sides: &[Vec<Other>]) -> Markup {
    let words = visit.words;
    html! {
        div.wide tabindex="0" role="region" aria-label=(words.document) {
            table.cards data-sortable {
                thead { tr { @for head in [words.relation, words.document, words.title, words.dated] { th scope="col" { (head) } } } }
                tbody {
                    @for other in sides.iter().flatten() {
                        tr {
                            td data-head=(words.relation) { (other.relation) }
                            th scope="row" { (link(visit, &other.reference, &other.held)) }
                            td data-head=(words.title) { (other.title) }
                            td data-head=(words.dated) { (other.date) }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::tests::visit;

    fn others(count: usize) -> Vec<Other> {
        let other = |number| Other {
            relation: "replaces",
            reference: format!("X {number}"),
            held: HeldDocument::Held { urn: format!("urn:x:std:x:{number}") },
            title: String::new(),
            date: String::new(),
        };
        (0..count).map(other).collect()
    }

    #[test]
    fn a_relation_that_source_and_catalogue_have_is_listed_once_with_the_title_of_the_source() {
        let other = |relation, urn: Option<&str>, title: &str| Other {
            relation,
            reference: "X 1".to_owned(),
            held: match urn {
                Some(urn) => HeldDocument::Held { urn: urn.to_owned() },
                None => HeldDocument::NotHeld,
            },
            title: title.to_owned(),
            date: String::new(),
        };
        let english = Some("urn:x:1:en");
        let stated = vec![
            other("amends", english, "Lids"),
            other("amends", english, "Lids"),
            other("replaces", english, "Lids"),
            other("related", None, ""),
            other("related", None, ""),
        ];
        let editions = vec![
            other("amends", english, ""),
            other("amends", Some("urn:x:1:de"), ""),
            other("amends", english, ""),
        ];
        let (named, held) = each_once(stated, editions);
        let relations: Vec<&str> = named.iter().map(|other| other.relation).collect();
        assert_eq!(relations, ["replaces", "related"]);
        let held: Vec<_> = held.iter().map(|other| (other.urn(), other.title.as_str())).collect();
        assert_eq!(held, [(english, "Lids"), (Some("urn:x:1:de"), "")]);
    }

    #[test]
    fn a_long_designation_is_cut_to_30_characters() {
        let exact = "ä".repeat(30);
        assert_eq!(short(&exact), exact);
        assert_eq!(short(&format!("{exact}b")), "ä".repeat(29) + "…");
    }

    #[tokio::test]
    async fn a_picture_is_as_high_as_its_longer_column_and_counts_what_it_leaves_out() {
        let visit = visit("en/").await;
        let svg = picture(&visit, "X 1", &others(1), &others(COLUMN + 3)).into_string();
        assert!(svg.contains(&format!("height=\"{}\" aria-hidden", (COLUMN + 1) * ROW)), "{svg}");
        assert_eq!(svg.matches("<path ").count(), 1 + COLUMN);
        assert!(svg.contains(&fill(visit.words.more, 3)), "{svg}");
    }

    #[tokio::test]
    async fn a_picture_without_other_documents_has_one_row() {
        let visit = visit("en/").await;
        let svg = picture(&visit, "<X>", &[], &[]).into_string();
        assert!(svg.starts_with("<svg viewBox=\"0 0 970 52\" width=\"970\" height=\"52\""), "{svg}");
        assert!(svg.contains("&lt;X&gt;") && !svg.contains("<path"), "{svg}");
    }
}
