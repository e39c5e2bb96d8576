//! HTML of sections: for samples and corpus its text is that of the sections, and hostile input does nothing.

#![allow(clippy::disallowed_methods, reason = "this is not production code")]

#[path = "../common/mod.rs"]
mod common;
mod hostile;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use norma_model::{Edition, Provision, SectionKind};
use norma_sts::html::{ATTRIBUTES, ELEMENTS, HtmlPicture, HtmlStandard, ProvisionMark, SectionInput};
use norma_sts::{ExtractionOptions, extract, html};

/// Sections of an edition as a caller has them from the API.
struct Caller<'a> {
    standard: HtmlStandard,
    provisions: Vec<(usize, String, String)>,
    edition: &'a Edition,
}

impl<'a> Caller<'a> {
    fn new(edition: &'a Edition) -> Self {
        let mut standard = HtmlStandard::new(edition.urn.as_str(), edition.metadata.language().as_str());
        for section in &edition.sections {
            standard.add_section(section.id.as_str(), section.source_id.as_deref());
        }
        for term in &edition.terms {
            standard.add_term(term.id.as_str(), edition.sections[term.section].id.as_str());
        }
        let marked = |p: &Provision| (p.section, p.id.to_string(), format!("{:?}", p.kind).to_lowercase());
        Self { standard, provisions: edition.provisions.iter().map(marked).collect(), edition }
    }

    fn inputs(&self) -> Vec<SectionInput<'_>> {
        let edition = self.edition;
        let mut inputs: Vec<SectionInput<'_>> = edition
            .sections
            .iter()
            .map(|section| SectionInput {
                id: section.id.as_str(),
                kind: if section.kind == SectionKind::Annex { "annex" } else { "clause" },
                level: section.level,
                markup: &section.xml,
                text: &section.text,
                ..SectionInput::default()
            })
            .collect();
        for ((section, id, kind), provision) in self.provisions.iter().zip(&edition.provisions) {
            inputs[*section].provisions.push(ProvisionMark {
                id,
                kind,
                label: &provision.label,
                start: provision.anchor.start,
                end: provision.anchor.end,
                verbal_form: provision.anchor.verbal_form.map(|slice| (slice.start, slice.end)),
            });
        }
        for graphic in &edition.graphics {
            let Some(section) = graphic.section else { continue };
            inputs[section].graphics.push(HtmlPicture {
                id: graphic.id.as_str(),
                alt: graphic.alt_text.as_deref().unwrap_or_default(),
                address: None,
                missing: true,
            });
        }
        for term in &edition.terms {
            inputs[term.section].terms.push(term.id.as_str());
        }
        for table in &edition.tables {
            inputs[table.section].tables.push(table.id.as_str());
        }
        inputs
    }
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("absent: {} is not a folder", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let nested = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => documents(&path),
        false => vec![path],
    });
    nested.filter(|path| path.extension().is_some_and(|end| end == "xml")).collect()
}

fn samples() -> Vec<PathBuf> {
    let all = documents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    all.into_iter().filter(|path| path.file_name().is_some_and(|name| name == "document.xml")).collect()
}

fn corpus() -> Vec<PathBuf> {
    let sibling = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    documents(&std::env::var_os("NORMA_CORPUS").map_or(sibling, PathBuf::from).join("sts"))
}

/// The words of HTML: formulae by their line, tags away, references resolved.
fn words(html: &str) -> String {
    let mut words = String::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        words.push_str(&rest[..at]);
        let end = at + rest[at..].find('>').expect("a tag ends") + 1;
        let tag = &rest[at..end];
        rest = &rest[end..];
        if tag.starts_with("<math ") {
            let line = tag.split_once("alttext=\"").expect("a formula has a line").1;
            words.push_str(line.split_once('"').expect("a value ends").0);
            rest = rest.split_once("</math>").expect("a formula ends").1;
        }
    }
    words.push_str(rest);
    let words = words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    words.split_whitespace().collect()
}

fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Names of elements and attributes that are not allowed, and values that lead elsewhere.
fn not_allowed(html: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for tag in html.split('<').skip(1).map(|tag| tag.split_once('>').expect("a tag ends").0) {
        let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
        if !ELEMENTS.contains(&name) {
            found.insert(format!("<{name}>"));
        }
        let mut rest = &tag[tag.find(' ').unwrap_or(tag.len())..];
        while let Some(attribute) = rest.strip_prefix(' ') {
            let end = attribute.find([' ', '=']).unwrap_or(attribute.len());
            if !ATTRIBUTES.contains(&&attribute[..end]) {
                found.insert(attribute[..end].to_owned());
            }
            rest = &attribute[end..];
            if let Some(value) = rest.strip_prefix("=\"") {
                let (value, after) = value.split_once('"').expect("a value ends");
                if matches!(&attribute[..end], "href" | "src") && !value.starts_with('#') {
                    found.insert(value.to_owned());
                }
                rest = after;
            }
        }
    }
    found
}

/// What HTML of documents has in common with their texts.
#[derive(Default)]
struct Figures {
    documents: usize,
    sections: usize,
    /// Sections whose walk gives the stored text.
    marked: usize,
    /// Sections whose HTML has the words of the stored text.
    equal: usize,
    provisions: usize,
    marked_provisions: usize,
    /// Each document as one page.
    pages: Vec<String>,
}

fn figures(paths: &[PathBuf]) -> Figures {
    let mut figures = Figures::default();
    for path in paths {
        let source = std::fs::read(path).expect("the document can be read");
        let edition = extract(&source, &ExtractionOptions::default()).expect("a document").edition;
        let caller = Caller::new(&edition);
        let inputs = caller.inputs();
        figures.documents += 1;
        figures.provisions += edition.provisions.len();
        for input in &inputs {
            let written = html::section(&caller.standard, input);
            figures.sections += 1;
            figures.marked += usize::from(written.marked);
            let words = words(&written.html);
            match words == dense(input.text) {
                true => figures.equal += 1,
                false => {
                    let at = words.bytes().zip(dense(input.text).bytes()).take_while(|(a, b)| a == b).count();
                    let near = |text: &str| {
                        text.get(at.saturating_sub(30)..)
                            .unwrap_or_default()
                            .chars()
                            .take(90)
                            .collect::<String>()
                    };
                    println!(
                        "{} {}: {} / {}",
                        path.display(),
                        input.id,
                        near(&words),
                        near(&dense(input.text))
                    );
                }
            }
            assert_eq!(not_allowed(&written.html), BTreeSet::new(), "{} {}", path.display(), input.id);
        }
        let article = html::article(&caller.standard, &inputs);
        figures.marked_provisions +=
            edition.provisions.iter().filter(|p| article.html.contains(&format!(" id=\"{}\"", p.id))).count();
        figures.pages.push(html::page(edition.metadata.reference.as_str(), "en", &article));
    }
    let Figures { documents, sections, marked, equal, provisions, marked_provisions, pages: _ } = &figures;
    println!(
        "{documents} documents, {sections} sections: {marked} marked, {equal} with the words of their text; \
         {marked_provisions} of {provisions} provisions marked"
    );
    figures
}

/// Has the Nu validator (`vnu-jar` among the Node packages of the tests, Java) read pages.
fn validate(pages: &[String]) {
    let modules = std::env::var_os("NORMA_NODE_MODULES").map(PathBuf::from).unwrap_or_default();
    let validator = modules.join("vnu-jar/build/dist/vnu.jar");
    if !validator.is_file() || std::process::Command::new("java").arg("-version").output().is_err() {
        println!("Nu validator absent: {} or java is not there", validator.display());
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    // The validator has to find this one wrong.
    for page in pages.iter().map(String::as_str).chain(["<!DOCTYPE html><title>x</title><p id=a><p id=a>"]) {
        files.push(folder.path().join(format!("{}.html", files.len())));
        std::fs::write(files.last().expect("a file"), page).expect("a page is written");
    }
    let run = std::process::Command::new("java")
        .arg("-jar")
        .arg(validator)
        .arg("--errors-only")
        .args(&files)
        .output();
    let said = String::from_utf8(run.expect("the validator runs").stderr).expect("messages are UTF-8");
    let wrong = files.last().expect("a file").display().to_string();
    let (of_wrong, errors): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| line.contains(&wrong));
    assert!(!of_wrong.is_empty(), "{said}");
    assert_eq!(errors, Vec::<&str>::new());
}

