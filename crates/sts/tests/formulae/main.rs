//! Tests that a formula in one line says what the formula says: random trees are written as MathML, and their
//! lines are read back.
//!
//! `NORMA_RANDOM_FORMULAE=100000 cargo test -p norma-sts --test formulae` reads that many.

// Parts of a test, public among its files.
#![allow(unreachable_pub)]
#![allow(clippy::disallowed_methods, reason = "this is not production code")]

#[path = "../common/mod.rs"]
mod common;
mod generate;
mod reading;
mod tree;

use std::collections::HashMap;

use common::{document, read};
use generate::Random;
use tree::{Tree, normal};

/// Formulae of one document.
const TOGETHER: usize = 100;

/// The lines of formulae.
fn lines(formulae: &[String]) -> Vec<String> {
    let paragraphs: String = formulae
        .iter()
        .map(|formula| format!("<p><inline-formula><mml:math>{formula}</mml:math></inline-formula></p>"))
        .collect();
    let edition = read(&document(&format!("<sec id='s'>{paragraphs}</sec>"))).edition;
    edition.sections[0].text.split("\n\n").map(str::to_owned).collect()
}

#[test]
fn the_line_of_a_random_formula_reads_as_the_same_formula() {
    let count =
        std::env::var("NORMA_RANDOM_FORMULAE").ok().and_then(|text| text.parse().ok()).unwrap_or(5000);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut wrong = Vec::new();
    let mut said: HashMap<String, Tree> = HashMap::new();
    let mut done = 0;
    while done < count {
        let trees: Vec<Tree> = (0..TOGETHER)
            .map(|_| {
                let depth = random.below(4);
                generate::formula(&mut random, depth)
            })
            .collect();
        let formulae: Vec<String> = trees.iter().map(|tree| generate::mathml(tree, &mut random)).collect();
        let lines = lines(&formulae);
        assert_eq!(lines.len(), TOGETHER, "each formula has one line");
        for ((tree, formula), line) in trees.iter().zip(&formulae).zip(lines) {
            let tree = normal(tree);
            let found = reading::read(&line);
            if found.as_ref() != Ok(&tree) {
                wrong.push((line.len(), format!("{line}\n  is {tree:?}\n  not {found:?}\n  {formula}")));
            }
            let before = said.entry(line).or_insert_with(|| tree.clone());
            if *before != tree {
                wrong.push((0, format!("{before:?} and {tree:?} have one line")));
            }
        }
        done += TOGETHER;
    }
    wrong.sort();
    let shortest: Vec<&str> = wrong.iter().take(8).map(|(_, text)| text.as_str()).collect();
    assert!(wrong.is_empty(), "{} of {done} are wrong:\n{}", wrong.len(), shortest.join("\n"));
}

/// The lines of formulae that mean something else, each by itself.
fn line(formula: &str) -> String {
    lines(&[formula.to_owned()]).remove(0)
}

