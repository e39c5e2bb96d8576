//! Integration tests: tokens, keys and tenants are made by the tests themselves.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test may fail by panic")]

mod bearer;
mod connection_token;
mod forge;
mod https;
mod keys;
mod keysets;
mod mutations;
mod providers;
mod settings;
mod tenants;
mod tokens;
mod users;
mod wrong;
