//! Tests of sections, their ids, numbers and kinds, and that no text is lost.

mod common;

use common::{META, codes, document, read};
use norma_model::{Section, SectionKind};
use norma_sts::Extraction;

fn sections(source: &str) -> Vec<Section> {
    read(source).edition.sections.clone()
}

fn outline(source: &str) -> String {
    let line = |s: &Section| {
        let title = s.title.as_deref().unwrap_or("-");
        format!("{}{} {:?} {} {}\n", " ".repeat(usize::from(s.level) - 1), s.id, s.kind, s.normative, title)
    };
    sections(source).iter().map(line).collect()
}

#[test]
fn kinds_come_from_types_ids_titles_and_positions() {
    let source = format!(
        "<standard><front>{META}<sec id='sec_foreword'><title>Foreword</title></sec><sec><title>Introduction</title>\
         <sec><label>0.1</label></sec></sec><sec id='t' sec-type='titlepage'/></front><body>\
         <sec sec-type='scope'><label>1</label></sec><sec><label>2</label><title>Normative references</title></sec>\
         <sec><label>3</label><term-sec><label>3.1</label></term-sec></sec><sec><label>4</label><sec><label>4.1</label>\
         </sec></sec></body><back><app-group><app><label>Annex A</label><annex-type>(informative)</annex-type><sec>\
         <label>A.1</label></sec></app><app content-type='norm-annex'><label>B</label></app><app content-type='bibl'/>\
         </app-group><ref-list/><fn-group/><index/><ack><p>Thanks.</p></ack></back></standard>"
    );
    insta::assert_snapshot!(outline(&source));
}

#[test]
fn the_introduction_of_a_clause_or_annex_is_a_clause_and_binds() {
    let source = document(
        "<sec id='a'><label>4</label><sec id='b' sec-type='intro'><label>4.1</label><title>Introduction</title></sec>\
         <sec id='c' sec-type='scope'><label>4.2</label></sec></sec><sec id='d' sec-type='intro'/>",
    );
    let kinds: Vec<_> = sections(&source).iter().map(|s| (s.kind, s.normative)).collect();
    assert_eq!(
        kinds,
        [
            (SectionKind::Clause, true),
            (SectionKind::Clause, true),
            (SectionKind::Clause, true),
            (SectionKind::Introduction, false)
        ]
    );
}

#[test]
fn loose_content_becomes_a_section_within_a_copy_of_its_parents_start_tag() {
    let source = format!(
        "<standard xmlns:mml='http://www.w3.org/1998/Math/MathML'><front>{META}</front><body id='b' a='>'>One\
         <p>two</p><!-- note --><sec><p>three</p></sec><p><mml:math><mml:mi>x</mml:mi></mml:math></p></body></standard>"
    );
    let sections = sections(&source);
    let xml: Vec<&str> = sections.iter().map(|s| s.xml.as_str()).collect();
    let mml = "xmlns:mml=\"http://www.w3.org/1998/Math/MathML\"";
    assert_eq!(xml[0], "<body id='b' a='>'>One<p>two</p></body>");
    assert_eq!(xml[1], "<sec><p>three</p></sec>");
    assert_eq!(
        xml[2],
        format!("<body {mml} id='b' a='>'><p><mml:math><mml:mi>x</mml:mi></mml:math></p></body>")
    );
    assert_eq!([&sections[0].text, &sections[2].text], ["One\n\ntwo", "x"]);
}

#[test]
fn loose_text_in_several_pieces_stays_whole() {
    let source = document("<![CDATA[<]]>a<![CDATA[&]]><?pi?>b<![CDATA[c]]>d<sec/>");
    assert_eq!(sections(&source)[0].xml, "<body><![CDATA[<]]>a<![CDATA[&]]><?pi?>b<![CDATA[c]]>d</body>");
}

#[test]
fn nested_sections_leave_their_parent_wherever_they_stand() {
    let source =
        document("<sec id='a'>before<boxed-text><sec id='b'><p>in</p></sec></boxed-text><p>after</p></sec>");
    let sections = sections(&source);
    assert_eq!(sections[0].xml, "<sec id='a'>before<boxed-text></boxed-text><p>after</p></sec>");
    assert_eq!((sections[1].parent, sections[1].level), (Some(0), 2));
    assert_eq!(sections[0].text, "before\n\nafter");
}

