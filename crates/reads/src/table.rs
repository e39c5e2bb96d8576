//! One table of an edition, as JSON or CSV.

use bytes::Bytes;
use norma_api::media::Media;
use norma_api::problem::Code;
use norma_api::shapes::{Table, TableGroup};
use norma_model::outline::OutlineTable;
use norma_model::{Identifier, Outline};

use crate::access::Access;
use crate::body::Body;
use crate::edition::AuthorizedEdition;
use crate::json::{json, parsed};
use crate::representation::{Representation, head};
use crate::{Failure, Request};

/// Most tables that an answer names when the requested one does not exist.
const MOST_NAMED: usize = 20;

/// A table by its number or id, or a group of tables by the group's.
pub(crate) async fn table(
    access: &mut Access<'_>,
    id: &Identifier,
    (table, media): (&str, Media),
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let index = edition.index().await?;
    let name = table.trim().to_owned();
    let mut found = index.outline.tables_named(&name);
    if found.is_empty() {
        found = members(&edition, &index.outline, &name).await?;
    }
    if found.is_empty() {
        return Err(not_found(&edition, &index.outline, table));
    }

    let read = edition.clone();
    let body = Body::lazy(async move { body(&read, &found, &name, media).await });
    let parts = ["table", table, media.name()];
    Representation::generated(&edition, request, media, (&parts, &[edition.urn(), table]), body)
}

/// The bytes of the tables at these indexes: one of them, or the group that they are in.
async fn body(
    edition: &AuthorizedEdition,
    found: &[usize],
    name: &str,
    media: Media,
) -> Result<Bytes, Failure> {
    let first = edition.table(found[0]).await?;
    if found.len() == 1 && media == Media::Json {
        return with_head(edition, &first);
    }
    let table: Table<'_> = parsed(&first)?;
    if found.len() == 1 || table.group.is_none() && !is_lettered_part(&table, name) {
        return answer(edition, &table, media);
    }
    let mut fragments = Vec::with_capacity(found.len() - 1);
    for at in &found[1..] {
        fragments.push(edition.table(*at).await?);
    }
    let mut rest = Vec::with_capacity(fragments.len());
    for fragment in &fragments {
        rest.push(parsed(fragment)?);
    }
    answer(edition, &group(table, rest, name), media)
}

/// The tables of the group with this id; only the stored tables name their group. Tables of groups have
/// numbers with a letter.
async fn members(edition: &AuthorizedEdition, outline: &Outline, group: &str) -> Result<Vec<usize>, Failure> {
    let mut found = Vec::new();
    for (at, _) in outline.tables.iter().enumerate().filter(|(_, table)| table.is_lettered()) {
        let fragment = edition.table(at).await?;
        let table: Table<'_> = parsed(&fragment)?;
        if table.group.is_some_and(|own| own.id == group) {
            found.push(at);
        }
    }
    Ok(found)
}

/// Whether a table is one of several with a letter after the requested number: `2A` for `2`.
fn is_lettered_part(table: &Table<'_>, name: &str) -> bool {
    table.number.as_ref().is_some_and(|number| number.len() == name.len() + 1)
}

/// The group of a table, with the other tables in it.
fn group<'t>(first: Table<'t>, rest: Vec<Table<'t>>, number: &str) -> Table<'t> {
    let own = first.group.clone();
    let same = rest.into_iter().filter(|table| table.group == own);
    let parts: Vec<Table<'t>> = std::iter::once(first).chain(same).collect();
    let unnamed = || TableGroup {
        id: parts[0].id.clone(),
        label: None,
        number: Some(number.to_owned().into()),
        caption: None,
    };
    Table::of_group(own.unwrap_or_else(unnamed), parts)
}

fn with_head(edition: &AuthorizedEdition, fragment: &[u8]) -> Result<Bytes, Failure> {
    let mut table = Vec::from(json(&head(edition))?);
    table.pop();
    table.push(b',');
    table.extend_from_slice(fragment.get(1..).unwrap_or_default());
    Ok(table.into())
}

