//! Tables: their written cells as a grid, with the heads of its columns.

use std::ops::Range;

use norma_model::table::{Cell, Column, Grid, TableContent, TableFootnote, TableGroup};
use norma_model::{Digest, Lang, Provision, Section, Table, TableId};
use sha2::{Digest as _, Sha256};

use super::index::{DocumentIndex, printed_number};
use crate::text::written_table::{WrittenCell, WrittenRow, WrittenTable};
use crate::text::{BlockList, caption_of, caption_title, label, line};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Bytes that a cell counts in addition to its text.
const CELL: usize = 128;

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
    let mut left = most;
    let tables = document.structure.tables.iter().zip(ids).enumerate();
    tables
        .map(|(index, (&(node, section), id))| {
            let table = TableText {
                text: &sections[section].text,
                written: written.tables.get(&index).unwrap_or(&nothing),
                graphics: &graphics,
            };
            Table {
                label: label(node).map(Into::into),
                number: printed_number(node),
                caption: title(document, node),
                section,
                group: group(document, node, &id),
                digest: table.digest(),
                content: table.content(&mut left),
                id: TableId::new(id),
            }
        })
        .collect()
}

/// Reads the quantities of the tables, each by the language of its section.
pub(crate) fn read_quantities(tables: &mut [Table], written: &BlockList<'_>, sections: &[Section]) {
    for (index, table) in tables.iter_mut().enumerate() {
        let TableContent::Grid(grid) = &mut table.content else { continue };
        let section = &sections[table.section];
        let before = written.tables.get(&index).and_then(|table| section.text.get(table.before.clone()?));
        let notes = grid.notes.clone();
        let around =
            table.caption.as_deref().into_iter().chain(before).chain(notes.iter().map(|note| &**note));
        let language = written.tables.get(&index).and_then(|table| Lang::of_source(table.language?).ok());
        let language = language.as_ref().unwrap_or(&section.language);
        norma_provisions::read_cells(grid, &around.collect::<Vec<_>>(), language);
    }
}

/// Assigns the provisions to the cells in which they begin.
pub(crate) fn assign_provisions(
    tables: &mut [Table],
    written: &BlockList<'_>,
    sections: &[Section],
    provisions: &[Provision],
) {
    let (mut section, mut chars, mut bytes) = (0, 0, 0);
    let mut cells = (usize::MAX, Vec::new());
    for (index, provision) in (0_u32..).zip(provisions) {
        let Some(at) = provision.table else { continue };
        let (Some(written), TableContent::Grid(grid)) = (written.tables.get(&at), &mut tables[at].content)
        else {
            continue;
        };
        // Provisions are in the order of the text, so that it is passed once.
        if section != provision.section || provision.anchor.start < chars {
            (section, chars, bytes) = (provision.section, 0, 0);
        }
        let rest = &sections[section].text[bytes..];
        let further = rest.char_indices().nth(provision.anchor.start - chars);
        bytes += further.map_or(rest.len(), |(at, _)| at);
        chars = provision.anchor.start;
        if cells.0 != at {
            cells = (at, cells_below_heads(written, written.rows.len() - grid.rows.len()));
        }
        let Some(last) = cells.1.partition_point(|(text, ..)| text.start <= bytes).checked_sub(1) else {
            continue;
        };
        let (text, row, cell) = &cells.1[last];
        if text.contains(&bytes) {
            let cell = &mut grid.rows[*row][*cell];
            cell.provisions = [&cell.provisions[..], &[index]].concat().into();
        }
    }
}

/// The text, row and number of each cell with text, in the order of the text.
fn cells_below_heads(written: &WrittenTable<'_>, heads: usize) -> Vec<(Range<usize>, usize, usize)> {
    let rows = written.rows[heads..].iter().enumerate();
    let cells = rows.flat_map(|(row, cells)| {
        cells.cells.iter().enumerate().map(move |(at, cell)| (cell.text.clone(), row, at))
    });
    cells.filter(|(text, ..)| !text.is_empty()).collect()
}

fn title(document: &DocumentIndex<'_>, node: XmlNode<'_>) -> Option<String> {
    line(Some(document), caption_title(caption_of(node)?))
}

fn group(document: &DocumentIndex<'_>, node: XmlNode<'_>, id: &str) -> Option<TableGroup> {
    let group = node.parent().filter(|parent| parent.name() == Name::TableWrapGroup)?;
    let first = document.tables.get(&group.id()).map_or(id, |(_, id)| id);
    Some(TableGroup {
        id: group.xml_id().filter(|id| document.tree.is_unique(id)).unwrap_or(first).into(),
        label: label(group).map(Into::into),
        number: printed_number(group).map(Into::into),
        caption: title(document, group).map(Into::into),
    })
}

/// The written text of a table, and the text that contains it.
struct TableText<'a> {
    text: &'a str,
    written: &'a WrittenTable<'a>,
    /// The pictures of the document, by bytes of the source.
    graphics: &'a [Range<usize>],
}

