//! A graph in JSON-LD 1.1.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{Graph, LINKS, Node, PREFIXES, Value};

pub(super) fn render(graph: &Graph<'_>) -> Vec<u8> {
    serde_json::to_vec(graph).expect("keys are texts and a vector takes every byte")
}

impl Serialize for Graph<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_map(Some(2))?;
        document.serialize_entry("@context", &Context)?;
        document.serialize_entry("@graph", &self.0)?;
        document.end()
    }
}

/// Prefixes, and which properties have links for values.
struct Context;

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut context = serializer.serialize_map(None)?;
        for (prefix, namespace) in PREFIXES {
            context.serialize_entry(prefix, namespace)?;
        }
        for property in LINKS {
            context.serialize_entry(property, &BTreeMap::from([("@type", "@id")]))?;
        }
        context.end()
    }
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut node = serializer.serialize_map(None)?;
        node.serialize_entry("@id", &self.id)?;
        match self.types.as_slice() {
            [one] => node.serialize_entry("@type", one)?,
            several => node.serialize_entry("@type", several)?,
        }
        for (property, values) in &self.properties {
            match values.as_slice() {
                [one] => node.serialize_entry(property, one)?,
                several => node.serialize_entry(property, several)?,
            }
        }
        node.end()
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Link(id) => serializer.serialize_str(id),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Tagged(text, language) => object(text, "@language", language).serialize(serializer),
            Self::Typed(text, datatype) => object(text, "@type", datatype).serialize(serializer),
            Self::Integer(number) => serializer.serialize_u32(*number),
            Self::Boolean(value) => serializer.serialize_bool(*value),
        }
    }
}

fn object<'v>(text: &'v str, key: &'static str, value: &'v str) -> BTreeMap<&'static str, &'v str> {
    BTreeMap::from([("@value", text), (key, value)])
}
