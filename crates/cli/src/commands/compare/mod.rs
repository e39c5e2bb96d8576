//! `norma compare`: what happened to each provision of an older edition in a newer one.

mod args;
mod json;
mod source;
mod table;

use std::process::ExitCode;

use anyhow::{Context, bail};
pub(crate) use args::{Compare, CompareFormat};
use norma_compare::{ComparisonRecord, common_languages, compare};
use norma_explorer::comparison::{Compared, document};
use norma_ingest::DERIVER_VERSION;
use norma_model::Lang;
use norma_settings::Layers;
use source::Source;

use super::write_shared;
use crate::print;

pub(crate) async fn run(layers: Layers, typed: Compare) -> anyhow::Result<ExitCode> {
    let format = typed.format()?;
    let bytes = of_editions(&layers, [&typed.older, &typed.newer], format, &typed).await?;
    match &typed.output {
        Some(path) => write_shared(path, &bytes)?,
        None => print::bytes(&bytes),
    }
    Ok(ExitCode::SUCCESS)
}

async fn of_editions(
    layers: &Layers,
    names: [&String; 2],
    format: CompareFormat,
    typed: &Compare,
) -> anyhow::Result<Vec<u8>> {
    let mut older = Source::open(layers, names[0]).await?;
    let mut newer = Source::open(layers, names[1]).await?;
    if newer.precedes(&older) {
        std::mem::swap(&mut older, &mut newer);
        print::note(format!("{} is older than {}: compared in this order", older.urn(), newer.urn()));
    }
    if older.urn() == newer.urn() && older.revision == newer.revision {
        bail!("expected two editions, found {} twice: name another edition of it", older.urn());
    }
    if !typed.different_documents && !older.units.same_document(&newer.units) {
        bail!(
            "expected two editions of one document, found {} and {}: add `--different-documents` if that is meant",
            older.urn(),
            newer.urn()
        );
    }
    if older.deriver != newer.deriver {
        let current = DERIVER_VERSION.to_string();
        let stale = if older.deriver == current { &newer } else { &older };
        bail!(
            "expected editions that one version of Norma derived, since rules of two versions would invent changes; found {} of another one: \
             run `norma rebuild {}`",
            stale.urn(),
            stale.urn()
        );
    }
    let language = language(&older, &newer, typed.language.as_ref())?;
    let (a, b) = (older.units.in_language(&language), newer.units.in_language(&language));
    let record = ComparisonRecord::new(&a, &b, &compare(&a, &b));
    let view = json::view([&older, &newer], [&a, &b], &language, &record);
    let compared = Compared::new(&view, [json::outline(&a), json::outline(&b)]);
    Ok(match format {
        CompareFormat::Table => table::of(&compared).into_bytes(),
        CompareFormat::Html => document(&compared).into_bytes(),
        CompareFormat::Json => [serde_json::to_vec(&view)?, b"\n".to_vec()].concat(),
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
                older.urn(),
                list(&older.units.languages),
                newer.urn(),
                list(&newer.units.languages)
            )
        }),
    }
}
