//! The knowledge graph, read by other projects' processors.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use norma_api::media::View;
use norma_render::Compression;
use oxjsonld::JsonLdParser;
use oxrdf::{NamedNode, NamedOrBlankNode, Term, Triple};
use oxttl::TurtleParser;
use serde_json::Value;

const NORMA: &str = "https://w3id.org/norma/vocabulary#";

/// The JSON-LD and the Turtle of our own example.
fn example() -> (Vec<u8>, Vec<u8>) {
    let rendered = support::rendered();
    let [json_ld, turtle] = [View::Graph, View::GraphTurtle].map(|view| rendered.view(view));
    (json_ld, turtle)
}

fn from_json_ld(bytes: &[u8]) -> BTreeSet<String> {
    JsonLdParser::new().for_slice(bytes).map(|quad| Triple::from(quad.unwrap()).to_string()).collect()
}

fn triples(turtle: &[u8]) -> Vec<Triple> {
    TurtleParser::new().for_slice(turtle).map(Result::unwrap).collect()
}

fn from_turtle(bytes: &[u8]) -> BTreeSet<String> {
    triples(bytes).iter().map(ToString::to_string).collect()
}

#[test]
fn json_ld_and_turtle_say_the_same() {
    let (json_ld, turtle) = example();
    let said = from_json_ld(&json_ld);
    assert!(said.len() > 100);
    assert_eq!(said, from_turtle(&turtle));
}

#[test]
fn no_property_is_dropped_on_the_way_to_rdf() {
    let (json_ld, _) = example();
    let document: Value = serde_json::from_slice(&json_ld).unwrap();
    let written: usize = (document["@graph"].as_array().unwrap().iter())
        .flat_map(|node| node.as_object().unwrap().iter().filter(|(key, _)| *key != "@id"))
        .map(|(_, value)| value.as_array().map_or(1, Vec::len))
        .sum();
    assert_eq!(from_json_ld(&json_ld).len(), written);
}

#[test]
fn every_node_has_a_urn_and_every_link_leads_to_a_node_or_another_urn() {
    let (_, turtle) = example();
    let triples = triples(&turtle);
    let mut nodes = BTreeSet::new();
    for triple in &triples {
        let NamedOrBlankNode::NamedNode(subject) = &triple.subject else {
            panic!("{triple} is about a blank node")
        };
        assert!(subject.as_str().starts_with("urn:"), "{subject}");
        nodes.insert(subject.clone());
    }
    for triple in triples.iter().filter(|t| t.predicate != oxrdf::vocab::rdf::TYPE) {
        if let Term::NamedNode(object) = &triple.object {
            let object_text = object.as_str();
            let is_document = object_text.starts_with("urn:") && !object_text.contains('#');
            let elsewhere = is_document || object_text.starts_with(NORMA);
            assert!(nodes.contains(object) || elsewhere, "{triple} leads nowhere");
        }
    }
}

#[test]
fn each_word_of_our_own_is_in_the_vocabulary_and_each_of_the_vocabulary_is_explained() {
    let vocabulary = triples(norma_render::vocabulary().as_bytes());
    let has = |subject: &str, property: &str| {
        let subject = NamedOrBlankNode::from(NamedNode::new_unchecked(subject));
        vocabulary.iter().any(|t| t.subject == subject && t.predicate.as_str().ends_with(property))
    };
    let (_, turtle) = example();
    for triple in triples(&turtle) {
        let words = [
            Some(&triple.predicate),
            match &triple.object {
                Term::NamedNode(object) => Some(object),
                _ => None,
            },
        ];
        for word in words.into_iter().flatten().filter(|w| w.as_str().starts_with(NORMA)) {
            assert!(has(word.as_str(), "#comment"), "{word}");
        }
    }
    for triple in &vocabulary {
        let NamedOrBlankNode::NamedNode(word) = &triple.subject else {
            panic!("{triple} is about a blank node")
        };
        if word.as_str().starts_with(NORMA) {
            assert!(has(word.as_str(), "#label") && has(word.as_str(), "#comment"), "{word}");
        }
    }
}

/// The graphs of editions with these references, numbers of edition and relations, merged.
fn merged(editions: &[(&str, u32, &str)]) -> Vec<Triple> {
    let mut all = Vec::new();
    for (reference, edition, relations) in editions {
        let source = format!(
            "<standard><front><std-meta><title-wrap><full>Racks</full></title-wrap><std-ident><originator>NSB</originator>\
             <edition>{edition}</edition></std-ident><content-language>en</content-language>\
             <std-ref type='dated'>{reference}</std-ref>{relations}</std-meta></front><body><sec><label>4</label>\
             <p>Racks shall comply with <std><std-ref>NSB 770:2019</std-ref></std>.</p>\
             <p>Racks shall withstand 5 kN.</p></sec></body>\
             <back><ref-list content-type='norm-refs'><title>Normative references</title>\
             <ref><std><std-ref>NSB 770:2019</std-ref>, <title>Pegs</title></std></ref>\
             <ref><std><std-ref>NSB 790</std-ref></std></ref></ref-list></back></standard>"
        );
        all.extend(graph_of(source.as_bytes()));
    }
    all
}

