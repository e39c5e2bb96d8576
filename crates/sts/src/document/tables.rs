//! Tables: what an edition lists of each, the quantities in their cells, and the provisions that begin there.

use std::ops::Range;

use norma_model::table::{TableContent, TableGroup};
use norma_model::{Lang, Provision, Section, Table, TableId};

use super::index::DocumentIndex;
use super::printed_number::printed_number;
use super::table_grid::TableText;
use crate::text::written_table::WrittenTable;
use crate::text::{BlockList, caption_of, caption_title, label, line};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The tables of a document, with these ids, from their written text. Those that would take more than `most`
/// bytes together, cells that span repeated, are without cells.
pub(crate) fn tables(
    document: &DocumentIndex<'_>,
    ids: Vec<String>,
    written: &BlockList<'_>,
    sections: &[Section],
    most: usize,
) -> Vec<Table> {
    let nothing = WrittenTable::default();
    let graphics: Vec<Range<usize>> =
        document.structure.graphics.iter().map(|(node, _)| node.range()).collect();
    let mut bytes_left = most;
    let mut tables = Vec::with_capacity(ids.len());
    for (index, (&(node, section), id)) in document.structure.tables.iter().zip(ids).enumerate() {
        let table = TableText {
            text: &sections[section].text,
            written: written.tables.get(&index).unwrap_or(&nothing),
            graphics: &graphics,
        };
        tables.push(Table {
            label: label(node).map(Into::into),
            number: printed_number(node),
            caption: title(document, node),
            section,
            group: group(document, node, &id),
            digest: table.digest(),
            content: table.content(&mut bytes_left),
            id: TableId::new(id),
        });
    }
    tables
}

fn title(document: &DocumentIndex<'_>, node: XmlNode<'_>) -> Option<String> {
    line(Some(document), caption_title(caption_of(node)?))
}

/// The group around a table. Without an id of its own it has that of its first table.
fn group(document: &DocumentIndex<'_>, table: XmlNode<'_>, id: &str) -> Option<TableGroup> {
    let group = table.parent()?;
    if group.name() != Name::TableWrapGroup {
        return None;
    }
    let own_id = group.xml_id().filter(|own| document.tree.is_unique(own));
    let first_table = document.tables.get(&group.id()).map_or(id, |(_, first)| first);
    Some(TableGroup {
        id: own_id.unwrap_or(first_table).into(),
        label: label(group).map(Into::into),
        number: printed_number(group).map(Into::into),
        caption: title(document, group).map(Into::into),
    })
}

/// Reads the quantities of the tables, each by the language of its section.
pub(crate) fn read_quantities(tables: &mut [Table], written: &BlockList<'_>, sections: &[Section]) {
    for (index, table) in tables.iter_mut().enumerate() {
        let TableContent::Grid(grid) = &mut table.content else { continue };
        let section = &sections[table.section];
        let written = written.tables.get(&index);
        // The unit of a whole table is in its caption, in the line before it or in a note.
        let before = written.and_then(|table| section.text.get(table.before.clone()?));
        let notes = grid.notes.clone();
        let mut around: Vec<&str> = Vec::with_capacity(2 + notes.len());
        around.extend(table.caption.as_deref());
        around.extend(before);
        around.extend(notes.iter().map(|note| &**note));
        let stated = written.and_then(|table| Lang::of_source(table.language?).ok());
        let language = stated.as_ref().unwrap_or(&section.language);
        norma_provisions::read_cells(grid, &around, language);
    }
}

/// Assigns the provisions to the cells in which they begin.
pub(crate) fn assign_provisions(
    tables: &mut [Table],
    written: &BlockList<'_>,
    sections: &[Section],
    provisions: &[Provision],
) {
    let mut position = TextPosition::default();
    // The cells of the table of the last provision: most provisions follow one in the same table.
    let mut cells = Vec::new();
    let mut table_of_cells = None;
    for (index, provision) in (0_u32..).zip(provisions) {
        let Some(table) = provision.table else { continue };
        let Some(written) = written.tables.get(&table) else { continue };
        let TableContent::Grid(grid) = &mut tables[table].content else { continue };
        let start = position.advance(sections, provision.section, provision.anchor.start);
        if table_of_cells != Some(table) {
            let heads = written.rows.len() - grid.rows.len();
            cells = cells_below_heads(written, heads);
            table_of_cells = Some(table);
        }
        if let Some(cell) = cell_at(&cells, start) {
            let cell = &mut grid.rows[cell.row][cell.index];
            cell.provisions = [&cell.provisions[..], &[index]].concat().into();
        }
    }
}

/// A position in the text of a section, in characters and in bytes.
#[derive(Default)]
struct TextPosition {
    section: usize,
    chars: usize,
    bytes: usize,
}

impl TextPosition {
    /// Moves to a character of the text of a section and gives its byte. Provisions are in the order of the
    /// text, so that each text is passed once.
    fn advance(&mut self, sections: &[Section], section: usize, chars: usize) -> usize {
        if section != self.section || chars < self.chars {
            *self = Self { section, chars: 0, bytes: 0 };
        }
        let rest = &sections[section].text[self.bytes..];
        let further = rest.char_indices().nth(chars - self.chars);
        self.bytes += further.map_or(rest.len(), |(byte, _)| byte);
        self.chars = chars;
        self.bytes
    }
}

/// A cell with text.
struct CellText {
    /// Bytes of the section's text.
    text: Range<usize>,
    /// Row of the grid, below the heads of columns.
    row: usize,
    /// Index among the cells of the row.
    index: usize,
}

/// The cells with text below the heads of columns, in the order of the text.
fn cells_below_heads(written: &WrittenTable<'_>, heads: usize) -> Vec<CellText> {
    let mut cells = Vec::new();
    for (row, written_row) in written.rows[heads..].iter().enumerate() {
        for (index, cell) in written_row.cells.iter().enumerate() {
            if !cell.text.is_empty() {
                cells.push(CellText { text: cell.text.clone(), row, index });
            }
        }
    }
    cells
}

/// The cell whose text has this byte.
fn cell_at(cells: &[CellText], byte: usize) -> Option<&CellText> {
    let begun = cells.partition_point(|cell| cell.text.start <= byte);
    let last = &cells[begun.checked_sub(1)?];
    last.text.contains(&byte).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_in_the_cell_whose_text_has_it_or_in_none() {
        let cells = [CellText { text: 2..5, row: 0, index: 0 }, CellText { text: 8..9, row: 1, index: 2 }];
        let found = |byte| cell_at(&cells, byte).map(|cell| (cell.row, cell.index));
        assert_eq!(found(4), Some((0, 0)));
        assert_eq!(found(8), Some((1, 2)));
        for between in [0, 5, 7, 9] {
            assert_eq!(found(between), None, "{between}");
        }
    }
}
