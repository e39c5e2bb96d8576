//! A graph in Turtle.

use oxrdf::vocab::rdf;
use oxrdf::{Literal, NamedNode, Term, Triple};
use oxttl::TurtleSerializer;

use super::{Graph, PREFIXES, Value};

const INFALLIBLE: &str = "a vector takes every byte";

pub(super) fn render(graph: &Graph<'_>) -> Vec<u8> {
    let prefixed = PREFIXES.iter().fold(TurtleSerializer::new(), |writer, (prefix, namespace)| {
        writer.with_prefix(*prefix, *namespace).expect("the namespaces are IRIs")
    });
    let mut writer = prefixed.for_writer(Vec::new());
    for node in &graph.0 {
        // Unchecked: every name is a URN and a percent-encoded fragment.
        let subject = NamedNode::new_unchecked(&node.id);
        let mut write = |predicate: NamedNode, object: Term| {
            writer.serialize_triple(&Triple::new(subject.clone(), predicate, object)).expect(INFALLIBLE);
        };
        for kind in &node.types {
            write(rdf::TYPE.into(), expand(kind).into());
        }
        for (property, values) in &node.properties {
            for value in values {
                write(expand(property), term(value));
            }
        }
    }
    writer.finish().expect(INFALLIBLE)
}

fn term(value: &Value<'_>) -> Term {
    match value {
        Value::Link(id) => NamedNode::new_unchecked(id).into(),
        Value::Text(text) => Literal::from(text.as_ref()).into(),
        // Unchecked: the tag was cut down to a well-formed one when the graph was built.
        Value::Tagged(text, language) => {
            Literal::new_language_tagged_literal_unchecked(text.as_ref(), language).into()
        }
        Value::Typed(text, datatype) => Literal::new_typed_literal(text.as_ref(), expand(datatype)).into(),
        Value::Integer(number) => Literal::from(*number).into(),
        Value::Boolean(value) => Literal::from(*value).into(),
    }
}

/// The IRI of a compact name.
fn expand(compact: &str) -> NamedNode {
    let (prefix, name) = compact.split_once(':').expect("compact names have a prefix");
    let (_, namespace) = PREFIXES.iter().find(|(p, _)| *p == prefix).expect("prefixes are in the table");
    NamedNode::new_unchecked(format!("{namespace}{name}"))
}
