//! The measured facets: changes of one sentence, in `crates/compare/tests/changes`, each with the facets
//! expected. A line of `*.jsonl` has the sentence before and after, and in `around` what the document holds
//! elsewhere on both sides. A facet `references` is followed by its kind. `templates*.txt` has sentences with
//! slots, which are filled here.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use common::templates::{self, expect_shares, filled};
use norma_compare::{Facet, ReferenceChangeKind, UnitRelation, Units, compare};
use norma_sts::{ExtractionOptions, extract};
use serde_json::Value;

/// A change of one sentence.
struct Line {
    id: String,
    class: String,
    language: String,
    sentences: [String; 2],
    /// Other content of the documents.
    around: [String; 2],
    facets: BTreeSet<String>,
}

impl Line {
    fn parse(line: &str) -> Self {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Self {
            id: text(&line["id"]),
            class: text(&line["class"]),
            language: text(&line["language"]),
            sentences: [text(&line["older"]), text(&line["newer"])],
            around: [text(&line["around"]["older"]), text(&line["around"]["newer"])],
            facets: line["facets"].as_array().unwrap().iter().map(text).collect(),
        }
    }
}

/// A document with a sentence in clause 4.
fn document(language: &str, sentence: &str, around: &str, edition: u8) -> String {
    let [annex, table] = match language {
        "de" => ["Anhang", "Tabelle"],
        "fr" => ["Annexe", "Tableau"],
        _ => ["Annex", "Table"],
    };
    let around_if =
        |starts: &[&str]| if starts.iter().any(|start| around.starts_with(start)) { around } else { "" };
    let sentence = sentence.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let tables: String = ["1", "2"]
        .map(|n| {
            format!(
                "<table-wrap id=\"tab_{n}\"><label>{table} {n}</label><table><tbody><tr><td>size {n}</td><td>{n}{n}</td></tr></tbody></table></table-wrap>"
            )
        })
        .concat();
    let apps: String = ["A", "B"]
        .map(|n| {
            format!(
                "<app id=\"sec_{n}\"><label>{annex} {n}</label><annex-type>(normative)</annex-type><title>Topic {n}</title><p>Words of {n}.</p></app>"
            )
        })
        .concat();
    format!(
        "<standard xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:mml=\"http://www.w3.org/1998/Math/MathML\" xmlns:tbx=\"urn:iso:std:iso:30042:ed-1\">\
         <front><std-meta><title-wrap xml:lang=\"{language}\"><main>Yard</main><full>Yard</full></title-wrap>\
         <std-ident><originator>NSB</originator><doc-type>is</doc-type><doc-number>4711</doc-number><edition>{edition}</edition></std-ident>\
         <content-language>{language}</content-language><std-ref type=\"dated\">NSB 4711:201{edition}</std-ref></std-meta></front>\
         <body>{}<sec id=\"sec_4\"><label>4</label><title>Rules</title><p>{sentence}</p></sec>\
         <sec id=\"sec_6\"><label>6</label><title>Methods</title><sec id=\"sec_6.1\"><label>6.1</label><title>First method</title><p>Words.</p></sec>\
         <sec id=\"sec_6.2\"><label>6.2</label><title>Second method</title><p>Other words.</p></sec></sec>\
         <sec id=\"sec_7\"><label>7</label><title>Figures</title><p>Words.</p>{tables}{}</sec>{}</body>\
         <back><app-group>{apps}{}</app-group>{}</back></standard>",
        match around_if(&["<term-sec"]) {
            "" => String::new(),
            terms => format!(
                "<sec id=\"sec_3\" sec-type=\"terms\"><label>3</label><title>Terms and definitions</title>{terms}</sec>"
            ),
        },
        around_if(&["<table-wrap", "<fig", "<disp-formula"]),
        around_if(&["<sec"]),
        around_if(&["<app"]),
        around_if(&["<ref-list"]),
    )
}

