//! The target `lineage`: see [`lineage`] for what it holds.
#![no_main]

#[path = "../properties/lineage.rs"]
mod lineage;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lineage::holds(bytes));
