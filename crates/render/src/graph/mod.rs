//! The knowledge graph of an edition: one set of nodes. Those of provisions, which are most of it, are made
//! of the stored provisions when the graph is read; the others are stored in JSON-LD. Turtle is written from
//! JSON-LD, node by node.
//!
//! Every node has a name of its own, made of the edition's URN and a fragment, so there are no blank nodes
//! and no host names. What common vocabularies cannot say is said in Norma's own; see [`vocabulary`].

mod build;
mod language;
mod objects;
mod provisions;
mod turtle;
mod write;

pub(crate) use build::graph;
pub(crate) use provisions::{Nodes, ProvisionNodes};
use serde::{Deserialize, Serialize};
pub(crate) use turtle::Turtle;
pub(crate) use write::END;

/// Norma's own vocabulary, in Turtle, as it is served at the path of its IRIs.
pub const fn vocabulary() -> &'static str {
    include_str!("../../../../docs/knowledge-graph/vocabulary.ttl")
}

/// Namespace of Norma's own vocabulary.
///
/// It is under w3id.org, the common home of lasting identifiers that no single deployment owns: a stored
/// graph must not name the host that happens to serve it. Each service answers at the same path.
const VOCABULARY: &str = "https://w3id.org/norma/vocabulary#";

/// Prefixes of names in a graph, with their namespaces.
const PREFIXES: &[(&str, &str)] = &[
    ("dcterms", "http://purl.org/dc/terms/"),
    ("doco", "http://purl.org/spar/doco/"),
    ("norma", VOCABULARY),
    ("schema", "https://schema.org/"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// Properties whose values are always other nodes.
const LINKS: &[&str] = &[
    "dcterms:hasPart",
    "dcterms:isPartOf",
    "dcterms:isReferencedBy",
    "dcterms:isVersionOf",
    "dcterms:publisher",
    "dcterms:references",
    "dcterms:relation",
    "dcterms:replaces",
    "dcterms:requires",
    "dcterms:subject",
    "norma:adopts",
    "norma:amends",
    "norma:documentType",
    "norma:quantity",
    "norma:sectionType",
    "norma:usesTerm",
    "skos:inScheme",
];

/// A kind of part that has a name in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum GraphPartKind {
    Section,
    Table,
    Graphic,
    Term,
    Provision,
    Quantity,
    Reference,
}

impl GraphPartKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Section => "section",
            Self::Table => "table",
            Self::Graphic => "graphic",
            Self::Term => "term",
            Self::Provision => "provision",
            Self::Quantity => "quantity",
            Self::Reference => "reference",
        }
    }
}

/// The name of a node. No part of a name needs an escape: URNs are checked when they are made, ids are
/// percent-encoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NodeName<'a> {
    /// The edition that the graph is about, by its URN.
    Standard,
    /// The only part of its kind.
    Only(&'static str),
    /// A part by its kind and id.
    Part(GraphPartKind, &'a str),
    /// The cited document with this number, from 1, if no URN of a document names it: one edition of another
    /// document, or a work without a URN.
    Reference(usize),
    /// A concept of the vocabulary: the property with it as a value, and its notation.
    Concept(&'static str, &'static str),
    /// A class of the ICS, by its code.
    Class(&'a str),
    /// Another document, by its URN.
    Document(&'a str),
}

/// A value of a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NodeValue<'a> {
    /// Another node, or a thing outside the graph.
    Link(NodeName<'a>),
    /// Text in no particular language.
    Text(&'a str),
    /// Text in a language.
    Tagged(&'a str, &'a str),
    /// Text of a datatype, by its compact name.
    Typed(&'a str, &'static str),
    Integer(u32),
    Boolean(bool),
}
