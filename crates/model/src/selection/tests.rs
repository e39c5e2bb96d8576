//! Tests of the grammar by examples, and of resolution against a literal reading of its rules.

use proptest::prelude::*;

use super::*;
use crate::outline::{OutlineFigure, OutlineProvision, OutlineSection, OutlineTable, OutlineTerm};
use crate::{ProvisionId, ProvisionKind, SectionId, TableId, TermId};

/// An outline from lines `level number id count`: sections with this number of own provisions; `-` for a
/// section without number.
fn outline(sections: &[(u16, &str, &str, u32)], tables: &[&str], terms: &[&str]) -> Outline {
    let mut built: Vec<OutlineSection> = Vec::new();
    let mut provisions = Vec::new();
    for (index, &(level, number, id, count)) in sections.iter().enumerate() {
        let start = provisions.len() as u32;
        for nth in 0..count {
            let ordinal = start + nth;
            provisions.push(OutlineProvision {
                id: ProvisionId::from_bytes(u128::from(ordinal).to_be_bytes()),
                kind: ProvisionKind::Requirement,
                normative: true,
                section: index as u32,
                table: (!tables.is_empty() && ordinal.is_multiple_of(3))
                    .then(|| ordinal / 3 % tables.len() as u32),
                terms: (0..terms.len() as u32).filter(|t| ordinal.is_multiple_of(t + 2)).collect(),
            });
        }
        let end =
            sections[index + 1..].iter().position(|s| s.0 <= level).map_or(sections.len(), |n| index + 1 + n);
        built.push(OutlineSection {
            id: SectionId::new(id),
            number: (number != "-").then(|| number.into()),
            parent: sections[..index].iter().rposition(|s| s.0 < level).map(|p| p as u32),
            end: end as u32,
            provisions: (start, start + count),
        });
    }
    let table = |(at, &n): (usize, &&str)| OutlineTable {
        id: TableId::new(format!("tab_{at}")),
        number: Some(n.into()),
    };
    let term = |(at, &n): (usize, &&str)| OutlineTerm {
        id: TermId::new(format!("term_{at}")),
        number: Some(n.into()),
    };
    Outline::new(
        built,
        provisions,
        tables.iter().enumerate().map(table).collect(),
        terms.iter().enumerate().map(term).collect(),
    )
}

fn figure(number: &str, provisions: &[u32]) -> OutlineFigure {
    let id = format!("fig_{number}");
    OutlineFigure { id, number: Some(number.into()), provisions: provisions.into() }
}

/// A document with a foreword, uneven depths, a hyphenated number, a number borne twice, and annexes.
fn document() -> Outline {
    let outline = outline(
        &[
            (1, "-", "sec_foreword", 2), // 0, 1
            (1, "1", "sec_1", 0),
            (1, "4", "sec_4", 1),         // 2
            (2, "4.1", "sec_4.1", 2),     // 3, 4
            (2, "4.2", "sec_4.2", 3),     // 5, 6, 7
            (3, "4.2.1", "sec_4.2.1", 1), // 8
            (1, "5", "sec_5", 2),         // 9, 10
            (1, "5-1", "sec_5-1", 1),     // 11
            (1, "6", "6~1", 1),           // 12
            (1, "6", "6~2", 1),           // 13
            (1, "7", "sec_7", 0),
            (2, "7.10", "sec_7.10", 1), // 14
            (1, "A", "sub-a", 0),
            (2, "A.1", "sub-a.1", 1),     // 15
            (2, "A.3", "sub-a.3", 1),     // 16
            (3, "A.3.1", "sub-a.3.1", 1), // 17
            (1, "AA", "sec_AA", 0),
            (2, "AA.1", "sec_AA.1", 1), // 18
        ],
        &["1", "2", "A.1"],
        &["3.1", "3.2"],
    );
    outline.with_figures(vec![figure("1", &[3, 7]), figure("A.1", &[16])])
}

