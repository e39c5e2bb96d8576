//! Store of editions and blobs, with access by grants.
//!
//! A [`Store`] is one catalogue in one database (SQLite in a file, or PostgreSQL) with the blobs next to it
//! or in an object store. Blobs are addressed by their digest and never change; the catalogue is all that
//! changes, one transaction at a time. The store never looks into a pack or a picture.
//!
//! A [`Reader`] is the same store for those who serve it: editions and their bytes come from it only through
//! [`Reader::view_for`], as one viewer may see them.
//!
//! What is absent: XML, JSON, HTTP.

mod access;
mod blob;
mod blobs;
#[cfg(feature = "object-stores")]
mod bucket;
mod cache;
mod catalogue;
mod changes_view;
mod columns;
mod core;
mod earlier;
mod edition_handle;
mod edition_index;
mod edition_order;
mod engine;
mod entry;
mod error;
mod fair;
mod folder;
mod former;
mod lineage;
mod lineage_key;
mod lineage_view;
mod location;
mod objects;
mod page;
mod pieces;
#[cfg(feature = "postgres")]
mod postgres;
mod random;
mod reader;
mod redact;
mod related_view;
mod search_set;
mod snapshot;
mod sort_keys;
mod sqlite;
mod store;
mod transact;
mod turns;
mod view;

pub use access::{
    Day, GivenRights, Grant, GrantScope, Level, MAX_ASSET_URL_LIFETIME, Policy, SigningKey, Tenant,
    TokenShape, Viewer,
};
pub use blob::Blob;
pub use blobs::BlobReader;
pub use cache::cache_of_bytes;
pub use catalogue::feed::CatalogueState;
pub use catalogue::lineage::{PartitionRow, StoredPartition};
pub use catalogue::maintain::{CataloguedEdition, Stats, StoredEdition};
pub use catalogue::schema::Migrated;
pub use changes_view::{ChangePosition, ChangesPage, EditionChangeKind, ListedChange, PresentCause};
pub use earlier::{
    EarlierRevision, MAX_EARLIER_REVISIONS, ReplacedRevision, ReplacedSource, RetainedRevision,
    RetainedUnits, RevisionForm, RevisionLimits,
};
pub use edition_handle::EditionHandle;
pub use edition_index::{IndexedEdition, SlotRows};
pub use edition_order::precedes;
pub use entry::{
    Entry, OperatorNotice, Outcome, ProvisionPosition, Publication, Related, RelatedKind, Summary, derived_by,
};
pub use error::{Result, StoreError};
pub use fair::{current_client, for_client};
pub use former::{Former, ResolvedId};
pub use lineage::{
    Comparable, Correspondence, DocumentEdition, LineageDocument, LineageUpdate, Retired, StoredComparison,
};
pub use lineage_key::LineageKey;
pub use lineage_view::{Lineage, Relative};

pub use location::{Location, StoreOptions};
pub use page::{ListPage, ListRow, MAX_PAGE_ROWS, PageKey, Query, Sort};
pub use reader::Reader;
pub use redact::redacted;
pub use search_set::{BUILDER_LOST, SEARCH_PART, SearchSet, SearchSetFile};
pub use sqlite::file::make_folder;
pub use store::{Batch, Batches, Collected, Copied, GC_GRACE, Publications, Store, Verified};
pub use turns::{Turn, TurnClient, Turns};
pub use view::{CatalogueView, GrantedEdition, Lookup, SearchableEditions};