fn units(language: &str, sentence: &str, around: &str, edition: u8) -> Units {
    let source = document(language, sentence, around, edition);
    let extraction = extract(source.as_bytes(), &ExtractionOptions::default()).unwrap();
    Units::from(&*extraction.edition).in_language(&language.parse().unwrap())
}

/// The facets of the pairs in clause 4.
fn facets(line: &Line) -> BTreeSet<String> {
    let Line { language, sentences: [older, newer], around, .. } = line;
    let (a, b) = (units(language, older, &around[0], 1), units(language, newer, &around[1], 2));
    let found = compare(&a, &b);
    let in_clause =
        |units: &Units, unit: usize| units.sections[units.units[unit].section].number.as_deref() == Some("4");
    let links: Vec<_> =
        found.links.iter().filter(|l| in_clause(&a, l.older) && in_clause(&b, l.newer)).collect();
    if links.is_empty() {
        return ["no pair".to_owned()].into();
    }
    let mut names = BTreeSet::new();
    for link in links {
        for facet in link.facets.kinds() {
            match facet {
                Facet::References => {
                    let kinds = link.facets.references.iter().map(|change| change.kind);
                    names.extend(
                        kinds
                            .filter(|kind| *kind != ReferenceChangeKind::Undated)
                            .map(|kind| format!("references:{kind:?}").to_lowercase()),
                    );
                }
                _ => _ = names.insert(facet.name().to_owned()),
            }
        }
    }
    names
}

/// Numbers of facets by class: found and correct, found, and correct.
fn measured(file: &str) -> BTreeMap<String, [usize; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../compare/tests/changes").join(file);
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let line = Line::parse(line);
        let found = facets(&line);
        let right = found.intersection(&line.facets).count();
        let count = counts.entry(line.class.clone()).or_default();
        for (sum, one) in count.iter_mut().zip([right, found.len(), line.facets.len()]) {
            *sum += one;
        }
        if found != line.facets {
            println!(
                "{}: expected {:?}, found {found:?}: {} | {}",
                line.id, line.facets, line.sentences[0], line.sentences[1]
            );
        }
    }
    counts
}

/// Precision and recall of all classes.
fn share(counts: &BTreeMap<String, [usize; 3]>) -> (f64, f64) {
    let [right, found, expected] =
        counts.values().fold([0; 3], |sum, one| [0, 1, 2].map(|at| sum[at] + one[at]));
    (right as f64 / found as f64, right as f64 / expected as f64)
}

#[test]
fn changes_of_one_sentence_have_the_facets_that_a_reader_expects() {
    for (file, precision, recall) in [("open.jsonl", 0.98, 0.98), ("kept.jsonl", 0.98, 0.95)] {
        let counts = measured(file);
        let (p, r) = share(&counts);
        println!("{file}: precision {p:.3}, recall {r:.3}; right, found, expected by class {counts:?}");
        assert!(p >= precision && r >= recall, "{file}: {p:.3}, {r:.3}");
    }
}

/// Words for the slots of the templates, by language.
fn words(language: &str, slot: &str) -> &'static [&'static str] {
    match (language, slot) {
        ("en", "count") => {
            &["twenty-four", "thirty-six", "forty", "ninety-one", "two hundred", "one hundred and fifty"]
        }
        ("de", "count") => &[
            "vierundzwanzig",
            "sechsunddreißig",
            "vierzig",
            "einundneunzig",
            "zweihundert",
            "hundertfünfzig",
        ],
        ("fr", "count") => {
            &["vingt-quatre", "trente-six", "quarante", "quatre-vingt-onze", "deux cents", "cent cinquante"]
        }
        ("en", "frequency") => &["daily", "weekly", "monthly", "annually"],
        ("de", "frequency") => &["täglich", "wöchentlich", "monatlich", "jährlich"],
        ("en", "british") => {
            &["centre pin", "grey cover", "galvanised bolt", "colour mark", "labelled crate", "aluminium rim"]
        }
        ("en", "american") => {
            &["center pin", "gray cover", "galvanized bolt", "color mark", "labeled crate", "aluminum rim"]
        }
        _ => templates::words(language, slot),
    }
}

