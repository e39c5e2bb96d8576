//! Keeps editions and blobs, and shows each caller what grants allow.
//!
//! A [`Store`] is one catalogue in one database (SQLite in a file, or PostgreSQL) with the blobs beside it or in an
//! object store. Blobs are addressed by their digest and never change; the catalogue is all that changes, one
//! transaction at a time. The store never looks into a pack or a picture.
//!
//! What is absent: XML, JSON, HTTP; and a way to read an edition for a caller other than through
//! [`Store::seen_by`].

mod access;
mod blobs;
mod catalogue;
mod codes;
mod engine;
mod entry;
mod error;
mod folder;
mod generation;
mod keys;
mod location;
mod objects;
mod page;
mod pieces;
mod postgres;
mod random;
mod redact;
mod scans;
mod seen;
mod sqlite;
mod store;

pub use access::{
    Day, Grant, Level, MAX_ASSET_URL_LIFETIME, Policy, Scope, SigningKey, Tenant, TokenShape, Viewer,
};
pub use blobs::BlobReader;
pub use catalogue::feed::{Change, State, Subject};
pub use catalogue::maintain::{Kept, Stats};
pub use entry::{Blob, Entry, Outcome, Publication, Related, RelatedKind, Summary};
pub use error::{Error, Result};
pub use location::{Location, Settings};
pub use page::{Key, Listed, Page, Query, Sort};
pub use redact::redacted;
pub use seen::{Found, Seen, Visible};
pub use sqlite::file::make_folder;
pub use store::{Batch, Batches, Collected, Copied, Publications, Store, Verified};