fn answer(edition: &AuthorizedEdition, table: &Table<'_>, media: Media) -> Result<Bytes, Failure> {
    match media {
        Media::Csv => csv(table, edition.urn()),
        _ => with_head(edition, &json(table)?),
    }
}

fn not_found(edition: &AuthorizedEdition, outline: &Outline, table: &str) -> Failure {
    let tables = &outline.tables;
    let name = |one: &OutlineTable| format!("`{}`", one.number.as_deref().unwrap_or(one.id.as_str()));
    let mut names: Vec<String> = tables.iter().take(MOST_NAMED).map(name).collect();
    names.dedup();
    let more = if tables.len() > MOST_NAMED {
        format!(", and {} more", tables.len() - MOST_NAMED)
    } else {
        String::new()
    };
    let known = if names.is_empty() {
        "It has no tables.".to_owned()
    } else {
        format!("It has {}{more}.", names.join(", "))
    };
    Failure::new(Code::TableNotFound, format!("{} has no table `{table}`. {known}", edition.urn()))
}

/// A table as CSV (RFC 4180): one line of heads, joined by a blank where a column has several, then the rows.
/// A cell that fills several columns or rows is repeated in each of them; `max-table-size` counts it so.
fn csv(table: &Table<'_>, urn: &str) -> Result<Bytes, Failure> {
    let refused =
        |reason| Err(Failure::new(Code::TableNotFound, format!("Table `{}` of {urn} {reason}.", table.id)));
    if let [first, ..] = &table.parts[..] {
        let name = first.number.as_ref().unwrap_or(&first.id);
        return refused(format!(
            "is a group: CSV has one table. Ask for its parts, of which `{name}` is the first"
        ));
    }
    if table.omitted {
        return refused("has too many cells for CSV".to_owned());
    }
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: csv::Error| Failure::internal(&error);
    let heads = table.columns.iter().map(|column| column.heads.join(" "));
    writer.write_record(heads.map(|head| without_formula(&head))).map_err(failed)?;
    for row in table.grid() {
        let texts = row.into_iter().map(|cell| cell.map_or("", |cell| &cell.text));
        writer.write_record(texts.map(without_formula)).map_err(failed)?;
    }
    writer.into_inner().map(Bytes::from).map_err(|error| Failure::internal(&error))
}

/// The text of a cell, after an apostrophe if a spreadsheet would read it as a formula (CWE-1236). Numbers
/// with a sign and dashes are not formulas.
fn without_formula(text: &str) -> String {
    let harmless = |rest: &str| {
        let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || ".,%°µ·".contains(c);
        rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().all(plain)
    };
    let is_formula = match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => !harmless(text[1..].trim()),
        _ => false,
    };
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_take_for_a_formula_begins_with_an_apostrophe() {
        for text in ["=1+1", "@x", "+A1", "-cmd", "-2+3+cmd|' /C calc'!A0", "-(1)", "\t=1"] {
            assert_eq!(without_formula(text), format!("'{text}"));
        }
        for text in ["", "a", "-", "-18 °C", "+ 5", "- 0,5", "≥ 40", "1=1", "−3"] {
            assert_eq!(without_formula(text), text);
        }
    }

    #[test]
    fn cells_that_span_are_repeated_and_the_line_of_heads_comes_first() {
        let table = r#"{"id": "t", "section": {"id": "s"}, "normative": true,
            "columns": [{"heads": ["Lid"]}, {"heads": ["Width", "mm"]}, {"heads": []}],
            "rows": [{"cells": [{"text": "A, \"b\"", "rowSpan": 2}, {"text": "4", "columnSpan": 2}]},
                     {"cells": [{"text": "=5", "column": 2}]}, {"cells": []}],
            "annotations": [], "footnotes": [], "provisionIds": [], "citingProvisionIds": []}"#;
        let csv = csv(&serde_json::from_str(table).unwrap(), "urn:x").unwrap();
        let expected = "Lid,Width mm,\r\n\"A, \"\"b\"\"\",4,4\r\n\"A, \"\"b\"\"\",,'=5\r\n,,\r\n";
        assert_eq!(csv, expected);
    }
}
