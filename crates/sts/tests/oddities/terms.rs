//! Oddities of terms: entries outside their sections, in many languages, as lists, displays, tables.

use norma_model::{DesignationStatus, Term};
use norma_sts::Extraction;

use crate::common::{document, read};

fn clause(content: &str) -> Extraction {
    read(&document(&format!("<sec id='s' sec-type='terms'><label>3</label>{content}</sec>")))
}

fn entry(inner: &str) -> Term {
    let content =
        format!("<term-sec><label>3.1</label><tbx:termEntry id='t'>{inner}</tbx:termEntry></term-sec>");
    clause(&content).edition.terms[0].clone()
}

fn words(term: &Term) -> Vec<&str> {
    term.designations.iter().map(|d| d.text.as_str()).collect()
}

#[test]
fn one_entry_holds_many_languages_with_all_their_members() {
    let languages = ["de", "en", "es", "fr", "it", "nl", "ru", "sv"];
    let set = |l: &&str| {
        format!(
            "<tbx:langSet xml:lang='{l}'><tbx:definition>def {l}</tbx:definition><tbx:note>note {l}</tbx:note><tbx:example>ex {l}\
             </tbx:example><tbx:source>src {l}</tbx:source><tbx:subjectField>field {l}</tbx:subjectField><tbx:tig><tbx:term>term {l}\
             </tbx:term></tbx:tig></tbx:langSet>"
        )
    };
    let term = entry(&languages.iter().map(set).collect::<String>());
    let texts = |all: &[norma_model::TermText]| {
        all.iter().map(|t| format!("{} {}", t.language, t.text)).collect::<Vec<_>>()
    };
    let expected = |word: &str| languages.iter().map(|l| format!("{l} {word} {l}")).collect::<Vec<_>>();
    assert_eq!(texts(&term.notes), expected("note"));
    assert_eq!(texts(&term.examples), expected("ex"));
    assert_eq!(texts(&term.sources), expected("src"));
    assert_eq!(texts(&term.domains), expected("field"));
    let definitions: Vec<String> =
        term.definitions.iter().map(|d| format!("{} {}", d.language, d.text)).collect();
    assert_eq!(definitions, expected("def"));
    let designations: Vec<String> =
        term.designations.iter().map(|d| format!("{} {}", d.language, d.text)).collect();
    assert_eq!(designations, expected("term"));
}

#[test]
fn designations_are_preferred_admitted_and_deprecated_and_say_what_they_are() {
    let tig = |word: &str, status: &str, sort: &str| {
        format!(
            "<tbx:tig><tbx:term>{word}</tbx:term><tbx:partOfSpeech value='noun'/><tbx:normativeAuthorization value='{status}'/>\
             <tbx:termType value='{sort}'/></tbx:tig>"
        )
    };
    let sets = [
        tig("a", "preferredTerm", "fullForm"),
        tig("b", "admittedTerm", "abbreviation"),
        tig("c", "deprecatedTerm", "variant"),
        tig("d", "admittedTerm-admn-sts", "symbol"),
        tig("e", "supersededTerm", "acronym"),
        "<tbx:ntig><tbx:termGrp><tbx:term>f</tbx:term></tbx:termGrp></tbx:ntig>".to_owned(),
    ];
    let term = entry(&format!("<tbx:langSet xml:lang='en'>{}</tbx:langSet>", sets.concat()));
    let said: Vec<_> =
        term.designations.iter().map(|d| (d.text.as_str(), d.status, d.kind.as_deref())).collect();
    use DesignationStatus::{Admitted, Deprecated, Preferred};
    assert_eq!(
        said,
        [
            ("a", Preferred, Some("fullForm")),
            ("b", Admitted, Some("abbreviation")),
            ("c", Deprecated, Some("variant")),
            ("d", Admitted, Some("symbol")),
            ("e", Deprecated, Some("acronym")),
            ("f", Preferred, None),
        ]
    );
    assert!(term.designations[..5].iter().all(|d| d.part_of_speech.as_deref() == Some("noun")));
}

#[test]
fn definitions_hold_formulae_lists_and_links() {
    for (definition, text) in [
        (
            "ratio<disp-formula><mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mfrac></mml:math></disp-formula>of both",
            "ratio\na/b\nof both",
        ),
        ("one of<list list-type='dash'><list-item><p>a</p></list-item></list>", "one of\n\n— a"),
        ("closed <tbx:entailedTerm target='t'>box</tbx:entailedTerm>", "closed box"),
        ("closed <tbx:entailedTerm>box</tbx:entailedTerm>", "closed box"),
        ("closed <tbx:entailedTerm target='nowhere'>box</tbx:entailedTerm>", "closed box"),
        ("closed <tbx:entailedTerm xtarget='#t'>box</tbx:entailedTerm>", "closed box"),
        ("closed <named-content content-type='term' xlink:href='#t'>box</named-content>", "closed box"),
    ] {
        let term = entry(&format!(
            "<tbx:langSet xml:lang='en'><tbx:definition>{definition}</tbx:definition><tbx:tig><tbx:term>x</tbx:term></tbx:tig>\
             </tbx:langSet>"
        ));
        assert_eq!(term.definitions[0].text, text, "{definition}");
        roxmltree::Document::parse(&term.definitions[0].xml).expect("it is well-formed alone");
    }
}

