//! Settings of log and audit.

use serde::Deserialize;

use crate::{Duration, Size};

/// Log and audit; each field is explained in the commented defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(missing_docs, reason = "default.toml is the one home of these explanations")]
pub struct LogSettings {
    pub log_format: LogFormat,
    pub log_level: String,
    pub audit_file: String,
    pub audit_file_size: Size,
    pub audit_files: u32,
    pub audit_keep: Duration,
}

/// The form of a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Lines for people, with a time and colours on a terminal.
    Text,
    /// One JSON object a line, for programs.
    Json,
}
