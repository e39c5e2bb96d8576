//! An edition to compare: read from a file or package, or from the store.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use norma_compare::Units;
use norma_editions::pack;
use norma_ingest::{DERIVER_VERSION, Derived, derive_single};
use norma_model::{PartialDate, Urn};
use norma_settings::Layers;
use norma_store::{Entry, derived_by};

use crate::settings::with_store;

/// An edition with the values that are shown of it.
pub(crate) struct Source {
    /// URN and date of publication, which decide the order of editions.
    position: (Urn, Option<PartialDate>),
    /// Its values in the store, if it is there.
    stored: Option<Arc<Entry>>,
    /// Names the state of its source.
    pub(crate) revision: String,
    /// Version of the program that derived it.
    pub(crate) deriver: String,
    /// Designation with its date: `ISO 17301-1:2016`.
    pub(crate) reference: String,
    pub(crate) title: Option<String>,
    pub(crate) units: Units,
}

impl Source {
    pub(crate) fn urn(&self) -> &Urn {
        &self.position.0
    }

    /// Whether it comes before another edition: of two in the store, as there.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        match (&self.stored, &other.stored) {
            (Some(one), Some(other)) => one.precedes(other),
            _ => norma_store::precedes(&self.position, &other.position),
        }
    }

    /// Opens the edition with this URN in the store, or that of the file or package at this path.
    pub(crate) async fn open(layers: &Layers, name: &str) -> anyhow::Result<Self> {
        let source = match name.get(..4).filter(|start| start.eq_ignore_ascii_case("urn:")) {
            Some(_) => Self::stored(layers, name).await?,
            None => Self::file(layers, Path::new(name))?,
        };
        let (limit, found) = (layers.settings()?.ingest.max_comparison_units, source.units.units.len());
        if found > limit {
            bail!(
                "{}: expected at most {limit} provisions, found {found}: raise `max-comparison-units`",
                source.urn()
            );
        }
        Ok(source)
    }

    fn file(layers: &Layers, path: &Path) -> anyhow::Result<Self> {
        let derived = derive_single(path, &layers.settings()?.ingest);
        let Derived { edition, assets, revision, .. } =
            derived.with_context(|| path.display().to_string())?;
        let digests = assets.iter().map(|asset| asset.as_ref().map(|asset| *asset.digest.as_bytes()));
        Ok(Self {
            position: (edition.urn.clone(), edition.metadata.published_on()),
            stored: None,
            revision,
            deriver: DERIVER_VERSION.to_string(),
            reference: edition.metadata.reference.clone(),
            title: edition.metadata.title().map(|title| title.full.clone()),
            units: Units::from(&*edition).with_picture_digests(digests),
        })
    }

    async fn stored(layers: &Layers, name: &str) -> anyhow::Result<Self> {
        let urn: Urn = name.parse().with_context(|| format!("`{name}`"))?;
        let (_, store) = with_store(layers).await?;
        let Some(entry) = store.entry(&urn).await? else {
            bail!("{urn} is not in the store; `norma list` shows what is")
        };
        let units = pack::units(&store.handle(&entry)).await?.with_context(|| {
            format!("the units of {urn} were stored by another version: run `norma rebuild {urn}`")
        })?;
        let summary = &entry.summary;
        Ok(Self {
            position: (urn, summary.published_on.clone()),
            revision: entry.revision.clone(),
            deriver: derived_by(&entry.deriver).to_owned(),
            reference: summary.reference.clone(),
            title: Some(summary.title.clone()),
            units,
            stored: Some(Arc::clone(&entry)),
        })
    }
}
