//! `norma lineage`: imports a publisher's table of correspondence, and shows one lineage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use norma_editions::lineage::{self, Shown};
use norma_model::Urn;
use norma_model::lineage::Asked;
use norma_settings::{Layers, Settings};
use norma_store::{LineageKey, Store};
use serde_json::json;

use crate::args::Printed;
use crate::settings::with_store;
use crate::{clock, print};

#[derive(Debug, Subcommand)]
pub(crate) enum LineageCommand {
    /// Take a publisher's table of correspondence; it outranks what Norma derives. All rows are taken, or
    /// none.
    ///
    /// CSV with the columns older_urn, older, newer_urn, newer and relation: `older` and `newer` are ids or
    /// labels of provisions, `relation` is same, reworded, split, merged, new (without `older`) or removed
    /// (without `newer`). Rows take the place of earlier ones for the same two editions.
    Import {
        /// The table.
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
    },
    /// Remove the rows of a publisher's table for two editions.
    Drop {
        /// URN of the older edition.
        older: Urn,
        /// URN of the newer edition.
        newer: Urn,
    },
    /// Show a lineage with its members.
    Show(LineageShowArguments),
    /// The key by which ids of lineages are made and read.
    #[command(subcommand)]
    Key(LineageKeyCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum LineageKeyCommand {
    /// Print the key: 32 hexadecimal digits. Who has it can read from an id of a lineage which provision is
    /// the oldest member.
    Export,
    /// Put the exported key of another store in force, before this store is served: ids that the store gave
    /// by its own key lead nowhere then.
    Import {
        /// The file with the key; `-` is standard input.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LineageShowArguments {
    /// Id of the lineage (lin_…), or of a provision that is or was a member (prv_…).
    id: String,
    #[command(flatten)]
    printed: Printed,
}

pub(crate) async fn run(layers: Layers, typed: LineageCommand) -> anyhow::Result<ExitCode> {
    let (settings, store) = with_store(&layers).await?;
    match typed {
        LineageCommand::Import { file } => import(&store, &settings, &file).await?,
        LineageCommand::Drop { older, newer } => {
            let dropped = store.drop_correspondences(&older, &newer, clock::now()).await?;
            if dropped == 0 {
                bail!("no table names {older} as the older edition and {newer} as the newer one");
            }
            update(&store, &[older.document_urn().to_owned()]).await?;
            print::line(format!("{} rows are removed", print::number(dropped)));
        }
        LineageCommand::Show(typed) => return show(&store, &typed).await,
        LineageCommand::Key(LineageKeyCommand::Export) => print::line(store.lineage_key().await?.to_hex()),
        LineageCommand::Key(LineageKeyCommand::Import { file }) => import_key(&store, &file).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn import(store: &Store, settings: &Settings, file: &Path) -> anyhow::Result<()> {
    let unreadable = || format!("cannot read {}", file.display());
    let size = file.metadata().with_context(unreadable)?.len();
    let most = settings.ingest.max_document_size.bytes();
    if size > most {
        bail!("{} has {size} bytes, expected at most {most}; raise `max-document-size`", file.display());
    }
    let bytes = std::fs::read(file).with_context(unreadable)?;
    let imported = lineage::import(store, &bytes).await;
    let imported = imported.with_context(|| format!("{}: nothing is imported", file.display()))?;
    update(store, &imported.documents).await?;
    print::line(format!(
        "{} rows are imported, of {}",
        print::number(imported.rows as u64),
        imported.documents.join(", ")
    ));
    Ok(())
}

async fn import_key(store: &Store, file: &Path) -> anyhow::Result<()> {
    let read = match file.to_str() {
        Some("-") => std::io::read_to_string(std::io::stdin()),
        _ => std::fs::read_to_string(file),
    };
    let text = read.with_context(|| format!("cannot read {}", file.display()))?;
    let key: LineageKey = text.parse().with_context(|| format!("{}", file.display()))?;
    if store.put_lineage_key(&key, clock::now()).await? {
        print::line("the lineage key is imported");
    } else {
        print::line("the lineage key is in force already");
    }
    Ok(())
}

/// Makes the partitions of documents that an operator changed again.
pub(crate) async fn update(store: &Store, documents: &[String]) -> anyhow::Result<()> {
    for document in documents {
        let problems = lineage::update(store, document).await.with_context(|| {
            format!("the lineages of {document} are not updated; the next ingest or rebuild does it")
        })?;
        problems.iter().for_each(print::note);
    }
    Ok(())
}

/// Shows a lineage. Returns 0 if it has members, 1 if it no longer has any.
async fn show(store: &Store, typed: &LineageShowArguments) -> anyhow::Result<ExitCode> {
    let asked = if let Ok(lineage) = typed.id.parse() {
        Asked::Lineage(lineage)
    } else if let Ok(provision) = typed.id.parse() {
        Asked::Provision(provision)
    } else {
        bail!(
            "expected the id of a lineage (lin_ and 26 characters) or of a provision (prv_ and 26 characters), found `{}`",
            typed.id
        );
    };
    let Some(shown) = lineage::show(store, asked).await? else {
        bail!("no document in the store has or had `{}`", typed.id);
    };
    let Shown { document, id, members, retired } = &shown;
    if typed.printed.is_json() {
        print::line(json!({
            "id": id.map(|id| id.to_string()),
            "document": document,
            "members": members.iter().map(|(urn, id)| json!({"urn": urn.to_string(), "id": id.to_string()})).collect::<Vec<_>>(),
            "retired": retired.iter().map(|one| json!({"urn": one.edition, "id": one.id.to_string()})).collect::<Vec<_>>(),
        }));
    } else {
        match id {
            Some(id) => print::line(format!("{id}, of {document}")),
            None => print::line(format!("of {document}, without members: their editions were removed")),
        }
        let mut table = print::table(&["edition", "provision", "state"]);
        for (urn, id) in members {
            table.add_row([urn.as_str(), &id.to_string(), "member"]);
        }
        for one in retired {
            table.add_row([&*one.edition, &one.id.to_string(), "retired"]);
        }
        table.print();
    }
    Ok(ExitCode::from(u8::from(id.is_none())))
}