impl<'a> TableText<'a> {
    /// A part of the text. What was cut off at the end of a row is empty.
    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn digest(&self) -> Option<Digest> {
        let cells = self.written.rows.iter().flat_map(|row| &row.cells);
        let mut texts = cells.map(|cell| self.slice(&cell.text)).filter(|text| !text.is_empty()).peekable();
        texts.peek()?;
        let mut digest = Sha256::new();
        for text in texts {
            digest.update(text);
            digest.update("\n");
        }
        Some(Digest::from_bytes(digest.finalize().into()))
    }

    /// The grid, unless it is too large.
    fn content(&self, left: &mut usize) -> TableContent {
        let rows = &self.written.rows;
        let cells = || rows.iter().flat_map(|row| &row.cells);
        // A column in which no cell begins is the rest of a span that is too long.
        let columns = cells().map(|cell| cell.column + 1).max().unwrap_or_default();
        let filled = |(at, cell): (usize, &WrittenCell)| {
            let columns = cell.columns.min(columns - cell.column);
            columns.saturating_mul(cell.rows.min(rows.len() - at)).saturating_mul(cell.text.len() + CELL)
        };
        let numbered =
            rows.iter().enumerate().flat_map(|(at, row)| row.cells.iter().map(move |cell| (at, cell)));
        let size = numbered.map(filled).fold(0, usize::saturating_add);
        match left.checked_sub(size) {
            Some(rest) => {
                *left = rest;
                TableContent::Grid(self.grid(columns))
            }
            None => TableContent::Omitted { rows: rows.len(), columns, cells: cells().count() },
        }
    }

    fn grid(&self, columns: usize) -> Grid {
        let Heads { rows: heads, derived } = self.heads();
        let (above, below) = self.written.rows.split_at(heads);
        let columns = (0..columns).map(|column| self.column(above, column)).collect();
        let rows = below.iter().enumerate();
        let rows = rows.map(|(at, row)| {
            let cells = row.cells.iter();
            cells.map(|cell| self.cell(cell, below.len() - at)).collect()
        });
        Grid {
            columns,
            has_derived_heads: derived,
            unit: None,
            rows: rows.collect(),
            notes: self.notes(),
            footnotes: self.footnotes(),
        }
    }

    /// The heads of a column from the top; a cell that fills several rows is one.
    fn column(&self, heads: &[WrittenRow], column: usize) -> Column {
        let mut found = Column::default();
        for cell in heads.iter().flat_map(|row| &row.cells) {
            if (cell.column..cell.column + cell.columns).contains(&column) {
                found
                    .heads
                    .extend(Some(self.slice(&cell.text)).filter(|text| !text.is_empty()).map(Into::into));
                found.footnotes.extend(self.marks(cell));
            }
        }
        found
    }

    fn cell(&self, cell: &WrittenCell, rows: usize) -> Cell {
        let [first, end] = [cell.source.start, cell.source.end]
            .map(|at| self.graphics.partition_point(|graphic| graphic.start < at));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Cell {
            text: self.slice(&cell.text).into(),
            column: number(cell.column),
            columns: number(cell.columns),
            rows: number(cell.rows.min(rows)),
            is_head: cell.is_head,
            quantity: None,
            footnotes: self.marks(cell).collect(),
            graphics: (first..end).map(number).collect(),
            provisions: Box::default(),
        }
    }

    fn marks(&self, cell: &WrittenCell) -> impl Iterator<Item = Box<str>> {
        cell.marks.iter().map(|mark| self.slice(mark).trim_start_matches('^').into())
    }

    /// The texts around the cells, except the footnotes.
    fn notes(&self) -> Vec<Box<str>> {
        let mut notes = Vec::new();
        for note in &self.written.notes {
            let mut at = note.start;
            let footnotes = self.written.footnotes.iter().map(|footnote| &footnote.text);
            let within = footnotes.filter(|footnote| note.contains(&footnote.start));
            for stop in within.cloned().chain(std::iter::once(note.end..note.end)) {
                let texts = self.slice(&(at..stop.start)).split("\n\n").map(str::trim);
                notes.extend(texts.filter(|text| !text.is_empty()).map(Into::into));
                at = stop.end;
            }
        }
        notes
    }

    fn footnotes(&self) -> Vec<TableFootnote> {
        let mut footnotes: Vec<TableFootnote> = Vec::new();
        for written in &self.written.footnotes {
            let text = self.slice(&written.text);
            let mark = written.mark.as_deref();
            match (mark, footnotes.last_mut()) {
                (None, Some(last)) => last.text = [&*last.text, text].join("\n").into(),
                _ => {
                    let text = mark.and_then(|mark| text.strip_prefix(mark)).unwrap_or(text);
                    footnotes.push(TableFootnote { mark: mark.map(Into::into), text: text.trim().into() });
                }
            }
        }
        footnotes
    }