fn choose(selection: &str) -> Vec<u32> {
    let parsed: Selection = selection.parse().unwrap_or_else(|e| panic!("{selection}: {e}"));
    let matched = parsed.resolve(&document()).unwrap_or_else(|e| panic!("{selection}: {e}"));
    assert_eq!(matched.unmatched, Vec::<String>::new(), "{selection}");
    matched.provisions
}

#[test]
fn each_form_chooses_what_the_grammar_says() {
    for (selection, chosen) in [
        ("4", (2..9).collect::<Vec<u32>>()),
        ("4.2", vec![5, 6, 7, 8]),
        ("clause:4.2.1", vec![8]),
        ("A", vec![15, 16, 17]),
        ("a.3", vec![16, 17]),
        ("AA.1", vec![18]),
        ("1", vec![]),
        ("4.2(3)", vec![7]),
        ("4.2(1-2)", vec![5, 6]),
        ("4.2(2-9)", vec![6, 7]),
        ("4.2.1-7", (8..15).collect()),
        ("5-7", (9..15).collect()),
        ("7-a.1", vec![14, 15]),
        ("A.1-AA.1", vec![15, 16, 17, 18]),
        ("5-1", vec![11]),
        ("5-1-6", vec![11, 12, 13]),
        ("6", vec![12, 13]),
        ("6~2", vec![13]),
        ("6~2(1)", vec![13]),
        ("sec_foreword", vec![0, 1]),
        ("sec_foreword(2)", vec![1]),
        ("SUB-A.3(1)", vec![16]),
        ("id:sub-a.3,prv_aaaaaaaaaaaaaaaaaaaaaaaaai", vec![2, 16, 17]),
        ("table:1", vec![0, 9, 18]),
        ("table:a.1", vec![6, 15]),
        ("table:1(2)", vec![9]),
        ("table:1-2", vec![0, 3, 9, 12, 18]),
        ("term:3.2", vec![0, 3, 6, 9, 12, 15, 18]),
        ("term:3.2(2-3)", vec![3, 6]),
        ("4;!4.2", vec![2, 3, 4]),
        ("!4.2,4", vec![2, 3, 4]),
        ("all;!4-6,!a,!aa", vec![0, 1, 14]),
        ("!sec_foreword,!4;table:!1,!2;!5-7", vec![15, 16, 17]),
        ("annex:A", vec![15, 16, 17]),
        ("annex:a.3,AA;!A.3.1", vec![16, 18]),
        ("4.2(2)-5(1)", vec![6, 7, 8, 9]),
        ("4.2(3)-4.2(3)", vec![7]),
        ("4.1(2)-5", vec![4, 5, 6, 7, 8, 9, 10]),
        ("4.1-4.2(2)", vec![3, 4, 5, 6]),
        ("sec_foreword(2)-4(1),!sec_foreword", vec![2]),
        ("figure:1", vec![3, 7]),
        ("figure:1(2),A.1", vec![7, 16]),
        ("figure:1-A.1;!4.2", vec![3, 16]),
        ("figure:fig_1", vec![3, 7]),
    ] {
        assert_eq!(choose(selection), chosen, "{selection}");
    }
}

#[test]
fn the_number_of_a_group_chooses_all_its_tables() {
    let outline = outline(&[(1, "4", "s", 9)], &["1", "2A", "2B"], &[]);
    let choose = |selection: &str| {
        let selection: Selection = selection.parse().unwrap();
        selection.resolve(&outline).unwrap().provisions
    };
    assert_eq!(choose("table:2a"), [3]);
    assert_eq!(choose("table:2"), [3, 6]);
    assert_eq!(choose("table:1-2"), [0, 3, 6]);
    assert_eq!(choose("table:3"), Vec::<u32>::new());
}

