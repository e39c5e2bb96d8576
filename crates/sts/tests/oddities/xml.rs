//! Oddities of the XML itself: entities, namespaces, instructions, encodings, line ends, unknown elements.

use norma_model::AssetSource;
use norma_sts::{Extraction, ExtractionLimits, ExtractionOptions, extract};

use crate::common::{META, codes, document, read, text};

fn bare(body: &str) -> String {
    format!("<standard><front>{META}</front><body>{body}</body></standard>")
}

fn only(extraction: &Extraction) -> (&str, &str) {
    assert_eq!(extraction.edition.sections.len(), 1);
    (&extraction.edition.sections[0].xml, &extraction.edition.sections[0].text)
}

#[test]
fn named_characters_need_no_dtd_though_the_doctype_names_one_that_is_not_there() {
    let body = bare("<sec><p>&Eacute;t&eacute; &mdash; d&eacute;j&agrave;&nbsp;&alpha;&le;&agr;</p></sec>");
    for doctype in [
        "<!DOCTYPE standard SYSTEM \"../ISOSTS.dtd\">",
        "<!DOCTYPE standard PUBLIC \"-//NISO//DTD NISO STS Extended Tag Set (NISO STS) DTD with OASIS and XHTML Tables \
         with MathML 3.0 v1.0 20171031//EN\" 'http://127.0.0.1:9/none.dtd'>",
        "<!DOCTYPE standard PUBLIC \"-//NISO//DTD NISO STS v1.0 20221031\" \"\">",
    ] {
        let extraction = read(&format!("<?xml version=\"1.0\"?>\n{doctype}\n{body}"));
        assert_eq!(only(&extraction).1, "Été — déjà\u{a0}α≤α", "{doctype}");
        assert!(codes(&extraction).is_empty(), "{doctype}");
    }
}

#[test]
fn an_internal_subset_declares_its_own_names_before_the_known_ones() {
    let source = format!(
        "<!DOCTYPE standard SYSTEM 'ISOSTS.dtd' [ <!ENTITY th \"<bold>Head</bold>\"> <!ENTITY mdash '--'> ]>{}",
        bare("<sec><p>&th; &mdash;</p></sec>")
    );
    assert_eq!(only(&read(&source)).0, "<sec><p><bold>Head</bold> --</p></sec>");
}

#[test]
fn no_external_entity_is_fetched_and_its_name_stays() {
    let secret = std::env::temp_dir().join("norma-oddities-secret.txt");
    std::fs::write(&secret, "secret").expect("a file that nobody may read in");
    let source = format!(
        "<!DOCTYPE standard [<!ENTITY % all SYSTEM 'all.ent'> %all; <!ENTITY x SYSTEM '{0}'>\
         <!ENTITY y PUBLIC 'y' 'file://{0}'>]>{1}",
        secret.display(),
        bare("<sec a='&x;'><p>&x; &y;</p></sec>")
    );
    let extraction = read(&source);
    assert_eq!(only(&extraction).1, "&x; &y;");
    assert_eq!(codes(&extraction), ["external-entity"; 3]);
}

#[test]
fn prefixes_that_only_a_dtd_would_declare_mean_what_they_usually_mean() {
    let body = "<sec sec-type='terms'><term-sec><tbx:termEntry id='t'><tbx:langSet xml:lang='en'><tbx:definition>d\
        </tbx:definition><tbx:tig><tbx:term>box</tbx:term></tbx:tig></tbx:langSet></tbx:termEntry></term-sec>\
        <p><xlink:none xlink:href='a'/></p></sec>";
    let extraction = read(&bare(body));
    assert_eq!(codes(&extraction), ["undeclared-prefix", "undeclared-prefix"]);
    assert_eq!(extraction.edition.terms[0].designations[0].text, "box");
    assert!(extraction.edition.sections[1].xml.contains("xmlns:tbx=\"urn:iso:std:iso:30042:ed-1\""));
}

