//! A sheet before it is written: heads with widths, and rows of cells.

use std::borrow::Cow;

/// Most characters of a cell of XLSX, counted in UTF-16 (Excel's specifications and limits).
pub(crate) const MAX_CHARACTERS: usize = 32_767;

/// The note on rights of each workbook.
pub(crate) const LICENCE: &str = "The texts belong to the publishers of the standards. What you may store, copy \
                                  and pass on is a matter of your licence.";

/// A sheet of a workbook: its name and its rows.
pub(crate) struct Sheet<'a> {
    pub(crate) name: Cow<'a, str>,
    /// Heads, and widths in characters.
    pub(crate) columns: Vec<(Cow<'a, str>, u16)>,
    pub(crate) rows: Vec<SheetRow<'a>>,
}

/// A row, and what errors call it.
pub(crate) struct SheetRow<'a> {
    pub(crate) id: Cow<'a, str>,
    pub(crate) cells: Vec<SheetCell<'a>>,
}

/// A cell. No cell is a formula.
pub(crate) enum SheetCell<'a> {
    Text(Cow<'a, str>),
    /// A number, which is written as a number where the format has them.
    Number(f64),
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(name: &'a str, columns: &[(&'static str, u16)]) -> Self {
        let columns = columns.iter().map(|(head, width)| ((*head).into(), *width)).collect();
        Self { name: name.into(), columns, rows: Vec::new() }
    }

    /// Adds a row of texts.
    pub(crate) fn add(&mut self, id: &'a str, cells: impl IntoIterator<Item = Cow<'a, str>>) {
        let cells = cells.into_iter().map(SheetCell::Text).collect();
        self.rows.push(SheetRow { id: id.into(), cells });
    }
}

/// Texts with `; ` between them.
pub(crate) fn joined<'a>(texts: impl IntoIterator<Item = impl Into<Cow<'a, str>>>) -> Cow<'a, str> {
    let mut texts = texts.into_iter().map(Into::into);
    let first = texts.next().unwrap_or_default();
    texts.fold(first, |all, text| all + "; " + text)
}

/// A text that may be absent.
pub(crate) fn or_empty<'a>(text: &'a Option<Cow<'_, str>>) -> Cow<'a, str> {
    text.as_deref().unwrap_or_default().into()
}

/// A provision's text with the lead-in that it completes.
pub(crate) fn whole<'a>(lead_in: Option<&str>, text: &'a str) -> Cow<'a, str> {
    match lead_in {
        Some(lead_in) => format!("{lead_in} {text}").into(),
        None => text.into(),
    }
}
