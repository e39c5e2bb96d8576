//! Comparisons and lineages in the store: its input and output values.

use bytes::Bytes;
use norma_model::{Lang, Partition, ProvisionId, Urn};

/// The comparison of two editions in one language, by the state of both and the version of the matcher. The
/// store does not look into its record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ComparisonKey {
    /// URN of the edition that comes first in the order of the document.
    pub older: Urn,
    /// Revision in which the older edition was compared.
    pub older_revision: String,
    /// URN of the edition that comes later.
    pub newer: Urn,
    /// Revision in which the newer edition was compared.
    pub newer_revision: String,
    /// The language that is compared.
    pub language: Lang,
    /// Version of the matcher.
    pub matcher: u32,
}

/// A comparison as it is stored, with the ids that its record leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredComparison {
    /// The record in the form that its writer chose; the store does not read it.
    pub record: Bytes,
    /// The ids of all provisions of the older and of the newer edition, in order. A record names them by
    /// ordinal, since ids do not compress and were more than half of it.
    pub provisions: [Vec<ProvisionId>; 2],
}

/// The values in the catalogue that decide whether an edition may be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparable {
    /// Number of its provisions, in all languages.
    pub provisions: usize,
    /// URNs, without edition and language, of the documents that it adopts.
    pub adopted: Vec<String>,
}

/// A document with all that its lineages follow from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineageDocument {
    /// Name of the document: the URN of an edition without edition and language.
    pub stem: String,
    /// The editions that take part in lineages, oldest first: no drafts and no supplements.
    pub editions: Vec<DocumentEdition>,
    /// The rows of tables of correspondence that publishers gave, by their editions.
    pub correspondences: Vec<Correspondence>,
    /// Number of changes of editions and correspondences; 0 where it has no row.
    pub wanted: i64,
    /// The number of changes that the partition is of.
    pub done: i64,
    /// Version of the matcher that the partition is of.
    pub matcher: u32,
    /// The stored partition, or an empty one.
    pub partition: Partition,
    /// Ids that are no longer published and that no provision continues yet.
    pub without_heir: Vec<Retired>,
}

impl LineageDocument {
    /// True if the stored partition is that of the stored editions and correspondences, by this version of
    /// the matcher or a later one.
    pub fn is_fresh(&self, matcher: u32) -> bool {
        self.done == self.wanted && (self.matcher >= matcher || self.wanted == 0)
    }
}

/// An edition of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentEdition {
    /// URN under which the edition is stored.
    pub urn: Urn,
    /// State of its source and derivation.
    pub revision: String,
    /// Languages of its text.
    pub languages: Vec<Lang>,
    /// Ids of the provisions, in document order.
    pub provisions: Vec<ProvisionId>,
}

/// A row of a publisher's table of correspondence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correspondence {
    /// URN of the edition that comes first in the order of the document.
    pub older: Urn,
    /// The provision of the older edition; `None` if the newer one is new.
    pub older_id: Option<ProvisionId>,
    /// URN of the edition that comes later.
    pub newer: Urn,
    /// The provision of the newer edition; `None` if the older one was removed.
    pub newer_id: Option<ProvisionId>,
    /// The relation, in the word of the table.
    pub relation: String,
}

/// The id of a provision that is no longer published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retired {
    /// The id that no published provision has.
    pub id: ProvisionId,
    /// URN of the edition that had it.
    pub edition: String,
    /// The ordinal that it had.
    pub ordinal: u32,
    /// The provision that carries its lineage on.
    pub heir: Option<ProvisionId>,
    /// The last revision of the edition that had it.
    pub revision: String,
    /// True if the next revision has the same source: only the way of deriving changed.
    pub by_rules: bool,
}

/// A new partition of a document.
#[derive(Clone, Debug)]
pub struct LineageUpdate {
    /// Name of the document: the URN of an edition without edition and language.
    pub stem: String,
    /// The number of changes that it includes; if another number is wanted meanwhile, it is not stored.
    pub wanted: i64,
    /// Version of the matcher.
    pub matcher: u32,
    /// The partition. Records of comparisons of its editions with others than their neighbours are removed.
    pub partition: Partition,
    /// Retired ids for which a heir was found.
    pub inherited: Vec<Retired>,
}