#[test]
fn ids_that_repeat_or_break_selections_are_derived_and_the_source_id_is_retained() {
    let source = document(
        "<sec id='x'><label>1</label></sec><sec id='x'/><sec id='a;b'><label>2.</label></sec><sec/><sec id='clause~1'/>",
    );
    let extraction = read(&source);
    let ids: Vec<(&str, Option<&str>)> =
        extraction.edition.sections.iter().map(|s| (s.id.as_str(), s.source_id.as_deref())).collect();
    assert_eq!(
        ids,
        [
            ("1~1", Some("x")),
            ("clause~2", Some("x")),
            ("2~1", Some("a;b")),
            ("clause~3", None),
            ("clause~1", None)
        ]
    );
    assert_eq!(codes(&extraction), ["duplicate-id", "duplicate-id"]);
}

#[test]
fn collections_keep_their_parts_and_leave_their_metadata_out() {
    let source = document(
        "<sub-part><label>I</label><title>First</title><std-meta><std-ref>ISO 1:2000</std-ref></std-meta>\
         <body><sec id='s'><p>text</p></sec></body></sub-part>",
    );
    let sections = sections(&source);
    assert_eq!(sections[0].xml, "<sub-part><label>I</label><title>First</title><body></body></sub-part>");
    assert_eq!((sections[1].parent, sections[1].kind), (Some(0), SectionKind::Clause));
}

#[test]
fn prefixes_without_a_declaration_are_read_and_declared() {
    let body = "<sec><p><mml:math><mml:mi>x</mml:mi></mml:math><odd:thing>y</odd:thing></p></sec>";
    let source = format!("<standard><front>{META}</front><body>{body}</body></standard>");
    let extraction = read(&source);
    assert_eq!(codes(&extraction), ["undeclared-prefix", "undeclared-prefix"]);
    let xml = &extraction.edition.sections[0].xml;
    assert!(roxmltree::Document::parse(xml).is_ok() && xml.contains("xmlns:odd"), "{xml}");
    assert_eq!(extraction.edition.sections[0].text, "xy");
}

#[test]
fn a_document_in_a_default_namespace_reads_as_one_without() {
    let source =
        document("<sec id='s'><p>text</p></sec>").replace("<standard ", "<standard xmlns='urn:sts' ");
    assert_eq!(sections(&source)[0].xml, "<sec xmlns=\"urn:sts\" id='s'><p>text</p></sec>");
}

#[test]
fn comments_instructions_and_cdata_stay_in_the_markup() {
    let content = "<sec><?doi 1?><p>a<!-- b --><![CDATA[<c>&]]></p></sec>";
    let section = sections(&document(content)).remove(0);
    assert_eq!((section.xml.as_str(), section.text.as_str()), (content, "a<c>&"));
}

#[test]
fn line_breaks_of_either_kind_and_entities_of_a_subset_are_read() {
    let source = document("<sec><p>&th;\r\nrow &mdash; &amp;</p></sec>");
    let section = sections(&format!("<!DOCTYPE standard [<!ENTITY th 'head'>]>{source}")).remove(0);
    assert_eq!(section.text, "head row — &");
    assert_eq!(section.xml, "<sec><p>head\r\nrow — &amp;</p></sec>");
}

#[test]
fn metadata_alone_is_an_edition_without_sections() {
    let extraction = read(&format!("<standard><front>{META}</front></standard>"));
    assert!(extraction.edition.sections.is_empty());
    assert_eq!(codes(&extraction), ["no-content"]);
}

#[test]
fn depth_and_attributes_stop_at_their_limits() {
    let refused = |source: &str, limits| {
        let options = norma_sts::ExtractionOptions { limits, ..Default::default() };
        norma_sts::extract(source.as_bytes(), &options).map(|_| ()).map_err(|e| (e.code, e.line))
    };
    let limits = norma_sts::ExtractionLimits::default;
    let deep = document(&format!("\n{}{}", "<sec>".repeat(100_000), "</sec>".repeat(100_000)));
    assert_eq!(refused(&deep, limits()), Err(("too-deep", 2)));
    let wide = document(&format!("<sec id='{}'/>", "x".repeat(100)));
    assert_eq!(
        refused(&wide, norma_sts::ExtractionLimits { attribute_bytes: 99, ..limits() }),
        Err(("attribute-too-large", 1))
    );
    assert_eq!(
        refused(&wide, norma_sts::ExtractionLimits { nodes: 5, ..limits() }).map_err(|e| e.0),
        Err("too-many-nodes")
    );
    assert_eq!(refused("<a>\n<b></a>", limits()), Err(("not-well-formed", 2)));
}

