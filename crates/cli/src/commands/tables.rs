//! Answers of the API as tables for people: the main members of each item, one line for each.

use norma_api::Operation;
use norma_api::shapes::Quantity;
use serde::Deserialize;
use serde_json::Value;

use crate::print::{PrintedTable, table};

/// Columns of citations that were resolved.
const CITATIONS: &[&str] = &[
    "citation",
    "outcome",
    "reference",
    "locations.label",
    "locations.id",
    "locations.inLatest.label",
    "reason",
];

/// Columns of quotations that were verified.
const QUOTATIONS: &[&str] = &[
    "verdict",
    "reference",
    "units.label",
    "atCitedLocation",
    "changes.quoted",
    "changes.actual",
    "omissions.text",
    "foundIn.reference",
    "reason",
];

/// Columns of hits. A hit of an adoption or a translation names the editions that have the same text.
const HITS: &[&str] = &["reference", "kind", "label", "type", "text", "alsoIn.reference", "urn", "id"];

/// Columns of provisions.
const PROVISIONS: &[&str] =
    &["label", "identifier", "type", "leadIn", "itemLabel", "text", "references.text", "quantities", "id"];

/// The answer of an operation as a table.
pub(crate) fn of(operation: Operation, answer: &Value) -> PrintedTable {
    // Where the lines are, and which members of each are shown; a path leads into objects and arrays.
    let (lines, columns): (&str, &[&str]) = match operation {
        Operation::Standards => ("items", &["reference", "title", "status", "access", "urn"]),
        Operation::Changes => ("items", &["type", "cause", "status", "changedAt", "revision", "urn"]),
        Operation::Search if answer["standards"].as_array().is_some_and(|found| !found.is_empty()) => {
            ("standards", &["reference", "title", "hits", "items.text", "urn"])
        }
        Operation::Search => ("items", HITS),
        Operation::ResolveCitations => ("items", CITATIONS),
        Operation::VerifyQuotations => ("items", QUOTATIONS),
        Operation::Sections => ("sections", &["id", "label", "title", "type", "counts.provisions"]),
        Operation::Content => ("sections", &["id", "label", "title", "text"]),
        Operation::Provisions | Operation::Selection => ("items", PROVISIONS),
        Operation::Terms => ("items", &["number", "designations.text", "definitions.text", "id"]),
        Operation::Tables => ("items", TABLES),
        // A group is the list of its tables.
        Operation::Table if answer["parts"].is_array() => ("parts", TABLES),
        Operation::Table => return cells(answer),
        Operation::Graphics => {
            ("items", &["assetReference", "label", "caption", "mediaType", "size", "available"])
        }
        Operation::ResolveAssets => {
            ("items", &["assetReference", "mediaType", "size", "url", "problem.detail"])
        }
        Operation::Comparison => {
            let columns = &[
                "relation",
                "changed",
                "older.label",
                "newer.label",
                "likelihood",
                "older.text",
                "newer.text",
            ];
            ("items", columns)
        }
        Operation::Migrate => (
            "items",
            &["asked", "outcome", "relation", "changed", "comparedProvisions.label", "comparedProvisions.id"],
        ),
        Operation::KnowledgeGraph => ("@graph", &["@id", "@type", "title", "label", "text"]),
        _ => return members(answer),
    };
    let heads: Vec<&str> = columns.iter().map(|path| head(path)).collect();
    let mut table = table(&heads);
    rows(&mut table, columns, &answer[lines]);
    table
}

/// The head of a column: its path without the begin that all columns share.
fn head(path: &str) -> &str {
    let inner =
        path.strip_prefix("counts.").or_else(|| path.strip_prefix("comparedProvisions.")).unwrap_or(path);
    inner.strip_suffix(".text").unwrap_or(inner)
}

fn rows(table: &mut PrintedTable, columns: &[&str], lines: &Value) {
    for line in lines.as_array().into_iter().flatten() {
        table.add_row(columns.iter().map(|path| text(at(line, path))));
        rows(table, columns, &line["children"]);
    }
}

/// The columns of each list.
const TABLES: &[&str] = &["number", "label", "caption", "section.number", "section.title", "id"];

