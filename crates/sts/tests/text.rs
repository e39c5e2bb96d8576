//! Tests of plain text: the output of each construct.

mod common;

use common::{document, read, text, texts};

#[test]
fn paragraphs_are_parted_by_blank_lines_and_white_space_is_collapsed() {
    assert_eq!(
        text(
            "<label>4</label>\n<title> Marking\n of boxes</title><p>One\n  two.</p>\n<p/><p>Three<break/>four.</p>"
        ),
        "4 Marking of boxes\n\nOne two.\n\nThree\nfour."
    );
}

#[test]
fn lists_show_their_labels_or_generated_ones_and_nest() {
    let list = "<p>Provide:</p><list list-type='alpha-lower'><list-item><p>lids;</p></list-item><list-item>\
        <label>z)</label><p>seals:</p><list list-type='dash'><list-item><p>dry</p><p>and clean;</p></list-item></list>\
        </list-item></list><p>End.</p>";
    assert_eq!(text(list), "Provide:\n\na) lids;\nz) seals:\n  — dry\n  and clean;\n\nEnd.");
    assert_eq!(text("<ul><li>a</li><li>b</li></ul>"), "• a\n• b");
}

#[test]
fn lists_and_notes_within_a_paragraph_interrupt_it() {
    let content = "<p>Use a<list list-type='bullet'><list-item><p>lid</p></list-item></list>or a seal.\
        <non-normative-note><p>Dry.</p></non-normative-note></p>";
    assert_eq!(text(content), "Use a\n\n• lid\n\nor a seal.\n\nNOTE Dry.");
}

#[test]
fn notes_examples_and_warnings_are_labelled() {
    let content = "<non-normative-note><label>NOTE 1</label><p>a</p></non-normative-note>\
        <non-normative-note content-type='warning'><p>b</p></non-normative-note>\
        <non-normative-example><p>c</p></non-normative-example>";
    assert_eq!(text(content), "NOTE 1 a\n\nWARNING b\n\nEXAMPLE c");
}

#[test]
fn tables_are_rows_of_cells_parted_by_tabs() {
    let table = "<table-wrap id='t'><label>Table 1</label><caption><title>Sizes</title></caption><table>\
        <thead><tr><th/><th>Width</th></tr></thead><tbody><tr><td>A<fn id='f'><label>a</label><p>Outside.</p></fn></td>\
        <td><p>1</p><p>2</p></td></tr><tr><td/><td/></tr><tr><td><list list-type='dash'><list-item><p>x</p></list-item>\
        <list-item><p>y</p></list-item></list></td><td>3</td></tr></tbody></table><table-wrap-foot>\
        <fn><label>b</label><p>Inside.</p></fn></table-wrap-foot></table-wrap>";
    assert_eq!(text(table), "Table 1 — Sizes\n\n\tWidth\nA^a\t1 2\n— x — y\t3\n\nb Inside.\n\na Outside.");
}

#[test]
fn cals_tables_read_like_xhtml_ones() {
    let rows = "<table-wrap><oasis:table xmlns:oasis='http://www.niso.org/standards/z39-96/ns/oasis-exchange/table'>\
        <oasis:tgroup cols='2'><oasis:colspec/><oasis:thead><oasis:row><oasis:entry>a</oasis:entry><oasis:entry>b\
        </oasis:entry></oasis:row></oasis:thead><oasis:tbody><oasis:row><oasis:entry>1</oasis:entry><oasis:entry>2\
        </oasis:entry></oasis:row></oasis:tbody></oasis:tgroup></oasis:table></table-wrap>";
    assert_eq!(text(rows), "a\tb\n1\t2");
}

