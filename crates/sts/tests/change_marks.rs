//! Documents with change marks: the state after the changes is read, and nothing of what is struck.

mod common;

use common::{codes, document, read, text};
use norma_sts::Extraction;
use norma_sts::html::{HtmlStandard, ProvisionMark, SectionInput};

fn provisions(content: &str) -> Vec<String> {
    let read = clause(content);
    read.edition.provisions.iter().map(|provision| provision.text.to_string()).collect()
}

fn clause(content: &str) -> Extraction {
    read(&document(&format!("<sec id='s4'><label>4</label><title>Design</title>{content}</sec>")))
}

/// The HTML of the first section.
fn html(read: &Extraction) -> String {
    let section = &read.edition.sections[0];
    let provisions = read.edition.provisions.iter().map(|provision| ProvisionMark {
        id: "p",
        start: provision.anchor.start,
        end: provision.anchor.end,
        ..ProvisionMark::default()
    });
    let input = SectionInput {
        id: section.id.as_str(),
        level: 1,
        markup: &section.xml,
        text: &section.text,
        provisions: provisions.collect(),
        ..SectionInput::default()
    };
    let html = norma_sts::html::section(&HtmlStandard::new("urn:iso:std:iso:1", "en"), &input);
    assert!(html.marked, "the text of the markup is not that of the section: {}", html.html);
    html.html
}

#[test]
fn each_documented_mark_is_read() {
    for (deleted, inserted) in [
        (
            "<styled-content style-type='deletion'>5</styled-content>",
            "<styled-content style-type='addition'>7</styled-content>",
        ),
        (
            "<styled-content specific-use='delete'>5</styled-content>",
            "<styled-content specific-use='insert'>7</styled-content>",
        ),
        (
            "<styled-content style='deletion'>5</styled-content>",
            "<styled-content style='addition'>7</styled-content>",
        ),
        (
            "<styled-content style-type='bold; deletion'>5</styled-content>",
            "<styled-content style-type='addition, bold'>7</styled-content>",
        ),
        (
            "<styled-content specific-use='Deleted'>5</styled-content>",
            "<styled-content specific-use='Inserted'>7</styled-content>",
        ),
        (
            "<named-content content-type='deletion'>5</named-content>",
            "<named-content content-type='insertion'>7</named-content>",
        ),
        ("<del>5</del>", "<ins>7</ins>"),
        ("<bold specific-use='delete'>5</bold>", "<bold specific-use='insert'>7</bold>"),
        ("<italic revisionflag='deleted'>5</italic>", "<italic revisionflag='added'>7</italic>"),
        (
            "<a:del xmlns:a='http://www.arbortext.com/namespace/atict' user='u'>5</a:del>",
            "<a:add xmlns:a='http://www.arbortext.com/namespace/atict'>7</a:add>",
        ),
        (
            "<d:text xmlns:d='http://www.deltaxml.com/ns/well-formed-delta-v1' d:deltaV2='A'>5</d:text>",
            "<d:text xmlns:d='http://www.deltaxml.com/ns/well-formed-delta-v1' d:deltaV2='B'>7</d:text>",
        ),
        (
            "<?oxy_delete author=\"a\" timestamp=\"20200101\" content=\"5\"?>",
            "<?oxy_insert_start author=\"a\"?>7<?oxy_insert_end?>",
        ),
        ("<?xm-deletion_mark data=\"5\"?>", "<?xm-insertion_mark_start?>7<?xm-insertion_mark_end?>"),
    ] {
        for (first, second) in [(deleted, inserted), (inserted, deleted)] {
            let read = clause(&format!("<p>The gap shall be at most {first}{second} mm.</p>"));
            let [provision] = &read.edition.provisions[..] else { panic!("{deleted}: not one provision") };
            assert_eq!(&*provision.text, "The gap shall be at most 7 mm.", "{deleted}");
            let quantities = format!("{:?}", provision.quantities);
            assert!(quantities.contains("7") && !quantities.contains("57"), "{deleted}: {quantities}");
            let marked: Vec<_> = read.diagnostics.iter().filter(|d| d.code == "change-marks").collect();
            assert_eq!(marked.len(), 1, "{deleted}");
            assert!(marked[0].message.contains("insertions 1, deletions 1"), "{}", marked[0].message);
            let html = html(&read);
            assert!(html.contains("<del>5</del>") && html.contains("<ins>7</ins>"), "{deleted}: {html}");
            assert!(read.edition.sections[0].xml.contains('5'), "the source keeps what is struck");
        }
    }
}

