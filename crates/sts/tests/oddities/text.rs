//! Oddities of text: footnotes of all kinds, figures, tables, lists, formulae in unexpected positions.

use crate::common::{document, read, text};

fn table(text: &[(&str, &str)]) {
    for (content, expected) in text {
        assert_eq!(&self::text(content), expected, "{content}");
    }
}

#[test]
fn each_reference_to_a_footnote_without_label_has_its_mark() {
    let fn_ = |id: &str, words: &str| format!("<fn id='{id}'><p>{words}</p></fn>");
    let xref = |id: &str| format!("<xref ref-type='fn' rid='{id}'/>");
    let red = format!("<p>red{}.</p>", fn_("f1", "n"));
    for (content, expected) in [
        (format!("{red}<p>blue{}.</p>", xref("f1")), "red^1).\n\nblue^1).\n\n1) n"),
        (
            format!("{red}<p>blue{}.</p><p>green{}.</p>", fn_("f2", "m"), xref("f2")),
            "red^1).\n\nblue^2).\n\ngreen^2).\n\n1) n\n\n2) m",
        ),
        (format!("<p>blue{}.</p>{red}", xref("f1")), "blue^1).\n\nred^1).\n\n1) n"),
        (
            format!("{red}<table-wrap><table><tr><td>5{}</td></tr></table></table-wrap>", xref("f1")),
            "red^1).\n\n5 ^1)\n\n1) n",
        ),
    ] {
        assert_eq!(self::text(&content), expected, "{content}");
    }
}

#[test]
fn footnotes_are_inline_in_groups_under_tables_and_in_captions() {
    table(&[
        ("<p>a<fn><label>1)</label><p>n</p></fn> b</p>", "a^1) b\n\n1) n"),
        (
            "<p>a<xref ref-type='fn' rid='f'>1)</xref></p><fn-group><fn id='f'><label>1)</label><p>n</p></fn></fn-group>",
            "a^1)\n\n1) n",
        ),
        (
            "<fig><caption><title>Lid<xref ref-type='fn' rid='f'>a</xref></title><def-list list-type='footnotes'><def-item id='f'>\
             <term>a</term><def><p>n</p></def></def-item></def-list></caption></fig>",
            "Lid^a\n\na\tn",
        ),
        (
            "<table-wrap><table><tr><td>x<xref ref-type='table-fn' rid='f'/></td></tr></table><table-wrap-foot><fn id='f'><label>a\
             </label><p>n</p></fn></table-wrap-foot></table-wrap>",
            "x^a\n\na n",
        ),
    ]);
}

#[test]
fn a_footnote_without_label_goes_on_and_two_may_have_one_label() {
    table(&[
        (
            "<fn-group><fn><label>1)</label><p>one,</p></fn><fn><p>going on</p></fn><fn><label>1)</label><p>other</p></fn></fn-group>",
            "1) one,\n\ngoing on\n\n1) other",
        ),
        (
            "<p>a<fn><label>*</label><p>one</p></fn> b<fn><label>*</label><p>two</p></fn></p>",
            "a^* b^*\n\n* one\n\n* two",
        ),
        ("<p>a<fn><p>one</p></fn> b<fn><p>two</p></fn></p>", "a^1) b^2)\n\n1) one\n\n2) two"),
    ]);
}

#[test]
fn figures_stand_in_paragraphs_cells_and_examples_with_several_pictures_or_none() {
    let two = "<fig id='f'><label>Figure 1</label><caption><title>Lid</title></caption><graphic xlink:href='a'/><graphic \
        xlink:href='b.svg'/><graphic/></fig>";
    table(&[
        (&format!("<p>a{two}b</p>"), "a\n\nFigure 1 — Lid\n\nb"),
        (
            &format!("<table-wrap><table><tr><td>{two}</td><td>b</td></tr></table></table-wrap>"),
            "Figure 1 — Lid\tb",
        ),
        (
            &format!("<non-normative-example>{two}<p>b</p></non-normative-example>"),
            "EXAMPLE Figure 1 — Lid\n\nb",
        ),
        (&format!("<fig-group><label>Figure 1</label>{two}</fig-group>"), "Figure 1\n\nFigure 1 — Lid"),
    ]);
    let edition = read(&document(&format!("<sec><p>a{two}b</p></sec>"))).edition;
    assert_eq!(edition.graphics.len(), 3);
    assert!(edition.graphics.iter().all(|g| g.figure_id.as_deref() == Some("f")));
}

