//! Reports as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts show on the
//! lines of a change. Texts of standards are left out, except words that differ: such a file is stored where
//! others than the licensee may read it.

use serde_json::{Value, json};

use crate::finding::{FindingPosition, ReviewFinding, ReviewRule};
use crate::report::{ReviewReport, ReviewedFile};

/// Address of the JSON schema of SARIF 2.1.0.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Name of the fingerprint with the version of how it is made.
const FINGERPRINT: &str = "normaReview/v1";

impl ReviewReport {
    /// The report as a SARIF log, indented, with a line end. `version` is that of the program.
    pub fn to_sarif(&self, version: &str) -> String {
        let rules: Vec<Value> = ReviewRule::ALL.into_iter().map(rule).collect();
        let results: Vec<Value> = self.findings.iter().map(result).collect();
        let not_read = self.files.iter().filter_map(unread_file);
        let mut notifications: Vec<Value> = not_read.collect();
        if let Some(failure) = &self.failure {
            notifications.push(json!({ "level": "error", "message": { "text": failure } }));
        }
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "Norma", "semanticVersion": version, "rules": rules } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": notifications.is_empty(),
                    "toolExecutionNotifications": notifications,
                }],
                "results": results,
            }],
        });
        let mut json = serde_json::to_string_pretty(&log).expect("the log has text keys");
        json.push('\n');
        json
    }
}

fn rule(rule: ReviewRule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.description() },
        "defaultConfiguration": { "level": rule.usual_level().as_str() },
    })
}

fn result(finding: &ReviewFinding) -> Value {
    let index = ReviewRule::ALL.iter().position(|rule| *rule == finding.rule);
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri(&finding.file) } } });
    match finding.position {
        FindingPosition::Line { line } => {
            location["physicalLocation"]["region"] = json!({ "startLine": line });
        }
        FindingPosition::Paragraph { .. } => {
            let name = finding.position.to_string();
            location["logicalLocations"] = json!([{ "fullyQualifiedName": name }]);
        }
    }
    json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": index,
        "level": finding.level.as_str(),
        "message": { "text": format!("{}: {}", finding.citation, finding.message) },
        "locations": [location],
        "partialFingerprints": { FINGERPRINT: finding.fingerprint },
    })
}

/// The notification for a file that was not read.
fn unread_file(file: &ReviewedFile) -> Option<Value> {
    let error = file.error.as_ref()?;
    Some(json!({
        "level": "error",
        "message": { "text": format!("{} was not reviewed: {error}", file.file) },
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&file.file) } } }],
    }))
}

/// The name of a file as a URI reference (RFC 3986, 4.2): of a relative path as it is, of an absolute one
/// with `file:`.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    if file.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in file.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
        if is_plain {
            uri.push(char::from(byte));
        } else {
            use std::fmt::Write;
            _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_uri_reference() {
        assert_eq!(uri("docs/a b:ä.md"), "docs/a%20b%3A%C3%A4.md");
        assert_eq!(uri("/tmp/a.md"), "file:///tmp/a.md");
    }
}
