//! `norma store` and `norma gc`: the store itself.

use std::process::ExitCode;

use anyhow::{Context, bail};
use norma_editions::lineage;
use norma_editions::stores::{migrate_store, open_store_to_work};
use norma_ingest::IngestLimits;
use norma_settings::{Layers, Settings, StoreSettings};
use norma_store::{Migrated, Stats, Verified};
use serde_json::json;

use crate::settings::{shown, with_store};
use crate::{args, print};

pub(crate) async fn run(layers: Layers, options: args::StoreCommand) -> anyhow::Result<ExitCode> {
    match options {
        args::StoreCommand::Migrate => {
            let settings = crate::settings::checked(&layers)?;
            let done = match migrate_store(&settings.store).await? {
                Migrated::Made => "is made".to_owned(),
                Migrated::From { version, to } => {
                    format!("is migrated from version {version} to {to}; now run `norma rebuild`")
                }
                Migrated::Nothing => "is there already".to_owned(),
            };
            print::line(format!("the schema of {} {done}", shown(&settings)));
        }
        args::StoreCommand::Stats(printed) => stats(&layers, printed).await?,
        args::StoreCommand::Copy(options) => copy(crate::settings::checked(&layers)?, options).await?,
        args::StoreCommand::Verify(printed) => return verify(&layers, printed).await,
        args::StoreCommand::RotateKey => {
            let (_, store) = with_store(&layers).await?;
            store.rotate_signing_key(crate::clock::now()).await?;
            print::line("asset URLs are signed with a new key; those signed before work until they expire");
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn stats(layers: &Layers, printed: args::Printed) -> anyhow::Result<()> {
    let (_, store) = with_store(layers).await?;
    let Stats {
        editions,
        blobs,
        blob_bytes,
        comparisons,
        comparison_bytes,
        lineages,
        lineage_bytes,
        tenants,
        grants,
        sequence,
    } = store.stats().await?;
    if printed.is_json() {
        print::line(json!({
            "editions": editions, "blobs": blobs, "blobBytes": blob_bytes, "comparisons": comparisons,
            "comparisonBytes": comparison_bytes, "lineages": lineages, "lineageBytes": lineage_bytes,
            "tenants": tenants, "grants": grants, "sequence": sequence,
        }));
        return Ok(());
    }
    let mut table = print::table(&["what", "value"]);
    for (what, value) in [
        ("editions", editions),
        ("blobs", blobs),
        ("bytes of blobs", blob_bytes),
        ("comparisons of neighbours", comparisons),
        ("bytes of comparisons", comparison_bytes),
        ("documents with lineages", lineages),
        ("bytes of lineages", lineage_bytes),
        ("tenants", tenants),
        ("grants", grants),
        ("number of the last change", sequence),
    ] {
        table.add_row([what, &print::number(value)]);
    }
    table.print();
    Ok(())
}

async fn copy(settings: Settings, options: args::Copy) -> anyhow::Result<()> {
    let Settings { store: settings, ingest, .. } = settings;
    if (&options.from, &options.from_blobs) == (&options.to, &options.to_blobs) {
        bail!("expected two stores, found the same one as FROM and TO");
    }
    // A store that is read is not changed, even if it has no schema.
    let from =
        StoreSettings { store: options.from, blobs: options.from_blobs, migrate: false, ..settings.clone() };
    let to = StoreSettings { store: options.to, blobs: options.to_blobs, migrate: true, ..settings };
    let from = open_store_to_work(&from, false).await.context("cannot open the store to read")?;
    let to = open_store_to_work(&to, true).await.context("cannot open the store to write")?;
    let bar = print::progress();
    bar.set_length(from.stats().await?.editions);
    let copied = from
        .copy_to(&to, crate::clock::now(), &mut |so_far| {
            bar.set_position(so_far.editions + so_far.present);
            bar.set_message(format!("{} MB", so_far.bytes / 1_000_000));
        })
        .await;
    bar.finish_and_clear();
    let stopped = "the copy stopped; the same command goes on from there";
    let copied = copied.context(stopped)?;
    let index = from.copy_search_indexes(&to, crate::clock::now()).await.context(stopped)?;
    let at_once = IngestLimits::new(&ingest).workers;
    lineage::update_changed(&to, at_once, true).await.iter().for_each(print::note);
    print::line(format!(
        "{} editions copied, {} were there already; {} bytes of blobs, each compared with its digest",
        copied.editions,
        copied.present,
        copied.bytes + index
    ));
    Ok(())
}

/// Verifies a store. Returns 0 if all is undamaged, 1 if something is damaged, which is named.
async fn verify(layers: &Layers, printed: args::Printed) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(layers).await?;
    let bar = print::progress();
    bar.set_length(store.stats().await?.editions);
    let checked = store
        .verify(&mut |so_far, damage| {
            bar.set_position(so_far.editions);
            if let Some(damage) = damage {
                bar.suspend(|| print::note(damage));
            }
        })
        .await?;
    bar.finish_and_clear();
    let Verified { editions, blobs, bytes, records, damaged } = checked;
    if printed.is_json() {
        print::line(json!({
            "editions": editions, "blobs": blobs, "bytes": bytes, "comparisonsAndLineages": records, "damaged": damaged,
        }));
    } else {
        print::line(format!(
            "{editions} editions, {blobs} blobs, {bytes} bytes, {records} comparisons and lineages; {damaged} damaged"
        ));
    }
    Ok(if damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub(crate) async fn gc(layers: Layers) -> anyhow::Result<ExitCode> {
    let (settings, store) = with_store(&layers).await?;
    let limits = IngestLimits::new(&settings.ingest).revisions;
    let pruned = store.prune_revisions(limits, crate::clock::now()).await?;
    let collected = store.gc(norma_store::GC_GRACE, crate::clock::now()).await?;
    print::line(format!("{} blobs with {} bytes are deleted", collected.blobs, collected.bytes));
    if pruned > 0 {
        print::line(format!(
            "of {pruned} editions, sources of earlier revisions beyond the limits are deleted"
        ));
    }
    Ok(ExitCode::SUCCESS)
}
