//! The room where the work of Norma is done: settings, ingest, rendering and HTTP.
//!
//! [`ingest`] knows nothing of HTTP; [`app::App`] brings the store, the verifier of tokens and the routes together.

pub mod app;
mod audit;
pub mod config;
mod digest;
pub mod doctor;
mod files;
mod http;
pub mod identity;
pub mod ingest;
mod limits;
pub mod render;
mod requests;
mod sockets;
pub mod telemetry;
pub mod terminal;
