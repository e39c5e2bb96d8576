//! Tables: one line for each row, a tab between cells.

use std::rc::Rc;

use super::caption::{is_caption, is_written_caption};
use super::grid::{Child, GridChild, GridRow, SourceGrid};
use super::inline::best_alternative;
use super::noted::Shape;
use super::requirement::RequirementTable;
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
        let index = own.or(self.context.table);
        if let (Some(own), Some(last)) = (own, self.block_list.blocks.last()) {
            let before = (last.section == self.section).then(|| last.range.clone());
            self.block_list.tables.entry(own).or_default().before = before;
        }
        if let (Some(own), Some(language)) = (own, self.context.language) {
            self.block_list.tables.entry(own).or_default().language = Some(language);
        }
        let requirement =
            self.context.authored.is_none().then(|| RequirementTable::recognize(node)).flatten();
        let requirement = requirement.map(Rc::new).or(self.context.requirement.clone());
        self.in_context(
            |context| {
                context.table = index;
                // A table in a cell that has no index is text of the cell.
                context.grid = own.or(context.grid.filter(|_| !context.cell));
                context.requirement = requirement;
                context.paragraph = false;
            },
            |w| match node.name() {
                Name::TableWrap | Name::Array => {
                    w.begin_shape(Shape::Figure("table"), node);
                    w.captioned(node);
                    node.children().filter(|c| !is_caption(node, *c)).for_each(|c| w.table_part(c));
                    w.end_shape();
                }
                _ => w.rows(node),
            },
        );
        self.separate_blocks();
        self.previous = None;
    }

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
            return table.children().for_each(|child| match child.name() {
                Name::Tgroup => self.rows(child),
                _ if is_written_caption(child) => {}
                _ => self.node(child),
            });
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

    fn row(&mut self, row: GridRow<'t>) {
        let nested = self.context.cell;
        self.end_block(Gap::Line);
        self.flush_gap();
        let start = self.out.len();
        self.begin_shape(Shape::Row { in_head: row.in_head }, row.node);
        let requirement = self.context.requirement.clone();
        let holds = requirement.as_ref().map(|r| r.row(row.node));
        let filled =
            requirement.as_ref().map_or(0, |_| row.node.elements().filter(|cell| !cell.is_blank()).count());
        let mut written = WrittenRow { in_head: row.in_head, cells: Vec::new() };
        let (mut cells, mut column) = (0, 0);
        for child in row.children {
            let cell = match child {
                Child::Cell(cell) => cell,
                Child::Other(node) => {
                    self.node(node);
                    continue;
                }
            };
            let tabs = cell.column - column;
            if cells > 0 || !nested && tabs > 0 {
                self.close();
                self.gap = Gap::Nothing;
                let (separator, times) = if nested { (' ', 1) } else { ('\t', tabs) };
                self.out.extend(std::iter::repeat_n(separator, times));
            }
            cells += 1;
            column = cell.column;
            self.at = cell.node.range().start;
            let requirement_row = requirement.as_deref().zip(holds.as_ref());
            let (before, block) = (self.out.len(), self.block_list.blocks.len());
            self.begin_shape(Shape::Cell((&cell).into()), cell.node);
            self.cell(cell.node, cell.head, |w| {
                if let Some((requirement, holds)) = requirement_row {
                    let key = cell.head && row.node.parent().is_some_and(|p| p.name() == Name::Thead);
                    w.set_requirement_context(requirement, holds, key || cells == 1 && filled > 1, cell.node);
                }
            });
            self.end_shape();
            written.cells.push(self.written_cell(&cell, before, block));
        }
        if let Some(table) = self.context.grid {
            self.block_list.tables.entry(table).or_default().rows.push(written);
        }
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

    fn cell(&mut self, cell: XmlNode<'t>, head: bool, change: impl FnOnce(&mut Self)) {
        let kind = match self.context.kind {
            BlockKind::Paragraph | BlockKind::ListItem if head => BlockKind::TableHeader,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::TableCell,
            kind => kind,
        };
        let id = cell.xml_id();
        let rows = cell.ancestors().take_while(|n| !matches!(n.name(), Name::Table | Name::Tgroup));
        let language = std::iter::once(cell).chain(rows).find_map(|n| n.attr("lang"));
        self.write_element(cell, |w| {
            w.in_context(
                |context| {
                    context.kind = kind;
                    context.cell = true;
                    context.item = None;
                    context.paragraph = true;
                    context.element = id.or(context.element);
                    context.language = language.or(context.language);
                },
                |w| {
                    change(w);
                    w.children(cell);
                },
            );
        });
        self.flush_label();
        self.previous = None;
    }
}
