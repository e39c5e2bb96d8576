//! A changed table as it is in the newer edition, with the changed cells, rows and columns marked.

use maud::{Markup, html};
use norma_api::shapes::{CellChange, PartChangeType, RowOrColumnChange, TableChange};
use norma_model::table::{Cell, Grid, row_head};

use super::printed::printed;
use crate::phrases::Words;

/// A table with the changes that its cells show.
pub(crate) struct MarkedTable<'a> {
    grid: &'a Grid,
    /// The change of each cell, by row and by its index in the row.
    cells: Vec<Vec<Option<&'a CellChange<'a>>>>,
    new_rows: Vec<bool>,
    new_columns: Vec<bool>,
    /// Changes that no cell shows, since the heads of their row and column are those of several cells, or
    /// another table has them.
    pub(crate) others: Vec<&'a CellChange<'a>>,
}

impl<'a> MarkedTable<'a> {
    pub(crate) fn new(grid: &'a Grid, change: &'a TableChange<'a>) -> Self {
        // Rows and columns are named as the comparison names them.
        let row_heads: Vec<String> = grid.matrix().iter().map(|row| row_head(row)).collect();
        let column_heads: Vec<String> =
            grid.columns.iter().map(|column| column.head().into_owned()).collect();
        let mut table = Self {
            grid,
            cells: grid.rows.iter().map(|row| vec![None; row.len()]).collect(),
            new_rows: row_heads.iter().map(|head| is_new(head, &row_heads, &change.row_changes)).collect(),
            new_columns: column_heads
                .iter()
                .map(|head| is_new(head, &column_heads, &change.column_changes))
                .collect(),
            others: Vec::new(),
        };
        for cell_change in &change.cell_changes {
            match table.only_cell(cell_change, &row_heads, &column_heads) {
                Some((row, index)) => table.cells[row][index] = Some(cell_change),
                None => table.others.push(cell_change),
            }
        }
        table
    }

    /// The one cell that a change can be of: the comparison names row and column by their heads alone.
    fn only_cell(
        &self,
        change: &CellChange<'_>,
        row_heads: &[String],
        column_heads: &[String],
    ) -> Option<(usize, usize)> {
        let mut found = None;
        for (row, cells) in self.grid.rows.iter().enumerate() {
            if row_heads[row] != change.row_head {
                continue;
            }
            for (index, cell) in cells.iter().enumerate() {
                let has_head =
                    column_heads.get(cell.column as usize).is_some_and(|head| *head == change.column_head);
                if !has_head || *cell.text != *change.newer.text {
                    continue;
                }
                if found.is_some() {
                    return None;
                }
                found = Some((row, index));
            }
        }
        found
    }

