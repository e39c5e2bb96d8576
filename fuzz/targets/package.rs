//! The target `package`: see [`package`] for what it holds.
#![no_main]

#[path = "../properties/package.rs"]
mod package;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| package::holds(bytes));
