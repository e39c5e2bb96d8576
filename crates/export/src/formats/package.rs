//! Files in one archive, whose bytes say nothing of the time at which it was made.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

use crate::error::ExportError;

/// A file of an archive.
pub(crate) struct PackedFile {
    /// Path in the archive, with `/` between folders.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

/// A ZIP archive of these files, in the order of their paths.
pub(crate) fn pack(mut files: Vec<PackedFile>) -> Result<Vec<u8>, ExportError> {
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644);
    for file in &files {
        archive.start_file(&*file.path, options).map_err(failed)?;
        archive.write_all(&file.bytes).map_err(failed)?;
    }
    Ok(archive.finish().map_err(failed)?.into_inner())
}

fn failed(error: impl std::fmt::Display) -> ExportError {
    ExportError::Workbook(error.to_string())
}