#[test]
fn html_of_samples_has_the_text_of_their_sections_and_marks_all_provisions() {
    let figures = figures(&samples());
    assert!(figures.documents >= 8);
    assert_eq!(figures.equal, figures.sections);
    assert_eq!(figures.marked, figures.sections);
    assert_eq!(figures.marked_provisions, figures.provisions);
    validate(&figures.pages);
}

#[test]
fn html_of_real_documents_has_the_text_of_their_sections() {
    let figures = figures(&corpus());
    assert_eq!(figures.equal, figures.sections);
    assert_eq!(figures.marked, figures.sections);
    assert_eq!(figures.marked_provisions, figures.provisions);
    validate(&figures.pages);
}

/// HTML of the only section of a clause with this content.
fn written(content: &str) -> String {
    let edition = common::read(&common::document(&format!("<sec id='s'>{content}</sec>"))).edition;
    let caller = Caller::new(&edition);
    html::article(&caller.standard, &caller.inputs()).html
}

/// Without the section and the article around it.
fn within(content: &str) -> String {
    let html = written(content);
    let (_, inner) = html.split_once("data-type=\"clause\">").expect("a section");
    inner.trim_end_matches("</section></article>").to_owned()
}

#[test]
fn nested_lists_have_their_labels_and_a_paragraph_goes_on_after_a_list() {
    let html = within(
        "<p>First <list list-type='alpha-lower'><list-item><p>one</p>\
         <list list-type='bullet'><list-item><p>two</p></list-item></list></list-item></list> last.</p>",
    );
    let label = |label: &str| format!("<span data-type=\"label\">{label}</span>");
    assert_eq!(
        html,
        format!(
            "<p>First</p><ol><li><p>{} one</p><ul><li><p>{} two</p></li></ul></li></ol><p>last.</p>",
            label("a)"),
            label("•")
        )
    );
}

#[test]
fn cells_of_both_kinds_of_tables_have_their_spans_and_none_is_over_another() {
    let html = "<table-wrap id='t'><label>Table 1</label><table><thead><tr><th colspan='2'>Load<break/>N</th></tr></thead>\
         <tbody><tr><th rowspan='9'>a</th><td>1</td></tr><tr><td>2</td></tr></tbody></table></table-wrap>";
    assert_eq!(
        within(html),
        "<figure id=\"t\" data-type=\"table\"><figcaption>Table 1</figcaption><table><thead><tr>\
         <th colspan=\"2\" scope=\"col\">Load N</th></tr></thead><tbody><tr><th rowspan=\"2\" scope=\"row\">a</th>\
         <td>1</td></tr><tr><td>2</td></tr></tbody></table></figure>"
    );
    let cals = "<table-wrap id='t'><table><tgroup cols='3'><colspec colname='a'/><colspec colname='b'/><colspec colname='c'/>\
         <tbody><row><entry namest='a' nameend='b'>1</entry><entry colname='c' morerows='1'>2</entry></row>\
         <row><entry colname='b'>3</entry></row><row><entry/><entry/><entry>4</entry></row></tbody></tgroup></table></table-wrap>";
    assert_eq!(
        within(cals),
        "<figure id=\"t\" data-type=\"table\"><table><tbody><tr><td colspan=\"2\">1</td><td rowspan=\"2\">2</td></tr>\
         <tr><td></td><td>3</td></tr><tr><td></td><td></td><td>4</td></tr></tbody></table></figure>"
    );
}

