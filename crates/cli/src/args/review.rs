//! Options of `norma review`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::civil::Date;
use norma_review::FindingLevel;

use super::CallerArguments;

#[derive(Debug, Args)]
#[command(after_help = "\
Ends with 0 where no finding has the level of --fail-on, 1 where one has, 2 where a file cannot be read or an
option is wrong, 3 where the service cannot be asked.

Examples:
  norma review report.docx
  norma review 'docs/**/*.md' --format sarif --output review.sarif
  norma review report.md --at 2024-06-30 --fail-on warning
  norma review report.md --baseline accepted.json")]
pub(crate) struct ReviewArguments {
    #[command(flatten)]
    pub caller: CallerArguments,
    /// Base URL of the service.
    #[arg(long, env = "NORMA_BASE_URL", value_name = "URL", default_value = "http://127.0.0.1:8480")]
    pub base_url: String,
    /// Files in Markdown, HTML, DOCX, reStructuredText, AsciiDoc or text, or globs.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = ReviewFormat::Table)]
    pub format: ReviewFormat,
    /// Day whose editions count, as YYYY-MM-DD [default: today].
    #[arg(long, value_name = "DATE")]
    pub at: Option<Date>,
    /// Earlier report in JSON, whose findings are not reported again.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Least level that makes the command end with 1: error, warning or note.
    #[arg(long, value_name = "LEVEL", default_value_t = FindingLevel::Error)]
    pub fail_on: FindingLevel,
    /// File that receives the report, instead of standard output; it appears whole or not at all.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReviewFormat {
    /// A table for people.
    Table,
    /// JSON.
    Json,
    /// SARIF 2.1.0, which code hosts show on lines.
    Sarif,
    /// One HTML page.
    Html,
}
