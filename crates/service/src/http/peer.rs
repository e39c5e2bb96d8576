//! The connection that a request came from, which the listener adds to the request.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::Extensions;
use norma_auth::ConnectionToken;

use super::connection::RequestGuard;

/// The connection that a request came from.
#[derive(Clone)]
pub(super) struct Peer {
    /// The other end of its connection.
    pub(super) address: SocketAddr,
    /// The token that was last accepted on that connection.
    pub(super) connection_token: Arc<ConnectionToken>,
    /// The request itself, until the last byte of its answer.
    pub(super) request: Arc<RequestGuard>,
}

impl Peer {
    /// The connection of a request; none for a request that came through no listener.
    pub(super) fn find(extensions: &Extensions) -> Option<&Self> {
        extensions.get::<Self>()
    }
}
