//! `norma list`, `show`, `withdraw`, `reinstate`, `recall` and `remove`: an operator's queries and changes of
//! editions.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use norma_api::shapes::ProvisionType;
use norma_editions::pack;
use norma_model::{PartialDate, Status, Urn};
use norma_render::{PackDirectory, PackIndex, PackPart};
use norma_settings::Layers;
use norma_store::{CataloguedEdition, Entry, Store};
use serde_json::{Map, Value, json};

use super::editions::for_each_edition;
use super::{access, lineage};
use crate::print::number;
use crate::settings::with_store;
use crate::{args, print};

/// Status in a word; a recall outweighs it.
fn status(status: Status, recalled: Option<&String>) -> &'static str {
    match (status, recalled) {
        (_, Some(_)) => "recalled",
        (Status::Draft, _) => "draft",
        (Status::Published, _) => "published",
        (Status::Superseded, _) => "superseded",
        (Status::Withdrawn, _) => "withdrawn",
    }
}

pub(crate) async fn list(layers: Layers, options: args::List) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let policy = store.policy().await?;
    let mut rights = None;
    if let Some(tenant) = &options.tenant {
        let tenant = access::known(&policy, tenant)?;
        rights = Some(access::rights(&policy, tenant, options.client.as_deref()));
    }
    let mut table = print::table(&["reference", "title", "status", "access", "URN"]);
    for_each_edition(&store, |edition| {
        let CataloguedEdition { summary, recalled, revision, deriver, origin, source, .. } = &edition;
        let level = rights.as_ref().map(|rights| rights.level(summary));
        // The caller in question does not see it.
        if level == Some(None) {
            return;
        }
        let level = level.flatten().map(access::word);
        let status = status(edition.status, recalled.as_ref());
        if options.printed.is_json() {
            print::line(json!({
                "urn": summary.urn.to_string(), "reference": summary.reference, "title": summary.title,
                "publisher": summary.publisher, "publishedOn": summary.published_on.as_ref().map(PartialDate::as_str),
                "status": status, "access": level, "revision": revision, "deriver": deriver, "origin": origin,
                "source": source.to_string(),
            }));
        } else {
            let urn = summary.urn.as_str();
            table.add_row([&summary.reference, &summary.title, status, level.unwrap_or_default(), urn]);
        }
    })
    .await?;
    if !options.printed.is_json() {
        table.print();
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn show(layers: Layers, options: args::ShowArguments) -> anyhow::Result<ExitCode> {
    let (_, store) = with_store(&layers).await?;
    let Some(entry) = store.entry(&options.urn).await? else {
        bail!("{} is not in the store; `norma list` shows what is", options.urn)
    };
    let policy = store.policy().await?;
    let readers = access::readers(&policy, &entry.summary);
    let provisions = if options.provisions { provisions(&store, &entry).await? } else { Vec::new() };
    let rows = about(&store, &entry).await?;
    if options.printed.is_json() {
        let mut object = Map::new();
        for (name, value) in rows {
            object.insert(name.to_owned(), Value::String(value));
        }
        let access = readers.into_iter().map(|(who, level)| json!({"tenant": who, "level": level}));
        object.insert("access".to_owned(), access.collect());
        if options.provisions {
            let row = |[label, kind, id]: [String; 3]| json!({"label": label, "type": kind, "id": id});
            object.insert("provisions".to_owned(), provisions.into_iter().map(row).collect());
        }
        print::line(Value::Object(object));
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = print::table(&["", ""]);
    for (what, value) in rows {
        table.add_row([what, &value]);
    }
    let mut who: Vec<String> = readers.iter().map(|(who, level)| format!("{who}: {level}")).collect();
    if who.is_empty() {
        who.push("no tenant has a grant".to_owned());
    }
    table.add_row(["access", &who.join("; ")]);
    table.print();
    if options.provisions {
        let mut table = print::table(&["label", "type", "provision"]);
        for row in &provisions {
            table.add_row(row);
        }
        print::line("");
        table.print();
    }
    Ok(ExitCode::SUCCESS)
}

/// The stored values of an edition, for an operator.
pub(super) async fn about(store: &Store, entry: &Arc<Entry>) -> anyhow::Result<Vec<(&'static str, String)>> {
    let index = pack::part(&store.handle(entry), PackPart::Index).await?;
    let index = index.and_then(|bytes| PackIndex::from_bytes(&bytes));
    let mut rows = of_summary(entry);
    if let Some(index) = index {
        rows.extend(of_index(&index));
    }
    let pack = PackDirectory::parse(&entry.directory).map_or(0, |directory| directory.pack_size());
    let pictures: u64 = entry.assets.iter().map(|asset| asset.size).sum();
    let size = format!(
        "{} bytes of source, {} as stored, {} of pictures",
        number(entry.source_size),
        number(pack),
        number(pictures)
    );
    rows.extend([
        ("size", size),
        ("origin", entry.origin.clone()),
        ("source", entry.source.to_string()),
        ("revision", entry.revision.clone()),
        ("deriver", entry.deriver.clone()),
    ]);
    rows.retain(|(_, value)| !value.is_empty());
    Ok(rows)
}

/// The values of the catalogue.
fn of_summary(entry: &Entry) -> Vec<(&'static str, String)> {
    let summary = &entry.summary;
    let languages: Vec<&str> = summary.languages.iter().map(|language| language.as_str()).collect();
    let changed = match jiff::Timestamp::try_from(entry.updated) {
        Ok(time) => format!("{time:.0}"),
        Err(_) => String::new(),
    };
    vec![
        ("urn", summary.urn.to_string()),
        ("reference", summary.reference.clone()),
        ("title", summary.title.clone()),
        ("publisher", summary.publisher.clone()),
        ("status", status(entry.status, entry.recalled.as_ref()).to_owned()),
        ("reason", entry.recalled.clone().unwrap_or_default()),
        ("notice", entry.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()),
        ("published", summary.published_on.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("changed", changed),
        ("languages", languages.join(", ")),
        ("ics", summary.ics.join(", ")),
    ]
}

/// Counts of the parts of an edition.
fn of_index(index: &PackIndex) -> [(&'static str, String); 5] {
    let PackIndex { outline, pictures, .. } = index;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for provision in &outline.provisions {
        *counts.entry(ProvisionType::from(provision.kind).as_str()).or_default() += 1;
    }
    let mut kinds: Vec<(&str, u64)> = counts.into_iter().collect();
    kinds.sort_by_key(|(_, count)| Reverse(*count));
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let absent = pictures.iter().filter(|picture| picture.digest.is_none()).count();
    let absent = if absent > 0 { format!(", {absent} without a file") } else { String::new() };
    [
        ("sections", outline.sections.len().to_string()),
        ("provisions", format!("{}: {}", outline.provisions.len(), kinds.join(", "))),
        ("terms", outline.terms.len().to_string()),
        ("tables", outline.tables.len().to_string()),
        ("graphics", format!("{}{absent}", pictures.len())),
    ]
}

/// Label, type and id of each provision, in document order.
async fn provisions(store: &Store, entry: &Arc<Entry>) -> anyhow::Result<Vec<[String; 3]>> {
    let view = provisions_view(store, entry).await?;
    let mut rows = Vec::new();
    for item in view["items"].as_array().into_iter().flatten() {
        rows.push(["label", "type", "id"].map(|name| item[name].as_str().unwrap_or_default().to_owned()));
    }
    Ok(rows)
}

/// The stored view with label and type of each provision, in document order.
async fn provisions_view(store: &Store, entry: &Arc<Entry>) -> anyhow::Result<Value> {
    let stored = pack::part(&store.handle(entry), PackPart::Provisions).await?;
    Ok(stored.map_or(Ok(Value::Null), |bytes| serde_json::from_slice(&bytes))?)
}

pub(crate) async fn withdraw(layers: Layers, options: args::Withdraw) -> anyhow::Result<ExitCode> {
    let notice = options.notice.as_deref();
    act(&layers, &options.urn, "withdrawn", async |store, urn| {
        store.withdraw(urn, notice, crate::clock::now()).await
    })
    .await
}

pub(crate) async fn reinstate(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    act(&layers, &options.urn, "back in force", async |store, urn| {
        store.reinstate(urn, crate::clock::now()).await
    })
    .await
}

pub(crate) async fn recall(layers: Layers, options: args::Recall) -> anyhow::Result<ExitCode> {
    let (reason, notice) = (options.reason.unwrap_or_default(), options.notice.as_deref());
    act(&layers, &options.urn, "recalled", async |store, urn| {
        store.recall(urn, &reason, notice, crate::clock::now()).await
    })
    .await
}

pub(crate) async fn remove(layers: Layers, options: args::One) -> anyhow::Result<ExitCode> {
    let removed = act(&layers, &options.urn, "removed", async |store, urn| {
        store.remove(urn, crate::clock::now()).await
    })
    .await?;
    let (_, store) = with_store(&layers).await?;
    lineage::update(&store, &[options.urn.document_urn().to_owned()]).await?;
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