#[test]
fn a_file_that_breaks_off_and_one_with_too_much_are_refused_where_they_break() {
    let refused = |source: &str| {
        let error = norma_sts::extract(source.as_bytes(), &norma_sts::ExtractionOptions::default())
            .expect_err(source);
        assert_eq!(error.code, "not-well-formed", "{source}");
        assert!(!error.hint.is_empty());
        (error.line, error.column, error.message)
    };
    let whole = document("\n<sec><p>The lid shall close.</p>\n</sec>");
    for (source, line, column, words) in [
        (
            "<standard>\n<body>\n  <sec>\n<p>Oak",
            4,
            7,
            "before `</p>`, the end of the element that begins at 4:1",
        ),
        ("<standard>\n<body>\n<sec", 3, 1, "the file ends before `>` closes"),
        ("<standard>\n<body>\n<sec id='a", 3, 1, "the file ends before `>` closes"),
        ("<standard>\n<!-- oak", 2, 1, "before `-->` closes"),
        ("<standard>\n<![CDATA[ oak", 2, 1, "before `]]>` closes"),
        ("<standard>\n</stand", 2, 1, "the file ends before `>` closes"),
        ("<standard/>\n <standard/>", 2, 2, "a second root element"),
        ("<standard/>\n </standard>", 2, 2, "an end tag has no start tag"),
        ("<standard/>\n  oak", 2, 3, "text is outside"),
        ("\n oak <standard/>", 2, 2, "text is outside"),
        ("\n<!-- oak -->\n", 1, 1, "the file has no element"),
    ] {
        let (at_line, at_column, message) = refused(source);
        assert!(message.contains(words), "{source}: {message}");
        assert_eq!((at_line, at_column), (line, column), "{source}: {message}");
    }
    let cut = &whole[..whole.find(" close").unwrap()];
    let (line, _, message) = refused(cut);
    assert_eq!(line as usize, cut.lines().count(), "{message}");
}

#[test]
fn titles_tell_a_terms_clause_and_its_subsections_inherit_it() {
    for (title, kind) in [
        ("Terminology", SectionKind::Terms),
        ("Glossary", SectionKind::Terms),
        ("Terms, definitions and abbreviated terms", SectionKind::Terms),
        ("Terms, definitions, symbols and units", SectionKind::Terms),
        ("Définitions et abréviations", SectionKind::Terms),
        ("Begriffe und Abkürzungen", SectionKind::Terms),
        ("Symbols and abbreviated terms", SectionKind::Clause),
        ("Terms and conditions", SectionKind::Clause),
        ("Use of terms", SectionKind::Clause),
    ] {
        let body = format!(
            "<sec id='t'><label>3</label><title>{title}</title><sec id='u'><label>3.1</label><title>Symbols</title><def-list>\
             <def-item><term>m</term><def><p>mass</p></def></def-item></def-list></sec><sec id='v'><label>3.2</label><title>Lids\
             </title><def-list><def-item><term>lid</term><def><p>top</p></def></def-item></def-list><table-wrap><table><tr><td>\
             <def-list><def-item><term>k</term><def><p>key</p></def></def-item></def-list></td></tr></table></table-wrap></sec></sec>"
        );
        let edition = read(&document(&body)).edition;
        let kinds: Vec<SectionKind> = edition.sections.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [kind, SectionKind::Clause, kind], "{title}");
        let terms: Vec<&str> = edition.terms.iter().map(|t| t.designations[0].text.as_str()).collect();
        let expected: &[&str] = if kind == SectionKind::Terms { &["lid"] } else { &[] };
        assert_eq!(terms, expected, "{title}");
    }
}

