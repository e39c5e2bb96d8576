//! URLs of assets of an edition, which expire.

use bytes::Bytes;
use norma_api::problem::{Code, Problem};
use norma_api::shapes::{ResolveAnswer, ResolveItem, ResolveRequest, ResolvedAsset, UnresolvedAsset};
use norma_model::{Digest, Identifier};
use norma_render::PackIndex;

use crate::access::Access;
use crate::asset_url::AssetUrls;
use crate::edition::AuthorizedEdition;
use crate::limits::MAX_ASSET_REFERENCES;
use crate::representation::Representation;
use crate::{Failure, Request};

/// Turns the references in a body into URLs.
pub(crate) async fn resolve(
    access: &mut Access<'_>,
    id: &Identifier,
    body: impl Future<Output = Result<Bytes, Failure>>,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let services = access.services();
    let lifetime = services.shared.limits.asset_url_lifetime;
    let urls = AssetUrls::new(access.signing_key()?, services.slots.client(), request, lifetime)?;
    let references = ResolveRequest::parse(&body.await?, MAX_ASSET_REFERENCES)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let index = edition.index().await?;

    match &references {
        ResolveRequest::One { asset_reference } => {
            Representation::without_tag(&resolve_one(&edition, &index, &urls, asset_reference)?)
        }
        ResolveRequest::Many { asset_references } => {
            let mut items = Vec::with_capacity(asset_references.len());
            for reference in asset_references {
                items.push(match resolve_one(&edition, &index, &urls, reference) {
                    Ok(asset) => ResolveItem::Resolved(asset),
                    Err(failure) => unresolved(reference, &failure, request),
                });
            }
            Representation::without_tag(&ResolveAnswer { items })
        }
    }
}

/// The item for a reference that names nothing.
fn unresolved(reference: &str, failure: &Failure, request: Request<'_>) -> ResolveItem<'static> {
    let problem = Problem::new(failure.code(), failure.detail().to_owned(), request.id.to_owned());
    ResolveItem::Unresolved(UnresolvedAsset {
        asset_reference: reference.to_owned().into(),
        problem: problem.below(request.base_path),
    })
}

/// The URL of the file of the picture that a reference names.
fn resolve_one(
    edition: &AuthorizedEdition,
    index: &PackIndex,
    urls: &AssetUrls,
    reference: &str,
) -> Result<ResolvedAsset<'static>, Failure> {
    let urn = edition.urn();
    let digest = digest_of(index, urn, reference)?;
    let Some(asset) = edition.asset(&digest) else {
        return Err(not_found(format!("`{reference}` has no stored file.")));
    };
    Ok(ResolvedAsset {
        asset_reference: reference.to_owned().into(),
        url: urls.url(urn, &digest).into(),
        expires_at: urls.expires().to_string().into(),
        media_type: asset.media_type.clone().into(),
        size: asset.size,
        width: asset.dimensions.map(|(width, _)| width),
        height: asset.dimensions.map(|(_, height)| height),
        digest: digest.to_string().into(),
    })
}

/// The digest of the file of the picture that a reference names. Of several pictures with one name, it is the
/// first that had a file.
fn digest_of(index: &PackIndex, urn: &str, reference: &str) -> Result<Digest, Failure> {
    let mut has_picture = false;
    for picture in index.pictures_named(reference) {
        if let Some(digest) = picture.digest {
            return Ok(Digest::from_bytes(digest));
        }
        has_picture = true;
    }
    if !has_picture {
        return Err(not_found(format!("{urn} has no graphic `{reference}`.")));
    }
    let detail = format!("The file of graphic `{reference}` was missing from the package of {urn}.");
    Err(not_found(detail))
}

fn not_found(detail: String) -> Failure {
    Failure::new(Code::AssetNotFound, detail)
}