#[test]
fn keys_are_arrays_tables_lists_or_notes() {
    let rows = "<table><tr><td>1</td><td>lid</td></tr></table>";
    let item = "<def-list><def-item><term>1</term><def><p>lid</p></def></def-item></def-list>";
    for key in [
        format!("<array>{rows}</array>"),
        format!("<table-wrap content-type='fig-index'>{rows}</table-wrap>"),
        item.to_owned(),
        format!("<legend>{item}</legend>"),
        format!("<p>{item}</p>"),
    ] {
        assert_eq!(text(&format!("<fig><label>Figure 1</label>{key}</fig>")), "Figure 1\n\n1\tlid", "{key}");
    }
    table(&[
        (
            "<table-wrap><table><tr><td>a</td></tr></table><table-wrap-foot><fn><p>1 lid</p></fn></table-wrap-foot></table-wrap>",
            "a\n\n1 lid",
        ),
        (
            "<table-wrap><table><tr><td>a</td></tr><tr><td>Key 1 lid</td></tr></table></table-wrap>",
            "a\nKey 1 lid",
        ),
        ("<fig><non-normative-note><label>Key</label><p>1 lid</p></non-normative-note></fig>", "Key 1 lid"),
    ]);
}

#[test]
fn cells_hold_lists_formulae_notes_paragraphs_and_bare_text() {
    let cell = |inner: &str| {
        format!(
            "<table-wrap><table><col char='' charoff=''/><tr><td colspan='two' border='x'>{inner}</td><td>z</td></tr></table></table-wrap>"
        )
    };
    for (inner, expected) in [
        (
            "<list list-type='bullet'><list-item><p>a</p></list-item><list-item><p>b</p></list-item></list>",
            "• a • b\tz",
        ),
        (
            "<inline-formula><mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></inline-formula>",
            "x^2\tz",
        ),
        ("<p>a</p>b<p>c</p>", "a b c\tz"),
        ("<non-normative-note><p>a</p></non-normative-note>", "NOTE a\tz"),
        ("a<break/>b", "a b\tz"),
        ("", "\tz"),
    ] {
        assert_eq!(text(&cell(inner)), expected, "{inner}");
    }
    let heads = "<table-wrap><table><thead><tr><th/><th/><th>w</th></tr></thead><tbody><tr><th>a</th><td/><td>1</td></tr></tbody></table></table-wrap>";
    assert_eq!(text(heads), "\t\tw\na\t\t1");
}

#[test]
fn tables_stand_in_paragraphs_figures_notes_and_examples() {
    let t = "<table-wrap><label>Table 1</label><table><tr><td>a</td></tr></table></table-wrap>";
    table(&[
        (&format!("<p>x{t}y</p>"), "x\n\nTable 1\n\na\n\ny"),
        (&format!("<fig>{t}</fig>"), "Table 1\n\na"),
        (&format!("<non-normative-note>{t}</non-normative-note>"), "NOTE Table 1\n\na"),
        ("<array><table><tr><td>a</td><td>b</td></tr></table></array>", "a\tb"),
    ]);
}

#[test]
fn lists_have_many_types_and_labels_given_or_not() {
    for (kind, label) in [
        ("bullet", "• "),
        ("dash", "— "),
        ("simple", ""),
        ("none", ""),
        ("order", "1) "),
        ("ordered", "1) "),
        ("arabic", "1) "),
        ("alphabet", "a) "),
        ("alpha-lower", "a) "),
        ("loweralpha", "a) "),
        ("roman-lower", "i) "),
    ] {
        let list = format!(
            "<list list-type='{kind}'><list-item><p>x</p></list-item><list-item><label>–</label><p>y</p></list-item></list>"
        );
        assert_eq!(text(&list), format!("{label}x\n– y"), "{kind}");
    }
}

#[test]
fn paragraphs_are_empty_or_broken_by_lists_notes_and_formulae() {
    table(&[
        ("<p/><p>a</p><p> </p><p><bold/></p><p>b</p>", "a\n\nb"),
        ("<p>a <list><list-item><p>b</p></list-item></list> c</p>", "a\n\n• b\n\nc"),
        ("<p>a<disp-formula><tex-math>x</tex-math></disp-formula>b</p>", "a\nx\nb"),
        ("<p>a <non-normative-note><p>b</p></non-normative-note> c</p>", "a\n\nNOTE b\n\nc"),
    ]);
}

