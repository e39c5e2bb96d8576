//! Formats of exports.

use std::str::FromStr;

use crate::error::ExportError;

/// Format of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values in UTF-8 (RFC 4180).
    Csv,
    /// Office Open XML workbook (ECMA-376).
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl Format {
    /// Every format that this build can write.
    pub const ALL: &[Self] = &[
        Self::Csv,
        #[cfg(feature = "xlsx")]
        Self::Xlsx,
    ];

    /// The name of the format, which is the extension of its files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "xlsx",
        }
    }

    /// The media type of the format (RFC 7111; IANA's registry).
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

impl FromStr for Format {
    type Err = ExportError;

    fn from_str(name: &str) -> Result<Self, ExportError> {
        for &format in Self::ALL {
            if format.as_str().eq_ignore_ascii_case(name) {
                return Ok(format);
            }
        }
        Err(ExportError::UnknownFormat(name.to_owned()))
    }
}
