//! Page of a provision: its text, what Norma derived from it, and how to cite and request it.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use norma_api::Operation;
use norma_api::shapes::{
    Comparator, LineageRelation, Origin, Passage, Provision, ProvisionInContext, ProvisionPart, Quantity,
    Reference, SectionRef, Slice, StandardSummary, Term, TermsView,
};

use super::history::{ProvisionHistory, editions_of_lineage};
use crate::amendments::changes;
use crate::cited::{CitedReference, HeldDocuments, link};
use crate::comparison::sign;
use crate::failure::PageFailure;
use crate::frame::{
    FramedPage, answer, copyable, element_address, encoded, language, mark, page, provision_address,
    standard_address, type_word, with_slices,
};
use crate::phrases::Words;
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit, Path((_, _, id)): Path<(String, String, String)>) -> Response {
    let made = made(&visit, &id).await;
    answer(&visit, made).await
}

async fn made(visit: &Visit, id: &str) -> Result<Response, PageFailure> {
    let in_context: ProvisionInContext<'static> =
        visit.site.service.json(Operation::Provision, &[id], "").await?;
    let provision = &in_context.provision;
    let terms = if provision.term_ids.is_empty() {
        Vec::new()
    } else {
        let view: TermsView<'static> =
            visit.site.service.json(Operation::Terms, &[&*in_context.urn], "").await?;
        view.items
    };
    let citations = provision.references.iter().map(cited_document);
    let documents = HeldDocuments::read(&visit.site.service, citations).await?;
    let editions = editions_of_lineage(&visit.site.service, &in_context).await?;
    let history = ProvisionHistory::read(&visit.site.service, &in_context, &editions).await;
    let reference = &in_context.standard.reference;
    let title = format!("{reference}, {}", provision.label);
    let trail = [
        (reference.to_string(), standard_address(visit, &in_context.urn)),
        (provision.label.to_string(), provision_address(visit, &provision.id)),
    ];
    let words = visit.words;
    let body = html! {
        div.column data-panel {
            (statement(visit, &in_context))
            (changes(visit, &provision.amended_by))
            p.actions {
                a.button href=(element_address(visit, &in_context.urn, &provision.id)) { (words.in_text) } " "
                (neighbour(visit, in_context.previous_id.as_deref(), words.previous, "prev"))
                (neighbour(visit, in_context.next_id.as_deref(), words.next, "next"))
            }
            @if let Some(history) = &history { (history.show(visit, &provision.id)) }
            (derived(visit, &in_context, &terms, &documents))
            (lineage(visit, &in_context, &editions))
            section aria-label={ (words.cite) (words.colon()) (title) } {
                (copyable(visit, words.cite, &format!("{reference}, {}", provision.label)))
                @if let Some(address) = visit.shared(&format!("p/{}", encoded(&provision.id))) { (copyable(visit, words.link, &address)) }
                (copyable(visit, "URN", &format!("{}, {}", in_context.urn, provision.id)))
                (copyable(visit, "curl", &curl(visit, &provision.id)))
                p { a href=(visit.at(&format!("d/{}/provision", encoded(&provision.id)))) data-copy-file { "JSON" } }
            }
        }
        div.column.rest { (in_clause(visit, &in_context)) }
    };
    Ok(page(visit, StatusCode::OK, FramedPage { title: &title, trail: &trail, body, script: None }))
}

fn neighbour(visit: &Visit, id: Option<&str>, word: &str, rel: &str) -> Markup {
    html! { @if let Some(id) = id { a.button rel=(rel) href=(provision_address(visit, id)) { (word) } " " } }
}

/// A command that requests the provision, for a shell that has a token.
fn curl(visit: &Visit, id: &str) -> String {
    let address = visit.site.service.address(Operation::Provision, &[id]);
    format!("curl -H \"Authorization: Bearer $TOKEN\" {address}")
}

/// Passages of the lead-in, or of the text where `part` is absent, with their classes.
fn passages(provision: &Provision<'_>, part: Option<ProvisionPart>) -> Vec<(Slice, &'static str)> {
    let mut passages = Vec::new();
    let mut add = |passage: &Passage<'_>, class| {
        if passage.part == part {
            let slice = Slice { start: passage.start as usize, end: passage.end as usize };
            passages.push((slice, class));
        }
    };
    for quantity in &provision.quantities {
        add(&quantity.passage, "quantity");
    }
    for condition in &provision.conditions {
        add(condition, "condition");
    }
    passages
}

/// Label, type and text.
fn statement(visit: &Visit, in_context: &ProvisionInContext<'_>) -> Markup {
    let provision = &in_context.provision;
    let lang = in_context.standard.language.as_ref();
    let marked = |class: &&str, text: &str| html! { span class=(class) { (text) } };
    html! {
        h1.provision-head { (mark(visit.words, provision.kind)) " " (provision.label) " " span.quiet { (type_word(visit.words, provision.kind).1) } }
        blockquote.provision data-type=(provision.kind) lang=(lang) {
            @if let Some(lead_in) = &provision.lead_in { p.lead { (with_slices(lead_in, passages(provision, Some(ProvisionPart::LeadIn)), marked)) } }
            p { (with_slices(&provision.text, passages(provision, None), marked)) }
        }
    }
}

