//! Properties of each comparison: it is symmetric, it is the same in each run, and each change of a word is
//! reported.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use norma_compare::{
    Comparison, ComparisonSection, ComparisonUnit, Dependency, DependencyKind, Edit, Link,
    ReferenceChangeKind, TextSpan, UnitContext, UnitLimit, UnitReference, UnitRelation, UnitTarget, Units,
    UnitsParts, compare,
};
use norma_model::{Comparator, Passage, ProvisionKind, Quantity};
use proptest::prelude::*;

const WORDS: [&str; 40] = [
    "grain",
    "bags",
    "moisture",
    "content",
    "store",
    "dry",
    "supplier",
    "record",
    "test",
    "sample",
    "kernel",
    "shall",
    "should",
    "not",
    "be",
    "have",
    "in",
    "of",
    "the",
    "before",
    "three",
    "5",
    "12,5",
    "300 mm",
    "clean",
    "sealed",
    "label",
    "batch",
    "report",
    "method",
    "temperature",
    "humidity",
    "operator",
    "annex",
    "table",
    "limit",
    "exceed",
    "at",
    "least",
    "é",
];

/// An edition of sections with units: for each section a title and the words of its units.
fn edition(sections: &[(usize, Vec<Vec<usize>>)]) -> Units {
    let mut parts = UnitsParts::default();
    for (title, texts) in sections {
        let section = parts.sections.len();
        parts.sections.push(ComparisonSection {
            number: Some(format!("{}", section + 1).into()),
            title: Some(WORDS[*title].into()),
            parent: section.checked_sub(1).filter(|_| section % 3 == 1),
            normative: Some(title.is_multiple_of(2)),
            text_hash: (title % 5 > 0).then_some(*title as u64 % 3),
            targets: vec![UnitTarget::Section(title % (section + 1))],
            ..ComparisonSection::default()
        });
        for words in texts {
            let text: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
            let sum: usize = words.iter().sum();
            let limit = UnitLimit { text: format!("Limit {sum}.").into(), hash: sum as u64 % 4 };
            parts.units.push(ComparisonUnit {
                id: format!("u{}", parts.units.len()).into(),
                text: text.join(" ").into(),
                kind: Some(if text.contains(&"should") {
                    ProvisionKind::Recommendation
                } else {
                    ProvisionKind::Requirement
                }),
                section,
                context: UnitContext {
                    footnotes: vec![sum as u64 % 3; sum % 2],
                    limits: vec![limit; sum % 3],
                    neighbours: vec![sum as u64 % 5; sum % 2],
                    targets: vec![UnitTarget::Section(sum % (section + 1))],
                    terms: Vec::new(),
                },
                ..ComparisonUnit::default()
            });
        }
    }
    Units::new(parts).unwrap()
}

fn editions() -> impl Strategy<Value = Vec<(usize, Vec<Vec<usize>>)>> {
    let text = prop::collection::vec(0..WORDS.len(), 0..12);
    prop::collection::vec((0..WORDS.len(), prop::collection::vec(text, 0..6)), 1..6)
}

/// The comparison of the exchanged editions.
fn mirrored(mut comparison: Comparison) -> Comparison {
    for link in &mut comparison.links {
        std::mem::swap(&mut link.older, &mut link.newer);
        link.relation = match link.relation {
            UnitRelation::Split => UnitRelation::Merged,
            UnitRelation::Merged => UnitRelation::Split,
            other => other,
        };
        for Edit { older, newer } in link.text.iter_mut().chain(&mut link.lead_in) {
            std::mem::swap(older, newer);
        }
        let facets = &mut link.facets;
        facets.moved.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.strength.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.normative.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.negation.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.quantities.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.bounds.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.conditions.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.subject.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        facets.terms.iter_mut().for_each(|c| std::mem::swap(&mut c.older, &mut c.newer));
        for change in &mut facets.references {
            std::mem::swap(&mut change.older, &mut change.newer);
            change.kind = match change.kind {
                ReferenceChangeKind::Added => ReferenceChangeKind::Removed,
                ReferenceChangeKind::Removed => ReferenceChangeKind::Added,
                other => other,
            };
        }
        for one in &mut facets.depends_on {
            std::mem::swap(&mut one.target.older, &mut one.target.newer);
            std::mem::swap(&mut one.new, &mut one.removed);
            without_counts(one);
        }
    }
    comparison.sections.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    comparison.sections.sort_unstable();
    comparison.links.sort_by_key(|link| (link.older, link.newer));
    // The outline is in the order of the newer edition.
    comparison.outline.clear();
    std::mem::swap(&mut comparison.older_unmatched, &mut comparison.newer_unmatched);
    comparison
}