#[test]
fn formulae_read_in_one_line() {
    let math =
        |inner: &str| text(&format!("<p><inline-formula><mml:math>{inner}</mml:math></inline-formula></p>"));
    let (a, b, c) = ("<mml:mi>a</mml:mi>", "<mml:mi>b</mml:mi>", "<mml:mi>c</mml:mi>");
    assert_eq!(math("<mml:msub><mml:mi>t</mml:mi><mml:mn>90</mml:mn></mml:msub>"), "t_90");
    assert_eq!(math("<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup>"), "x^2");
    let sum = format!("<mml:mrow>{a}<mml:mo>+</mml:mo>{b}</mml:mrow>");
    assert_eq!(math(&format!("<mml:mfrac>{sum}{c}</mml:mfrac>")), "(a + b)/c");
    assert_eq!(math(&format!("<mml:msqrt>{a}<mml:mo>−</mml:mo>{b}</mml:msqrt>")), "√(a − b)");
    assert_eq!(math(&format!("<mml:mroot>{a}<mml:mn>3</mml:mn></mml:mroot>")), "a^(1/3)");
    assert_eq!(math("<mml:mover><mml:mi>x</mml:mi><mml:mo>¯</mml:mo></mml:mover>"), "x\u{304}");
    assert_eq!(math(&format!("<mml:mfenced open='[' close=')'>{a}{b}</mml:mfenced>")), "[a, b)");
    let bounds = "<mml:munderover><mml:mo>∑</mml:mo><mml:mrow><mml:mi>i</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn>\
        </mml:mrow><mml:mi>n</mml:mi></mml:munderover><mml:mi>i</mml:mi>";
    assert_eq!(math(bounds), "∑_(i = 1)^n i");
    assert_eq!(math("<mml:mo>−</mml:mo><mml:mn>1</mml:mn>"), "−1");
    assert_eq!(
        math("<mml:semantics><mml:mi>q</mml:mi><mml:annotation>junk</mml:annotation></mml:semantics>"),
        "q"
    );
    assert_eq!(
        text("<p><inline-formula><math><mi>x</mi></math></inline-formula></p>"),
        "x",
        "without prefix"
    );
}

#[test]
fn one_of_several_renderings_is_read() {
    let both = "<mml:math><mml:mi>x</mml:mi></mml:math><tex-math>\\xi</tex-math>";
    assert_eq!(
        text(&format!("<p>a <inline-formula><alternatives>{both}</alternatives></inline-formula></p>")),
        "a x"
    );
    assert_eq!(text(&format!("<disp-formula>{both}<label>(1)</label></disp-formula>")), "x (1)");
    assert_eq!(text("<disp-formula><tex-math>y</tex-math><label>2</label></disp-formula>"), "y (2)");
    let table = "<table-wrap><alternatives><graphic xlink:href='t.png'/><table><tr><td>c</td></tr></table></alternatives></table-wrap>";
    assert_eq!(text(table), "c");
}

#[test]
fn a_display_formula_in_a_paragraph_does_not_end_it() {
    let content =
        "<p>Where <disp-formula><mml:math><mml:mi>x</mml:mi></mml:math></disp-formula> is large.</p>";
    assert_eq!(text(content), "Where\nx\nis large.");
}

#[test]
fn raised_and_lowered_text_reads_plainly() {
    let content = "<p>H<sub>2</sub>O, 10<sup>-3</sup> m<sup>2</sup>, the 1<sup>st</sup>, x<sub>i+1</sub>, Acme<sup>®</sup></p>";
    assert_eq!(text(content), "H_2O, 10^-3 m^2, the 1st, x_(i+1), Acme®");
}

#[test]
fn footnotes_leave_a_mark_and_stand_at_the_end_once() {
    let inline = "<p>Word<fn id='f1'><p>Body.</p></fn> on. <xref ref-type='fn' rid='f2'><sup>2)</sup></xref>\
        <fn id='f2'><label>2)</label><p>Second.</p></fn></p><p>Last.</p>";
    assert_eq!(text(inline), "Word^1) on.^2)\n\nLast.\n\n1) Body.\n\n2) Second.");
    let alien = "<p>Word<footnote><xref ref-type='fn' rid='f'><sup>1)</sup></xref><fn id='f'><label>1)</label><p>B.</p></fn></footnote>.</p>";
    assert_eq!(text(alien), "Word^1).\n\n1) B.");
}

#[test]
fn empty_cross_references_are_filled_from_their_targets() {
    let body = "<sec id='a'><label>4.2</label><p>See <xref ref-type='sec' rid='a'/>, <xref rid='f g'/>, <xref rid='no'/>.</p>\
        <fig id='f'><label>Figure 1</label><caption><title>Lid</title></caption></fig><fig id='g'><label>Figure 2</label></fig></sec>";
    assert_eq!(texts(body)[0], "4.2\n\nSee 4.2, Figure 1, Figure 2, .\n\nFigure 1 — Lid\n\nFigure 2");
    assert_eq!(common::codes(&read(&document(body))), ["dangling-reference"]);
}

