//! A graph in JSON-LD 1.1, or some nodes of it, written in one pass.
//!
//! It is written by hand, since an edition has thousands of triples: names hold nothing that would be
//! escaped. Tests read it back with parsers of others.

use std::io::Write as _;

use foldhash::HashSet;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::{LINKS, NodeName, NodeValue, PREFIXES, Turtle, VOCABULARY};
use crate::gzip::Encoder;
use crate::json;

/// All but the unreserved characters (RFC 3986, 2.3).
const FRAGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The end of a graph, after its nodes.
pub(crate) const END: &str = "]}";

const INFALLIBLE: &str = "a vector takes every byte";

/// The destination of nodes.
pub(super) trait Output {
    /// The buffer for the next bytes.
    fn bytes(&mut self) -> &mut Vec<u8>;
    /// A node is complete.
    fn end_node(&mut self) {}
}

impl Output for Vec<u8> {
    fn bytes(&mut self) -> &mut Vec<u8> {
        self
    }
}

impl Output for Encoder {
    fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    fn end_node(&mut self) {
        self.flush_full_batch();
    }
}

/// Takes nodes with their properties, one after another.
pub(super) struct NodeWriter<'a, O> {
    urn: &'a str,
    out: &'a mut O,
    has_nodes: bool,
    in_node: bool,
    /// Number of bytes by which the written nodes are longer in Turtle. To write it in Turtle for its length
    /// takes 2.4 % of an ingest.
    longer_in_turtle: i64,
}

impl<'a, O: Output> NodeWriter<'a, O> {
    /// A graph without nodes. Its parts are named after `urn`.
    pub(super) fn of_graph(urn: &'a str, out: &'a mut O) -> Self {
        let bytes = out.bytes();
        let before = bytes.len();
        bytes.extend_from_slice(br#"{"@context":{"#);
        for (index, (prefix, namespace)) in PREFIXES.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(bytes, "{comma}\"{prefix}\":\"{namespace}\"").expect(INFALLIBLE);
        }
        for property in LINKS {
            write!(bytes, ",\"{property}\":{{\"@type\":\"@id\"}}").expect(INFALLIBLE);
        }
        bytes.extend_from_slice(br#"},"@graph":["#);
        let mut prefixes = Vec::new();
        Turtle::new(&mut prefixes);
        let longer_in_turtle = prefixes.len() as i64 - (bytes.len() - before) as i64;
        Self { urn, out, has_nodes: false, in_node: false, longer_in_turtle }
    }

    /// Nodes that follow others in a graph.
    pub(super) fn of_nodes(urn: &'a str, out: &'a mut O) -> Self {
        Self { urn, out, has_nodes: true, in_node: false, longer_in_turtle: 0 }
    }

    /// Ends the nodes. Gives by how many bytes they are longer in Turtle.
    pub(super) fn finish_nodes(mut self) -> i64 {
        self.end_node();
        self.longer_in_turtle
    }

    /// Ends the graph. Gives by how many bytes it is longer in Turtle.
    pub(super) fn finish_graph(mut self) -> i64 {
        self.end_node();
        self.put_for(END.as_bytes(), "");
        self.longer_in_turtle
    }

    /// Begins a node: what follows is about it. It has at least one type.
    pub(super) fn node(&mut self, name: NodeName<'_>, types: &[&'static str]) {
        self.end_node();
        self.put_for(if self.has_nodes { b"," } else { b"" }, "");
        self.put_for(br#"{"@id":""#, "<");
        self.spell(name);
        self.put_for(br#"","@type":"#, "> a ");
        (self.has_nodes, self.in_node) = (true, true);
        self.list(types, |w, kind| {
            w.put_for(b"\"", "");
            w.put([kind.as_bytes()]);
            w.put_for(b"\"", "");
        });
    }

    fn end_node(&mut self) {
        if std::mem::take(&mut self.in_node) {
            self.put_for(b"}", " .\n");
            self.out.end_node();
        }
    }

    /// Writes a property of one value.
    pub(super) fn one(&mut self, property: &'static str, value: NodeValue<'_>) {
        self.property(property, &[value]);
    }

    /// Writes a property that may have no value.
    pub(super) fn maybe(&mut self, property: &'static str, value: Option<NodeValue<'_>>) {
        if let Some(value) = value {
            self.one(property, value);
        }
    }

    /// Writes a property of any number of values, each value once.
    pub(super) fn each<'v>(
        &mut self,
        property: &'static str,
        values: impl IntoIterator<Item = NodeValue<'v>>,
    ) {
        let mut distinct: Vec<_> = values.into_iter().collect();
        if distinct.len() > 1 {
            let mut distinct_values = HashSet::default();
            distinct.retain(|value| distinct_values.insert(*value));
        }
        if !distinct.is_empty() {
            self.property(property, &distinct);
        }
    }

    fn property(&mut self, property: &'static str, values: &[NodeValue<'_>]) {
        self.put_for(b",\"", " ;\n\t");
        self.put([property.as_bytes()]);
        self.put_for(b"\":", " ");
        self.list(values, Self::value);
    }

