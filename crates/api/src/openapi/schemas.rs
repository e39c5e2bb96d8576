//! JSON schemas of the shapes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use crate::problem::{Code, Problem};
use crate::shapes;

/// The shapes of requests and responses; utoipa adds the shapes that they contain.
#[derive(OpenApi)]
#[openapi(components(schemas(
    shapes::Bound,
    shapes::ChangeList,
    shapes::CitationsAnswer,
    shapes::CitationsRequest,
    shapes::ComparedPart,
    shapes::ComparedText,
    shapes::ComparisonSummary,
    shapes::ComparisonView,
    shapes::ContentView,
    shapes::GraphicsView,
    shapes::Limits,
    shapes::MetadataView,
    shapes::MigrateAnswer,
    shapes::MigrateRequest,
    shapes::NormativeStatus,
    shapes::Polarity,
    shapes::ProvisionInContext,
    shapes::ProvisionsView,
    shapes::QuotationsAnswer,
    shapes::QuotationsRequest,
    shapes::ResolveAnswer,
    shapes::ResolveRequest,
    shapes::ResolvedAsset,
    shapes::SectionsView,
    shapes::SelectionView,
    shapes::Standard,
    shapes::SearchAnswer,
    shapes::StandardList,
    shapes::Strength,
    shapes::TableView,
    shapes::InstructionsView,
    shapes::TablesView,
    shapes::TermsView,
    Problem,
)))]
struct Shapes;

/// Every schema by its name.
pub(super) fn all() -> Value {
    let components = Shapes::openapi().components.expect("there are shapes");
    let mut schemas = serde_json::to_value(components.schemas).expect("schemas serialise");
    without_null(&mut schemas);
    name_changes(&mut schemas);
    schemas["ProtectedResource"] = protected_resource();
    let codes: Vec<&str> = Code::ALL.iter().map(|c| c.as_str()).collect();
    schemas["Problem"]["properties"]["code"]["examples"] = json!(codes);
    for request in ["ResolveRequest", "MigrateRequest"] {
        for part in schemas[request]["oneOf"].as_array_mut().into_iter().flatten() {
            // The service refuses members that it does not know.
            part["additionalProperties"] = json!(false);
            // An empty id or label is `unknown`; an empty reference is refused.
            if let Some(list) = part["properties"].get_mut("assetReferences") {
                list["items"]["minLength"] = json!(1);
            }
        }
    }
    schemas
}

/// Generic shapes by the name that the macro gives them, with their name in the contract and that of both
/// sides.
const CHANGES: &[(&str, &str, &str)] = &[
    ("Change_Strength", "StrengthChange", "Strength"),
    ("Change_NormativeStatus", "NormativeChange", "NormativeStatus"),
    ("Change_Polarity", "NegationChange", "Polarity"),
    ("PartialChange_Quantity", "QuantityChange", "Quantity"),
    ("Change_Bound", "BoundChange", "Bound"),
    ("PartialChange_Passage", "ConditionChange", "Passage"),
    ("Change_Passage", "SubjectChange", "Passage"),
    ("Change_ComparedPart", "PartChange", "ComparedPart"),
    ("Change_ComparedText", "TextChange", "ComparedText"),
    ("Change_SectionRef", "SectionMove", "SectionRef"),
];

/// Gives instances of generic shapes their names, and has them refer to the shape that the macro copies into
/// them.
fn name_changes(schemas: &mut Value) {
    let references = CHANGES.iter().map(|(generic, name, _)| (reference(generic), reference(name)));
    let names = references.collect();
    for &(generic, name, side) in CHANGES {
        let mut change = schemas[generic].take();
        schemas.as_object_mut().expect("schemas have names").remove(generic);
        for (edition, member) in change["properties"].as_object_mut().into_iter().flatten() {
            *member =
                json!({ "$ref": reference(side), "description": format!("Side of the {edition} edition.") });
        }
        schemas[name] = change;
    }
    rename(schemas, &names);
}

fn reference(schema: &str) -> String {
    format!("#/components/schemas/{schema}")
}

fn rename(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| rename(member, names)),
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, names)),
        Value::String(text) => names.get(text).into_iter().for_each(|name| *text = name.clone()),
        _ => {}
    }
}

/// Removes `null`: optional members are left out, which the derive cannot know. Removes formats of integers
/// too: they name Rust types, and `minimum` is sufficient for readers.
fn without_null(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Array(types)) = members.get_mut("type") {
                types.retain(|t| t != "null");
                if let [one] = types.as_slice() {
                    let one = one.clone();
                    members.insert("type".to_owned(), one);
                }
            }
            if members.get("type").is_some_and(|t| t == "integer") {
                members.remove("format");
            }
            if let Some(reference) = only_choice(members) {
                let description = members.remove("description");
                *members = reference;
                members.extend(description.map(|d| ("description".to_owned(), d)));
            }
            members.values_mut().for_each(without_null);
        }
        Value::Array(items) => items.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// The one alternative that is left of a `oneOf` when null is taken away.
fn only_choice(members: &Map<String, Value>) -> Option<Map<String, Value>> {
    let choices = members.get("oneOf")?.as_array()?;
    let null = |choice: &&Value| choice.get("type").is_some_and(|t| t == "null");
    let mut left = choices.iter().filter(|choice| !null(choice));
    match (left.next(), left.next(), choices.len()) {
        (Some(Value::Object(one)), None, 2..) => Some(one.clone()),
        _ => None,
    }
}

/// RFC 9728, section 2.
fn protected_resource() -> Value {
    let texts = |description: &str| json!({ "type": "array", "items": { "type": "string" }, "description": description });
    json!({
        "type": "object",
        "description": "Metadata of a protected resource (RFC 9728).",
        "required": ["resource", "authorization_servers", "scopes_supported", "bearer_methods_supported"],
        "properties": {
            "resource": { "type": "string", "format": "uri", "description": "Public URL of this service." },
            "authorization_servers": texts("Issuers of tokens."),
            "scopes_supported": texts("Scopes to request tokens with."),
            "bearer_methods_supported": texts("Where a request carries its token."),
            "resource_name": { "type": "string", "description": "Name of this service, for people." },
            "resource_documentation": { "type": "string", "format": "uri", "description": "Page that describes the API." },
        },
    })
}