#[test]
fn items_that_name_nothing_are_distinguished_from_empty_parts() {
    let selection: Selection = "1,4.2(9),99;table:7;id:!gone,prv_zzzzzzzzzzzzzzzzzzzzzzzzza".parse().unwrap();
    let matched = selection.resolve(&document()).unwrap();
    assert_eq!(matched.provisions, Vec::<u32>::new());
    assert_eq!(matched.matched, ["1"]);
    assert_eq!(
        matched.unmatched,
        ["4.2(9)", "99", "table:7", "id:!gone", "id:prv_zzzzzzzzzzzzzzzzzzzzzzzzza"]
    );
}

#[test]
fn a_range_that_goes_back_is_refused_at_its_end() {
    for (selection, offset) in [
        ("7-5", 2),
        ("4,A.3-a.1", 6),
        ("A-5", 2),
        ("5.1-5", 4),
        ("99-98", 3),
        ("term:3.2-3.1", 9),
        ("B-A", 2),
        ("5(1)-4.2(2)", 5),
        ("4.2(3)-4.2(1)", 7),
        ("5-4(1)", 2),
        ("figure:A.1-1", 11),
    ] {
        let refusal = selection.parse::<Selection>().unwrap().resolve(&document()).unwrap_err();
        assert_eq!(refusal.offset, offset, "{selection}: {refusal}");
        assert!(refusal.reason.contains("reversed"), "{refusal}");
    }
}

#[test]
fn bad_syntax_is_refused_at_the_offending_character() {
    for (selection, offset) in [
        ("", 0),
        (";", 0),
        ("4;", 2),
        ("4,,5", 2),
        ("4 ,5", 1),
        ("!", 1),
        ("!!4", 1),
        ("4.2(", 4),
        ("4.2()", 4),
        ("4.2(0)", 4),
        ("4.2(3", 5),
        ("4.2(3-1)", 6),
        ("4.2(a)", 4),
        ("4.2(1)2", 6),
        ("4.2(99999999999)", 4),
        ("4.2)", 3),
        ("4.", 1),
        ("4..2", 2),
        (".4", 0),
        ("5-", 1),
        ("5--7", 2),
        ("fgure:4", 0),
        ("annex:4", 6),
        ("annex:A,4", 8),
        ("4(1)-", 5),
        ("4(1)-5(", 7),
        ("4(1)-5(1-2)", 8),
        ("4(1-2)-5", 6),
        ("table:1(1)-2", 10),
        ("4;fig:4", 2),
        ("table:", 6),
        ("id:", 3),
        ("é:4", 0),
        ("é,4.2(", 6),
        ("all,4", 3),
        ("4,all", 2),
        ("!all", 1),
        ("4*", 1),
        ("4/5", 1),
        ("clause:table:4", 12),
    ] {
        let refusal = selection.parse::<Selection>().expect_err(selection);
        assert_eq!(refusal.offset, offset, "{selection}: {refusal}");
    }
}

#[test]
fn the_canonical_form_joins_parts_and_drops_what_goes_without_saying() {
    for (written, canonical) in [
        ("clause:4.2;4.3", "4.2,4.3"),
        ("a.3-b.9,aa.1", "A.3-B.9,AA.1"),
        ("Table:2;table:!a.1(01-01)", "table:2,!A.1(1)"),
        ("ALL;!4;all", "all;!4;all"),
        ("sec_Foreword(2)", "sec_Foreword(2)"),
        ("ID:Sec_4(1-2);id:x:y", "id:Sec_4(1-2),x:y"),
        ("4;term:3.2;5", "4;term:3.2;5"),
        ("annex:a.1;4.2(01)-a.1(2)", "A.1,4.2(1)-A.1(2)"),
        ("FIGURE:a.1-a.3", "figure:A.1-A.3"),
    ] {
        let selection: Selection = written.parse().unwrap();
        assert_eq!(selection.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(selection));
    }
}