#[test]
fn formulae_that_mean_something_else_have_other_lines() {
    let mi = |text: &str| format!("<mml:mi>{text}</mml:mi>");
    let mn = |text: &str| format!("<mml:mn>{text}</mml:mn>");
    let mo = |text: &str| format!("<mml:mo>{text}</mml:mo>");
    let row = |parts: &[String]| format!("<mml:mrow>{}</mml:mrow>", parts.concat());
    let of = |tag: &str, parts: &[String]| format!("<mml:{tag}>{}</mml:{tag}>", parts.concat());
    let (h, k, q) = (mi("h"), mi("k"), mi("q"));
    let times = mo("\u{2062}");
    for (formula, expected) in [
        // A base of several parts.
        (of("msup", &[row(&[h.clone(), k.clone()]), mn("3")]), "(hk)^3"),
        ([h.clone(), of("msup", &[k.clone(), mn("3")])].concat(), "hk^3"),
        (of("msup", &[row(&[mo("−"), q.clone()]), mn("2")]), "(−q)^2"),
        (of("msup", &[row(&[mo("−"), mn("5")]), mn("2")]), "(−5)^2"),
        ([mo("−"), of("msup", &[q.clone(), mn("2")])].concat(), "−q^2"),
        (of("msup", &[of("msup", &[q.clone(), mn("2")]), mn("3")]), "(q^2)^3"),
        (of("msup", &[q.clone(), of("msup", &[h.clone(), mn("3")])]), "q^h^3"),
        // A divisor and a dividend.
        (of("mfrac", &[mn("1"), row(&[mn("2"), q.clone()])]), "1/(2q)"),
        ([of("mfrac", &[mn("1"), mn("2")]), q.clone()].concat(), "1/2 q"),
        ([of("mfrac", &[h.clone(), k.clone()]), mn("7")].concat(), "h/k 7"),
        (of("mfrac", &[row(&[mn("2"), q.clone()]), mn("3")]), "2q/3"),
        ([mn("2"), of("mfrac", &[q.clone(), mn("3")])].concat(), "2 q/3"),
        // Numbers side by side.
        ([mn("3"), of("mfrac", &[mn("1"), mn("4")])].concat(), "3 1/4"),
        (of("mfrac", &[mn("31"), mn("4")]), "31/4"),
        ([mn("2"), times.clone(), mn("3")].concat(), "2 × 3"),
        ([mn("2"), mn("3")].concat(), "23"),
        ([of("msup", &[q.clone(), mn("2")]), mn("3")].concat(), "q^2 3"),
        (of("msup", &[q.clone(), mn("23")]), "q^23"),
        // Roots.
        (of("msqrt", &[h.clone(), k.clone()]), "√(hk)"),
        ([of("msqrt", std::slice::from_ref(&h)), k.clone()].concat(), "√h k"),
        ([mn("2"), of("msqrt", &[mn("3")])].concat(), "2√3"),
        (of("mfrac", &[mn("1"), of("msqrt", &[mn("2")])]), "1/√2"),
        // Scripts.
        (of("msup", &[mi("e"), row(&[mo("−"), q.clone(), h.clone()])]), "e^(−qh)"),
        (of("msub", &[q.clone(), row(&[mi("i"), mi("j")])]), "q_ij"),
        ([of("msub", &[q.clone(), mi("i")]), mi("j")].concat(), "q_i j"),
        (of("msub", &[q.clone(), row(&[mn("1"), mo("\u{2063}"), mn("2")])]), "q_(1, 2)"),
        (of("msub", &[q.clone(), mn("12")]), "q_12"),
        (of("mmultiscripts", &[q.clone(), mn("5"), mn("6"), mn("7"), mn("8")]), "q_5^6_7^8"),
        (of("msubsup", &[q.clone(), mn("57"), mn("68")]), "q_57^68"),
        (
            [mn("2"), of("mmultiscripts", &[mi("C"), "<mml:mprescripts/>".to_owned(), mn("6"), mn("14")])]
                .concat(),
            "2 _6^14C",
        ),
        (of("msup", &[mn("2"), mn("14")]), "2^14"),
        ([mn("2"), of("msup", &[row(&[]), mn("14")]), mi("C")].concat(), "2 ^14C"),
        ([q.clone(), of("msup", &[row(&[]), mn("14")])].concat(), "q^14"),
    ] {
        assert_eq!(line(&formula), expected, "{formula}");
    }
}

