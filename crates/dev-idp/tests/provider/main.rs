//! The provider from outside, over real HTTP: what a client, an API and an administrator see.

// Helpers outside of test functions unwrap too: a panic is how a test fails.
#![allow(clippy::unwrap_used)]

mod assertions;
mod fixture;
mod interop;
mod lifecycle;
mod mistakes;
mod pages;
mod tokens;
