//! The knowledge graph as processors of others see it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use norma_api::media::View;
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
            let elsewhere = object.as_str().starts_with("urn:") && !object.as_str().contains('#');
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
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let checked = Command::new(venv.join("bin/python"))
        .arg(here.join("tests/graph.py"))
        .args([&json_ld_file, &turtle_file])
        .arg(here.join("../../docs/knowledge-graph/shapes.ttl"))
        .arg(here.join("../../docs/knowledge-graph/vocabulary.ttl"))
        .output()
        .unwrap();
    let said = [checked.stdout, checked.stderr].concat();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&said));
}
