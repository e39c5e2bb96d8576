//! History of a provision: what it was in each edition, and what changed from one to the next.

use maud::{Markup, html};
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{
    ComparedProvision, ComparisonAnswer, ComparisonView, LineageRelation, ProvisionChange,
    ProvisionInContext, RelatedProvision, StandardSummary,
};

use crate::calls::Service;
use crate::comparison::{Compared, EditionOutline, facet_words, labels, merged, printed, relation_words};
use crate::documents::standards_of;
use crate::failure::PageFailure;
use crate::frame::{encoded, language, mark, provision_address, status_word, type_word};
use crate::visit::Visit;

/// The provision in one edition.
struct HistoryMember {
    urn: String,
    id: String,
    label: String,
    /// The edition, where the list has it.
    edition: Option<StandardSummary<'static>>,
}

/// The members of a lineage, the oldest first, and the comparison of each with the one before.
pub(super) struct ProvisionHistory {
    members: Vec<HistoryMember>,
    /// For each member but the first; `None` where the service gives no comparison.
    comparisons: Vec<Option<ComparisonView<'static>>>,
}

impl ProvisionHistory {
    /// Reads the history of a provision, whose editions are given; `None` where no other edition has it.
    pub(super) async fn read(
        service: &Service,
        in_context: &ProvisionInContext<'_>,
        editions: &[StandardSummary<'static>],
    ) -> Option<Self> {
        let mut members = members(in_context);
        if members.len() < 2 {
            return None;
        }
        for member in &mut members {
            member.edition = editions.iter().find(|edition| *edition.urn == *member.urn).cloned();
        }
        let mut comparisons = Vec::with_capacity(members.len() - 1);
        for pair in members.windows(2) {
            comparisons.push(comparison(service, &pair[0], &pair[1]).await);
        }
        Some(Self { members, comparisons })
    }

    /// The history, the newest edition first.
    pub(super) fn show(&self, visit: &Visit, own: &str) -> Markup {
        html! {
            section #history {
                h2 { (visit.words.history) }
                ol.history {
                    @for (index, member) in self.members.iter().enumerate().rev() {
                        li { (self.entry(visit, index, member, own)) }
                    }
                }
            }
        }
    }

    fn entry(&self, visit: &Visit, index: usize, member: &HistoryMember, own: &str) -> Markup {
        let words = visit.words;
        let before = index.checked_sub(1);
        let comparison = before.map(|before| (&self.members[before], self.comparisons[before].as_ref()));
        html! {
            p {
                @let reference = member.edition.as_ref().map_or(&*member.urn, |edition| &*edition.reference);
                strong.reference { (reference) } ", "
                @if member.id == own { strong { (member.label) } } @else { a href=(provision_address(visit, &member.id)) { (member.label) } }
                @if let Some(edition) = &member.edition { " " span.status data-status-word=(edition.status) { (status_word(words, edition.status)) } }
            }
            @match comparison {
                Some((older, Some(view))) => (change(visit, older, member, view)),
                Some((_, None)) => p.quiet { (words.no_comparison) },
                None => (self.first(visit)),
            }
        }
    }

    /// The text of the oldest edition, as the next comparison has it.
    fn first(&self, visit: &Visit) -> Markup {
        let Some(Some(view)) = self.comparisons.first() else { return html! {} };
        let older = view
            .items
            .iter()
            .find_map(|item| item.older.as_ref().filter(|provision| *provision.id == *self.members[0].id));
        html! { @if let Some(older) = older { (type_mark(visit, older)) (text(older, &self.members[0].urn)) } }
    }
}

/// The editions that a lineage names, and the one of the provision.
pub(super) async fn editions_of_lineage(
    service: &Service,
    in_context: &ProvisionInContext<'_>,
) -> Result<Vec<StandardSummary<'static>>, PageFailure> {
    let Some(lineage) = &in_context.provision.lineage else { return Ok(Vec::new()) };
    let mut urns: Vec<&str> = vec![&in_context.urn];
    for related in [&lineage.predecessors, &lineage.successors].into_iter().flatten().flatten() {
        if !urns.contains(&&*related.urn) {
            urns.push(&related.urn);
        }
    }
    standards_of(service, &urns, "").await
}

