//! Sheets as a workbook (ECMA-376).

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, FormatAlign, Workbook, Worksheet, XlsxError};

use crate::error::ExportError;
use crate::sheet::{MAX_CHARACTERS, Sheet, SheetCell};
use crate::xml::is_absent_from_xml;

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
    let mut fields = published.unwrap_or_default().split('-');
    let year: Option<u16> = fields.next().and_then(|year| year.parse().ok());
    let month: Option<u8> = fields.next().and_then(|month| month.parse().ok());
    let day: Option<u8> = fields.next().and_then(|day| day.parse().ok());
    match year {
        Some(year @ 1900..=9999) => ExcelDateTime::from_ymd(year, month.unwrap_or(1), day.unwrap_or(1)),
        _ => ExcelDateTime::from_ymd(1980, 1, 1),
    }
}

fn write_sheet(
    to: &mut Worksheet,
    sheet: &Sheet<'_>,
    [bold, wrapped]: [&Format; 2],
) -> Result<(), ExportError> {
    check_count("rows", MAX_ROWS, sheet.rows.len())?;
    check_count("columns", MAX_COLUMNS, sheet.columns.len())?;
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
    if !sheet.columns.is_empty() {
        let last_column = (sheet.columns.len() - 1) as u16;
        let last_row = sheet.rows.len() as u32;
        to.autofilter(0, 0, last_row, last_column)?;
    }
    Ok(())
}

fn check_count(what: &'static str, most: usize, found: usize) -> Result<(), ExportError> {
    if found > most { Err(ExportError::TooMany { what, most, found }) } else { Ok(()) }
}

/// Refuses a text that a cell cannot hold: XML 1.0 has no control characters but tab and line ends (section
/// 2.2).
fn check(id: &str, column: &str, text: &str) -> Result<(), ExportError> {
    if let Some(found) = text.chars().find(|&c| is_absent_from_xml(c)) {
        let (id, column) = (id.to_owned(), column.to_owned());
        return Err(ExportError::Character { id, column, found: found.into() });
    }
    // A character has at most as many units of UTF-16 as bytes.
    if text.len() <= MAX_CHARACTERS {
        return Ok(());
    }
    let found = text.encode_utf16().count();
    if found <= MAX_CHARACTERS {
        return Ok(());
    }
    // A head may itself be the text that is too long.
    let column = column.chars().take(100).collect();
    Err(ExportError::TooLong { id: id.to_owned(), column, found })
}
