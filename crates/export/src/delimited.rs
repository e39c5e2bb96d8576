//! A sheet as CSV (RFC 4180).

use std::borrow::Cow;

use crate::sheet::{Sheet, SheetCell};

/// The bytes of a sheet.
pub(crate) fn write(sheet: &Sheet<'_>) -> csv::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(sheet.columns.iter().map(|(head, _)| &**head))?;
    for row in &sheet.rows {
        for cell in &row.cells {
            match cell {
                SheetCell::Text(text) => writer.write_field(&*without_formula(text))?,
                SheetCell::Number(number) => writer.write_field(number.to_string())?,
            }
        }
        // An empty record ends the row.
        writer.write_record(None::<&[u8]>)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A text, behind an apostrophe where a spreadsheet would take it for a formula (CWE-1236). So is one that
/// begins with apostrophes and would be taken for one without them: a reader removes one from both.
fn without_formula(text: &str) -> Cow<'_, str> {
    let without_apostrophes = text.trim_start_matches('\'');
    if without_apostrophes.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_take_for_a_formula_begins_with_one_more_apostrophe() {
        for text in ["=1+1", "+1", "-", "@x", "\t=1", "\r", "'=1", "''-1"] {
            assert_eq!(without_formula(text), format!("'{text}"));
        }
        for text in ["", "'", "'t Hooft", "1=1", " =1", "−3"] {
            assert_eq!(without_formula(text), text);
        }
    }
}
