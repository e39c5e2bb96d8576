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
    /// Whether it is in the head of the table.
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
    /// Whether the source marks it as a head.
    pub is_head: bool,
    /// Whether it is the head of a row (HTML, 4.9.11).
    pub is_row_head: bool,
    /// Whether all its words are bold.
    pub is_bold: bool,
    /// Marks of footnotes, by bytes of the section's text.
    pub marks: Vec<Range<usize>>,
    /// Bytes of the source.
    pub source: Range<usize>,
}

/// A footnote of a table.
pub(crate) struct WrittenFootnote {
    /// Its mark; `None` if it continues the one before.
    pub mark: Option<String>,
    /// Bytes of the section's text, the mark among them.
    pub text: Range<usize>,
}

impl<'t> TextWriter<'_, 't> {
    /// The cell that was written from a byte of the text and from a block on.
    pub(super) fn written_cell(&self, cell: &GridCell<'t>, start: usize, block: usize) -> WrittenCell {
        let blocks = self.block_list.blocks.iter().skip(block).flat_map(|block| block.spans.iter());
        let marks = blocks.filter(|span| matches!(span.kind, SpanKind::FootnoteMark));
        let is_row_head = cell.node.attr("scope").is_some_and(|scope| scope.trim().starts_with("row"));
        WrittenCell {
            text: self.trimmed_from(start),
            column: cell.column,
            columns: cell.columns,
            rows: cell.rows,
            is_head: cell.head || cell.node.attr("scope").is_some(),
            is_row_head,
            is_bold: is_bold(cell.node),
            marks: marks.map(|span| span.range.clone()).collect(),
            source: cell.node.range(),
        }
    }

    /// Records a text of the table outside of cells, which was written from a byte on.
    pub(super) fn add_table_note(&mut self, start: usize) {
        let text = self.trimmed_from(start);
        if let Some(table) = self.context.grid.filter(|_| !text.is_empty()) {
            self.block_list.tables.entry(table).or_default().notes.push(text);
        }
    }

    /// Records a footnote that was written from a byte on.
    pub(super) fn add_table_footnote(&mut self, table: Option<usize>, start: usize, mark: Option<String>) {
        let text = self.trimmed_from(start);
        if let Some(table) = table.filter(|_| !text.is_empty()) {
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

/// Whether all words of a node are bold, and it has some.
fn is_bold(node: XmlNode<'_>) -> bool {
    let words = |n: &XmlNode<'_>| n.name() == Name::Text && !n.characters().trim().is_empty();
    let within_bold =
        |n: XmlNode<'_>| n.ancestors().take_while(|a| *a != node).any(|a| a.name() == Name::Bold);
    let mut texts = node.descendants().filter(words).peekable();
    texts.peek().is_some() && texts.all(within_bold)
}
