//! `norma compare`: which unit of an older edition became which of a newer one.

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use norma_compare::pairs::{MAX_FILE, Pairs};
use norma_compare::{Settings, compare};

use crate::{args, print};

pub(crate) fn run(typed: &args::Compare) -> anyhow::Result<ExitCode> {
    let args::CompareFormat::Json = typed.format;
    let pairs = read(&typed.units)?;
    let comparison = compare(&pairs.older, &pairs.newer, &Settings::default());
    let mut json = serde_json::to_vec(&pairs.report(&comparison))?;
    json.push(b'\n');
    print::bytes(&json);
    Ok(ExitCode::SUCCESS)
}

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
