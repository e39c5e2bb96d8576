//! The bytes behind a signed URL: it needs no token, and what it stands for is checked anew at each use.

use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::IntoResponse;
use bytes::Bytes;
use jiff::Timestamp;
use norma_api::problem::Code;
use norma_model::{Asset, Digest, Identifier, Urn};
use norma_store::{Day, Entry, Found, Level, Viewer};

use super::ticket::Ticket;
use crate::http::body::{self, StoredBody};
use crate::http::deliver::{Answer, Ask, no_parameters};
use crate::http::etag::{Condition, ETag, condition};
use crate::http::path::Signed;
use crate::http::problem::Failure;
use crate::http::range::{Wanted, wanted};
use crate::http::trace::Notes;
use crate::state::Shared;

/// Sends them, or the range of them that is asked for.
pub(in crate::http) async fn bytes(
    State(app): State<Arc<Shared>>,
    Signed(signed): Signed,
    Ask(request): Ask,
) -> Answer {
    no_parameters(&request)?;
    let now = app.now();
    let ticket = admitted(&app, &signed, &request, now).await?;
    let digest = Digest::from_bytes(ticket.digest);
    let seconds_left = ticket.expires - now.as_second();
    let entry = readable(&app, ticket, now).await?;
    let asset = entry.asset(&digest).ok_or_else(gone)?;
    send(&app, asset, seconds_left, &request).await
}

/// What the URL says, when we signed it, it has not expired and its caller is not suspended.
async fn admitted(app: &Shared, signed: &str, request: &Parts, now: Timestamp) -> Result<Ticket, Failure> {
    let policy = app.store.policy().await?;
    let ticket = Ticket::open(signed, &policy.signing_keys)
        .ok_or_else(|| Failure::new(Code::AssetUrlInvalid, "The signature does not fit this URL."))?;
    let notes = Notes::of(&request.extensions);
    notes.caller(&ticket.tenant, &ticket.client);
    notes.standard(ticket.urn.as_str().into());
    if ticket.expires <= now.as_second() {
        let detail = "This URL has expired; resolve the reference again.";
        return Err(Failure::new(Code::AssetUrlExpired, detail));
    }
    if policy.is_suspended(&ticket.tenant, &ticket.client) {
        return Err(Failure::new(Code::CallerSuspended, "This tenant or client is suspended."));
    }
    Ok(ticket)
}

/// The edition, as the caller to whom the URL was given may read it now: grants and recalls may have changed since.
async fn readable(app: &Shared, ticket: Ticket, now: Timestamp) -> Result<Arc<Entry>, Failure> {
    let viewer = Viewer { tenant: ticket.tenant, client: ticket.client, today: Day::of(now.into()) };
    let urn: Urn = ticket.urn.parse().map_err(|e| Failure::internal(&e))?;
    match app.store.seen_by(&viewer).await?.find(&Identifier::Urn(urn), &[]).await? {
        Some(Found::Edition(visible)) if visible.level() >= Level::Read => Ok(visible.entry().clone()),
        Some(Found::Recalled { .. }) => {
            let detail = "The standard of this asset has been recalled.";
            Err(Failure::new(Code::StandardRecalled, detail))
        }
        _ => Err(gone()),
    }
}

fn gone() -> Failure {
    Failure::new(Code::AssetUrlInvalid, "This URL is no longer good.")
}

/// Bytes of an asset, whole or in part, under headers that keep a browser from running anything in it.
async fn send(app: &Shared, asset: &Asset, seconds_left: i64, request: &Parts) -> Answer {
    let tag = ETag::new(&[&asset.digest.hex()]);
    let mut response = match condition(&request.headers, &tag, None) {
        Condition::Failed => {
            let detail = "The asset is not the one that the precondition names.";
            return Err(Failure::new(Code::PreconditionFailed, detail));
        }
        Condition::NotModified => StatusCode::NOT_MODIFIED.into_response(),
        Condition::Send => body(app, asset, &tag, request).await?,
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, ascii(tag.as_str())?);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CACHE_CONTROL, ascii(&format!("private, max-age={seconds_left}, immutable"))?);
    for (name, value) in GUARDS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    Ok(response)
}

async fn body(app: &Shared, asset: &Asset, tag: &ETag, request: &Parts) -> Answer {
    // A range is for GET only (RFC 9110, section 14.2).
    let wanted = match request.method {
        Method::GET => wanted(&request.headers, tag.as_str(), asset.size),
        _ => Wanted::Whole,
    };
    let mut response = match wanted {
        Wanted::Nothing => {
            let detail = format!("The asset has {} bytes; the range lies beyond them.", asset.size);
            return Err(Failure::new(Code::RangeNotSatisfiable, detail)
                .with(header::CONTENT_RANGE, format!("bytes */{}", asset.size)));
        }
        Wanted::Whole => stored(app, asset, 0..asset.size, request).await?,
        Wanted::Part(start, end) => {
            let mut response = stored(app, asset, start..end, request).await?;
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let range = format!("bytes {start}-{}/{}", end - 1, asset.size);
            response.headers_mut().insert(header::CONTENT_RANGE, ascii(&range)?);
            response
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, ascii(&asset.media_type)?);
    headers.insert(header::CONTENT_DISPOSITION, ascii(&disposition(asset))?);
    Ok(response)
}

/// An answer with these bytes of an asset.
async fn stored(app: &Shared, asset: &Asset, range: Range<u64>, request: &Parts) -> Answer {
    let body = async {
        let blob = app.store.blob_reader(&asset.digest).await?.ok_or_else(lost)?;
        blob.has_size(asset.size)?;
        Ok(StoredBody { front: Bytes::new(), blob, range: range.clone(), end: Bytes::new() })
    };
    body::response(request, range.end - range.start, body).await
}

/// An SVG picture can hold script: in this sandbox it cannot run, and it can load nothing.
const GUARDS: [(&str, &str); 4] = [
    ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "cross-origin"),
];

/// Pictures that browsers show are shown; anything else is saved.
fn disposition(asset: &Asset) -> String {
    let shown = asset.media_type.starts_with("image/");
    let extension =
        asset.media_type.rsplit(['/', '.']).next().unwrap_or("bin").split('+').next().unwrap_or("bin");
    let name = format!("{}.{extension}", &asset.digest.hex()[..16]);
    format!("{}; filename=\"{name}\"", if shown { "inline" } else { "attachment" })
}

fn lost() -> Failure {
    Failure::new(Code::AssetNotFound, "The bytes of this asset are not in the store.")
}

/// What is sent here is ASCII by construction; a media type in the store that is not is the store's damage.
fn ascii(value: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::from_str(value).map_err(|error| Failure::internal(&error))
}
