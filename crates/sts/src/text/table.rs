//! Tables: one line for each row, a tab between cells.

use std::rc::Rc;

use super::caption::{is_caption, is_written_caption};
use super::formula::best_alternative;
use super::grid::{Child, GridCell, GridChild, GridRow, SourceGrid};
use super::noted::Shape;
use super::requirement::{RequirementCell, RequirementRow, RequirementTable};
use super::written_table::WrittenRow;
use super::{Gap, TextWriter};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::BlockKind;

impl<'t> TextWriter<'_, 't> {
    /// Writes a table with its caption before it and its foot after it, or an array.
    pub(super) fn table(&mut self, node: XmlNode<'t>) {
        self.separate_blocks();
        self.flush_label();
        let own = self.document.and_then(|document| document.table(node));
        if let Some(own) = own {
            self.begin_written_table(own);
        }
        let mut requirement = self.context.requirement.clone();
        if self.context.authored.is_none()
            && let Some(table) = RequirementTable::recognize(node)
        {
            requirement = Some(Rc::new(table));
        }
        // A table in a cell that has no index is text of the cell.
        let grid_around = if self.context.cell { None } else { self.context.grid };
        let outer = self.enter();
        self.context.table = own.or(self.context.table);
        self.context.grid = own.or(grid_around);
        self.context.requirement = requirement;
        self.context.paragraph = false;
        match node.name() {
            Name::TableWrap | Name::Array => self.captioned_table(node),
            _ => self.rows(node),
        }
        self.leave(outer);
        self.separate_blocks();
        self.previous = None;
    }

    /// Records the block before a table, and the language that the source states for it.
    fn begin_written_table(&mut self, table: usize) {
        if let Some(last) = self.block_list.blocks.last() {
            let before = if last.section == self.section { Some(last.range.clone()) } else { None };
            self.block_list.tables.entry(table).or_default().before = before;
        }
        if let Some(language) = self.context.language {
            self.block_list.tables.entry(table).or_default().language = Some(language);
        }
    }

    fn captioned_table(&mut self, node: XmlNode<'t>) {
        self.begin_shape(Shape::Figure("table"), node);
        self.captioned(node);
        for child in node.children() {
            if !is_caption(node, child) {
                self.table_part(child);
            }
        }
        self.end_shape();
    }

    /// Writes the rows of a table, or a text around them, which is a note of the table.
    fn table_part(&mut self, node: XmlNode<'t>) {
        match node.name() {
            Name::Table | Name::Tgroup => {
                self.rows(node);
                self.separate_blocks();
            }
            Name::Alternatives => {
                if let Some(best) = best_alternative(node) {
                    self.table_part(best);
                }
            }
            _ => {
                let start = self.out.len();
                self.node(node);
                self.close();
                self.add_table_note(start);
            }
        }
    }

    fn rows(&mut self, table: XmlNode<'t>) {
        // A CALS table has its rows in groups of columns.
        if table.child(Name::Tgroup).is_some() {
            for child in table.children() {
                match child.name() {
                    Name::Tgroup => self.rows(child),
                    _ if is_written_caption(child) => {}
                    _ => self.node(child),
                }
            }
            return;
        }
        self.begin_shape(Shape::Table, table);
        for part in SourceGrid::of(table).parts {
            match part {
                GridChild::Row(row) => self.row(row),
                GridChild::Other(node) if is_written_caption(node) => {}
                GridChild::Other(node) => self.node(node),
            }
        }
        self.end_shape();
    }

    /// Writes a row on a line of its own, with a tab for each column after the first.
    fn row(&mut self, row: GridRow<'t>) {
        // The cells of a table within a cell are parted by one space.
        let is_nested = self.context.cell;
        self.end_block(Gap::Line);
        self.flush_gap();
        let start = self.out.len();
        self.begin_shape(Shape::Row { in_head: row.in_head }, row.node);
        let table = self.context.requirement.clone();
        let requirement = table.as_ref().map(|table| RequirementOfRow::new(table, row.node));
        let mut written = WrittenRow { in_head: row.in_head, cells: Vec::new() };
        let mut column = 0;
        for child in row.children {
            let cell = match child {
                Child::Cell(cell) => cell,
                Child::Other(node) => {
                    self.node(node);
                    continue;
                }
            };
            let is_first = written.cells.is_empty();
            let columns = cell.column - column;
            column = cell.column;
            if is_nested && !is_first {
                self.end_cell(" ", 1);
            } else if !is_nested && columns > 0 {
                self.end_cell("\t", columns);
            }
            self.at = cell.node.range().start;
            let (text, block) = (self.out.len(), self.block_list.blocks.len());
            self.begin_shape(Shape::Cell((&cell).into()), cell.node);
            self.cell(&cell, requirement.as_ref().map(|row| row.cell(&cell, is_first)));
            self.end_shape();
            written.cells.push(self.written_cell(&cell, text, block));
        }
        if let Some(table) = self.context.grid {
            self.block_list.tables.entry(table).or_default().rows.push(written);
        }
        self.end_row(start);
    }

    /// Ends the text of a cell, and writes the separators before the next one.
    fn end_cell(&mut self, separator: &str, times: usize) {
        self.close();
        self.gap = Gap::Nothing;
        for _ in 0..times {
            self.out.push_str(separator);
        }
    }

    /// Ends a row that begins at a byte of the text.
    fn end_row(&mut self, start: usize) {
        self.close();
        self.gap = Gap::Nothing;
        let end = self.out.trim_end_matches(['\t', ' ']).len().max(start);
        self.truncate(end);
        self.end_shape();
        if end > start {
            self.end_block(Gap::Line);
        } else if self.out.ends_with('\n') {
            // A row of empty cells leaves no line.
            let length = self.out.trim_end_matches('\n').len();
            self.gap = if self.out.len() > length + 1 { Gap::Blank } else { Gap::Line };
            self.truncate(length);
        }
    }

    fn cell(&mut self, cell: &GridCell<'t>, requirement: Option<RequirementCell<'_, 't>>) {
        let kind = match self.context.kind {
            BlockKind::Paragraph | BlockKind::ListItem if cell.head => BlockKind::TableHeader,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::TableCell,
            kind => kind,
        };
        let first = self.begin_element();
        let outer = self.enter();
        self.context.kind = kind;
        self.context.cell = true;
        self.context.item = None;
        self.context.paragraph = true;
        self.context.element = cell.node.xml_id().or(self.context.element);
        self.context.language = stated_language(cell.node).or(self.context.language);
        if let Some(requirement) = requirement {
            self.set_requirement_context(&requirement, cell.node);
        }
        self.children(cell.node);
        self.leave(outer);
        self.end_element(cell.node, first);
        self.flush_label();
        self.previous = None;
    }
}

