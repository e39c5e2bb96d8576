//! Definitions of tools, with schemas that are short: every conversation of a host begins with all of them.

use std::sync::{Arc, LazyLock};

use rmcp::handler::server::tool::{schema_for_input, schema_for_output};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde_json::{Value, json};

/// The definition of a tool with these arguments and this answer.
///
/// # Panics
/// Where the schema of the arguments is not that of an object; a test makes all definitions.
pub(super) fn tool<A: JsonSchema + 'static, T: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
) -> Tool {
    let input = schema_for_input::<A>().expect("arguments are an object");
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new(name, description, arguments_schema(&input))
        .with_raw_output_schema(answer_schema(&schema_for_output::<T>()))
        .with_annotations(annotations)
}

/// The schema of arguments without what a model does not need.
fn arguments_schema(schema: &Arc<JsonObject>) -> Arc<JsonObject> {
    let mut schema = Value::Object((**schema).clone());
    shorten(&mut schema);
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => unreachable!("an object stays one"),
    }
}

fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            for name in ["$schema", "title", "format", "minimum", "default"] {
                // An argument may have the same name; its schema is an object.
                if members.get(name).is_some_and(|value| !value.is_object()) {
                    members.remove(name);
                }
            }
            // Arguments that are left out are null; a schema need not say so.
            if let Some(Value::Array(types)) = members.get("type")
                && let Some(one) = types.first().cloned()
            {
                members.insert("type".to_owned(), one);
            }
            members.values_mut().for_each(shorten);
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// The schema of an answer: the types of its members, and of the members of its items. Their names speak for
/// themselves.
fn answer_schema(schema: &Arc<JsonObject>) -> Arc<JsonObject> {
    let mut members = JsonObject::new();
    for (name, member) in properties(schema, schema) {
        members.insert(name.clone(), member_schema(member, schema));
    }
    object_schema(members)
}

/// The type of a member; of a list, with the types of the members of its items.
fn member_schema(member: &Value, root: &JsonObject) -> Value {
    let member = resolved(member, root);
    let Some(items) = member.get("items").map(|items| resolved(items, root)) else {
        return json!({ "type": type_of(member) });
    };
    let mut members = JsonObject::new();
    for (name, of_item) in properties(items, root) {
        members.insert(name.clone(), json!({ "type": type_of(resolved(of_item, root)) }));
    }
    if members.is_empty() {
        return json!({ "type": "array", "items": { "type": type_of(items) } });
    }
    json!({ "type": "array", "items": { "type": "object", "properties": members } })
}

fn object_schema(members: JsonObject) -> Arc<JsonObject> {
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(members));
    Arc::new(schema)
}

/// The members of an object; none of another type.
fn properties<'s>(
    schema: &'s JsonObject,
    root: &'s JsonObject,
) -> impl Iterator<Item = (&'s String, &'s Value)> {
    let members = schema.get("properties").and_then(Value::as_object);
    members.into_iter().flatten().filter(move |(_, member)| !resolved(member, root).is_empty())
}

/// A schema, or the one that it refers to. Members that may be absent refer to it in a list with null.
fn resolved<'s>(schema: &'s Value, root: &'s JsonObject) -> &'s JsonObject {
    static ANY: LazyLock<JsonObject> = LazyLock::new(JsonObject::new);
    if let Some(first) = schema.get("anyOf").and_then(|any| any.get(0)) {
        return resolved(first, root);
    }
    let referred = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
    let schema = match referred {
        Some(name) => root.get("$defs").and_then(|definitions| definitions.get(name)),
        None => Some(schema),
    };
    schema.and_then(Value::as_object).unwrap_or(&ANY)
}

/// The type of a value that is not null: answers leave out what is absent.
fn type_of(schema: &JsonObject) -> &str {
    match schema.get("type") {
        Some(Value::String(one)) => one,
        Some(Value::Array(types)) => types.first().and_then(Value::as_str).unwrap_or("string"),
        _ => "object",
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::definitions;

    /// Characters for each token: a tokenizer of English and JSON has more of them.
    const CHARACTERS_PER_TOKEN: usize = 4;

    #[test]
    fn the_list_of_tools_has_at_most_3000_tokens_and_all_are_read_only() {
        let tools = definitions();
        let list = serde_json::to_string(&tools).unwrap();
        for tool in &tools {
            let tokens = serde_json::to_string(tool).unwrap().len().div_ceil(CHARACTERS_PER_TOKEN);
            println!("{:20} {tokens}", tool.name);
        }
        let tokens = list.len().div_ceil(CHARACTERS_PER_TOKEN);
        println!("{:20} {tokens}", "all");
        assert!(tokens <= 3_000, "{tokens} tokens");
        for tool in &tools {
            assert!(tool.annotations.as_ref().unwrap().read_only_hint.unwrap(), "{}", tool.name);
            assert!(tool.output_schema.is_some(), "{}", tool.name);
            let description = tool.description.as_ref().unwrap();
            assert!(description.len() < 200 && description.ends_with('.'), "{description}");
        }
        assert!(!list.contains("null"), "{list}");
    }
}
