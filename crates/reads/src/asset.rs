//! The bytes of an asset, by a signed URL.

use http::{HeaderName, HeaderValue, header};
use norma_api::problem::Code;
use norma_model::{Asset, Digest, Urn};

use crate::Failure;
use crate::access::Access;
use crate::body::Body;
use crate::representation::Representation;
use crate::tag::tag;

/// The bytes of an asset of the edition with this URN, whole or in part, which the caller may cache for this
/// number of seconds. Its headers prevent a browser from running anything in it.
///
/// # Errors
/// The caller may not read the edition, or it has no asset with this digest.
pub async fn asset(
    access: &mut Access<'_>,
    urn: Urn,
    digest: &Digest,
    seconds: i64,
) -> Result<Representation, Failure> {
    let edition = access.edition_of_asset(urn).await?;

    let Some(asset) = edition.asset(digest) else {
        return Err(Failure::new(Code::AssetUrlInvalid, "This URL is no longer valid."));
    };

    let content_type = HeaderValue::from_str(&asset.media_type).map_err(|error| Failure::internal(&error))?;
    let (read, digest) = (edition.clone(), *digest);
    let open = Box::pin(async move { read.asset_bytes(&digest).await });
    let body = Body::Pieces { size: Some(asset.size), open };
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

/// The disposition of a picture: shown if browsers can show it, saved otherwise.
fn disposition(asset: &Asset) -> String {
    let kind = if asset.media_type.starts_with("image/") { "inline" } else { "attachment" };
    // The last part of the media type without its suffix: `svg` of `image/svg+xml`.
    let last = asset.media_type.rsplit(['/', '.']).next().unwrap_or("bin");
    let extension = last.split('+').next().unwrap_or("bin");
    let name = format!("{}.{extension}", &asset.digest.hex()[..16]);
    format!("{kind}; filename=\"{name}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_shown_and_anything_else_is_saved_under_a_name_with_its_extension() {
        let digest = Digest::from_bytes([0xab; 32]);
        let of = |media_type: &str| {
            disposition(&Asset { digest, media_type: media_type.into(), size: 1, dimensions: None })
        };
        assert_eq!(of("image/svg+xml"), "inline; filename=\"abababababababab.svg\"");
        assert_eq!(of("image/png"), "inline; filename=\"abababababababab.png\"");
        let saved = of("application/vnd.oasis.opendocument.text");
        assert_eq!(saved, "attachment; filename=\"abababababababab.text\"");
    }
}