/// The members of the lineage in the order of their editions: the nearest predecessors come first in answers.
fn members(in_context: &ProvisionInContext<'_>) -> Vec<HistoryMember> {
    let provision = &in_context.provision;
    let member = |urn: &str, id: &str, label: Option<&str>| HistoryMember {
        urn: urn.to_owned(),
        id: id.to_owned(),
        label: label.unwrap_or(id).to_owned(),
        edition: None,
    };
    let of_lineage = |list: Option<&Vec<RelatedProvision<'_>>>| -> Vec<HistoryMember> {
        let mut members = Vec::new();
        for related in list.into_iter().flatten() {
            // Translations and adoptions have the words of another text, which cannot be compared.
            let is_comparable = language(&related.urn) == language(&in_context.urn);
            if related.kind == LineageRelation::Member && is_comparable {
                members.push(member(&related.urn, &related.id, related.label.as_deref()));
            }
        }
        members
    };
    let lineage = provision.lineage.as_ref();
    let mut members = of_lineage(lineage.and_then(|lineage| lineage.predecessors.as_ref()));
    members.reverse();
    members.push(member(&in_context.urn, &provision.id, Some(&provision.label)));
    members.extend(of_lineage(lineage.and_then(|lineage| lineage.successors.as_ref())));
    members
}

/// The comparison of two members, of the section of the newer one alone where its label names it.
async fn comparison(
    service: &Service,
    older: &HistoryMember,
    newer: &HistoryMember,
) -> Option<ComparisonView<'static>> {
    let section = newer.label.rsplit_once('(').map(|(section, _)| section.to_owned());
    let queries = [section, None].map(|section| ComparisonQuery {
        text: true,
        section,
        ..ComparisonQuery::with(&newer.urn)
    });
    let (_turn, client) = service.turn().await;
    for query in queries {
        if let Ok(ComparisonAnswer::Whole(view)) = client.comparison(&older.urn, &query).await
            && item(&view, older, newer).is_some()
        {
            return Some(view);
        }
    }
    None
}

fn item<'v>(
    view: &'v ComparisonView<'_>,
    older: &HistoryMember,
    newer: &HistoryMember,
) -> Option<&'v ProvisionChange<'v>> {
    let has = |provision: Option<&ComparedProvision<'_>>, member: &HistoryMember| {
        provision.is_some_and(|provision| *provision.id == *member.id)
    };
    view.items.iter().find(|item| has(item.older.as_ref(), older) && has(item.newer.as_ref(), newer))
}

/// What changed from one edition to the next, and the text with the words that differ.
fn change(visit: &Visit, older: &HistoryMember, newer: &HistoryMember, view: &ComparisonView<'_>) -> Markup {
    let words = visit.words;
    let Some(item) = item(view, older, newer) else { return html! { p.quiet { (words.no_comparison) } } };
    let (Some(was), Some(is)) = (&item.older, &item.newer) else { return html! {} };
    let outlines = [EditionOutline::default(), EditionOutline::default()];
    let compared = Compared { words, ..Compared::new(view, outlines) };
    let changes = item.facets.as_ref().map(|facets| labels(facets, &compared)).unwrap_or_default();
    let difference = item.difference.clone().unwrap_or_default();
    let comparison = visit.at(&format!("c/{}/{}", encoded(&older.urn), encoded(&newer.urn)));
    html! {
        (type_mark(visit, is)) " "
        span class={ "badge " (item.relation) } { (relation_words(words, item.relation.as_str(), 1)) }
        @if !changes.is_empty() {
            ul.facets { @for label in &changes { li { span.facet { (facet_words(label.facet, words)) } " " (label.text) } } }
        }
        blockquote lang=[language(&newer.urn)] {
            p {
                @if let Some(lead_in) = &is.lead_in { span.lead { (merged(was.lead_in.as_deref().unwrap_or_default(), lead_in, &difference.lead_in_edits)) } " " }
                (merged(was.text.as_deref().unwrap_or_default(), is.text.as_deref().unwrap_or_default(), &difference.text_edits))
            }
        }
        p.quiet { a href=(comparison) { (words.whole_comparison) } }
    }
}

fn type_mark(visit: &Visit, provision: &ComparedProvision<'_>) -> Markup {
    let words = visit.words;
    html! { @if let Some(kind) = provision.kind { (mark(words, kind)) " " (type_word(words, kind).1) } }
}

fn text(provision: &ComparedProvision<'_>, urn: &str) -> Markup {
    html! {
        blockquote lang=[language(urn)] {
            p {
                @if let Some(lead_in) = &provision.lead_in { span.lead { (printed(lead_in)) } " " }
                (printed(provision.text.as_deref().unwrap_or_default()))
            }
        }
    }
}
