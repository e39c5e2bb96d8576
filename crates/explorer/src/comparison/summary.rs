//! The sentence that sums up a comparison.

use norma_api::shapes::{ComparisonRelation as Relation, DependencyType, Facet, ProvisionChange};

use super::compared::Compared;
use super::page_summary::rank;
use crate::phrases::Words;

/// Kinds of change of reworded provisions, for one and for several.
const KINDS: [(Facet, &str, &str); 8] = [
    (Facet::Normative, "other status", "other status"),
    (Facet::Negation, "reversed", "reversed"),
    (Facet::Bound, "limit", "limits"),
    (Facet::Quantity, "quantity", "quantities"),
    (Facet::Condition, "condition", "conditions"),
    (Facet::Subject, "subject", "subjects"),
    (Facet::References, "reference", "references"),
    (Facet::Terms, "redefined term", "redefined terms"),
];

/// Counts of a comparison: `9 reworded: 2 stricter, 4 quantities, 3 otherwise; 3 the same words but a changed
/// table; 22 new; 3 removed; 45 unchanged`.
pub fn sentence(compared: &Compared<'_>) -> String {
    let (comparison, words) = (compared.view, compared.words);
    let say = |english| words.say(english);
    let (mut reworded, mut same) = (Vec::new(), Vec::new());
    let (mut split, mut merged, mut new, mut removed) = (0, 0, 0, 0);
    for item in &comparison.items {
        match item.relation {
            Relation::Reworded => reworded.push(item),
            Relation::Same => same.push(item),
            Relation::Split => split += 1,
            Relation::Merged => merged += 1,
            Relation::New => new += 1,
            Relation::Removed => removed += 1,
            Relation::Unrecognized => {}
        }
    }
    let mut parts: Vec<String> = Vec::new();
    add(&mut parts, reworded.len(), &reworded_as(words, &reworded));
    let unchanged = add_same(&mut parts, words, &same);
    for (count, what) in [
        (split, "possibly split"),
        (merged, "possibly merged"),
        (new, "new"),
        (removed, "removed"),
        (unchanged, "unchanged"),
    ] {
        add(&mut parts, count, words.counted(what, count));
    }
    if parts.is_empty() {
        return say("Neither edition has a provision in this language").to_owned();
    }
    parts.join("; ")
}

/// Adds a count with what it counts, unless it is 0.
fn add(parts: &mut Vec<String>, count: usize, what: &str) {
    if count > 0 {
        parts.push(format!("{} {what}", number(count)));
    }
}

