//! Sheets as a workbook (ECMA-376).

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};

use crate::error::ExportError;
use crate::sheet::{MAX_CHARACTERS, Sheet, SheetCell};

/// Most rows below the head, and most columns (Excel's specifications and limits).
const MAX_ROWS: usize = 1_048_575;
const MAX_COLUMNS: usize = 16_384;

impl From<XlsxError> for ExportError {
    fn from(error: XlsxError) -> Self {
        Self::Workbook(error.to_string())
    }
}

/// The bytes of a workbook whose documents were published at this date (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`).
pub(crate) fn write(sheets: &[Sheet<'_>], published: Option<&str>) -> Result<Vec<u8>, ExportError> {
    let mut workbook = Workbook::new();
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&date(published)?));
    let bold = Format::new().set_bold().set_align(FormatAlign::Top);
    let wrapped = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    for sheet in sheets {
        write_sheet(workbook.add_worksheet(), sheet, [&bold, &wrapped])?;
    }
    Ok(workbook.save_to_buffer()?)
}

/// The date of a workbook, which says nothing of the time at which it was made: that of publication, else the
/// first one that ZIP can hold.
fn date(published: Option<&str>) -> Result<ExcelDateTime, XlsxError> {
    let mut numbers = published.into_iter().flat_map(|date| date.split('-')).map(str::parse::<u16>);
    let mut next = || numbers.next().and_then(Result::ok);
    match (next(), next(), next()) {
        (Some(year @ 1900..=9999), month, day) => {
            let part = |number: Option<u16>| number.and_then(|number| u8::try_from(number).ok()).unwrap_or(1);
            ExcelDateTime::from_ymd(year, part(month), part(day))
        }
        _ => ExcelDateTime::from_ymd(1980, 1, 1),
    }
}

fn write_sheet(
    to: &mut Worksheet,
    sheet: &Sheet<'_>,
    [bold, wrapped]: [&Format; 2],
) -> Result<(), ExportError> {
    for (what, most, found) in
        [("rows", MAX_ROWS, sheet.rows.len()), ("columns", MAX_COLUMNS, sheet.columns.len())]
    {
        if found > most {
            return Err(ExportError::TooMany { what, most, found });
        }
    }
    to.set_name(&*sheet.name)?;
    for (column, (head, width)) in (0..).zip(&sheet.columns) {
        check(&sheet.name, head, head)?;
        to.write_string_with_format(0, column, &**head, bold)?;
        to.set_column_width(column, *width)?;
    }
    for (number, row) in (1..).zip(&sheet.rows) {
        for ((column, cell), (head, _)) in (0..).zip(&row.cells).zip(&sheet.columns) {
            match cell {
                SheetCell::Text(text) if text.is_empty() => {}
                SheetCell::Text(text) => {
                    check(&row.id, head, text)?;
                    to.write_string_with_format(number, column, &**text, wrapped)?;
                }
                SheetCell::Number(value) => {
                    to.write_number_with_format(number, column, *value, wrapped)?;
                }
            }
        }
    }
    to.set_freeze_panes(1, 0)?;
    if let Some(last) = u16::try_from(sheet.columns.len()).ok().and_then(|columns| columns.checked_sub(1)) {
        to.autofilter(0, 0, u32::try_from(sheet.rows.len()).unwrap_or(u32::MAX), last)?;
    }
    Ok(())
}

/// Whether a cell can hold a text: XML 1.0 has no control characters but tab and line ends (section 2.2).
fn check(id: &str, column: &str, text: &str) -> Result<(), ExportError> {
    let (id, column) = (id.to_owned(), column.to_owned());
    let is_absent =
        |c: &char| matches!(*c, '\0'..'\t' | '\x0B' | '\x0C' | '\x0E'..' ' | '\u{FFFE}' | '\u{FFFF}');
    if let Some(found) = text.chars().find(is_absent) {
        return Err(ExportError::Character { id, column, found: found.into() });
    }
    // A character has at most as many units of UTF-16 as bytes.
    let found = if text.len() > MAX_CHARACTERS { text.encode_utf16().count() } else { 0 };
    if found > MAX_CHARACTERS {
        return Err(ExportError::TooLong { id, column: column.chars().take(100).collect(), found });
    }
    Ok(())
}
