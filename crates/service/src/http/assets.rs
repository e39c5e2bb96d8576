//! `POST /standards/{id}/assets/resolve`, and the URLs that it gives out.
//!
//! A URL is signed over edition, digest, tenant, client and expiry with a key that is kept with the store; it needs no
//! token, and what it stands for is checked anew at each use.

use std::sync::Arc;

use aws_lc_rs::hmac;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use http_body_util::LengthLimitError;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::problem::{Code, Problem};
use norma_api::shapes::{ResolveAnswer, ResolveItem, ResolveRequest, ResolvedAsset, UnresolvedAsset};
use norma_model::{Asset, Digest, Identifier, Urn};
use norma_store::{Day, Found, Level, SigningKey, Viewer};
use serde::{Deserialize, Serialize};

use super::access::Caller;
use super::deliver::{Answer, Ask, json, media, no_parameters};
use super::edition::Edition;
use super::etag::{Condition, ETag, condition};
use super::path::{Signed, StandardId};
use super::problem::Failure;
use super::range::{Wanted, wanted};
use super::trace::Notes;
use crate::app::App;
use crate::render::Index;

/// Turns references into URLs.
pub(super) async fn resolve(caller: Caller, StandardId(id): StandardId, request: Request) -> Answer {
    let (request, body) = request.into_parts();
    no_parameters(&request)?;
    media(&request, Operation::ResolveAssets)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    let instance = super::trace::id_of(&request.extensions);
    let body = json_body(caller.app(), &request, body).await?;
    let asked = ResolveRequest::parse(&body, caller.app().settings.limits.max_asset_references)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let index = edition.index().await?;
    let signer = Signer::new(&caller).await?;
    let resolved = |reference: &str| resolve_one(&edition, &index, &signer, reference);
    let body = match &asked {
        ResolveRequest::One { reference } => json(&resolved(reference)?)?,
        ResolveRequest::Many { references } => {
            let item = |reference: &String| match resolved(reference) {
                Ok(asset) => ResolveItem::Resolved(asset),
                Err(failure) => ResolveItem::Unresolved(UnresolvedAsset {
                    reference: reference.clone().into(),
                    problem: failure.problem(&instance),
                }),
            };
            json(&ResolveAnswer { items: references.iter().map(item).collect() })?
        }
    };
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The bytes behind a signed URL.
pub(super) async fn bytes(State(app): State<Arc<App>>, Signed(signed): Signed, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    let now = app.now();
    let policy = app.store.policy().await?;
    let ticket = Ticket::open(&signed, &policy.signing_keys)
        .ok_or_else(|| Failure::new(Code::AssetUrlInvalid, "The signature does not fit this URL."))?;
    let notes = Notes::of(&request.extensions);
    notes.caller(&ticket.tenant, &ticket.client);
    notes.standard(&ticket.urn);
    if ticket.expires <= now.as_second() {
        return Err(Failure::new(
            Code::AssetUrlExpired,
            "This URL has expired; resolve the reference again.",
        ));
    }
    if policy.is_suspended(&ticket.tenant, &ticket.client) {
        return Err(Failure::new(Code::CallerSuspended, "This tenant or client is suspended."));
    }
    let viewer = Viewer { tenant: ticket.tenant, client: ticket.client, today: Day::of(now.into()) };
    let urn: Urn = ticket.urn.parse().map_err(|e| Failure::internal(&e))?;
    // Grants and recalls may have changed since the URL was given out.
    let found = app.store.seen_by(&viewer).await?.find(&Identifier::Urn(urn), &[]).await?;
    let gone = || Failure::new(Code::AssetUrlInvalid, "This URL is no longer good.");
    let entry = match found {
        Some(Found::Edition(visible)) if visible.level() >= Level::Read => visible.entry().clone(),
        Some(Found::Recalled { .. }) => {
            return Err(Failure::new(
                Code::StandardRecalled,
                "The standard of this asset has been recalled.",
            ));
        }
        _ => return Err(gone()),
    };
    let digest = Digest::from_bytes(ticket.digest);
    let asset = entry.asset(&digest).ok_or_else(gone)?;
    send(&app, asset, ticket.expires - now.as_second(), &request).await
}

/// Bytes of an asset, whole or in part, under headers that keep a browser from running anything in it.
async fn send(app: &App, asset: &Asset, seconds_left: i64, request: &Parts) -> Answer {
    let tag = ETag::new(&[&asset.digest.hex()]);
    let outcome = condition(&request.headers, &tag, None);
    // A range is for GET only (RFC 9110, section 14.2).
    let wanted = match request.method {
        Method::GET => wanted(&request.headers, tag.as_str(), asset.size),
        _ => Wanted::Whole,
    };
    let mut response = match (outcome, wanted) {
        (Condition::Failed, _) => {
            let detail = "The asset is not the one that the precondition names.";
            return Err(Failure::new(Code::PreconditionFailed, detail));
        }
        (Condition::NotModified, _) => status(StatusCode::NOT_MODIFIED, Bytes::new()),
        (Condition::Send, Wanted::Nothing) => {
            let detail = format!("The asset has {} bytes; the range lies beyond them.", asset.size);
            return Err(Failure::new(Code::RangeNotSatisfiable, detail)
                .with(header::CONTENT_RANGE, format!("bytes */{}", asset.size)));
        }
        (Condition::Send, Wanted::Whole) => status(StatusCode::OK, stored(app, asset).await?),
        (Condition::Send, Wanted::Part(start, end)) => {
            let part = stored(app, asset).await?.slice(start as usize..end as usize);
            let mut response = status(StatusCode::PARTIAL_CONTENT, part);
            let range = format!("bytes {start}-{}/{}", end - 1, asset.size);
            response.headers_mut().insert(header::CONTENT_RANGE, ascii(&range));
            response
        }
    };
    let headers = response.headers_mut();
    if outcome == Condition::Send {
        headers.insert(header::CONTENT_TYPE, ascii(&asset.media_type));
        headers.insert(header::CONTENT_DISPOSITION, ascii(&disposition(asset)));
    }
    headers.insert(header::ETAG, ascii(tag.as_str()));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CACHE_CONTROL, ascii(&format!("private, max-age={seconds_left}, immutable")));
    for (name, value) in GUARDS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    Ok(response)
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

async fn stored(app: &App, asset: &Asset) -> Result<Bytes, Failure> {
    let lost = || Failure::new(Code::AssetNotFound, "The bytes of this asset are not in the store.");
    app.store.blob(&asset.digest).await?.ok_or_else(lost)
}

fn status(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
}

fn ascii(value: &str) -> HeaderValue {
    HeaderValue::from_str(value).unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"))
}

async fn json_body(app: &App, request: &Parts, body: Body) -> Result<Bytes, Failure> {
    let kind = request.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Failure::new(Code::UnsupportedMediaType, "The body must be `application/json`."));
    }
    let most = app.settings.http.max_body_size.in_memory();
    axum::body::to_bytes(body, most).await.map_err(|error| {
        match std::error::Error::source(&error).is_some_and(|e| e.is::<LengthLimitError>()) {
            true => Failure::new(Code::BodyTooLarge, format!("The body may have {most} bytes at most.")),
            false => Failure::new(Code::InvalidBody, "The body broke off."),
        }
    })
}

