//! The knowledge graph of an edition: one set of nodes, written as JSON-LD and as Turtle.
//!
//! Every node has a name of its own, made of the edition's URN and a fragment, so there are no blank nodes and
//! no host names. What common vocabularies cannot say is said in Norma's own; see [`vocabulary`].

mod build;
mod turtle;
mod write;

use std::borrow::Cow;

use crate::shapes::Views;

/// Norma's own vocabulary, in Turtle, as it is served at the path of its own IRIs.
pub const fn vocabulary() -> &'static str {
    include_str!("../../../../docs/knowledge-graph/vocabulary.ttl")
}

/// Namespaces by prefix.
///
/// Norma's own is under w3id.org, the common home of lasting identifiers that no single deployment owns: a
/// stored graph must not name the host that happens to serve it. Each service answers at the same path.
const PREFIXES: &[(&str, &str)] = &[
    ("dcterms", "http://purl.org/dc/terms/"),
    ("doco", "http://purl.org/spar/doco/"),
    ("norma", "https://w3id.org/norma/vocabulary#"),
    ("schema", "https://schema.org/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// Properties whose values are always other nodes.
const LINKS: &[&str] = &[
    "dcterms:hasPart",
    "dcterms:isPartOf",
    "dcterms:publisher",
    "dcterms:references",
    "dcterms:relation",
    "dcterms:replaces",
    "dcterms:requires",
    "dcterms:subject",
    "norma:adopts",
    "norma:amends",
    "norma:usesTerm",
    "skos:inScheme",
];

/// The nodes of a graph, the standard first.
pub struct Graph<'a>(Vec<Node<'a>>);

/// One thing with its types and properties, by their compact names (`dcterms:title`).
struct Node<'a> {
    id: String,
    types: Vec<&'static str>,
    properties: Vec<(&'static str, Vec<Value<'a>>)>,
}

/// A value of a property.
#[derive(Clone, PartialEq)]
enum Value<'a> {
    /// Another node, or a thing outside the graph.
    Link(String),
    /// Text in no particular language.
    Text(Cow<'a, str>),
    /// Text in a language.
    Tagged(Cow<'a, str>, String),
    /// Text of a datatype, by its compact name.
    Typed(Cow<'a, str>, &'static str),
    Integer(u32),
    Boolean(bool),
}

impl<'a> Node<'a> {
    fn new(id: String, types: impl Into<Vec<&'static str>>) -> Self {
        Self { id, types: types.into(), properties: Vec::new() }
    }

    /// The same node with one more value; a value that it has already is not repeated.
    fn with(mut self, property: &'static str, value: Value<'a>) -> Self {
        self.add(property, value);
        self
    }

    /// The same node with one value more for each given.
    fn with_each(self, property: &'static str, values: impl IntoIterator<Item = Value<'a>>) -> Self {
        values.into_iter().fold(self, |node, value| node.with(property, value))
    }

    fn add(&mut self, property: &'static str, value: Value<'a>) {
        match self.properties.iter_mut().find(|(name, _)| *name == property) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => self.properties.push((property, vec![value])),
        }
    }
}

impl Views<'_> {
    /// The knowledge graph.
    pub fn graph(&self) -> Graph<'_> {
        build::graph(self)
    }
}

impl Graph<'_> {
    /// The graph in JSON-LD 1.1, with an inline context.
    pub fn json_ld(&self) -> Vec<u8> {
        write::render(self)
    }

    /// The graph in Turtle: the same triples.
    pub fn turtle(&self) -> Vec<u8> {
        turtle::render(self)
    }
}
