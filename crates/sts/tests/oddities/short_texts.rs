//! Oddities of short texts and of the elements within a sentence: what is part of a label, a caption or a
//! sentence, and what is not.

use crate::common::{META, document, read, text};

const FRACTION: &str = "<inline-formula><alternatives><mml:math><mml:mi>v</mml:mi><mml:mo>=</mml:mo><mml:mfrac><mml:mi>s</mml:mi>\
    <mml:mi>t</mml:mi></mml:mfrac></mml:math><tex-math>v=s/t</tex-math></alternatives></inline-formula>";

#[test]
fn captions_and_titles_say_what_the_text_says_without_notes_and_index_words() {
    let caption = format!(
        "Speed {FRACTION} of 10<sup>3</sup> m<sup>2</sup><index-term><term>speed</term></index-term>\
         <xref ref-type='fn' rid='n'><sup>b</sup></xref><fn id='n'><label>b</label><p>Measured.</p></fn>"
    );
    let figure = format!(
        "<fig id='f'><label>Figure 1</label><caption><title>{caption}</title></caption><graphic xlink:href='f'/></fig>"
    );
    let table = format!(
        "<table-wrap id='t'><caption><title>{caption}</title></caption><table><tr><td>1</td></tr></table></table-wrap>"
    );
    let body = format!("<sec id='s'><title>{caption}</title>{figure}{table}</sec>");
    let edition = read(&document(&body)).edition;
    let said = "Speed v = s/t of 10^3 m^2";
    assert_eq!(edition.graphics[0].caption.as_deref(), Some(said));
    assert_eq!(edition.tables[0].caption.as_deref(), Some(said));
    assert_eq!(edition.sections[0].title.as_deref(), Some(said));

    let paragraphs =
        "<fig><caption><p>Seen from the left.</p><p>Half size.</p></caption><graphic xlink:href='f'/></fig>";
    let edition = read(&document(&format!("<sec>{paragraphs}</sec>"))).edition;
    assert_eq!(edition.graphics[0].caption.as_deref(), Some("Seen from the left. Half size."));
}

#[test]
fn titles_of_the_document_and_of_cited_ones_keep_their_exponents() {
    let meta = META.replace("Boxes", "Boxes of 10<sup>2</sup> kg<xref ref-type='fn' rid='n'>1)</xref>");
    let list = "<ref-list content-type='bibl'><ref><std><std-ref>ISO 712</std-ref>, <title>Rooms of 5 m<sup>2</sup></title></std></ref>\
        </ref-list>";
    let edition = read(&document(list).replace(META, &meta)).edition;
    assert_eq!(edition.metadata.titles.values().next().unwrap().full, "Boxes of 10^2 kg");
    assert_eq!(edition.relations[0].title.as_deref(), Some("Rooms of 5 m^2"));
}

#[test]
fn a_mark_of_a_footnote_in_a_label_is_in_the_text_and_not_in_the_number() {
    for mark in [
        "<xref ref-type='fn' rid='n'><sup>2</sup></xref><fn id='n'><label>2</label><p>New.</p></fn>",
        "<fn><label>2</label><p>New.</p></fn>",
        "<sup>2</sup>",
        "<sup>2)</sup>",
    ] {
        let body = format!(
            "<sec id='a'><label>4.1{mark}</label><title>Lids</title><p>The lid shall close.</p></sec>\
             <sec id='b'><label>4.2</label><p>The lid shall meet Clause 4.1 and Table 1.</p>\
             <table-wrap id='t'><label>Table 1{mark}</label><table><tr><td>x</td></tr></table></table-wrap></sec>\
             <app id='c'><label>Annex B{mark}</label><title>More</title></app>"
        );
        let edition = read(&document(&body)).edition;
        let numbers: Vec<_> = edition.sections.iter().filter_map(|s| s.number.as_deref()).collect();
        assert_eq!(numbers, ["4.1", "4.2", "B"], "{mark}");
        assert_eq!(edition.sections[0].label.as_deref(), Some("4.1"), "{mark}");
        assert_eq!(edition.tables[0].number.as_deref(), Some("1"), "{mark}");
        assert_eq!(&*edition.provisions[0].label, "4.1(1)");
        assert!(edition.sections[0].text.starts_with("4.1^"), "{}", edition.sections[0].text);
        let targets = edition.provisions[1].references.iter().map(|r| r.target.is_some());
        assert_eq!(targets.collect::<Vec<_>>(), [true, true], "{mark}");
    }
}

