//! Tables within formulae: matrices, the lines of equations, and columns of written arithmetic.

use super::line::MathLine;
use super::{FormulaWalk, adjacent};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Signs before an operand of written arithmetic.
const OPERATORS: [char; 6] = ['+', '−', '-', '×', '÷', '±'];

impl FormulaWalk<'_> {
    /// A matrix, `[a, b; c, d]`, or the lines of an equation, `y = a + b; = c`: those that no fence encloses
    /// and whose cells are parted at a relation, or of which a line is labelled. The label of a row is not an
    /// element.
    pub(super) fn table_text(&self, table: XmlNode<'_>) -> String {
        let is_equation = !has_fence(table) && table.elements().any(|row| self.is_line_of_equation(row));
        let mut rows = Vec::new();
        for row in table.elements() {
            let text = if is_equation { self.equation_line(row) } else { self.matrix_row(row) };
            rows.push(match self.row_label(row) {
                Some(label) if label.starts_with('(') => format!("{text} {label}"),
                Some(label) if !label.is_empty() => format!("{text} ({label})"),
                _ => text,
            });
        }
        let rows = rows.join("; ");
        if is_equation { rows } else { format!("[{rows}]") }
    }

    /// True if a row has a label, or cells that are parted at a relation.
    fn is_line_of_equation(&self, row: XmlNode<'_>) -> bool {
        if row.name() == Name::Mlabeledtr {
            return true;
        }
        let cells = cells(row);
        if cells.len() < 2 {
            return false;
        }
        for cell in cells {
            let text = self.text_of(cell);
            if text.starts_with(is_relation) || text.ends_with(is_relation) {
                return true;
            }
        }
        false
    }

    fn matrix_row(&self, row: XmlNode<'_>) -> String {
        let cells: Vec<String> = cells(row).into_iter().map(|cell| self.text_of(cell)).collect();
        cells.join(", ")
    }

    /// The cells of a line as one, with a blank after the relation that it begins with: `= c`.
    fn equation_line(&self, row: XmlNode<'_>) -> String {
        let mut line = MathLine::default();
        for cell in cells(row) {
            self.row(&mut line, cell);
        }
        let text = line.finish().text;
        match text.chars().next() {
            Some(relation) if is_relation(relation) => {
                format!("{relation} {}", text[relation.len_utf8()..].trim_start())
            }
            _ => text,
        }
    }

    /// The label of a row, which is its first child.
    fn row_label(&self, row: XmlNode<'_>) -> Option<String> {
        if row.name() != Name::Mlabeledtr {
            return None;
        }
        let label = row.elements().next()?;
        Some(self.text_of(label))
    }

    /// Written arithmetic (MathML 3, 3.6) in one line: `424 + 33 = 457`. Where the line under the rows of an
    /// operation is not followed by its result alone, rows are parted by semicolons. Carries are left out.
    pub(super) fn column_text(&self, column: XmlNode<'_>) -> String {
        let mut rows: Vec<String> = Vec::new();
        let mut rows_above_first_line = None;
        let mut lines = 0;
        for row in column_rows(column) {
            match row.name() {
                Name::Msline => {
                    lines += 1;
                    rows_above_first_line = rows_above_first_line.or(Some(rows.len()));
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
        let is_operation = rows.iter().skip(1).any(|row| row.starts_with(OPERATORS));
        let one_row_follows = rows_above_first_line.is_some_and(|above| above + 1 == rows.len());
        let has_result = is_operation && lines == 1 && one_row_follows;
        written_rows(&rows, has_result)
    }
}

/// The rows of written arithmetic in one line, with its result last where it has one.
fn written_rows(rows: &[String], has_result: bool) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let is_result = has_result && index + 1 == rows.len();
        if index == 0 {
            text += row;
        } else if let Some(operand) = row.strip_prefix(OPERATORS) {
            let operator = &row[..row.len() - operand.len()];
            text += &format!(" {operator} {}", operand.trim_start());
        } else if is_result {
            text += &format!(" = {row}");
        } else {
            text += &format!("; {row}");
        }
    }
    text
}

fn is_relation(c: char) -> bool {
    "=≠≈≃≅≡∼∝<>≤≥≪≫⩽⩾→⇒⇔≔≝".contains(c)
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

/// True if a fence is directly before or after a node.
fn has_fence(node: XmlNode<'_>) -> bool {
    if node.parent().is_some_and(|parent| parent.name() == Name::Mfenced) {
        return true;
    }
    let (before, after) = adjacent(node);
    before.is_some_and(is_fence) || after.is_some_and(is_fence)
}

fn is_fence(node: XmlNode<'_>) -> bool {
    if node.name() != Name::Mo {
        return false;
    }
    node.normalized_text().is_some_and(|sign| "()[]{}|‖∥⌊⌋⌈⌉⟨⟩".contains(sign.as_str()))
}
