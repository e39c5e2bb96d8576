//! Stored comparisons and lineages: filling, repair, and an operator's queries.

use std::time::SystemTime;

use norma_model::{ProvisionId, Urn};

use crate::catalogue::{lineage, lineage_key};
use crate::lineage::{Correspondence, LineageDocument, LineageUpdate, Retired};
use crate::transact::transact;
use crate::{LineageKey, Result, Store, catalogue};

/// Names of documents that are read at once.
const DOCUMENTS_AT_ONCE: usize = 500;

impl Store {
    /// A document with its editions, correspondences and partition.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn document(&self, stem: &str) -> Result<LineageDocument> {
        // The entries that the caller reads next are to be those of now.
        self.core().refresh().await?;
        lineage::document(self.engine(), stem).await
    }

    /// The documents that changed since their partition was made, ordered by name: those after `after`, at
    /// most 500. With `matcher`, also those with a partition of an earlier version of the matcher.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn changed_documents(&self, matcher: Option<u32>, after: &str) -> Result<Vec<String>> {
        lineage::changed(self.engine(), matcher, after, DOCUMENTS_AT_ONCE).await
    }

    /// Stores a partition. False, without any change, if the document changed since it was read, or if a
    /// later version of the matcher made its partition.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn put_lineages(&self, update: &LineageUpdate, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| lineage::put(tx, update, now))
    }

    /// Replaces a publisher's correspondences for the same two editions.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn put_correspondences(&self, rows: &[Correspondence], now: SystemTime) -> Result<()> {
        transact!(self, |tx| lineage::put_correspondences(tx, rows, now))
    }

    /// Removes the correspondences of two editions, and returns their number.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn drop_correspondences(&self, older: &Urn, newer: &Urn, now: SystemTime) -> Result<u64> {
        transact!(self, |tx| lineage::drop_correspondences(tx, older, newer, now))
    }

    /// The edition that has this provision, with the provision's ordinal.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn edition_of(&self, id: &ProvisionId) -> Result<Option<(Urn, usize)>> {
        let found = catalogue::entry::of_provision(self.engine(), id).await?;
        found.map(|(urn, position)| Ok((crate::columns::read_urn(&urn)?, position.index))).transpose()
    }

    /// The retired provisions of a document, by id.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn retired(&self, stem: &str) -> Result<Vec<Retired>> {
        lineage::all_retired(self.engine(), stem).await
    }

    /// The document of a provision that is no longer published.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn document_of(&self, id: &ProvisionId) -> Result<Option<String>> {
        lineage::document_of(self.engine(), id).await
    }

    /// The key that makes and reads ids of lineages.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn lineage_key(&self) -> Result<LineageKey> {
        lineage_key::load(self.engine()).await
    }

    /// Replaces the lineage key: ids of lineages that the earlier key made no longer resolve. False where it
    /// is the same.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn put_lineage_key(&self, key: &LineageKey, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| lineage_key::put(tx, key, now))
    }
}
