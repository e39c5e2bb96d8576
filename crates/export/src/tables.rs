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
    let found = standards.iter().map(|standard| standard.tables.len()).sum();
    match found {
        0 => return Ok(Vec::new()),
        1..=MAX_SHEETS => {}
        _ => return Err(ExportError::TooMany { what: "tables", most: MAX_SHEETS, found }),
    }
    let mut names = SheetNames::new(&["Provisions", LIST, "About"]);
    let mut sheets = vec![Sheet::new(LIST, &COLUMNS)];
    for ExportedStandard { bibliographic, tables, .. } in standards {
        for table in tables {
            let name = if table.omitted { String::new() } else { names.name(&label(table)) };
            let group = table.group.as_ref();
            let footnotes = table.footnotes.iter().map(|footnote| match &footnote.mark {
                Some(mark) => Cow::from(format!("{mark} {}", footnote.text)),
                None => (*footnote.text).into(),
            });
            let cells = [
                name.clone().into(),
                (*table.id).into(),
                (*bibliographic.urn).into(),
                or_empty(&table.label),
                or_empty(&table.number),
                or_empty(&table.caption),
                group.map_or("".into(), |group| or_empty(&group.label)),
                group.map_or("".into(), |group| or_empty(&group.caption)),
                or_empty(&table.section.number),
                or_empty(&table.section.title),
                table.unit.as_ref().map_or("".into(), |unit| (*unit.text).into()),
                joined(table.annotations.iter().map(|text| &**text)),
                joined(footnotes),
            ];
            sheets[0].add(&table.id, cells);
            if !table.omitted {
                sheets.push(cells_of(table, name));
            }
        }
    }
    Ok(sheets)
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
    let rows: Vec<Vec<Option<&'a Cell<'_>>>> = table.grid().collect();
    let columns = (0..table.columns.len()).map(|column| (head(table, &rows, column), 20));
    let cell = |cell: &Option<&'a Cell<'_>>| match cell {
        Some(cell) => {
            plain_number(cell).map_or_else(|| SheetCell::Text((*cell.text).into()), SheetCell::Number)
        }
        None => SheetCell::Text("".into()),
    };
    let columns = columns.collect();
    let rows =
        rows.iter().map(|row| SheetRow { id: (*table.id).into(), cells: row.iter().map(cell).collect() });
    let rows = rows.collect();
    Sheet { name: name.into(), columns, rows }
}

/// The head of a column, with the unit of its cells where the caption or a sentence at the table names it.
fn head(table: &Table<'_>, rows: &[Vec<Option<&Cell<'_>>>], column: usize) -> Cow<'static, str> {
    let head = table.columns[column].heads.join(" ");
    let units = rows.iter().filter_map(|row| row[column]?.quantity.as_ref()?.unit.as_ref());
    let mut units = units.filter(|unit| unit.printed_in == Some(UnitLocation::Table));
    match units.next() {
        Some(unit) => format!("{head} [{}]", unit.text).trim_start().to_owned().into(),
        None => head.into(),
    }
}

/// The number of a cell that holds one and is printed as spreadsheets print it: `40`, `0.5`; not `0,5` or
/// `0.50`, of which the text is to stay.
fn plain_number(cell: &Cell<'_>) -> Option<f64> {
    let quantity = cell.quantity.as_ref()?;
    let is_plain = quantity.comparator == Comparator::Equal && quantity.tolerance.is_none();
    let number: f64 = cell.text.parse().ok().filter(|_| is_plain && quantity.value == cell.text)?;
    // Spreadsheets show numbers of more digits as powers of ten.
    (number.to_string() == cell.text && cell.text.len() <= 10).then_some(number)
}
