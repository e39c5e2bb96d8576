//! Test of the names in the OpenAPI document: one name has one type and one meaning over all schemas.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};

use norma_api::shapes::{Facet, SearchFacet};
use serde_json::{Map, Value};

/// Members whose type follows from where they are.
const ANY_TYPE: &[(&str, &str)] = &[
    ("items", "what the list is of"),
    ("children", "the same shape as the member's owner"),
    ("type", "a vocabulary of each shape: what kind of thing it is"),
    ("counts", "a map of counts"),
    ("kind", "a vocabulary of each shape, where `type` is that of a provision"),
    ("outcome", "a vocabulary of each operation: what came of an item of its request"),
    ("scope", "a vocabulary of each shape: what a search or a list reaches"),
    ("cause", "a vocabulary of each shape: why something is not as before"),
    ("candidates", "what the owner of the list may be"),
    ("critical", "a vocabulary of each shape: why words matter, one reason or all"),
];

/// Members with several types, each with the reason. At most four.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("sections", "the specification's word in three views: whole, in order with content, and without bodies"),
    ("older", "a side of a comparison: what is compared differs"),
    ("newer", "a side of a comparison: what is compared differs"),
];

/// Schemas whose members are the words of a vocabulary: maps from its words. The fourth exception.
const MAPS: &[(&str, Vocabulary)] =
    &[("Facets", facets), ("FacetCounts", facets), ("SearchFacets", search_facets)];

type Vocabulary = fn() -> BTreeSet<&'static str>;

fn facets() -> BTreeSet<&'static str> {
    Facet::ALL.iter().map(|facet| facet.as_str()).collect()
}

fn search_facets() -> BTreeSet<&'static str> {
    SearchFacet::ALL.iter().map(|facet| facet.as_str()).collect()
}

/// RFC 9457 gives these names.
const OF_PROBLEMS: &[&str] = &["status"];

struct Member {
    at: String,
    of: String,
    description: String,
}

fn document() -> Value {
    norma_api::openapi::snapshot()
}

/// Text of a schema without what describes it: equal texts are one type.
fn type_of(schema: &Value) -> String {
    let members = schema.as_object().unwrap();
    if let Some(reference) = members.get("$ref") {
        return reference.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    }
    if members.get("type").is_some_and(|t| t == "array") {
        return format!("[{}]", type_of(&members["items"]));
    }
    match members.get("additionalProperties") {
        Some(values) if values.is_object() => format!("{{{}}}", type_of(values)),
        _ => members.get("type").unwrap_or(schema).to_string(),
    }
}

fn properties(schema: &Value) -> Vec<&Map<String, Value>> {
    let own = schema.get("properties").and_then(Value::as_object);
    let parts = ["oneOf", "allOf", "anyOf"].into_iter().filter_map(|one| schema.get(one)?.as_array());
    own.into_iter().chain(parts.flatten().flat_map(properties)).collect()
}

fn is_counts(name: &str, schema: &Value) -> bool {
    let is_count = |member: &Value| {
        let text = type_of(member);
        text == "\"integer\"" || text.ends_with("Counts")
    };
    name.ends_with("Counts") && properties(schema).iter().all(|members| members.values().all(is_count))
}

/// What a description says of the name; the sentences after the first say what holds in one shape only.
fn first_sentence(description: &str) -> &str {
    description.split_inclusive(". ").next().unwrap_or_default().trim().trim_end_matches('.')
}

fn members(document: &Value) -> BTreeMap<String, Vec<Member>> {
    let mut found: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if is_counts(name, schema) || MAPS.iter().any(|(map, _)| map == name) {
            continue;
        }
        for (member, schema) in properties(schema).into_iter().flatten() {
            assert!(properties(schema).is_empty(), "{name}.{member}: an object without a name of its own");
            // RFC 9728 has its own way of writing names.
            assert!(
                name == "ProtectedResource" || !member.contains('_'),
                "{name}.{member} is not in camel case"
            );
            if name == "Problem" && OF_PROBLEMS.contains(&member.as_str()) {
                continue;
            }
            let description = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
            let member = found.entry(member.clone()).or_default();
            member.push(Member { at: name.clone(), of: type_of(schema), description });
        }
    }
    found
}

fn listed(members: &[Member], what: impl Fn(&Member) -> &str) -> String {
    let lines = members.iter().map(|member| format!("    {}: {}\n", member.at, what(member)));
    lines.collect()
}

#[test]
fn a_name_has_one_type_and_one_meaning_over_all_schemas() {
    let document = document();
    let members = members(&document);
    let mut faults = String::new();
    for (name, members) in &members {
        let types: BTreeSet<&str> = members.iter().map(|member| &*member.of).collect();
        let is_free = ANY_TYPE.iter().chain(EXCEPTIONS).any(|(free, _)| free == name);
        if types.len() > 1 && !is_free {
            faults += &format!("`{name}` has several types:\n{}", listed(members, |m| &m.of));
        }
        let meanings: BTreeSet<&str> = members.iter().map(|m| first_sentence(&m.description)).collect();
        if meanings.len() > 1 && !ANY_TYPE.iter().any(|(free, _)| free == name) {
            faults += &format!("`{name}` has several meanings:\n{}", listed(members, |m| &m.description));
        }
    }
    for (name, _) in EXCEPTIONS {
        let types: BTreeSet<&str> = members[*name].iter().map(|member| &*member.of).collect();
        assert!(types.len() > 1, "`{name}` is an exception without need");
    }
    assert!(EXCEPTIONS.len() < 4);
    assert!(faults.is_empty(), "Give one of each another name, or begin their descriptions alike:\n{faults}");
}

#[test]
fn the_members_of_a_map_are_the_words_of_its_vocabulary() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    for (map, words) in MAPS {
        let members = properties(&schemas[map]).into_iter().flatten().map(|(name, _)| name.as_str());
        assert_eq!(words(), members.collect(), "{map}");
    }
}

#[test]
fn every_member_and_schema_has_a_description_of_its_own() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(schema["description"].is_string(), "{name} has no description");
        for members in properties(schema) {
            let mut seen = BTreeMap::new();
            for (member, schema) in members {
                let description = schema["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{name}.{member} has no description");
                let other = seen.insert(description, member);
                assert!(other.is_none(), "{name}: `{member}` and {other:?} have one description");
            }
        }
    }
}

#[test]
fn names_of_schemas_are_words_of_the_contract() {
    let document = document();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let is_word = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        assert!(is_word, "{name}");
    }
}
