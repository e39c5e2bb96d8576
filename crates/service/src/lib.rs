//! Settings, ingest and HTTP: from settings and a store to a running service.
//!
//! [`ingest`] knows nothing of HTTP; [`server`] brings the store, the verifier of tokens and the routes together.

mod audit;
mod clock;
pub mod comparison;
pub mod config;
pub mod doctor;
mod error;
pub mod files;
pub mod health;
mod http;
pub mod identity;
pub mod ingest;
mod limits;
pub mod lineage;
pub mod pack;
mod requests;
pub mod server;
mod slots;
mod sockets;
mod state;
pub mod stores;
pub mod telemetry;
pub mod terminal;
#[cfg_attr(not(feature = "traces"), path = "traces_absent.rs")]
pub mod traces;
pub mod usage;
