//! Oddities of characters: those that nobody sees, scripts in plain markup, marks of type in short texts.

use norma_model::ProvisionId;

use crate::common::{META, document, read, text};

fn table(rows: &[(&str, &str)]) {
    for (content, expected) in rows {
        assert_eq!(text(content), *expected, "{content}");
    }
}

#[test]
fn invisible_characters_take_no_part_in_words_references_labels_and_ids() {
    let body = |hidden: &str| {
        format!(
            "<sec id='s3'><label>3{hidden}</label><title>Va{hidden}lves</title>\
             <p>The relief{hidden}valve sh{hidden}all open at le{hidden}ast 5 milli{hidden}metres, see Ta{hidden}ble 1.</p>\
             <p>It sh{hidden}ould fit IS{hidden}O 4{hidden}711:2020.</p>\
             <table-wrap id='t'><label>Tab{hidden}le 1</label><caption><title>Si{hidden}zes</title></caption>\
             <table><tr><td>Le{hidden}ngth</td><td>7{hidden}5 m{hidden}m</td></tr></table></table-wrap></sec>"
        )
    };
    let plain = read(&document(&body(""))).edition;
    let ids = |edition: &norma_model::Edition| -> Vec<ProvisionId> {
        edition.provisions.iter().map(|provision| provision.id).collect()
    };
    assert_eq!(plain.provisions.len(), 2);
    for hidden in ["\u{ad}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}"] {
        let edition = read(&document(&body(hidden))).edition;
        assert_eq!(edition.sections[0].text, plain.sections[0].text, "{hidden:?}");
        assert_eq!(edition.sections[0].label, plain.sections[0].label, "{hidden:?}");
        assert_eq!(edition.sections[0].title, plain.sections[0].title, "{hidden:?}");
        assert_eq!(ids(&edition), ids(&plain), "{hidden:?}");
        for (found, expected) in edition.provisions.iter().zip(&plain.provisions) {
            assert_eq!(found.text, expected.text, "{hidden:?}");
            assert_eq!(found.quantities, expected.quantities, "{hidden:?}");
            assert_eq!(found.references, expected.references, "{hidden:?}");
        }
        assert_eq!(format!("{:?}", edition.tables[0].content), format!("{:?}", plain.tables[0].content));
    }
}

#[test]
fn joiners_that_shape_letters_stay() {
    table(&[("<p>نمی\u{200c}شود</p>", "نمی\u{200c}شود"), ("<p>Auf\u{200c}lage</p>", "Auflage")]);
}

#[test]
fn scripts_in_plain_markup_end_where_they_end() {
    table(&[
        ("<p>SO<sub>4</sub>2</p>", "SO_4 2"),
        ("<p>SO<sub>42</sub></p>", "SO_42"),
        ("<p>H<sub>2</sub>O</p>", "H_2O"),
        ("<p>H<sub>2O</sub></p>", "H_(2O)"),
        ("<p>7<sup>12</sup> 7<sup>1</sup>2</p>", "7^12 7^1 2"),
        ("<p>v<sub>i</sub>t and v<sub>it</sub></p>", "v_i t and v_it"),
        ("<p>v<sub>i</sub><sup>2</sup>, v<sub>i</sub>.</p>", "v_i^2, v_i."),
        ("<p>v<sub>k1</sub>3</p>", "v_k1 3"),
        ("<p>m<sup>−1</sup>s<sup>−2</sup></p>", "m^−1s^−2"),
        ("<p>the 2<sup>nd</sup>and</p>", "the 2ndand"),
    ]);
}

#[test]
fn the_mark_of_a_footnote_is_no_exponent_of_the_number_before_it() {
    table(&[
        ("<p>See ISO 4711<fn><label>1)</label><p>Old.</p></fn>.</p>", "See ISO 4711 ^1).\n\n1) Old."),
        ("<p>red<fn><label>1)</label><p>Old.</p></fn>.</p>", "red^1).\n\n1) Old."),
        ("<p>It is 7 mm<fn><label>a</label><p>Old.</p></fn> long.</p>", "It is 7 mm^a long.\n\na Old."),
    ]);
    let with_mark = |mark: &str| {
        let body = format!(
            "<sec id='s'><title>Pins</title><p>The pin shall be at least 75{mark} mm, as in ISO 4711{mark}.</p></sec>"
        );
        read(&document(&body)).edition.provisions[0].clone()
    };
    let (marked, plain) = (with_mark("<fn><label>1)</label><p>Old.</p></fn>"), with_mark(""));
    assert_eq!(marked.id, plain.id);
    assert_eq!(marked.references.len(), plain.references.len());
}

#[test]
fn titles_and_captions_have_no_marks_of_type() {
    let source = document(
        "<sec id='s'><label>5</label><title>The `lid` of <tex-math>w_{\\mathrm{max}}</tex-math></title>\
         <fig id='f'><label>Figure 1</label><caption><title>Area $x^2$ of \\(\\frac{h}{k}\\)</title></caption><graphic xlink:href='f'/></fig>\
         <p>Type `lid` or $x^2$.</p></sec>",
    );
    let edition = read(&source).edition;
    assert_eq!(edition.sections[0].title.as_deref(), Some("The lid of w_max"));
    assert_eq!(edition.graphics[0].caption.as_deref(), Some("Area x^2 of h/k"));
    // Running text may be about these marks.
    assert_eq!(
        edition.sections[0].text,
        "5 The lid of w_max\n\nFigure 1 — Area x^2 of h/k\n\nType `lid` or $x^2$."
    );
}

#[test]
fn designations_that_are_written_twice_or_with_a_hanging_hyphen_are_read_once() {
    let meta = META.replace("ISO 9999-1:2020", "ISO ISO 9999-1:2020-");
    let source = document("<sec id='s'><p>Text.</p><ref-list><ref><std><std-ref>IEEE Std IEEE Std 998.1-2021-</std-ref></std></ref>\
        <ref><mixed-citation>ISO ISO 4711:2020, Pins</mixed-citation></ref></ref-list></sec>")
    .replace(META, &meta);
    let edition = read(&source).edition;
    assert_eq!(edition.metadata.reference, "ISO 9999-1:2020");
    let references: Vec<&str> =
        edition.relations.iter().map(|relation| relation.reference.as_str()).collect();
    assert_eq!(references, ["IEEE Std 998.1-2021", "ISO 4711:2020"]);
}
