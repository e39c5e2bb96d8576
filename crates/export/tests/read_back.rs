//! Exports of the samples, and of the corpus where it is there, read back by Rust and by Python.
//!
//! The corpus is in the folder that `NORMA_CORPUS` names, else in `../shared/corpus` next to the checkout.
//! Without a Python with openpyxl and pandas in `NORMA_VENV`, the test that needs it says so and proves
//! nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod support;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use norma_api::shapes::Provision;
use norma_export::{ExportError, ExportOptions, ExportedStandard, Format, IdColumn, export};
use serde_json::{Value, json};
use support::{editions, exported, sample};

const OPTIONS: ExportOptions<'_> =
    ExportOptions { identity: IdColumn::Provision, service: "https://norma.example" };

/// What the column of amendments has for a provision.
fn amended_by(standard: &ExportedStandard<'_>, id: &str) -> String {
    let touched = standard.bibliographic.amended_by[0].targets.iter().any(|target| *target == id);
    if touched { "NSB 4210/Amd 1 (replace)".to_owned() } else { String::new() }
}

/// A small standard, which tests change.
fn with_text(text: &str) -> Vec<ExportedStandard<'static>> {
    let edition = Box::leak(Box::new(sample()));
    let mut standard = exported(edition);
    standard.provisions.truncate(1);
    standard.provisions[0].lead_in = None;
    standard.provisions[0].text = text.to_owned().into();
    vec![standard]
}

/// The rows of provisions, by the names of the columns that texts of the source are in.
fn expected(standard: &ExportedStandard<'_>) -> Vec<BTreeMap<&'static str, String>> {
    let row = |provision: &Provision<'_>| {
        let text = provision.lead_in.iter().chain([&provision.text]).map(|text| &**text);
        let references = provision.references.iter().map(|reference| &*reference.text);
        BTreeMap::from([
            ("id", provision.id.to_string()),
            ("lineage", provision.id.replace("prv_", "lin_")),
            ("urn", standard.bibliographic.urn.to_string()),
            ("reference", standard.bibliographic.metadata.reference.to_string()),
            ("label", provision.label.to_string()),
            ("type", provision.kind.to_string()),
            ("verbal_form", provision.verbal_form.to_string()),
            ("text", text.collect::<Vec<_>>().join(" ")),
            ("section_number", provision.section.number.as_deref().unwrap_or_default().to_owned()),
            ("section_title", provision.section.title.as_deref().unwrap_or_default().to_owned()),
            ("references", references.collect::<Vec<_>>().join("; ")),
            ("normative", provision.normative.to_string()),
            ("status", "published".to_owned()),
            ("amended_by", amended_by(standard, &provision.id)),
        ])
    };
    standard.provisions.iter().map(row).collect()
}

/// Heads and rows of a sheet, as texts.
type Read = Vec<Vec<String>>;

fn csv(bytes: &[u8]) -> Read {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let unescaped = |cell: &str| match cell.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r']) => {
            rest.to_owned()
        }
        _ => cell.to_owned(),
    };
    reader.records().map(|row| row.unwrap().iter().map(unescaped).collect()).collect()
}

/// All sheets of a workbook, none of which has a formula.
fn xlsx(bytes: &[u8]) -> BTreeMap<String, Read> {
    let mut workbook: Xlsx<_> = open_workbook_from_rs(std::io::Cursor::new(bytes)).unwrap();
    let text = |cell: &Data| match cell {
        Data::Empty => String::new(),
        Data::String(text) => text.clone(),
        Data::Float(number) => number.to_string(),
        other => panic!("{other:?}"),
    };
    let names = workbook.sheet_names();
    let sheets = names.into_iter().map(|name| {
        assert!(workbook.worksheet_formula(&name).unwrap().is_empty(), "{name}");
        let range = workbook.worksheet_range(&name).unwrap();
        // From the first cell on, also where that is empty.
        let range = range.range((0, 0), range.end().unwrap_or_default());
        (name, range.rows().map(|row| row.iter().map(text).collect()).collect())
    });
    sheets.collect()
}

fn assert_provisions(read: &Read, standard: &ExportedStandard<'_>) {
    let (heads, rows) = read.split_first().unwrap();
    let rows = rows.iter().map(|row| {
        let cells = heads.iter().map(String::as_str).zip(row.iter().cloned());
        BTreeMap::from_iter(cells)
    });
    let (rows, expected) = (Vec::from_iter(rows), expected(standard));
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(&expected) {
        expected.iter().for_each(|(column, text)| assert_eq!(row[column], *text, "{column} of {expected:?}"));
    }
}

