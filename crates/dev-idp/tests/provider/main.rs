//! Integration tests of the provider over real HTTP.

#![allow(clippy::disallowed_methods, reason = "this is not production code")]
// What tests share unwraps too: a panic is how a test fails.
#![allow(clippy::unwrap_used)]

mod assertions;
mod consent;
mod fixture;
mod interop;
mod lifecycle;
mod mistakes;

mod tokens;
