//! Routes of the two listeners: that of the API, and that of the operator.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use tower::util::{Either, option_layer};
use tower::{Layer, ServiceExt};
use tower_http::cors::Cors;

use super::lingering::RequestBody;
use super::pipeline::Pipeline;
use super::{context, cors, ops};
use crate::error::StartError;
use crate::state::Shared;

/// The routes of one listener.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "nearly all values that are copied are of the large one")]
pub(crate) enum Routes {
    /// All operations of the API, for pages of other origins too where the settings name them.
    Api(Either<Cors<Pipeline>, Pipeline>),
    /// Health and metrics, for the operator.
    Ops(Router),
}

impl Routes {
    /// The routes of the API's listener.
    pub(crate) fn api(shared: Arc<Shared>) -> Result<Self, StartError> {
        let cors = cors::layer(&shared.settings.http.cors_origins)?;
        Ok(Self::Api(option_layer(cors).layer(Pipeline::new(shared))))
    }

    /// The routes of the operator's listener.
    pub(crate) fn ops(shared: Arc<Shared>) -> Self {
        let routes = Router::new()
            .route("/livez", get(ops::live))
            .route("/readyz", get(ops::ready))
            .route("/metrics", get(ops::metrics))
            .with_state(shared)
            .layer(map_response(async |mut response: Response| {
                context::add_security_headers(response.headers_mut());
                response
            }));
        Self::Ops(routes)
    }

    /// Answers a request to one of these routes.
    pub(super) async fn answer(self, request: Request<RequestBody>) -> Response {
        let Ok(response) = match self {
            Self::Api(routes) => routes.oneshot(request).await,
            Self::Ops(routes) => routes.oneshot(request).await,
        };
        response
    }
}
