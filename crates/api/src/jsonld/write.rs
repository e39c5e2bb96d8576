//! A graph in JSON-LD 1.1 and in Turtle, written side by side in one pass.
//!
//! Both are written by hand, since an edition has thousands of triples and writing them is a good part of what its
//! ingest costs: a name or a literal is spelled once for both. That is sound because a JSON string (RFC 8259, 7) is
//! also a quoted literal of Turtle (RDF 1.1 Turtle, 6.4: `ECHAR`, `UCHAR`), and because names hold nothing that either
//! would escape. Tests read both back with parsers of others.

use std::io::Write as _;

use foldhash::HashSet;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Graph, Kept, LINKS, Name, PREFIXES, Value};

/// All but the unreserved characters (RFC 3986, 2.3).
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

const INFALLIBLE: &str = "a vector takes every byte";

/// Takes nodes with their properties, one after another.
pub(super) struct Writer<'a> {
    urn: &'a str,
    graph: Graph,
    kept: Kept,
    nodes: usize,
}

impl<'a> Writer<'a> {
    /// A graph without nodes, which will have about `expected` bytes in each form that is kept. Its parts are named after
    /// `urn`.
    pub(super) fn new(urn: &'a str, expected: usize, kept: Kept) -> Self {
        let form = |other| Vec::with_capacity(if kept == other { 0 } else { expected });
        let mut graph = Graph { json_ld: form(Kept::Turtle), turtle: form(Kept::JsonLd) };
        graph.json_ld.extend_from_slice(br#"{"@context":{"#);
        for (place, (prefix, namespace)) in PREFIXES.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(graph.json_ld, "{comma}\"{prefix}\":\"{namespace}\"").expect(INFALLIBLE);
            writeln!(graph.turtle, "@prefix {prefix}: <{namespace}> .").expect(INFALLIBLE);
        }
        for property in LINKS {
            write!(graph.json_ld, ",\"{property}\":{{\"@type\":\"@id\"}}").expect(INFALLIBLE);
        }
        graph.json_ld.extend_from_slice(br#"},"@graph":["#);
        Self { urn, graph, kept, nodes: 0 }
    }

    /// The whole graph.
    pub(super) fn finish(mut self) -> Graph {
        self.end_node();
        self.graph.json_ld.extend_from_slice(b"]}");
        self.graph
    }

    /// Begins a node: what follows is about it. It has at least one type.
    pub(super) fn node(&mut self, name: Name<'_>, types: &[&'static str]) {
        self.end_node();
        let comma: &[u8] = if self.nodes > 0 { b"," } else { b"" };
        put(&mut self.graph.json_ld, [comma, br#"{"@id":""#]);
        put(&mut self.graph.turtle, [b"<"]);
        self.both(|w, urn| spell(name, urn, w));
        put(&mut self.graph.json_ld, [br#"","@type":"#]);
        put(&mut self.graph.turtle, [b"> a "]);
        self.nodes += 1;
        self.list(types, |w, kind| {
            put(&mut w.graph.json_ld, [b"\"", kind.as_bytes(), b"\""]);
            put(&mut w.graph.turtle, [kind.as_bytes()]);
        });
    }

    fn end_node(&mut self) {
        if self.nodes > 0 {
            self.graph.json_ld.push(b'}');
            self.graph.turtle.extend_from_slice(b" .\n");
        }
        match self.kept {
            Kept::Both => {}
            Kept::JsonLd => self.graph.turtle.clear(),
            Kept::Turtle => self.graph.json_ld.clear(),
        }
    }

    /// Writes a property of one value.
    pub(super) fn one(&mut self, property: &'static str, value: Value<'_>) {
        self.property(property, &[value]);
    }

    /// Writes a property that may lack its value.
    pub(super) fn maybe(&mut self, property: &'static str, value: Option<Value<'_>>) {
        if let Some(value) = value {
            self.one(property, value);
        }
    }

    /// Writes a property of any number of values, each value once.
    pub(super) fn each<'v>(&mut self, property: &'static str, values: impl IntoIterator<Item = Value<'v>>) {
        let mut distinct: Vec<_> = values.into_iter().collect();
        if distinct.len() > 1 {
            let mut seen = HashSet::default();
            distinct.retain(|value| seen.insert(*value));
        }
        if !distinct.is_empty() {
            self.property(property, &distinct);
        }
    }

    fn property(&mut self, property: &'static str, values: &[Value<'_>]) {
        put(&mut self.graph.json_ld, [b",\"", property.as_bytes(), b"\":"]);
        put(&mut self.graph.turtle, [b" ;\n\t", property.as_bytes(), b" "]);
        self.list(values, Self::value);
    }

    /// Writes one or several: JSON-LD has several in brackets, Turtle parts them by commas alone.
    fn list<T: Copy>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, T)) {
        let several = items.len() > 1;
        if several {
            self.graph.json_ld.push(b'[');
        }
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                self.graph.json_ld.push(b',');
                self.graph.turtle.extend_from_slice(b" , ");
            }
            write(self, *item);
        }
        if several {
            self.graph.json_ld.push(b']');
        }
    }

    fn value(&mut self, value: Value<'_>) {
        let (json_ld, turtle) = (&mut self.graph.json_ld, &mut self.graph.turtle);
        match value {
            Value::Link(name) => {
                json_ld.push(b'"');
                turtle.push(b'<');
                self.both(|w, urn| spell(name, urn, w));
                self.graph.json_ld.push(b'"');
                self.graph.turtle.push(b'>');
            }
            Value::Text(text) => self.both(|w, _| json_escape_simd::escape_into(text, w)),
            Value::Tagged(text, language) => {
                put(json_ld, [br#"{"@language":""#, language.as_bytes(), br#"","@value":"#]);
                self.both(|w, _| json_escape_simd::escape_into(text, w));
                self.graph.json_ld.push(b'}');
                put(&mut self.graph.turtle, [b"@", language.as_bytes()]);
            }
            Value::Typed(text, datatype) => {
                put(json_ld, [br#"{"@type":""#, datatype.as_bytes(), br#"","@value":"#]);
                self.both(|w, _| json_escape_simd::escape_into(text, w));
                self.graph.json_ld.push(b'}');
                put(&mut self.graph.turtle, [b"^^", datatype.as_bytes()]);
            }
            Value::Integer(number) => self.both(|w, _| write!(w, "{number}").expect(INFALLIBLE)),
            Value::Boolean(value) => self.both(|w, _| put(w, [if value { b"true" } else { b"false" }])),
        }
    }

    /// Writes what both forms have alike: a name, a literal. It is told the edition's URN.
    fn both(&mut self, write: impl FnOnce(&mut Vec<u8>, &str)) {
        let Graph { json_ld, turtle } = &mut self.graph;
        let start = json_ld.len();
        write(json_ld, self.urn);
        turtle.extend_from_slice(&json_ld[start..]);
    }
}

/// The name of a part is the edition's URN and a fragment (RFC 8141, 2.3.3). Classes of the ICS are the same whatever
/// edition names them, so their names hold no edition.
fn spell(name: Name<'_>, urn: &str, bytes: &mut Vec<u8>) {
    let urn = urn.as_bytes();
    match name {
        Name::Standard => put(bytes, [urn]),
        Name::Only(kind) => put(bytes, [urn, b"#", kind.as_bytes()]),
        Name::Part(kind, id) => {
            put(bytes, [urn, b"#", kind.as_bytes(), b"/"]);
            percent_encode(id, bytes);
        }
        Name::Reference(place) => {
            put(bytes, [urn, b"#reference/"]);
            write!(bytes, "{place}").expect(INFALLIBLE);
        }
        Name::Class(code) => {
            put(bytes, [b"urn:norma:ics:"]);
            percent_encode(code, bytes);
        }
        Name::Document(urn) => put(bytes, [urn.as_bytes()]),
    }
}

fn percent_encode(text: &str, bytes: &mut Vec<u8>) {
    utf8_percent_encode(text, FRAGMENT).for_each(|piece| bytes.extend_from_slice(piece.as_bytes()));
}

/// Inlined, since pieces whose length is known are then written without a call.
#[inline(always)]
fn put<const N: usize>(bytes: &mut Vec<u8>, pieces: [&[u8]; N]) {
    for piece in pieces {
        bytes.extend_from_slice(piece);
    }
}