#[test]
fn every_id_and_character_is_read_back_from_csv_and_xlsx_and_two_runs_give_the_same_bytes() {
    let (mut provisions, mut tables) = (0, 0);
    for edition in &editions() {
        let standard = [exported(edition)];
        let [delimited, workbook] = [Format::Csv, Format::Xlsx].map(|format| {
            let bytes = export(&standard, format, &OPTIONS).unwrap();
            assert!(bytes == export(&standard, format, &OPTIONS).unwrap(), "{}", edition.urn);
            bytes
        });
        assert_provisions(&csv(&delimited), &standard[0]);
        let sheets = xlsx(&workbook);
        assert_provisions(&sheets["Provisions"], &standard[0]);
        assert!(sheets["About"].iter().any(|row| row[1] == OPTIONS.service));
        assert!(sheets["About"].iter().any(|row| row[1] == edition.urn.as_str()));
        let list = sheets.get("Tables").map(Vec::as_slice).unwrap_or_default();
        assert_eq!(list.len().saturating_sub(1), standard[0].tables.len());
        for (table, listed) in standard[0].tables.iter().zip(list.iter().skip(1)) {
            assert_eq!(listed[1], table.id);
            assert_eq!(listed[0].is_empty(), table.omitted);
            let Some(sheet) = sheets.get(&listed[0]) else { continue };
            for (row, cells) in sheet.iter().skip(1).zip(table.grid()) {
                // What is empty at the end of all rows is not in a sheet.
                let texts = cells.iter().map(|cell| cell.map_or("", |cell| &cell.text));
                let read = row.iter().map(String::as_str).chain(std::iter::repeat(""));
                texts
                    .zip(read)
                    .for_each(|(text, read)| assert_eq!(read, text, "{}: {}", edition.urn, table.id));
            }
            for (head, column) in sheet.first().into_iter().flatten().zip(&table.columns) {
                assert!(head.starts_with(&column.heads.join(" ")), "{head}");
            }
        }
        provisions += standard[0].provisions.len();
        tables += standard[0].tables.len();
    }
    eprintln!("{provisions} provisions and {tables} tables were read back");
}

#[test]
fn python_reads_the_same_from_both_formats() {
    let Some(venv) = std::env::var_os("NORMA_VENV").map(PathBuf::from) else {
        eprintln!("NORMA_VENV is not set: nothing is proved here");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (number, edition) in editions().iter().enumerate() {
        let standard = [exported(edition)];
        for format in [Format::Csv, Format::Xlsx] {
            let file = folder.path().join(format!("{number}.{}", format.as_str()));
            std::fs::write(file, export(&standard, format, &OPTIONS).unwrap()).unwrap();
        }
        let grids = standard[0].tables.iter().filter(|table| !table.omitted).map(|table| {
            let text = |cell: Option<&norma_api::shapes::Cell<'_>>| {
                cell.map_or(String::new(), |c| c.text.to_string())
            };
            let rows = table.grid().map(|row| row.into_iter().map(text).collect());
            json!({ "id": table.id, "rows": rows.collect::<Vec<Vec<String>>>() })
        });
        let grids: Vec<Value> = grids.collect();
        let expected = json!({ "provisions": expected(&standard[0]), "tables": grids });
        std::fs::write(folder.path().join(format!("{number}.json")), expected.to_string()).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_back.py");
    let output = Command::new(venv.join("bin/python")).arg(script).arg(folder.path()).output().unwrap();
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn libreoffice_shows_the_texts_of_a_workbook() {
    let Some(office) = std::env::var_os("NORMA_OFFICE") else {
        eprintln!("NORMA_OFFICE is not set; nothing is proved here");
        return;
    };
    let edition = sample();
    let standard = [exported(&edition)];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export.xlsx");
    std::fs::write(&file, export(&standard, Format::Xlsx, &OPTIONS).unwrap()).unwrap();
    // Comma, quotation mark, UTF-8 (token 76), cells as they are shown, all sheets.
    let filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";
    let opened = Command::new(office)
        .arg(format!("-env:UserInstallation=file://{}/office", folder.path().display()))
        .args(["--headless", "--convert-to", filter, "--outdir"])
        .args([folder.path(), &file])
        .output()
        .unwrap();
    assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));
    let shown = std::fs::read(folder.path().join("export-Provisions.csv")).unwrap();
    assert_provisions(&csv(&shown), &standard[0]);
}

#[test]
fn a_formula_is_text_and_a_text_that_looks_like_an_escape_stays() {
    for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "_x0041_", "a\nb", "\"a\",b;c", "😀 ≥ 40"]
    {
        let standard = with_text(text);
        let delimited = export(&standard, Format::Csv, &OPTIONS).unwrap();
        assert_eq!(csv(&delimited)[1][8], text);
        let workbook = export(&standard, Format::Xlsx, &OPTIONS).unwrap();
        assert_eq!(xlsx(&workbook)["Provisions"][1][8], text);
    }
}