#[test]
fn spaces_that_the_source_states_part_what_they_part_in_print() {
    let upright =
        |text: &str| format!("<mml:mstyle mathvariant='normal'><mml:mi>{text}</mml:mi></mml:mstyle>");
    let power = |base: &str, power: &str| format!("<mml:msup>{base}<mml:mrow>{power}</mml:mrow></mml:msup>");
    let minus = "<mml:mo>−</mml:mo><mml:mn>1</mml:mn>";
    let thick = "<mml:mo rspace='thickmathspace'>\u{2062}</mml:mo>";
    for (formula, expected) in [
        (format!("<mml:mn>870</mml:mn>{thick}{}", power(&upright("m"), "<mml:mn>2</mml:mn>")), "870 m^2"),
        (format!("<mml:mn>870</mml:mn>{}", power(&upright("m"), "<mml:mn>2</mml:mn>")), "870 m^2"),
        (format!("{}{thick}{}", upright("m"), power(&upright("s"), minus)), "m s^−1"),
        (format!("{}{}", upright("m"), power(&upright("s"), minus)), "ms^−1"),
        ("<mml:mn>16</mml:mn><mml:mspace width='thinmathspace'/><mml:mn>807</mml:mn>".to_owned(), "16 807"),
        ("<mml:mi>h</mml:mi><mml:mspace width='0em'/><mml:mi>k</mml:mi>".to_owned(), "hk"),
        ("<mml:mi>h</mml:mi><mml:mspace width='-0.1em'/><mml:mi>k</mml:mi>".to_owned(), "hk"),
        ("<mml:mi>h</mml:mi><mml:mtext>\u{a0}</mml:mtext><mml:mi>k</mml:mi>".to_owned(), "h k"),
        (format!("<mml:mn>22</mml:mn>{thick}<mml:mo>°</mml:mo>"), "22°"),
        (
            "<mml:mi>h</mml:mi><mml:mstyle mathvariant='normal'><mml:mi>i</mml:mi><mml:mi>f</mml:mi></mml:mstyle><mml:mi>k</mml:mi>"
                .to_owned(),
            "h if k",
        ),
    ] {
        assert_eq!(line(&formula), expected, "{formula}");
    }
}

#[test]
fn enclosures_actions_pictures_and_columns_are_read_as_they_are_printed() {
    for (formula, expected) in [
        ("<mml:menclose notation='radical'><mml:mi>h</mml:mi><mml:mi>k</mml:mi></mml:menclose>", "√(hk)"),
        ("<mml:menclose notation='top'><mml:mi>q</mml:mi></mml:menclose>", "q\u{304}"),
        ("<mml:menclose notation='top'><mml:mi>q</mml:mi><mml:mi>h</mml:mi></mml:menclose>", "(qh)^¯"),
        ("<mml:menclose notation='bottom'><mml:mi>q</mml:mi></mml:menclose>", "q\u{331}"),
        ("<mml:menclose notation='left right'><mml:mi>q</mml:mi></mml:menclose>", "|q|"),
        ("<mml:menclose notation='left'><mml:mi>q</mml:mi></mml:menclose>", "|q"),
        ("<mml:menclose notation='box'><mml:mi>q</mml:mi></mml:menclose>", "q"),
        ("<mml:menclose notation='updiagonalstrike'><mml:mi>q</mml:mi></mml:menclose>", "q\u{338}"),
        (
            "<mml:maction actiontype='toggle' selection='3'><mml:mi>h</mml:mi><mml:mi>k</mml:mi><mml:mi>q</mml:mi></mml:maction>",
            "q",
        ),
        (
            "<mml:maction actiontype='tooltip' selection='2'><mml:mi>h</mml:mi><mml:mtext>tip</mml:mtext></mml:maction>",
            "h",
        ),
        ("<mml:maction selection='9'><mml:mi>h</mml:mi></mml:maction>", "h"),
        ("<mml:mo>→</mml:mo><mml:mi><mml:mglyph src='o.png' alt='oar'/></mml:mi>", "→oar"),
        (
            "<mml:mstack><mml:mn>91</mml:mn><mml:msrow><mml:mo>+</mml:mo><mml:mn>8</mml:mn></mml:msrow><mml:msline/><mml:mn>99</mml:mn></mml:mstack>",
            "91 + 8 = 99",
        ),
        ("<mml:mstack><mml:mn>91</mml:mn><mml:mn>8</mml:mn></mml:mstack>", "91; 8"),
        (
            "<mml:mlongdiv><mml:mn>4</mml:mn><mml:mn>23</mml:mn><mml:mn>92</mml:mn><mml:mn>8</mml:mn></mml:mlongdiv>",
            "92 ÷ 4; 23; 8",
        ),
        ("<mml:mfenced open='' close='}'><mml:mi>q</mml:mi></mml:mfenced>", "q}"),
    ] {
        assert_eq!(line(formula), expected, "{formula}");
    }
}

