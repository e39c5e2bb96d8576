//! The sentence that sums up a comparison.

use norma_compare::{Change, Comparison, DependencyKind, Facet, Link, PartKind, Relation, Strength};
use norma_model::ProvisionKind;

use crate::print::number;

/// Kinds of change of reworded provisions, for one and for several.
const KINDS: [(Facet, &str, &str); 7] = [
    (Facet::Negation, "reversed", "reversed"),
    (Facet::Bound, "limit", "limits"),
    (Facet::Quantity, "quantity", "quantities"),
    (Facet::Condition, "condition", "conditions"),
    (Facet::Subject, "subject", "subjects"),
    (Facet::References, "reference", "references"),
    (Facet::Terms, "redefined term", "redefined terms"),
];

/// Counts of a comparison: `9 reworded: 2 stricter, 4 quantities; 3 the same words but a changed table; 22
/// new; 3 removed; 45 unchanged`.
pub(crate) fn sentence(comparison: &Comparison) -> String {
    let of = |relation| comparison.links.iter().filter(move |link| link.relation == relation);
    let mut parts: Vec<String> = Vec::new();
    let mut add = |count: usize, words: &str| {
        if count > 0 {
            parts.push(format!("{} {words}", number(count as u64)));
        }
    };
    let details = details(&of(Relation::Reworded).collect::<Vec<_>>());
    let words = if details.is_empty() { "reworded".to_owned() } else { format!("reworded: {details}") };
    add(of(Relation::Reworded).count(), &words);
    let first = |link: &Link| link.facets.depends_on.first().map(|dependency| dependency.kind);
    for (kind, words) in [
        (DependencyKind::Part(PartKind::Table), "the same words but a changed table"),
        (DependencyKind::Part(PartKind::Figure), "the same words but a changed figure"),
        (DependencyKind::Part(PartKind::Formula), "the same words but a changed formula"),
        (DependencyKind::Clause, "the same words but a changed clause"),
        (DependencyKind::Term, "the same words but a redefined term"),
    ] {
        add(of(Relation::Same).filter(|link| first(link) == Some(kind)).count(), words);
    }
    let moved = |link: &&Link| link.facets.kinds() == [Facet::Moved];
    add(of(Relation::Same).filter(moved).count(), "moved");
    add(of(Relation::Split).count(), "possibly split");
    add(of(Relation::Merged).count(), "possibly merged");
    add(comparison.newer_unmatched.len(), "new");
    add(comparison.older_unmatched.len(), "removed");
    add(of(Relation::Same).filter(|link| link.facets.kinds().is_empty()).count(), "unchanged");
    if parts.is_empty() {
        "Neither edition has a provision in this language".to_owned()
    } else {
        parts.join("; ")
    }
}

/// The kinds of change that some pairs have.
fn details(links: &[&Link]) -> String {
    let mut strengths = [0; 3];
    for change in links.iter().filter_map(|link| link.facets.strength.as_deref()) {
        strengths[stricter(change)] += 1;
    }
    let mut parts: Vec<(usize, &str)> =
        strengths.into_iter().zip(["stricter", "less strict", "of another type"]).collect();
    for (facet, one, several) in KINDS {
        let count = links.iter().filter(|link| link.facets.kinds().contains(&facet)).count();
        parts.push((count, if count == 1 { one } else { several }));
    }
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The direction of a change of strength: 0 for stricter, 1 for less strict, 2 if the types have no order.
fn stricter(change: &Change<Strength>) -> usize {
    let rank = |strength: &Strength| match strength.kind {
        Some(ProvisionKind::Requirement) => Some(2),
        Some(ProvisionKind::Recommendation) => Some(1),
        Some(ProvisionKind::Permission) => Some(0),
        _ => None,
    };
    match rank(&change.older).zip(rank(&change.newer)) {
        Some((older, newer)) => usize::from(newer < older),
        None => 2,
    }
}
