//! Requirements that a source marks as such: tables as OGC's converters make them, and elements left outside
//! every schema.

mod common;

use common::{document, read};
use norma_model::ProvisionKind::{self, Permission, Recommendation, Requirement};
use norma_sts::Extraction;

fn extraction(content: &str) -> Extraction {
    read(&document(&format!("<sec id='s'><label>7</label>{content}</sec>")))
}

/// Type, identifier, label of the part and text of each provision. The slice of the anchor is the text.
fn provisions(content: &str) -> Vec<(ProvisionKind, String, String, String)> {
    let edition = extraction(content).edition;
    let owned = |name: &Option<Box<str>>| name.as_deref().unwrap_or_default().to_owned();
    let read = edition.provisions.iter().map(|p| {
        let text: String = edition.sections[p.section]
            .text
            .chars()
            .skip(p.anchor.start)
            .take(p.anchor.end - p.anchor.start)
            .collect();
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), *p.text, "the slice of the anchor");
        (p.kind, owned(&p.identifier), owned(&p.item_label), p.text.to_string())
    });
    read.collect()
}

fn one(
    kind: ProvisionKind,
    identifier: &str,
    label: &str,
    text: &str,
) -> (ProvisionKind, String, String, String) {
    (kind, identifier.into(), label.into(), text.into())
}

fn table(attributes: &str, head: &str, rows: &[&[&str]]) -> String {
    let row = |cells: &&[&str]| match cells {
        [only] => format!("<tr><td colspan='2'>{only}</td></tr>"),
        [key, rest @ ..] => {
            let rest: String = rest.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            format!("<tr><th>{key}</th>{rest}</tr>")
        }
        [] => String::new(),
    };
    let head = if head.is_empty() {
        String::new()
    } else {
        format!("<thead><tr><th colspan='2'><p>{head}</p></th></tr></thead>")
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<table-wrap id='t' {attributes}><label>Table 4</label><table>{head}<tbody>{rows}</tbody></table></table-wrap>"
    )
}

#[test]
fn a_table_with_a_class_gives_its_statement_without_caption_and_header_words() {
    let rows: [&[&str]; 5] = [
        &["Identifier", "<monospace>/req/core/lid</monospace>"],
        &["Subject", "the maker"],
        &["Statement", "<p>The lid SHALL close. It SHALL stay closed.</p>"],
        &["Guidance", "The maker should test it."],
        &["Conformance test", "/conf/core/lid"],
    ];
    let marked = table("content-type='recommend' specific-use='modspec'", "Requirement 5: Lids", &rows);
    let expected = [one(Requirement, "/req/core/lid", "", "The lid SHALL close. It SHALL stay closed.")];
    assert_eq!(provisions(&marked), expected);
}

#[test]
fn a_number_names_the_requirement_where_it_has_no_other_identifier() {
    let marked = table(
        "content-type='recommend'",
        "Recommendation 2",
        &[&["Statement", "<p>The lid should be red.</p>"]],
    );
    assert_eq!(provisions(&marked), [one(Recommendation, "Recommendation 2", "", "The lid should be red.")]);
}

#[test]
fn a_table_without_a_class_is_known_by_its_first_cell_and_gives_its_parts() {
    let rows: [&[&str]; 3] = [
        &["Requirement 5", "/req/core/lid"],
        &["A", "The lid SHALL close."],
        &[
            "B",
            "<p>The lid SHALL carry:</p><list list-type='bullet'><list-item><p>a name;</p></list-item><list-item><p>a date.</p></list-item></list>",
        ],
    ];
    let expected = [
        one(Requirement, "/req/core/lid", "A", "The lid SHALL close."),
        one(Requirement, "/req/core/lid", "B", "The lid SHALL carry: • a name; • a date."),
    ];
    assert_eq!(provisions(&table("", "", &rows)), expected);
    let joined: [&[&str]; 1] = [&["Permission 1", "/per/core/lid", "The lid MAY be red."]];
    assert_eq!(
        provisions(&table("", "", &joined)),
        [one(Permission, "/per/core/lid", "", "The lid MAY be red.")]
    );
    let single: [&[&str]; 2] = [&["Requirement 6<break/>/req/core/frame"], &["The frame SHALL fit."]];
    assert_eq!(
        provisions(&table("", "", &single)),
        [one(Requirement, "/req/core/frame", "", "The frame SHALL fit.")]
    );
    let listed: [&[&str]; 2] =
        [&["Requirement 1", "The lid shall close."], &["Requirement 2", "The frame shall fit."]];
    let expected = [
        one(Requirement, "Requirement 1", "", "The lid shall close."),
        one(Requirement, "Requirement 2", "", "The frame shall fit."),
    ];
    assert_eq!(provisions(&table("", "", &listed)), expected);
}

