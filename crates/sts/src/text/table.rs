//! Tables: one line for each row, a tab between cells.

use std::rc::Rc;

use super::block::is_caption;
use super::inline::best_alternative;
use super::requirement::Requirement;
use super::{Gap, Writer};
use crate::blocks::BlockKind;
use crate::names::Name;
use crate::tree::Node;

impl<'t> Writer<'_, 't> {
    /// Writes a table with its caption before it and its foot after it, or an array.
    pub(super) fn table(&mut self, node: Node<'t>) {
        self.part_blocks();
        self.flush_label();
        let index = self.book.tables.get(&node.id()).map(|(index, _)| *index).or(self.place.table);
        let requirement = self.place.authored.is_none().then(|| Requirement::of(node)).flatten();
        let requirement = requirement.map(Rc::new).or(self.place.requirement.clone());
        self.within(
            |place| {
                place.table = index;
                place.requirement = requirement;
                place.paragraph = false;
            },
            |w| match node.name() {
                Name::TableWrap | Name::Array => {
                    w.captioned(node);
                    node.children().filter(|c| !is_caption(node, *c)).for_each(|c| w.table_part(c));
                }
                _ => w.rows(node, false),
            },
        );
        self.part_blocks();
        self.previous = None;
    }

    fn table_part(&mut self, node: Node<'t>) {
        match node.name() {
            Name::Table | Name::Tgroup => {
                self.rows(node, false);
                self.part_blocks();
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
        for child in node.children() {
            match child.name() {
                Name::Tr | Name::Row => self.row(child, head),
                Name::Thead => self.rows(child, true),
                Name::Tbody | Name::Tfoot | Name::Tgroup => self.rows(child, head),
                Name::Col | Name::Colgroup | Name::Colspec => {}
                Name::Caption => self.node(child),
                _ => self.node(child),
            }
        }
    }

    fn row(&mut self, row: Node<'t>, head: bool) {
        let nested = self.place.cell;
        self.part(Gap::Line);
        self.flush_gap();
        let start = self.out.len();
        let requirement = self.place.requirement.clone();
        let holds = requirement.as_ref().map(|r| r.row(row));
        let filled = row.elements().filter(|cell| !cell.is_blank()).count();
        let mut cells = 0;
        for cell in row.children() {
            if !matches!(cell.name(), Name::Td | Name::Th | Name::Entry) {
                // Words between cells belong to none.
                self.node(cell);
                continue;
            }
            if cells > 0 {
                self.close();
                self.gap = Gap::Nothing;
                self.out.push(if nested { ' ' } else { '\t' });
            }
            cells += 1;
            self.at = cell.range().start;
            let placed = requirement.as_deref().zip(holds.as_ref());
            self.cell(cell, head || cell.name() == Name::Th, |w| {
                if let Some((requirement, holds)) = placed {
                    w.place_in_requirement(requirement, holds, head || cells == 1 && filled > 1, cell);
                }
            });
        }
        self.close();
        self.gap = Gap::Nothing;
        let end = self.out.trim_end_matches(['\t', ' ']).len().max(start);
        self.out.truncate(end);
        if end > start {
            self.part(Gap::Line);
        } else if self.out.ends_with('\n') {
            // A row of empty cells leaves no line.
            let kept = self.out.trim_end_matches('\n').len();
            self.gap = if self.out.len() > kept + 1 { Gap::Blank } else { Gap::Line };
            self.out.truncate(kept);
        }
    }

    fn cell(&mut self, cell: Node<'t>, head: bool, place: impl FnOnce(&mut Self)) {
        let kind = match self.place.kind {
            BlockKind::Paragraph | BlockKind::ListItem if head => BlockKind::TableHeader,
            BlockKind::Paragraph | BlockKind::ListItem => BlockKind::TableCell,
            kind => kind,
        };
        let id = cell.xml_id();
        self.whole(cell, |w| {
            w.within(
                |place| {
                    place.kind = kind;
                    place.cell = true;
                    place.item = None;
                    place.paragraph = true;
                    place.element = id.or(place.element);
                },
                |w| {
                    place(w);
                    w.children(cell);
                },
            );
        });
        self.flush_label();
        self.previous = None;
    }
}