/// Leaves out the counts of a clause, which are those of the outline: of the newer edition.
fn without_counts(dependency: &mut Dependency) {
    if dependency.kind == DependencyKind::Clause {
        (dependency.changed, dependency.new, dependency.removed) = (0, 0, 0);
    }
}

fn part(text: &str, span: TextSpan) -> String {
    text.chars().skip(span.start).take(span.end - span.start).collect()
}

/// The older text with the edits made.
fn edited(older: &str, newer: &str, edits: &[Edit]) -> String {
    let (mut out, mut done) = (String::new(), 0);
    for edit in edits {
        out += &part(older, TextSpan { start: done, end: edit.older.start });
        out += " ";
        out += &part(newer, edit.newer);
        out += " ";
        done = edit.older.end;
    }
    out += &part(older, TextSpan { start: done, end: usize::MAX });
    out.split_whitespace().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn exchanged_editions_give_the_mirrored_comparison(a in editions(), b in editions()) {
        let (a, b) = (edition(&a), edition(&b));
        let forth = compare(&a, &b);
        prop_assert_eq!(&forth, &compare(&a, &b));
        let mut back = compare(&b, &a);
        back.outline.clear();
        back.links.iter_mut().flat_map(|link| &mut link.facets.depends_on).for_each(without_counts);
        prop_assert_eq!(mirrored(forth), back);
    }

    #[test]
    fn each_unit_has_at_most_one_counterpart_or_is_unmatched(a in editions(), b in editions()) {
        let (a, b) = (edition(&a), edition(&b));
        let comparison = compare(&a, &b);
        let one_to_one = |link: &&Link| matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
        for unit in 0..a.units.len() {
            let of = comparison.links.iter().filter(|link| link.older == unit);
            prop_assert!(of.clone().filter(one_to_one).count() <= 1);
            let unmatched = comparison.older_unmatched.iter().filter(|u| u.unit == unit).count();
            prop_assert_eq!(unmatched, usize::from(of.count() == 0));
        }
        for unmatched in comparison.older_unmatched.iter().chain(&comparison.newer_unmatched) {
            prop_assert!(unmatched.candidates.is_sorted_by(|x, y| x.similarity >= y.similarity));
        }
    }

    #[test]
    fn edits_make_the_newer_text_of_the_older_one(a in editions(), b in editions()) {
        let (a, b) = (edition(&a), edition(&b));
        for link in compare(&a, &b).links {
            let (older, newer) = (&a.units[link.older].text, &b.units[link.newer].text);
            if matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded) {
                prop_assert_eq!(edited(older, newer, &link.text), newer.split_whitespace().collect::<String>());
            }
        }
    }
}

/// A changed copy of a text: one word, number, verb or negation is replaced, added or dropped.
fn mutated(text: &str, at: usize, how: usize) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let at = at % words.len();
    match how % 6 {
        0 => words[at] = if words[at] == "shall" { "should" } else { "shall" },
        1 => words[at] = if words[at] == "7" { "8" } else { "7" },
        2 => words[at] = if words[at] == "four" { "nine" } else { "four" },
        3 => words.insert(at, "not"),
        4 => words[at] = "Sieve",
        _ => drop(words.remove(at)),
    }
    words.join(" ")
}

/// The numbers of a text, sorted.
fn numbers(text: &str) -> Vec<&str> {
    let number = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || matches!(*word, "three" | "four" | "nine")
    };
    let mut numbers: Vec<&str> = text.split(' ').filter(number).collect();
    numbers.sort_unstable();
    numbers
}

