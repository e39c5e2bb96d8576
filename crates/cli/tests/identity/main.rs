//! Identity from end to end: the real program with providers, and with valid and invalid tokens.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

mod audit;
mod certificate;
mod doctor;
mod operator;
mod third_party;
mod usage;
#[path = "../support/wait.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test program uses what it needs")]
mod wait;
mod world;
