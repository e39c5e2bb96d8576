//! The provider from outside, over real HTTP: what a client, an API and an administrator see.

mod assertions;
mod fixture;
mod interop;
mod lifecycle;
mod mistakes;
mod pages;
mod tokens;
