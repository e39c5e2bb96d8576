//! Sentences that a formula, list, figure or table within their paragraph does not end.

mod common;

use common::{document, read};

fn provisions(language: &str, paragraph: &str) -> Vec<String> {
    let source = document(&format!(
        "<sec id='s4'><label>4</label><title>Design</title><p id='p'>{paragraph}</p></sec>"
    ))
    .replace("<content-language>en", &format!("<content-language>{language}"));
    let read = read(&source);
    for provision in &read.edition.provisions {
        let text: Vec<char> = read.edition.sections[0].text.chars().collect();
        let anchored: String = text[provision.anchor.start..provision.anchor.end].iter().collect();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&anchored), words(&provision.text), "the anchor is that of the text");
    }
    read.edition.provisions.iter().map(|provision| provision.text.to_string()).collect()
}

const FORMULA: &str = "<disp-formula id='e1'><label>(1)</label><mml:math><mml:mi>q</mml:mi><mml:mo>≤</mml:mo><mml:mn>5</mml:mn></mml:math></disp-formula>";

#[test]
fn a_formula_on_a_line_of_its_own_is_in_the_sentence_around_it() {
    let group = format!("<disp-formula-group id='g'>{FORMULA}</disp-formula-group>");
    let labelled = format!(
        "<disp-formula-group id='g'><label>(2)</label>{}</disp-formula-group>",
        FORMULA.replace("<label>(1)</label>", "")
    );
    for (language, paragraph, sentence) in [
        (
            "en",
            format!("The flow shall be {FORMULA} where the air is dry."),
            "The flow shall be q ≤ 5 (1) where the air is dry.",
        ),
        (
            "en",
            format!("The flow shall be<bold/>{FORMULA}where the air is dry."),
            "The flow shall be q ≤ 5 (1) where the air is dry.",
        ),
        ("en", format!("The flow shall satisfy: {FORMULA}"), "The flow shall satisfy: q ≤ 5 (1)"),
        (
            "en",
            format!("The flow shall satisfy {group} at all times."),
            "The flow shall satisfy q ≤ 5 (1) at all times.",
        ),
        (
            "en",
            format!("The flow shall satisfy {labelled} at all times."),
            "The flow shall satisfy q ≤ 5 (2) at all times.",
        ),
        ("fr", format!("Le débit doit satisfaire à {FORMULA}"), "Le débit doit satisfaire à q ≤ 5 (1)"),
        ("de", format!("Der Fluss muss {FORMULA} erfüllen."), "Der Fluss muss q ≤ 5 (1) erfüllen."),
    ] {
        assert_eq!(provisions(language, &paragraph), [sentence], "{paragraph}");
    }
}

#[test]
fn a_list_before_its_verb_and_a_figure_or_table_within_are_parts_of_the_provision() {
    let list = "<list list-type='dash'><list-item><p>of tin,</p></list-item><list-item><p>of wood,</p></list-item></list>";
    let figure = "<fig id='f'><label>Figure 1</label><graphic/></fig>";
    for (paragraph, sentence) in [
        (format!("The lids{list}shall be dry."), "The lids — of tin, — of wood, shall be dry."),
        (
            format!("Pins are red. The lids {list} shall be dry. Hooks are blue."),
            "The lids — of tin, — of wood, shall be dry.",
        ),
        (
            format!("The lid shall be as in{figure}and dry at all times."),
            "The lid shall be as in Figure 1 and dry at all times.",
        ),
    ] {
        assert_eq!(provisions("en", &paragraph), [sentence], "{paragraph}");
    }
    // Another sentence, and items that complete theirs, stay as they are.
    let next = format!("The lid shall be as in{figure}Dry lids are red.");
    assert_eq!(provisions("en", &next), ["The lid shall be as in"]);
    let led = format!("The kit shall hold:{list}as ordered.");
    assert_eq!(provisions("en", &led), ["of tin,", "of wood,"]);
}