#[test]
fn terms_and_tables_are_known_in_wrong_namespaces() {
    for (prefix, namespace) in [
        ("tbx", "urn:iso:std:iso:30042:ed-1"),
        ("tbx", "urn:iso:std:iso:30042:ed-2"),
        ("tbx", "iso:std:iso:34000:ed-1:v1:en"),
        ("t", "anything at all"),
    ] {
        let entry = "<sec><x:termEntry><x:langSet><x:tig><x:term>box</x:term></x:tig></x:langSet></x:termEntry></sec>"
            .replace("x:", &format!("{prefix}:"));
        let source = bare(&entry).replace("<standard", &format!("<standard xmlns:{prefix}='{namespace}'"));
        assert_eq!(read(&source).edition.terms[0].designations[0].text, "box", "{namespace}");
    }
    let cals = bare("<sec><table-wrap><oasis:table><oasis:tgroup><oasis:tbody><oasis:row><oasis:entry>a</oasis:entry>\
        <oasis:entry>b</oasis:entry></oasis:row></oasis:tbody></oasis:tgroup></oasis:table></table-wrap></sec>")
        .replace("<standard", "<standard xmlns:oasis=\"-//OASIS//DTD XML Exchange Table Model 19990315//EN\"");
    let extraction = read(&cals);
    assert_eq!(only(&extraction).1, "a\tb");
    assert_eq!(codes(&extraction), ["relative-namespace"]);
}

#[test]
fn instructions_and_comments_stand_anywhere_and_are_no_text() {
    let source = format!(
        "<?xml version='1.0'?><!-- by a tool --><!DOCTYPE standard><?xml-model href='x.rng'?><!-- & -->{}<!-- end -->",
        bare("<!-- a --><sec><?doi 10.1/x?><p>a<?xx-page 1?>b<break><?br soft?></break>c</p></sec>")
    );
    assert_eq!(
        only(&read(&source)),
        ("<sec><?doi 10.1/x?><p>a<?xx-page 1?>b<break><?br soft?></break>c</p></sec>", "ab\nc")
    );
}

#[test]
fn a_picture_in_an_instruction_stays_in_the_markup_and_its_graphic_is_there_once() {
    let data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ".repeat(4000);
    let body = format!("<sec><fig><graphic><?isoimg-id {data}?></graphic></fig><p>Text.</p></sec>");
    let extraction = read(&bare(&body));
    assert_eq!(only(&extraction), (body.as_str(), "Text."));
    assert_eq!(extraction.edition.graphics.len(), 1);
    assert_eq!(extraction.edition.graphics[0].source, AssetSource::Missing);
    assert_eq!(codes(&extraction), ["graphic-without-href"]);
}

#[test]
fn long_lines_line_breaks_within_tags_and_depth_are_no_matter() {
    let long = format!(
        "<sec><p><inline-graphic xlink:href='data:image/png;base64,{}'/>x</p></sec>",
        "aGk=".repeat(50_000)
    );
    assert_eq!(read(&document(&long)).edition.sections[0].text, "x");
    assert_eq!(
        text("<p>see <xref\n   ref-type='sec'\n   rid='s'\n>clause\n   5</xref\n>.</p>"),
        "see clause 5."
    );
    let deep = format!("{}word{}", "<boxed-text>".repeat(40), "</boxed-text>".repeat(40));
    assert_eq!(text(&deep), "word");
}

#[test]
fn a_document_of_one_line_with_a_problem_in_each_paragraph_reports_each_position() {
    const DIAGNOSTICS: usize = 20_000;
    let paragraph = "<p>é <xref rid='none'>there</xref></p>";
    let source = bare(&format!("<sec>{}</sec>", paragraph.repeat(DIAGNOSTICS)));
    let limits = ExtractionLimits { diagnostics: DIAGNOSTICS, ..ExtractionLimits::default() };
    let extraction =
        extract(source.as_bytes(), &ExtractionOptions { limits, ..ExtractionOptions::default() }).unwrap();
    let first = source[..source.find("<xref").expect("a reference")].chars().count() + 1;
    let columns: Vec<usize> = extraction.diagnostics.iter().map(|d| d.column as usize).collect();
    let wanted: Vec<usize> = (0..DIAGNOSTICS).map(|n| first + n * paragraph.chars().count()).collect();
    assert_eq!(columns, wanted);
}