/// A row of a table that states a requirement.
struct RequirementOfRow<'r, 't> {
    table: &'r RequirementTable<'t>,
    row: RequirementRow,
    is_in_thead: bool,
    /// True if the first cell is the key of the others: a row of one cell has no key.
    has_key: bool,
}

impl<'r, 't> RequirementOfRow<'r, 't> {
    fn new(table: &'r RequirementTable<'t>, row: XmlNode<'t>) -> Self {
        let filled = row.elements().filter(|cell| !cell.is_blank()).count();
        Self {
            table,
            row: table.row(row),
            is_in_thead: row.parent().is_some_and(|parent| parent.name() == Name::Thead),
            has_key: filled > 1,
        }
    }

    fn cell(&self, cell: &GridCell<'t>, is_first: bool) -> RequirementCell<'_, 't> {
        let is_key = cell.head && self.is_in_thead || is_first && self.has_key;
        RequirementCell { table: self.table, row: &self.row, is_key }
    }
}

/// The language that a cell states, or else the nearest of its row and the group of rows.
fn stated_language<'t>(cell: XmlNode<'t>) -> Option<&'t str> {
    let rows = cell.ancestors().take_while(|n| !matches!(n.name(), Name::Table | Name::Tgroup));
    std::iter::once(cell).chain(rows).find_map(|n| n.attr("lang"))
}