#[test]
fn length_and_number_of_items_are_bounded() {
    let items = |n: usize| vec!["4"; n].join(",");
    assert!(items(MAX_SELECTION_ITEMS).parse::<Selection>().is_ok());
    assert_eq!(
        items(MAX_SELECTION_ITEMS + 1).parse::<Selection>().unwrap_err().offset,
        2 * MAX_SELECTION_ITEMS
    );
    assert!("é".repeat(MAX_SELECTION_LENGTH).parse::<Selection>().is_ok());
    let refusal = "é".repeat(MAX_SELECTION_LENGTH + 1).parse::<Selection>().unwrap_err();
    assert_eq!(refusal.offset, MAX_SELECTION_LENGTH);
}

#[test]
fn the_label_of_a_provision_is_a_selection_where_its_section_has_a_valid_name() {
    for name in
        ["4.2.1", "A.1", "sec_foreword", "_82627e97-a1b2", "6~1", "foreword.nat", "sub-4.5.1", "附件", "all"]
    {
        let label = format!("{name}(3)");
        let selection: Selection = label.parse().unwrap_or_else(|e| panic!("{label}: {e}"));
        assert!(selection.to_string().eq_ignore_ascii_case(&label), "{label}: {selection}");
    }
    for name in ["", "4.", "1)", "sec:1", "4 2", "4/2"] {
        assert!(format!("{name}(3)").parse::<Selection>().is_err(), "{name}");
    }
}

