//! Printing: tables for people, JSON lines for programs. All text goes out through here: what a document or a token says
//! must not move the cursor, change colours, turn the direction of reading or make up lines.

use std::borrow::Cow;
use std::fmt::{Display, Write};
use std::io::{self, IsTerminal, Write as _};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use comfy_table::{CellAlignment, ContentArrangement, presets};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use norma_model::ProvisionId;
use norma_service::ingest::{Refusal, Report, Verdict};
use norma_service::terminal::{escaped, escaped_lines};
use norma_sts::{Diagnostic, Severity};
use serde_json::{Value, json};

/// A table whose cells are escaped.
pub(crate) struct Table(comfy_table::Table);

/// A table with these columns.
pub(crate) fn table(columns: &[&str]) -> Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    // Some terminals do not know how wide they are, and say 0.
    if table.width().is_some_and(|columns| columns < NARROWEST) {
        table.set_width(NARROWEST);
    }
    table.set_header(columns.iter().copied());
    Table(table)
}

impl Table {
    /// Adds a row.
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item: AsRef<str>>) {
        self.0.add_row(cells.into_iter().map(|cell| escaped(cell.as_ref()).into_owned()));
    }

    /// Lets rows be as wide as they are, so that what is there to be copied is not broken in a narrow window.
    pub(crate) fn unbroken(mut self) -> Self {
        self.0.set_content_arrangement(ContentArrangement::Disabled);
        self
    }

    /// Aligns the last column as numbers are.
    pub(crate) fn with_numbers(mut self) -> Self {
        if let Some(column) = self.0.column_iter_mut().last() {
            column.set_cell_alignment(CellAlignment::Right);
        }
        self
    }

    /// Number of rows.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> usize {
        self.0.row_iter().count()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Columns of the narrowest terminal that tables are fitted to.
const NARROWEST: u16 = 40;

/// A number with its thousands apart: `12 345`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// The first error of standard output, but for a closed pipe, whose reader wants no more.
static OUTPUT_ERROR: OnceLock<io::Error> = OnceLock::new();

fn note_error(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        _ = OUTPUT_ERROR.set(error);
    }
}

/// Fails where something that was printed did not reach standard output. To be called at the end.
pub(crate) fn finish() -> anyhow::Result<()> {
    match OUTPUT_ERROR.get() {
        Some(error) => bail!("cannot write to standard output: {error}"),
        None => Ok(()),
    }
}

/// One line on standard output.
pub(crate) fn line(text: impl Display) {
    note_error(writeln!(io::stdout(), "{}", escaped(&text.to_string())));
}

/// Several lines on standard output: a table, indented JSON, text of the program's own.
pub(crate) fn lines(text: impl Display) {
    note_error(writeln!(io::stdout(), "{}", escaped_lines(&text.to_string())));
}

/// One line on standard error.
pub(crate) fn note(text: impl Display) {
    drop(writeln!(std::io::stderr(), "{}", escaped(&text.to_string())));
}

/// Several lines on standard error.
pub(crate) fn notes(text: impl Display) {
    drop(writeln!(std::io::stderr(), "{}", escaped_lines(&text.to_string())));
}

/// A document on standard output: its bytes as they are, but on a terminal escaped.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = io::stdout();
    let shown = match out.is_terminal() {
        true => Cow::Owned(escaped_lines(&String::from_utf8_lossy(bytes)).into_owned().into_bytes()),
        false => Cow::Borrowed(bytes),
    };
    note_error(out.write_all(&shown).and_then(|()| out.flush()));
}

/// A document that is written to standard output piece by piece; on a terminal it is escaped. A closed pipe is not an error.
pub(crate) fn document(write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> anyhow::Result<()> {
    let out = io::stdout().lock();
    if out.is_terminal() {
        let mut whole = Vec::new();
        write(&mut whole)?;
        drop(out);
        bytes(&whole);
        return Ok(());
    }
    let mut out = io::BufWriter::new(out);
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// A bar on standard error, silent where that is not a terminal.
pub(crate) fn progress() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // A closed pipe is not an error.
    let style = ProgressStyle::with_template("{bar:30} {done}/{all} documents, {rate}, {eta} left{wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
            _ = out.write_str(&number(state.pos()))
        })
        .with_key("all", |state: &ProgressState, out: &mut dyn Write| {
            _ = out.write_str(&number(state.len().unwrap_or_default()));
        })
        .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            _ = write!(out, "{:.1}/s", state.per_sec())
        });
    bar.set_style(style);
    bar
}

/// Why a file was passed over.
pub(crate) fn skipped(root: &str) -> String {
    format!("skipped: its root element is `{root}`, that of no standard")
}

/// A refusal in the form that people read: `file: refused: message`, then what to do.
pub(crate) fn refusal_lines(document: &str, refusal: &Refusal) -> Vec<String> {
    let hint = refusal.hint().map(|hint| format!("    {hint}"));
    std::iter::once(format!("{document}: refused: {refusal}")).chain(hint).collect()
}

/// A report as one JSON object.
pub(crate) fn report(report: &Report) -> Value {
    let tally = &report.tally;
    let mut object = json!({
        "document": report.document.display().to_string(),
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
        Verdict::Refused(refusal) => {
            object["error"] = refusal.to_string().into();
            if let Some(hint) = refusal.hint() {
                object["hint"] = hint.into();
            }
        }
        Verdict::Skipped(root) => object["root"] = root.as_str().into(),
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

/// A diagnostic in the form that editors and people read: `file:line:column: severity[code]: message`, then the hint.
pub(crate) fn diagnostic_lines(document: &str, diagnostic: &Diagnostic) -> [String; 2] {
    let Diagnostic { code, severity: grade, line, column, message, hint } = diagnostic;
    [format!("{document}:{line}:{column}: {}[{code}]: {message}", severity(*grade)), format!("    {hint}")]
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

/// A refusal as an annotation of GitHub's checks, where no diagnostic says where.
pub(crate) fn refusal_annotation(document: &str, refusal: &str) -> String {
    format!("::error file={}::{}", property(document), command_text(refusal))
}

/// Text as GitHub's workflow commands take it, on one line.
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