/// The graph of the edition that a source gives.
fn graph_of(source: &[u8]) -> Vec<Triple> {
    let found = norma_sts::extract(source, &norma_sts::ExtractionOptions::default()).unwrap().edition;
    let assets = vec![None; found.graphics.len()];
    let pack = norma_render::render(&found, &assets, "r", source, b"", Compression::with_level(1));
    triples(&support::Rendered::of(pack).view(View::GraphTurtle))
}

#[test]
fn a_quantity_without_comparator_has_none_in_the_graph_and_the_shapes_ask_for_none() {
    let source = "<standard><front><std-meta><title-wrap><full>Hooks</full></title-wrap><std-ident><originator>NSB\
        </originator><edition>1</edition></std-ident><content-language>en</content-language>\
        <std-ref type='dated'>NSB 791:2020</std-ref></std-meta></front><body><sec><label>4</label>\
        <p>Hooks shall withstand 5 kN. Hooks shall be 7 mm wide.</p></sec></body></standard>";
    let all = graph_of(source.as_bytes());
    let subjects_of = |value: &str| -> Vec<String> {
        let is_value = |t: &&Triple| {
            t.predicate.as_str() == [NORMA, "value"].concat() && t.object.to_string().contains(value)
        };
        all.iter().filter(is_value).map(|t| t.subject.to_string()).collect()
    };
    let comparators = |value: &str| values(&all, &subjects_of(value)[0], "#comparator");
    assert_eq!(comparators("\"5\""), BTreeSet::new());
    assert_eq!(comparators("\"7\""), BTreeSet::from(["\"equal\"".to_owned()]));
    let shapes = include_str!("../../../docs/knowledge-graph/shapes.ttl");
    let quantity = shapes.split_once("shapes:Quantity a").unwrap().1;
    let of_comparator = quantity.split_once("norma:comparator").unwrap().1.split_once(']').unwrap().0;
    assert!(!of_comparator.contains("sh:minCount"), "{of_comparator}");
}

/// The objects of a subject's triples with a property that ends so.
fn values(all: &[Triple], subject: &str, property: &str) -> BTreeSet<String> {
    let is_asked = |t: &&Triple| t.subject.to_string() == subject && t.predicate.as_str().ends_with(property);
    all.iter().filter(is_asked).map(|t| t.object.to_string()).collect()
}

#[test]
fn merged_graphs_of_several_editions_do_not_contradict_each_other() {
    let replaces = "<std-xref type='replaces'><std-ref>NSB 780:2012</std-ref></std-xref>";
    let whole = "<std-xref type='replaces'><std-ref>NSB 780</std-ref></std-xref>";
    let editions = [
        ("NSB 780:2012", 1, ""),
        ("NSB 780:2020", 2, replaces),
        ("NSB 780:2024", 3, whole),
        ("NSB 770:2023", 2, ""),
    ];
    let all = merged(&editions);
    let values = |subject: &str, property: &str| values(&all, &format!("<{subject}>"), property);
    let only = |value: &str| BTreeSet::from([value.to_owned()]);
    let [racks, pegs] = ["urn:nsb:std:nsb:780", "urn:nsb:std:nsb:770"];
    assert_eq!(values(racks, "identifier"), only("\"NSB 780\""));
    assert_eq!(values(pegs, "identifier"), only("\"NSB 770\""));
    assert_eq!(values("urn:nsb:std:nsb:790", "identifier"), only("\"NSB 790\""));
    for document in [racks, pegs] {
        assert!(values(document, "issued").is_empty() && values(document, "isVersionOf").is_empty());
    }
    let second = format!("{racks}:ed-2:en");
    assert_eq!(values(&second, "isVersionOf"), only(&format!("<{racks}>")));
    assert_eq!(values(&second, "documentType"), only(&format!("<{NORMA}documentType-is>")));
    for (edition, identifier, year) in [(2, "\"NSB 780:2012\"", Some("2012")), (3, "\"NSB 780\"", None)] {
        let edition = format!("{racks}:ed-{edition}:en");
        let replaced = format!("{edition}#reference/1");
        assert_eq!(values(&edition, "replaces"), only(&format!("<{replaced}>")), "never its own document");
        assert_eq!(values(&replaced, "isVersionOf"), only(&format!("<{racks}>")));
        assert_eq!(values(&replaced, "identifier"), only(identifier));
        let gyear = |year| format!("\"{year}\"^^<http://www.w3.org/2001/XMLSchema#gYear>");
        assert_eq!(values(&replaced, "issued"), year.map(gyear).into_iter().collect());
    }
    // The section and the provision refer to the edition that is cited.
    let cited = format!("<{second}#reference/2>");
    let referring: Vec<String> = (all.iter())
        .filter(|t| t.predicate.as_str().ends_with("/references") && t.object.to_string() == cited)
        .map(|t| t.subject.to_string())
        .collect();
    assert!(referring.iter().any(|subject| subject.contains("#provision/")), "{referring:?}");
    assert!(referring.iter().any(|subject| subject.contains("#section/")), "{referring:?}");
}