#[test]
fn references_terms_and_footnotes_are_links_within_the_page() {
    let html = within(
        "<p>See <xref rid='p2'>there</xref> and <tbx:entailedTerm target='t'>lid</tbx:entailedTerm>\
         <fn id='f'><label>a)</label><p>Or a cap.</p></fn>.</p><p id='p2'>x<sup>2</sup></p>",
    );
    assert_eq!(
        html,
        "<p>See <a href=\"#p2\">there</a> and <a href=\"#t\">lid</a>\
         <a data-type=\"mark\" href=\"#f\" id=\"ref_f\"><span hidden>^</span>a)</a>.</p>\
         <p id=\"p2\">x<sup><span hidden>^</span>2</sup></p>\
         <div id=\"f\" data-type=\"footnote\"><p><span data-type=\"label\">a)</span> Or a cap.\
         <a data-type=\"back\" href=\"#ref_f\" aria-label=\"↩\"></a></p></div>"
    );
}

#[test]
fn a_designation_says_how_the_publisher_rates_it() {
    let tig = |word: &str, rating: &str| {
        format!(
            "<tbx:tig><tbx:term>{word}</tbx:term><tbx:normativeAuthorization value='{rating}'/></tbx:tig>"
        )
    };
    let tigs = tig("lid", "preferredTerm") + &tig("cap", "admittedTerm") + &tig("hood", "deprecatedTerm");
    let html = written(&format!(
        "<term-sec id='t'><tbx:termEntry id='e'><tbx:langSet xml:lang='en'>\
         <tbx:definition>closure</tbx:definition>{tigs}</tbx:langSet></tbx:termEntry></term-sec>"
    ));
    for (word, acceptability) in [("lid", "preferred"), ("cap", "admitted"), ("hood", "deprecated")] {
        let begin = format!("data-acceptability=\"{acceptability}\">");
        let paragraph = html.split(&begin).nth(1).unwrap_or_else(|| panic!("{acceptability} in {html}"));
        assert!(paragraph.split("</p>").next().unwrap().ends_with(word), "{html}");
    }
}

#[test]
fn formulae_are_mathml_with_their_line() {
    let html = within(
        "<p>If <mml:math><mml:mfenced open='[' close=']'><mml:mi>a</mml:mi><mml:msup><mml:mi>b</mml:mi></mml:msup></mml:mfenced></mml:math>.</p>",
    );
    assert_eq!(
        html,
        "<p>If <math alttext=\"[a, b]\"><mrow><mo>[</mo><mi>a</mi><mo>,</mo><msup><mi>b</mi><mrow></mrow></msup>\
         <mo>]</mo></mrow></math>.</p>"
    );
}

#[test]
fn formulae_keep_what_parts_and_encloses_them() {
    for (formula, html) in [
        (
            "<mml:mn>5</mml:mn><mml:mo rspace='thickmathspace'>\u{2062}</mml:mo><mml:mstyle mathvariant='normal'><mml:mi>m</mml:mi></mml:mstyle>",
            "<math alttext=\"5 m\"><mn>5</mn><mo rspace=\"0.2778em\">\u{2062}</mo><mstyle><mi mathvariant=\"normal\">m</mi></mstyle></math>",
        ),
        (
            "<mml:maction actiontype='toggle' selection='2'><mml:mi>h</mml:mi><mml:mi>k</mml:mi></mml:maction>",
            "<math alttext=\"k\"><mi>k</mi></math>",
        ),
        (
            "<mml:menclose notation='radical'><mml:mi>h</mml:mi></mml:menclose>",
            "<math alttext=\"√h\"><msqrt><mi>h</mi></msqrt></math>",
        ),
        (
            "<mml:menclose notation='top'><mml:mi>h</mml:mi></mml:menclose>",
            "<math alttext=\"h\u{304}\"><mover><mrow><mi>h</mi></mrow><mo>¯</mo></mover></math>",
        ),
        ("<mml:mi><mml:mglyph src='o.png' alt='oar'/></mml:mi>", "<math alttext=\"oar\"><mi>oar</mi></math>"),
        (
            "<mml:mstack><mml:mn>91</mml:mn><mml:msline/><mml:mn>8</mml:mn></mml:mstack>",
            "<math alttext=\"91; 8\"><mtable columnalign=\"right\"><mtr><mtd><mn>91</mn></mtd></mtr>\
             <mtr><mtd><mn>8</mn></mtd></mtr></mtable></math>",
        ),
    ] {
        assert_eq!(within(&format!("<p><mml:math>{formula}</mml:math></p>")), format!("<p>{html}</p>"));
    }
}

