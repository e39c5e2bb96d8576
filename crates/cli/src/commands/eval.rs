//! `norma eval`: the provision rules measured against gold files.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use crate::{args, print};

pub(crate) fn run(typed: &args::Eval) -> anyhow::Result<ExitCode> {
    let mut wrong = 0;
    for file in &typed.files {
        let gold =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        // A gold file names documents by their path from its own folder.
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut load = |document: &str| {
            let source = std::fs::read(folder.join(document)).map_err(|e| e.to_string())?;
            let read = norma_sts::extract(&source, &norma_sts::Options::default());
            read.map(|extraction| extraction.edition).map_err(|e| e.to_string())
        };
        let report = norma_provisions::eval(&gold, &mut load).with_context(|| file.display().to_string())?;
        print::line(file.display());
        print::lines(&report);
        report.errors.iter().for_each(print::line);
        wrong += report.errors.len();
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}
