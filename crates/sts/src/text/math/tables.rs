//! Tables within formulae: matrices, the lines of equations, and columns of written arithmetic.

use super::line::MathLine;
use super::{FormulaWalk, adjacent};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl FormulaWalk<'_> {
    /// A matrix, `[a, b; c, d]`, or the lines of an equation, `y = a + b; = c`: those that no fence encloses
    /// and whose cells are parted at a relation, or of which a line is labelled. The label of a row is not an
    /// element.
    pub(super) fn table_text(&self, table: XmlNode<'_>) -> String {
        let relates = |c: char| "=≠≈≃≅≡∼∝<>≤≥≪≫⩽⩾→⇒⇔≔≝".contains(c);
        let labelled = |row: &XmlNode<'_>| row.name() == Name::Mlabeledtr;
        let is_aligned = |row: XmlNode<'_>| {
            let cells = cells(row);
            cells.len() > 1
                && cells
                    .into_iter()
                    .map(|cell| self.text_of(cell))
                    .any(|c| c.starts_with(relates) || c.ends_with(relates))
        };
        let is_matrix = has_fence(table) || !table.elements().any(|row| labelled(&row) || is_aligned(row));
        let row = |row: XmlNode<'_>| {
            let cells = cells(row);
            let mut text = match is_matrix {
                true => cells.into_iter().map(|cell| self.text_of(cell)).collect::<Vec<_>>().join(", "),
                false => {
                    let mut line = MathLine::default();
                    cells.into_iter().for_each(|cell| self.row(&mut line, cell));
                    line.finish().text
                }
            };
            if let Some(relation) = text.chars().next().filter(|c| !is_matrix && relates(*c)) {
                text = format!("{relation} {}", text[relation.len_utf8()..].trim_start());
            }
            match row.elements().next().filter(|_| labelled(&row)).map(|label| self.text_of(label)) {
                Some(label) if label.starts_with('(') => format!("{text} {label}"),
                Some(label) if !label.is_empty() => format!("{text} ({label})"),
                _ => text,
            }
        };
        let rows = table.elements().map(row).collect::<Vec<_>>().join("; ");
        if is_matrix { format!("[{rows}]") } else { rows }
    }

    /// Written arithmetic (MathML 3, 3.6) in one line: `424 + 33 = 457`. Where the line under the rows of an
    /// operation is not followed by its result alone, rows are parted by semicolons. Carries are left out.
    pub(super) fn column_text(&self, column: XmlNode<'_>) -> String {
        let mut rows: Vec<String> = Vec::new();
        // The number of rows above the first line.
        let mut above = None;
        let mut lines = 0;
        for row in column_rows(column) {
            match row.name() {
                Name::Msline => {
                    lines += 1;
                    above = above.or(Some(rows.len()));
                }
                Name::Mscarries => {}
                _ => rows.push(self.text_of(row)),
            }
        }
        if column.name() == Name::Mlongdiv && rows.len() >= 3 {
            let (divisor, quotient, dividend) = (rows.remove(0), rows.remove(0), rows.remove(0));
            rows.splice(0..0, [format!("{dividend} ÷ {divisor}"), quotient]);
            return rows.join("; ");
        }
        let mut text = String::new();
        let begins_with_operator = |row: &str| row.starts_with(['+', '−', '-', '×', '÷', '±']);
        let operation = rows.iter().skip(1).any(|row| begins_with_operator(row));
        let has_result = operation && lines == 1 && above.is_some_and(|above| above + 1 == rows.len());
        for (index, row) in rows.iter().enumerate() {
            let operator = row.chars().next().filter(|_| index > 0 && begins_with_operator(row));
            match operator {
                Some(operator) => {
                    text += &format!(" {operator} {}", row[operator.len_utf8()..].trim_start());
                }
                None if index == 0 => text += row,
                None if has_result && index + 1 == rows.len() => text += &format!(" = {row}"),
                None => text += &format!("; {row}"),
            }
        }
        text
    }
}

/// The rows of written arithmetic, also those in groups.
fn column_rows<'t>(column: XmlNode<'t>) -> Vec<XmlNode<'t>> {
    let mut rows = Vec::new();
    for row in column.elements() {
        match row.name() {
            Name::Msgroup => rows.extend(column_rows(row)),
            _ => rows.push(row),
        }
    }
    rows
}

/// The cells of a row without its label.
fn cells<'t>(row: XmlNode<'t>) -> Vec<XmlNode<'t>> {
    row.elements().skip(usize::from(row.name() == Name::Mlabeledtr)).collect()
}

/// Whether a fence is directly before or after a node.
fn has_fence(node: XmlNode<'_>) -> bool {
    let is_fence = |n: Option<XmlNode<'_>>| {
        n.filter(|n| n.name() == Name::Mo)
            .and_then(XmlNode::normalized_text)
            .is_some_and(|sign| "()[]{}|‖∥⌊⌋⌈⌉⟨⟩".contains(sign.as_str()))
    };
    let (before, after) = adjacent(node);
    is_fence(before) || is_fence(after) || node.parent().is_some_and(|p| p.name() == Name::Mfenced)
}
