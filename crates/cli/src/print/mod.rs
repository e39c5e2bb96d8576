//! Printing: tables for people, JSON lines for programs. All text goes out through here: what a document or a
//! token says must not move the cursor, change colours, turn the direction of reading or make up lines.

mod report;
pub(crate) mod style;
mod table;

use std::fmt::{Display, Write};
use std::io::{self, IsTerminal, Write as _};
use std::sync::OnceLock;

use anstyle::Style;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use norma_audit::terminal::{escaped, escaped_lines};
pub(crate) use report::{
    annotation, diagnostic_line, refusal_annotation, refusal_lines, report, severity, skipped,
};
pub(crate) use table::{PrintedTable, table, width, wrap};

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

/// The first error of standard output, apart from a closed pipe, whose reader needs no more.
static OUTPUT_ERROR: OnceLock<io::Error> = OnceLock::new();

fn note_error(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        _ = OUTPUT_ERROR.set(error);
    }
}

/// Fails if some output did not reach standard output. To be called at the end.
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

/// Prints one line on standard output, with a style for each word.
pub(crate) fn words(words: &[(Style, &str)]) {
    let words = words.iter().map(|(style, word)| format!("{style}{}{style:#}", escaped(word)));
    styled(format_args!("{}\n", words.collect::<String>()));
}

/// Prints on standard error why the program stops.
pub(crate) fn failure(error: &anyhow::Error) {
    let style = style::of("error");
    drop(writeln!(anstream::stderr(), "{style}norma:{style:#} {}", escaped(&chain(error))));
}

/// An error with its causes, each once: some errors include their cause, and some begin with what was tried.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if said.contains(&cause) {
            continue;
        }
        said = if cause.starts_with(&said) { cause } else { format!("{said}: {cause}") };
    }
    said
}

/// Prints lines that are already escaped and end with a line end, with styles if the terminal has them.
fn styled(text: impl Display) {
    note_error(write!(anstream::stdout(), "{text}"));
}

/// Prints several lines: a table, indented JSON, text of the program's own.
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

/// Prints a document: its bytes as they are, but escaped on a terminal.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = io::stdout();
    let escaped;
    let mut shown = bytes;
    if out.is_terminal() {
        escaped = escaped_lines(&String::from_utf8_lossy(bytes)).into_owned();
        shown = escaped.as_bytes();
    }
    note_error(out.write_all(shown).and_then(|()| out.flush()));
}

/// Prints a document piece by piece; on a terminal it is escaped. A closed pipe is not an error.
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

/// A progress bar on standard error, silent if that is not a terminal.
pub(crate) fn progress() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    // A closed pipe is not an error.
    let style = ProgressStyle::with_template("{bar:30} {done}/{all} documents, {rate}, {eta} left{wide_msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("done", write_done)
        .with_key("all", write_all)
        .with_key("rate", write_rate);
    bar.set_style(style);
    bar
}

fn write_done(state: &ProgressState, out: &mut dyn Write) {
    _ = out.write_str(&number(state.pos()));
}

fn write_all(state: &ProgressState, out: &mut dyn Write) {
    _ = out.write_str(&number(state.len().unwrap_or_default()));
}

fn write_rate(state: &ProgressState, out: &mut dyn Write) {
    _ = write!(out, "{:.1}/s", state.per_sec());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_causes_says_each_once() {
        let cause = || anyhow::anyhow!("no such file");
        for (contexts, said) in [
            (&["cannot read a: no such file"][..], "cannot read a: no such file"),
            (&["a: no such file", "a"], "a: no such file"),
            (&["cannot read a", "nothing is imported"], "nothing is imported: cannot read a: no such file"),
        ] {
            let error = contexts.iter().fold(cause(), |error, context| error.context(*context));
            assert_eq!(chain(&error), said);
        }
    }
}
