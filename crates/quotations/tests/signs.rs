//! Signs and units: a quotation with another one is altered, and one with other typography is not.

#![allow(clippy::unwrap_used, reason = "this is test code")]

use norma_model::Lang;
use norma_quotations::{CandidateUnit, PreparedUnit, Quotation, QuotationVerdict, verify};

/// Whether a quotation of a sentence around a text is found in the sentence around another.
fn is_found(text: &str, quoted: &str) -> bool {
    let english = Lang::en();
    let sentence = |part: &str| format!("The value of the hatch shall be {part} at all times of the day.");
    let (text, quoted) = (sentence(text), sentence(quoted));
    [true, false].into_iter().any(|is_running_text| {
        let unit = CandidateUnit { is_running_text, ..CandidateUnit::of_text(&text, &english) };
        let verdict = verify(&Quotation::new(&quoted).unwrap(), &[PreparedUnit::new(unit)]);
        matches!(verdict, QuotationVerdict::Exact { .. } | QuotationVerdict::Normalised { .. })
    })
}

/// Asserts that no text is found in the other one of its pair.
fn assert_differ(pairs: &[(&str, &str)]) {
    for (text, quoted) in pairs {
        assert!(is_found(text, text), "{text}");
        assert!(is_found(quoted, quoted), "{quoted}");
        assert!(!is_found(text, quoted), "{text} -> {quoted}");
        assert!(!is_found(quoted, text), "{quoted} -> {text}");
    }
}

#[test]
fn every_sign_counts() {
    assert_differ(&[
        ("⩾ 5", "⩽ 5"),
        ("≧ 5", "≦ 5"),
        ("≫ 5", "≪ 5"),
        ("a ⊥ b", "a ∥ b"),
        ("a → b", "a ← b"),
        ("↑ 5", "↓ 5"),
        ("✓", "✗"),
        ("A ∪ B", "A ∩ B"),
        ("a ∈ B", "a ∉ B"),
        ("A ⇒ B", "A ⇐ B"),
        ("¬A", "A"),
        ("⌀ 5 mm", "5 mm"),
        ("∠ 5", "5"),
        ("|x|", "x"),
        ("3:4", "3 4"),
        ("3 : 4", "3 4"),
        ("2…5 mm", "2 5 mm"),
        ("2 ... 5 mm", "2 5 mm"),
        ("2 mm – 5 mm", "2 mm 5 mm"),
        ("x′", "x"),
        ("5⅓", "51/3"),
        ("|x|^2", "|x|"),
        ("(a+b)^2", "(a+b)"),
    ]);
}

#[test]
fn operators_count() {
    assert_differ(&[
        ("A − B", "A B"),
        ("A−B", "A B"),
        ("A · B", "A B"),
        ("A * B", "A B"),
        ("A*B", "A B"),
        ("A / (B)", "A (B)"),
        ("A / B", "A B"),
        ("a/(b+c)", "a(b+c)"),
        ("a/(b+c)", "a/b+c"),
        ("(a+b)/c", "a+b/c"),
        ("a − (b+c)", "a − b+c"),
        ("5 mm/(m·s)", "5 mm·m·s"),
        ("x = −y", "x = y"),
    ]);
}

#[test]
fn units_are_compared_by_capitals_and_blanks() {
    assert_differ(&[
        ("100 mm", "100 Mm"),
        ("100 mm", "100 MM"),
        ("5 mA", "5 MA"),
        ("5 mA", "5 Ma"),
        ("5 pm", "5 Pm"),
        ("5 ms", "5 MS"),
        ("5 m", "5 M"),
        ("5 g", "5 G"),
        ("5 Ω", "5 ω"),
        ("8 kN", "8 KN"),
        ("8 kN/m", "8 kN/M"),
        ("5 ms", "5 m s"),
        ("2 mm", "2 m m"),
        ("5 m (s)", "5 ms"),
        ("1, 200", "1200"),
    ]);
}

#[test]
fn raised_signs_are_not_lowered() {
    assert_differ(&[
        ("d^2", "d_2"),
        ("5 m^2", "5 m_2"),
        ("H₂O", "H²O"),
        ("CO₂", "CO²"),
        ("a_1^2", "a_12"),
        ("a_1^2", "a^12"),
        ("10₂", "102"),
    ]);
}

#[test]
fn typography_may_differ() {
    for (text, quoted) in [
        ("5 mm", "5\u{a0}mm"),
        ("5 mm", "5mm"),
        ("100 mm", "100\nmm"),
        ("5 m^2", "5 m2"),
        ("5 m^2", "5 m²"),
        ("CO_2", "CO₂"),
        ("a 5-mm rope", "a 5 mm rope"),
        ("A − B", "A - B"),
        ("A − B", "A – B"),
        ("t_1 − t_2", "t1 - t2"),
        ("open – never shut –", "open—never shut—"),
        ("open, shut; free", "open shut free"),
        ("open: shut", "open shut"),
        ("“open”", "'open'"),
        ("open", "**open**"),
        ("open", "_open_"),
        ("(20 ± 2) °C", "20 +/- 2 °C"),
        ("m/s", "m / s"),
        ("open:\n• shut", "open: shut"),
        ("open\n• shut", "open shut"),
        ("12 000 Pa", "12000 Pa"),
        ("step 3: 4 lids", "step 3 4 lids"),
        ("the non-return valve", "the non return valve"),
        ("CO_2", "co_2"),
    ] {
        assert!(is_found(text, quoted), "{text} -> {quoted}");
        assert!(is_found(quoted, text), "{quoted} -> {text}");
    }
}

#[test]
fn a_hyphen_that_is_typed_for_a_minus_is_found_also_before_a_bracket() {
    for (text, quoted) in [("t = (y − Y)/u_c(y)", "t = (y - Y)/u_c(y)"), ("(b − A) · c", "(b - A) · c")]
    {
        assert!(is_found(text, quoted), "{text}");
    }
}
