//! The direction of HTML: pages and parts from right to left say so.

use norma_sts::html::{HtmlStandard, SectionInput};
use norma_sts::{ExtractionOptions, extract, html};

#[test]
fn parts_from_right_to_left_say_so_and_so_does_the_page() {
    let source = |language: &str, body: &str| {
        format!(
            "<standard><front><std-meta><std-ident><originator>ISO</originator><doc-number>1</doc-number><edition>1</edition></std-ident>\
             <content-language>{language}</content-language><std-ref>ISO 1</std-ref></std-meta></front><body><sec id='s'>{body}</sec></body></standard>"
        )
    };
    let whole = |language: &str, body: &str| {
        let edition = extract(source(language, body).as_bytes(), &ExtractionOptions::default())
            .expect("it is read")
            .edition;
        let standard = HtmlStandard::new(edition.urn.as_str(), edition.metadata.language().as_str());
        let section = &edition.sections[0];
        let input = SectionInput {
            id: section.id.as_str(),
            level: section.level,
            markup: &section.xml,
            text: &section.text,
            ..SectionInput::default()
        };
        let inputs = [input];
        html::page("Title", edition.metadata.language().as_str(), &html::article(&standard, &inputs))
    };
    let page = whole("ar", "<p>يجب أن يكون الغطاء أزرق.</p><p xml:lang='en'>The lid shall be blue.</p>");
    assert!(page.contains("<html lang=\"ar\" dir=\"rtl\">"), "{page}");
    assert!(page.contains("<article lang=\"ar\" dir=\"rtl\""), "{page}");
    assert!(page.contains("<p dir=\"ltr\" lang=\"en\">"), "{page}");
    let page = whole("en", "<p>See <italic xml:lang='he'>מכסה</italic>.</p><p xml:lang='ur'>ڈھکن</p>");
    assert!(page.contains("<html lang=\"en\">") && page.contains("<i dir=\"rtl\" lang=\"he\">"), "{page}");
    assert!(page.contains("<p dir=\"rtl\" lang=\"ur\">"), "{page}");
}
