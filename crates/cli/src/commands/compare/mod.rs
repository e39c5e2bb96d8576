//! `norma compare`: what became of each provision of an older edition in a newer one.

mod args;
mod changes;
mod json;
mod page;
mod page_rows;
mod page_tables;
mod rows;
mod source;
mod summary;
mod table;

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
pub(crate) use args::{Compare, CompareFormat};
use norma_compare::pairs::{MAX_FILE, Pairs};
use norma_compare::{common_languages, compare};
use norma_model::Lang;
use norma_service::config::Layers;
use rows::Compared;
use source::Source;

use crate::print;

pub(crate) async fn run(layers: Layers, typed: Compare) -> anyhow::Result<ExitCode> {
    let bytes = match (&typed.units, &typed.older, &typed.newer) {
        (Some(units), ..) => of_units(units, typed.format)?,
        (None, Some(older), Some(newer)) => of_editions(&layers, [older, newer], &typed).await?,
        _ => bail!("expected two editions, or `--units FILE`"),
    };
    match &typed.output {
        Some(path) => {
            std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?
        }
        None => print::bytes(&bytes),
    }
    Ok(ExitCode::SUCCESS)
}

fn of_units(path: &Path, format: Option<CompareFormat>) -> anyhow::Result<Vec<u8>> {
    if !matches!(format, None | Some(CompareFormat::Json)) {
        bail!(
            "expected `--format json` with `--units`, found another format: compare two editions for a table or page"
        );
    }
    let pairs = read(path)?.with_anatomy(norma_provisions::read_sentence);
    let comparison = compare(&pairs.older, &pairs.newer);
    let mut json = serde_json::to_vec(&pairs.report(&comparison))?;
    json.push(b'\n');
    Ok(json)
}

async fn of_editions(layers: &Layers, names: [&String; 2], typed: &Compare) -> anyhow::Result<Vec<u8>> {
    let older = Source::open(layers, names[0]).await?;
    let newer = Source::open(layers, names[1]).await?;
    if older.urn == newer.urn && older.revision == newer.revision {
        bail!("expected two editions, found {} twice: name another edition of it", older.urn);
    }
    if !typed.different_documents && !older.units.same_document(&newer.units) {
        bail!(
            "expected two editions of one document, found {} and {}: add `--different-documents` if that is meant",
            older.urn,
            newer.urn
        );
    }
    let language = language(&older, &newer, typed.language.as_ref())?;
    let (a, b) = (older.units.in_language(&language), newer.units.in_language(&language));
    let comparison = compare(&a, &b);
    let compared = Compared { older: &a, newer: &b, comparison: &comparison };
    Ok(match typed.format.unwrap_or(CompareFormat::Table) {
        CompareFormat::Table => table::of(&compared).into_bytes(),
        CompareFormat::Html => page::page([&older, &newer], &language, &compared).into_bytes(),
        CompareFormat::Json => json::of([&older, &newer], &language, &compared)?,
    })
}

/// The language that is compared.
fn language(older: &Source, newer: &Source, wanted: Option<&Lang>) -> anyhow::Result<Lang> {
    let common = common_languages(&older.units, &newer.units);
    let list = |languages: &[Lang]| {
        let tags: Vec<String> = languages.iter().map(|tag| format!("`{tag}`")).collect();
        if tags.is_empty() { "none".to_owned() } else { tags.join(", ") }
    };
    match wanted {
        Some(wanted) if common.contains(wanted) => Ok(wanted.clone()),
        Some(wanted) => {
            bail!("expected a language that both editions have, found `{wanted}`; they have in common: {}", list(&common))
        }
        None => common.first().cloned().with_context(|| {
            format!(
                "the editions have no language in common: {} is in {}, {} in {}; compare editions in one language",
                older.urn,
                list(&older.units.languages),
                newer.urn,
                list(&newer.units.languages)
            )
        }),
    }
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
