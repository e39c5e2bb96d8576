//! Handlers of assets: resolving references to URLs that expire, and the bytes of such a URL.

use http::{HeaderName, HeaderValue, header};
use jiff::Timestamp;
use norma_api::media::Media;
use norma_api::problem::{Code, Problem};
use norma_api::shapes::{ResolveAnswer, ResolveItem, ResolveRequest, ResolvedAsset, UnresolvedAsset};
use norma_model::{Asset, Digest};

use crate::representation::{Body, tag};
use crate::{AuthorizedEdition, EditionLookup, Failure, Representation, Request, json};

/// Signs URLs of assets for the caller of a request.
pub trait AssetUrls: Send + Sync {
    /// The URL of an asset of an edition.
    fn url(&self, urn: &str, digest: &Digest) -> String;
    /// The time when the URLs expire.
    fn expire(&self) -> Timestamp;
}

/// Turns the references in a body, at most `most`, into URLs.
///
/// # Errors
/// The body is not of the shape that the contract has, or the only reference in it names nothing.
pub async fn resolve<'e>(
    edition: &dyn AuthorizedEdition,
    urls: &dyn AssetUrls,
    body: &[u8],
    most: usize,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let resolve_request = ResolveRequest::parse(body, most)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let index = edition.index().await?;
    let resolved = |reference: &str| resolve_one(edition, &*index, urls, reference);
    let body = match &resolve_request {
        ResolveRequest::One { asset_reference } => json(&resolved(asset_reference)?)?,
        ResolveRequest::Many { asset_references } => {
            let item = |reference: &String| match resolved(reference) {
                Ok(asset) => ResolveItem::Resolved(asset),
                Err(failure) => ResolveItem::Unresolved(UnresolvedAsset {
                    asset_reference: reference.clone().into(),
                    problem: Problem::new(failure.code(), failure.detail().to_owned(), request.id.to_owned())
                        .below(request.base_path),
                }),
            };
            json(&ResolveAnswer { items: asset_references.iter().map(item).collect() })?
        }
    };
    let content_type = HeaderValue::from_static(Media::Json.content_type());
    Ok(Representation::new(content_type, None, Body::from_bytes(body)))
}

fn resolve_one(
    edition: &dyn AuthorizedEdition,
    index: &dyn EditionLookup,
    urls: &dyn AssetUrls,
    reference: &str,
) -> Result<ResolvedAsset<'static>, Failure> {
    let urn = edition.urn();
    let refuse = |detail: String| Failure::new(Code::AssetNotFound, detail);
    let named = index.pictures(reference);
    if named.is_empty() {
        return Err(refuse(format!("{urn} has no graphic `{reference}`.")));
    }
    let digest = named.into_iter().flatten().next().ok_or_else(|| {
        refuse(format!("The file of graphic `{reference}` was missing from the package of {urn}."))
    })?;
    let asset = edition.asset(&digest).ok_or_else(|| refuse(format!("`{reference}` has no stored file.")))?;
    Ok(ResolvedAsset {
        asset_reference: reference.to_owned().into(),
        url: urls.url(urn, &digest).into(),
        expires_at: urls.expire().to_string().into(),
        media_type: asset.media_type.clone().into(),
        size: asset.size,
        width: asset.dimensions.map(|(width, _)| width),
        height: asset.dimensions.map(|(_, height)| height),
        digest: digest.to_string().into(),
    })
}

/// Headers for pictures: an SVG picture can contain script, which cannot run or load anything in this
/// sandbox.
const GUARDS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
];

/// The bytes of an asset, whole or in part, which the caller may cache for this number of seconds. Its
/// headers prevent a browser from running anything in it.
///
/// # Errors
/// The edition has no asset with this digest.
pub fn asset<'e>(
    edition: &'e dyn AuthorizedEdition,
    digest: &Digest,
    seconds: i64,
) -> Result<Representation<'e>, Failure> {
    let asset = edition
        .asset(digest)
        .ok_or_else(|| Failure::new(Code::AssetUrlInvalid, "This URL is no longer valid."))?;
    let content_type = HeaderValue::from_str(&asset.media_type).map_err(|error| Failure::internal(&error))?;
    let body = Body::Pieces { size: Some(asset.size), open: edition.asset_bytes(asset) };
    let mut representation = Representation::new(content_type, Some(tag(&asset.digest.hex())?), body);
    representation.has_ranges = true;
    representation.set(header::CONTENT_DISPOSITION, &disposition(asset))?;
    representation.set(header::ACCEPT_RANGES, "bytes")?;
    representation.set(header::CACHE_CONTROL, &format!("private, max-age={seconds}, immutable"))?;
    for (name, value) in GUARDS {
        representation.headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(representation)
}

/// The disposition of a picture: shown if browsers can show it, saved otherwise.
fn disposition(asset: &Asset) -> String {
    let shown = asset.media_type.starts_with("image/");
    let extension =
        asset.media_type.rsplit(['/', '.']).next().unwrap_or("bin").split('+').next().unwrap_or("bin");
    let name = format!("{}.{extension}", &asset.digest.hex()[..16]);
    format!("{}; filename=\"{name}\"", if shown { "inline" } else { "attachment" })
}
