//! Blocks as reStructuredText in which each character of the standard is itself (docutils, *reStructuredText
//! Markup Specification*, Escaping Mechanism).

use crate::lines::LineBlock;

/// Writes blocks with an empty line between them.
pub(crate) fn write(blocks: &[LineBlock]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for block in blocks {
        match block {
            LineBlock::Paragraph(text) => parts.push(line(text)),
            LineBlock::Code(code) => parts.push(literal(code)),
            LineBlock::Table { rows, heads } => parts.push(table(rows, *heads)),
            LineBlock::Picture { words, .. } => parts.push(line(&format!("[{words}]"))),
        }
    }
    parts.join("\n\n")
}

/// Code as a block of lines, in which a backslash holds for the character behind it alone.
fn literal(code: &str) -> String {
    let mut lines = Vec::new();
    for one in code.trim_end().split('\n') {
        let blanks = one.len() - one.trim_start().len();
        // A line block keeps the white space before its words.
        lines.push(format!("| {}{}", " ".repeat(blanks), line(one.trim())).trim_end().to_owned());
    }
    lines.join("\n")
}

fn table(rows: &[Vec<String>], heads: usize) -> String {
    let mut lines = vec![".. list-table::".to_owned()];
    if heads > 0 {
        lines.push(format!("   :header-rows: {heads}"));
    }
    lines.push(String::new());
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let mark = if column == 0 { "* -" } else { "  -" };
            lines.push(format!("   {mark} {}", line(cell)).trim_end().to_owned());
        }
    }
    lines.join("\n")
}

/// A text as one line whose characters say nothing but themselves.
pub(crate) fn line(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // These make neither markup nor, with the others escaped, the beginning of a block.
            ',' | ';' | '/' | '%' => escaped.push(c),
            '\n' | '\r' | '\t' => escaped.push(' '),
            c if c.is_ascii_punctuation() => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_is_markup() {
        assert_eq!(line(".. raw:: html"), "\\.\\. raw\\:\\: html");
        assert_eq!(line("*a* `b` |c| d_ [1]_"), "\\*a\\* \\`b\\` \\|c\\| d\\_ \\[1\\]\\_");
        assert_eq!(line("a) x, 5 % y"), "a\\) x, 5 % y");
    }

    #[test]
    fn a_table_is_a_list_of_rows() {
        let rows = vec![vec!["a".to_owned(), "b".to_owned()], vec!["".to_owned(), "c".to_owned()]];
        let written = write(&[LineBlock::Table { rows, heads: 1 }]);
        let lines =
            [".. list-table::", "   :header-rows: 1", "", "   * - a", "     - b", "   * -", "     - c"];
        assert_eq!(written, lines.join("\n"));
    }
}
