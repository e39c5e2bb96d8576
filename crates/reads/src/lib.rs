//! Handlers: what the operations of the API on editions and lists answer.
//!
//! A handler gets an [`AuthorizedEdition`], an [`AuthorizedPair`], or the [`Catalogue`] as its caller may see
//! it, and gives a [`Representation`]. This crate does not know the store: who implements these traits
//! decides what a caller may see, and no handler has another way to an edition.

mod assets;
mod call;
mod catalogue;
mod comparison;
mod content;
mod convert;
mod edition;
mod failed;
mod failure;
mod gzip;
mod in_flight;
mod list;
mod migrate;
mod provisions;
mod representation;
mod search;
mod services;
mod slots;
mod tables;
mod traits;
mod views;

pub use assets::{AssetUrls, asset, resolve};
pub use call::{Arguments, Call, RequestedPart, ServiceDocument};
pub use catalogue::GrantedCatalogue;
pub use comparison::{
    AuthorizedPair, ComparedPair, Comparisons, EditionPair, PageSize, PairSide, comparison, whole,
    whole_counts, whole_parts,
};
pub use content::{members_of_head, of_depth};
pub use edition::{Authorized, labelled};
pub use failed::{failed, unlicensed};
pub use failure::{Failure, nothing_here, provision_not_found};
pub use gzip::{GzipPieces, gzip};
pub use in_flight::{BytesInFlight, CLIENT_SHARES, RequestMemory, Share, reserve_whole};
pub use list::list;
pub use migrate::{AuthorizedMigration, Migration, PairComparisons, migrate};
pub use provisions::provision;
pub use representation::{Body, MAX_BUFFERED, Representation, VERSION, digest, json, tag};
pub use search::{AuthorizedSearch, GrantedSearch, search};
pub use services::{ReadState, RequestServices};
pub use slots::{ClientSlots, Slots, slots_per_tenant};
pub use traits::{
    AuthorizedEdition, Catalogue, Coded, EditionLookup, Fits, Lineages, ProvisionContext, ProvisionLineage,
    StandardsPage, StoredPieces,
};
pub use views::part;

use norma_api::{ContentCoding, Operation};

/// The head of a request with a target and media type that match the table of operations.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// The operation.
    pub operation: Operation,
    /// The head as it was sent.
    pub head: &'r http::request::Parts,
    /// The request's id, for problems within an answer.
    pub id: &'r str,
    /// The path of the service's public URL, without slash at the end.
    pub base_path: &'r str,
}

impl Request<'_> {
    /// The query as sent.
    fn query(&self) -> &str {
        self.head.uri.query().unwrap_or_default()
    }

    /// The coding in which the caller wants an answer that can be compressed.
    fn coding(&self) -> ContentCoding {
        let accept = self.list(http::header::ACCEPT_ENCODING);
        ContentCoding::negotiate(accept.as_deref(), &[ContentCoding::Gzip, ContentCoding::Identity])
    }

    /// The values of a header, joined as a list; `None` if it was not sent.
    fn list(&self, name: http::HeaderName) -> Option<String> {
        list_of(&self.head.headers, name)
    }
}

/// The values of a header that is a list, joined; `None` if it was not sent.
pub fn list_of(headers: &http::HeaderMap, name: http::HeaderName) -> Option<String> {
    let values: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    (!values.is_empty()).then(|| values.join(","))
}
