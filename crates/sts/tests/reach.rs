//! The measured reach of references: how many provisions of the samples and the corpus depend on a changed
//! table that is too many references away to say what changed.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use norma_compare::{NumberedPartKind, Units, UnitsParts, compare_pairs};
use norma_sts::{ExtractionOptions, extract};

/// Most tables of a document that are changed, each in a copy.
const MOST_TABLES: usize = 8;
/// Greatest share of provisions whose dependency has an unknown extent.
const GREATEST_SHARE: f64 = 0.02;

/// The documents below a folder.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "xml") {
            found.push(path);
        }
    }
}

/// The same edition with another text in the first cell of a table; `None` where the table has no cell.
fn with_changed_cell(units: &Units, table: usize) -> Option<Units> {
    let mut parts = UnitsParts::from(units.clone());
    let grid = parts.parts[table].grid.as_mut()?;
    let cell = Arc::make_mut(grid).rows.first_mut()?.last_mut()?;
    cell.text = format!("{} changed", cell.text).into();
    cell.quantity = None;
    parts.parts[table].digest = None;
    Some(Units::new(parts).unwrap())
}

#[test]
fn few_provisions_depend_on_a_change_of_unknown_extent() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("NORMA_CORPUS").map_or_else(|| root.join("../shared/corpus"), Into::into);
    let mut files = Vec::new();
    documents(&root.join("samples"), &mut files);
    documents(&corpus.join("sts"), &mut files);
    files.sort();
    let (mut provisions, mut dependent, mut unknown) = (0, 0, 0);
    for file in files {
        let source = std::fs::read(&file).unwrap();
        let Ok(extraction) = extract(&source, &ExtractionOptions::default()) else { continue };
        let units = Units::from(&*extraction.edition);
        let identity: Vec<(usize, usize)> = (0..units.units.len()).map(|unit| (unit, unit)).collect();
        let own = compare_pairs(&units, &units, &identity);
        let changed = own.links.iter().filter(|link| !link.facets.kinds().is_empty()).count();
        assert_eq!(changed, 0, "{} differs from itself", file.display());
        let tables = (0..units.parts.len()).filter(|&part| units.parts[part].kind == NumberedPartKind::Table);
        for table in tables.take(MOST_TABLES) {
            let Some(newer) = with_changed_cell(&units, table) else { continue };
            let found = compare_pairs(&units, &newer, &identity);
            provisions += found.links.len();
            for link in &found.links {
                let depends_on = &link.facets.depends_on;
                dependent += usize::from(!depends_on.is_empty());
                unknown += usize::from(depends_on.iter().any(|one| one.unknown));
            }
        }
    }
    println!(
        "{provisions} provisions compared, {dependent} depend on the table, {unknown} by unknown extent"
    );
    assert!(unknown as f64 <= GREATEST_SHARE * provisions as f64, "{unknown} of {provisions}");
}
