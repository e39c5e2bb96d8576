//! Errors of a store, distinguished as callers need.

use norma_model::Urn;

use crate::redact::redacted_text;

/// Result of a store's operation.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The reason why a store did not do what was requested. What does not exist is `None` and not an error.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The engine or the object store does not answer, or refuses because it is full; a later attempt may
    /// succeed.
    #[error("the store is unavailable: {tried}: {cause}")]
    Unavailable {
        /// The action that failed.
        tried: String,
        /// The error of the engine.
        cause: String,
    },
    /// Other writers interfered with each attempt; a later one may succeed.
    #[error("other writers were in the way: {0}")]
    Contended(String),
    /// Stored values contradict each other, or a digest does not match its bytes.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// Another document from another origin already has this URN.
    #[error("{urn} is already there from {stored}; the one offered comes from {offered}")]
    Conflict {
        /// The name that both claim.
        urn: Urn,
        /// Origin of the stored document.
        stored: String,
        /// Origin of the refused document.
        offered: String,
    },
    /// The location has no store, and none was to be made.
    #[error("there is no store in {location}: name another one with `--store`, or make it by `norma ingest`")]
    Absent {
        /// The location, without credentials.
        location: String,
    },
    /// The store was made by an earlier version of Norma, and was not to be migrated.
    #[error(
        "the store {location} has schema {found}, this program needs {known}: back it up, then run `norma store migrate`"
    )]
    OlderSchema {
        /// The location of the store, without credentials.
        location: String,
        /// Version of the stored schema.
        found: i64,
        /// Version that this program needs.
        known: i64,
    },
    /// The store was made by a later version of Norma.
    #[error("the store {location} has schema {found}, this program knows {known}: use the newer program")]
    NewerSchema {
        /// The location of the store, without credentials.
        location: String,
        /// Version of the stored schema.
        found: i64,
        /// Version that this program knows.
        known: i64,
    },
    /// The store was made by a version of Norma that was never released.
    #[error(
        "the store {location} has schema {found}, of a version of Norma that was never released: ingest again; move it away or \
         name another store, then ingest the documents and add tenants and grants once more"
    )]
    EarlierSchema {
        /// The location of the store, without credentials.
        location: String,
        /// Version of the stored schema.
        found: i64,
    },
    /// The database has no schema, and none was to be made.
    #[error("the store {location} has no schema: make it with `norma store migrate`")]
    NoSchema {
        /// The location of the store, without credentials.
        location: String,
    },
    /// Another program migrated the store while this one ran, or a backup of another version was restored.
    #[error(
        "the store has schema {found} now, this program was started on {known}: start the version of Norma that fits"
    )]
    SchemaChanged {
        /// Version of the stored schema.
        found: i64,
        /// Version that this program knows.
        known: i64,
    },
    /// The SQLite file was exchanged while it was open.
    #[error(
        "the store {location} was exchanged while it was open: {found}; stop all programs that use it, then start them again"
    )]
    Replaced {
        /// The location of the store, without credentials.
        location: String,
        /// What is there instead.
        found: String,
    },
    /// A write to a store that can only be read.
    #[error(
        "the store can only be read: its file or folder cannot be written; change their modes, or copy the store"
    )]
    ReadOnly,
    /// The request of the caller is not valid: a location, a setting or a value of an operation.
    #[error("{0}")]
    Invalid(String),
}

impl StoreError {
    /// True if the same call may succeed later without a repair of the store.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Contended(_))
    }

    pub(crate) fn unavailable(tried: &str, cause: impl std::fmt::Display) -> Self {
        Self::Unavailable { tried: tried.to_owned(), cause: redacted_text(&cause.to_string()) }
    }

    pub(crate) fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Corrupt(what.to_string())
    }
}
