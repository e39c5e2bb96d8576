//! One operation of the table as OpenAPI shows it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::examples;
use crate::media::Media;
use crate::paths::{
    Description, Method, Operation, Parameter, ParameterLocation, Requirement, ResponseBody, ValueFormat,
};
use crate::problem::Code;

pub(super) fn render(operation: Operation) -> Value {
    let Description { id, summary, description, tag, body, answers, requirement, discoverable, .. } =
        *operation.describe();
    let parameters = parameters(operation);
    let mut rendered = json!({
        "operationId": id,
        "summary": summary,
        "description": format!("{description}{}{}", media_types(answers), access(requirement, discoverable)),
        "tags": [tag],
        "responses": responses(operation),
    });
    if !parameters.is_empty() {
        rendered["parameters"] = parameters.into();
    }
    if let Some(shape) = body {
        rendered["requestBody"] = json!({
            "required": true,
            "content": { Media::Json.name(): { "schema": reference(shape), "examples": examples::bodies(operation) } },
        });
    }
    if requirement < Requirement::Token {
        rendered["security"] = json!([]);
    }
    rendered
}

/// What `Accept` chooses from, where there is a choice. OpenAPI has no parameter of this name.
fn media_types(answers: &[ResponseBody]) -> String {
    match answers {
        [_, _, ..] => {
            let names: Vec<_> = answers.iter().map(|answer| format!("`{}`", answer.media().name())).collect();
            format!("\n\n`Accept` chooses among {}; the first where it is absent.", names.join(", "))
        }
        _ => String::new(),
    }
}

fn access(requirement: Requirement, discoverable: &[&str]) -> String {
    let needed = match requirement {
        Requirement::Open | Requirement::SignedUrl => "\n\nNeeds no token.",
        Requirement::Token => "\n\nNeeds a token.",
        Requirement::Discover => "\n\nNeeds a grant at level `discover`.",
        Requirement::ReadEither => {
            "\n\nNeeds grants at level `discover` for both editions, and at level `read` for one of them."
        }
        Requirement::Read => "\n\nNeeds a grant at level `read`.",
    };
    match discoverable {
        [] => needed.into(),
        some => {
            format!("{needed} For no other `fields` than `{}` level `discover` suffices.", some.join("`, `"))
        }
    }
}

/// What a request may have in its path, its query and its head, where it has an effect.
fn parameters(operation: Operation) -> Vec<Value> {
    let Description { method, path, parameters, .. } = *operation.describe();
    let mut all: Vec<Value> = parameters.iter().map(parameter).collect();
    let mut add = |name: &str, description: &str, schema: Value, example: &str| {
        all.push(json!({
            "name": name,
            "in": "header",
            "required": false,
            "description": description,
            "schema": schema,
            "examples": left_out(json!(example)),
        }));
    };
    let text = json!({ "type": "string" });
    if path.contains("/standards/{id}") {
        let description = "Languages by preference (BCP 47), for a URN without language. Without it the original language counts.";
        add("Accept-Language", description, text.clone(), "fr, en;q=0.5");
    }
    if method == Method::Get {
        let description = "`ETag` of what you have: where nothing changed, the answer is 304 without a body.";
        add("If-None-Match", description, text, "\"6c1f8d3e2a9b7045.gzip\"");
    }
    all
}

fn parameter(parameter: &Parameter) -> Value {
    let Parameter { name, location, values, required, repeatable, description, example, default } =
        *parameter;
    let one = match values {
        ValueFormat::Text => json!({ "type": "string", "minLength": 1 }),
        ValueFormat::Matching(pattern) => json!({ "type": "string", "pattern": pattern }),
        ValueFormat::Number(most) => json!({ "type": "integer", "minimum": 1, "maximum": most }),
        ValueFormat::Boolean => json!({ "type": "boolean" }),
        ValueFormat::OneOf(words) => json!({ "type": "string", "enum": words }),
        ValueFormat::ListOf(words) => {
            json!({ "type": "array", "items": { "type": "string", "enum": words }, "minItems": 1 })
        }
    };
    let value = |written: &str| match values {
        ValueFormat::Number(_) | ValueFormat::Boolean => {
            serde_json::from_str(written).expect("the table's values fit")
        }
        ValueFormat::ListOf(_) => written.split(',').collect(),
        _ => json!(written),
    };
    let example = match name {
        // It must fit the examples of the other parameters.
        "cursor" => json!(examples::cursor()),
        _ => value(example),
    };
    let (mut schema, example) = match repeatable {
        true => (json!({ "type": "array", "items": one }), json!([example])),
        false => (one, example),
    };
    if let Some(default) = default {
        schema["default"] = value(default);
    }
    let mut rendered = json!({
        "name": name,
        "in": match location { ParameterLocation::Path => "path", ParameterLocation::Query => "query" },
        "required": required,
        "description": description,
        "schema": schema,
    });
    if required {
        rendered["example"] = example;
    } else {
        rendered["examples"] = left_out(example);
    }
    if let ValueFormat::ListOf(_) = values {
        rendered["explode"] = false.into();
    }
    rendered
}

