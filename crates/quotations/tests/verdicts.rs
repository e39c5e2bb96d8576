//! Verdicts on single quotations, each sentence of the contract by an example.

#![allow(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

use norma_compare::{ComparisonUnit, find};
use norma_model::Lang;
use norma_provisions::read_sentence;
use norma_quotations::{
    CandidateUnit, CriticalChange, CriticalOmission, InvalidQuotation, Omission, PreparedUnit, Quotation,
    QuotationVerdict, WordChange, verify,
};

/// A provision with the anatomy that the project reads in it.
fn provision(code: &str, lead_in: Option<&str>, text: &str, form: &str) -> (ComparisonUnit, Lang) {
    let language: Lang = code.parse().unwrap();
    let (quantities, conditions) = read_sentence(text, &language);
    let unit = ComparisonUnit {
        text: text.into(),
        lead_in: lead_in.map(Into::into),
        verbal_form: find(text, lead_in, form),
        quantities,
        conditions,
        ..ComparisonUnit::default()
    };
    (unit, language)
}

fn verdict_of(units: &[(ComparisonUnit, Lang)], quoted: &str) -> QuotationVerdict {
    let prepared: Vec<PreparedUnit<'_>> = units
        .iter()
        .enumerate()
        .map(|(index, (unit, language))| {
            PreparedUnit::new(CandidateUnit::of_provision(unit, index, language))
        })
        .collect();
    verify(&Quotation::new(quoted).unwrap(), &prepared)
}

fn english(text: &str, quoted: &str) -> QuotationVerdict {
    verdict_of(&[provision("en", None, text, "shall")], quoted)
}

fn omissions(verdict: QuotationVerdict) -> Vec<(String, Vec<CriticalOmission>)> {
    let QuotationVerdict::Partial { omissions, .. } = verdict else { panic!("{verdict:?}") };
    omissions.into_iter().map(|Omission { text, critical }| (text, critical)).collect()
}

fn changes(verdict: QuotationVerdict) -> Vec<(String, String, Option<CriticalChange>)> {
    let QuotationVerdict::Altered { changes, .. } = verdict else { panic!("{verdict:?}") };
    changes.into_iter().map(|WordChange { quoted, actual, critical }| (quoted, actual, critical)).collect()
}

#[test]
fn the_very_text_is_exact_and_typography_is_normalised() {
    let text = "The MTTF_d of a non-return valve shall be ≥ 5 m^2, see release^1.";
    assert_eq!(english(text, text), QuotationVerdict::Exact { units: vec![0] });
    for quoted in [
        "The MTTFd of a non-return valve shall be ≥ 5 m², see release¹.",
        "the MTTF d of a non-return valve shall be >= 5 m2, see release",
        "“The MTTF_d of a non‐return valve shall be ≥\u{a0}5\u{2009}m^2, see release 1)”",
        "4.2 The MTTFd of a non-\nreturn valve shall\n be ≥ 5 m², see re-\nlease.",
        "a) The MTTFd of a nonreturn valve shall be ≥ 5 m², see re\u{ad}lease1",
        "NOTE 1 The MTTFd of a non-return valve shall be ≥ 5 m²; see release.",
    ] {
        assert_eq!(english(text, quoted), QuotationVerdict::Normalised { units: vec![0] }, "{quoted}");
    }
}

#[test]
fn what_is_left_out_is_critical_where_the_provision_says_something_else_without_it() {
    let text = "If it is wet, the locking point shall not be fastened by a thread, unless the keeper agrees.";
    use CriticalOmission::{Condition, Exception, Negation, VerbalForm};
    for (quoted, expected) in [
        (
            "If it is wet, the locking point shall […] be fastened by a thread, unless the keeper agrees",
            vec![Negation],
        ),
        ("If it is wet, the locking point shall not be fastened by a thread", vec![Exception]),
        ("the locking point shall not be fastened by a thread, unless the keeper agrees.", vec![Condition]),
        (
            "If it is wet, the locking point ... be fastened by a thread, unless the keeper agrees.",
            vec![Negation, VerbalForm],
        ),
        ("If it is wet, the locking point shall not be fastened (…), unless the keeper agrees.", vec![]),
    ] {
        let found = omissions(english(text, quoted));
        assert_eq!(found.len(), 1, "{quoted}: {found:?}");
        assert_eq!(found[0].1, expected, "{quoted}: {found:?}");
    }
    let found = omissions(english(
        "The rope shall hold a load of at least 5 kN on the hook.",
        "The rope shall hold a load … on the hook.",
    ));
    assert_eq!(found, [("of at least 5 kN".to_owned(), vec![CriticalOmission::Limit])]);
}