/// The cells of a table of a standard, under the heads of its columns. A cell that fills several columns is
/// in the first of them.
fn cells(answer: &Value) -> PrintedTable {
    let columns = answer["columns"].as_array().map(Vec::as_slice).unwrap_or_default();
    let heads: Vec<String> =
        columns.iter().map(|column| text(vec![&column["heads"]]).replace("; ", " ")).collect();
    let mut table = table(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    for row in answer["rows"].as_array().into_iter().flatten() {
        let mut line = vec![String::new(); columns.len()];
        let mut next = 0;
        for cell in row["cells"].as_array().into_iter().flatten() {
            let member = |name: &str| cell[name].as_u64().and_then(|number| usize::try_from(number).ok());
            let column = member("column").unwrap_or(next);
            next = column + member("columnSpan").unwrap_or(1);
            if let Some(shown) = line.get_mut(column) {
                *shown = text(vec![&cell["text"]]);
            }
        }
        table.add_row(line);
    }
    table
}

/// One object: its members by name, those of nested objects under theirs, and the lengths of its arrays.
fn members(value: &Value) -> PrintedTable {
    fn add(table: &mut PrintedTable, above: &str, value: &Value) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let name = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
            match value {
                Value::Object(_) => add(table, &name, value),
                Value::Array(items) if items.iter().any(Value::is_object) => {
                    table.add_row([name, format!("{} of them", items.len())]);
                }
                Value::Null => {}
                Value::Array(items) if items.is_empty() => {}
                _ => table.add_row([name, text(vec![value])]),
            }
        }
    }
    let mut table = table(&["member", "value"]);
    add(&mut table, "", value);
    table
}

/// The values at a path; an array gives each of its elements.
fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    path.split('.').fold(vec![value], |values, name| {
        let elements = values.into_iter().flat_map(|value| match value {
            Value::Array(elements) => elements.iter().collect(),
            one => vec![one],
        });
        elements.filter_map(|value| value.get(name)).collect()
    })
}

fn text(values: Vec<&Value>) -> String {
    let written = values.into_iter().map(|value| match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Array(elements) => text(elements.iter().collect()),
        Value::Object(members) if members.contains_key("value") => {
            Quantity::deserialize(value).map_or_else(|_| value.to_string(), |quantity| quantity.to_string())
        }
        Value::Null => String::new(),
        other => other.to_string(),
    });
    written.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_show_what_lies_deeper_and_nested_ones_follow() {
        let terms = json!({ "items": [{
            "id": "t1", "number": "3.1",
            "designations": [{ "text": "water bath" }, { "text": "bath" }], "definitions": [{ "text": "vessel" }],
        }] });
        let table = of(Operation::Terms, &terms).to_string();
        assert!(table.contains("water bath; bath") && table.contains("vessel"), "{table}");
        let sections = json!({ "sections": [{ "id": "a", "counts": { "provisions": 7 }, "children": [{ "id": "b" }] }] });
        let table = of(Operation::Sections, &sections);
        assert_eq!(table.rows(), 2);
        assert!(table.to_string().contains('7'));
    }

    #[test]
    fn quantities_show_how_they_compare_their_values_and_units() {
        let quantities = json!([
            { "comparator": "atMost", "value": "0.5", "unit": { "text": "mm" }, "text": "not exceed half a millimetre", "start": 0, "end": 1 },
            { "comparator": "between", "value": "10", "upper": "20", "unit": { "text": "mm" }, "text": "10 mm to 20 mm", "start": 0, "end": 1 },
            { "comparator": "equal", "value": "20", "tolerance": "2", "unit": { "text": "°C" }, "text": "20 °C ± 2 °C", "start": 0, "end": 1 },
            { "comparator": "atLeast", "value": "3", "text": "at least three", "start": 0, "end": 1 },
            { "value": "5", "unit": { "text": "kN" }, "text": "5 kN", "start": 0, "end": 1 },
        ]);
        let table =
            of(Operation::Provisions, &json!({ "items": [{ "label": "4", "quantities": quantities }] }));
        let shown = table.to_string();
        assert!(shown.contains("<= 0.5 mm; 10 .. 20 mm; = 20 ± 2 °C; >= 3; 5 kN"), "{shown}");
    }

    #[test]
    fn one_thing_shows_its_members_and_counts_its_parts() {
        let standard = json!({ "urn": "u", "metadata": { "reference": "NSB 1" }, "ics": [{ "code": "67" }] });
        let table = of(Operation::Standard, &standard).to_string();
        assert!(table.contains("metadata.reference") && table.contains("1 of them"), "{table}");
    }
}