#[test]
fn a_provision_that_crosses_elements_is_several_marks_of_one_group() {
    let html = within(
        "<p>The lid <bold>shall be closed. It</bold> is red.</p><p>It shall be<list><list-item><p>new;</p></list-item></list></p>",
    );
    let start = "<p><span id=\"prv_";
    assert!(html.starts_with(start), "{html}");
    let id = html[start.len()..].split('"').next().unwrap();
    let mark = format!("data-provision=\"requirement\" data-label=\"s(1)\" data-group=\"prv_{id}\">");
    let expected = format!(
        "{start}{id}\" {mark}The lid</span> <b><span {mark}<em data-verb>shall</em> be closed.</span> It</b> is red.</p>"
    );
    assert!(
        html.replace("data-label=\"~1(1)\"", "data-label=\"s(1)\"").starts_with(&expected),
        "{html}\n{expected}"
    );
}

#[test]
fn a_reference_has_the_label_that_is_in_another_section_or_nowhere() {
    let body = "<sec id='a'><label>4</label><p>See <xref rid='b f'/> and <xref rid='none'/> (<xref rid='f'/>).</p></sec>\
                <sec id='b'><label>5.1</label><fig id='f'><label>Figure 2</label></fig></sec>";
    let edition = common::read(&common::document(body)).edition;
    let caller = Caller::new(&edition);
    let section = html::section(&caller.standard, &caller.inputs()[0]);
    assert!(section.marked, "{}", section.html);
    assert!(
        section.html.contains("See <a href=\"#b\">5.1, Figure 2</a> and (<a href=\"#f\">Figure 2</a>)."),
        "{}",
        section.html
    );
}

#[test]
fn markup_that_a_service_did_not_write_is_shown_as_text() {
    let standard = HtmlStandard::new("urn:iso:std:iso:1:ed-1:en", "en");
    let bomb = "<!DOCTYPE sec [<!ENTITY a 'x'><!ENTITY b '&a;&a;'>]><sec>&b;</sec>";
    let deep = "<sec>".repeat(100_000);
    for markup in ["", "x", "<sec>", "<sec><p></sec>", bomb, &deep, "<standard><sec/><sec/></standard>"] {
        let input =
            SectionInput { id: "s\"><script>", markup, text: "A <b>\n\nC", ..SectionInput::default() };
        let section = html::section(&standard, &input);
        assert!(!section.marked);
        assert_eq!(section.html, "<section id=\"s&quot;&gt;&lt;script&gt;\"><p>A &lt;b&gt;</p><p>C</p>");
    }
}

#[test]
fn a_table_of_50_000_cells_and_a_section_of_10_megabytes_are_written() {
    let table = format!(
        "<table-wrap id='t'><table>{}</table></table-wrap>",
        format!("<tr>{}</tr>", "<td>1</td>".repeat(50)).repeat(1000)
    );
    assert_eq!(written(&table).matches("<td>1</td>").count(), 50_000);
    let long = "<p>The <bold>lid</bold> is closed <xref rid='s'>here</xref>.</p>".repeat(170_000);
    assert!(long.len() > 10_000_000);
    assert_eq!(written(&long).matches("<a href=\"#s\">here</a>").count(), 170_000);
}
