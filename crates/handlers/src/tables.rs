//! Handler of one table, as JSON or CSV.

use bytes::Bytes;
use norma_api::media::Media;
use norma_api::problem::Code;
use norma_api::shapes::{Cell, Table};
use norma_model::Outline;

use crate::representation::{Body, head, json, parsed};
use crate::{AuthorizedEdition, Failure, Representation, Request};

/// A table by its id, else the first with this number.
pub(crate) async fn one<'e>(
    edition: &'e dyn AuthorizedEdition,
    table: &str,
    media: Media,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let index = edition.index().await?;
    let at = find(index.outline(), table.trim()).ok_or_else(|| {
        Failure::new(Code::TableNotFound, format!("{} has no table `{table}`.", edition.urn()))
    })?;
    let body = Body::lazy(async move {
        let fragment = edition.table(at).await?;
        if media == Media::Csv {
            return csv(&parsed(&fragment)?, edition.urn());
        }
        let mut table = Vec::from(json(&head(edition))?);
        table.pop();
        table.push(b',');
        table.extend_from_slice(fragment.get(1..).unwrap_or_default());
        Ok(table.into())
    });
    let inputs = ["table", table, media.name()];
    Representation::generated(edition, request, media, (&inputs, &[edition.urn(), table]), body)
}

fn find(outline: &Outline, table: &str) -> Option<usize> {
    let tables = &outline.tables;
    let has_number = |number: &String| number.eq_ignore_ascii_case(table);
    tables
        .iter()
        .position(|one| one.id.as_str() == table)
        .or_else(|| tables.iter().position(|one| one.number.as_ref().is_some_and(has_number)))
}

/// A table as CSV (RFC 4180): one line of heads, those of a column with a blank between them, then the rows. A cell that fills several
/// columns or rows is repeated in each of them; `max-table-size` counts it so.
fn csv(table: &Table<'_>, urn: &str) -> Result<Bytes, Failure> {
    if table.omitted {
        let detail = format!("Table `{}` of {urn} has too many cells for CSV.", table.id);
        return Err(Failure::new(Code::TableNotFound, detail));
    }
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let failed = |error: csv::Error| Failure::internal(&error);
    let heads = table.columns.iter().map(|column| column.heads.join(" "));
    writer.write_record(heads.map(|head| without_formula(&head))).map_err(failed)?;
    // The cell that fills each column, and how many rows it fills from here on.
    let mut open: Vec<(&str, u32)> = vec![("", 0); table.columns.len()];
    for row in &table.rows {
        let mut next = 0;
        for Cell { text, column, columns, rows, .. } in &row.cells {
            let first = column.unwrap_or(next);
            next = first.saturating_add(columns.unwrap_or(1));
            let filled = open.iter_mut().take(next as usize).skip(first as usize);
            filled.for_each(|column| *column = (text, rows.unwrap_or(1)));
        }
        let texts = open.iter().map(|(text, rows)| if *rows > 0 { text } else { "" });
        writer.write_record(texts.map(without_formula)).map_err(failed)?;
        open.iter_mut().for_each(|(_, rows)| *rows = rows.saturating_sub(1));
    }
    writer.into_inner().map(Bytes::from).map_err(|error| Failure::internal(&error))
}

/// The text of a cell, behind an apostrophe where a spreadsheet would take it for a formula (CWE-1236), as it takes neither numbers with a
/// sign nor dashes.
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
            "rows": [{"cells": [{"text": "A, \"b\"", "rows": 2}, {"text": "4", "columns": 2}]},
                     {"cells": [{"text": "=5", "column": 2}]}, {"cells": []}],
            "notes": [], "footnotes": [], "provisions": [], "citedBy": []}"#;
        let csv = csv(&serde_json::from_str(table).unwrap(), "urn:x").unwrap();
        let expected = "Lid,Width mm,\r\n\"A, \"\"b\"\"\",4,4\r\n\"A, \"\"b\"\"\",,'=5\r\n,,\r\n";
        assert_eq!(csv, expected);
    }
}
