//! The content of an object as lines, for formats whose texts are Markdown or reStructuredText.

use crate::html::{HtmlElement, HtmlNode, collapsed, text_of};
use crate::xhtml::{add_rows, is_cell, verbatim};

/// Most columns of a table whose spans are repeated in each cell that they fill.
const MAX_COLUMNS: usize = 1000;

/// A block of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineBlock {
    /// Words in one line.
    Paragraph(String),
    /// Lines whose white space counts.
    Code(String),
    /// Rows with the same number of cells, the heads of the columns first.
    Table { rows: Vec<Vec<String>>, heads: usize },
    /// The picture of a graphic, with its words.
    Picture { graphic: String, words: String },
}

/// The blocks of nodes.
pub(crate) fn blocks(nodes: &[HtmlNode]) -> Vec<LineBlock> {
    let mut blocks = Vec::new();
    add_blocks(nodes, &mut blocks);
    blocks
}

fn add_blocks(nodes: &[HtmlNode], blocks: &mut Vec<LineBlock>) {
    let mut line: Vec<HtmlNode> = Vec::new();
    for node in nodes {
        match node {
            HtmlNode::Element(element) if element.is_block() => {
                // The label of an item is in the line of its first words.
                let takes_label = element.name == "p" && is_label(&line);
                if takes_label {
                    let mut labelled = std::mem::take(&mut line);
                    labelled.push(HtmlNode::Text(" ".to_owned()));
                    labelled.extend(element.children.iter().cloned());
                    add_line(&labelled, blocks);
                } else {
                    add_line(&std::mem::take(&mut line), blocks);
                    add_block(element, blocks);
                }
            }
            _ => line.push(node.clone()),
        }
    }
    add_line(&line, blocks);
}

/// True if nodes are the label of an item, and white space.
fn is_label(nodes: &[HtmlNode]) -> bool {
    let mut has_label = false;
    for node in nodes {
        match node {
            HtmlNode::Element(element) if element.kind() == "label" => has_label = true,
            HtmlNode::Element(_) => return false,
            HtmlNode::Text(text) if text.trim().is_empty() => {}
            HtmlNode::Text(_) => return false,
        }
    }
    has_label
}

fn add_block(element: &HtmlElement, blocks: &mut Vec<LineBlock>) {
    match &*element.name {
        "pre" => {
            let code = verbatim(&element.children);
            if !code.trim().is_empty() {
                blocks.push(LineBlock::Code(code));
            }
        }
        "table" => add_table(element, blocks),
        _ => add_blocks(&element.children, blocks),
    }
}

/// Adds words as a paragraph, and the pictures among them after it.
fn add_line(nodes: &[HtmlNode], blocks: &mut Vec<LineBlock>) {
    let text = text_of(nodes);
    if !text.is_empty() {
        blocks.push(LineBlock::Paragraph(text));
    }
    add_pictures(nodes, blocks);
}

fn add_pictures(nodes: &[HtmlNode], blocks: &mut Vec<LineBlock>) {
    for element in nodes.iter().filter_map(HtmlNode::element) {
        if let Some(graphic) = element.attribute("data-graphic") {
            let words = element.attribute("alt").or(element.attribute("aria-label")).unwrap_or(graphic);
            blocks.push(LineBlock::Picture { graphic: graphic.to_owned(), words: collapsed(words) });
        }
        add_pictures(&element.children, blocks);
    }
}

/// Adds a table, in which a cell that fills several columns or rows is in each of them.
fn add_table(element: &HtmlElement, blocks: &mut Vec<LineBlock>) {
    let mut heads = Vec::new();
    let mut body = Vec::new();
    add_rows(element, false, &mut heads, &mut body);
    let head_count = heads.len();
    heads.extend(body);
    let mut rows: Vec<Vec<String>> = Vec::new();
    // For each column the text that fills it from above, and in how many further rows.
    let mut open: Vec<(String, usize)> = Vec::new();
    for row in heads {
        let mut cells = Vec::new();
        for cell in row.elements().filter(|cell| is_cell(cell)) {
            fill_from_above(&mut cells, &mut open);
            let text = text_of(&cell.children);
            let span = |name| cell.attribute(name).and_then(|value| value.parse::<usize>().ok()).unwrap_or(1);
            for _ in 0..span("colspan").clamp(1, MAX_COLUMNS) {
                if open.len() <= cells.len() {
                    open.resize(cells.len() + 1, (String::new(), 0));
                }
                open[cells.len()] = (text.clone(), span("rowspan").saturating_sub(1));
                cells.push(text.clone());
            }
        }
        fill_from_above(&mut cells, &mut open);
        rows.push(cells);
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns == 0 {
        return;
    }
    for row in &mut rows {
        row.resize(columns, String::new());
    }
    blocks.push(LineBlock::Table { rows, heads: head_count });
    let mut pictures = Vec::new();
    add_pictures(&element.children, &mut pictures);
    blocks.append(&mut pictures);
}

/// Adds the cells that texts from rows above fill at this column.
fn fill_from_above(cells: &mut Vec<String>, open: &mut [(String, usize)]) {
    while let Some((text, rows)) = open.get_mut(cells.len())
        && *rows > 0
    {
        *rows -= 1;
        cells.push(text.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::read;

    #[test]
    fn a_cell_that_fills_rows_and_columns_is_in_each_of_them() {
        let html = "<table><thead><tr><th colspan=\"2\">a</th></tr></thead><tbody><tr><td rowspan=\"2\">b</td>\
                    <td>c</td></tr><tr><td>d</td></tr></tbody></table>";
        let [LineBlock::Table { rows, heads }] = &*blocks(&read(html).unwrap()) else { panic!("no table") };
        assert_eq!(*heads, 1);
        assert_eq!(rows, &[["a", "a"], ["b", "c"], ["b", "d"]]);
    }

    #[test]
    fn the_label_of_an_item_is_in_its_first_line() {
        let html =
            "<ul><li><span data-type=\"label\">a)</span> <p>one</p><p>two</p></li></ul><pre>x\n y</pre>";
        let read = blocks(&read(html).unwrap());
        let paragraph = |text: &str| LineBlock::Paragraph(text.to_owned());
        assert_eq!(read, [paragraph("a) one"), paragraph("two"), LineBlock::Code("x\n y".to_owned())]);
    }
}