/// Adds counts of pairs with the same words by what else changed. Each is counted once: by what it depends
/// on, or else by the first of its other changes. Returns how many did not change.
fn add_same(parts: &mut Vec<String>, words: &Words, same: &[&ProvisionChange<'_>]) -> usize {
    let say = |english| words.say(english);
    for (kind, what) in [
        (DependencyType::Table, say("the same words but a changed table")),
        (DependencyType::Figure, say("the same words but a changed figure")),
        (DependencyType::Formula, say("the same words but a changed formula")),
        (DependencyType::Clause, say("the same words but a changed clause")),
        (DependencyType::Term, say("the same words but a redefined term")),
        (DependencyType::Footnote, say("the same words but a changed footnote")),
        (DependencyType::Sentence, say("the same words but a changed sentence before it")),
    ] {
        let count = same.iter().filter(|item| first_dependency(item) == Some(kind)).count();
        add(parts, count, what);
    }
    for (facet, what) in [
        (Facet::Normative, say("the same words but another status")),
        (Facet::Condition, say("the same words but a changed limiting sentence")),
    ] {
        let mut count = 0;
        for item in same {
            if first_dependency(item).is_none() && item.changed.first() == Some(&facet) {
                count += 1;
            }
        }
        add(parts, count, what);
    }
    let others = same.iter().filter(|item| is_changed_otherwise(item)).count();
    add(parts, others, say("the same words but other changes"));
    let moved = same.iter().filter(|item| item.changed == [Facet::Moved]).count();
    add(parts, moved, words.counted("moved", moved));
    same.iter().filter(|item| item.changed.is_empty()).count()
}

/// True for a pair with the same words that no other count has: not moved alone, and with a change that is
/// neither one of what it depends on nor one that has a count of its own.
fn is_changed_otherwise(item: &ProvisionChange<'_>) -> bool {
    let Some(first) = item.changed.first() else { return false };
    let has_own_count =
        matches!(first, Facet::Normative | Facet::Condition) || item.changed == [Facet::Moved];
    first_dependency(item).is_none() && !has_own_count
}

fn first_dependency(item: &ProvisionChange<'_>) -> Option<DependencyType> {
    let first = item.facets.as_ref()?.depends_on.first()?;
    Some(first.kind)
}

/// The word for reworded provisions, with the kinds of their changes behind a colon.
fn reworded_as(words: &Words, reworded: &[&ProvisionChange<'_>]) -> String {
    let details = details(words, reworded);
    let separator = if details.is_empty() { "" } else { words.colon() };
    format!("{}{separator}{details}", words.counted("reworded", reworded.len()))
}

/// How many of some pairs have each kind of change, and how many have none of these kinds: `2 stricter, 4
/// quantities, 1 otherwise`. A pair may have several kinds.
fn details(words: &Words, items: &[&ProvisionChange<'_>]) -> String {
    let (mut stricter, mut less_strict, mut of_another_type) = (0, 0, 0);
    for item in items {
        let Some(facets) = &item.facets else { continue };
        let Some(change) = &facets.strength else { continue };
        match (rank(&change.older), rank(&change.newer)) {
            (Some(older), Some(newer)) if newer < older => less_strict += 1,
            (Some(_), Some(_)) => stricter += 1,
            _ => of_another_type += 1,
        }
    }
    let mut counts =
        vec![(stricter, "stricter"), (less_strict, "less strict"), (of_another_type, "of another type")];
    for (facet, one, several) in KINDS {
        let count = items.iter().filter(|item| item.changed.contains(&facet)).count();
        counts.push((count, if count == 1 { one } else { several }));
    }
    let has_count = |item: &&&ProvisionChange<'_>| {
        let has_strength = item.facets.as_ref().is_some_and(|facets| facets.strength.is_some());
        has_strength || KINDS.iter().any(|(facet, ..)| item.changed.contains(facet))
    };
    let explained = items.iter().filter(has_count).count();
    if explained > 0 {
        counts.push((items.len() - explained, "otherwise"));
    }
    let mut parts = Vec::new();
    for (count, what) in counts {
        if count > 0 {
            parts.push(format!("{count} {}", words.counted(what, count)));
        }
    }
    parts.join(", ")
}

/// A count with its digits in groups of three.
fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::rows::tests::{compared, view};

    #[test]
    fn each_provision_is_counted_once_by_what_happened_to_it() {
        let view = view();
        assert_eq!(sentence(&compared(&view)), "1 moved; 1 new; 1 removed; 2 unchanged");
    }

    #[test]
    fn reworded_provisions_are_counted_with_the_kinds_of_their_changes() {
        let mut view = view();
        let strength = |from: &str, to: &str| {
            let facets = serde_json::json!({"strength": {"older": {"type": from}, "newer": {"type": to}}});
            serde_json::from_value(facets).unwrap()
        };
        view.items[0].relation = Relation::Reworded;
        view.items[0].facets = Some(strength("recommendation", "requirement"));
        view.items[4].relation = Relation::Reworded;
        view.items[4].facets = Some(strength("requirement", "capability"));
        view.items[4].changed = vec![Facet::Bound];
        assert_eq!(
            sentence(&compared(&view)),
            "2 reworded: 1 stricter, 1 of another type, 1 limit; 1 moved; 1 new; 1 removed"
        );
    }

    #[test]
    fn each_reworded_provision_and_each_other_change_is_in_a_count() {
        let mut view = view();
        view.items[0].relation = Relation::Reworded;
        view.items[0].changed = vec![Facet::Quantity];
        view.items[2].relation = Relation::Reworded;
        view.items[4].changed = vec![Facet::References];
        assert_eq!(
            sentence(&compared(&view)),
            "2 reworded: 1 quantity, 1 otherwise; 1 the same words but other changes; 1 new; 1 removed"
        );
        view.items[0].changed.clear();
        assert!(sentence(&compared(&view)).starts_with("2 reworded; "));
    }

    #[test]
    fn a_comparison_without_provisions_says_so() {
        let mut view = view();
        view.items.clear();
        assert_eq!(sentence(&compared(&view)), "Neither edition has a provision in this language");
    }

    #[test]
    fn digits_are_in_groups_of_three() {
        for (count, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567")] {
            assert_eq!(number(count), text);
        }
    }
}
