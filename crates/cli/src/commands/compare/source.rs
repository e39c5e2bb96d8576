//! An edition to compare: read from a file or package, or from the store.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use norma_compare::Units;
use norma_editions::comparison::MAX_UNITS;
use norma_editions::pack;
use norma_ingest::{DERIVER_VERSION, Derived, IngestLimits, derive_single};
use norma_model::{PartialDate, Urn};
use norma_settings::Layers;
use norma_store::{Entry, derived_by};

use crate::settings::with_store;

/// An edition with the values that are shown of it.
pub(crate) struct Source {
    /// URN and date of publication, which decide the order of editions.
    position: (Urn, Option<PartialDate>),
    /// The entry of an edition in the store; `None` for one of a file.
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

/// Refuses an edition with more provisions than are compared.
fn expect_at_most(limit: usize, urn: &Urn, found: usize) -> anyhow::Result<()> {
    if found > limit {
        bail!("{urn}: expected at most {limit} provisions (`max-comparison-units`), found {found}");
    }
    Ok(())
}

impl Source {
    pub(crate) fn urn(&self) -> &Urn {
        &self.position.0
    }

    /// True if the edition comes before another one. Two in the store have the order that they have there.
    pub(crate) fn precedes(&self, other: &Self) -> bool {
        match (&self.stored, &other.stored) {
            (Some(one), Some(other)) => one.precedes(other),
            _ => norma_store::precedes(&self.position, &other.position),
        }
    }

    /// Opens the edition with this URN in the store, or that of the file or package at this path.
    pub(crate) async fn open(layers: &Layers, name: &str) -> anyhow::Result<Self> {
        let is_urn = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"));
        let source =
            if is_urn { Self::stored(layers, name).await? } else { Self::file(layers, Path::new(name))? };
        expect_at_most(MAX_UNITS, source.urn(), source.units.units.len())?;
        Ok(source)
    }

    fn file(layers: &Layers, path: &Path) -> anyhow::Result<Self> {
        let derived = derive_single(path, &IngestLimits::new(&crate::settings::checked(layers)?.ingest));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edition_with_more_provisions_than_are_compared_is_refused_with_the_limit() {
        let urn: Urn = "urn:nsb:std:nsb:4201:ed-1:en".parse().unwrap();
        assert!(expect_at_most(5, &urn, 5).is_ok());
        let refused = expect_at_most(5, &urn, 6).unwrap_err().to_string();
        assert!(
            refused.contains("expected at most 5 provisions (`max-comparison-units`), found 6"),
            "{refused}"
        );
    }
}
