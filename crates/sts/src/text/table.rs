//! Tables: one line for each row, a tab between cells.

use std::rc::Rc;

use super::block::is_caption;
use super::inline::best_alternative;
use super::requirement::RequirementTable;
use super::{Gap, Writer};
use crate::xml::names::Name;
use crate::xml::tree::Node;
use norma_provisions::blocks::BlockKind;

/// The columns of a group of rows, which cells may span.
#[derive(Default)]
struct Columns {
    /// For each column, how many more rows a cell from above fills.
    filled: Vec<usize>,
    /// The next column, and how many of those before it the last cell left empty.
    column: usize,
    empty: usize,
}

impl Columns {
    fn begin_row(&mut self) {
        (self.column, self.empty) = (0, 0);
    }

    /// How many columns are empty before this cell: other cells fill them.
    fn next(&mut self, cell: Node<'_>) -> usize {
        /// Tables have fewer columns; a larger number is an error of the source.
        const MAX_COLUMNS: usize = 100;
        let number = |name| cell.attr(name).and_then(|value| value.trim().parse::<usize>().ok());
        let mut empty = std::mem::take(&mut self.empty);
        while let Some(rows) = self.filled.get_mut(self.column).filter(|rows| **rows > 0) {
            *rows -= 1;
            self.column += 1;
            empty += 1;
        }
        let columns = number("colspan").unwrap_or(1).clamp(1, MAX_COLUMNS);
        let rows = number("rowspan").unwrap_or(1).max(1) - 1;
        let rows = number("morerows").unwrap_or(rows);
        let end = (self.column + columns).min(MAX_COLUMNS);
        if self.column < end {
            self.filled.resize(self.filled.len().max(end), 0);
            self.filled[self.column..end].fill(rows);
            self.empty = end - self.column - 1;
            self.column = end;
        }
        empty
    }
}

impl<'t> Writer<'_, 't> {
    /// Writes a table with its caption before it and its foot after it, or an array.
    pub(super) fn table(&mut self, node: Node<'t>) {
        self.separate_blocks();
        self.flush_label();
        let index = self.document.and_then(|document| document.tables.get(&node.id()));
        let index = index.map(|(index, _)| *index).or(self.context.table);
        let requirement =
            self.context.authored.is_none().then(|| RequirementTable::recognize(node)).flatten();
        let requirement = requirement.map(Rc::new).or(self.context.requirement.clone());
        self.in_context(
            |context| {
                context.table = index;
                context.requirement = requirement;
                context.paragraph = false;
            },
            |w| match node.name() {
                Name::TableWrap | Name::Array => {
                    w.captioned(node);
                    node.children().filter(|c| !is_caption(node, *c)).for_each(|c| w.table_part(c));
                }
                _ => w.rows(node, false),
            },
        );
        self.separate_blocks();
        self.previous = None;
    }

    fn table_part(&mut self, node: Node<'t>) {
        match node.name() {
            Name::Table | Name::Tgroup => {
                self.rows(node, false);
                self.separate_blocks();
            }
            Name::Alternatives => {
                if let Some(best) = best_alternative(node) {
                    self.table_part(best);
                }
            }
            _ => self.node(node),
        }
    }

    fn rows(&mut self, node: Node<'t>, head: bool) {
        let mut columns = Columns::default();
        for child in node.children() {
            match child.name() {
                Name::Tr | Name::Row => self.row(child, head, &mut columns),
                Name::Thead => self.rows(child, true),
                Name::Tbody | Name::Tfoot | Name::Tgroup => self.rows(child, head),
                Name::Col | Name::Colgroup | Name::Colspec => {}
                Name::Caption => self.node(child),
                _ => self.node(child),
            }
        }
    }

    fn row(&mut self, row: Node<'t>, head: bool, columns: &mut Columns) {
        let nested = self.context.cell;
        self.end_block(Gap::Line);
        self.flush_gap();
        let start = self.out.len();
        let requirement = self.context.requirement.clone();
        let holds = requirement.as_ref().map(|r| r.row(row));
        let filled =
            requirement.as_ref().map_or(0, |_| row.elements().filter(|cell| !cell.is_blank()).count());
        let mut cells = 0;
        columns.begin_row();
        for cell in row.children() {
            if !matches!(cell.name(), Name::Td | Name::Th | Name::Entry) {
                // Words between cells belong to none.
                self.node(cell);
                continue;
            }
            let empty = columns.next(cell);
            if cells > 0 || !nested && empty > 0 {
                self.close();
                self.gap = Gap::Nothing;
                let tabs = usize::from(cells > 0) + empty;
                self.out.extend(std::iter::repeat_n(
                    if nested { ' ' } else { '\t' },
                    if nested { 1 } else { tabs },
                ));
            }
            cells += 1;
            self.at = cell.range().start;
            let requirement_row = requirement.as_deref().zip(holds.as_ref());
            self.cell(cell, head || cell.name() == Name::Th, |w| {
                if let Some((requirement, holds)) = requirement_row {
                    w.set_requirement_context(requirement, holds, head || cells == 1 && filled > 1, cell);
                }
            });
        }
        self.close();
        self.gap = Gap::Nothing;
        let end = self.out.trim_end_matches(['\t', ' ']).len().max(start);
        self.out.truncate(end);
        if end > start {
            self.end_block(Gap::Line);
        } else if self.out.ends_with('\n') {
            // A row of empty cells leaves no line.
            let length = self.out.trim_end_matches('\n').len();
            self.gap = if self.out.len() > length + 1 { Gap::Blank } else { Gap::Line };
            self.out.truncate(length);
        }
    }

    fn cell(&mut self, cell: Node<'t>, head: bool, change: impl FnOnce(&mut Self)) {
        let kind = match self.context.kind {
            BlockKind::Paragraph | BlockKind::ListItem if head => BlockKind::TableHeader,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::TableCell,
            kind => kind,
        };
        let id = cell.xml_id();
        self.write_element(cell, |w| {
            w.in_context(
                |context| {
                    context.kind = kind;
                    context.cell = true;
                    context.item = None;
                    context.paragraph = true;
                    context.element = id.or(context.element);
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
