//! The target `urn`: see [`urn`] for what it holds.
#![no_main]

#[path = "../properties/urn.rs"]
mod urn;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| urn::holds(bytes));