#[test]
fn empty_cross_references_say_what_they_point_at_and_others_what_they_say() {
    let target = "<fig id='f'><label>Figure 1</label></fig>";
    table(&[
        (&format!("<p>See <xref rid='f'/>.</p>{target}"), "See Figure 1.\n\nFigure 1"),
        (&format!("<p>See <xref rid='f'> Fig. 1 </xref>.</p>{target}"), "See Fig. 1 .\n\nFigure 1"),
        ("<p>See <xref rid='none'/>.</p>", "See ."),
        ("<p>See <xref/>.</p>", "See ."),
        ("<p>See <xref>that</xref>.</p>", "See that."),
    ]);
}

#[test]
fn formulae_come_without_prefix_without_operands_or_with_their_picture() {
    let math =
        |inner: &str| text(&format!("<p><inline-formula><mml:math>{inner}</mml:math></inline-formula></p>"));
    assert_eq!(math("<mml:mroot><mml:mi>x</mml:mi></mml:mroot>"), "x^(1/2)");
    assert_eq!(math("<mml:msup><mml:mrow/><mml:mn>2</mml:mn></mml:msup>"), "^2");
    assert_eq!(math("<mml:mfrac><mml:mi>a</mml:mi></mml:mfrac>"), "a/");
    assert_eq!(math("<mml:msub/>"), "");
    table(&[
        (
            "<disp-formula><math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math></disp-formula>",
            "x",
        ),
        ("<disp-formula><math><mi>x</mi></math></disp-formula>", "x"),
    ]);
    let with_graphic = "<sec><disp-formula><mml:math><mml:mi>x</mml:mi></mml:math><graphic xlink:href='for-1'/></disp-formula></sec>";
    let edition = read(&document(with_graphic)).edition;
    assert_eq!((edition.sections[0].text.as_str(), edition.graphics.len()), ("x", 1));
}

#[test]
fn a_tex_source_is_read_without_its_preamble_and_one_rendering_of_several_is_written() {
    let tex = "<tex-math>\\documentclass[10pt]{article} \\usepackage{amssymb} \\begin{document} $$v = \\frac{s}{t}$$ \\end{document}\
        </tex-math>";
    let math = "<mml:math><mml:mn>3</mml:mn><mml:mo>:</mml:mo><mml:mn>2</mml:mn></mml:math>";
    let formula =
        |content: &str| format!("<p>It shall be <inline-formula>{content}</inline-formula> here.</p>");
    table(&[
        (&formula(tex), "It shall be v = \\frac{s}{t} here."),
        (
            &formula(&format!("<alternatives>{tex}<inline-graphic xlink:href='f'/></alternatives>")),
            "It shall be v = \\frac{s}{t} here.",
        ),
        (&format!("<disp-formula><label>(2)</label>{tex}</disp-formula>"), "v = \\frac{s}{t} (2)"),
        (
            &formula(&format!("<alternatives><textual-form>3:2</textual-form></alternatives>{math}")),
            "It shall be 3 : 2 here.",
        ),
        (
            &formula(&format!("{math}<textual-form>3:2</textual-form><tex-math>3:2</tex-math>")),
            "It shall be 3 : 2 here.",
        ),
        (&formula(&format!("{math}, {math}")), "It shall be 3 : 2, 3 : 2 here."),
    ]);
}

#[test]
fn a_fraction_without_a_bar_is_no_division() {
    let fraction = |thickness: &str| {
        format!("<mml:mfrac linethickness='{thickness}'><mml:mi>m</mml:mi><mml:mn>2</mml:mn></mml:mfrac>")
    };
    let formula =
        |content: String| format!("<p><inline-formula><mml:math>{content}</mml:math></inline-formula></p>");
    let enclosed = |inner: &str| format!("<mml:mo>(</mml:mo><mml:mrow>{inner}</mml:mrow><mml:mo>)</mml:mo>");
    table(&[
        (&formula(enclosed(&fraction("0"))), "(m choose 2)"),
        (&formula(enclosed(&fraction("0.0ex"))), "(m choose 2)"),
        (&formula(format!("<mml:mfenced>{}</mml:mfenced>", fraction("0pt"))), "(m choose 2)"),
        (&formula(enclosed(&fraction("2pt"))), "(m/2)"),
        (&formula(enclosed(&fraction("thin"))), "(m/2)"),
        (
            &formula(format!(
                "<mml:munder><mml:mo>∑</mml:mo>{}</mml:munder><mml:mi>x</mml:mi>",
                fraction("0")
            )),
            "∑_(m, 2) x",
        ),
    ]);
}

