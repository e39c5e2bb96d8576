//! Cost of large comparisons: `cargo nextest run --release -p norma-compare --test scale --run-ignored all
//! --success-output final`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::Arc;

use norma_compare::{
    ComparisonSection, ComparisonUnit, NumberedPart, NumberedPartKind, UnitReference, UnitTarget, Units,
    UnitsParts, compare,
};
use norma_model::table::{Cell, Column, Grid};

/// A text of words that a number chooses.
fn text(number: usize, changed: bool) -> String {
    const WORDS: [&str; 16] = [
        "anchor", "gate", "lid", "rope", "valve", "lamp", "crate", "hinge", "pump", "sieve", "ladder",
        "kiln", "mast", "drum", "wick", "tray",
    ];
    let word = |shift: usize| WORDS[(number >> shift) % 16];
    let end = if changed { "by the owner in each season" } else { "by the owner in each year" };
    format!(
        "The {} of the {} near the {} and {} {} shall be inspected {end}.",
        word(0),
        word(4),
        word(8),
        word(12),
        number % 977
    )
}

fn sections(count: usize) -> Vec<ComparisonSection> {
    let section = |index: usize| ComparisonSection {
        id: format!("s{index}").into(),
        number: Some(index.to_string().into()),
        title: Some(format!("Topic {index}").into()),
        ..ComparisonSection::default()
    };
    (0..count).map(section).collect()
}

/// The most memory that the process had, in MB.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok()).unwrap_or_default() / 1024
}

/// The CPU time of the process so far, in its own code, in hundredths of a second: the unit of Linux.
fn cpu() -> u64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = status.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(1).filter_map(|field| field.parse::<u64>().ok()).sum()
}

fn measured(name: &str, older: &Units, newer: &Units) {
    let (before, begin) = (memory(), cpu());
    let found = compare(older, newer);
    let took = cpu() - begin;
    let changed: u32 = found.tables.iter().map(|table| table.changed_cells).sum();
    println!(
        "{name}: {} links, {changed} changed cells, {} ms of CPU time, {before} MB before, {} MB at most",
        found.links.len(),
        took * 10,
        memory()
    );
    assert!(found.links.len() * 100 >= older.units.len() * 99, "{} links", found.links.len());
}

#[test]
#[ignore = "it measures"]
fn ten_thousand_provisions_and_as_many_are_compared() {
    let edition = |offset: usize| {
        let units = (0..10_000).map(|number| ComparisonUnit {
            id: format!("u{number}").into(),
            text: text(number * 7, offset > 0 && number % 10 == 0).into(),
            section: number / 50,
            ..ComparisonUnit::default()
        });
        Units::new(UnitsParts { sections: sections(200), units: units.collect(), ..UnitsParts::default() })
            .unwrap()
    };
    measured("10,000 provisions", &edition(0), &edition(1));
}

#[test]
#[ignore = "it measures"]
fn two_hundred_tables_of_five_hundred_cells_are_compared() {
    let edition = |changed: bool| {
        let table = |number: usize| {
            let cell = |row: usize, column: u32| {
                let other = changed && row == 7 && column == 3;
                let text = format!("{}", row * 31 + column as usize * 7 + number + usize::from(other));
                Cell { text: text.into(), column, columns: 1, rows: 1, ..Cell::default() }
            };
            let rows = (0..50).map(|row| (0..10).map(|column| cell(row, column)).collect());
            let columns = (0..10)
                .map(|column| Column { heads: vec![format!("Head {column}").into()], ..Column::default() });
            NumberedPart {
                kind: NumberedPartKind::Table,
                id: format!("t{number}").into(),
                label: Some(format!("Table {number}").into()),
                caption: Some(format!("Values of {number}").into()),
                section: Some(number),
                digest: None,
                grid: Some(Arc::new(Grid {
                    columns: columns.collect(),
                    rows: rows.collect(),
                    ..Grid::default()
                })),
            }
        };
        let unit = |number: usize| ComparisonUnit {
            id: format!("u{number}").into(),
            text: format!("{} See Table {number}.", text(number * 13, false)).into(),
            section: number,
            references: vec![UnitReference {
                text: format!("Table {number}").into(),
                target: Some(UnitTarget::Part(number)),
            }],
            ..ComparisonUnit::default()
        };
        Units::new(UnitsParts {
            sections: sections(200),
            parts: (0..200).map(table).collect(),
            units: (0..200).map(unit).collect(),
            ..UnitsParts::default()
        })
        .unwrap()
    };
    measured("200 tables", &edition(false), &edition(true));
}