/// What a comparison says of the only pair: the facets, or `=` alone where the provision is the same.
fn said(language: &str, sentences: &[String; 2]) -> BTreeSet<String> {
    let (a, b) = (units(language, &sentences[0], "", 1), units(language, &sentences[1], "", 2));
    let found = compare(&a, &b);
    let [link] = &found.links[..] else { return [format!("{} pairs", found.links.len())].into() };
    let mut said: BTreeSet<String> =
        link.facets.kinds().into_iter().map(|facet| facet.name().to_owned()).collect();
    if link.relation == UnitRelation::Same {
        said.insert("=".into());
    }
    said
}

/// Sentences of the templates of a file that are said rightly, and all of them; prints the others.
fn generated(file: &str) -> BTreeMap<String, [usize; 2]> {
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for template in templates::templates(file) {
        let [kind, language, older, newer, facets] = template.split('|').collect::<Vec<_>>()[..] else {
            panic!("expected five columns, found `{template}`")
        };
        let expected: BTreeSet<String> =
            facets.split(',').filter(|facet| !facet.is_empty()).map(str::to_owned).collect();
        for round in 0..6 {
            let sentences =
                [older, newer].map(|sentence| filled(sentence, round, |slot| words(language, slot)));
            let found = said(language, &sentences);
            let [older, newer] = &sentences;
            let exchanged = said(language, &[newer.clone(), older.clone()]);
            assert_eq!(exchanged, found, "exchanged: {older} | {newer}");
            let count = counts.entry(kind.to_owned()).or_default();
            count[0] += usize::from(found == expected);
            count[1] += 1;
            if found != expected {
                println!(
                    "{kind}: expected {expected:?}, found {found:?}: {} | {}",
                    sentences[0], sentences[1]
                );
            }
        }
    }
    counts
}

#[test]
fn generated_changes_of_one_sentence_have_the_facets_of_their_template() {
    expect_shares([("templates.txt", 0.98), ("templates-kept.txt", 0.95)], generated);
}

#[test]
fn a_sentence_that_was_joined_of_two_or_parted_in_two_leaves_none_of_them_alone() {
    for (language, halves, whole) in [
        (
            "en",
            "The signalman shall raise the green lamp. The signalman shall dim the green lamp at dawn.",
            "The signalman shall raise the green lamp and dim the green lamp at dawn.",
        ),
        (
            "en",
            "The hopper shall be emptied each evening. The hopper shall be dried before the next filling.",
            "The hopper shall be emptied each evening and shall be dried before the next filling.",
        ),
        (
            "de",
            "Der Schieber muss vor der Wartung geschlossen werden. Der Schieber muss nach der Wartung mit Öl geschmiert werden.",
            "Der Schieber muss vor der Wartung geschlossen und nach der Wartung mit Öl geschmiert werden.",
        ),
        (
            "fr",
            "Le silo doit être vidé en automne. Le silo doit être séché en hiver avec de l'air chaud.",
            "Le silo doit être vidé en automne et doit être séché en hiver avec de l'air chaud.",
        ),
    ] {
        let (two, one) = (units(language, halves, "", 1), units(language, whole, "", 2));
        let merged = compare(&two, &one);
        assert_eq!((merged.links.len(), merged.older_unmatched.len()), (2, 0), "{whole}");
        assert!(merged.links.iter().any(|link| link.relation == UnitRelation::Merged), "{whole}");
        let split = compare(&one, &two);
        assert_eq!((split.links.len(), split.newer_unmatched.len()), (2, 0), "{whole}");
        assert!(split.links.iter().any(|link| link.relation == UnitRelation::Split), "{whole}");
    }
    // A sentence that only has the same subject is not a part of it.
    let older = "The signalman shall raise the green lamp. The signalman shall wear a blue jacket in winter.";
    let newer = "The signalman shall raise the green lamp at dawn.";
    let found = compare(&units("en", older, "", 1), &units("en", newer, "", 2));
    assert_eq!((found.links.len(), found.older_unmatched.len()), (1, 1));
}