#[test]
fn a_comma_between_numbers_is_a_decimal_sign_where_no_list_is_possible() {
    let numbers = |numbers: &[&str]| {
        let numbers: Vec<String> =
            numbers.iter().map(|number| format!("<mml:mn>{number}</mml:mn>")).collect();
        numbers.join("<mml:mo>,</mml:mo>")
    };
    let fenced = |inner: &str| format!("<mml:mo>[</mml:mo>{inner}<mml:mo>]</mml:mo>");
    let q = "<mml:mi>q</mml:mi>";
    let value = |value: &str| format!("{q}<mml:mo>=</mml:mo>{value}");
    // In documents of no known decimal sign, with decimal commas and with decimal points.
    for (formula, unknown, comma, point) in [
        (numbers(&["6", "5"]), "6,5", "6,5", "6, 5"),
        (format!("{}{}", numbers(&["6", "5"]), "<mml:mtext>mm</mml:mtext>"), "6,5 mm", "6,5 mm", "6, 5 mm"),
        (value(&numbers(&["6", "5"])), "q = 6,5", "q = 6,5", "q = 6, 5"),
        (value(&numbers(&["6", "7"])), "q = 6, 7", "q = 6,7", "q = 6, 7"),
        (value(&numbers(&["0", "65"])), "q = 0,65", "q = 0,65", "q = 0, 65"),
        (fenced(&numbers(&["6", "5"])), "[6, 5]", "[6, 5]", "[6, 5]"),
        (fenced(&format!("<mml:mo>−</mml:mo>{}", numbers(&["6", "5"]))), "[−6, 5]", "[−6, 5]", "[−6, 5]"),
        (
            format!("<mml:mfenced><mml:mrow>{}</mml:mrow></mml:mfenced>", numbers(&["6", "5"])),
            "(6, 5)",
            "(6, 5)",
            "(6, 5)",
        ),
        (
            format!("<mml:msub>{q}<mml:mrow>{}</mml:mrow></mml:msub>", numbers(&["6", "5"])),
            "q_(6, 5)",
            "q_(6, 5)",
            "q_(6, 5)",
        ),
        (
            format!("<mml:mfrac><mml:mrow>{}</mml:mrow>{q}</mml:mfrac>", numbers(&["6", "5"])),
            "6,5/q",
            "6,5/q",
            "(6, 5)/q",
        ),
        (numbers(&["6", "5", "4"]), "6, 5, 4", "6, 5, 4", "6, 5, 4"),
        (numbers(&["6", "540", "821"]), "6,540,821", "6,540,821", "6,540,821"),
        (numbers(&["100", "200", "300"]), "100, 200, 300", "100, 200, 300", "100, 200, 300"),
        (format!("{q}<mml:mo>,</mml:mo>{}", numbers(&["6", "5"])), "q, 6, 5", "q, 6, 5", "q, 6, 5"),
        (
            "<mml:mn>6</mml:mn><mml:mo>,</mml:mo><mml:mspace width='0.1em'/><mml:mn>5</mml:mn>".to_owned(),
            "6,5",
            "6,5",
            "6, 5",
        ),
    ] {
        let written = |elsewhere: &str| {
            let body =
                format!("<p><inline-formula><mml:math>{formula}</mml:math></inline-formula></p>{elsewhere}");
            let edition = read(&document(&format!("<sec id='s'>{body}</sec>"))).edition;
            edition.sections[0].text.split("\n\n").next().unwrap_or_default().to_owned()
        };
        assert_eq!(written(""), unknown, "{formula}");
        assert_eq!(written("<p>It weighs 0,7 kg and 1,5 kg.</p>"), comma, "{formula}");
        assert_eq!(written("<p>It weighs 0.7 kg, as 4.2 says.</p>"), point, "{formula}");
    }
}