/// An example of a parameter that a sample request leaves out: the reader at `/docs` puts every other example
/// into it, and filters that all hold together find nothing.
fn left_out(example: Value) -> Value {
    json!({ "example": { "value": example, "x-disabled": true } })
}

fn responses(operation: Operation) -> Value {
    let Description { method, answers, success, requirement, .. } = *operation.describe();
    let content: BTreeMap<&str, Value> =
        answers.iter().map(|answer| (answer.media().name(), body(operation, *answer))).collect();
    let mut responses = json!({ "200": { "description": success, "content": content } });
    if method == Method::Get {
        responses["200"]["headers"] = json!({
            "ETag": header("Names these bytes; send it back in `If-None-Match`."),
        });
        responses["304"] = json!({ "description": "Unchanged since the `ETag` or date that was sent." });
    }
    if operation == Operation::Asset {
        let bytes = json!({ "schema": { "type": "string", "format": "binary" } });
        // Most assets are pictures; whatever else a package holds has a media type of its own.
        let content = json!({ Media::Asset.name(): bytes, "image/*": bytes, "*/*": bytes });
        responses["200"]["content"] = content.clone();
        responses["206"] = json!({
            "description": "The range asked for.",
            "content": content,
            "headers": { "Content-Range": header("Which bytes of how many these are.") },
        });
    }
    if operation == Operation::Standards {
        responses["200"]["headers"]["Link"] =
            header("URL of the next page, `rel=\"next\"`; absent at the end.");
    }
    if operation.path().contains("/standards/{id}") && method == Method::Get {
        responses["200"]["headers"]["Content-Location"] =
            header("The edition that was meant, where the URN did not say which.");
    }
    for (status, codes) in by_status(operation) {
        responses[status.to_string()] = problem(status, &codes, operation);
    }
    if requirement >= Requirement::Token {
        for (status, response) in responses.as_object_mut().expect("it has statuses") {
            // Without a token there is no rate.
            if status != "401" {
                for name in RATE {
                    response["headers"][name] = json!({ "$ref": format!("#/components/headers/{name}") });
                }
            }
        }
    }
    responses
}

fn body(operation: Operation, answer: ResponseBody) -> Value {
    let ResponseBody::Json(shapes) = answer else {
        let schema = match answer.media() {
            Media::JsonLd => json!({ "type": "object" }),
            _ => json!({ "type": "string" }),
        };
        return json!({ "schema": schema });
    };
    let schema = match shapes {
        [] => json!({ "type": "object" }),
        [one] => reference(one),
        several => json!({ "anyOf": several.iter().map(|s| reference(s)).collect::<Vec<_>>() }),
    };
    let mut body = json!({ "schema": schema });
    if let Some(example) = examples::example_answer(operation) {
        body["example"] = example.clone();
    }
    body
}

fn by_status(operation: Operation) -> BTreeMap<u16, Vec<Code>> {
    let mut statuses: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in operation.problems() {
        statuses.entry(code.status()).or_default().push(code);
    }
    statuses
}

fn problem(status: u16, codes: &[Code], operation: Operation) -> Value {
    let explained: Vec<String> = codes.iter().map(|c| format!("`{c}`: {}.", c.title())).collect();
    let examples: BTreeMap<&str, Value> = (codes.iter())
        .map(|code| (code.as_str(), json!({ "$ref": format!("#/components/examples/{code}") })))
        .collect();
    let mut response = json!({
        "description": explained.join("\n"),
        "content": { Media::Problem.name(): { "schema": reference("Problem"), "examples": examples } },
    });
    let headers = match status {
        401 | 403 if operation.describe().requirement >= Requirement::Token => {
            json!({ "WWW-Authenticate": header("What is wrong with the token (RFC 6750), and where to learn more (RFC 9728).") })
        }
        416 => json!({ "Content-Range": header("`bytes */` and the length of the file.") }),
        429 | 503 => json!({ "Retry-After": header("Seconds to wait.") }),
        _ => return response,
    };
    response["headers"] = headers;
    response
}

const RATE: [&str; 3] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/// Headers of every answer to a token, where the service limits rates.
pub(super) fn rate_headers() -> Value {
    let [limit, remaining, reset] =
        ["Most requests at once.", "Requests left now.", "Seconds until all are back."].map(header);
    json!({ RATE[0]: limit, RATE[1]: remaining, RATE[2]: reset })
}

fn header(description: &str) -> Value {
    json!({ "description": description, "schema": { "type": "string" } })
}

fn reference(shape: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{shape}") })
}
