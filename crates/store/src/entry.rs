//! Publications and catalogue entries: the input and output values of a store.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use norma_model::{
    Asset, Digest, EditionParts, Identifier, Lang, PartialDate, ProvisionId, Relation, RelationKind,
    StandardType, Status, Supplement, Urn,
};

use crate::blob::{Blob, BlobRow};
use crate::earlier::ReplacedRevision;
use crate::edition_order;

/// The fields of an edition in a list, as its source states them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The edition's name; its part after `ed-` is the edition.
    pub urn: Urn,
    /// Designation with its date: `ISO 17301-1:2016`.
    pub reference: String,
    /// Title in the main language.
    pub title: String,
    /// Name of the publisher as the document writes it: `ISO`, `DIN`.
    pub publisher: String,
    /// Number without part: `17301` of `ISO 17301-1:2016`.
    pub number: String,
    /// Part, if it is one of several: `1` of `ISO 17301-1:2016`.
    pub part: Option<String>,
    /// The supplement, if it is one.
    pub supplement: Option<Supplement>,
    /// Languages of the text, the main one first; never empty.
    pub languages: Vec<Lang>,
    /// Kind of the document, such as standard, guide or amendment.
    pub kind: StandardType,
    /// The date of its publication.
    pub published_on: Option<PartialDate>,
    /// Codes of the International Classification for Standards, without repeats.
    pub ics: Vec<String>,
}

impl From<&EditionParts> for Summary {
    fn from(edition: &EditionParts) -> Self {
        let metadata = &edition.metadata;
        Self {
            urn: edition.urn.clone(),
            reference: metadata.reference.clone(),
            title: metadata.title().map(|title| title.full.clone()).unwrap_or_default(),
            publisher: metadata.publisher.clone(),
            number: metadata.number.clone(),
            part: metadata.part.clone(),
            supplement: metadata.supplement.clone(),
            languages: metadata.languages.clone(),
            kind: metadata.standard_type,
            published_on: metadata.published_on(),
            ics: edition.ics.iter().map(|ics| ics.code.clone()).collect(),
        }
    }
}

/// One edition to publish, with everything that was derived from its source.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The fields of lists.
    pub summary: Summary,
    /// The status of the source when it was made: draft, published or withdrawn.
    pub status: Status,
    /// True if the text is in a language in which it was written, as far as the source says; otherwise it is
    /// a translation.
    pub original: bool,
    /// True if an operator gave the URN; otherwise the source does.
    pub urn_given: bool,
    /// The URN under which the edition is stored, if it is another one. In the same transaction it becomes an
    /// alias, and grants, tables of correspondence and retired ids name the new URN.
    pub former_urn: Option<Urn>,
    /// Digest of the document as it came.
    pub source: Digest,
    /// Bytes of the source before compression.
    pub source_size: u64,
    /// Version of the program that made the pack.
    pub deriver: String,
    /// Name of this state of source and derivation; part of every ETag.
    pub revision: String,
    /// The origin of the document, for people: a path or an address.
    pub origin: String,
    /// Other names that resolve to this edition.
    pub aliases: Vec<Identifier>,
    /// Relations to other documents; replacements, amendments and adoptions are also found in reverse.
    pub relations: Vec<Relation>,
    /// Ids of the provisions, in document order.
    pub provisions: Vec<ProvisionId>,
    /// Ids of provisions that it no longer has when it replaces another state of the edition. Each has the id
    /// of its own provision that continues its lineage.
    pub successors: Vec<(ProvisionId, ProvisionId)>,
    /// The revision that it replaces, and what is retained of it. Where it is absent, the name of a replaced
    /// revision is stored and nothing else.
    pub replaced: Option<ReplacedRevision>,
    /// Everything derived from the document, in one blob, which the store does not parse.
    pub pack: Blob,
    /// The values that the reader of the pack needs first, stored in the catalogue with the entry.
    pub directory: Bytes,
    /// Files of the graphics, each with the digest of its bytes.
    pub assets: Vec<Asset>,
    /// The bytes of the assets, except those that [`Store::stage_blobs`](crate::Store::stage_blobs) already
    /// put.
    pub pictures: Vec<Blob>,
    /// True if it may replace a document from another origin under the same URN.
    pub replace: bool,
    /// True if it is published even where it is stored unchanged, and lost or damaged blobs are put again.
    pub repair: bool,
}

impl Publication {
    /// The URNs under which the edition is stored, before and after.
    pub(crate) fn urns(&self) -> impl Iterator<Item = &Urn> {
        std::iter::once(&self.summary.urn).chain(&self.former_urn)
    }

    /// Bytes of its blobs.
    pub(crate) fn bytes(&self) -> u64 {
        self.pack.size() + self.pictures.iter().map(Blob::size).sum::<u64>()
    }
}

/// The result of publishing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The edition was not there before.
    Created,
    /// The edition was there with another source or derivation.
    Replaced {
        /// The revision that it had.
        previous: String,
    },
    /// The same source was there with the same derivation.
    Unchanged,
}

/// What an operator says to callers of a withdrawal or recall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorNotice {
    /// When the edition was withdrawn or recalled.
    pub at: SystemTime,
    /// The text; may be empty.
    pub text: String,
}

