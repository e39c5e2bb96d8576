//! Traits that handlers work on: an edition for which the caller has the access that is needed, and the
//! catalogue as the caller may see it. Only the access step of the service implements them.

use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use jiff::Timestamp;
use norma_api::media::{ContentCoding, View};
use norma_api::query::{ListQuery, Position};
use norma_api::shapes::{Lineage, RelatedEdition, StandardSummary, Status};
use norma_model::{Asset, Digest, LineageId, Outline, ProvisionId};

use crate::Failure;
use crate::representation::Body;

/// An edition for which the caller of this request has the access that the operation needs.
pub trait AuthorizedEdition: Send + Sync {
    /// Its canonical URN.
    fn urn(&self) -> &str;
    /// Names the state of its source and derivation.
    fn revision(&self) -> &str;
    /// Whether it is in force.
    fn status(&self) -> Status;
    /// The time when the catalogue last changed for this edition.
    fn updated(&self) -> Option<Timestamp>;
    /// The item of a list for this edition, with the caller's access level.
    fn summary(&self) -> StandardSummary<'_>;
    /// Related editions that the caller may see.
    fn related(&self) -> Vec<RelatedEdition<'static>>;
    /// Whether the request names its canonical URN. Else the answer says which edition was meant.
    fn is_exact(&self) -> bool;
    /// The asset with this digest.
    fn asset(&self, digest: &Digest) -> Option<&Asset>;
    /// The codings in which a view is available, the smallest first.
    fn codings(&self, view: View) -> Vec<ContentCoding>;
    /// A view in one of its codings; of a composed view, these members and those that are always included.
    /// `live_fields` is put in front where the view is sent with members of the catalogue.
    ///
    /// # Errors
    /// The view is not in the store; or the caller may only discover the edition and asks for more than that.
    fn view<'e>(
        &'e self,
        view: View,
        fields: Option<&'e [&'static str]>,
        coding: ContentCoding,
        live_fields: Option<Vec<u8>>,
    ) -> Result<Coded<'e>, Failure>;
    /// This number of levels of the section hierarchy, in JSON.
    fn hierarchy(&self, depth: u32) -> BoxFuture<'_, Result<Bytes, Failure>>;
    /// The index, in which sections, provisions and graphics are found.
    fn index(&self) -> BoxFuture<'_, Result<Arc<dyn EditionLookup>, Failure>>;
    /// Items of a view, by their indexes in ascending order: provisions of [`View::Provisions`], sections of
    /// [`View::Content`] and of [`View::ContentText`]. `front` is the JSON object that the items end, up to
    /// the opening bracket of their list; text has none, and a blank line after each section. Provisions
    /// begin with their lineages, where these are given for all provisions of the edition. Many bytes are in
    /// this coding.
    fn items(
        &self,
        view: View,
        front: Bytes,
        items: (Vec<u32>, Option<Vec<LineageId>>),
        coding: ContentCoding,
    ) -> BoxFuture<'_, Result<Body<'_>, Failure>>;
    /// The provisions among these whose JSON matches, by their indexes in ascending order.
    fn matching(&self, indexes: Vec<u32>, fits: Fits) -> BoxFuture<'_, Result<Vec<u32>, Failure>>;
    /// The JSON of a few provisions, by their indexes.
    fn fragments<'a>(&'a self, indexes: &'a [u32]) -> BoxFuture<'a, Result<Vec<Bytes>, Failure>>;
    /// The JSON of the table at this index of the document order.
    fn table(&self, index: usize) -> BoxFuture<'_, Result<Bytes, Failure>>;
    /// The provision at this index of the document order, with its context and with this lineage.
    fn provision<'a>(
        &'a self,
        index: usize,
        lineage: Option<&'a dyn ProvisionLineage>,
    ) -> BoxFuture<'a, Result<ProvisionContext, Failure>>;
    /// The lineage of the provision with this id and ordinal, with the members in editions that the caller
    /// may read. `None` while the document waits for its lineages to be updated.
    fn lineage(
        &self,
        id: ProvisionId,
        ordinal: usize,
    ) -> BoxFuture<'_, Result<Option<Box<dyn ProvisionLineage>>, Failure>>;
    /// The lineages of all its provisions; `None` while the document waits for them to be updated.
    fn lineages(&self) -> BoxFuture<'_, Result<Option<Lineages>, Failure>>;
    /// Their state alone.
    fn lineage_state(&self) -> BoxFuture<'_, Result<Option<String>, Failure>>;
    /// The bytes of one of its assets, to be read piece by piece.
    fn asset_bytes<'a>(&'a self, asset: &'a Asset) -> BoxFuture<'a, Result<Arc<dyn StoredPieces>, Failure>>;
}

/// Whether the JSON of a provision fits.
pub type Fits = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// A provision and its context, each as JSON.
pub struct ProvisionContext {
    /// The provision.
    pub provision: Bytes,
    /// Its section, as in the content.
    pub section: Bytes,
    /// The names of the sections around it, outermost first.
    pub ancestors: Vec<String>,
    /// Its lineage.
    pub lineage: Option<Lineage<'static>>,
}

/// The lineages of the provisions of an edition.
pub struct Lineages {
    /// The state of the lineages of the document.
    pub state: String,
    /// Their ids, in document order.
    pub ids: Vec<LineageId>,
}

/// The lineage of a provision, before the labels of its members are read.
pub trait ProvisionLineage: Send + Sync {
    /// Name of the state of its members: the same state gives the same answer.
    fn state(&self) -> String;
    /// Most bytes of memory for reading the labels.
    fn memory(&self) -> u64;
    /// The lineage with the labels of its members. It fails where one of these cannot be read: without the
    /// label, the answer would be another one under the same entity tag.
    fn labelled(&self) -> BoxFuture<'_, Result<Lineage<'static>, Failure>>;
}

/// The index of an edition, which finds by id, number and reference.
pub trait EditionLookup: Send + Sync {
    /// Sections, provisions, tables and terms.
    fn outline(&self) -> &Outline;
    /// Digests of the files of the graphics that a reference means, in document order; `None` where the
    /// package had no file.
    fn pictures(&self, reference: &str) -> Vec<Option<Digest>>;
}

/// A view in one coding, whose bytes are not read yet.
pub struct Coded<'e> {
    /// The text of a strong entity tag for these bytes, without quotes.
    pub tag: String,
    /// The bytes.
    pub body: Body<'e>,
}

/// Stored bytes that are read piece by piece.
pub trait StoredPieces: Send + Sync {
    /// Most bytes of memory for reading and sending them.
    fn memory(&self) -> usize;
    /// The bytes from `at` to the end of their piece; empty only at the end.
    fn piece_from(&self, at: u64) -> BoxFuture<'_, Result<Bytes, Failure>>;
}

/// The catalogue as the caller of this request may see it.
pub trait Catalogue: Send + Sync {
    /// A page of the list.
    fn list<'a>(&'a self, query: &'a ListQuery) -> BoxFuture<'a, Result<Box<dyn StandardsPage>, Failure>>;
}

/// A page of the list of standards.
pub trait StandardsPage: Send {
    /// Its items.
    fn items(&self) -> Vec<StandardSummary<'_>>;
    /// The begin of the next page; `None` at the end.
    fn next(&self) -> Option<&Position>;
    /// Number of standards that match the filters.
    fn total(&self) -> u64;
}
