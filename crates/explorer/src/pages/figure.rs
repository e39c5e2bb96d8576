//! Pictures of a standard: resolved in the service and passed on.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::failure::PageFailure;
use crate::visit::Site;

/// What a picture may do where it is opened by itself: nothing but show its own styles.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Passes on a picture. What is not a picture is refused: it would be a page in the explorer's name.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    Path((_, urn, id)): Path<(String, String, String)>,
) -> Response {
    let (_turn, client) = site.service.turn().await;
    let found = async {
        let asset = client.resolve(&urn, &id).await?;
        client.asset(&asset).await.map(|bytes| (asset.media_type, bytes))
    };
    match found.await {
        Ok((media, bytes)) if media.starts_with("image/") => {
            ([(CONTENT_TYPE, media.as_ref()), (CONTENT_SECURITY_POLICY, POLICY)], bytes).into_response()
        }
        Ok(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "The file is not a picture.\n").into_response(),
        Err(error) => {
            let failure = PageFailure::from(error);
            (failure.kind.status(), format!("{}\n", failure.detail)).into_response()
        }
    }
}
