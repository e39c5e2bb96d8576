//! Earlier revisions of editions: the values that the store takes and gives.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::Digest;

/// Most earlier revisions of an edition of which the catalogue has the names; of the oldest beyond that,
/// nothing is left.
pub const MAX_EARLIER_REVISIONS: i64 = 100;

/// A revision of an edition that another one replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRevision {
    /// Number in the order of the edition's revisions, from 1.
    pub number: i64,
    /// Name of the state of source and derivation, as its publication had it.
    pub revision: String,
    /// The time when another one replaced it.
    pub replaced_at: SystemTime,
    /// What is retained of it.
    pub form: RevisionForm,
    /// Version of the program that derived its units.
    pub deriver: String,
    /// Bytes of its units before compression.
    pub units_size: u64,
    /// The reason why it has no units; empty where it has some.
    pub reason: String,
}

/// What is retained of an earlier revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisionForm {
    /// The source is retained, with what comparisons read of it.
    Retained,
    /// Nothing: the next revision has the same source and pictures.
    SameSource,
    /// Nothing: its source was removed.
    Pruned,
}

/// The retained bytes of an earlier revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetainedRevision {
    /// Number in the order of the edition's revisions, from 1.
    pub number: i64,
    /// Digest of its source.
    pub source: Digest,
    /// Bytes of its source.
    pub source_size: u64,
    /// Digest of the file of each graphic, 32 bytes each; zero bytes where there is no file.
    pub pictures: Bytes,
    /// The source as a difference from that of the next retained revision, or from the present one.
    pub difference: Bytes,
    /// What comparisons read of it.
    pub units: RetainedUnits,
}

/// What comparisons read of an earlier revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetainedUnits {
    /// Version of the program that derived them.
    pub deriver: String,
    /// Bytes of the units before compression.
    pub size: u64,
    /// A difference from those of the next retained revision that has some, or from the present ones.
    pub difference: Bytes,
    /// The reason why there are none; else empty.
    pub reason: String,
}

/// The revision of an edition that a publication replaces.
#[derive(Clone, Debug)]
pub struct ReplacedRevision {
    /// Name of the replaced revision. If the store has another one, the publication is contended.
    pub revision: String,
    /// What is retained of it, unless the publication has the same name.
    pub retained: ReplacedSource,
    /// The units of revisions that are retained already, by their numbers, where they were derived again.
    pub derived_again: Vec<(i64, RetainedUnits)>,
    /// How many revisions are retained, and how long.
    pub limits: RevisionLimits,
}

/// What is retained of a revision that is replaced.
#[derive(Clone, Debug)]
pub enum ReplacedSource {
    /// The new revision has the same source and pictures.
    Same,
    /// The source is to be retained. The store gives it a number; the one here counts for nothing.
    Retained(Box<RetainedRevision>),
    /// Nothing, and nothing of the revisions before it, since its source cannot be read.
    Lost,
}

/// How many earlier revisions of an edition are retained, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RevisionLimits {
    /// Most of them; 0: none.
    pub count: usize,
    /// Time since another one replaced them.
    pub age: Duration,
}
