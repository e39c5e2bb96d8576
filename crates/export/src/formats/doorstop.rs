//! Doorstop: the folder of a document with a YAML file for each item, as an archive.

use serde_json::{Value, json};

use super::package::{PackedFile, pack};
use crate::error::ExportError;
use crate::lines::blocks;
use crate::markdown;
use crate::objects::{ObjectKind, RequirementDocument, RequirementObject};
use crate::yaml;

/// Folder of the pictures, which Doorstop publishes with a document.
const FOLDER: &str = "assets/";

/// The archive of one standard.
pub(crate) fn write(document: &RequirementDocument<'_>) -> Result<Vec<u8>, ExportError> {
    let prefix = prefix(document);
    let mut files = vec![PackedFile { path: format!("{prefix}/.doorstop.yml"), bytes: settings(&prefix) }];
    let children = document.children_of_all();
    let mut levels = vec![Vec::new(); document.objects.len()];
    number(&children, document.objects.len(), &[], &mut levels);
    for (object, level) in document.objects.iter().zip(&levels) {
        let path = format!("{prefix}/{}.yml", uid(&prefix, &object.id));
        files.push(PackedFile { path, bytes: item(document, object, level).into_bytes() });
    }
    for file in &document.files {
        let path = format!("{prefix}/{FOLDER}{}", file.name);
        files.push(PackedFile { path, bytes: file.bytes.to_vec() });
    }
    pack(files)
}

/// The settings of a document whose items have names.
fn settings(prefix: &str) -> Vec<u8> {
    let settings = json!({"digits": 3, "itemformat": "yaml", "prefix": prefix, "sep": "-"});
    yaml::lines(&[("settings", settings)]).into_bytes()
}

/// The prefix of items: letters, digits and dots of the designation without its date, which is the same in
/// each edition.
fn prefix(document: &RequirementDocument<'_>) -> String {
    let reference = &document.source.standard.bibliographic.metadata.reference;
    let undated = reference.split(':').next().unwrap_or_default();
    let mut prefix = String::new();
    for c in undated.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => prefix.push(c),
            '-' | '/' => prefix.push('.'),
            _ => {}
        }
    }
    // A prefix ends with a letter or digit, and begins with one.
    let prefix = prefix.trim_matches('.');
    if prefix.is_empty() { "STANDARD".to_owned() } else { prefix.to_owned() }
}

/// The id of an item. `_` would separate prefix and name.
fn uid(prefix: &str, id: &str) -> String {
    format!("{prefix}-{}", id.replace('_', ""))
}

/// Numbers objects by their position: 1, 1.1, 1.2.
fn number(children: &[Vec<usize>], parent: usize, above: &[usize], levels: &mut [Vec<usize>]) {
    for (index, &child) in children[parent].iter().enumerate() {
        let level = [above, &[index + 1]].concat();
        number(children, child, &level, levels);
        levels[child] = level;
    }
}

fn item(document: &RequirementDocument<'_>, object: &RequirementObject<'_>, level: &[usize]) -> String {
    let is_heading = object.kind == ObjectKind::Heading;
    let mut level: Vec<String> = level.iter().map(ToString::to_string).collect();
    // The level of a heading ends with 0; one number alone would be read as a decimal.
    if is_heading || level.len() == 1 {
        level.push("0".to_owned());
    }
    let picture = |graphic: &str| document.file(graphic).map(|file| format!("{FOLDER}{}", file.name));
    let text = if is_heading {
        markdown::line(&object.name())
    } else {
        markdown::write(&blocks(&object.content), &picture)
    };
    let header = match object.kind {
        ObjectKind::Heading => String::new(),
        _ => markdown::line(&object.label),
    };
    let is_normative = object.kind == ObjectKind::Provision;
    let mut members: Vec<(&str, Value)> = vec![
        ("active", true.into()),
        ("derived", false.into()),
        ("header", header.into()),
        ("level", level.join(".").into()),
        ("links", json!([])),
        ("normative", is_normative.into()),
        ("ref", "".into()),
        ("reviewed", Value::Null),
        ("text", text.into()),
    ];
    for value in &object.attributes {
        // Doorstop has members with these names: whether an item is a requirement, and its files.
        let name = match value.attribute.name() {
            "normative" => "in_normative_section",
            "references" => "cited",
            name => name,
        };
        members.push((name, value.text.clone().into()));
    }
    yaml::lines(&members)
}