#[test]
fn a_number_that_was_typed_into_a_title_is_the_number_where_it_fits() {
    let numbers = |body: &str| -> Vec<String> {
        let source = format!("<standard><front>{META}</front><body>{body}</body></standard>");
        let sections = read(&source).edition.sections.clone();
        sections.iter().map(|section| section.number.as_deref().unwrap_or("-").to_owned()).collect()
    };
    let sec = |title: &str, rest: &str| format!("<sec><title>{title}</title><p>Text.</p>{rest}</sec>");
    let labelled = |rest: &str| format!("<sec><label>4</label><title>Loads</title>{rest}</sec>");
    for (body, found) in [
        (labelled(&sec("4.2 Loads", "")), vec!["4", "4.2"]),
        (labelled(&sec("3.5 Volt plugs", "")), vec!["4", "-"]),
        (sec("4.2 Loads", ""), vec!["4.2"]),
        (sec("4.2. Loads", ""), vec!["4.2"]),
        (sec("3.5 mm plugs", ""), vec!["-"]),
        (sec("2 Stroke engines", ""), vec!["-"]),
        (format!("{}{}", sec("4 Loads", &sec("4.1 Wind", "")), sec("5 Marks", "")), vec!["4", "4.1", "5"]),
        (format!("{}{}", labelled(""), sec("5 Star hotels", "")), vec!["4", "-"]),
    ] {
        assert_eq!(numbers(&body), found, "{body}");
    }
}

#[test]
fn texts_that_go_on_too_often_stay_together_and_are_reported() {
    let body = "<sec id='a'><label>4</label><p>One.</p><sec id='b'><p>Two.</p></sec><p>Three.</p></sec>\
        <sec id='c'><label>5</label><p>Four.</p><sec id='d'><p>Five.</p></sec><p>Six.</p></sec>";
    let read = |interrupted_bytes: usize| {
        let limits = norma_sts::ExtractionLimits { interrupted_bytes, ..Default::default() };
        let options = norma_sts::ExtractionOptions { limits, ..Default::default() };
        norma_sts::extract(document(body).as_bytes(), &options).expect("the document is read")
    };
    // Each text is read again once, and both have less than 40 bytes.
    let (all, first) = (read(80), read("4\n\nOne.\n\nThree.".len()));
    let within = |extraction: &Extraction| -> Vec<usize> {
        extraction.edition.interruptions.iter().map(|one| one.section).collect()
    };
    assert_eq!((within(&all), codes(&all)), (vec![1, 3], vec![]));
    assert_eq!((within(&first), codes(&first)), (vec![1], vec!["interrupted-text"]));
    let texts = |extraction: &Extraction| -> Vec<String> {
        extraction.edition.sections.iter().map(|section| section.text.clone()).collect()
    };
    assert_eq!(texts(&all), texts(&first));
}