#[test]
fn encodings_marks_and_line_ends_come_to_the_same_text() {
    let plain = bare("<sec><p>Prüfung\nund Öl</p></sec>");
    let wide =
        |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let latin = |label: &str| {
        let text = format!("<?xml version='1.0' encoding='{label}'?>{plain}");
        text.chars().map(|c| c as u8).collect::<Vec<u8>>()
    };
    let marked = format!("\u{feff}{plain}");
    for (source, charset) in [
        (plain.clone().into_bytes(), "UTF-8"),
        (marked.clone().into_bytes(), "UTF-8"),
        (plain.replace('\n', "\r\n").into_bytes(), "UTF-8"),
        (wide(&marked, u16::to_le_bytes), "UTF-16LE"),
        (wide(&marked, u16::to_be_bytes), "UTF-16BE"),
        (wide(&format!("<?xml version='1.0' encoding='UTF-16'?>{plain}"), u16::to_be_bytes), "UTF-16BE"),
        (latin("ISO-8859-1"), "windows-1252"),
        (latin("latin1"), "windows-1252"),
    ] {
        let extraction = extract(&source, &ExtractionOptions::default()).expect("reads");
        assert_eq!((only(&extraction).1, extraction.charset), ("Prüfung und Öl", charset));
    }
}

#[test]
fn elements_of_no_tag_set_pass_their_words_on_and_nothing_is_lost() {
    for (content, text_) in [
        (
            "<p>a <tt>b</tt> <bcp14>MUST</bcp14> <em>c</em> <span>d</span> <a href='#x'>e</a><br/>f</p>",
            "a b MUST c d e\nf",
        ),
        ("<ul><li>a</li><li><p>b</p></li></ul>", "• a\n• b"),
        ("<p>a</p><form><input/>b</form>", "a\n\nb"),
        (
            "<committee>a</committee><p>b<index-xref><primary>x</primary><secondary>y</secondary></index-xref></p>",
            "a\n\nb",
        ),
        ("<permission><p>a</p></permission><recommendation><p>b</p></recommendation>", "a\n\nb"),
    ] {
        assert_eq!(text(content), text_, "{content}");
    }
}

#[test]
fn debug_text_in_metadata_is_metadata() {
    let meta = META.replace(
        "</std-meta>",
        "<_converter-residue>DEBUG &amp; all<p>x</p></_converter-residue>stray</std-meta>",
    );
    let extraction = read(&bare("<sec><p>a</p></sec>").replace(META, &meta));
    assert_eq!(only(&extraction).1, "a");
}

#[test]
fn a_name_and_a_version_without_namespace_on_the_root_are_read() {
    let source = bare("<sec/>")
        .replace("<standard", "<standard lang='fr' dtd-version='1.2'")
        .replace("<content-language>en</content-language>", "<content-language/>");
    assert_eq!(read(&source).edition.urn.as_str(), "urn:iso:std:iso:9999:-1:ed-2:fr");
}

