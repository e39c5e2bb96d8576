//! Written tables: the positions of a table's cells, notes and footnotes in the text of its section.

use std::ops::Range;

use super::TextWriter;
use super::grid::GridCell;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::SpanKind;

/// The written text of a table.
#[derive(Default)]
pub(crate) struct WrittenTable<'t> {
    /// The language that the source states for it.
    pub language: Option<&'t str>,
    /// The block directly before it, by bytes of the section's text.
    pub before: Option<Range<usize>>,
    pub rows: Vec<WrittenRow>,
    /// Texts of the table outside of cells, by bytes of the section's text, with its footnotes.
    pub notes: Vec<Range<usize>>,
    pub footnotes: Vec<WrittenFootnote>,
}

/// A row in the order of the table.
pub(crate) struct WrittenRow {
    /// True in the head of the table.
    pub in_head: bool,
    pub cells: Vec<WrittenCell>,
}

/// A cell of a row.
pub(crate) struct WrittenCell {
    /// Bytes of the section's text.
    pub text: Range<usize>,
    pub column: usize,
    pub columns: usize,
    pub rows: usize,
    /// True where the source marks the cell as a head of its column or row.
    pub is_head: bool,
    /// True for the head of a row (HTML, 4.9.11).
    pub is_row_head: bool,
    /// True where all words are bold, as converters write heads.
    pub is_bold: bool,
    /// Marks of footnotes, by bytes of the section's text.
    pub marks: Vec<Range<usize>>,
    /// Bytes of the source.
    pub source: Range<usize>,
}

/// A footnote of a table.
pub(crate) struct WrittenFootnote {
    /// The mark as written; `None` if the footnote continues the one before.
    pub mark: Option<String>,
    /// Bytes of the section's text, the mark among them.
    pub text: Range<usize>,
}

impl<'t> TextWriter<'_, 't> {
    /// The cell that was written from a byte of the text and from a block on.
    pub(super) fn written_cell(&self, cell: &GridCell<'t>, start: usize, block: usize) -> WrittenCell {
        let mut marks = Vec::new();
        for block in self.block_list.blocks.iter().skip(block) {
            for span in &block.spans {
                if matches!(span.kind, SpanKind::FootnoteMark { .. }) {
                    marks.push(span.range.clone());
                }
            }
        }
        let scope = cell.node.attr("scope");
        WrittenCell {
            text: self.trimmed_from(start),
            column: cell.column,
            columns: cell.columns,
            rows: cell.rows,
            is_head: cell.head || scope.is_some(),
            is_row_head: scope.is_some_and(|scope| scope.trim().starts_with("row")),
            is_bold: is_bold(cell.node),
            marks,
            source: cell.node.range(),
        }
    }

    /// Records a text of the table outside of cells, which was written from a byte on.
    pub(super) fn add_table_note(&mut self, start: usize) {
        let text = self.trimmed_from(start);
        if let Some(table) = self.context.grid
            && !text.is_empty()
        {
            self.block_list.tables.entry(table).or_default().notes.push(text);
        }
    }

    /// Records a footnote that was written from a byte on; nothing for a footnote outside of tables.
    pub(super) fn add_table_footnote(&mut self, table: Option<usize>, start: usize, mark: Option<String>) {
        let text = self.trimmed_from(start);
        if let Some(table) = table
            && !text.is_empty()
        {
            let footnote = WrittenFootnote { mark, text };
            self.block_list.tables.entry(table).or_default().footnotes.push(footnote);
        }
    }

    /// The text written from a byte on, without white space around it.
    fn trimmed_from(&self, start: usize) -> Range<usize> {
        let written = &self.out[start.min(self.out.len())..];
        let start = self.out.len() - written.trim_start().len();
        start..start + written.trim().len()
    }
}

/// True if all words of a node are bold, and it has some.
fn is_bold(node: XmlNode<'_>) -> bool {
    let mut has_words = false;
    for text in node.descendants() {
        if text.name() != Name::Text || text.characters().trim().is_empty() {
            continue;
        }
        has_words = true;
        let mut within_cell = text.ancestors().take_while(|around| *around != node);
        if !within_cell.any(|around| around.name() == Name::Bold) {
            return false;
        }
    }
    has_words
}