#[test]
fn what_nobody_documented_as_a_change_mark_is_none() {
    for content in [
        "<styled-content style-type='strike'>red</styled-content>",
        "<styled-content style='text-decoration: line-through'>red</styled-content>",
        "<styled-content style-type='changed'>red</styled-content>",
        "<strike>red</strike>",
        "<bold content-type='deletion'>red</bold>",
        "<styled-content specific-use='undeleted'>red</styled-content>",
        "<?oxy_comment_start comment=\"blue\"?>red<?oxy_comment_end?>",
        "<?oxy_deleted content=\"x\"?>red",
    ] {
        let read = clause(&format!("<p>The lid shall be {content}.</p>"));
        assert_eq!(&*read.edition.provisions[0].text, "The lid shall be red.", "{content}");
        assert!(!codes(&read).contains(&"change-marks"), "{content}");
    }
    let instruction =
        "<editing-instruction content-type='deletion'><p>Delete the second line.</p></editing-instruction>";
    assert!(text(instruction).contains("Delete the second line."));
}

#[test]
fn a_verb_that_was_changed_decides_the_type_and_offsets_count_without_what_is_struck() {
    let read = clause(
        "<p>A <del>large and </del>flat lid <styled-content style-type='deletion'>should</styled-content>\
         <styled-content style-type='addition'>shall</styled-content> be blue.</p>",
    );
    let [provision] = &read.edition.provisions[..] else { panic!("not one provision") };
    assert_eq!(provision.kind, norma_model::ProvisionKind::Requirement);
    let section = &read.edition.sections[0].text;
    let chars: Vec<char> = section.chars().collect();
    let anchored: String = chars[provision.anchor.start..provision.anchor.end].iter().collect();
    assert_eq!(anchored, "A flat lid shall be blue.");
    let html = html(&read);
    assert!(html.contains("<del>should</del> <ins>shall</ins>"), "{html}");
}

#[test]
fn whole_parts_that_are_struck_are_not_in_force() {
    let del = "specific-use='delete'";
    let struck = |words: &str| format!("<styled-content style-type='deletion'>{words}</styled-content>");
    for part in [
        format!("<p {del}>The pin shall be red.</p>"),
        format!("<p>{}</p>", struck("The pin shall be red.")),
        format!("<p><bold>{}</bold> {}</p>", struck("The pin"), struck("shall be red.")),
        "<del><p>The pin shall be red.</p><p>It shall be dry.</p></del>".to_owned(),
        format!("<sec {del} id='x'><label>4.1</label><title>Pins</title><p>The pin shall be red.</p></sec>"),
        format!(
            "<sec id='x'><label>4.1</label><title>{}</title><p>{}</p></sec>",
            struck("Pins"),
            struck("The pin shall be red.")
        ),
        format!("<list list-type='dash' {del}><list-item><p>The pin shall be red.</p></list-item></list>"),
        format!(
            "<list list-type='dash'><list-item><label>a)</label><p>{}</p></list-item></list>",
            struck("The pin shall be red.")
        ),
        format!("<boxed-text {del}><p>The pin shall be red.</p></boxed-text>"),
        format!(
            "<table-wrap {del} id='t'><label>Table 1</label><table><tr><td>The pin shall be red.</td></tr></table></table-wrap>"
        ),
        format!(
            "<non-normative-note><label>NOTE</label><p>{}</p></non-normative-note>",
            struck("The pin is red.")
        ),
        format!("<fig {del} id='f'><label>Figure 1</label><graphic xlink:href='a.png'/></fig>"),
        format!(
            "<disp-formula id='e' {del}><label>(1)</label><mml:math><mml:mi>q</mml:mi></mml:math></disp-formula>"
        ),
        format!("<p><fn {del} id='n'><p>The pin shall be red.</p></fn></p>"),
        format!("<p><std><std-id>iso:std:1</std-id>{}</std></p>", struck("ISO 71234")),
    ] {
        let read = clause(&format!("<p>The lid shall be blue.</p>{part}"));
        let edition = &read.edition;
        assert_eq!(edition.sections.len(), 1, "{part}");
        assert_eq!(edition.sections[0].text, "4 Design\n\nThe lid shall be blue.", "{part}");
        assert_eq!(edition.provisions.len(), 1, "{part}");
        assert!(edition.tables.is_empty() && edition.graphics.is_empty(), "{part}");
        assert!(edition.formulae.is_empty() && edition.relations.is_empty(), "{part}");
        let html = html(&read);
        let has_words = part.contains("pin") || part.contains("71234") || part.contains("a.png");
        assert!(!has_words || html.contains("<del>"), "{html}");
        assert!(
            edition.sections[0].xml.contains(&part.replace('\'', "\""))
                || edition.sections[0].xml.contains(&part),
            "{part}"
        );
    }
}