#[test]
fn an_item_without_its_lead_in_is_partial() {
    let item = provision("en", Some("The keeper shall not:"), "open the sluice at night;", "shall not");
    let units = [item];
    let found = omissions(verdict_of(&units, "open the sluice at night"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "The keeper shall not");
    assert!(
        found[0].1.contains(&CriticalOmission::LeadIn) && found[0].1.contains(&CriticalOmission::Negation)
    );
    for quoted in [
        "The keeper shall not: open the sluice at night",
        "The keeper shall not:\n  b) open the sluice at night;",
        "The keeper shall not: […] (c) open the sluice at night.",
    ] {
        assert_eq!(verdict_of(&units, quoted), QuotationVerdict::Normalised { units: vec![0] }, "{quoted}");
    }
}

#[test]
fn words_that_differ_are_named_with_why_they_matter() {
    let text = "The lid of type A shall not weigh more than 1 500 g according to Table 3.";
    use CriticalChange::{Comparator, Negation, Number, Reference, Unit, Verb};
    for (from, to, expected) in [
        ("shall", "should", ("should", "shall", Some(Verb))),
        ("not ", "", ("", "not", Some(Negation))),
        ("1 500", "1 600", ("1 600", "1 500", Some(Number))),
        (" g ", " kg ", ("kg", "g", Some(Unit))),
        ("more", "less", ("less", "more", Some(Comparator))),
        ("Table 3", "Table 4", ("4", "3", Some(Reference))),
        ("lid", "box", ("box", "lid", None)),
    ] {
        let found = changes(english(text, &text.replace(from, to)));
        let (quoted, actual, critical) = expected;
        assert_eq!(found, [(quoted.to_owned(), actual.to_owned(), critical)], "{to}");
    }
    // A decimal comma is a point in German, and not in English.
    let german = [provision("de", None, "Die Masse muss 0,5 kg betragen.", "muss")];
    let verdict = verdict_of(&german, "Die Masse muss 0.5 kg betragen.");
    assert_eq!(verdict, QuotationVerdict::Normalised { units: vec![0] });
    let found = changes(english("The mass shall be 0,5 kg.", "The mass shall be 0.5 kg."));
    assert_eq!(found, [("0.5".to_owned(), "0,5".to_owned(), Some(Number))]);
    // The digits of a power are not those of a number.
    let found = changes(english("The count shall be 10^3 units.", "The count shall be 103 units."));
    assert_eq!(found, [("103".to_owned(), "10^3".to_owned(), Some(Number))]);
}

#[test]
fn an_ellipsis_joins_pieces_of_one_provision_in_their_order() {
    let units = [
        provision("en", None, "The hatch shall be closed at noon by the keeper.", "shall"),
        provision("en", None, "The bell shall be rung in the evening by a child.", "shall"),
    ];
    let found = omissions(verdict_of(&units, "The hatch shall be closed […] by the keeper."));
    assert_eq!(found, [("at noon".to_owned(), vec![])]);
    for quoted in [
        "The hatch shall be closed […] in the evening by a child.",
        "by the keeper […] The hatch shall be closed at noon",
        "The hatch shall be closed in the evening by a child.",
    ] {
        let verdict = verdict_of(&units, quoted);
        assert!(
            matches!(verdict, QuotationVerdict::Altered { .. } | QuotationVerdict::Absent),
            "{verdict:?}"
        );
    }
    assert_eq!(verdict_of(&units, "Nobody paints a harbour on Sundays"), QuotationVerdict::Absent);
}

#[test]
fn a_quotation_may_run_over_adjacent_provisions() {
    let units = [
        provision("en", None, "The hatch shall be closed at noon by the keeper.", "shall"),
        provision("en", None, "The bell shall be rung in the evening by a child.", "shall"),
        provision("en", None, "The rope shall be dry before it is wound.", "shall"),
    ];
    let both =
        "The hatch shall be closed at noon by the keeper. The bell shall be rung in the evening by a child.";
    assert_eq!(verdict_of(&units, both), QuotationVerdict::Exact { units: vec![0, 1] });
    let QuotationVerdict::Altered { units: named, changes, .. } =
        verdict_of(&units, &both.replace("noon", "night"))
    else {
        panic!()
    };
    assert_eq!((named, changes.len()), (vec![0, 1], 1));
    let apart = "The hatch shall be closed at noon by the keeper. The rope shall be dry before it is wound.";
    assert!(!matches!(
        verdict_of(&units, apart),
        QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. }
    ));
}

#[test]
fn of_a_running_text_the_sentences_that_are_quoted_count() {
    let english = Lang::en();
    let text = "Ropes age. A rope that was wet is weaker. Sheds are cold in winter.\nOther sheds are warm.";
    let units = [PreparedUnit::new(CandidateUnit::of_text(text, &english))];
    let of = |quoted: &str| verify(&Quotation::new(quoted).unwrap(), &units);
    assert_eq!(of("A rope that was wet is weaker."), QuotationVerdict::Exact { units: vec![0] });
    assert_eq!(of("a rope that was wet is weaker"), QuotationVerdict::Normalised { units: vec![0] });
    let found = omissions(of("A rope … is weaker."));
    assert_eq!(found, [("that was wet".to_owned(), vec![])]);
    assert!(!matches!(of("Sheds are cold […] sheds are warm."), QuotationVerdict::Partial { .. }));
}

#[test]
fn a_label_or_title_of_the_unit_may_be_in_front() {
    let (unit, language) = provision("en", None, "Hatches shall be closed at noon.", "shall");
    let candidate = CandidateUnit {
        labels: vec!["4.2", "Closing of hatches", "REQ-12"],
        ..CandidateUnit::of_provision(&unit, 0, &language)
    };
    let units = [PreparedUnit::new(candidate)];
    for quoted in [
        "4.2 Closing of hatches Hatches shall be closed at noon.",
        "REQ-12: Hatches shall be closed at noon",
        "Closing of hatches: hatches shall be closed at noon",
    ] {
        let verdict = verify(&Quotation::new(quoted).unwrap(), &units);
        assert_eq!(verdict, QuotationVerdict::Normalised { units: vec![0] }, "{quoted}");
    }
}

#[test]
fn a_text_that_cannot_be_looked_for_is_refused() {
    assert_eq!(Quotation::new("too short").unwrap_err(), InvalidQuotation::Length(9));
    assert_eq!(Quotation::new(&"word ".repeat(500)).unwrap_err(), InvalidQuotation::Length(2_499));
    assert_eq!(Quotation::new("………… 1 2 3 ……………").unwrap_err(), InvalidQuotation::NoWords);
}
