//! Blocks of the text, in the form in which an edition stores them.

use std::rc::Rc;

use norma_model::{TextBlock, TextBlockKind};
use norma_provisions::blocks::{Block, BlockKind};

use crate::xml::position::offset32;

/// The blocks of an edition. The second paragraph of an item continues the item.
pub(crate) fn text_blocks(blocks: &[Block<'_>]) -> Vec<TextBlock> {
    let mut text_blocks = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &blocks[before]);
        text_blocks.push(TextBlock {
            section: offset32(block.section),
            kind: kind_of(block, before),
            start: offset32(block.range.start),
            end: offset32(block.range.end),
            table: block.table,
        });
    }
    text_blocks
}

/// The kind of a block after the block `before`.
fn kind_of(block: &Block<'_>, before: Option<&Block<'_>>) -> TextBlockKind {
    match block.kind {
        BlockKind::Paragraph | BlockKind::Amendment if block.continues.is_some() => {
            TextBlockKind::Continuation
        }
        BlockKind::Paragraph | BlockKind::Amendment => TextBlockKind::Paragraph,
        BlockKind::ListItem => {
            let Some(item) = &block.item else { return TextBlockKind::Item(1) };
            let item_before = before.and_then(|before| before.item.as_ref());
            if item_before.is_some_and(|other| Rc::ptr_eq(item, other)) {
                return TextBlockKind::Continuation;
            }
            TextBlockKind::Item(item.depth)
        }
        BlockKind::TableCell => TextBlockKind::Cell,
        BlockKind::Footnote | BlockKind::TableFootnote => TextBlockKind::Footnote,
        BlockKind::Note | BlockKind::NoteToEntry => TextBlockKind::Note,
        BlockKind::Example => TextBlockKind::Example,
        BlockKind::Title => TextBlockKind::Title,
        BlockKind::Caption => TextBlockKind::Caption,
        BlockKind::Definition => TextBlockKind::Definition,
        BlockKind::Instruction
        | BlockKind::DefinitionListEntry
        | BlockKind::TableHeader
        | BlockKind::Warning
        | BlockKind::FigureKey
        | BlockKind::TermSource
        | BlockKind::Quote
        | BlockKind::Dependency
        | BlockKind::Code
        | BlockKind::Other => TextBlockKind::Other,
    }
}