#[test]
fn the_footnote_of_a_label_that_is_before_its_block_is_in_the_text_once() {
    let note = "<fn><label>a</label><p>Since May.</p></fn>";
    assert_eq!(
        text(&format!("<non-normative-note><label>NOTE 1{note}</label><p>Dry.</p></non-normative-note>")),
        "NOTE 1^a Dry.\n\na Since May."
    );
    let list =
        format!("<list><list-item><label>a){note}</label><p>The lid shall close.</p></list-item></list>");
    assert_eq!(text(&list), "a)^a The lid shall close.\n\na Since May.");
    let edition = read(&document(&format!("<sec>{list}</sec>"))).edition;
    assert_eq!(edition.provisions[0].item_label.as_deref(), Some("a)"));
}

#[test]
fn an_element_that_is_not_known_as_a_block_belongs_to_its_sentence() {
    for (inline, said) in [
        ("lid<fixed-case>X</fixed-case>", "lidX"),
        ("<fixed-case>lid</fixed-case>", "lid"),
        ("<milestone-start/>lid<milestone-end/>", "lid"),
        ("<future-element><inner>lid</inner> top</future-element>", "lid top"),
        ("<related-object>lid</related-object>", "lid"),
        ("lid <private-char><glyph-data>0110</glyph-data></private-char>", "lid ▢"),
        ("lid <private-char description='double cross'/>", "lid double cross"),
        ("<abbrev>PTFE<def><p>a polymer</p></def></abbrev> lid", "PTFE (a polymer) lid"),
        ("<ruby><rb>lid</rb><rt>cover</rt></ruby>", "lid (cover)"),
        ("lid<hr/>top", "lid top"),
    ] {
        let sentence = format!("The {inline} shall close.");
        let expected = format!("The {said} shall close.");
        let body = format!(
            "<sec><title>{sentence}</title><p>{sentence}</p><list><list-item><p>{sentence}</p></list-item></list>\
             <table-wrap><table><tr><td>{sentence}</td></tr></table></table-wrap></sec>"
        );
        let edition = read(&document(&body)).edition;
        let found: Vec<_> = edition.provisions.iter().map(|p| &*p.text).collect();
        assert_eq!(found, [expected.as_str(); 3], "{inline}");
        assert_eq!(edition.sections[0].title.as_deref(), Some(expected.as_str()), "{inline}");
    }
}

#[test]
fn known_blocks_and_unknown_elements_between_paragraphs_end_a_sentence() {
    assert_eq!(text("<p>One<speech><p>two</p></speech>three</p>"), "One\n\ntwo\n\nthree");
    assert_eq!(text("<p>One</p><other>two</other><p>three</p>"), "One\n\ntwo\n\nthree");
}

#[test]
fn code_between_words_is_one_of_them_and_elsewhere_keeps_its_lines() {
    assert_eq!(text("<p>Call <code>end()</code> at the end.</p>"), "Call end() at the end.");
    assert_eq!(text("<p>Call</p><code>a:\n  b</code>"), "Call\n\na:\n  b");
    let figure = "<fig><label>Figure 1</label><alternatives><graphic xlink:href='f'/><code>a:\n  b</code></alternatives></fig>";
    assert_eq!(text(figure), "Figure 1\n\na:\n  b");
}

#[test]
fn a_link_without_words_shows_its_address() {
    let links = "<p>See <ext-link xlink:href='https://example.org/a'/>, <uri xlink:href='https://example.org/b'> </uri> or \
        <email xlink:href='mailto:a@example.org'/>, not <ext-link xlink:href='https://example.org/c'>this</ext-link>.</p>";
    assert_eq!(text(links), "See https://example.org/a, https://example.org/b or a@example.org, not this.");
}
