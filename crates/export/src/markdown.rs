//! Blocks as Markdown in which each character of the standard is itself (CommonMark 0.31, 2.4 and 2.5).

use crate::lines::LineBlock;

/// Writes blocks with an empty line between them. `picture` gives the address of a graphic's file.
pub(crate) fn write(blocks: &[LineBlock], picture: &dyn Fn(&str) -> Option<String>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for block in blocks {
        match block {
            LineBlock::Paragraph(text) => parts.push(line(text)),
            LineBlock::Code(code) => parts.push(indented(code)),
            LineBlock::Table { rows, heads } => parts.push(table(rows, *heads)),
            LineBlock::Picture { graphic, words } => match picture(graphic) {
                Some(address) => parts.push(format!("![{}]({address})", escaped(words))),
                None => parts.push(format!("\\[{}\\]", escaped(words))),
            },
        }
    }
    parts.join("\n\n")
}

/// Code as a block that is indented: no character of it can end it.
fn indented(code: &str) -> String {
    let mut lines = Vec::new();
    for line in code.trim_end().split('\n') {
        lines.push(format!("    {line}"));
    }
    lines.join("\n")
}

/// A table with one line of heads; further ones are rows.
fn table(rows: &[Vec<String>], heads: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let mut lines = Vec::new();
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = format!("|{}", " --- |".repeat(columns));
    let mut rest = rows;
    match rows.split_first() {
        Some((first, others)) if heads > 0 => {
            lines.push(row(first));
            rest = others;
        }
        _ => lines.push(format!("|{}", "  |".repeat(columns))),
    }
    lines.push(rule);
    for cells in rest {
        lines.push(row(cells));
    }
    lines.join("\n")
}

/// A text as one line of a paragraph: nothing at its beginning makes it another block.
pub(crate) fn line(text: &str) -> String {
    let text = escaped(text);
    let begins_block = text.starts_with(['+', '-', '=', ':']);
    if begins_block {
        return format!("\\{text}");
    }
    // A number or letters that would begin an item: `1.`, `1)`.
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 && text[digits..].starts_with(['.', ')']) {
        let (number, rest) = text.split_at(digits);
        return format!("{number}\\{rest}");
    }
    text
}

/// A text whose characters say nothing but themselves. Characters of HTML and of extensions are references,
/// since not all programs know a backslash before them.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '!' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '|' => escaped.push_str("&#124;"),
            '~' => escaped.push_str("&#126;"),
            '$' => escaped.push_str("&#36;"),
            '^' => escaped.push_str("&#94;"),
            '\n' | '\r' | '\t' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    // Programs make links of addresses without being asked.
    escaped.replace("://", "&#58;//").replace("www.", "www&#46;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_of_a_text_is_markup() {
        assert_eq!(line("a < b & *c* [d](e) | x_1"), "a &lt; b &amp; \\*c\\* \\[d\\](e) &#124; x\\_1");
        assert_eq!(line("# x"), "\\# x");
        assert_eq!(line("- x"), "\\- x");
        assert_eq!(line("1. x"), "1\\. x");
        assert_eq!(line("<script>alert(1)</script>"), "&lt;script&gt;alert(1)&lt;/script&gt;");
        assert_eq!(line("{{ insert: param, x }}"), "\\{\\{ insert: param, x \\}\\}");
    }

    #[test]
    fn a_table_has_its_heads_and_a_picture_without_file_its_words() {
        let cells = |row: [&str; 2]| row.map(str::to_owned).to_vec();
        let table = LineBlock::Table { rows: vec![cells(["a", "b"]), cells(["c|d", ""])], heads: 1 };
        let picture = LineBlock::Picture { graphic: "g".to_owned(), words: "A lid".to_owned() };
        let written = write(&[table, picture], &|_| None);
        assert_eq!(written, "| a | b |\n| --- | --- |\n| c&#124;d |  |\n\n\\[A lid\\]");
    }
}