#[test]
fn a_clause_that_is_struck_as_a_whole_is_in_the_source_of_the_clause_before_it() {
    let read = read(&document(
        "<sec id='s4'><label>4</label><title>Lids</title><p>The lid shall be blue.</p></sec>\
         <sec id='s5' specific-use='delete'><label>5</label><title>Pins</title><p>The pin shall be red.</p>\
         <sec id='s51'><title>Hooks</title><p>See <xref rid='s5'>5</xref>.</p></sec></sec>\
         <sec id='s6'><label>6</label><title>Hooks</title><p>Each hook shall fit <xref rid='s51'/>.</p></sec>",
    ));
    let ids: Vec<&str> = read.edition.sections.iter().map(|section| section.id.as_str()).collect();
    assert_eq!(ids, ["s4", "s6"]);
    assert_eq!(read.edition.provisions.len(), 2);
    assert!(read.edition.sections[0].xml.ends_with("</sec></sec></sec>"), "{}", read.edition.sections[0].xml);
    let html = html(&read);
    assert!(html.contains("<del>5 Pins The pin shall be red. Hooks See 5.</del>"), "{html}");
    let dangling: Vec<_> = read.diagnostics.iter().filter(|d| d.code == "dangling-reference").collect();
    assert_eq!(dangling.len(), 1);
    assert_eq!(dangling[0].message, "the element with the id `s51` is struck out");
}

#[test]
fn items_after_a_struck_one_have_the_labels_that_print_gives_them() {
    let items = "<p>The kit shall hold:</p><list list-type='alpha-lower'><list-item><p>a lid;</p></list-item>\
        <list-item><p><styled-content style-type='deletion'>a pin;</styled-content></p></list-item>\
        <list-item><p>a hook.</p></list-item></list>";
    assert_eq!(provisions(items), ["a lid;", "a hook."]);
    assert_eq!(text(items), "The kit shall hold:\n\na) a lid;\nb) a hook.");
    assert!(html(&clause(items)).contains("<li><del>a pin;</del></li>"), "{}", html(&clause(items)));
}

#[test]
fn rows_and_cells_that_are_struck_leave_the_others_in_their_columns() {
    let table = |rows: &str| {
        let read = clause(&format!("<table-wrap id='t'><table><tbody>{rows}</tbody></table></table-wrap>"));
        let html = html(&read);
        assert!(html.contains("<del>"), "{html}");
        read.edition.sections[0].text.replace("4 Design\n\n", "").replace('\t', "|")
    };
    let (del, ins) = ("specific-use='delete'", "specific-use='insert'");
    assert_eq!(table(&format!("<tr><td>A</td><td>8</td></tr><tr {del}><td>B</td><td>9</td></tr>")), "A|8");
    assert_eq!(table("<tr><td>A</td><td>8</td></tr><tr><td><del>B</del></td><td/></tr>"), "A|8");
    assert_eq!(table("<tr><td>A</td><td><del>8</del><ins>9</ins></td></tr>"), "A|9");
    assert_eq!(table("<tr><td>A</td><td><del>8</del></td><td>x</td></tr>"), "A||x");
    assert_eq!(table(&format!("<tr><td>A</td><td {del}>8</td><td>x</td></tr>")), "A||x");
    // A new cell in its place, and a column.
    assert_eq!(table(&format!("<tr><td>A</td><td {del}>8</td><td {ins}>9</td><td>x</td></tr>")), "A|9|x");
    assert_eq!(
        table(&format!(
            "<tr><td>A</td><td {del}>8</td><td>x</td></tr><tr><td>B</td><td {del}>9</td><td>y</td></tr>"
        )),
        "A|x\nB|y"
    );
    // A cell over three rows, of which one is struck, is over two.
    assert_eq!(
        table(&format!(
            "<tr><td rowspan='3'>A</td><td>1</td></tr><tr {del}><td>2</td></tr><tr><td>3</td></tr><tr><td>B</td><td>4</td></tr>"
        )),
        "A|1\n|3\nB|4"
    );
    // Rows in an element of the editor.
    assert_eq!(
        table("<tr><td>A</td></tr><ins><tr><td>B</td></tr></ins><del><tr><td>C</td></tr></del>"),
        "A\nB"
    );
}

