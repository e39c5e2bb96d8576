//! Stored comparisons and lineages: filling, repair, and an operator's queries.

use std::time::SystemTime;

use norma_model::lineage::Asked;
use norma_model::{ProvisionId, Urn};

use crate::catalogue::lineage;
use crate::lineage::{Correspondence, Document, LineageUpdate, Retired};
use crate::transact::transact;
use crate::{Result, Store, catalogue};

/// Names of documents that are read at once.
const DOCUMENTS_AT_ONCE: usize = 500;

impl Store {
    /// A document with its editions, correspondences and partition.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn document(&self, stem: &str) -> Result<Document> {
        // The entries that the caller reads next are to be those of now.
        self.core().refresh().await?;
        lineage::document(self.engine(), stem).await
    }

    /// The documents that changed since their partition was made, and with `matcher` those whose partition is of another version of the
    /// matcher, in the order of their names: those after `after`, at most 500.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn changed_documents(&self, matcher: Option<u32>, after: &str) -> Result<Vec<String>> {
        lineage::changed(self.engine(), matcher, after, DOCUMENTS_AT_ONCE).await
    }

    /// Stores a partition; false, and nothing done, where the document changed since it was read.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn put_lineages(&self, update: &LineageUpdate, now: SystemTime) -> Result<bool> {
        transact!(self, |tx| lineage::put(tx, update, now))
    }

    /// Puts a publisher's correspondences in place of those that are there for the same two editions.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn put_correspondences(&self, rows: &[Correspondence]) -> Result<()> {
        transact!(self, |tx| lineage::put_correspondences(tx, rows))
    }

    /// Removes the correspondences of two editions, and says how many there were.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn drop_correspondences(&self, older: &Urn, newer: &Urn) -> Result<u64> {
        transact!(self, |tx| lineage::drop_correspondences(tx, older, newer))
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

    /// The document of a provision that is published no more, or of a lineage. All documents are looked through for a lineage: there is no
    /// index of them.
    ///
    /// # Errors
    /// Those of the engine.
    pub async fn document_of(&self, asked: Asked) -> Result<Option<String>> {
        lineage::document_of(self.engine(), asked).await
    }
}
