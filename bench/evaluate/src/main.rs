//! The command `evaluate`: provision rules measured against gold files, comparisons against pairs with known
//! links, and the comparison of any two lists of sentences.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Parser;
use norma_bench_evaluate::eval;
use norma_bench_evaluate::pairs::{MAX_FILE, Pairs};
use norma_compare::compare;

/// Measures the rules of provisions and comparisons against files with the truth.
#[derive(Parser)]
enum Evaluate {
    /// Measure provision rules against gold files (crates/provisions/README.md).
    Gold(Files),
    /// Measure comparisons against the true links in files of units (crates/compare/README.md).
    Pairs(Files),
    /// Print links and unmatched units of files of units.
    Compare(Files),
}

#[derive(clap::Args)]
struct Files {
    /// Files to read.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match run(Evaluate::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command, and returns the number of labels that are not met.
fn run(command: Evaluate) -> anyhow::Result<usize> {
    let mut out = std::io::stdout().lock();
    let mut wrong = 0;
    match command {
        Evaluate::Gold(Files { files }) => {
            for file in &files {
                wrong += gold(file, &mut out)?;
            }
        }
        Evaluate::Pairs(Files { files }) => {
            for file in &files {
                let pairs = read(file)?;
                let comparison = compare(&pairs.older, &pairs.newer);
                let Some(evaluation) = pairs.evaluate(&comparison) else {
                    bail!(
                        "{}: expected the true links in `links`, found none: add [{{\"a\": id, \"b\": id}}]",
                        file.display()
                    );
                };
                writeln!(out, "{}\n{evaluation}", file.display())?;
            }
        }
        Evaluate::Compare(Files { files }) => {
            for file in &files {
                let pairs = read(file)?.with_anatomy(norma_provisions::read_sentence);
                let comparison = compare(&pairs.older, &pairs.newer);
                writeln!(out, "{}", serde_json::to_string(&pairs.report(&comparison))?)?;
            }
        }
    }
    Ok(wrong)
}

/// Measures the rules against a gold file, and returns the number of its labels that are not met.
fn gold(file: &Path, out: &mut impl Write) -> anyhow::Result<usize> {
    let gold = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    // A gold file names documents by their path from its own folder.
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut load = |document: &str| {
        let source = std::fs::read(folder.join(document)).map_err(|e| e.to_string())?;
        let read = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default());
        read.map(|extraction| extraction.edition).map_err(|e| e.to_string())
    };
    let report =
        eval(gold.trim_start_matches('\u{feff}'), &mut load).with_context(|| file.display().to_string())?;
    writeln!(out, "{}\n{report}", file.display())?;
    for error in &report.errors {
        writeln!(out, "{error}")?;
    }
    Ok(report.errors.len())
}

/// The units of a file.
fn read(path: &Path) -> anyhow::Result<Pairs> {
    let mut json = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    // One byte more than is allowed shows that the file is too large.
    file.take(MAX_FILE as u64 + 1)
        .read_to_end(&mut json)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Pairs::parse(&json).with_context(|| path.display().to_string())
}
