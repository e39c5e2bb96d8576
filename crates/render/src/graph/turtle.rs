//! The graph in Turtle, written from the graph in JSON-LD.
//!
//! It reads the very form that [`write`](super::write) gives: no white space, one type before all properties,
//! values that are strings, numbers, booleans or typed literals. A JSON string (RFC 8259, section 7) is also
//! a quoted literal of Turtle (RDF 1.1 Turtle, section 6.4: `ECHAR`, `UCHAR`), so that texts are copied as
//! they are.

use std::fmt::Write as _;

use memchr::memchr2;

use super::objects::ObjectStream;
use super::{LINKS, PREFIXES};

/// Takes a graph, or some of its nodes, in chunks and gives it in Turtle.
pub(crate) struct Turtle {
    nodes: ObjectStream,
    /// True until the context of the graph, which Turtle does not need, has passed.
    in_context: bool,
}

/// Between the context and the nodes.
const GRAPH: &[u8] = b",\"@graph\":[";

impl Turtle {
    /// Begins a graph: appends the prefixes.
    pub(crate) fn new(out: &mut Vec<u8>) -> Self {
        let mut prefixes = String::new();
        for (prefix, namespace) in PREFIXES {
            writeln!(prefixes, "@prefix {prefix}: <{namespace}> .").expect("a string takes every text");
        }
        out.extend_from_slice(prefixes.as_bytes());
        Self { nodes: ObjectStream::default(), in_context: true }
    }

    /// A writer for nodes that follow others in a graph.
    pub(super) fn of_nodes() -> Self {
        Self { nodes: ObjectStream::default(), in_context: false }
    }

    /// Appends the nodes that end in the next chunk; `None` if they are not in the stored form.
    pub(crate) fn write(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
        self.nodes.push(bytes);
        self.in_context = self.in_context && !self.nodes.skip_to_after(GRAPH);
        if self.in_context {
            return Some(());
        }
        self.nodes.take_complete(|node| GraphNode { rest: node, out }.write())
    }
}

/// One node while it is converted from one form to the other.
struct GraphNode<'n, 'o> {
    rest: &'n [u8],
    out: &'o mut Vec<u8>,
}

impl<'n> GraphNode<'n, '_> {
    fn write(mut self) -> Option<()> {
        self.take(b"{\"@id\":")?;
        self.link()?;
        self.take(b",\"@type\":")?;
        self.put(b" a ");
        self.values(|node| {
            let kind = node.text()?;
            node.put(without_quotes(kind));
            Some(())
        })?;
        while self.take(b",").is_some() {
            let property = without_quotes(self.text()?);
            self.take(b":")?;
            self.put(b" ;\n\t");
            self.put(property);
            self.put(b" ");
            let is_link = LINKS.iter().any(|link| link.as_bytes() == property);
            self.values(|node| if is_link { node.link() } else { node.literal() })?;
        }
        self.take(b"}")?;
        self.put(b" .\n");
        self.rest.is_empty().then_some(())
    }

    /// Writes one value or several.
    fn values(&mut self, mut value: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.take(b"[").is_none() {
            return value(self);
        }
        value(self)?;
        while self.take(b",").is_some() {
            self.put(b" , ");
            value(self)?;
        }
        self.take(b"]")
    }

    fn link(&mut self) -> Option<()> {
        let text = self.text()?;
        self.put(b"<");
        self.put(without_quotes(text));
        self.put(b">");
        Some(())
    }

    fn literal(&mut self) -> Option<()> {
        if self.rest.first() == Some(&b'"') {
            let text = self.text()?;
            self.put(text);
            return Some(());
        }
        if self.take(b"{\"@language\":").is_some() {
            return self.qualified(b"@");
        }
        if self.take(b"{\"@type\":").is_some() {
            return self.qualified(b"^^");
        }
        // A number or a boolean.
        let end = self.rest.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
        let (word, rest) = self.rest.split_at_checked(end.max(1))?;
        self.put(word);
        self.rest = rest;
        Some(())
    }

    /// Writes the rest of a text with a language or datatype, which Turtle has behind the text and a sign.
    fn qualified(&mut self, sign: &[u8]) -> Option<()> {
        let qualifier = self.text()?;
        self.take(b",\"@value\":")?;
        let text = self.text()?;
        self.take(b"}")?;
        self.put(text);
        self.put(sign);
        self.put(without_quotes(qualifier));
        Some(())
    }

    /// Takes a string with its quotation marks.
    fn text(&mut self) -> Option<&'n [u8]> {
        if *self.rest.first()? != b'"' {
            return None;
        }
        let mut end = 1;
        loop {
            end += memchr2(b'"', b'\\', self.rest.get(end..)?)?;
            if self.rest[end] == b'"' {
                let (text, rest) = self.rest.split_at(end + 1);
                self.rest = rest;
                return Some(text);
            }
            // A backslash and the escaped byte.
            end += 2;
        }
    }

    fn take(&mut self, expected: &[u8]) -> Option<()> {
        self.rest = self.rest.strip_prefix(expected)?;
        Some(())
    }

    fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
}

/// The inside of a string that [`GraphNode::text`] took.
fn without_quotes(text: &[u8]) -> &[u8] {
    &text[1..text.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_in_any_stretches_is_the_same_in_turtle() {
        let graph = br#"{"@context":{"a":{"@type":"@id"}},"@graph":[{"@id":"urn:x","@type":["a:B","a:C"],"a:n":1,"a:t":["{\"}",{"@language":"en","@value":"\\"}]},{"@id":"urn:y","@type":"a:B","a:d":{"@type":"xsd:date","@value":"2026"},"dcterms:hasPart":["urn:x","urn:y"],"a:b":true}]}"#;
        let mut prefixes = Vec::new();
        Turtle::new(&mut prefixes);
        let expected = concat!(
            "<urn:x> a a:B , a:C ;\n\ta:n 1 ;\n\ta:t \"{\\\"}\" , \"\\\\\"@en .\n",
            "<urn:y> a a:B ;\n\ta:d \"2026\"^^xsd:date ;\n\tdcterms:hasPart <urn:x> , <urn:y> ;\n\ta:b true .\n",
        );
        for stretch in 1..=graph.len() {
            let mut out = Vec::new();
            let mut turtle = Turtle::new(&mut out);
            for bytes in graph.chunks(stretch) {
                turtle.write(bytes, &mut out).unwrap();
            }
            assert_eq!(std::str::from_utf8(&out[prefixes.len()..]).unwrap(), expected, "{stretch}");
        }
    }

    #[test]
    fn what_is_no_stored_graph_is_refused() {
        for node in [
            "{}",
            r#"{"@id":"x"}"#,
            r#"{"@id":"x","@type":"a","p":}"#,
            r#"{"@id":"x","@type":"a","p":{"q":"r"}}"#,
        ] {
            let mut turtle = Turtle::new(&mut Vec::new());
            let graph = format!(r#"{{"@context":{{}},"@graph":[{node}]}}"#);
            assert!(turtle.write(graph.as_bytes(), &mut Vec::new()).is_none(), "{node}");
        }
    }
}
