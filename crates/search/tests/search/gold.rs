//! Queries with judgements of what a reader looks for. Lines with a star were not looked at while the order
//! was made; they only measure it.

use std::collections::BTreeMap;

use norma_model::{Lang, PartialUrn, ProvisionKind};
use norma_search::{LanguageText, TextQuery, UnitFilter, UnitKind, excerpt};

use crate::index::{TestEdition, TestKey, TestScope, TestUnit, first_page, open};

const DOCUMENTS: &str = include_str!("gold/documents.txt");
const QUERIES: &str = include_str!("gold/queries.txt");
/// Hits among which a judged unit counts as found.
const WITHIN: usize = 10;

fn columns(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

fn editions() -> Vec<TestEdition> {
    let mut editions: Vec<TestEdition> = Vec::new();
    for line in
        DOCUMENTS.lines().filter(|line| !line.starts_with('#') && line.as_bytes().get(1) == Some(&b' '))
    {
        let (sign, rest) = line.split_at(2);
        let columns = columns(rest);
        if sign == "= " {
            let [reference, language, status, date, title] = columns[..] else { panic!("{line}") };
            let citation = PartialUrn::from_reference(reference).unwrap();
            let unit = TestUnit {
                kind: UnitKind::Standard,
                provision: None,
                normative: None,
                keys: vec![reference.to_owned(), citation.undated.clone()],
                title: title.to_owned(),
                text: reference.to_owned(),
                context: String::new(),
            };
            editions.push(TestEdition {
                key: TestKey {
                    in_force: status == "published",
                    date: date.to_owned(),
                    reference: reference.to_owned(),
                    urn: reference.to_owned(),
                },
                document_urn: citation.urn.document_urn().to_owned(),
                language: language.parse().unwrap(),
                units: vec![unit],
            });
            continue;
        }
        let (kind, title, text) = match (sign, &columns[1..]) {
            ("s ", [title]) => (UnitKind::Section, *title, ""),
            ("p ", [text]) => (UnitKind::Provision, "", *text),
            ("t ", [title, text]) => (UnitKind::Term, *title, *text),
            ("b ", [title, text]) => (UnitKind::Table, *title, *text),
            _ => panic!("{line}"),
        };
        editions.last_mut().unwrap().units.push(TestUnit {
            kind,
            provision: (kind == UnitKind::Provision).then_some(ProvisionKind::Requirement),
            normative: Some(true),
            keys: vec![columns[0].to_owned()],
            title: title.to_owned(),
            text: text.to_owned(),
            context: String::new(),
        });
    }
    assert!(editions.len() >= 10);
    editions
}

/// `NSB 4210:2024 4.2(1)`: the reference and the label.
fn name(edition: &TestEdition, position: u32) -> String {
    let unit = &edition.units[position as usize];
    let label = if unit.kind == UnitKind::Standard { "-" } else { &unit.keys[0] };
    format!("{} {label}", edition.key.reference)
}

#[derive(Default)]
struct Measured {
    queries: f64,
    recall: f64,
    first: f64,
}

#[test]
fn judged_units_are_found_and_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = open(folder.path());
    let editions = editions();
    for (edition, slot) in editions.iter().zip(0..) {
        edition.add_to(&mut index, slot);
    }
    index.commit("1").unwrap();
    let keys: Vec<TestKey> = editions.iter().map(|edition| edition.key.clone()).collect();
    let scope = TestScope::readable(0..editions.len() as u32, &keys);
    let mut measured: BTreeMap<&str, Measured> = BTreeMap::new();
    let mut missed = Vec::new();
    for line in QUERIES.lines().filter(|line| !line.starts_with('#')) {
        let [kind, text, judged] = columns(line)[..] else { panic!("{line}") };
        let relevant: Vec<&str> = judged.split(';').map(str::trim).collect();
        let query = TextQuery::parse(text, None, 32).unwrap();
        let found =
            index.reader().search(&query, &scope, &UnitFilter::default(), &first_page(WITHIN)).unwrap();
        let hits: Vec<String> =
            found.hits.iter().map(|hit| name(&editions[hit.slot as usize], hit.position)).collect();
        for hit in &found.hits {
            highlights_are_words(&editions[hit.slot as usize], hit.position, &query);
        }
        let recall = relevant.iter().filter(|name| hits.iter().any(|hit| hit == *name)).count() as f64
            / relevant.len() as f64;
        let first = hits.first().is_some_and(|hit| relevant.contains(&hit.as_str()));
        if recall < 1.0 || !first {
            missed.push(format!("{line}\n    found {hits:?}"));
        }
        let only_measures = kind.ends_with('*');
        for group in
            [kind.trim_end_matches('*'), if only_measures { "(measuring only)" } else { "(all others)" }]
        {
            let of = measured.entry(group).or_default();
            of.queries += 1.0;
            of.recall += recall;
            of.first += f64::from(u8::from(first));
        }
    }
    for (kind, of) in &measured {
        let (recall, first) = (of.recall / of.queries, of.first / of.queries);
        println!("{kind}: {} queries, recall@{WITHIN} {recall:.3}, first right {first:.3}", of.queries);
    }
    println!("{}", missed.join("\n"));
    let measuring = &measured["(measuring only)"];
    assert_eq!(measuring.queries, 20.0);
    assert!(measuring.recall / measuring.queries >= 0.95, "{}", missed.join("\n"));
    assert!(measuring.first / measuring.queries >= 0.8, "{}", missed.join("\n"));
}

/// Highlights are within the text, and are whole words.
fn highlights_are_words(edition: &TestEdition, position: u32, query: &TextQuery) {
    let unit = &edition.units[position as usize];
    let found = excerpt(&[LanguageText::new(unit.text.as_str(), &edition.language)], query);
    let characters: Vec<char> = found.text.chars().collect();
    for (start, end) in found.highlights {
        let word = &characters[start as usize..end as usize];
        assert!(word.iter().any(|c| c.is_alphanumeric()), "{word:?}");
        let before = (start as usize).checked_sub(1).map(|at| characters[at]);
        let is_inside = before.is_some_and(char::is_alphabetic) && word[0].is_alphabetic();
        assert!(!is_inside, "{word:?} begins within a word of {}", found.text);
    }
}

#[test]
fn an_excerpt_of_a_long_text_has_what_was_found() {
    let text = format!("{} pull-out force {}", "soil ".repeat(200), "sand ".repeat(200));
    let query = TextQuery::parse("pull-out forces", None, 32).unwrap();
    let found = excerpt(&[LanguageText::new(text.as_str(), &Lang::en())], &query);
    assert_eq!(found.text.chars().count(), 300);
    let words = |(start, end): &(u32, u32)| {
        found.text.chars().skip(*start as usize).take((end - start) as usize).collect::<String>()
    };
    let words: Vec<String> = found.highlights.iter().map(words).collect();
    assert_eq!(words, ["pull-out", "force"]);
    for (words, highlights) in [(20_000, 1), (60_000, 0)] {
        let text = format!("{}pull-out forces", "soil ".repeat(words));
        let found = excerpt(&[LanguageText::new(text.as_str(), &Lang::en())], &query);
        assert_eq!(found.highlights.len(), 2 * highlights, "behind {words} words");
    }
}