#[test]
fn what_would_exhaust_the_machine_stops_at_a_named_limit() {
    let refused = |source: String, limits: ExtractionLimits| {
        let error = extract(source.as_bytes(), &ExtractionOptions { limits, ..ExtractionOptions::default() })
            .expect_err("beyond a limit");
        assert!(error.line > 0 && !error.hint.is_empty(), "{error:?}");
        error.code
    };
    let of = ExtractionLimits::default;
    let bomb = |declarations: String| {
        format!("<!DOCTYPE standard [{declarations}]>{}", bare("<sec><p>&e9;</p></sec>"))
    };
    let nested = |n: usize| format!("<!ENTITY e{n} '{}'>", format!("&e{};", n.saturating_sub(1)).repeat(20));
    let exponential = format!("<!ENTITY e0 'lol'>{}", (1..10).map(nested).collect::<String>());
    let flat = format!("<!ENTITY e0 '{}'><!ENTITY e9 '{}'>", "x".repeat(100_000), "&e0;".repeat(1000));
    let knot = "<!ENTITY e9 '&e8;'><!ENTITY e8 '&e9;'>".to_owned();
    let chain = (0..10).map(|n| format!("<!ENTITY e{} '&e{n};'>", n + 1)).collect::<String>();
    for declarations in [exponential, flat, knot] {
        assert_eq!(refused(bomb(declarations), of()), "entity-expansion");
    }
    assert_eq!(refused(bomb(chain), ExtractionLimits { expansion_depth: 5, ..of() }), "entity-expansion");
    let repeated = format!(
        "<!DOCTYPE standard [<!ENTITY e '{}'>]>{}",
        "x".repeat(9000),
        bare(&"<sec>&e;</sec>".repeat(1000))
    );
    assert_eq!(refused(repeated, of()), "entity-expansion", "small ones add up");
    assert_eq!(refused(bare(&format!("{}{}", "<sec>".repeat(300), "</sec>".repeat(300))), of()), "too-deep");
    assert_eq!(
        refused(
            bare(&format!("<sec a='{}'/>", "x".repeat(101))),
            ExtractionLimits { attribute_bytes: 100, ..of() }
        ),
        "attribute-too-large"
    );
    assert_eq!(
        refused(bare(&"<p/>".repeat(1000)), ExtractionLimits { nodes: 900, ..of() }),
        "too-many-nodes"
    );
    assert_eq!(refused(bare("<p/>"), ExtractionLimits { source_bytes: 100, ..of() }), "source-too-large");
    let few = || ExtractionLimits { parts: 3, part_bytes: 1 << 20, ..of() };
    let footnotes = format!("<sec><p>{}</p></sec>", "x<fn><p>y</p></fn>".repeat(3));
    let provisions =
        "<sec><label>4</label><p>The lid shall close. It should be red. It may be large.</p></sec>";
    for parts in ["<sec/>".repeat(4), footnotes, provisions.to_owned()] {
        assert_eq!(refused(bare(&parts), few()), "too-many-parts", "{parts}");
    }
    let allowed = ExtractionOptions {
        limits: ExtractionLimits { part_bytes: 96, ..few() },
        ..ExtractionOptions::default()
    };
    let large = format!(
        "<sec><p>{}</p></sec>",
        "<fn><p>a footnote that has no fewer than 96 bytes to itself, so that nine of them may be here</p></fn>".repeat(9)
    );
    assert!(extract(bare(&large).as_bytes(), &allowed).is_ok(), "each has its bytes");
    let prefixes = (0..20).map(|n| format!("<p{n}:a/>")).collect::<String>();
    assert_eq!(refused(bare(&prefixes), of()), "undeclared-prefixes");
    let declared = (0..300).map(|n| format!("<a xmlns:p{n}='urn:p'/>")).collect::<String>();
    assert_eq!(refused(bare(&declared), of()), "too-many-prefixes");
    assert!(
        extract(
            bare(&declared).as_bytes(),
            &ExtractionOptions {
                limits: ExtractionLimits { prefixes: 400, ..of() },
                ..ExtractionOptions::default()
            }
        )
        .is_ok()
    );
}

/// The first diagnostics of a code are reported one by one, the others are counted.
#[test]
fn diagnostics_beyond_the_limit_are_counted() {
    let body = format!("<sec><p>{}&nowhere;</p></sec>", "<xref rid='nowhere'/>".repeat(9));
    let limits = ExtractionLimits { diagnostics: 4, ..ExtractionLimits::default() };
    let read = extract(bare(&body).as_bytes(), &ExtractionOptions { limits, ..ExtractionOptions::default() })
        .unwrap();
    let count = |code| read.diagnostics.iter().filter(|d| d.code == code).count();
    assert_eq!(["dangling-reference", "unknown-entity", "further-flaws"].map(count), [4, 1, 1]);
    let further = read.diagnostics.iter().find(|d| d.code == "further-flaws").unwrap();
    assert_eq!(further.message, "`dangling-reference` was found 9 times; the first 4 are listed");
    let last = read.diagnostics.iter().rfind(|d| d.code == "dangling-reference").unwrap();
    assert_eq!((further.line, further.column), (last.line, last.column));
}