#[test]
fn links_to_terms_are_followed_by_any_of_their_attributes() {
    for link in [
        "<tbx:entailedTerm target='t'>it</tbx:entailedTerm>",
        "<tbx:entailedTerm xtarget='#t'>it</tbx:entailedTerm>",
        "<tbx:entailedTerm target='ts'>it</tbx:entailedTerm>",
        "<named-content content-type='term' xlink:href='#t'>it</named-content>",
        "<named-content content-type='term' rid='t'>it</named-content>",
    ] {
        let body = format!(
            "<sec sec-type='terms'><term-sec id='ts'><tbx:termEntry id='t'><tbx:langSet xml:lang='en'><tbx:tig><tbx:term>crate</tbx:term>\
             </tbx:tig></tbx:langSet></tbx:termEntry></term-sec></sec><sec><label>4</label><p>The lid of {link} shall close.</p></sec>"
        );
        assert_eq!(*read(&document(&body)).edition.provisions[0].terms, [0], "{link}");
    }
}

#[test]
fn entries_stand_outside_sections_of_terms() {
    let alone = "<sec><label>3.7</label><tbx:termEntry><tbx:langSet><tbx:tig><tbx:term>box</tbx:term></tbx:tig></tbx:langSet>\
        </tbx:termEntry></sec>";
    let edition = read(&document(alone)).edition;
    assert_eq!((words(&edition.terms[0]), edition.terms[0].number.as_deref()), (vec!["box"], Some("3.7")));
    let loose = "<tbx:termEntry><tbx:langSet><tbx:tig><tbx:term>box</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry>";
    let edition = read(&document(&loose.repeat(2))).edition;
    assert_eq!(
        (edition.terms.len(), edition.terms[1].number.as_deref(), edition.sections.len()),
        (2, None, 1)
    );
    let (first, second) = (&edition.terms[0], &edition.terms[1]);
    assert!(first.id != second.id && first.section == 0);
}

#[test]
fn terms_of_a_terms_clause_may_be_items_of_definition_lists_or_follow_a_table() {
    let items = "<def-list><def-item id='d'><term>w</term><term>W</term><def><p>width</p></def></def-item><def-item><term/><def>\
        <p>of nothing</p></def></def-item></def-list>";
    let content = format!(
        "<table-wrap><table><tr><td>first</td></tr></table></table-wrap><term-sec><label>3.1</label><tbx:termEntry><tbx:langSet>\
         <tbx:tig><tbx:term>box</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec>{items}"
    );
    let extraction = clause(&content);
    let terms = &extraction.edition.terms;
    assert_eq!(terms.iter().map(words).collect::<Vec<_>>(), [vec!["box"], vec!["w", "W"], vec![]]);
    assert!(extraction.diagnostics.iter().any(|d| d.code == "empty-term"));
    let elsewhere = read(&document(&format!("<sec><label>4</label><title>Symbols</title>{items}</sec>")));
    assert!(elsewhere.edition.terms.is_empty(), "a list of symbols elsewhere is not a list of terms");
}

#[test]
fn a_term_display_is_shown_and_its_entry_still_a_term() {
    let content = "<term-sec><label>3.1</label><tbx:termEntry><tbx:langSet><tbx:definition>d</tbx:definition><tbx:tig><tbx:term>box\
        </tbx:term></tbx:tig></tbx:langSet></tbx:termEntry><term-display><p>box</p><p>d, shown</p></term-display></term-sec>\
        <term-sec><label>3.2</label><term-display><p>lid</p><p>top</p></term-display></term-sec>";
    let edition = clause(content).edition;
    assert_eq!(edition.sections[1].text, "3.1\n\nbox\n\nd, shown");
    assert_eq!(edition.sections[2].text, "3.2\n\nlid\n\ntop");
    assert_eq!(edition.terms.iter().map(words).collect::<Vec<_>>(), [["box"]]);
}

#[test]
fn what_else_an_entry_links_to_stays_in_text() {
    let set = "<tbx:langSet xml:lang='en'><tbx:tig><tbx:term>box</tbx:term></tbx:tig><tbx:see target='x'>crate</tbx:see>\
        <tbx:crossReference target='y'>case</tbx:crossReference></tbx:langSet>";
    let content = format!("<term-sec><tbx:termEntry>{set}</tbx:termEntry></term-sec>");
    assert_eq!(clause(&content).edition.sections[1].text, "box\n\ncrate\n\ncase");
}

#[test]
fn what_is_above_the_languages_of_an_entry_is_data_of_the_term() {
    let term = entry(
        "<tbx:subjectField>doors</tbx:subjectField><tbx:note>First.</tbx:note><tbx:example>A gate.</tbx:example>\
         <tbx:xSource target='ISO 712'/><tbx:langSet xml:lang='en'><tbx:tig><tbx:term>knob</tbx:term>\
         <tbx:usageNote>In workshops.</tbx:usageNote></tbx:tig></tbx:langSet>",
    );
    let texts = |all: &[norma_model::TermText]| {
        all.iter().map(|t| format!("{} {}", t.language, t.text)).collect::<Vec<_>>()
    };
    assert_eq!(texts(&term.domains), ["en doors"]);
    assert_eq!(texts(&term.notes), ["en First.", "en In workshops."]);
    assert_eq!(texts(&term.examples), ["en A gate."]);
    assert_eq!(texts(&term.sources), ["en ISO 712"]);
}

#[test]
fn an_authorization_in_words_is_one_as_in_an_attribute() {
    let content = "<tbx:langSet xml:lang='en'><tbx:tig><tbx:term>knob</tbx:term>\
        <tbx:normativeAuthorization>deprecatedTerm</tbx:normativeAuthorization></tbx:tig></tbx:langSet>";
    assert_eq!(entry(content).designations[0].status, DesignationStatus::Deprecated);
    let section = format!("<term-sec><label>3.1</label><tbx:termEntry>{content}</tbx:termEntry></term-sec>");
    let text = &clause(&section).edition.sections[1].text;
    assert!(text.ends_with("DEPRECATED: knob"), "{text}");
}