/// The numbers of a text as counts.
fn counts(text: &str) -> Vec<Quantity> {
    let count = |number: &str| Quantity {
        comparator: Some(Comparator::Equal),
        value: number.into(),
        upper: None,
        tolerance: None,
        unit: None,
        ucum: None,
        passage: Passage::default(),
    };
    numbers(text).into_iter().map(count).collect()
}

/// A type for a text: that of its verb.
fn kind(text: &str) -> ProvisionKind {
    match text.contains("should") {
        true => ProvisionKind::Recommendation,
        false => ProvisionKind::Requirement,
    }
}

/// Mutations in each run: 10,000, or as many as `NORMA_MUTATIONS` says.
fn mutations() -> u32 {
    std::env::var("NORMA_MUTATIONS")
        .map_or(10_000, |number| number.parse().expect("NORMA_MUTATIONS is a number"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(mutations() / 5))]

    #[test]
    fn a_mutation_is_reworded_with_the_facet_and_difference_that_name_it(
        texts in prop::collection::vec((prop::collection::vec(0..WORDS.len(), 4..14), 0..14usize, 0..6usize), 5),
    ) {
        let of = |texts: Vec<String>| {
            let units = texts.into_iter().enumerate().map(|(n, text)| ComparisonUnit {
                id: format!("u{n}").into(),
                kind: Some(kind(&text)),
                negated: text.split(' ').filter(|&word| word == "not").count() % 2 == 1,
                quantities: counts(&text),
                text: text.into(),
                ..ComparisonUnit::default()
            });
            let sections = vec![ComparisonSection::default()];
            Units::new(UnitsParts { sections, units: units.collect(), ..UnitsParts::default() }).unwrap()
        };
        let words = |w: &[usize]| w.iter().map(|&w| WORDS[w]).collect::<Vec<_>>().join(" ");
        let older = of(texts.iter().map(|(w, ..)| words(w)).collect());
        let newer = of(texts.iter().map(|(w, at, how)| mutated(&words(w), *at, *how)).collect());
        for link in compare(&older, &newer).links {
            let (a, b) = (&older.units[link.older], &newer.units[link.newer]);
            prop_assert_eq!(link.relation == UnitRelation::Same, a.text == b.text);
            if matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded) {
                prop_assert_eq!(link.text.is_empty(), a.text == b.text);
                prop_assert_eq!(link.facets.strength.is_some(), kind(&a.text) != kind(&b.text));
                prop_assert_eq!(link.facets.negation.is_some(), a.negated != b.negated, "{} > {}", a.text, b.text);
                let changed = numbers(&a.text) != numbers(&b.text);
                prop_assert_eq!(!link.facets.quantities.is_empty(), changed, "{} > {}", a.text, b.text);
            }
        }
    }

    #[test]
    fn a_reference_that_points_elsewhere_is_never_same(first in 0..4usize, second in 0..4usize) {
        let of = |order: [usize; 4], target: usize| {
            let titles = ["Sampling", "Storage", "Marking", "Records"];
            let section = |title: &str, number: usize| ComparisonSection {
                number: Some(number.to_string().into()),
                title: Some(title.into()),
                ..ComparisonSection::default()
            };
            let mut sections: Vec<ComparisonSection> = order.iter().enumerate().map(|(n, &s)| section(titles[s], n + 1)).collect();
            sections.push(section("Tests", 5));
            let index = order.iter().position(|&s| s == target).unwrap();
            let text = format!("Tests shall follow Clause {}.", index + 1);
            let reference = UnitReference { text: format!("Clause {}", index + 1).into(), target: Some(UnitTarget::Section(index)) };
            let units = vec![ComparisonUnit { id: "u".into(), text: text.into(), references: vec![reference], section: 4, ..ComparisonUnit::default() }];
            Units::new(UnitsParts { sections, units, ..UnitsParts::default() }).unwrap()
        };
        let comparison = compare(&of([0, 1, 2, 3], first), &of([1, 0, 3, 2], second));
        prop_assert_eq!(comparison.links[0].relation == UnitRelation::Same, first == second);
    }
}
