//! The target `token`: see [`token`] for what it holds.
#![no_main]

#[path = "../properties/token.rs"]
mod token;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| token::holds(bytes));
