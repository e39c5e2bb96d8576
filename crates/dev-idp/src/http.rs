//! All routes on one page.

use axum::Router;

use crate::DevIdp;

pub(crate) fn router(idp: DevIdp) -> Router {
    Router::new().with_state(idp)
}
