//! The sentence that sums up a comparison.

use norma_api::shapes::{
    Change, ComparisonRelation as Relation, DependencyType, Facet, ProvisionChange, ProvisionType, Strength,
};

use super::compared::Compared;
use crate::phrases::Words;

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
pub fn sentence(compared: &Compared<'_>) -> String {
    let (comparison, words) = (compared.view, compared.words);
    let say = |english| words.say(english);
    let of = |relation| comparison.items.iter().filter(move |item| item.relation == relation);
    let mut parts: Vec<String> = Vec::new();
    let mut add = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{} {what}", number(count)));
        }
    };
    let details = details(words, &of(Relation::Reworded).collect::<Vec<_>>());
    let separator = if details.is_empty() { "" } else { ": " };
    add(of(Relation::Reworded).count(), &format!("{}{separator}{details}", say("reworded")));
    let first = |item: &ProvisionChange<'_>| item.facets.as_ref()?.depends_on.first().map(|one| one.kind);
    for (kind, what) in [
        (DependencyType::Table, "the same words but a changed table"),
        (DependencyType::Figure, "the same words but a changed figure"),
        (DependencyType::Formula, "the same words but a changed formula"),
        (DependencyType::Clause, "the same words but a changed clause"),
        (DependencyType::Term, "the same words but a redefined term"),
    ] {
        add(of(Relation::Same).filter(|item| first(item) == Some(kind)).count(), say(what));
    }
    let moved = |item: &&ProvisionChange<'_>| item.changed == [Facet::Moved];
    add(of(Relation::Same).filter(moved).count(), say("moved"));
    add(of(Relation::Split).count(), say("possibly split"));
    add(of(Relation::Merged).count(), say("possibly merged"));
    add(of(Relation::New).count(), say("new"));
    add(of(Relation::Removed).count(), say("removed"));
    add(of(Relation::Same).filter(|item| item.changed.is_empty()).count(), say("unchanged"));
    if parts.is_empty() {
        say("Neither edition has a provision in this language").to_owned()
    } else {
        parts.join("; ")
    }
}

/// The kinds of change that some pairs have.
fn details(words: &Words, items: &[&ProvisionChange<'_>]) -> String {
    let mut strengths = [0; 3];
    for change in items.iter().filter_map(|item| item.facets.as_ref()?.strength.as_ref()) {
        strengths[stricter(change)] += 1;
    }
    let mut parts: Vec<(usize, &'static str)> =
        strengths.into_iter().zip(["stricter", "less strict", "of another type"]).collect();
    for (facet, one, several) in KINDS {
        let count = items.iter().filter(|item| item.changed.contains(&facet)).count();
        parts.push((count, if count == 1 { one } else { several }));
    }
    let parts = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {}", words.say(what)));
    parts.collect::<Vec<_>>().join(", ")
}

/// The direction of a change of strength: 0 for stricter, 1 for less strict, 2 if the types have no order.
fn stricter(change: &Change<Strength<'_>>) -> usize {
    let rank = |strength: &Strength<'_>| match strength.kind {
        Some(ProvisionType::Requirement) => Some(2),
        Some(ProvisionType::Recommendation) => Some(1),
        Some(ProvisionType::Permission) => Some(0),
        _ => None,
    };
    match rank(&change.older).zip(rank(&change.newer)) {
        Some((older, newer)) => usize::from(newer < older),
        None => 2,
    }
}

/// A count with its digits in groups of three.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(" ")
}
