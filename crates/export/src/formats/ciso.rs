//! CISO Assistant: a library with one framework, as YAML.

use serde_json::{Map, Value, json};

use crate::objects::{ObjectAttribute, ObjectKind, RequirementDocument, RequirementObject};
use crate::sheet::LICENCE;
use crate::yaml;

/// The library of one standard.
pub(crate) fn write(document: &RequirementDocument<'_>) -> Vec<u8> {
    let bibliographic = &document.source.standard.bibliographic;
    let metadata = &bibliographic.metadata;
    let reference = &*metadata.reference;
    let title = metadata.title.as_deref().unwrap_or(reference);
    let name = format!("{reference} {title}");
    let copyright = metadata.copyright.as_ref().and_then(|copyright| copyright.statement.as_deref());
    let copyright = match copyright {
        Some(statement) => format!("{statement}\n\n{LICENCE}"),
        None => LICENCE.to_owned(),
    };
    // Segments of URNs have letters, digits, `-`, `.` and `_`.
    let leaf = document.id.as_str();
    let mut nodes = Vec::new();
    let mut depths: Vec<usize> = Vec::new();
    for object in &document.objects {
        let depth = object.parent.map_or(1, |parent| depths[parent] + 1);
        depths.push(depth);
        nodes.push(node(document, object, depth));
    }
    let library = json!({
        "urn": format!("urn:norma:risk:library:{leaf}"),
        "locale": locale(&metadata.language),
        "ref_id": reference,
        "name": name,
        "description": format!("{} {}, {}", bibliographic.urn, bibliographic.revision, bibliographic.status),
        "copyright": copyright,
        "version": version(metadata.published_on.as_deref()),
        "publication_date": &document.time()[..10],
        "provider": &*metadata.publisher,
        "packager": "norma",
        "objects": {"framework": {
            "urn": format!("urn:norma:risk:framework:{leaf}"),
            "ref_id": reference,
            "name": name,
            "description": title,
            "requirement_nodes": nodes,
        }},
    });
    let mut yaml = yaml::json_lines(&library);
    yaml.push('\n');
    yaml.into_bytes()
}

fn node(document: &RequirementDocument<'_>, object: &RequirementObject<'_>, depth: usize) -> Value {
    let mut node = Map::new();
    node.insert("urn".to_owned(), urn(document, &object.id).into());
    if let Some(parent) = object.parent {
        node.insert("parent_urn".to_owned(), urn(document, &document.objects[parent].id).into());
    }
    // What is to be fulfilled, or advised, is what an audit assesses.
    let kind = object.value(ObjectAttribute::Type);
    let is_assessable = matches!(kind, "requirement" | "recommendation" | "externalConstraint");
    node.insert("assessable".to_owned(), is_assessable.into());
    node.insert("depth".to_owned(), depth.into());
    if !object.label.is_empty() {
        node.insert("ref_id".to_owned(), object.label.clone().into());
    }
    if object.kind == ObjectKind::Heading {
        let name = object.title.clone().unwrap_or_else(|| object.name());
        node.insert("name".to_owned(), name.into());
    } else {
        if let Some(title) = &object.title {
            node.insert("name".to_owned(), title.clone().into());
        }
        node.insert("description".to_owned(), object.text.clone().into());
    }
    let mut notes = Vec::new();
    for value in &object.attributes {
        let is_of_all = matches!(
            value.attribute,
            ObjectAttribute::Label
                | ObjectAttribute::Urn
                | ObjectAttribute::Revision
                | ObjectAttribute::Status
                | ObjectAttribute::Licence
        );
        if !is_of_all {
            notes.push(format!("{}: {}", value.attribute.name(), value.text));
        }
    }
    node.insert("annotation".to_owned(), notes.join("\n").into());
    Value::Object(node)
}

fn urn(document: &RequirementDocument<'_>, id: &str) -> String {
    format!("urn:norma:risk:req_node:{}:{id}", document.id)
}

/// The language without script and region.
fn locale(language: &str) -> &str {
    language.split('-').next().unwrap_or(language)
}

/// The version of a library, a number that grows with each edition: the day of publication.
fn version(date: Option<&str>) -> u32 {
    let digits: String = crate::objects::time(date)[..10].chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(1)
}