#[test]
fn merged_graphs_of_the_samples_say_nothing_false_of_a_document() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let folders = std::fs::read_dir(samples).unwrap().map(|folder| folder.unwrap().path());
    let files = folders.map(|folder| folder.join("document.xml")).filter(|file| file.is_file());
    let all: Vec<Triple> = files.flat_map(|file| graph_of(&std::fs::read(file).unwrap())).collect();
    let mut versions = Vec::new();
    for triple in all.iter().filter(|t| t.predicate.as_str().ends_with("/isVersionOf")) {
        versions.push((triple.subject.to_string(), triple.object.to_string()));
    }
    assert!(versions.len() > 10, "{versions:?}");
    for (version, document) in &versions {
        let [named, own] = [document, version].map(|node| values(&all, node, "/identifier"));
        assert!(named.len() <= 1, "{document}: {named:?}");
        let is_dated = |identifier: &String| identifier.contains(':');
        assert!(!named.iter().any(is_dated), "{document} has the name of an edition: {named:?}");
        assert!(!own.iter().any(|own| is_dated(own) && named.contains(own)), "{version}: {own:?}");
        for property in ["/issued", "/isVersionOf", "/hasPart"] {
            assert!(values(&all, document, property).is_empty(), "{document} {property}");
        }
        for property in ["/replaces", "/isReplacedBy"] {
            assert!(!values(&all, version, property).contains(document), "{version} {property}");
        }
        for property in ["/issued", "/isVersionOf"] {
            assert!(values(&all, version, property).len() <= 1, "{version} {property}");
        }
    }
    // Two editions of one document are among them, of which one replaces the other.
    let mut documents: Vec<&String> = versions.iter().map(|(_, document)| document).collect();
    documents.sort();
    assert!(documents.windows(2).any(|pair| pair[0] == pair[1]), "{documents:?}");
    assert!(versions.iter().any(|(version, _)| !values(&all, version, "/replaces").is_empty()));
}

#[test]
fn a_table_has_its_label_and_caption_and_says_who_cites_it() {
    let (_, turtle) = example();
    let triples = triples(&turtle);
    let of = |subject: &str, predicate: &str| -> Vec<String> {
        let own = triples.iter().filter(|t| t.subject.to_string().contains(subject));
        own.filter(|t| t.predicate.as_str().ends_with(predicate)).map(|t| t.object.to_string()).collect()
    };
    assert_eq!(of("#table/tab_1>", "#type"), ["<http://purl.org/spar/doco/Table>"]);
    assert_eq!(of("#table/tab_1>", "#label"), ["\"Table 1\""]);
    assert_eq!(of("#table/tab_1>", "/title").len(), 1);
    let citing: BTreeSet<String> = triples
        .iter()
        .filter(|t| {
            t.predicate.as_str().ends_with("/references") && t.object.to_string().ends_with("#table/tab_1>")
        })
        .map(|t| t.subject.to_string())
        .collect();
    assert!(!citing.is_empty());
    assert_eq!(of("#table/tab_1>", "/isReferencedBy").into_iter().collect::<BTreeSet<_>>(), citing);
}

#[test]
fn the_graph_is_no_legislation() {
    let (json_ld, _) = example();
    assert!(!String::from_utf8(json_ld).unwrap().contains("Legislation"));
}

/// PyLD expands, rdflib reads and pySHACL validates; set `NORMA_VENV` to a virtual environment that has them.
#[test]
fn processors_of_others_read_it_and_find_it_valid() {
    let Some(venv) = std::env::var_os("NORMA_VENV").map(PathBuf::from) else {
        println!(
            "python processors absent: set NORMA_VENV to a virtual environment with PyLD, rdflib and pyshacl"
        );
        return;
    };
    let (json_ld, turtle) = example();
    let folder = tempfile::tempdir().unwrap();
    let (json_ld_file, turtle_file) = (folder.path().join("graph.jsonld"), folder.path().join("graph.ttl"));
    std::fs::write(&json_ld_file, json_ld).unwrap();
    std::fs::write(&turtle_file, turtle).unwrap();
    let merged_file = folder.path().join("merged.nt");
    let replaces = "<std-xref type='replaces'><std-ref>NSB 780:2012</std-ref></std-xref>";
    let merged = merged(&[("NSB 780:2012", 1, ""), ("NSB 780:2020", 2, replaces), ("NSB 770:2023", 2, "")]);
    let lines: Vec<String> = merged.iter().map(|triple| format!("{triple} .\n")).collect();
    std::fs::write(&merged_file, lines.concat()).unwrap();
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let checked = Command::new(venv.join("bin/python"))
        .arg(here.join("tests/graph.py"))
        .args([&json_ld_file, &turtle_file])
        .arg(here.join("../../docs/knowledge-graph/shapes.ttl"))
        .arg(here.join("../../docs/knowledge-graph/vocabulary.ttl"))
        .arg(&merged_file)
        .output()
        .unwrap();
    let said = [checked.stdout, checked.stderr].concat();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&said));
}
