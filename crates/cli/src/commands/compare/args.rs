//! Options of `norma compare`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use norma_model::Lang;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// One edition: an STS file, a folder or zip package with one standard, or the URN of a stored one.
    #[arg(value_name = "OLDER")]
    pub older: String,
    /// Another edition, named likewise; where it is the older one, the two are exchanged.
    #[arg(value_name = "NEWER")]
    pub newer: String,
    /// How the result is printed [default: that of the extension of --output, else table].
    #[arg(long, value_enum)]
    pub format: Option<CompareFormat>,
    /// File that receives the result instead of standard output: `.html` and `.json` say its format.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Language that is compared, where the editions have several in common [default: the one that the older
    /// edition uses most].
    #[arg(long, value_name = "TAG")]
    pub language: Option<Lang>,
    /// Compare editions of two different documents.
    #[arg(long)]
    pub different_documents: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// What changed, for people.
    Table,
    /// One JSON object.
    Json,
    /// One self-contained page, side by side, with changed words marked.
    Html,
}

impl Compare {
    /// How the result is printed: as asked for, as the extension of the file says, or as a table.
    pub(crate) fn format(&self) -> anyhow::Result<CompareFormat> {
        let extension = self.output.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        let of_file = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("html" | "htm") => Some(CompareFormat::Html),
            Some("json") => Some(CompareFormat::Json),
            _ => None,
        };
        match (self.format, of_file, &self.output) {
            (Some(asked), Some(implied), Some(path)) if asked != implied => {
                let name = |format: CompareFormat| {
                    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
                };
                bail!(
                    "expected `--format {}` with `--output {}`, found `--format {}`: leave `--format` out or name another file",
                    name(implied),
                    path.display(),
                    name(asked)
                )
            }
            (asked, implied, _) => Ok(asked.or(implied).unwrap_or(CompareFormat::Table)),
        }
    }
}