#[test]
fn citations_read_without_identifiers_and_stray_space() {
    let content = "<p>See\n<std><std-id std-id-type='dated'>urn:x</std-id>\n<std-ref>ISO 712</std-ref>\n</std>, too.</p>";
    assert_eq!(text(content), "See ISO 712, too.");
    let cited = "<ref-list><ref><label>[1]</label><mixed-citation>A. Writer, <article-title>Boxes</article-title>, 1999\
        </mixed-citation></ref></ref-list>";
    assert_eq!(text(cited), "[1] A. Writer, Boxes, 1999");
}

#[test]
fn definition_lists_and_figures_with_keys_read_line_by_line() {
    let list = "<def-list><def-item><term>w</term><def><p>width</p></def></def-item><def-item><term>h</term><def><p>height</p></def>\
        </def-item></def-list>";
    assert_eq!(text(list), "w\twidth\nh\theight");
    assert_eq!(
        text(&format!(
            "<fig id='f'><label>Figure 1</label><caption><title>Lid</title></caption><graphic/>{list}</fig>"
        )),
        "Figure 1 — Lid\n\nw\twidth\nh\theight"
    );
}

#[test]
fn code_keeps_its_lines_and_index_marks_say_nothing() {
    assert_eq!(text("<preformat>a\n  b</preformat>"), "a\n  b");
    assert_eq!(
        text(
            "<p>Word<index-term><term>word</term></index-term> on<index-xref><primary>x</primary></index-xref>.</p>"
        ),
        "Word on."
    );
}

#[test]
fn words_marked_as_a_provision_stay_on_their_line() {
    let content = "<p>Note: <named-content content-type='requirement'>The lid shall shut.</named-content> Then rest.</p>";
    assert_eq!(text(content), "Note: The lid shall shut. Then rest.");
}

#[test]
fn elements_of_no_tag_set_pass_their_words_on() {
    assert_eq!(
        text("<p>a <bcp14>SHALL</bcp14> b <tt>c</tt></p><committee>d</committee>"),
        "a SHALL b c\n\nd"
    );
}

fn formula(inner: &str) -> String {
    text(&format!("<p><inline-formula><mml:math>{inner}</mml:math></inline-formula></p>"))
}

#[test]
fn one_space_parts_a_number_from_its_unit_in_a_formula() {
    for (inner, line) in [
        ("<mml:mn>5</mml:mn><mml:mi mathvariant='normal'>m</mml:mi>", "5 m"),
        ("<mml:mn>5</mml:mn><mml:mi>mm</mml:mi>", "5 mm"),
        ("<mml:mn>5</mml:mn><mml:mtext>g</mml:mtext>", "5 g"),
        ("<mml:mn>20</mml:mn><mml:mi>°C</mml:mi>", "20 °C"),
        ("<mml:mn>20</mml:mn><mml:mo>°</mml:mo><mml:mi>C</mml:mi>", "20 °C"),
        ("<mml:mn>20</mml:mn><mml:mo>&#x2062;</mml:mo><mml:mtext>°C</mml:mtext>", "20 °C"),
        ("<mml:mn>50</mml:mn><mml:mo>%</mml:mo>", "50 %"),
        ("<mml:mn>50</mml:mn><mml:mi>%</mml:mi>", "50 %"),
        ("<mml:mn>45</mml:mn><mml:mo>°</mml:mo>", "45°"),
        ("<mml:mn>2</mml:mn><mml:mi>m</mml:mi>", "2m"),
        ("<mml:mn>2</mml:mn><mml:mi>π</mml:mi><mml:mi>r</mml:mi>", "2πr"),
        ("<mml:mn>2</mml:mn><mml:mi>C</mml:mi>", "2C"),
    ] {
        assert_eq!(formula(inner), line, "{inner}");
    }
}

#[test]
fn signs_are_spaced_as_operators_wherever_they_are_written() {
    assert_eq!(
        formula("<mml:mi>a</mml:mi><mml:mi>=</mml:mi><mml:mi>b</mml:mi><mml:mi>+</mml:mi><mml:mi>c</mml:mi>"),
        "a = b + c"
    );
    assert_eq!(formula("<mml:mi>−</mml:mi><mml:mi>c</mml:mi>"), "−c");
}

