//! Reads: what each operation of the API answers its caller, from what the store grants them.
//!
//! [`answer`] calls one function for each operation, in a file of its own. From top to bottom it authorizes
//! by one call of [`access`](Access), reads, and shapes a [`Representation`]. No other module looks editions
//! up. The service gives the caller's view of the catalogue, and sends the representation.

mod access;
mod asset;
mod asset_url;
mod body;
mod call;
mod comparison;
mod content;
mod edition;
mod failed;
mod failure;
mod gzip;
mod hierarchy;
mod in_flight;
mod json;
mod limits;
mod list;
mod migrate;
mod operations;
mod pair_side;
mod provision;
mod provisions;
mod representation;
mod resolve;
mod search;
mod sections;
mod selection;
mod services;
mod setting_rules;
mod slots;
mod summary;
mod table;
mod tag;
mod views;
mod word_filter;

pub use access::{Access, RequestedStandards};
pub use asset::asset;
pub use asset_url::AssetTicket;
pub use body::{Body, MAX_BUFFERED};
pub use call::{Arguments, Call, ReadCall, ServiceDocument};
pub use comparison::{ComparedPair, Comparisons, whole, whole_counts, whole_parts};
pub use edition::StoredPieces;
pub use failed::failed;
pub use failure::{Failure, nothing_here};
pub use gzip::{GzipPieces, gzip};
pub use in_flight::{BytesInFlight, CLIENT_SHARES, RequestMemory, Share, reserve_whole};
pub use limits::{MAX_ASSET_REFERENCES, MAX_MIGRATED_IDS, ReadLimits};
pub use operations::answer;
pub use representation::Representation;
pub use services::ReadState;
pub use setting_rules::check_settings;
pub use slots::{ClientSlots, Slots, slots_per_tenant};
pub use tag::{digest, tag};

use jiff::Timestamp;
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
    /// The URL of the service as callers reach it, for links and URLs of assets.
    pub public_url: &'r str,
    /// The path of the public URL, without slash at the end.
    pub base_path: &'r str,
    /// The time of the request.
    pub now: Timestamp,
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
