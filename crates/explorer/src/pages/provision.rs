//! Page of a provision: its text, what Norma derived from it, and how to cite and request it.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{
    LineageRelation, Passage, Provision, ProvisionInContext, ProvisionPart, Slice, Term, TermsView,
};

use crate::failure::PageFailure;
use crate::frame::{
    FramedPage, answer, copyable, element_address, encoded, mark, page, provision_address, standard_address,
    type_word, with_slices,
};
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit, Path((_, _, id)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &id).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, id: &str) -> Result<Response, PageFailure> {
    let in_context: ProvisionInContext<'static> =
        visit.site.service.json(Operation::Provision, &[id], "").await?;
    let provision = &in_context.provision;
    let terms = match provision.term_ids.is_empty() {
        true => Vec::new(),
        false => {
            let of = [&*in_context.urn];
            visit.site.service.json::<TermsView<'static>>(Operation::Terms, &of, "").await?.items
        }
    };
    let reference = &in_context.standard.reference;
    let title = format!("{reference}, {}", provision.label);
    let trail = [
        (reference.to_string(), standard_address(visit, &in_context.urn)),
        (provision.label.to_string(), provision_address(visit, &provision.id)),
    ];
    let neighbour = |id: &Option<std::borrow::Cow<'_, str>>, word: &str, rel: &str| {
        html! { @if let Some(id) = id { a.button rel=(rel) href=(provision_address(visit, id)) { (word) } " " } }
    };
    let words = visit.words;
    let body = html! {
        div.column data-panel {
            (statement(visit, &in_context))
            p.actions {
                a.button href=(element_address(visit, &in_context.urn, &provision.id)) { (words.in_text) } " "
                (neighbour(&in_context.previous_id, words.previous, "prev"))
                (neighbour(&in_context.next_id, words.next, "next"))
            }
            (derived(visit, &in_context, &terms))
            section aria-label=(words.cite) {
                (copyable(visit, words.cite, &format!("{reference}, {}", provision.label)))
                (copyable(visit, "URN", &format!("{}, {}", in_context.urn, provision.id)))
                (copyable(visit, "curl", &curl(visit, &provision.id)))
                p { a href=(visit.at(&format!("d/{}/provision", encoded(&provision.id)))) data-copy-file { "JSON" } }
            }
        }
        div.column.rest { (in_clause(visit, &in_context)) }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &trail, body, script: None }))
}

/// The request of it, for a shell that has a token.
fn curl(visit: &Visit, id: &str) -> String {
    let address = visit.site.service.address(Operation::Provision, &[id]);
    format!("curl -H \"Authorization: Bearer $TOKEN\" {address}")
}

/// Label, type and text.
fn statement(visit: &Visit, in_context: &ProvisionInContext<'_>) -> Markup {
    let provision = &in_context.provision;
    let lang = in_context.standard.language.as_ref();
    let passages = |part: Option<ProvisionPart>| -> Vec<(Slice, &'static str)> {
        let of = |passage: &Passage<'_>, name| {
            (passage.part == part)
                .then_some((Slice { start: passage.start as usize, end: passage.end as usize }, name))
        };
        let quantities = provision.quantities.iter().filter_map(|quantity| of(&quantity.passage, "quantity"));
        quantities.chain(provision.conditions.iter().filter_map(|passage| of(passage, "condition"))).collect()
    };
    let marked = |name: &&str, text: &str| html! { span class=(name) { (text) } };
    html! {
        h1.provision-head { (mark(visit.words, provision.kind)) " " (provision.label) " " span.quiet { (type_word(visit.words, provision.kind).1) } }
        blockquote.provision data-type=(provision.kind) lang=(lang) {
            @if let Some(lead_in) = &provision.lead_in { p.lead { (with_slices(lead_in, passages(Some(ProvisionPart::LeadIn)), marked)) } }
            p { (with_slices(&provision.text, passages(None), marked)) }
        }
    }
}