#[test]
fn clauses_are_known_by_their_titles_in_each_language_that_has_a_file() {
    for (language, titles, annex, status) in [
        (
            "es",
            ["Objeto y campo de aplicación", "Referencias normativas", "Términos y definiciones"],
            "Anexo A",
            "(informativo)",
        ),
        (
            "it",
            ["Scopo e campo di applicazione", "Riferimenti normativi", "Termini e definizioni"],
            "Appendice A",
            "(informativa)",
        ),
        (
            "nl",
            ["Onderwerp en toepassingsgebied", "Normatieve verwijzingen", "Termen en definities"],
            "Bijlage A",
            "(informatief)",
        ),
        (
            "sv",
            ["Omfattning", "Normativa hänvisningar", "Termer och definitioner"],
            "Bilaga A",
            "(informativ)",
        ),
        ("no", ["Omfang", "Normative referanser", "Termer og definisjoner"], "Tillegg A", "(informativt)"),
        (
            "da",
            ["Anvendelsesområde", "Normative referencer", "Termer og definitioner"],
            "Anneks A",
            "(informativt)",
        ),
        ("fi", ["Soveltamisala", "Viittaukset", "Termit ja määritelmät"], "Liite A", "(opastava)"),
        ("pt", ["Escopo", "Referências normativas", "Termos e definições"], "Anexo A", "(informativo)"),
        (
            "pl",
            ["Zakres normy", "Powołania normatywne", "Terminy i definicje"],
            "Załącznik A",
            "(informacyjny)",
        ),
        ("cs", ["Předmět normy", "Citované dokumenty", "Termíny a definice"], "Příloha A", "(informativní)"),
        (
            "hu",
            ["Alkalmazási terület", "Rendelkező hivatkozások", "Szakkifejezések"],
            "A melléklet",
            "(tájékoztató)",
        ),
        ("tr", ["KAPSAM", "Bağlayıcı atıflar", "TERİMLER VE TARİFLER"], "Ek A", "(bilgi için)"),
        (
            "el",
            ["Αντικείμενο", "Κανονιστικές παραπομπές", "Όροι και ορισμοί"],
            "Παράρτημα Α",
            "(πληροφοριακό)",
        ),
        (
            "bg",
            ["Обект и област на приложение", "Нормативни позовавания", "Термини и определения"],
            "Приложение А",
            "(информационно)",
        ),
        (
            "uk",
            ["Сфера застосування", "Нормативні посилання", "Терміни та визначення понять"],
            "Додаток А",
            "(довідковий)",
        ),
        ("ja", ["適用範囲", "引用規格", "用語及び定義"], "附属書A", "（参考）"),
        ("ko", ["적용범위", "인용표준", "용어와 정의"], "부속서 A", "(참고)"),
        ("zh", ["范围", "规范性引用文件", "术语和定义"], "附录A", "（资料性）"),
        ("ar", ["مجال التطبيق", "المراجع المعيارية", "مصطلحات معرفة"], "ملحق A", "(إخباري)"),
        ("et", ["Käsitlusala", "Normiviited", "Terminid ja määratlused"], "Lisa A", "(teatmelisa)"),
    ] {
        let mut body = String::new();
        for (number, title) in (1..).zip(titles) {
            body += &format!("<sec><label>{number}</label><title>{title}</title><p>x</p></sec>");
        }
        let back = format!(
            "</body><back><app-group><app><label>{annex}</label><annex-type>{status}</annex-type><title>X</title></app>\
             <app><title>{annex} {status} X</title></app></app-group></back>"
        );
        let source = document(&body)
            .replace("<content-language>en", &format!("<content-language>{language}"))
            .replace("</body>", &back);
        let read = read(&source);
        let kinds: Vec<_> =
            read.edition.sections.iter().map(|section| (section.kind, section.normative)).collect();
        let expected = [
            (SectionKind::Scope, true),
            (SectionKind::NormativeReferences, true),
            (SectionKind::Terms, true),
            (SectionKind::Annex, false),
            (SectionKind::Annex, false),
        ];
        assert_eq!(kinds, expected, "{language}");
    }
}

#[test]
fn annexes_that_say_nothing_in_a_known_word_bind_and_one_diagnostic_names_them() {
    let app = |id: &str, status: &str| {
        format!(
            "<app id='{id}'><label>Annex {id}</label><annex-type>{status}</annex-type><title>X</title></app>"
        )
    };
    let back = format!(
        "</body><back><app-group>{}{}{}</app-group></back>",
        app("A", "(faisnéiseach)"),
        app("B", ""),
        app("C", "(informative)")
    );
    let read = read(&document("<sec><p>x</p></sec>").replace("</body>", &back));
    let normative: Vec<bool> =
        read.edition.sections.iter().skip(1).map(|section| section.normative).collect();
    assert_eq!(normative, [true, true, false]);
    let said: Vec<_> = read.diagnostics.iter().filter(|d| d.code == "annex-without-type").collect();
    assert_eq!(said.len(), 1);
    assert!(said[0].message.ends_with(": A, B"), "{}", said[0].message);
}

#[test]
fn the_scope_of_a_hebrew_standard_is_known_and_its_annex_has_a_number() {
    let back = "</body><back><app-group><app><title>נספח א</title><sec><title>X</title></sec></app></app-group></back>";
    let source = document("<sec><label>1</label><title>חלות התקן</title><p>x</p></sec>")
        .replace("<content-language>en", "<content-language>he")
        .replace("</body>", back);
    let read = read(&source);
    assert_eq!(read.edition.sections[0].kind, SectionKind::Scope);
    assert_eq!(read.edition.sections[1].kind, SectionKind::Annex);
}