/// The rules read literally: an item decides for each provision whether it selects it.
fn naive(items: &[SelectionItem], outline: &Outline) -> Option<Vec<u32>> {
    use SelectionKind::{All, Clause, Figure, Id, Table, Term};
    let alike = |a: &str, b: &str| a.to_lowercase() == b.to_lowercase();
    let bearers = |item: &SelectionItem, name: &str| -> Vec<usize> {
        let of = |parts: Vec<(Option<&str>, &str)>| {
            let all: Vec<usize> = (0..parts.len()).collect();
            let number = |&at: &usize| item.kind != Id && parts[at].0.is_some_and(|n| alike(n, name));
            let numbered: Vec<usize> = all.iter().copied().filter(number).collect();
            let exact: Vec<usize> = all.iter().copied().filter(|&at| parts[at].1 == name).collect();
            let folded: Vec<usize> = all.iter().copied().filter(|&at| alike(parts[at].1, name)).collect();
            [numbered, exact, folded].into_iter().find(|way| !way.is_empty()).unwrap_or_default()
        };
        match item.kind {
            Figure => of(outline.figures().iter().map(|f| (f.number.as_deref(), f.id.as_str())).collect()),
            Table => of(outline.tables.iter().map(|t| (t.number.as_deref(), t.id.as_str())).collect()),
            Term => of(outline.terms.iter().map(|t| (t.number.as_deref(), t.id.as_str())).collect()),
            _ => of(outline.sections.iter().map(|s| (s.number.as_deref(), s.id.as_str())).collect()),
        }
    };
    let position = |provision: &OutlineProvision| {
        outline.provisions.iter().position(|other| other.id == provision.id).unwrap() as u32
    };
    let within =
        |item: &SelectionItem, first: usize, last: usize, provision: &OutlineProvision| match item.kind {
            Figure => {
                let figures = &outline.figures()[first..=last];
                figures.iter().any(|figure| figure.provisions.contains(&position(provision)))
            }
            Table => provision.table.is_some_and(|t| (first..=last).contains(&(t as usize))),
            Term => provision.terms.iter().any(|&t| (first..=last).contains(&(t as usize))),
            _ => (first..outline.sections[last].end as usize).contains(&(provision.section as usize)),
        };
    let own = |item: &SelectionItem, part: usize, provision: &OutlineProvision| match item.kind {
        Table | Figure | Term => within(item, part, part, provision),
        _ => provision.section as usize == part,
    };
    let means = |item: &SelectionItem, at: usize| -> Option<bool> {
        let provision = &outline.provisions[at];
        let exact = bearers(item, &item.name);
        if item.kind == All {
            return Some(true);
        }
        // The first provision with a label.
        let labelled = |name: &str, ordinal: u32| {
            let sections = bearers(item, name);
            sections.into_iter().find_map(|section| {
                let own = (0..outline.provisions.len())
                    .filter(|&at| outline.provisions[at].section as usize == section);
                own.clone().nth(ordinal as usize - 1)
            })
        };
        if let Some((name, ordinal)) = &item.to {
            let first = labelled(&item.name, item.ordinals.unwrap().0);
            let last = match ordinal {
                Some(ordinal) => labelled(name, *ordinal),
                None => bearers(item, name).last().map(|&section| {
                    let end = outline.sections[section].end as usize;
                    outline.provisions.iter().filter(|p| (p.section as usize) < end).count().wrapping_sub(1)
                }),
            };
            return match (first, last) {
                (Some(first), Some(last)) if last != usize::MAX && first <= last => {
                    Some((first..=last).contains(&at))
                }
                (Some(_), Some(_)) => None,
                _ => Some(false),
            };
        }
        if let Some((first, last)) = item.ordinals {
            let is_range = exact.is_empty() && item.kind == Clause && first == last;
            for (hyphen, _) in item.name.match_indices('-').filter(|_| is_range) {
                let sections = bearers(item, &item.name[..hyphen]);
                let to = bearers(item, &item.name[hyphen + 1..]);
                if let (Some(&from), Some(&to)) = (sections.first(), to.last()) {
                    let own = |p: &OutlineProvision| p.section as usize == to;
                    let end = (0..outline.provisions.len())
                        .filter(|&at| own(&outline.provisions[at]))
                        .nth(first as usize - 1);
                    let start = outline.provisions.iter().filter(|p| (p.section as usize) < from).count();
                    return if from > to {
                        None
                    } else {
                        Some(end.is_some_and(|end| (start..=end).contains(&at)))
                    };
                }
            }
            return Some(exact.iter().any(|&part| {
                let before = outline.provisions[..at].iter().filter(|p| own(item, part, p)).count() as u32;
                own(item, part, provision) && (first..=last).contains(&(before + 1))
            }));
        }
        if !exact.is_empty() {
            return Some(exact.iter().any(|&part| within(item, part, part, provision)));
        }
        if item.kind == Id {
            return Some(provision.id.to_string() == item.name);
        }
        for (hyphen, _) in item.name.match_indices('-') {
            let first = bearers(item, &item.name[..hyphen]);
            let last = bearers(item, &item.name[hyphen + 1..]);
            if let (Some(&first), Some(&last)) = (first.first(), last.last()) {
                return (first <= last).then(|| within(item, first, last, provision));
            }
        }
        Some(false)
    };
    let plus: Vec<&SelectionItem> = items.iter().filter(|item| !item.minus).collect();
    let minus: Vec<&SelectionItem> = items.iter().filter(|item| item.minus).collect();
    let mut chosen = Vec::new();
    for at in 0..outline.provisions.len() {
        let any = |items: &[&SelectionItem]| {
            items.iter().try_fold(false, |any, item| Some(means(item, at)? || any))
        };
        if (plus.is_empty() || any(&plus)?) & !any(&minus)? {
            chosen.push(at as u32);
        }
    }
    Some(chosen)
}