/// What Norma derived from the text, and how.
fn derived(
    visit: &Visit,
    in_context: &ProvisionInContext<'_>,
    terms: &[Term<'_>],
    documents: &HeldDocuments,
) -> Markup {
    let (words, provision) = (visit.words, &in_context.provision);
    let lang = &in_context.standard.language;
    html! {
        @if !provision.quantities.is_empty() { (quantities(words, &provision.quantities)) }
        @if !provision.conditions.is_empty() {
            section { h2 { (words.conditions) } ul { @for condition in &provision.conditions { li lang=(lang) { (condition.text) } } } }
        }
        @if !provision.references.is_empty() { (references(visit, in_context, documents)) }
        @if !provision.term_ids.is_empty() {
            section { h2 { (words.terms) } ul {
                @for id in &provision.term_ids {
                    li { a href=(element_address(visit, &in_context.urn, id)) data-term=(id) lang=(lang) { (designation(id, terms)) } }
                }
            } }
        }
        section { h2 { (words.how_found) } dl {
            dt { (words.verbal_form) } dd { em { (provision.verbal_form) } @if provision.negated { " (" (words.negative) ")" } }
            @if let Some(subject) = &provision.subject { dt { (words.subject) } dd lang=(lang) { (subject.text) } }
            dt { (words.rule) } dd { code { (provision.rule) } " (" (origin_word(words, provision.origin)) ")" }
            dt { (words.confidence) } dd { (words.decimal(&format!("{:.2}", provision.confidence))) }
        } }
    }
}

/// A word for the origin of a provision.
fn origin_word(words: &Words, origin: Origin) -> &'static str {
    match origin {
        Origin::Authored => words.origin_authored,
        Origin::Derived => words.origin_derived,
        Origin::Unrecognized => words.unrecognized,
    }
}

fn quantities(words: &Words, quantities: &[Quantity<'_>]) -> Markup {
    html! {
        section { h2 { (words.quantities) }
            div.wide tabindex="0" role="region" aria-label=(words.quantities) { table data-sortable {
                thead { tr { th scope="col" { (words.value) } th scope="col" { (words.as_printed) } } }
                tbody {
                    @for quantity in quantities {
                        tr {
                            td.reference {
                                (amount(words, quantity))
                                @if quantity.comparator.is_none() { " " span.quiet { "(" (words.not_stated) ")" } }
                            }
                            td { (quantity.passage.text) }
                        }
                    }
                }
            } }
        }
    }
}

/// A quantity with the sign of its comparison: `≥ 40 mm`, `20 – 30 mm`, `20 ± 2 °C`.
fn amount(words: &Words, quantity: &Quantity<'_>) -> String {
    let mut amount = match quantity.comparator {
        // The dash of a range says it.
        Some(Comparator::Between) | None => String::new(),
        Some(comparator) => format!("{} ", words.say(sign(comparator))),
    };
    amount.push_str(&quantity.value);
    for (sign, part) in [(" – ", &quantity.upper), (" ± ", &quantity.tolerance)] {
        if let Some(part) = part {
            amount.push_str(sign);
            amount.push_str(part);
        }
    }
    if let Some(unit) = &quantity.unit {
        // Degrees of an angle have no space in front of their sign (ISO 80000-1, 7.1.4).
        if unit.text != "°" {
            amount.push('\u{a0}');
        }
        amount.push_str(&unit.text);
    }
    amount
}

/// The document that a reference names.
fn cited_document<'a>(reference: &'a Reference<'_>) -> CitedReference<'a> {
    CitedReference {
        reference: &reference.text,
        urn: reference.urn.as_deref(),
        date: reference.date.as_deref(),
    }
}

fn references(visit: &Visit, in_context: &ProvisionInContext<'_>, documents: &HeldDocuments) -> Markup {
    let text_language = &in_context.standard.language;
    html! {
        section { h2 { (visit.words.references) } ul {
            @for reference in &in_context.provision.references {
                li {
                    @match (&reference.target_id, &reference.urn) {
                        (Some(target), _) => a href=(element_address(visit, &in_context.urn, target)) { (reference.text) },
                        (None, Some(_)) => (link(visit, &reference.text, &documents.find(cited_document(reference), text_language))),
                        (None, None) => (reference.text),
                    }
                }
            }
        } }
    }
}

/// The first designation of a term, else its id.
fn designation<'a>(id: &'a str, terms: &'a [Term<'_>]) -> &'a str {
    let term = terms.iter().find(|term| *term.id == *id);
    term.and_then(|term| term.designations.first()).map_or(id, |first| &first.text)
}