fn resolve_one(
    edition: &Edition,
    index: &Index,
    signer: &Signer,
    reference: &str,
) -> Result<ResolvedAsset<'static>, Failure> {
    let refuse = |detail: String| Failure::new(Code::AssetNotFound, detail);
    let mut named = index.pictures_named(reference).peekable();
    if named.peek().is_none() {
        return Err(refuse(format!("{} has no graphic `{reference}`.", edition.urn())));
    }
    let digest = named.find_map(|picture| picture.digest).ok_or_else(|| {
        refuse(format!(
            "The file of graphic `{reference}` was missing from the package of {}.",
            edition.urn()
        ))
    })?;
    let digest = Digest::from_bytes(digest);
    let asset =
        edition.entry().asset(&digest).ok_or_else(|| refuse(format!("`{reference}` has no stored file.")))?;
    let url = signer.url(edition.urn(), &digest);
    Ok(ResolvedAsset {
        reference: reference.to_owned().into(),
        url: url.into(),
        expires_at: signer.expires.to_string().into(),
        media_type: asset.media_type.clone().into(),
        size: asset.size,
        width: asset.dimensions.map(|(width, _)| width),
        height: asset.dimensions.map(|(_, height)| height),
        digest: digest.to_string().into(),
    })
}

/// Makes URLs for one caller at one moment.
struct Signer {
    key: SigningKey,
    public_url: String,
    viewer: Viewer,
    expires: Timestamp,
}

