//! Page of relations: other documents in columns, and the same as a table.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::shapes::{RelatedEditionType, RelationType};

use crate::calls::Head;
use crate::failure::PageFailure;
use crate::frame::{FramedPage, answer, encoded, page, standard_address};
use crate::phrases::{Words, fill};
use crate::visit::Visit;

/// Documents of a column that the picture shows; the table has all.
const COLUMN: usize = 12;

/// Width of a box, in units of the picture.
const WIDTH: usize = 250;
/// Height of a row.
const ROW: usize = 52;
/// Width between columns.
const GAP: usize = 110;

/// Another document.
struct Other {
    relation: &'static str,
    reference: String,
    urn: Option<String>,
    title: String,
    date: String,
}

pub(crate) async fn show(visit: Visit, Path((_, _, urn)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &urn).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, urn: &str) -> Result<Response, PageFailure> {
    let words = visit.words;
    let head = visit.site.service.head(urn).await?;
    let reference = &head.metadata.reference;
    let trail = [
        (reference.to_string(), standard_address(visit, &head.urn)),
        (words.relations.to_owned(), visit.at(&format!("r/{}", encoded(&head.urn)))),
    ];
    let (from, to) = (stated(words, &head), editions(words, &head));
    let body = html! {
        div.column.broad {
            h1 { (words.relations) ": " (reference) }
            @if from.is_empty() && to.is_empty() { p.notice { (words.no_relations) } }
            @else {
                div.wide.picture tabindex="0" role="region" aria-label=(words.relations) { (picture(visit, reference, &from, &to)) }
                (table(visit, &[from, to]))
            }
        }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: reference, trail: &trail, body, script: None }))
}

/// What the source states.
fn stated(words: &Words, head: &Head) -> Vec<Other> {
    let other = |relation: &norma_api::shapes::Relation<'_>| Other {
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
        urn: relation.urn.as_ref().map(ToString::to_string),
        title: relation.title.as_deref().unwrap_or_default().to_owned(),
        date: relation.date.as_deref().unwrap_or_default().to_owned(),
    };
    head.relations.iter().map(other).collect()
}

/// Other editions in the catalogue.
fn editions(words: &Words, head: &Head) -> Vec<Other> {
    let other = |edition: &norma_api::shapes::RelatedEdition<'_>| Other {
        relation: match edition.kind {
            RelatedEditionType::ReplacedBy => words.replaced_by,
            RelatedEditionType::AmendedBy => words.amended_by,
            RelatedEditionType::AdoptedAs => words.adopted_as,
            RelatedEditionType::Edition => words.other_edition,
            RelatedEditionType::Translation => words.translation,
            RelatedEditionType::Unrecognized => words.unrecognized,
        },
        reference: edition.reference.to_string(),
        urn: Some(edition.urn.to_string()),
        title: String::new(),
        date: String::new(),
    };
    head.related_editions.iter().map(other).collect()
}

/// Three columns: what the source states, this document, other editions.
fn picture(visit: &Visit, reference: &str, from: &[Other], to: &[Other]) -> Markup {
    let words = visit.words;
    let shown = |others: &[Other]| others.len().min(COLUMN + 1);
    let rows = shown(from).max(shown(to)).max(1);
    let (height, middle) = (rows * ROW, rows * ROW / 2);
    let center = WIDTH + GAP;
    let column = |others: &[Other], x: usize, edge: usize, own_edge: usize| {
        let top = middle - shown(others) * ROW / 2;
        html! {
            @for (at, other) in others.iter().take(COLUMN).enumerate() {
                @let y = top + at * ROW + ROW / 2;
                path d={ "M" (edge) " " (y) " L" (own_edge) " " (middle) } {}
                (document(visit, other, x, y))
            }
            @if others.len() > COLUMN {
                text x=(x + 8) y=(top + COLUMN * ROW + ROW / 2) { (fill(words.more, others.len() - COLUMN)) }
            }
        }
    };
    html! {
        svg viewBox={ "0 0 " (3 * WIDTH + 2 * GAP) " " (height) } width=(3 * WIDTH + 2 * GAP) height=(height) aria-hidden="true" {
            (column(from, 0, WIDTH, center))
            (column(to, 2 * center, 2 * center, center + WIDTH))
            g.own {
                rect x=(center) y=(middle - 22) width=(WIDTH) height="44" rx="4" {}
                text x=(center + WIDTH / 2) y=(middle + 5) text-anchor="middle" { (short(reference)) }
            }
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
        @match &other.urn {
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
            table data-sortable {
                thead { tr { @for head in [words.relation, words.document, words.title, words.dated] { th scope="col" { (head) } } } }
                tbody {
                    @for other in sides.iter().flatten() {
                        tr {
                            td { (other.relation) }
                            th scope="row" { @match &other.urn { Some(urn) => a href=(standard_address(visit, urn)) { (other.reference) }, None => (other.reference) } }
                            td { (other.title) }
                            td { (other.date) }
                        }
                    }
                }
            }
        }
    }
}
