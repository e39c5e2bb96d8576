//! Reads: what each operation of the API answers its caller, from what the store grants them.
//!
//! [`answer`] calls one function for each operation, in a file of its own. From top to bottom it authorizes
//! by one call of [`access`](Access), reads, and shapes a [`Representation`]. No other module looks editions
//! up. The service gives the caller's view of the catalogue, and sends the representation.

mod access;
mod as_of;
mod asset;
mod asset_url;
mod body;
mod call;
mod changes;
mod citations;
mod comparison;
mod content;
mod edition;
mod failed;
mod failure;
mod gzip;
mod hierarchy;
mod in_flight;
mod instructions;
mod json;
mod limits;
mod list;
mod migrate;
mod operations;
mod pair_side;
mod provision;
mod provisions;
mod quotations;
mod representation;
mod resolve;
mod revision_failure;
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
pub use changes::CHANGES_RETAINED;
pub use comparison::{ComparedPair, Comparisons, whole, whole_counts, whole_parts};
pub use edition::StoredPieces;
pub use failed::failed;
pub use failure::{Failure, nothing_here};
pub use gzip::{GzipPieces, gzip};
pub use in_flight::{BytesInFlight, CLIENT_SHARES, RequestMemory, Share, reserve_whole};
pub use limits::{
    MAX_ASSET_REFERENCES, MAX_CITATIONS, MAX_MIGRATED_IDS, MAX_QUOTATION_CHARACTERS, MAX_QUOTATIONS,
    ReadLimits,
};
pub use migrate::MigrationFrom;
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
    /// The operation that the target names.
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
    let mut values = Vec::new();
    for value in headers.get_all(name) {
        // A value with other bytes than visible ASCII means nothing here.
        values.extend(value.to_str().ok());
    }
    if values.is_empty() { None } else { Some(values.join(",")) }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};

    use super::*;

    #[test]
    fn headers_of_one_name_are_one_list_and_bytes_that_are_no_text_are_left_out() {
        let mut headers = HeaderMap::new();
        assert_eq!(list_of(&headers, header::ACCEPT), None);
        headers.append(header::ACCEPT, HeaderValue::from_bytes(&[0xff]).unwrap());
        assert_eq!(list_of(&headers, header::ACCEPT), None);
        headers.append(header::ACCEPT, HeaderValue::from_static("text/plain"));
        headers.append(header::ACCEPT, HeaderValue::from_static("a/b;q=0.5, c/d"));
        assert_eq!(list_of(&headers, header::ACCEPT).as_deref(), Some("text/plain,a/b;q=0.5, c/d"));
    }
}
