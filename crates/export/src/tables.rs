//! The sheets of tables: a list of them, and the cells of each.

use std::borrow::Cow;

use norma_api::shapes::{Cell, Comparator, Table, UnitLocation};

use crate::error::ExportError;
use crate::sheet::{Sheet, SheetCell, SheetRow, joined, or_empty};
use crate::sheet_names::SheetNames;
use crate::standard::ExportedStandard;

/// Most sheets of tables: programs hold all of a workbook in memory, and list its sheets in one line.
const MAX_SHEETS: usize = 1000;

/// The name of the list.
const LIST: &str = "Tables";

const COLUMNS: [(&str, u16); 13] = [
    ("sheet", 20),
    ("id", 16),
    ("urn", 30),
    ("label", 12),
    ("number", 10),
    ("caption", 50),
    ("group_label", 12),
    ("group_caption", 30),
    ("section_number", 10),
    ("section_title", 30),
    ("unit", 10),
    ("annotations", 50),
    ("footnotes", 50),
];

/// The list of tables, where there are any, and a sheet for each; one whose cells are not served is in the
/// list alone.
pub(crate) fn sheets<'a>(standards: &'a [ExportedStandard<'_>]) -> Result<Vec<Sheet<'a>>, ExportError> {
    let found: usize = standards.iter().map(|standard| standard.tables.len()).sum();
    if found == 0 {
        return Ok(Vec::new());
    }
    if found > MAX_SHEETS {
        return Err(ExportError::TooMany { what: "tables", most: MAX_SHEETS, found });
    }
    let mut names = SheetNames::new(&["Provisions", LIST, "About"]);
    let mut list = Sheet::new(LIST, &COLUMNS);
    let mut sheets_of_cells = Vec::new();
    for standard in standards {
        for table in &standard.tables {
            if table.omitted {
                list.add(&table.id, list_row(&standard.bibliographic.urn, table, ""));
                continue;
            }
            let name = names.name(&label(table));
            list.add(&table.id, list_row(&standard.bibliographic.urn, table, &name));
            sheets_of_cells.push(cells_of(table, name));
        }
    }
    let mut sheets = vec![list];
    sheets.extend(sheets_of_cells);
    Ok(sheets)
}

/// The row of a table in the list, with the name of its sheet.
fn list_row<'a>(urn: &'a str, table: &'a Table<'_>, sheet: &str) -> [Cow<'a, str>; 13] {
    let mut group_label = Cow::default();
    let mut group_caption = Cow::default();
    if let Some(group) = &table.group {
        group_label = or_empty(&group.label);
        group_caption = or_empty(&group.caption);
    }
    let unit = table.unit.as_ref().map_or("", |unit| &*unit.text);
    let mut footnotes: Vec<Cow<'a, str>> = Vec::new();
    for footnote in &table.footnotes {
        footnotes.push(match &footnote.mark {
            Some(mark) => format!("{mark} {}", footnote.text).into(),
            None => (*footnote.text).into(),
        });
    }
    [
        sheet.to_owned().into(),
        (*table.id).into(),
        urn.into(),
        or_empty(&table.label),
        or_empty(&table.number),
        or_empty(&table.caption),
        group_label,
        group_caption,
        or_empty(&table.section.number),
        or_empty(&table.section.title),
        unit.into(),
        joined(table.annotations.iter().map(|text| &**text)),
        joined(footnotes),
    ]
}

/// What a table is called: by its label, that of its group in front of it.
fn label<'a>(table: &'a Table<'_>) -> Cow<'a, str> {
    match (&table.label, &table.number, &table.group) {
        (Some(label), _, None) => (**label).into(),
        (_, Some(number), _) => format!("Table {number}").into(),
        _ => (*table.id).into(),
    }
}

/// The cells of a table below the heads of its columns, one that spans in each column and row that it fills.
fn cells_of<'a>(table: &'a Table<'_>, name: String) -> Sheet<'a> {
    let grid: Vec<Vec<Option<&'a Cell<'_>>>> = table.grid().collect();
    let mut columns = Vec::with_capacity(table.columns.len());
    for column in 0..table.columns.len() {
        columns.push((head(table, &grid, column), 20));
    }
    let mut rows = Vec::with_capacity(grid.len());
    for row in &grid {
        let cells = row.iter().copied().map(sheet_cell).collect();
        rows.push(SheetRow { id: (*table.id).into(), cells });
    }
    Sheet { name: name.into(), columns, rows }
}

fn sheet_cell<'a>(cell: Option<&'a Cell<'_>>) -> SheetCell<'a> {
    let Some(cell) = cell else { return SheetCell::Text("".into()) };
    match plain_number(cell) {
        Some(number) => SheetCell::Number(number),
        None => SheetCell::Text((*cell.text).into()),
    }
}

/// The head of a column, with the unit of its cells where the caption or a sentence at the table names it.
fn head(table: &Table<'_>, rows: &[Vec<Option<&Cell<'_>>>], column: usize) -> Cow<'static, str> {
    let head = table.columns[column].heads.join(" ");
    for row in rows {
        let quantity = row[column].and_then(|cell| cell.quantity.as_ref());
        if let Some(unit) = quantity.and_then(|quantity| quantity.unit.as_ref())
            && unit.printed_in == Some(UnitLocation::Table)
        {
            let head = format!("{head} [{}]", unit.text);
            return head.trim_start().to_owned().into();
        }
    }
    head.into()
}

/// The number of a cell that holds one and is printed as spreadsheets print it: `40`, `0.5`; not `0,5` or
/// `0.50`, of which the text is to stay.
fn plain_number(cell: &Cell<'_>) -> Option<f64> {
    let quantity = cell.quantity.as_ref()?;
    let is_plain = quantity.comparator == Comparator::Equal && quantity.tolerance.is_none();
    if !is_plain || quantity.value != cell.text {
        return None;
    }
    let number: f64 = cell.text.parse().ok()?;
    // Spreadsheets show numbers of more digits as powers of ten.
    let is_short = cell.text.len() <= 10;
    if is_short && number.to_string() == cell.text { Some(number) } else { None }
}
