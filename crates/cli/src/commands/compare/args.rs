//! Options of `norma compare`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use norma_model::Lang;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// Older edition: an STS file, a folder or zip package with one standard, or the URN of a stored one.
    #[arg(required_unless_present = "units", requires = "newer", value_name = "OLDER")]
    pub older: Option<String>,
    /// Newer edition, named likewise.
    #[arg(value_name = "NEWER")]
    pub newer: Option<String>,
    /// File with the units of both editions in place of two editions: `{"a": [unit], "b": [unit]}`; see docs/compare.md.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["older", "newer", "language", "different_documents"])]
    pub units: Option<PathBuf>,
    /// How the result is printed [default: table; json with --units].
    #[arg(long, value_enum)]
    pub format: Option<CompareFormat>,
    /// File that receives the result instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Language that is compared, where the editions have several in common [default: the one that the older edition uses most].
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
