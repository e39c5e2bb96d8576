//! Reports on documents: as JSON, for people, and as annotations of GitHub's checks.

use anstyle::Style;
use norma_ingest::{DocumentRefusal, DocumentReport, IngestVerdict};
use norma_model::ProvisionId;
use norma_sts::{Diagnostic, Severity};
use serde_json::{Value, json};

use super::{style, words};

/// The reason why a file was skipped.
pub(crate) fn skipped(root: &str) -> String {
    format!("skipped: its root element is `{root}`, that of no standard")
}

/// A refusal in the form for people: `file: refused: message`, then the remedy.
pub(crate) fn refusal_lines(document: &str, refusal: &DocumentRefusal) -> Vec<String> {
    let hint = refusal.hint().map(|hint| format!("    {hint}"));
    std::iter::once(format!("{document}: refused: {refusal}")).chain(hint).collect()
}

/// A report as one JSON object.
pub(crate) fn report(report: &DocumentReport) -> Value {
    let tally = &report.tally;
    let mut object = json!({
        "document": report.document.display().to_string(),
        "title": report.title,
        "verdict": report.verdict.as_str(),
        "counts": {
            "bytes": tally.bytes, "sections": tally.sections, "provisions": tally.provisions, "terms": tally.terms,
            "graphics": tally.graphics, "available": tally.available, "tables": tally.tables, "ics": tally.ics,
            "relations": tally.relations,
        },
        "diagnostics": report.diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
    });
    if let Some(urn) = &report.urn {
        object["urn"] = urn.to_string().into();
    }
    if !report.changed_ids.is_empty() {
        let pair =
            |(old, new): &(ProvisionId, ProvisionId)| json!({"from": old.to_string(), "to": new.to_string()});
        object["changedIds"] = report.changed_ids.iter().map(pair).collect();
    }
    match &report.verdict {
        IngestVerdict::Refused(refusal) => {
            object["error"] = refusal.to_string().into();
            if let Some(hint) = refusal.hint() {
                object["hint"] = hint.into();
            }
        }
        IngestVerdict::Skipped(root) => object["root"] = root.as_str().into(),
        _ => {}
    }
    object
}

/// A diagnostic as one JSON object.
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let Diagnostic { code, severity: grade, line, column, message, hint } = diagnostic;
    json!({
        "code": code, "severity": severity(*grade), "line": line, "column": column, "message": message, "hint": hint,
    })
}

/// Prints a diagnostic in the form for editors and people: `file:line:column: severity[code]: message`.
pub(crate) fn diagnostic_line(document: &str, diagnostic: &Diagnostic) {
    let Diagnostic { code, severity: grade, line, column, message, hint: _ } = diagnostic;
    let grade = severity(*grade);
    let plain = Style::new();
    words(&[
        (plain, &format!("{document}:{line}:{column}: ")),
        (style::of(grade), grade),
        (plain, &format!("[{code}]: {message}")),
    ]);
}

/// A diagnostic as an annotation of GitHub's checks.
pub(crate) fn annotation(document: &str, diagnostic: &Diagnostic) -> String {
    let Diagnostic { code, severity: grade, line, column, message, hint } = diagnostic;
    let level = match grade {
        Severity::Note => "notice",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let (document, text) = (property(document), command_text(&format!("{message} ({hint})")));
    format!("::{level} file={document},line={line},col={column},title={code}::{text}")
}

/// A refusal as an annotation of GitHub's checks, if no diagnostic has a position.
pub(crate) fn refusal_annotation(document: &str, refusal: &str) -> String {
    format!("::error file={}::{}", property(document), command_text(refusal))
}

/// Text in the form of GitHub's workflow commands, on one line.
fn command_text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a workflow command, which ends at a comma or colon.
fn property(value: &str) -> String {
    command_text(value).replace(':', "%3A").replace(',', "%2C")
}

/// A severity in a word.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