#[test]
fn each_line_of_a_class_is_a_statement_and_mere_names_are_none() {
    let rows: [&[&str]; 4] = [
        &["Identifier", "/req/core"],
        &["Obligation", "requirement"],
        &[
            "Normative statements",
            "Requirement 2-1 <italic>The lid shall close. It is new.</italic><break/>Recommendation 2-2 The lid should be red.\
             <break/>Requirement 2-3 Requirements class for frames.<break/>Requirement 2-4 /req/core/frame",
        ],
        &["Description", "All that is needed of lids."],
    ];
    let expected = [
        one(Requirement, "Requirement 2-1", "", "The lid shall close. It is new."),
        one(Recommendation, "Recommendation 2-2", "", "The lid should be red."),
    ];
    assert_eq!(provisions(&table("content-type='recommendclass'", "<bold/>", &rows)), expected);
    assert_eq!(provisions(&table("", "Requirements class 2: Lids", &rows)), expected);
}

#[test]
fn what_a_requirement_depends_on_is_among_its_references() {
    let rows: [&[&str]; 5] = [
        &["Identifier", "/req/core/lid"],
        &["Dependency", "/req/base"],
        &["Inherits", "<xref ref-type='sec' rid='s'>Clause 7</xref>"],
        &["Prerequisites", "ISO 9000<break/>Box Model 2.0"],
        &["Statement", "The lid SHALL close."],
    ];
    let edition = extraction(&table("content-type='recommend'", "Requirement 5", &rows)).edition;
    let references: Vec<&str> = edition.provisions[0].references.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(references, ["/req/base", "Clause 7", "ISO 9000", "Box Model 2.0"]);
}

#[test]
fn an_element_around_the_table_states_the_type() {
    let rows: [&[&str]; 1] = [&["Statement", "<p>Check that the lid closes.</p>"]];
    let inner = table("content-type='recommend' specific-use='modspec'", "<bold/>", &rows);
    let wrapped = format!("<recommendation model='ogc' type='general'>{inner}</recommendation>");
    assert_eq!(provisions(&wrapped), [one(Recommendation, "", "", "Check that the lid closes.")]);
    assert_eq!(provisions(&inner), [], "neither a type nor a verbal form");
}

#[test]
fn an_element_without_a_table_gives_its_text_without_label_and_title() {
    let marked = "<requirement id='r'><label>Requirement 3</label><title>Lids</title><p>The lid shall close.</p></requirement>";
    assert_eq!(provisions(marked), [one(Requirement, "Requirement 3", "", "The lid shall close.")]);
    let marked = "<permission><p>Permission 4: The lid may be red.</p></permission>";
    assert_eq!(provisions(marked), [one(Permission, "Permission 4", "", "The lid may be red.")]);
}

#[test]
fn tables_of_tests_and_other_tables_are_read_as_before() {
    let test = table(
        "content-type='recommendtest'",
        "Abstract test 1",
        &[&["Test method", "The box shall be opened."]],
    );
    assert_eq!(provisions(&test), [one(Requirement, "", "", "The box shall be opened.")]);
    let plain = table("", "Property", &[&["Size", "The lid shall be small."]]);
    assert_eq!(provisions(&plain), [one(Requirement, "", "", "The lid shall be small.")]);
}

#[test]
fn labels_of_items_and_glued_labels_become_item_labels() {
    let list = "<p>The box shall have:</p><list list-type='alpha-lower'><list-item><label>a)</label><p>a lid;</p></list-item>\
        <list-item><label>b)</label><p>a frame.</p></list-item></list>";
    let expected = [one(Requirement, "", "a)", "a lid;"), one(Requirement, "", "b)", "a frame.")];
    assert_eq!(provisions(list), expected);
    let glued = "<p><named-content content-type='label'>b)</named-content>Lids shall close.</p>";
    assert_eq!(provisions(glued), [one(Requirement, "", "b)", "Lids shall close.")]);
    let term =
        "<p><named-content content-type='term'>b)Lids</named-content> shall close. They may be red.</p>";
    let expected =
        [one(Requirement, "", "b)", "Lids shall close."), one(Permission, "", "b)", "They may be red.")];
    assert_eq!(provisions(term), expected);
    assert_eq!(
        provisions("<list><list-item><p>Lids shall close.</p></list-item></list>"),
        [one(Requirement, "", "", "Lids shall close.")]
    );
}

#[test]
fn a_marked_block_that_holds_a_label_alone_is_read() {
    let source = "<table-wrap content-type='requirement'><fn/><mml:mi xmlns:mml='m'>a</mml:mi></table-wrap>";
    assert_eq!(provisions(source).len(), 1);
}
