//! The target `pack`: see [`pack`] for what it holds.
#![no_main]

#[path = "../properties/pack.rs"]
mod pack;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pack::holds(bytes));
