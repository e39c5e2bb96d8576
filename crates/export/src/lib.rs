//! Standards and comparisons as tables for spreadsheets: CSV and XLSX.
//!
//! Pure: the same input gives the same bytes, which hold no time but that of publication. CSV is one table;
//! XLSX has a sheet for each table of the standards and one about them, too. No cell is a formula.

#![cfg_attr(not(feature = "xlsx"), allow(unused, reason = "CSV has one sheet"))]

mod changes;
mod delimited;
mod error;
mod format;
mod provisions;
mod sheet;
#[cfg(feature = "xlsx")]
mod sheet_names;
mod standard;
#[cfg(feature = "xlsx")]
mod tables;
#[cfg(feature = "xlsx")]
mod xlsx;

pub use error::ExportError;
pub use format::Format;
use norma_api::shapes::ComparisonView;
use sheet::Sheet;
pub use standard::{ExportOptions, ExportedStandard, IdColumn};

/// The provisions of standards, a row for each; in XLSX with a sheet for each table.
///
/// # Errors
/// There are no provisions, or one has no lineage where lineages are the ids; in XLSX also a text that a cell
/// cannot hold, or too many rows or sheets.
pub fn export(
    standards: &[ExportedStandard<'_>],
    format: Format,
    options: &ExportOptions<'_>,
) -> Result<Vec<u8>, ExportError> {
    let provisions = provisions::sheet(standards, options.identity)?;
    match format {
        Format::Csv => first(&provisions),
        #[cfg(feature = "xlsx")]
        Format::Xlsx => {
            let mut sheets = vec![provisions];
            sheets.extend(tables::sheets(standards)?);
            sheets.push(provisions::about(standards, options.service));
            let dates = standards.iter().filter_map(|one| one.bibliographic.metadata.published_on.as_deref());
            xlsx::write(&sheets, dates.max())
        }
    }
}

/// The changes between two editions: a row for each item of their comparison, in its order. In XLSX also a
/// sheet of sections and one of tables.
///
/// # Errors
/// The comparison has no items; in XLSX also a text that a cell cannot hold, or too many rows.
pub fn export_changes(
    comparison: &ComparisonView<'_>,
    format: Format,
    options: &ExportOptions<'_>,
) -> Result<Vec<u8>, ExportError> {
    let changes = changes::sheet(comparison)?;
    match format {
        Format::Csv => first(&changes),
        #[cfg(feature = "xlsx")]
        Format::Xlsx => {
            let about = changes::about(comparison, options.service);
            xlsx::write(&[changes, changes::sections(comparison), changes::tables(comparison), about], None)
        }
    }
}

fn first(sheet: &Sheet<'_>) -> Result<Vec<u8>, ExportError> {
    delimited::write(sheet).map_err(|error| ExportError::Workbook(error.to_string()))
}
