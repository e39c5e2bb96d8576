//! The target `text`: see [`text`] for what it holds.
#![no_main]

#[path = "../properties/text.rs"]
mod text;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| text::holds(bytes));