/// A stored edition as the catalogue knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The fields of lists.
    pub summary: Summary,
    /// The status as of now, which the other editions of the document decide too.
    pub status: Status,
    /// State of source and derivation.
    pub revision: String,
    /// The time when the catalogue last changed for it.
    pub updated: SystemTime,
    /// Digest of the document as it came.
    pub source: Digest,
    /// Bytes of the source before compression.
    pub source_size: u64,
    /// [Version of the program](derived_by) that made the pack, and perhaps a mark after a comma.
    pub deriver: String,
    /// The origin of the document.
    pub origin: String,
    /// Digest of the pack.
    pub pack: Digest,
    /// The values that the reader of the pack needs first.
    pub directory: Bytes,
    /// Files of the graphics, by digest.
    pub assets: Vec<Asset>,
    /// The reason of its recall, if it was recalled.
    pub recalled: Option<String>,
    /// What callers are shown of its withdrawal or recall by the operator.
    pub notice: Option<OperatorNotice>,
    /// The row of its pack.
    pub(crate) pack_row: Arc<BlobRow>,
    /// Key in the order of the editions of the document.
    pub(crate) edition_key: String,
}

/// The version of the program that derived an edition, from the deriver that is stored for it: without the
/// mark that a rebuild puts behind it.
///
/// ```
/// assert_eq!(norma_store::derived_by("12"), "12");
/// assert_eq!(norma_store::derived_by("12, to be rebuilt by 13"), "12");
/// ```
pub fn derived_by(deriver: &str) -> &str {
    deriver.split_once(',').map_or(deriver, |(version, _)| version)
}

impl Entry {
    /// True if it comes [before](crate::precedes) another stored edition. Of one document, all editions of it
    /// in the store decide.
    pub fn precedes(&self, other: &Self) -> bool {
        let (a, b) = (&self.summary, &other.summary);
        if a.urn.document_urn() != b.urn.document_urn() {
            let named = |one: &Summary| (one.urn.clone(), one.published_on.clone());
            return edition_order::precedes(&named(a), &named(b));
        }
        let key = |one: &Self| {
            let date = one.summary.published_on.as_ref().map(|date| date.as_str().to_owned());
            (one.edition_key.clone(), date, one.summary.urn.as_str().to_owned())
        };
        key(self) < key(other)
    }

    /// The asset with this digest.
    pub fn asset(&self, digest: &Digest) -> Option<&Asset> {
        self.assets.binary_search_by(|a| a.digest.cmp(digest)).ok().map(|p| &self.assets[p])
    }
}

/// The position of a provision among those of its edition, in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvisionPosition {
    /// Number of provisions before it.
    pub index: usize,
    /// The provision before it.
    pub previous: Option<ProvisionId>,
    /// The provision after it.
    pub next: Option<ProvisionId>,
}

impl ProvisionPosition {
    /// The position of the provision with this index in a list of ids, and its id.
    pub(crate) fn of(ids: &[ProvisionId], index: usize) -> Option<(ProvisionId, Self)> {
        let at = |index: usize| ids.get(index).copied();
        let position = Self { index, previous: index.checked_sub(1).and_then(at), next: at(index + 1) };
        Some((at(index)?, position))
    }
}

/// The relation of one edition of the catalogue to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelatedKind {
    /// The other replaces it.
    ReplacedBy,
    /// The other changes it in part.
    AmendedBy,
    /// The other adopts it.
    AdoptedAs,
    /// It replaces the other.
    Replaces,
    /// It changes the other in part.
    Amends,
    /// It adopts the other.
    Adopts,
    /// The other is another edition of the same standard.
    Edition,
    /// The other is the same edition in another language.
    Translation,
}

/// Another edition that has a relation to one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Related {
    /// What the other edition is to this one.
    pub kind: RelatedKind,
    /// URN of the other edition.
    pub urn: Urn,
    /// Designation of the other edition.
    pub reference: String,
}

/// The relations that are looked up in reverse.
pub(crate) fn reverse(kind: RelationKind) -> Option<RelatedKind> {
    match kind {
        RelationKind::Replaces => Some(RelatedKind::ReplacedBy),
        RelationKind::Amends => Some(RelatedKind::AmendedBy),
        RelationKind::Adopts => Some(RelatedKind::AdoptedAs),
        RelationKind::NormativeReference | RelationKind::InformativeReference | RelationKind::Related => None,
    }
}

/// An entry as it is cached, with its relations, not yet filtered by grants.
#[derive(Debug)]
pub(crate) struct CachedEntry {
    pub(crate) entry: Arc<Entry>,
    pub(crate) related: Vec<(Related, Vec<String>)>,
    /// The recalled editions that would supersede it, each as URN and ICS codes.
    pub(crate) recalled_successors: Vec<(String, Vec<String>)>,
}

#[cfg(test)]
impl Publication {
    /// An edition without content.
    pub(crate) fn empty(urn: &str) -> Self {
        let urn: Urn = urn.parse().expect("a test writes valid URNs");
        let nothing = crate::Blob::default();
        Self {
            summary: Summary {
                reference: urn.as_str().to_uppercase(),
                title: String::new(),
                publisher: urn.publisher().to_uppercase(),
                number: urn.number().to_owned(),
                part: None,
                supplement: None,
                languages: urn.languages(),
                kind: StandardType::Is,
                published_on: None,
                ics: Vec::new(),
                urn,
            },
            status: Status::Published,
            urn_given: false,
            former_urn: None,
            original: true,
            source: nothing.digest(),
            source_size: 0,
            deriver: String::new(),
            revision: String::new(),
            origin: String::new(),
            aliases: Vec::new(),
            relations: Vec::new(),
            provisions: Vec::new(),
            successors: Vec::new(),
            replaced: None,
            pack: nothing,
            directory: Bytes::new(),
            assets: Vec::new(),
            pictures: Vec::new(),
            replace: false,
            repair: false,
        }
    }
}
