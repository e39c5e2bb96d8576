//! Properties of every document: no text is lost, each section's markup parses, no panic.

mod common;

use std::collections::{BTreeMap, HashSet};

use common::{document, read};
use norma_sts::{ExtractionOptions, extract};
use proptest::collection::vec;
use proptest::prelude::*;

/// Words that differ from each other and from generated text.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zäß語]{1,6}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("&amp;".to_owned()),
        Just("&mdash;".to_owned()),
        Just("<![CDATA[<&]]>".to_owned()),
        Just("<!-- x -->".to_owned()),
        Just("<?pi?>".to_owned()),
    ]
}

/// Elements of all sorts in any order, valid or not.
fn content() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "sec",
        "app",
        "term-sec",
        "p",
        "list",
        "list-item",
        "label",
        "title",
        "def-list",
        "def-item",
        "term",
        "def",
        "table-wrap",
        "table",
        "tbody",
        "tr",
        "td",
        "th",
        "fig",
        "graphic",
        "caption",
        "fn",
        "fn-group",
        "xref",
        "std",
        "std-ref",
        "ref-list",
        "ref",
        "bold",
        "sup",
        "sub",
        "disp-formula",
        "inline-formula",
        "mml:math",
        "mml:mi",
        "mml:mfrac",
        "mml:mo",
        "tbx:termEntry",
        "tbx:langSet",
        "tbx:definition",
        "tbx:tig",
        "tbx:term",
        "tbx:note",
        "non-normative-note",
        "boxed-text",
        "body",
        "back",
        "app-group",
        "sub-part",
        "index",
        "index-entry",
        "preformat",
        "alternatives",
        "break",
        "odd",
        "other:thing",
        "disp-quote",
        "editing-instruction",
        "requirement",
    ]);
    let attributes = prop_oneof![
        4 => Just(String::new()),
        2 => "[a-d]".prop_map(|id| format!(" id='{id}'")),
        1 => "[a-d]( [a-d])?".prop_map(|rid| format!(" rid='{rid}' ref-type='fn'")),
        1 => Just(" content-type='requirement'".to_owned()),
        1 => Just(" a='>' b='&quot;&nbsp;'".to_owned()),
    ];
    word().prop_recursive(7, 80, 6, move |inner| {
        (name.clone(), attributes.clone(), vec(inner, 0..6))
            .prop_map(|(name, attributes, inner)| format!("<{name}{attributes}>{}</{name}>", inner.concat()))
    })
}

fn characters(xml: &str) -> BTreeMap<char, usize> {
    let document = roxmltree::Document::parse(xml).unwrap_or_else(|e| panic!("{e}: {xml}"));
    let mut counts = BTreeMap::new();
    let texts = document.descendants().filter(|n| n.is_text() && !in_metadata(*n)).filter_map(|n| n.text());
    texts
        .flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .for_each(|c| *counts.entry(c).or_default() += 1);
    counts
}

fn in_metadata(node: roxmltree::Node<'_, '_>) -> bool {
    node.ancestors().any(|n| n.has_tag_name("std-meta"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_character_is_in_the_markup_of_one_section(parts in vec(content(), 0..6)) {
        let source = document(&parts.concat());
        let edition = read(&source).edition;
        let mut found = BTreeMap::new();
        for section in &edition.sections {
            for (c, count) in characters(&section.xml) {
                *found.entry(c).or_insert(0) += count;
            }
        }
        let readable = source.replace("&mdash;", "—").replace("&nbsp;", " ")
            .replacen("<standard ", "<standard xmlns:other='o:o' ", 1);
        prop_assert_eq!(found, characters(&readable));
    }

    #[test]
    fn ids_are_unique_and_text_has_no_blank_ends(parts in vec(content(), 0..6)) {
        let edition = read(&document(&parts.concat())).edition;
        let mut ids = HashSet::new();
        for section in &edition.sections {
            prop_assert!(ids.insert(section.id.as_str().to_owned()), "{}", section.id);
            prop_assert_eq!(section.text.trim_end(), section.text.as_str());
        }
    }

    #[test]
    fn every_word_of_a_paragraph_is_in_the_text_once(words in vec("[b-df-hj-np-tv-z]{5,9}", 1..20)) {
        let tags = ["bold", "italic", "xref", "named-content", "std", "styled-content", "odd", "ext-link"];
        let marked = words.iter().enumerate().map(|(i, w)| {
            let tag = tags[i % tags.len()];
            format!("<{tag}>{w}</{tag}> ")
        });
        let text = common::text(&format!("<p>{}</p>", marked.collect::<String>()));
        prop_assert_eq!(text, words.join(" "));
    }

    #[test]
    fn broken_sources_are_refused_or_read_but_never_panic(
        parts in vec(content(), 0..4), at in 0.0f64..1.0, noise in vec(any::<u8>(), 0..4), cut in any::<bool>(),
    ) {
        let mut source = document(&parts.concat()).into_bytes();
        let at = (source.len() as f64 * at) as usize;
        if cut {
            source.truncate(at);
        }
        source.splice(at..at, noise);
        if let Err(error) = extract(&source, &ExtractionOptions::default()) {
            prop_assert!(!error.hint.is_empty() && error.line > 0 && error.column > 0);
        }
    }
}
