//! Audit lines of the program: who called which tool about which standard, and never a text.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// Where audit lines go.
#[derive(Debug)]
pub struct AuditSink {
    /// A file; without one, standard error.
    file: Option<Mutex<File>>,
}

/// An audit file that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the audit file {path}: {cause}; name a file that this program may append to")]
pub struct AuditSinkError {
    path: String,
    cause: std::io::Error,
}

/// One call of a tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolAuditLine<'a> {
    pub(crate) time: String,
    /// Subject of the user's token; absent where no tokens are verified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sub: Option<&'a str>,
    pub(crate) tool: &'a str,
    /// URNs of the standards that the answer is about.
    pub(crate) urns: Vec<String>,
    /// `ok`, or the class of a failure.
    pub(crate) outcome: &'static str,
    pub(crate) duration_ms: u64,
}

impl AuditSink {
    /// Lines on standard error.
    pub fn standard_error() -> Self {
        Self { file: None }
    }

    /// Lines at the end of a file, which is made where it is missing; its owner alone may read a new one.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn file(path: &Path) -> Result<Self, AuditSinkError> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(path) {
            Ok(file) => Ok(Self { file: Some(Mutex::new(file)) }),
            Err(cause) => Err(AuditSinkError { path: path.display().to_string(), cause }),
        }
    }

    /// Writes a line. One that the file does not take goes to standard error, so that it is not lost.
    pub(crate) fn write(&self, line: &ToolAuditLine<'_>) {
        let mut json = serde_json::to_vec(line).unwrap_or_default();
        json.push(b'\n');
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if file.write_all(&json).is_ok() {
                return;
            }
        }
        // Where standard error is closed as well, nothing can be reported.
        _ = std::io::stderr().lock().write_all(&json);
    }
}

/// The time of a line (RFC 3339, UTC).
pub(crate) fn time(now: SystemTime) -> String {
    let time = Timestamp::try_from(now).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}

pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Most URNs of a line; a list of standards has more.
const MOST_URNS: usize = 20;

/// The URNs of the standards that an answer is about, each once.
pub(crate) fn urns_of(answer: &Value) -> Vec<String> {
    let mut urns = Vec::new();
    add_urns(answer, &mut urns);
    urns.truncate(MOST_URNS);
    urns
}

fn add_urns(value: &Value, urns: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_urns(item, urns)),
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("urn", Value::String(urn)) if !urns.contains(urn) => urns.push(urn.clone()),
                    // Named only as another edition, or as what a text refers to.
                    ("candidates" | "latest" | "lineage" | "references", _) => {}
                    (_, member) => add_urns(member, urns),
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_names_user_tool_standards_and_outcome_and_goes_to_the_end_of_the_file() {
        let folder = std::env::temp_dir().join(format!("norma-mcp-audit-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("audit");
        std::fs::write(&path, "before\n").unwrap();
        let sink = AuditSink::file(&path).unwrap();
        let answer = json!({"urn": "urn:a", "units": [{"urn": "urn:b", "text": "secret"}, {"urn": "urn:a"}],
                            "latest": {"urn": "urn:c"}});
        sink.write(&ToolAuditLine {
            time: time(SystemTime::UNIX_EPOCH),
            sub: Some("user-1"),
            tool: "read",
            urns: urns_of(&answer),
            outcome: "ok",
            duration_ms: milliseconds(Duration::from_micros(2_500)),
        });
        let lines = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let expected = r#"{"time":"1970-01-01T00:00:00.000Z","sub":"user-1","tool":"read","urns":["urn:a","urn:b"],"outcome":"ok","durationMs":2}"#;
        assert_eq!(lines, format!("before\n{expected}\n"));
        assert!(AuditSink::file(Path::new("/nonexistent/audit")).unwrap_err().to_string().contains("append"));
    }
}
