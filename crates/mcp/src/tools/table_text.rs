//! A table as text: caption, heads, rows and notes, each a line, cells separated by tabs.

use norma_client::shapes::Table;

/// The whole text of a table. The tables of a group follow each other.
pub(super) fn table_text(table: &Table<'_>) -> String {
    let mut lines = Vec::new();
    add_table(table, &mut lines);
    lines.join("\n")
}

fn add_table(table: &Table<'_>, lines: &mut Vec<String>) {
    lines.extend(table.caption.iter().map(ToString::to_string));
    if let Some(unit) = &table.unit {
        lines.push(format!("({})", unit.text));
    }
    let depth = table.columns.iter().map(|column| column.heads.len()).max().unwrap_or(0);
    for level in 0..depth {
        let heads: Vec<&str> =
            table.columns.iter().map(|column| column.heads.get(level).map_or("", |head| &**head)).collect();
        lines.push(heads.join("\t"));
    }
    for row in &table.rows {
        lines.push(row_text(row.cells.iter().map(|cell| (cell.column, &*cell.text, cell.column_span))));
    }
    lines.extend(table.annotations.iter().map(ToString::to_string));
    for footnote in &table.footnotes {
        let mark = footnote.mark.as_deref().unwrap_or_default();
        lines.push(format!("{mark} {}", footnote.text).trim_start().to_owned());
    }
    for part in &table.parts {
        add_table(part, lines);
    }
}

/// Cells at the columns in which they begin.
fn row_text<'t>(cells: impl Iterator<Item = (Option<u32>, &'t str, Option<u32>)>) -> String {
    let mut line = String::new();
    let mut column = 0;
    for (start, text, span) in cells {
        let start = start.unwrap_or(column);
        for _ in column..start {
            line.push('\t');
        }
        line.push_str(text);
        let end = start + span.unwrap_or(1);
        for _ in start..end {
            line.push('\t');
        }
        column = end;
    }
    line.truncate(line.trim_end_matches('\t').len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_at_their_columns_and_notes_follow() {
        let table = r#"{"id": "t", "section": {"id": "s"}, "normative": true, "caption": "Sizes",
            "columns": [{"heads": ["Lid", ""]}, {"heads": ["Size", "mm"]}, {"heads": ["Size", "in"]}],
            "rows": [{"cells": [{"text": "flat", "rowSpan": 2}, {"text": "4"}, {"text": "0.16"}]},
                     {"cells": [{"text": "5", "column": 1, "columnSpan": 2}]}],
            "annotations": ["In mm."], "footnotes": [{"mark": "a", "text": "Measured dry."}],
            "provisionIds": [], "citingProvisionIds": []}"#;
        let table: Table<'_> = serde_json::from_str(table).unwrap();
        let lines =
            ["Sizes", "Lid\tSize\tSize", "\tmm\tin", "flat\t4\t0.16", "\t5", "In mm.", "a Measured dry."];
        assert_eq!(table_text(&table), lines.join("\n"));
    }
}
