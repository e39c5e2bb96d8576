//! Formats of exports: spreadsheets, and files for tools of requirements.

use std::str::FromStr;

use crate::error::ExportError;

/// The names of all formats, each in backticks.
pub fn format_names() -> Vec<String> {
    let sheets = Format::ALL.iter().map(|format| format.as_str());
    let names = sheets.chain(RequirementFormat::ALL.iter().map(|format| format.as_str()));
    names.map(|name| format!("`{name}`")).collect()
}

/// Format of a spreadsheet.
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

/// Format of a tool for requirements, which holds a whole standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequirementFormat {
    /// Requirements Interchange Format 1.2, without pictures.
    Reqif,
    /// The same as an archive with the files of pictures.
    Reqifz,
    /// `needs.json` of Sphinx-Needs.
    Needs,
    /// Archive with the folder of a document of Doorstop.
    Doorstop,
    /// Catalog of OSCAL 1.2 as JSON; of a comparison a mapping collection.
    Oscal,
    /// Library of CISO Assistant as YAML.
    Ciso,
}

impl RequirementFormat {
    /// Every format.
    pub const ALL: [Self; 6] =
        [Self::Reqif, Self::Reqifz, Self::Needs, Self::Doorstop, Self::Oscal, Self::Ciso];

    /// The name of the format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reqif => "reqif",
            Self::Reqifz => "reqifz",
            Self::Needs => "needs",
            Self::Doorstop => "doorstop",
            Self::Oscal => "oscal",
            Self::Ciso => "ciso",
        }
    }

    /// True for a format that is made of bytes which a terminal cannot show.
    pub const fn is_archive(self) -> bool {
        matches!(self, Self::Reqifz | Self::Doorstop)
    }

    /// True for a format in which pictures have their files.
    pub const fn has_pictures(self) -> bool {
        matches!(self, Self::Reqifz | Self::Doorstop | Self::Oscal)
    }
}

impl FromStr for RequirementFormat {
    type Err = ExportError;

    fn from_str(name: &str) -> Result<Self, ExportError> {
        for format in Self::ALL {
            if format.as_str().eq_ignore_ascii_case(name) {
                return Ok(format);
            }
        }
        Err(ExportError::UnknownFormat(name.to_owned()))
    }
}
