//! Oddities of house style: constructs that schematron rules of publishers search for because they occur.

use norma_model::SectionKind;

use crate::common::{codes, document, read, text};

#[test]
fn the_type_and_number_of_an_annex_typed_into_its_title_are_found() {
    let back = "</body><back><app-group><app><title><bold>Annex B</bold><break/><bold>(informative)</bold><break/>Tests</title>\
        <sec><label>B.1</label></sec></app></app-group></back><body>";
    let edition = read(&document(back)).edition;
    let annex = &edition.sections[0];
    assert_eq!(
        (annex.kind, annex.number.as_deref(), annex.normative),
        (SectionKind::Annex, Some("B"), false)
    );
    assert_eq!(annex.title.as_deref(), Some("Annex B (informative) Tests"));
    assert!(codes(&read(&document(back))).is_empty());
}

#[test]
fn an_annex_of_no_stated_type_is_noted() {
    let back = "</body><back><app><label>Annex A</label></app></back><body>";
    assert_eq!(codes(&read(&document(back))), ["annex-without-type"]);
}

#[test]
fn titles_that_go_on_in_bold_and_generated_text_that_failed_are_unchanged() {
    for (content, expected) in [
        ("<title>Marking</title><p><bold>and labelling</bold></p>", "Marking\n\nand labelling"),
        ("<p>See Error! Bookmark not defined. for more.</p>", "See Error! Bookmark not defined. for more."),
        ("<p>10 - 20 mm, a -- b</p>", "10 - 20 mm, a -- b"),
        ("<p>a<break><?soft?></break>b</p>", "a\nb"),
        ("<p><styled-content style='color:red;;font-size'>a</styled-content></p>", "a"),
        ("<p><styled-content style=''>a</styled-content><styled-content>b</styled-content></p>", "ab"),
    ] {
        assert_eq!(text(content), expected, "{content}");
    }
}

#[test]
fn one_object_with_two_labels_keeps_both_and_is_known_by_the_first() {
    let body = "<sec><label>4</label><label>4 bis</label><title>Lids</title><table-wrap><label>Table 1</label><label>Table 2\
        </label><table/></table-wrap></sec>";
    let edition = read(&document(body)).edition;
    let section = &edition.sections[0];
    assert_eq!((section.label.as_deref(), section.number.as_deref()), (Some("4"), Some("4")));
    assert_eq!(edition.tables[0].number.as_deref(), Some("1"));
    for label in ["4 bis", "Table 1", "Table 2"] {
        assert_eq!(section.text.matches(label).count(), 1, "{label} in {}", section.text);
    }
}

#[test]
fn warnings_are_notes_by_markup_and_normative_notes_are_none() {
    for (note, expected) in [
        ("<non-normative-note content-type='warning'><p>a</p></non-normative-note>", "WARNING a"),
        ("<non-normative-note content-type='Caution'><p>a</p></non-normative-note>", "CAUTION a"),
        ("<non-normative-note specific-use='danger'><p>a</p></non-normative-note>", "DANGER a"),
        ("<normative-note><label>Note 2</label><p>a</p></normative-note>", "Note 2 a"),
    ] {
        assert_eq!(text(note), expected, "{note}");
    }
}

#[test]
fn a_text_in_another_language_than_stated_is_noticed_where_it_is_long_enough_to_tell() {
    let french =
        "<p>Le couvercle de la boîte doit être fermé et les joints sont vérifiés dans une salle.</p>";
    let long = read(&document(&format!("<sec>{}</sec>", french.repeat(8))));
    assert_eq!(codes(&long), ["language-mismatch"]);
    assert_eq!(long.edition.urn.languages()[0].as_str(), "fr", "the language of the text holds");
    let short = read(&document(&format!("<sec>{french}</sec>")));
    assert!(codes(&short).is_empty());
    assert_eq!(short.edition.urn.languages()[0].as_str(), "en", "the stated one holds");
}