/// What Norma derived.
fn derived(visit: &Visit, in_context: &ProvisionInContext<'_>, terms: &[Term<'_>]) -> Markup {
    let (words, provision) = (visit.words, &in_context.provision);
    let designation = |id: &str| {
        let term = terms.iter().find(|term| *term.id == *id);
        term.and_then(|term| term.designations.first()).map_or(id, |first| &first.text).to_owned()
    };
    html! {
        @if !provision.quantities.is_empty() {
            section { h2 { (words.quantities) }
                div.wide tabindex="0" role="region" aria-label=(words.quantities) { table data-sortable {
                    thead { tr { @for head in [words.comparator, words.value, words.unit, words.tolerance, words.as_printed] { th scope="col" { (head) } } } }
                    tbody {
                        @for quantity in &provision.quantities {
                            tr {
                                td { @match quantity.comparator { Some(comparator) => (comparator), None => (words.not_stated) } }
                                td { (quantity.value) @if let Some(upper) = &quantity.upper { " – " (upper) } }
                                td { @if let Some(unit) = &quantity.unit { (unit.text) } }
                                td { @if let Some(tolerance) = &quantity.tolerance { "± " (tolerance) } }
                                td { (quantity.passage.text) }
                            }
                        }
                    }
                } }
            }
        }
        @if !provision.conditions.is_empty() {
            section { h2 { (words.conditions) } ul { @for condition in &provision.conditions { li lang=(in_context.standard.language) { (condition.text) } } } }
        }
        @if !provision.references.is_empty() {
            section { h2 { (words.references) } ul {
                @for reference in &provision.references {
                    li {
                        @match (&reference.target_id, &reference.urn) {
                            (Some(target), _) => a href=(element_address(visit, &in_context.urn, target)) { (reference.text) },
                            (None, Some(urn)) => a href=(standard_address(visit, urn)) { (reference.text) },
                            (None, None) => (reference.text),
                        }
                    }
                }
            } }
        }
        @if !provision.term_ids.is_empty() {
            section { h2 { (words.terms) } ul { @for id in &provision.term_ids { li { a href=(element_address(visit, &in_context.urn, id)) data-term=(id) lang=(in_context.standard.language) { (designation(id)) } } } } }
        }
        (lineage(visit, provision))
        section { h2 { (words.how_found) } dl {
            dt { (words.verbal_form) } dd { em { (provision.verbal_form) } @if provision.negated { " (" (words.negative) ")" } }
            @if let Some(subject) = &provision.subject { dt { (words.subject) } dd lang=(in_context.standard.language) { (subject.text) } }
            dt { (words.rule) } dd { code { (provision.rule) } " (" (provision.origin) ")" }
            dt { (words.confidence) } dd { (format!("{:.2}", provision.confidence)) }
        } }
    }
}

/// The same provision in other editions.
fn lineage(visit: &Visit, provision: &Provision<'_>) -> Markup {
    let words = visit.words;
    let Some(lineage) = &provision.lineage else { return html! {} };
    let sides = [(words.earlier, &lineage.predecessors), (words.later, &lineage.successors)];
    let sides = sides.map(|(word, list)| (word, list.as_deref().unwrap_or_default()));
    html! {
        @if sides.iter().any(|(_, list)| !list.is_empty()) {
            section { h2 { (words.lineage) } ul {
                @for (word, list) in sides {
                    @for related in list {
                        li {
                            (word) ": "
                            @match related.kind {
                                LineageRelation::EarlierRevision => { (words.earlier_id) " " code { (related.id) } },
                                kind => {
                                    a href=(provision_address(visit, &related.id)) { (related.urn) " " (related.label.as_deref().unwrap_or_default()) }
                                    @if kind == LineageRelation::Possible { " (" (words.possible) ")" }
                                },
                            }
                        }
                    }
                }
            } }
        }
    }
}

/// The text of its section with the provision marked.
fn in_clause(visit: &Visit, in_context: &ProvisionInContext<'_>) -> Markup {
    let (provision, section) = (&in_context.provision, &in_context.section_context);
    let words = visit.words;
    let own = Slice { start: provision.anchor.start, end: provision.anchor.end };
    let marked = |(): &(), text: &str| html! { mark data-type=(provision.kind) { (text) } };
    html! {
        section.context {
            h2 { (words.context) }
            p.quiet lang=(in_context.standard.language) {
                @for above in &section.ancestors { (above.number.as_deref().or(above.title.as_deref()).unwrap_or(&above.id)) " › " }
                a href=(element_address(visit, &in_context.urn, &section.id)) { (section.number.as_deref().unwrap_or_default()) " " (section.title.as_deref().unwrap_or_default()) }
            }
            div.clause lang=(in_context.standard.language) dir="auto" {
                (with_slices(&section.text, vec![(own, ())], marked))
            }
        }
    }
}
