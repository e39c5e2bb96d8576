//! The target `units`: see [`units`] for what it holds.
#![no_main]

#[path = "../properties/units.rs"]
mod units;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| units::holds(bytes));
