//! `norma eval`: provision rules measured against gold files, and comparisons against pairs with known links.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_compare::compare;
use norma_compare::pairs::{MAX_FILE, Pairs};

use crate::{args, print};

/// The units of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<Pairs> {
    let mut json = Vec::new();
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    // One byte more than is allowed shows that the file is too large.
    file.take(MAX_FILE as u64 + 1)
        .read_to_end(&mut json)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Pairs::parse(&json).with_context(|| path.display().to_string())
}

/// The links and unmatched units of a file, as `norma compare --units` prints them.
pub(crate) fn report(path: &Path) -> anyhow::Result<Vec<u8>> {
    let pairs = read(path)?.with_anatomy(norma_provisions::read_sentence);
    let comparison = compare(&pairs.older, &pairs.newer);
    let mut json = serde_json::to_vec(&pairs.report(&comparison))?;
    json.push(b'\n');
    Ok(json)
}

pub(crate) fn run(options: &args::Eval) -> anyhow::Result<ExitCode> {
    let mut wrong = 0;
    for file in &options.files {
        let gold =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        // A gold file names documents by their path from its own folder.
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut load = |document: &str| {
            let source = std::fs::read(folder.join(document)).map_err(|e| e.to_string())?;
            let read = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default());
            read.map(|extraction| extraction.edition).map_err(|e| e.to_string())
        };
        let report = norma_provisions::eval(gold.trim_start_matches('\u{feff}'), &mut load)
            .with_context(|| file.display().to_string())?;
        print::line(file.display());
        print::lines(&report);
        report.errors.iter().for_each(print::line);
        wrong += report.errors.len();
    }
    for file in &options.pairs {
        let pairs = read(file)?;
        let comparison = compare(&pairs.older, &pairs.newer);
        let Some(evaluation) = pairs.evaluate(&comparison) else {
            bail!(
                "{}: expected the true links in `links`, found none: add [{{\"a\": id, \"b\": id}}]",
                file.display()
            );
        };
        print::line(file.display());
        print::lines(evaluation);
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
