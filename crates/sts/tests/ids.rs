//! Tests of provision ids: their dependence on twelve kinds of edits of invented documents.

mod common;

use std::collections::BTreeSet;

use common::{document, read};
use proptest::prelude::*;

/// A sentence of a requirement, perhaps with a reference to a clause.
#[derive(Clone, Debug)]
struct Sentence {
    words: Vec<String>,
    verb: &'static str,
    reference: Option<(usize, Writing)>,
}

#[derive(Clone, Copy, Debug)]
enum Writing {
    Typed,
    Marked,
}

/// A clause with a label of its own where it is not counted.
#[derive(Clone, Debug)]
struct Clause {
    /// Stays when the clause moves, so that references find it.
    key: usize,
    title: String,
    label: Option<String>,
    sentences: Vec<Sentence>,
    items: Vec<Vec<String>>,
}

/// The layout of a document, apart from its words.
#[derive(Clone, Copy, Debug)]
struct Style {
    id: &'static str,
    space: &'static str,
    emphasis: bool,
    colon: &'static str,
}

const PLAIN: Style = Style { id: "x", space: " ", emphasis: false, colon: ":" };

fn labels(clauses: &[Clause]) -> Vec<(usize, String)> {
    let mut number = 0;
    clauses
        .iter()
        .map(|clause| {
            let label = clause.label.clone().unwrap_or_else(|| {
                number += 1;
                number.to_string()
            });
            (clause.key, label)
        })
        .collect()
}

fn write(clauses: &[Clause], style: Style) -> String {
    let Style { id, space, emphasis, colon } = style;
    let labels = labels(clauses);
    let words = |words: &[String]| {
        let written = words.iter().enumerate().map(|(at, word)| match emphasis && at % 2 == 1 {
            true => format!("<bold>{word}</bold>"),
            false => word.clone(),
        });
        written.collect::<Vec<_>>().join(space)
    };
    // Enough to detect the language of the text.
    let mut body = "<sec><title>General</title><p>The text that follows describes how the pegs and the boxes of this family are \
        made, and how they are used in the workshop and at home.</p></sec>"
        .to_owned();
    for (clause, (key, label)) in clauses.iter().zip(&labels) {
        body += &format!("<sec id='{id}{key}'><label>{label}</label><title>{}</title>", clause.title);
        for sentence in &clause.sentences {
            let reference = sentence.reference.map(|(key, writing)| {
                let label = &labels.iter().find(|(k, _)| *k == key).expect("a label of each key").1;
                match writing {
                    Writing::Typed => format!(",{space}see{space}Clause{space}{label}"),
                    Writing::Marked => format!(",{space}see{space}<xref rid='{id}{key}'>{label}</xref>"),
                }
            });
            let reference = reference.unwrap_or_default();
            body += &format!(
                "<p>The{space}{}{space}peg{space}{}{space}hold{space}the{space}box{reference}.</p>",
                words(&sentence.words),
                sentence.verb
            );
        }
        if !clause.items.is_empty() {
            body +=
                &format!("<p>Each{space}{}{space}box{space}shall{space}have{colon}</p><list>", clause.title);
            for (at, item) in clause.items.iter().enumerate() {
                let end = if at + 1 == clause.items.len() { "." } else { ";" };
                body +=
                    &format!("<list-item><p>a{space}peg{space}of{space}{}{end}</p></list-item>", words(item));
            }
            body += "</list>";
        }
        body += "</sec>";
    }
    document(&body)
}

fn ids(clauses: &[Clause], style: Style) -> BTreeSet<String> {
    let edition = read(&write(clauses, style)).edition;
    let wanted: usize = clauses.iter().map(|c| c.sentences.len() + c.items.len()).sum();
    let ids: BTreeSet<String> = edition.provisions.iter().map(|p| p.id.to_string()).collect();
    assert_eq!((edition.provisions.len(), ids.len()), (wanted, wanted), "{:?}", edition.provisions);
    ids
}

/// Words that are no verbal form, no unit and no reference.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "brown", "copper", "heavy", "little", "steel", "wooden", "round", "narrow", "green", "silver",
        "painted", "folded", "smooth", "square", "yellow", "polished", "hollow", "curved", "simple",
        "common", "modern", "winter", "summer", "garden", "kitchen",
    ];
    prop::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn sentences(clauses: usize) -> impl Strategy<Value = Vec<Sentence>> {
    let writing = prop_oneof![Just(Writing::Typed), Just(Writing::Marked)];
    let reference = prop::option::of((0..clauses, writing));
    let sentence = (prop::collection::vec(word(), 2..6), reference).prop_map(|(words, reference)| Sentence {
        words,
        verb: "shall",
        reference,
    });
    prop::collection::vec(sentence, 1..4)
}

fn documents() -> impl Strategy<Value = Vec<Clause>> {
    (2usize..5).prop_flat_map(|count| {
        let clause =
            (word(), sentences(count), prop::collection::vec(prop::collection::vec(word(), 2..4), 2..4));
        prop::collection::vec(clause, count).prop_map(|clauses| {
            let clauses = clauses.into_iter().enumerate();
            clauses
                .map(|(key, (title, sentences, items))| Clause { key, title, label: None, sentences, items })
                .collect()
        })
    })
}

