//! Languages that the source states below the section: each sentence is read by the rules of its own.

mod common;

use common::{META, codes, read};
use norma_sts::Extraction;

fn clause(languages: &str, content: &str) -> Extraction {
    let meta = META.replace("<content-language>en</content-language>", languages);
    read(&format!(
        "<standard><front>{meta}</front><body><sec id='s4'><label>4</label><title>Design</title>{content}</sec></body></standard>"
    ))
}

const ENGLISH: &str = "<content-language>en</content-language>";

fn provisions(content: &str) -> Vec<String> {
    let read = clause(ENGLISH, content);
    read.edition.provisions.iter().map(|provision| provision.text.to_string()).collect()
}

#[test]
fn sentences_are_read_by_the_rules_of_the_language_that_is_stated_for_them() {
    let (fr, de) = ("Le couvercle doit fermer.", "Der Deckel muss schließen.");
    for content in [
        format!("<p xml:lang='fr'>{fr}</p><p xml:lang='de'>{de}</p>"),
        format!(
            "<list xml:lang='fr'><list-item><p>{fr}</p></list-item></list><list><list-item xml:lang='de'><p>{de}</p></list-item></list>"
        ),
        format!(
            "<table-wrap><table><tr><td xml:lang='fr'>{fr}</td><td xml:lang='de'>{de}</td></tr></table></table-wrap>"
        ),
        format!(
            "<table-wrap><table><tr xml:lang='fra'><td>{fr}</td></tr><tr xml:lang='ger'><td>{de}</td></tr></table></table-wrap>"
        ),
        format!(
            "<table-wrap xml:lang='fr'><table><tr><td>{fr}</td><td>1</td></tr></table></table-wrap><p xml:lang='de-AT'>{de}</p>"
        ),
        format!(
            "<boxed-text xml:lang='fr'><p>{fr}</p></boxed-text><disp-quote/><boxed-text><p xml:lang='de'>{de}</p></boxed-text>"
        ),
        format!(
            "<p><styled-content xml:lang='fr'>{fr}</styled-content> <italic xml:lang='de'>{de}</italic></p>"
        ),
    ] {
        let found = provisions(&format!("<p>The lid shall close.</p>{content}<p>Each pin shall fit.</p>"));
        assert_eq!(found, ["The lid shall close.", fr, de, "Each pin shall fit."], "{content}");
    }
}

#[test]
fn a_foreign_word_in_a_sentence_does_not_part_it_and_a_wrong_attribute_does_not_hide_it() {
    assert_eq!(
        provisions("<p>The <italic xml:lang='la'>in situ</italic> test shall pass.</p>"),
        ["The in situ test shall pass."]
    );
    // English words under an attribute that says French.
    assert_eq!(
        provisions(
            "<p xml:lang='fr'>The lid of each box shall be closed with the key that is supplied with it.</p>"
        ),
        ["The lid of each box shall be closed with the key that is supplied with it."]
    );
    // The words of a language without rules are not read by those of another.
    assert_eq!(provisions("<p xml:lang='nl'>Het deksel may moeten sluiten.</p>"), [""; 0]);
}

#[test]
fn a_table_in_another_language_has_its_units() {
    let read = clause(
        ENGLISH,
        "<table-wrap xml:lang='fr'><caption><title>Tailles</title><p>Dimensions en millimètres</p></caption><table><thead><tr><th>Taille</th>\
         <th>Alésage</th></tr></thead><tbody><tr><td>A</td><td>8</td></tr></tbody></table></table-wrap>",
    );
    let grid = read.edition.tables[0].grid().expect("a grid");
    assert!(format!("{:?}", grid.rows[0][1].quantity).contains("mm"), "{:?}", grid.rows);
    assert!(!codes(&read).contains(&"no-rules-for-language"));
}
