//! Any nesting of known elements is read, and each word of running text is in the text of one section, once.

use norma_sts::{ExtractionOptions, extract};

/// Elements whose words are running text wherever they are, so that any may be in any.
const ELEMENTS: [&str; 40] = [
    "sec",
    "p",
    "list list-type='order'",
    "list-item",
    "def-list",
    "def-item",
    "term",
    "def",
    "table-wrap",
    "table",
    "thead",
    "tr",
    "td",
    "th",
    "fig",
    "bold",
    "italic",
    "xref rid='a'",
    "std",
    "non-normative-note",
    "non-normative-example",
    "boxed-text",
    "disp-quote",
    "editing-instruction",
    "preformat",
    "array",
    "ref-list",
    "ref",
    "mixed-citation",
    "named-content content-type='requirement'",
    "styled-content",
    "app",
    "term-sec",
    "fn-group",
    "disp-formula",
    "inline-formula",
    "statement",
    "speech",
    "odd",
    "index-entry",
];

/// Holds for any bytes: each is the end of an element, a word, a space, or the beginning of an element.
pub(crate) fn holds(program: &[u8]) {
    let mut source = String::from(
        "<standard><front><std-meta><std-ident><originator>ISO</originator><doc-number>1</doc-number>\
         <edition>1</edition></std-ident><content-language>en</content-language></std-meta></front><body>",
    );
    let (mut open, mut words) = (Vec::new(), Vec::new());
    for &byte in program.iter().take(4096) {
        match usize::from(byte) {
            0..64 => open.pop().into_iter().for_each(|name| source.push_str(&format!("</{name}>"))),
            64..128 => {
                // A word that no label or phrase holds, and that no other word is a part of.
                let word = format!("q{}z", words.len());
                source.push_str(&word);
                words.push(word);
            }
            128..176 => source.push(' '),
            byte if open.len() < 60 => {
                let tag = ELEMENTS[byte % ELEMENTS.len()];
                source.push_str(&format!("<{tag}>"));
                open.push(tag.split(' ').next().unwrap_or(tag));
            }
            _ => {}
        }
    }
    open.iter().rev().for_each(|name| source.push_str(&format!("</{name}>")));
    source.push_str("</body></standard>");
    let edition = extract(source.as_bytes(), &ExtractionOptions::default())
        .expect("a well-formed document is read")
        .edition;
    let all: Vec<&str> = edition.sections.iter().map(|s| s.text.as_str()).collect();
    let all = all.join("\n");
    for word in words {
        assert_eq!(all.matches(&word).count(), 1, "{word} in {source}\ngives\n{all}");
    }
}