fn new_clause(clauses: &[Clause], label: Option<&str>) -> Clause {
    let sentence = Sentence { words: vec!["new".into(), "thing".into()], verb: "shall", reference: None };
    Clause {
        key: clauses.len(),
        title: "newest".into(),
        label: label.map(str::to_owned),
        sentences: vec![sentence],
        items: Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn edits_change_the_ids_of_what_they_change(clauses in documents(), at in any::<prop::sample::Index>()) {
        let before = ids(&clauses, PLAIN);
        let change = |edit: &dyn Fn(&mut Vec<Clause>)| {
            let mut clauses = clauses.clone();
            edit(&mut clauses);
            ids(&clauses, PLAIN)
        };
        let at = at.index(clauses.len());
        let next = (at + 1) % clauses.len();

        prop_assert_eq!(&ids(&clauses, PLAIN), &before, "no edit");
        prop_assert_eq!(&ids(&clauses, Style { emphasis: true, ..PLAIN }), &before, "emphasis");
        for space in ["  ", "\n   ", "\u{a0}"] {
            prop_assert_eq!(&ids(&clauses, Style { space, ..PLAIN }), &before, "spaces");
        }
        prop_assert_eq!(&ids(&clauses, Style { id: "made_anew_", ..PLAIN }), &before, "element ids");
        for colon in ["", " :", "\u{a0}:"] {
            prop_assert_eq!(&ids(&clauses, Style { colon, ..PLAIN }), &before, "punctuation of the lead-in");
        }
        let moved = change(&|clauses| {
            let sentence = clauses[at].sentences.remove(0);
            clauses[next].sentences.push(sentence);
        });
        prop_assert_eq!(&moved, &before, "a sentence in another clause");
        for label in [None, Some("1bis")] {
            let inserted = change(&|clauses| clauses.insert(at, new_clause(clauses, label)));
            prop_assert!(inserted.is_superset(&before), "a clause inserted, label {label:?}");
            prop_assert_eq!(inserted.len(), before.len() + 1);
        }
        for (what, edited) in [
            ("a typo", change(&|clauses| clauses[at].sentences[0].words[0].push('t'))),
            ("another verb", change(&|clauses| clauses[at].sentences[0].verb = "should")),
        ] {
            prop_assert_eq!(edited.intersection(&before).count(), before.len() - 1, "{}", what);
        }
        prop_assert_eq!(&change(&|clauses| clauses[at].items.swap(0, 1)), &before, "items swapped");
        let removed = change(&|clauses| {
            clauses[at].items.pop();
        });
        prop_assert!(removed.is_subset(&before) && removed.len() == before.len() - 1, "an item removed");
        for index in [at, next] {
            let twin = change(&|clauses| {
                let twin = clauses[at].sentences[0].clone();
                clauses[index].sentences.insert(0, twin);
            });
            prop_assert!(twin.is_superset(&before) && twin.len() == before.len() + 1, "a twin inserted");
        }
    }
}

/// The id of the only provision of a sentence in a document with Tables 1 (Loads) and 2 (Forces).
fn id(sentence: &str) -> String {
    let table = |n: u8, title: &str| {
        format!(
            "<table-wrap id='t{n}'><label>Table {n}</label><caption><title>{title}</title></caption>\
             <table><tr><td>x</td></tr></table></table-wrap>"
        )
    };
    let body = format!(
        "<sec id='s1'><label>1</label><p>{sentence}</p>{}{}<disp-formula id='q1'><tex-math>x</tex-math><label>(1)</label>\
         </disp-formula></sec>",
        table(1, "Loads"),
        table(2, "Forces")
    );
    let edition = read(&document(&body)).edition;
    assert_eq!(edition.provisions.len(), 1, "{sentence}");
    edition.provisions[0].id.to_string()
}

#[test]
fn a_reference_enters_an_id_as_kind_and_title_and_a_citation_as_designation() {
    for same in [
        &[
            "It shall carry Table 1.",
            "it shall carry Table 1",
            "It shall carry <xref rid='t1'>Table 1</xref>.",
            "It shall carry Table <xref rid='t1'>1</xref>.",
        ][..],
        &[
            "It shall satisfy Formula (1).",
            "It shall satisfy <xref ref-type='disp-formula' rid='q1'>(7)</xref>.",
        ],
        &[
            "It shall carry ISO 712:2009, 6.2.",
            "It shall carry 6.2 of ISO 712:2009.",
            "It shall carry ISO 712:2009, Clause 6.2.",
            "It shall carry <std><std-ref>ISO 712:2009</std-ref></std>, 6.2.",
        ],
        &["It shall carry Table 9.", "It shall carry Table 9"],
    ] {
        let ids: BTreeSet<String> = same.iter().map(|sentence| id(sentence)).collect();
        assert_eq!(ids.len(), 1, "{same:?}");
    }
    let different = [
        "It shall carry Table 1.",
        "It shall carry Table 2.",
        "It shall carry Table 8.",
        "It shall carry Table 9.",
        "It shall carry ISO 712:2009, 6.2.",
        "It shall carry ISO 712:2009, 6.3.",
        "It shall carry ISO 712:2009.",
        "It shall carry ISO 712.",
        "It shall carry ISO 713.",
    ];
    assert_eq!(different.map(id).into_iter().collect::<BTreeSet<_>>().len(), different.len());
}
