//! Standards and comparisons for other programs: as tables for spreadsheets (CSV, XLSX), and as objects for
//! tools of requirements (ReqIF, Sphinx-Needs, Doorstop, OSCAL, CISO Assistant).
//!
//! Pure: the same input gives the same bytes, which hold no time but that of publication. CSV is one table;
//! XLSX has a sheet for each table of the standards and one about them, too. No cell is a formula. What is a
//! text of a standard is a text in each format: no character of it is markup, a link or a call.

#![cfg_attr(not(feature = "xlsx"), allow(unused, reason = "CSV has one sheet"))]

mod changes;
mod delimited;
mod error;
mod format;
mod formats;
mod html;
mod identity;
mod lines;
mod mapping;
mod markdown;
mod objects;
mod provisions;
mod restructured;
mod sheet;
#[cfg(feature = "xlsx")]
mod sheet_names;
mod standard;
#[cfg(feature = "xlsx")]
mod tables;
mod xhtml;
#[cfg(feature = "xlsx")]
mod xlsx;
mod xml;
mod yaml;

pub use error::ExportError;
pub use format::{Format, RequirementFormat, format_names};
use formats::{ciso, doorstop, mapping_oscal, mapping_reqif, needs, oscal, reqif};
pub use identity::{IdentityState, PartIds, PreviousEdition};
use norma_api::shapes::ComparisonView;
use objects::RequirementDocument;
pub use objects::{ExportedDocument, ExportedSection};
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
            let sheets = [
                changes,
                changes::suspect(comparison),
                changes::sections(comparison),
                changes::tables(comparison),
                changes::about(comparison, options.service),
            ];
            xlsx::write(&sheets, None)
        }
    }
}

/// Standards as objects, each with its ids.
///
/// # Errors
/// A standard has nothing to export or a provision without lineage, where lineages are the ids; the format
/// holds one standard and there are several; the HTML of a section cannot be read.
pub fn export_requirements(
    standards: &[(ExportedDocument<'_>, PartIds)],
    format: RequirementFormat,
    options: &ExportOptions<'_>,
) -> Result<Vec<u8>, ExportError> {
    let mut documents = Vec::with_capacity(standards.len());
    for (document, ids) in standards {
        documents.push(objects::build(document, ids)?);
    }
    match format {
        RequirementFormat::Reqif => Ok(reqif::write(&documents, options.service)),
        RequirementFormat::Reqifz => reqif::write_package(&documents, options.service),
        RequirementFormat::Needs => Ok(needs::write(&documents)),
        RequirementFormat::Doorstop => doorstop::write(only_one(&documents, format)?),
        RequirementFormat::Oscal => Ok(oscal::write(only_one(&documents, format)?)),
        RequirementFormat::Ciso => Ok(ciso::write(only_one(&documents, format)?)),
    }
}

fn only_one<'d, 'a>(
    documents: &'d [RequirementDocument<'a>],
    format: RequirementFormat,
) -> Result<&'d RequirementDocument<'a>, ExportError> {
    match documents {
        [document] => Ok(document),
        _ => Err(ExportError::OneStandard { format: format.as_str(), found: documents.len() }),
    }
}

/// The mapping of the provisions of an older edition to those of a newer one, which was published at this
/// date (`YYYY`, `YYYY-MM`, `YYYY-MM-DD`).
///
/// # Errors
/// The format has no mappings, or the comparison has no pairs.
pub fn export_mapping(
    comparison: &ComparisonView<'_>,
    published: Option<&str>,
    format: RequirementFormat,
    options: &ExportOptions<'_>,
) -> Result<Vec<u8>, ExportError> {
    match format {
        RequirementFormat::Oscal => mapping_oscal::write(comparison, published),
        RequirementFormat::Reqif => mapping_reqif::write(comparison, published, options.service),
        other => Err(ExportError::NotOfComparison(other.as_str())),
    }
}

fn first(sheet: &Sheet<'_>) -> Result<Vec<u8>, ExportError> {
    delimited::write(sheet).map_err(|error| ExportError::Workbook(error.to_string()))
}
