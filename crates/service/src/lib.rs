//! HTTP service: from settings and a store to a running service.
//!
//! [`server`] brings the store, the verifier of tokens and the routes together.

pub mod doctor;
mod error;
mod files;
mod fixed_limits;
pub mod health;
mod http;
pub mod identity;
mod limits;
mod memory_bound;
mod requests;
pub mod server;
mod setting_rules;
mod sockets;
mod state;
pub mod telemetry;

pub use memory_bound::memory_bound;
pub use setting_rules::check_settings;
