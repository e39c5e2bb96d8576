//! Oddities of structure: sections without label, title or id, repeated ids, collections, annexes of
//! adoptions.

use norma_model::SectionKind;

use crate::common::{META, document, read};

/// Number or `-`, title or `-`, level of each section.
fn outline(body: &str) -> Vec<(String, String, u16)> {
    let or = |text: &Option<Box<str>>| text.as_deref().unwrap_or("-").to_owned();
    let edition = read(&document(body)).edition;
    edition.sections.iter().map(|s| (or(&s.number), or(&s.title), s.level)).collect()
}

fn row(number: &str, title: &str, level: u16) -> (String, String, u16) {
    (number.to_owned(), title.to_owned(), level)
}

#[test]
fn sections_lack_label_or_title_or_both() {
    let body = "<sec><label>4</label><sec><label>4.1</label><p>a</p></sec><sec><title> Hanging\n title</title></sec>\
        <sec><p>b</p></sec></sec>";
    assert_eq!(
        outline(body),
        [row("4", "-", 1), row("4.1", "-", 2), row("-", "Hanging title", 2), row("-", "-", 2)]
    );
}

#[test]
fn annexes_are_labelled_in_many_ways() {
    for (label, number) in [
        ("Annex A", "A"),
        ("A", "A"),
        ("Annex ZA", "ZA"),
        ("Annex NA", "NA"),
        ("Anhang ZA", "ZA"),
        ("Annexe\u{a0}B", "B"),
        ("annex a", "A"),
    ] {
        let back = format!(
            "</body><back><app-group><app id='sub-a'><label>{label}</label></app></app-group></back><body>"
        );
        assert_eq!(outline(&back)[0].0, number, "{label}");
    }
}

#[test]
fn the_type_of_an_annex_is_stated_in_many_ways() {
    for (app, normative) in [
        ("<app><annex-type>(informative)</annex-type></app>", false),
        ("<app><annex-type>(normative)</annex-type></app>", true),
        ("<app content-type='inform-annex'/>", false),
        ("<app content-type='norm-annex'/>", true),
        ("<app content-type='normative-annex'/>", true),
        ("<app content-type='information'/>", false),
        ("<app><label>Annex A (informative)</label></app>", false),
        ("<app><title>(informative) Tests</title></app>", false),
        ("<app><title><bold>Annex A</bold><break/>(informative)<break/>Tests</title></app>", false),
        ("<app><title>Tests (informative values)</title></app>", true),
        ("<app/>", true),
    ] {
        let back = format!("</body><back><app-group>{app}</app-group></back><body>");
        assert_eq!(read(&document(&back)).edition.sections[0].normative, normative, "{app}");
    }
}

#[test]
fn ids_repeat_change_and_lack_and_each_section_still_has_its_own() {
    let guid = "_82627e97-0000-4000-8000-000000000000";
    let body = format!(
        "<sec id='sec_A'><label>A</label></sec><sec id='sec_A'><label>A</label></sec><sec/><sec id=''/><sec id='{guid}'/><sec id='a b'/>"
    );
    let edition = read(&document(&body)).edition;
    let ids: Vec<&str> = edition.sections.iter().map(|s| s.id.as_str()).collect();
    assert_eq!(ids, ["A~1", "A~2", "clause~1", "clause~2", guid, "clause~3"]);
}

#[test]
fn codes_of_practice_are_parts_within_parts() {
    let part = |label: &str, inner: &str| {
        format!(
            "<sub-part id='p{label}'><std-meta><std-ref>SN {label}:2020</std-ref></std-meta><label>{label}</label><title>Part {label}\
             </title>{inner}</sub-part>"
        )
    };
    let paragraph = "<body><sec sec-type='paragraph'><label>1.1.1</label><p>See <ext-link xlink:href='fscxeditor://x/1'>there\
        </ext-link>.</p></sec></body><back><ref-list><title>Sources</title></ref-list></back>";
    let notes = "<notes specific-use='revision-desc'><p>Changed.</p></notes>";
    let body = part("1", &format!("<body>{}</body>{notes}", part("1.1", paragraph)));
    assert_eq!(
        outline(&body),
        [
            row("1", "Part 1", 1),
            row("1.1", "Part 1.1", 2),
            row("1.1.1", "-", 3),
            row("-", "Sources", 3),
            row("-", "-", 2)
        ]
    );
    let edition = read(&document(&body)).edition;
    assert_eq!(edition.urn.number(), "9999", "a part's own metadata is not the collection's");
    let texts: Vec<&str> = edition.sections.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["1 Part 1", "1.1 Part 1.1", "1.1.1\n\nSee there.", "Sources", "Changed."]);
    assert_eq!(edition.sections[2].kind, SectionKind::Clause);
}

#[test]
fn loose_content_between_sections_is_a_section_at_its_position() {
    let body =
        "lead<sec><label>1</label></sec><p>between</p><table-wrap/><sec><label>2</label></sec><!-- c -->tail";
    let edition = read(&document(body)).edition;
    let parts: Vec<(&str, &str)> =
        edition.sections.iter().map(|s| (s.number.as_deref().unwrap_or("-"), s.text.as_str())).collect();
    assert_eq!(parts, [("-", "lead"), ("1", "1"), ("-", "between"), ("2", "2"), ("-", "tail")]);
}

#[test]
fn a_root_of_no_known_name_is_one_section_with_what_it_holds() {
    let source = format!("<doc>{META}<sec><p>a</p></sec><p>b</p></doc>");
    let texts: Vec<String> = read(&source).edition.sections.iter().map(|s| s.text.clone()).collect();
    assert_eq!(texts, ["b", "a"]);
}

#[test]
fn terms_sections_stand_in_tables_and_in_each_other() {
    let body = "<sec><label>3</label><table-wrap><table><tr><td>x<term-sec><label>3.1</label><tbx:termEntry><tbx:langSet><tbx:tig>\
        <tbx:term>box</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry><term-sec><label>3.1.1</label></term-sec></term-sec></td>\
        </tr></table></table-wrap></sec>";
    assert_eq!(outline(body), [row("3", "-", 1), row("3.1", "box", 2), row("3.1.1", "-", 3)]);
    let edition = read(&document(body)).edition;
    assert_eq!(edition.sections[0].text, "3\n\nx");
    assert_eq!(edition.terms[0].number.as_deref(), Some("3.1"));
}

#[test]
fn labels_of_any_language_have_their_number() {
    for (label, number) in [
        ("§ 4", "4"),
        ("Art. 4", "4"),
        ("Kap. 4", "4"),
        ("Cláusula 4", "4"),
        ("Глава 4", "4"),
        ("第4章", "4"),
        ("4\u{3000}", "4"),
    ] {
        let body = format!("<sec><label>{label}</label><title>T</title><p>a</p></sec>");
        assert_eq!(outline(&body)[0].0, number, "{label}");
    }
}