    /// The table in HTML.
    pub(crate) fn show(&self, words: &Words) -> Markup {
        let levels = self.grid.columns.iter().map(|column| column.heads.len()).max().unwrap_or_default();
        html! {
            table.marked {
                @if levels > 0 {
                    thead { @for level in 0..levels { tr {
                        @for (index, column) in self.grid.columns.iter().enumerate() {
                            @let is_new = self.new_columns[index];
                            th class=[is_new.then_some("added")] scope="col" { (inserted(column.heads.get(level).map_or("", |head| head), is_new)) }
                        }
                    } } }
                }
                tbody {
                    @for (row, cells) in self.grid.rows.iter().enumerate() {
                        tr class=[self.new_rows[row].then_some("added")] {
                            @for (index, cell) in cells.iter().enumerate() { (self.cell(words, row, index, cell)) }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, words: &Words, row: usize, index: usize, cell: &Cell) -> Markup {
        let is_new =
            self.new_rows[row] || self.new_columns.get(cell.column as usize).copied().unwrap_or_default();
        let change = self.cells[row][index];
        let content = match change {
            Some(change) => html! {
                span.hidden { (words.say("changed cell")) (words.colon()) }
                @if !change.older.text.is_empty() { del { (printed(&change.older.text)) } " " }
                @if !change.newer.text.is_empty() { ins { (printed(&change.newer.text)) } }
            },
            None => inserted(&cell.text, is_new),
        };
        let class = match change {
            Some(_) => Some("changed"),
            None => is_new.then_some("added"),
        };
        let spans = [cell.columns, cell.rows].map(|span| (span > 1).then(|| span.to_string()));
        let [columns, rows] = spans;
        html! {
            @if cell.is_head { th class=[class] scope="row" colspan=[columns] rowspan=[rows] { (content) } }
            @else { td class=[class] colspan=[columns] rowspan=[rows] { (content) } }
        }
    }
}

fn inserted(text: &str, is_new: bool) -> Markup {
    html! { @if is_new && !text.is_empty() { ins { (printed(text)) } } @else { (printed(text)) } }
}

/// True if a row or column is new, and no other one has its head.
fn is_new(head: &str, heads: &[String], changes: &[RowOrColumnChange<'_>]) -> bool {
    let is_alone = heads.iter().filter(|other| *other == head).count() == 1;
    let is_new = |change: &RowOrColumnChange<'_>| {
        change.kind == PartChangeType::New && change.newer.as_deref() == Some(head)
    };
    is_alone && changes.iter().any(is_new)
}

#[cfg(test)]
mod tests {
    use norma_model::table::Column;
    use serde_json::json;

    use super::*;
    use crate::phrases::ENGLISH;

    fn grid(rows: &[[&str; 3]]) -> Grid {
        let mut grid = Grid::default();
        for head in ["Class", "Load", "Time"] {
            grid.columns.push(Column { heads: vec![head.into()], ..Column::default() });
        }
        for row in rows {
            let cell = |(column, text): (usize, &&str)| Cell {
                text: (*text).into(),
                column: column as u32,
                columns: 1,
                rows: 1,
                ..Cell::default()
            };
            grid.rows.push(row.iter().enumerate().map(cell).collect());
        }
        grid
    }

    fn change(cells: serde_json::Value, rows: serde_json::Value) -> TableChange<'static> {
        serde_json::from_value(json!({
            "type": "changed", "older": {"id": "t"}, "newer": {"id": "t"}, "annotationsChanged": false,
            "changedCellCount": 1, "cellChanges": cells, "rowChanges": rows, "columnChanges": [],
        }))
        .unwrap()
    }

    #[test]
    fn a_changed_cell_is_marked_where_it_is_and_a_new_row_as_a_whole() {
        let grid = grid(&[["A", "5 kN", "1 min"], ["B", "8 kN", "1 min"]]);
        let change = change(
            json!([{"rowHead": "A", "columnHead": "Load", "older": {"text": "3 kN"}, "newer": {"text": "5 kN"}, "changed": []}]),
            json!([{"type": "new", "newer": "B"}]),
        );
        let table = MarkedTable::new(&grid, &change);
        assert!(table.others.is_empty());
        let html = table.show(ENGLISH).into_string();
        assert!(html.contains("<del>3 kN</del> <ins>5 kN</ins></td>"), "{html}");
        assert!(html.contains("<tr class=\"added\"><td class=\"added\"><ins>B</ins></td>"), "{html}");
        assert_eq!(html.matches("class=\"changed\"").count(), 1, "{html}");
    }

    #[test]
    fn a_change_that_may_be_of_several_cells_marks_none() {
        let grid = grid(&[["A", "5 kN", "1 min"], ["A", "5 kN", "2 min"]]);
        let change = change(
            json!([{"rowHead": "A", "columnHead": "Load", "older": {"text": "3 kN"}, "newer": {"text": "5 kN"}, "changed": []}]),
            json!([]),
        );
        let table = MarkedTable::new(&grid, &change);
        assert_eq!(table.others.len(), 1);
        assert!(!table.show(ENGLISH).into_string().contains("<del>"));
    }
}
