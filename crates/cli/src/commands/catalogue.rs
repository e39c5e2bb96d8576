//! `norma list`, `show`, `withdraw`, `reinstate`, `recall` and `remove`: what an operator asks and does of editions.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use norma_model::Urn;
use norma_render::{Directory, Part};
use norma_service::config::Layers;
use norma_service::pack;
use norma_store::{Entry, Store, StoredEdition};
use serde_json::{Value, json};

use super::lineage;
use crate::settings::with_store;
use crate::{args, print};

/// Rows read at once.
const PAGE: u32 = 500;

pub(crate) async fn list(layers: Layers, options: args::List) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let mut table = print::table(&["URN", "revision", "deriver", "origin"]);
    let mut last: Option<Urn> = None;
    loop {
        let page = store.editions(last.as_ref(), PAGE).await?;
        let Some(end) = page.last() else { break };
        last = Some(end.urn.clone());
        for stored in &page {
            let StoredEdition { urn, source, deriver, revision, origin, .. } = stored;
            if options.json {
                print::line(json!({
                    "urn": urn.to_string(), "revision": revision, "deriver": deriver, "origin": origin,
                    "source": source.to_string(),
                }));
            } else {
                table.add_row([urn.as_str(), revision, deriver, origin]);
            }
        }
    }
    if !options.json {
        print::lines(table);
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn show(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let Some(entry) = store.entry(&options.urn).await? else {
        bail!("{} is not in the store; `norma list` shows what is", options.urn)
    };
    let mut table = print::table(&["what", "value"]);
    let summary = &entry.summary;
    for (what, value) in [
        ("URN", summary.urn.to_string()),
        ("reference", summary.reference.clone()),
        ("title", summary.title.clone()),
        ("status", format!("{:?}", entry.status).to_lowercase()),
        ("recalled", entry.recalled.clone().unwrap_or_else(|| "no".to_owned())),
        ("revision", entry.revision.clone()),
        ("derived by version", entry.deriver.clone()),
        ("origin", entry.origin.clone()),
        ("source", format!("{} ({} bytes)", entry.source, entry.source_size)),
    ] {
        table.add_row([what, &value]);
    }
    if let Some(directory) = Directory::parse(&entry.directory) {
        table.add_row(["pack", &format!("{} ({} bytes)", entry.pack, directory.pack_size())]);
        for part in Part::ALL {
            let stored = directory.part(part);
            let size = stored.range.end - stored.range.start;
            table.add_row([format!("{} in it", part.name()), format!("{size} bytes, of {}", stored.size)]);
        }
    }
    for asset in &entry.assets {
        table.add_row([
            format!("asset {}", asset.media_type),
            format!("{} ({} bytes)", asset.digest, asset.size),
        ]);
    }
    print::lines(table);
    let provisions = store.provisions(&options.urn).await?.unwrap_or_default();
    print::line(format!("{} provisions:", provisions.len()));
    let mut table = print::table(&["label", "type", "provision", "previous", "next"]).unbroken();
    let row = provisions_view(&store, &entry).await?;
    for (at, id) in provisions.iter().enumerate() {
        let neighbour = |at: Option<usize>| at.and_then(|at| provisions.get(at)).map(ToString::to_string);
        let member = |name: &str| row["items"][at][name].as_str().unwrap_or_default().to_owned();
        let (previous, next) = (neighbour(at.checked_sub(1)), neighbour(Some(at + 1)));
        let [previous, next] = [previous, next].map(Option::unwrap_or_default);
        table.add_row([member("label"), member("type"), id.to_string(), previous, next]);
    }
    print::lines(table);
    Ok(ExitCode::SUCCESS)
}

/// The stored view that tells label and type of each provision, in document order.
async fn provisions_view(store: &Store, entry: &Arc<Entry>) -> anyhow::Result<Value> {
    let stored = pack::part(&store.handle(entry), Part::Provisions).await?;
    Ok(stored.map_or(Ok(Value::Null), |bytes| serde_json::from_slice(&bytes))?)
}

pub(crate) async fn withdraw(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    act(&layers, &options.urn, "withdrawn", async |store, urn| store.withdraw(urn, crate::clock::now()).await)
        .await
}

pub(crate) async fn reinstate(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    act(&layers, &options.urn, "back in force", async |store, urn| {
        store.reinstate(urn, crate::clock::now()).await
    })
    .await
}

pub(crate) async fn recall(layers: Layers, options: args::Recall) -> anyhow::Result<ExitCode> {
    let reason = options.reason.unwrap_or_default();
    act(&layers, &options.urn, "recalled", async |store, urn| {
        store.recall(urn, &reason, crate::clock::now()).await
    })
    .await
}

pub(crate) async fn remove(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    let removed = act(&layers, &options.urn, "removed", async |store, urn| {
        store.remove(urn, crate::clock::now()).await
    })
    .await?;
    let (settings, store) = with_store(&layers).await?;
    lineage::update(&store, &settings, &[options.urn.document_urn().to_owned()]).await?;
    Ok(removed)
}

async fn act(
    layers: &Layers,
    urn: &Urn,
    done: &str,
    act: impl AsyncFnOnce(&Store, &Urn) -> norma_store::Result<bool>,
) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(layers).await?;
    if !act(&store, urn).await? {
        bail!("{urn} is not in the store; `norma list` shows what is");
    }
    print::line(format!("{urn} is {done}"));
    Ok(ExitCode::SUCCESS)
}
