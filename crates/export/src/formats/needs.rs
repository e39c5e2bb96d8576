//! Sphinx-Needs: a `needs.json` for `needimport`.

use serde_json::{Map, Value, json};

use crate::lines::blocks;
use crate::objects::{ObjectAttribute, RequirementDocument, RequirementObject};
use crate::restructured;

/// The needs of standards under one version. Ids are in upper case, as the default of `needs_id_regex` wants
/// them: the ids of exports have lower-case letters alone, so nothing is lost.
pub(crate) fn write(documents: &[RequirementDocument<'_>]) -> Vec<u8> {
    let mut needs = Map::new();
    let mut titles = Vec::new();
    for document in documents {
        titles.push(&*document.source.standard.bibliographic.metadata.reference);
        for object in &document.objects {
            needs.insert(need_id(&object.id), need(document, object));
        }
    }
    let time = documents.iter().map(RequirementDocument::time).max().unwrap_or_default();
    // The version under which a project finds the needs, whatever edition they are of.
    let version = "norma";
    let file = json!({
        "created": time,
        "creator": {"program": "norma", "version": env!("CARGO_PKG_VERSION")},
        "current_version": version,
        "project": titles.join("; "),
        "versions": {version: {"created": time, "needs_amount": needs.len(), "needs": needs}},
    });
    let mut bytes = serde_json::to_vec_pretty(&file).expect("the file has text keys");
    bytes.push(b'\n');
    bytes
}

fn need(document: &RequirementDocument<'_>, object: &RequirementObject<'_>) -> Value {
    let mut need = Map::new();
    need.insert("id".to_owned(), need_id(&object.id).into());
    // Sphinx has directives `note` and `table` already.
    need.insert("type".to_owned(), format!("std_{}", object.kind.as_str()).into());
    need.insert("title".to_owned(), plain(&object.name()).into());
    need.insert("content".to_owned(), restructured::write(&blocks(&object.content)).into());
    let bibliographic = &document.source.standard.bibliographic;
    need.insert("status".to_owned(), bibliographic.status.as_str().into());
    for value in &object.attributes {
        // The type of the need says the kind, and its status that of the edition.
        if !matches!(value.attribute, ObjectAttribute::Kind | ObjectAttribute::Status) {
            need.insert(value.attribute.name().to_owned(), plain(&value.text).into());
        }
    }
    if let Some(parent) = object.parent {
        let parent = need_id(&document.objects[parent].id);
        need.insert("below".to_owned(), json!([parent]));
    }
    let mut targets: Vec<String> = Vec::new();
    if let Some(provision) = object.provision {
        for target in document.targets(provision) {
            targets.push(need_id(&document.objects[target].id));
        }
    }
    if !targets.is_empty() {
        need.insert("refers_to".to_owned(), json!(targets));
    }
    Value::Object(need)
}

/// The id of a need.
fn need_id(id: &str) -> String {
    id.to_ascii_uppercase()
}

/// A text in which Sphinx-Needs finds no function, variant or link to call: `[[` and `<<` have a blank in
/// between, and so has `<{`.
fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for (marks, apart) in [("[[", "[ ["), ("<<", "< <"), ("<{", "< {"), ("{{", "{ {"), ("{%", "{ %")] {
        while plain.contains(marks) {
            plain = plain.replace(marks, apart);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sphinx_needs_would_call_is_taken_apart() {
        assert_eq!(plain("[[[copy('id')]] <<a>> <{b}>"), "[ [ [copy('id')]] < <a>> < {b}>");
        assert_eq!(need_id("prv_ab2"), "PRV_AB2");
    }
}
