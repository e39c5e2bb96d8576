//! HTTP: listeners, the request pipeline, and the state of its steps.

mod access;
mod admission;
mod body;
mod client_ip;
mod conditional;
mod connection;
mod context;
mod cors;
mod documents;
mod head;
mod limits_in_force;
mod lingering;
mod listen;
mod ops;
mod peer;
mod pipeline;
mod range;
mod request_body;
mod response_cache;
mod route;
mod routes;
mod socket;
mod streams;
mod tls;

pub(crate) use admission::Admission;
pub(crate) use client_ip::networks;
pub(crate) use documents::Documents;
pub(crate) use listen::{Listener, serve};
pub(crate) use response_cache::ResponseCache;
pub(crate) use routes::Routes;
pub(crate) use tls::check_certificate;
