//! One table of an edition, as JSON or CSV.

use bytes::Bytes;
use norma_api::media::Media;
use norma_api::problem::Code;
use norma_api::shapes::{Amendment, Table, TableGroup};
use norma_model::outline::OutlineTable;
use norma_model::{Identifier, Outline};

use crate::access::Access;
use crate::body::Body;
use crate::edition::{AmendedBy, AmendedItem, AuthorizedEdition, VisibleAmendments, member};
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

    let visible = match media {
        Media::Json => edition.amendments().await?,
        _ => None,
    };
    let amended_state = VisibleAmendments::state_of(visible.as_ref());
    let read = edition.clone();
    let body = Body::lazy(async move {
        let amended = amended_by(&read.amended_by_if(visible).await?, &found);
        let answer = body(&read, &found, &name, media).await?;
        if amended.is_empty() {
            return Ok(answer);
        }
        let rest = answer.get(1..).unwrap_or_default();
        Ok([b"{", member(&amended).as_bytes(), rest].concat().into())
    });
    let parts = ["table", table, media.name(), &amended_state];
    let mut representation =
        Representation::generated(&edition, request, media, (&parts, &[edition.urn(), table]), body)?;
    if !amended_state.is_empty() {
        // Amendments and grants come and go, so no single date applies.
        representation.modified = None;
    }
    Ok(representation)
}

/// What touches one of these tables, each change once.
fn amended_by(amended: &AmendedBy, tables: &[usize]) -> Vec<Amendment<'static>> {
    let mut changes = Vec::new();
    for table in tables {
        for change in amended.of(AmendedItem::Table(*table)) {
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
    }
    changes
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
    if found.len() == 1 {
        return answer(edition, &table, media);
    }
    // Several tables with one number are no group: the first is meant.
    if table.group.is_none() && !is_lettered_part(&table, name) {
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
    for (at, table) in outline.tables.iter().enumerate() {
        if !table.is_lettered() {
            continue;
        }
        let fragment = edition.table(at).await?;
        let table: Table<'_> = parsed(&fragment)?;
        if table.group.is_some_and(|own| own.id == group) {
            found.push(at);
        }
    }
    Ok(found)
}

/// True for a table with a letter after the requested number: `2A` for `2`. The lengths say so, since the
/// outline found the table by the number.
fn is_lettered_part(table: &Table<'_>, name: &str) -> bool {
    match &table.number {
        Some(number) => number.len() == name.len() + 1,
        None => false,
    }
}

/// The group of a table, with the other tables in it.
fn group<'t>(first: Table<'t>, rest: Vec<Table<'t>>, number: &str) -> Table<'t> {
    // Tables `2A` and `2B` without a group in the source make up one that has only the number.
    let group = match &first.group {
        Some(group) => group.clone(),
        None => TableGroup {
            id: first.id.clone(),
            label: None,
            number: Some(number.to_owned().into()),
            caption: None,
        },
    };
    let own = first.group.clone();
    let mut parts = vec![first];
    parts.extend(rest.into_iter().filter(|table| table.group == own));
    Table::of_group(group, parts)
}

/// The members that every view begins with, and those of a table.
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
    let known = known_tables(&outline.tables);
    Failure::new(Code::TableNotFound, format!("{} has no table `{table}`. {known}", edition.urn()))
}

/// The sentence that says which tables an edition has.
fn known_tables(tables: &[OutlineTable]) -> String {
    if tables.is_empty() {
        return "It has no tables.".to_owned();
    }
    let mut names = Vec::new();
    for table in tables.iter().take(MOST_NAMED) {
        names.push(format!("`{}`", table.number.as_deref().unwrap_or(table.id.as_str())));
    }
    // Tables with one number follow each other.
    names.dedup();
    let mut known = format!("It has {}", names.join(", "));
    if tables.len() > MOST_NAMED {
        known += &format!(", and {} more", tables.len() - MOST_NAMED);
    }
    known + "."
}

/// A table as CSV (RFC 4180): one line of heads, joined by a blank where a column has several, then the rows.
/// A cell that fills several columns or rows is repeated in each of them; `max-table-size` counts it so.
fn csv(table: &Table<'_>, urn: &str) -> Result<Bytes, Failure> {
    if let [first, ..] = &table.parts[..] {
        let name = first.number.as_ref().unwrap_or(&first.id);
        let reason =
            format!("is a group: CSV has one table. Ask for its parts, of which `{name}` is the first");
        return Err(not_in_csv(table, urn, &reason));
    }
    if table.omitted {
        let reason = "has too many cells for CSV";
        return Err(not_in_csv(table, urn, reason));
    }
    let bytes = records(table).map_err(|error| Failure::internal(&error))?;
    Ok(bytes.into())
}

fn not_in_csv(table: &Table<'_>, urn: &str, reason: &str) -> Failure {
    Failure::new(Code::TableNotFound, format!("Table `{}` of {urn} {reason}.", table.id))
}

/// The lines of a table that is one and has all its cells.
fn records(table: &Table<'_>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let mut heads = Vec::with_capacity(table.columns.len());
    for column in &table.columns {
        heads.push(without_formula(&column.heads.join(" ")));
    }
    writer.write_record(heads)?;
    for row in table.grid() {
        let mut texts = Vec::with_capacity(row.len());
        for cell in row {
            texts.push(without_formula(cell.map_or("", |cell| &cell.text)));
        }
        writer.write_record(texts)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The text of a cell, after an apostrophe if a spreadsheet would read it as a formula (CWE-1236). Numbers
/// with a sign and dashes are not formulas.
fn without_formula(text: &str) -> String {
    let is_formula = match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => !is_dash_or_amount(text[1..].trim()),
        _ => false,
    };
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// True for what may follow a sign without making a formula: nothing, or a number with its unit.
fn is_dash_or_amount(rest: &str) -> bool {
    let Some(first) = rest.chars().next() else { return true };
    first.is_ascii_digit()
        && rest.chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || ".,%°µ·".contains(c))
}

#[cfg(test)]
mod tests {
    use norma_model::TableId;

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
    fn tables_that_exist_are_named_once_and_the_first_twenty_of_many() {
        let table = |number: usize| OutlineTable { id: TableId::new("t"), number: Some(number.to_string()) };
        assert_eq!(known_tables(&[]), "It has no tables.");
        assert_eq!(known_tables(&[table(1), table(1), table(2)]), "It has `1`, `2`.");
        let many: Vec<OutlineTable> = (1..=23).map(table).collect();
        let known = known_tables(&many);
        assert!(known.starts_with("It has `1`, `2`,") && known.ends_with("`20`, and 3 more."), "{known}");
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