#[test]
fn titles_terms_and_metadata_are_those_after_the_changes() {
    let source = document(
        "<sec id='s3' sec-type='terms'><label>3</label><title><del>Words</del><ins>Terms and definitions</ins></title>\
         <term-sec id='t1'><label>3.1</label><tbx:termEntry id='e1'><tbx:langSet xml:lang='en'>\
         <tbx:definition>flat <del>red</del><ins>blue</ins> part</tbx:definition>\
         <tbx:tig><tbx:term><del>pin</del><ins>lid</ins></tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec>\
         <term-sec id='t2' specific-use='delete'><label>3.2</label><tbx:termEntry id='e2'><tbx:langSet xml:lang='en'>\
         <tbx:definition>old</tbx:definition><tbx:tig><tbx:term>hook</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec></sec>",
    )
    .replace("<full>Boxes</full>", "<full><del>Tins</del><ins>Boxes</ins></full>");
    let read = read(&source);
    assert_eq!(read.edition.sections[0].title.as_deref(), Some("Terms and definitions"));
    let [term] = &read.edition.terms[..] else { panic!("not one term") };
    let term = format!("{term:?}");
    assert!(term.contains("flat blue part") && term.contains("lid") && !term.contains("pin"), "{term}");
    let titles = format!("{:?}", read.edition.metadata);
    assert!(titles.contains("Boxes") && !titles.contains("Tins"), "{titles}");
}

#[test]
fn citations_and_entries_of_a_bibliography_are_those_after_the_changes() {
    let source = document(
        "<sec id='s2' sec-type='norm-refs'><title>Normative references</title><ref-list content-type='norm-refs'>\
         <ref><std><std-ref>ISO 71234:<styled-content specific-use='delete'>2010</styled-content>\
         <styled-content specific-use='insert'>2020</styled-content></std-ref></std></ref>\
         <ref specific-use='delete'><std><std-ref>ISO 71235</std-ref></std></ref></ref-list></sec>",
    );
    let relations = format!("{:?}", read(&source).edition.relations);
    assert!(relations.contains("ISO 71234:2020") && !relations.contains("2010"), "{relations}");
    assert!(!relations.contains("71235"), "{relations}");
}

#[test]
fn blocks_that_an_editor_wraps_as_inserted_are_read_as_if_nothing_was_around_them() {
    let read = read(&document(
        "<ins><sec id='s4'><label>4</label><title>Lids</title><p>The lid shall be blue.</p></sec></ins>\
         <sec id='s5'><label>5</label><title>Kits</title><p>The kit shall hold:</p><list list-type='alpha-lower'>\
         <ins><list-item><p>a lid;</p></list-item></ins><list-item><p>a pin.</p></list-item></list></sec>",
    ));
    let texts: Vec<&str> = read.edition.sections.iter().map(|section| &*section.text).collect();
    assert_eq!(
        texts,
        ["4 Lids\n\nThe lid shall be blue.", "5 Kits\n\nThe kit shall hold:\n\na) a lid;\nb) a pin."]
    );
    let labels: Vec<_> = read.edition.provisions.iter().map(|p| p.text.to_string()).collect();
    assert_eq!(labels, ["The lid shall be blue.", "a lid;", "a pin."]);
}

#[test]
fn deleted_markup_in_an_instruction_is_words_in_html() {
    let read = clause(
        "<p>The lid shall be blue.<?oxy_delete content=\"&lt;p&gt;The pin &amp;lt; 5 &lt;bold&gt;mm&lt;/bold&gt;&lt;/p&gt;\"?></p>",
    );
    assert!(html(&read).contains("<del>The pin &lt; 5 mm</del>"), "{}", html(&read));
    assert_eq!(read.edition.sections[0].text, "4 Design\n\nThe lid shall be blue.");
}