/// Provisions of the lineage that the history does not show: earlier ids, possible splits and mergers, and
/// texts in other languages.
fn lineage(visit: &Visit, in_context: &ProvisionInContext<'_>, editions: &[StandardSummary<'_>]) -> Markup {
    let words = visit.words;
    let Some(lineage) = &in_context.provision.lineage else { return html! {} };
    let mut others = Vec::new();
    for (word, list) in [(words.earlier, &lineage.predecessors), (words.later, &lineage.successors)] {
        for related in list.iter().flatten() {
            let is_in_history = related.kind == LineageRelation::Member
                && language(&related.urn) == language(&in_context.urn);
            if !is_in_history {
                others.push((word, related));
            }
        }
    }
    html! {
        @if !others.is_empty() {
            section { h2 { (words.lineage) } ul {
                @for (word, related) in others {
                    li {
                        (word) (words.colon())
                        @match related.kind {
                            LineageRelation::EarlierRevision => { (words.earlier_id) " " code { (related.id) } },
                            kind => {
                                @let edition = editions.iter().find(|edition| edition.urn == related.urn);
                                a href=(provision_address(visit, &related.id)) {
                                    (edition.map_or(&related.urn, |edition| &edition.reference))
                                    @if let Some(tag) = language(&related.urn) { " (" (tag) ")" }
                                    ", " (related.label.as_deref().unwrap_or_default())
                                }
                                @if kind == LineageRelation::Possible { " (" (words.possible) ")" }
                            },
                        }
                    }
                }
            } }
        }
    }
}

/// Number and title of a section, else its id.
fn section_name(section: &SectionRef<'_>) -> String {
    let parts: Vec<&str> =
        [&section.number, &section.title].into_iter().flatten().map(|part| &**part).collect();
    if parts.is_empty() { section.id.to_string() } else { parts.join(" ") }
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
                @for above in &section.ancestors { (section_name(above)) " › " }
                a href=(element_address(visit, &in_context.urn, &section.id)) { (section.number.as_deref().unwrap_or_default()) " " (section.title.as_deref().unwrap_or_default()) }
            }
            div.clause lang=(in_context.standard.language) dir="auto" {
                (with_slices(&section.text, vec![(own, ())], marked))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::words;
    use crate::visit::tests::visit;

    fn provision() -> Provision<'static> {
        let provision = serde_json::json!({
            "id": "prv_1", "label": "4.2(1)", "type": "requirement", "verbalForm": "shall", "negated": false,
            "text": "The lid shall bear 5 N if closed.", "leadIn": "At 20 °C:", "container": "item",
            "normative": true, "section": {"id": "sec_4.2"}, "references": [], "termIds": ["trm_1"],
            "quantities": [
                {"value": "5", "unit": {"text": "N"}, "text": "5 N", "start": 19, "end": 22},
                {"value": "20", "unit": {"text": "°C"}, "text": "20 °C", "start": 3, "end": 8, "in": "leadIn"},
            ],
            "conditions": [{"text": "if closed", "start": 23, "end": 32}],
            "anchor": {"start": 0, "end": 33}, "origin": "derived", "rule": "R", "confidence": 0.9,
            "alternatives": [],
        });
        serde_json::from_value(provision).unwrap()
    }

    #[test]
    fn passages_of_the_lead_in_and_of_the_text_are_marked_apart() {
        let slice = |start, end| Slice { start, end };
        let provision = provision();
        let of_text = [(slice(19, 22), "quantity"), (slice(23, 32), "condition")];
        assert_eq!(passages(&provision, None), of_text);
        assert_eq!(passages(&provision, Some(ProvisionPart::LeadIn)), [(slice(3, 8), "quantity")]);
    }

    #[test]
    fn a_term_that_is_not_in_the_answer_has_its_id_as_a_name() {
        assert_eq!(designation("trm_1", &[]), "trm_1");
    }

    #[test]
    fn a_quantity_says_what_is_not_stated_and_its_unit() {
        let table = quantities(words("en").unwrap(), &provision().quantities).into_string();
        let stated = format!(
            "5\u{a0}N <span class=\"quiet\">({})</span></td><td>5 N</td>",
            words("en").unwrap().not_stated
        );
        assert!(table.contains(&stated), "{table}");
    }

    #[tokio::test]
    async fn a_command_for_a_shell_has_no_token_in_it() {
        let visit = visit("en/").await;
        assert_eq!(
            curl(&visit, "prv_1"),
            "curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:9/api/content/v1/provisions/prv_1"
        );
    }

    #[test]
    fn a_comparison_is_shown_by_its_sign_and_a_range_by_its_dash() {
        let english = words("en").unwrap();
        let shown = |members: serde_json::Value| {
            let mut quantity = serde_json::json!({"value": "40", "text": "40 mm", "start": 0, "end": 5, "unit": {"text": "mm"}});
            for (name, value) in members.as_object().unwrap() {
                quantity[name] = value.clone();
            }
            amount(english, &serde_json::from_value(quantity).unwrap())
        };
        assert_eq!(shown(serde_json::json!({"comparator": "atLeast"})), "≥ 40\u{a0}mm");
        assert_eq!(shown(serde_json::json!({"comparator": "between", "upper": "60"})), "40 – 60\u{a0}mm");
        assert_eq!(shown(serde_json::json!({"tolerance": "2"})), "40 ± 2\u{a0}mm");
    }
}