#[test]
fn a_footnote_shows_its_mark_where_no_reference_next_to_it_does() {
    let note = "<fn id='f'><label>a)</label><p>In summer.</p></fn>";
    let mark = "<xref ref-type='fn' rid='f'>a)</xref>";
    table(&[
        (
            &format!("<p>The lid is red{note}.</p><p>The box is blue{mark}.</p>"),
            "The lid is red^a).\n\nThe box is blue^a).\n\na) In summer.",
        ),
        (&format!("<p>red{note} and blue{mark}.</p>"), "red^a) and blue^a).\n\na) In summer."),
        (&format!("<p>red{mark} and blue{note}.</p>"), "red^a) and blue^a).\n\na) In summer."),
        (&format!("<p>red{mark}{note}.</p>"), "red^a).\n\na) In summer."),
        (&format!("<p>red{note}{mark}.</p>"), "red^a).\n\na) In summer."),
        (&format!("<p>red{mark} and blue. {note}</p>"), "red^a) and blue.\n\na) In summer."),
        (&format!("<p>red{mark}.</p><p>{note}</p>"), "red^a).\n\na) In summer."),
        (&format!("<p>red{mark}.</p>{note}"), "red^a).\n\na) In summer."),
    ]);
}

#[test]
fn a_list_goes_on_from_another_and_its_items_are_named_by_references_without_words() {
    let content = "<p>See <xref rid='i'/> and <xref rid='k'/>.</p>\
        <list id='l' list-type='order'><list-item><p>wash</p><list list-type='alpha-lower'><list-item><p>in air</p></list-item>\
        </list></list-item><list-item><p>dry</p></list-item></list><p>Wait.</p>\
        <list id='m' list-type='order' continued-from='l'><list-item><p>weigh</p></list-item><list-item id='i'><p>pack</p></list-item>\
        </list><list list-type='order' continued-from='m'><list-item><p>ship</p></list-item></list>\
        <list continued-from='absent' list-type='alpha-lower'><list-item/><list-item id='k'><p>pay</p></list-item></list>";
    let expected = "See 4) and b).\n\n1) wash\n  a) in air\n2) dry\n\nWait.\n\n3) weigh\n4) pack\n\n5) ship\n\na)\nb) pay";
    assert_eq!(text(content), expected);
}

#[test]
fn a_list_that_goes_on_from_itself_or_a_later_one_begins_anew() {
    let list = |id: &str, from: &str| {
        format!(
            "<list id='{id}' list-type='order' continued-from='{from}'><list-item><p>x</p></list-item></list>"
        )
    };
    let content = [list("a", "a"), list("b", "c"), list("c", "b")].concat();
    assert_eq!(text(&content), "1) x\n\n1) x\n\n2) x");
}

#[test]
fn lines_of_an_equation_are_no_matrix_and_the_label_of_a_row_is_no_element() {
    let cell = |content: &str| format!("<mml:mtd>{content}</mml:mtd>");
    let y = cell("<mml:mi>y</mml:mi>");
    let sum = cell("<mml:mo>=</mml:mo><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mi>b</mml:mi>");
    let c = cell("<mml:mo>=</mml:mo><mml:mi>c</mml:mi>");
    let empty = cell("");
    let lines = format!("<mml:mtable><mml:mtr>{y}{sum}</mml:mtr><mml:mtr>{empty}{c}</mml:mtr></mml:mtable>");
    let labelled = format!(
        "<mml:mtable><mml:mlabeledtr>{}{y}{c}</mml:mlabeledtr></mml:mtable>",
        cell("<mml:mtext>(7)</mml:mtext>")
    );
    let matrix = format!("<mml:mtable><mml:mtr>{y}{y}</mml:mtr><mml:mtr>{y}{y}</mml:mtr></mml:mtable>");
    let formula =
        |content: &str| format!("<p><inline-formula><mml:math>{content}</mml:math></inline-formula></p>");
    table(&[
        (&formula(&lines), "y = a + b; = c"),
        (&formula(&labelled), "y = c (7)"),
        (&formula(&matrix), "[y, y; y, y]"),
        (&formula(&format!("<mml:mfenced>{matrix}</mml:mfenced>")), "([y, y; y, y])"),
        (&formula(&format!("<mml:mo>{{</mml:mo><mml:mrow>{lines}</mml:mrow>")), "{[y, =a + b; , =c]"),
    ]);
}

#[test]
fn a_character_of_the_publisher_shows_the_alternative_text_of_its_picture() {
    let key = "<inline-graphic xlink:href='k'><alt-text>the green key</alt-text></inline-graphic>";
    table(&[
        (&format!("<p>Press <private-char>{key}</private-char> twice.</p>"), "Press the green key twice."),
        (&format!("<p>Press {key} twice.</p>"), "Press twice."),
    ]);
}