prop_compose! {
    fn any_outline()(shape in prop::collection::vec((0u16..3, 0usize..9, 0u32..4), 0..14)) -> Outline {
        let numbers = ["1", "2", "2.1", "2.1.1", "A", "A.1", "2-1", "-", "-"];
        let ids: Vec<String> = (0..shape.len()).map(|at| format!("s{at}")).collect();
        let mut level: u16 = 0;
        let sections: Vec<_> = shape
            .iter()
            .zip(&ids)
            .map(|(&(step, number, count), id)| {
                level = if step == 0 { (level + 1).min(4) } else { level.saturating_sub(step - 1).max(1) };
                (level, numbers[number], id.as_str(), count)
            })
            .collect();
        let outline = outline(&sections, &["1", "2", "A.1", "2-1"], &["3.1", "3.1.1", "3.2"]);
        let every = |step: usize| (0..outline.provisions.len() as u32).step_by(step).collect::<Vec<_>>();
        let figures = vec![figure("1", &every(3)), figure("A.1", &[]), figure("2", &every(4))];
        outline.with_figures(figures)
    }
}

fn any_selection() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "1", "2", "2.1", "2.1.1", "a", "A.1", "2-1", "3.1", "3.2", "s3", "S5", "tab_1", "9",
    ]);
    let item = (
        prop::bool::weighted(0.2),
        name.clone(),
        prop::option::of(name),
        prop::option::of((1u32..4, 0u32..3)),
    )
        .prop_map(|(minus, name, to, ordinals)| {
            let tail = match (to, ordinals) {
                (Some(to), Some((first, 0))) => format!("-{to}({first})"),
                (_, Some((first, more))) => format!("({first}-{})", first + more),
                (Some(to), None) => format!("-{to}"),
                (None, None) => String::new(),
            };
            format!("{}{name}{tail}", if minus { "!" } else { "" })
        });
    let kind = prop::sample::select(vec!["", "", "clause:", "table:", "figure:", "term:", "id:"]);
    let part = (kind, prop::collection::vec(item, 1..4))
        .prop_map(|(kind, items)| format!("{kind}{}", items.join(",")));
    let names = prop::sample::select(vec!["1", "2", "2.1", "2.1.1", "a", "A.1", "2-1", "s3", "9"]);
    let labels =
        (names.clone(), 1u32..4, names, prop::option::of(1u32..4)).prop_map(|(from, first, to, last)| {
            let last = last.map(|last| format!("({last})")).unwrap_or_default();
            format!("{from}({first})-{to}{last}")
        });
    prop::collection::vec(prop_oneof![9 => part, 2 => labels, 1 => Just("all".to_owned())], 1..4)
        .prop_map(|parts| parts.join(";"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn resolving_agrees_with_the_rules_read_literally(outline in any_outline(), text in any_selection()) {
        let selection: Selection = text.parse().map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        match (selection.resolve(&outline), naive(&selection.items, &outline)) {
            (Ok(matched), Some(chosen)) => {
                prop_assert_eq!(&matched.provisions, &chosen, "{}", text);
                prop_assert_eq!(matched.matched.len() + matched.unmatched.len(), selection.items.len());
            }
            (Ok(_), None) => prop_assert!(outline.provisions.is_empty(), "{} is reversed", text),
            (Err(refusal), _) => prop_assert!(refusal.reason.contains("reversed"), "{}", refusal),
        }
    }

    #[test]
    fn a_selection_reads_back_from_its_canonical_form(text in any_selection()) {
        let selection: Selection = text.parse().unwrap();
        let again: Selection = selection.to_string().parse().unwrap();
        prop_assert_eq!(again.to_string(), selection.to_string());
        let canonical = |s: &Selection| s.items.iter().map(SelectionItem::to_string).collect::<Vec<_>>();
        prop_assert_eq!(canonical(&again), canonical(&selection));
    }

    #[test]
    fn any_text_is_read_or_refused_at_one_of_its_characters(text in "[0-9a-zA-Z.,;:()!~_é -]{0,40}|\\PC{0,40}") {
        match text.parse::<Selection>() {
            Ok(selection) => {
                prop_assert!(selection.to_string().chars().count() <= text.chars().count());
                prop_assert_eq!(selection.to_string().parse(), Ok(selection.clone()));
                let _ = selection.resolve(&document());
            }
            Err(refusal) => prop_assert!(refusal.offset <= text.chars().count()),
        }
    }
}
