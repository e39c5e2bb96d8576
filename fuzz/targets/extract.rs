//! The target `extract`: see [`extract`] for what it holds.
#![no_main]

#[path = "../properties/extract.rs"]
mod extract;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| extract::holds(bytes));