    /// Number of first rows that are heads of columns: those that the source marks, else one that has the
    /// form of heads.
    fn heads(&self) -> Heads {
        let rows = &self.written.rows;
        let of_columns = |row: &'a WrittenRow| {
            let cells = || self.filled(row);
            let heads = || cells().all(|cell| cell.is_head && !cell.is_row_head);
            row.in_head || cells().any(|cell| row.cells.len() > 1 || cell.columns > 1) && heads()
        };
        let marked = rows.iter().take_while(|row| of_columns(row)).count();
        let is_marked = rows.iter().any(|row| row.in_head || row.cells.iter().any(|cell| cell.is_head));
        // A cell across the table is its title, and no head of a column.
        let title = rows[..marked].iter().all(|row| row.cells.len() == 1);
        let has_form = (!is_marked || marked > 0 && title) && self.has_form_of_heads(&rows[marked..]);
        // Rows into which a head reaches are heads too, unless that leaves none.
        let first = marked + usize::from(has_form);
        let reach = rows.iter().take(first).enumerate();
        let reach =
            reach.flat_map(|(at, row)| row.cells.iter().map(move |cell| at.saturating_add(cell.rows)));
        let reach = reach.max().filter(|reach| *reach < rows.len()).unwrap_or(first).max(first);
        let goes_on = reach > 0 && self.goes_on(&rows[..reach], &rows[reach..]);
        Heads { rows: reach + usize::from(goes_on), derived: has_form || goes_on }
    }

    /// Whether all cells of the first of these rows are bold, and not all below; or it has no number, and
    /// most rows below have one.
    fn has_form_of_heads(&self, rows: &'a [WrittenRow]) -> bool {
        let Some((first, below)) = rows.split_first().filter(|(_, below)| !below.is_empty()) else {
            return false;
        };
        let is_bold = |row: &'a WrittenRow| self.filled(row).all(|cell| cell.is_bold);
        if self.filled(first).count() < 2 {
            return false;
        }
        // The first column may number the rows.
        let has_value =
            |row: &&'a WrittenRow| self.filled(row).any(|cell| cell.column > 0 && self.is_value(cell));
        let with_values = below.iter().filter(has_value).count();
        is_bold(first) && !below.iter().all(is_bold)
            || !self.filled(first).any(|cell| norma_provisions::has_number(self.slice(&cell.text)))
                && 2 * with_values > below.len()
    }

    /// Whether the first of these rows continues the heads above. It divides columns under a head with a
    /// span, or has the units of columns; and it has words where the rows below have values.
    fn goes_on(&self, heads: &'a [WrittenRow], rows: &'a [WrittenRow]) -> bool {
        let Some((first, below)) = rows.split_first().filter(|(_, below)| !below.is_empty()) else {
            return false;
        };
        let spans = |column: usize| {
            let over = |cell: &&WrittenCell| (cell.column..cell.column + cell.columns).contains(&column);
            heads.last().is_some_and(|row| row.cells.iter().filter(over).any(|cell| cell.columns > 1))
        };
        let of_values = |column: usize| {
            let cells = below.iter().flat_map(|row| self.filled(row)).filter(|cell| cell.column == column);
            let (all, values) = cells
                .fold((0, 0), |(all, values), cell| (all + 1, values + usize::from(self.is_value(cell))));
            2 * values > all
        };
        let mut cells = self.filled(first).filter(|cell| cell.column > 0).peekable();
        let last_word =
            |cell: &WrittenCell| self.slice(&cell.text).rsplit([' ', '\n', '/']).next().unwrap_or_default();
        let is_unit = |cell: &WrittenCell| norma_provisions::is_unit_symbol(self.slice(&cell.text));
        // A row of data has its own head in the first column, and no units alone.
        let no_data = self.filled(first).all(|cell| cell.column > 0)
            || self.filled(first).any(|cell| norma_provisions::is_unit_symbol(last_word(cell)));
        let parts = no_data && self.filled(first).any(|cell| spans(cell.column));
        cells.peek().is_some()
            && !self.filled(first).any(|cell| self.is_value(cell))
            && cells.all(|cell| of_values(cell.column) && (is_unit(cell) || parts && cell.columns == 1))
    }

    fn filled(&self, row: &'a WrittenRow) -> impl Iterator<Item = &'a WrittenCell> {
        row.cells.iter().filter(|cell| !cell.text.is_empty())
    }

    /// Whether a cell begins with a number, signs before it aside.
    fn is_value(&self, cell: &WrittenCell) -> bool {
        let text = self.slice(&cell.text).trim_start_matches(|c: char| !c.is_alphanumeric());
        text.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// The heads of the columns of a table.
struct Heads {
    /// Number of its first rows that are heads.
    rows: usize,
    /// Whether the source does not mark them.
    derived: bool,
}
