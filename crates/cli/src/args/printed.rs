//! The option `--format` of commands that report something.

use clap::{Args, ValueEnum};

/// How results are printed: the same option for every command that reports something.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Printed {
    /// How results are printed.
    #[arg(long, value_enum, default_value_t = PrintedFormat::Text)]
    format: PrintedFormat,
}

impl Printed {
    pub(crate) fn is_json(self) -> bool {
        self.format == PrintedFormat::Json
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PrintedFormat {
    /// For people.
    Text,
    /// JSON; of several results one object a line.
    Json,
}
