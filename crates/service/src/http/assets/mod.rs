//! `POST /standards/{id}/assets/resolve`: references to graphics become URLs that work for a short while.

mod fetch;
mod ticket;

pub(super) use fetch::bytes;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use http_body_util::LengthLimitError;
use norma_api::Operation;
use norma_api::problem::{Code, Problem};
use norma_api::shapes::{ResolveAnswer, ResolveItem, ResolveRequest, ResolvedAsset, UnresolvedAsset};
use norma_model::Digest;
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, json, media, no_parameters};
use super::edition::Edition;
use super::path::StandardId;
use super::problem::Failure;
use super::trace;
use crate::render::Index;
use crate::state::Shared;
use ticket::Signer;

/// Turns references into URLs.
pub(super) async fn resolve(caller: Caller, StandardId(id): StandardId, request: Request) -> Answer {
    let (request, body) = request.into_parts();
    no_parameters(&request)?;
    media(&request, Operation::ResolveAssets)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    let instance = trace::id_of(&request.extensions);
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

async fn json_body(app: &Shared, request: &Parts, body: Body) -> Result<Bytes, Failure> {
    let kind = request.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Failure::new(Code::UnsupportedMediaType, "The body must be `application/json`."));
    }
    let encodings = request.headers.get_all(header::CONTENT_ENCODING).iter();
    if encodings.into_iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        // RFC 9110, section 12.5.3: what a body may be encoded by stands in the answer.
        return Err(Failure::new(Code::UnsupportedMediaType, "The body must have no `Content-Encoding`.")
            .with(header::ACCEPT_ENCODING, "identity"));
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

impl Failure {
    /// The problem of one item of several.
    fn problem(&self, instance: &str) -> Problem<'static> {
        Problem::new(self.code(), self.detail().to_owned(), instance.to_owned())
    }
}