#[test]
fn a_quantity_without_comparator_has_no_sign_and_never_reads_as_an_equal_one() {
    let mut standard = with_text("The hook shall withstand 5 kN.");
    let column = |rows: &Read| rows[0].iter().position(|head| head == "quantities").unwrap();
    let mut written = Vec::new();
    for comparator in [json!({}), json!({ "comparator": "equal" })] {
        let mut quantity =
            json!({ "value": "5", "unit": { "text": "kN" }, "text": "5 kN", "start": 25, "end": 29 });
        quantity.as_object_mut().unwrap().extend(comparator.as_object().unwrap().clone());
        standard[0].provisions[0].quantities = vec![serde_json::from_value(quantity).unwrap()];
        let rows = csv(&export(&standard, Format::Csv, &OPTIONS).unwrap());
        let sheet = &xlsx(&export(&standard, Format::Xlsx, &OPTIONS).unwrap())["Provisions"];
        assert_eq!(rows[1][column(&rows)], sheet[1][column(sheet)]);
        written.push(rows[1][column(&rows)].clone());
    }
    assert_eq!(written, ["5 kN", "= 5 kN"]);
}

#[test]
fn a_workbook_says_of_a_law_that_its_provisions_are_not_all_duties() {
    let mut standard = with_text("Le plan doit être affiché.");
    let complete = |standard: &[ExportedStandard<'_>]| {
        let about = xlsx(&export(standard, Format::Xlsx, &OPTIONS).unwrap()).remove("About").unwrap();
        about.into_iter().find(|row| row[0] == "complete").unwrap().remove(1)
    };
    assert!(complete(&standard).starts_with("as far as rules find provisions"));
    standard[0].bibliographic.metadata.duties_without_verbal_form = true;
    assert!(complete(&standard).starts_with("no: the text may state duties without a verbal form"));
}

#[test]
fn lineages_are_the_ids_where_they_are_asked_for_and_one_that_is_missing_is_named() {
    let mut standard = with_text("The lid shall be shut.");
    let options = ExportOptions { identity: IdColumn::Lineage, ..OPTIONS };
    let rows = csv(&export(&standard, Format::Csv, &options).unwrap());
    assert!(rows[1][0].starts_with("lin_") && rows[1][0] == rows[1][1], "{rows:?}");
    let id = standard[0].provisions[0].id.to_string();
    standard[0].provisions[0].lineage = None;
    assert_eq!(export(&standard, Format::Csv, &options), Err(ExportError::NoLineage(id)));
}

#[test]
fn what_a_workbook_cannot_hold_is_refused_with_its_id_and_csv_has_it() {
    let most = "a".repeat(32_767);
    assert!(export(&with_text(&most), Format::Xlsx, &OPTIONS).is_ok());
    for (text, reason) in [
        (format!("{most}b"), "at most 32767 characters in `text`, found 32768"),
        ("😀".repeat(16_384), "found 32768"),
        ("a\u{1}b".to_owned(), "found U+0001 in `text`"),
        ("\u{FFFE}".to_owned(), "found U+FFFE"),
    ] {
        let standard = with_text(&text);
        let error = export(&standard, Format::Xlsx, &OPTIONS).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains(&*standard[0].provisions[0].id), "{error}");
        assert_eq!(csv(&export(&standard, Format::Csv, &OPTIONS).unwrap())[1][8], text);
    }
}

#[test]
fn tables_of_one_label_have_sheets_of_their_own_and_numbers_are_numbers() {
    let edition = sample();
    let twice = [exported(&edition), exported(&edition)];
    let sheets = xlsx(&export(&twice, Format::Xlsx, &OPTIONS).unwrap());
    assert_eq!(sheets["Table 1"], sheets["Table 1 (2)"]);
    let names: HashSet<&String> = sheets["Tables"].iter().skip(1).map(|row| &row[0]).collect();
    assert_eq!(names.len(), 2 * edition.tables.len());
}

#[test]
fn nothing_to_export_and_formats_that_do_not_exist_are_refused() {
    let mut standard = with_text("");
    standard[0].provisions.clear();
    for standards in [&standard[..], &[]] {
        assert_eq!(export(standards, Format::Csv, &OPTIONS), Err(ExportError::NothingSelected));
    }
    let error = "ods".parse::<Format>().unwrap_err().to_string();
    assert_eq!(
        error,
        "expected the format `csv`, `xlsx`, `reqif`, `reqifz`, `needs`, `doorstop`, `oscal` or `ciso`, found `ods`"
    );
    assert_eq!("XLSX".parse(), Ok(Format::Xlsx));
}