impl Signer {
    async fn new(caller: &Caller) -> Result<Self, Failure> {
        let app = caller.app();
        let policy = app.store.policy().await?;
        let key = policy.signing_keys.first().cloned().ok_or_else(|| {
            Failure::new(Code::Unavailable, "The store has no key to sign asset URLs with yet.")
                .with(header::RETRY_AFTER, "2")
        })?;
        let life = app.settings.limits.asset_url_life();
        // Whole seconds, so that the URL and the answer say the same.
        let expires = Timestamp::from_second(app.now().as_second() + life.as_secs() as i64);
        let expires = expires.map_err(|e| Failure::internal(&e))?;
        Ok(Self { key, public_url: app.public_url.clone(), viewer: caller.viewer().clone(), expires })
    }

    fn url(&self, urn: &str, digest: &Digest) -> String {
        let ticket = Ticket {
            urn: urn.to_owned(),
            digest: *digest.as_bytes(),
            tenant: self.viewer.tenant.clone(),
            client: self.viewer.client.clone(),
            expires: self.expires.as_second(),
        };
        format!("{}{}", self.public_url, Operation::Asset.path_with(&[&ticket.sealed(&self.key)]))
    }
}

/// What a URL says: postcard, then the id of the key and HMAC-SHA-256 over both, in base64url.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Ticket {
    urn: String,
    digest: [u8; 32],
    tenant: String,
    client: String,
    expires: i64,
}

const KEY_ID_LENGTH: usize = 8;
const SIGNATURE_LENGTH: usize = 32;

impl Ticket {
    fn sealed(&self, key: &SigningKey) -> String {
        let mut bytes = postcard::to_stdvec(self).expect("a ticket holds text and numbers only");
        bytes.extend_from_slice(&key.id.to_be_bytes());
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key.secret), &bytes);
        bytes.extend_from_slice(signature.as_ref());
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Reads what one of the keys signed, comparing in constant time.
    fn open(text: &str, keys: &[SigningKey]) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let (signed, signature) = bytes.split_at(bytes.len().checked_sub(SIGNATURE_LENGTH)?);
        let (ticket, id) = signed.split_at(signed.len().checked_sub(KEY_ID_LENGTH)?);
        let key = keys.iter().find(|key| key.id.to_be_bytes() == id)?;
        hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, &key.secret), signed, signature).ok()?;
        postcard::from_bytes(ticket).ok()
    }
}

impl Failure {
    /// The problem of one item of several.
    fn problem(&self, instance: &str) -> Problem<'static> {
        Problem::new(self.code(), self.detail().to_owned(), instance.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_opens_with_a_known_key_and_only_unaltered() {
        let key = |id| SigningKey { id, secret: [id as u8; 32] };
        let ticket = Ticket {
            urn: "urn:nsb:std:nsb:1:ed-1:en".into(),
            digest: [3; 32],
            tenant: "t".into(),
            client: "c".into(),
            expires: 4,
        };
        let sealed = ticket.sealed(&key(1));
        assert_eq!(Ticket::open(&sealed, &[key(2), key(1)]), Some(ticket));
        assert_eq!(Ticket::open(&sealed, &[key(2)]), None);
        assert_eq!(Ticket::open(&sealed, &[SigningKey { id: 1, secret: [9; 32] }]), None);
        for place in 0..sealed.len() {
            let mut altered = sealed.clone().into_bytes();
            altered[place] = if altered[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(Ticket::open(&String::from_utf8(altered).unwrap(), &[key(1)]), None, "{place}");
        }
        assert_eq!(Ticket::open(&sealed[1..], &[key(1)]), None);
        assert_eq!(Ticket::open("", &[key(1)]), None);
    }
}