    /// Writes one, or several in brackets.
    fn list<T: Copy>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, T)) {
        let several = items.len() > 1;
        if several {
            self.put_for(b"[", "");
        }
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put_for(b",", " , ");
            }
            write(self, *item);
        }
        if several {
            self.put_for(b"]", "");
        }
    }

    fn value(&mut self, value: NodeValue<'_>) {
        match value {
            NodeValue::Link(name) => {
                self.put([b"\""]);
                self.spell(name);
                self.put([b"\""]);
            }
            NodeValue::Text(text) => self.text(text),
            NodeValue::Tagged(text, language) => {
                self.put_for(br#"{"@language":""#, "");
                self.put([language.as_bytes()]);
                self.put_for(br#"","@value":"#, "@");
                self.text(text);
                self.put_for(b"}", "");
            }
            NodeValue::Typed(text, datatype) => {
                self.put_for(br#"{"@type":""#, "");
                self.put([datatype.as_bytes()]);
                self.put_for(br#"","@value":"#, "^^");
                self.text(text);
                self.put_for(b"}", "");
            }
            NodeValue::Integer(number) => write!(self.out.bytes(), "{number}").expect(INFALLIBLE),
            NodeValue::Boolean(value) => self.put([if value { &b"true"[..] } else { b"false" }]),
        }
    }

    fn text(&mut self, text: &str) {
        json::write(text, self.out.bytes());
    }

    /// Writes the name of a part: the edition's URN and a fragment (RFC 8141, 2.3.3). Classes of the ICS are
    /// the same whatever edition names them, so their names hold no edition.
    fn spell(&mut self, name: NodeName<'_>) {
        let urn = self.urn.as_bytes();
        match name {
            NodeName::Standard => self.put([urn]),
            NodeName::Only(kind) => self.put([urn, b"#", kind.as_bytes()]),
            NodeName::Part(kind, id) => {
                self.put([urn, b"#", kind.as_str().as_bytes(), b"/"]);
                self.percent_encode(id);
            }
            NodeName::Reference(number) => {
                self.put([urn, b"#reference/"]);
                write!(self.out.bytes(), "{number}").expect(INFALLIBLE);
            }
            NodeName::Concept(property, notation) => {
                self.put([VOCABULARY.as_bytes(), property.as_bytes(), b"-", notation.as_bytes()]);
            }
            NodeName::Class(code) => {
                self.put([b"urn:norma:ics:"]);
                self.percent_encode(code);
            }
            NodeName::Document(urn) => self.put([urn.as_bytes()]),
        }
    }

    fn percent_encode(&mut self, text: &str) {
        utf8_percent_encode(text, FRAGMENT).for_each(|piece| self.put([piece.as_bytes()]));
    }

    /// Writes what Turtle has something else for.
    fn put_for(&mut self, json: &[u8], turtle: &str) {
        self.put([json]);
        self.longer_in_turtle += turtle.len() as i64 - json.len() as i64;
    }

    fn put<const N: usize>(&mut self, pieces: [&[u8]; N]) {
        for piece in pieces {
            self.out.bytes().extend_from_slice(piece);
        }
    }
}