#[test]
fn bars_of_an_absolute_value_are_at_what_they_hold() {
    let (x, y) = ("<mml:mi>x</mml:mi>", "<mml:mi>y</mml:mi>");
    let bar = "<mml:mo>|</mml:mo>";
    let absolute = format!("<mml:mrow>{bar}{x}{bar}</mml:mrow>");
    let difference = format!("{bar}{x}<mml:mo>−</mml:mo>{y}{bar}");
    for (inner, line) in [
        (format!("{difference}<mml:mo>≠</mml:mo><mml:mn>0</mml:mn>"), "|x − y| ≠ 0"),
        (format!("{absolute}<mml:mo>+</mml:mo>{difference}"), "|x| + |x − y|"),
        (format!("<mml:mfrac>{y}{absolute}</mml:mfrac>"), "y/|x|"),
        (format!("<mml:msup>{absolute}<mml:mn>2</mml:mn></mml:msup>"), "|x|^2"),
        (format!("<mml:mi>p</mml:mi><mml:mo>(</mml:mo>{x}{bar}{y}<mml:mo>)</mml:mo>"), "p(x | y)"),
    ] {
        assert_eq!(formula(&inner), line, "{inner}");
    }
}

#[test]
fn an_argument_of_several_terms_is_in_brackets() {
    let (x, y) = ("<mml:mi>x</mml:mi>", "<mml:mi>y</mml:mi>");
    let sine = "<mml:mi>sin</mml:mi><mml:mo>\u{2061}</mml:mo>";
    let sum = format!("{x}<mml:mo>+</mml:mo>{y}");
    assert_eq!(formula(&format!("{sine}<mml:mrow>{sum}</mml:mrow>")), "sin(x + y)");
    assert_eq!(formula(&format!("{sine}{sum}")), "sin x + y");
    assert_eq!(formula(&format!("{sine}<mml:mrow><mml:mi>ω</mml:mi>{x}</mml:mrow>")), "sin ωx");
    assert_eq!(
        formula(&format!("{sine}<mml:mrow><mml:mo>(</mml:mo>{sum}<mml:mo>)</mml:mo></mml:mrow>")),
        "sin(x + y)"
    );
}

#[test]
fn invisible_characters_are_gone() {
    assert_eq!(text("<p>A\u{200b}lid\u{feff} is\u{2060} new. \u{200b}</p>"), "Alid is new.");
    assert_eq!(formula("<mml:mi>a\u{2062}b</mml:mi><mml:mo>\u{2061}</mml:mo><mml:mi>c</mml:mi>"), "ab c");
}

#[test]
fn empty_cells_of_spans_keep_the_columns_aligned() {
    let table = "<table-wrap><table><tbody><tr><td rowspan='2'>a</td><td colspan='2'>b</td><td>c</td></tr>\
        <tr><td>d</td><td>e</td><td>f</td></tr><tr><td>g</td><td rowspan='2'>h</td><td>i</td><td>j</td></tr>\
        <tr><td>k</td><td>l</td></tr></tbody></table></table-wrap>";
    assert_eq!(text(table), "a\tb\t\tc\n\td\te\tf\ng\th\ti\tj\nk\t\tl");
}

#[test]
fn a_note_that_says_what_it_is_gets_no_second_label() {
    let note = |words: &str| text(&format!("<non-normative-note><p>{words}</p></non-normative-note>"));
    assert_eq!(note("NOTE 1 The lid is new."), "NOTE 1 The lid is new.");
    assert_eq!(note("Note: the lid is new."), "Note: the lid is new.");
    assert_eq!(note("Note that the lid is new."), "NOTE Note that the lid is new.");
    let entry = |words: &str| {
        let entry = format!(
            "<term-sec><label>3.1</label><tbx:termEntry id='t'><tbx:langSet xml:lang='en'><tbx:definition>d</tbx:definition>\
             <tbx:note>{words}</tbx:note><tbx:tig><tbx:term>lid</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec>"
        );
        texts(&format!("<sec id='s'><title>Terms</title>{entry}</sec>")).concat()
    };
    assert!(entry("NOTE 1 It is new.").ends_with("\n\nNOTE 1 It is new."));
    assert!(entry("Note 2 to entry: It is new.").ends_with("\n\nNote 2 to entry: It is new."));
    assert!(entry("Notes are new.").ends_with("\n\nNote 1 to entry: Notes are new."));
}
