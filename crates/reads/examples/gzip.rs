//! Measurement of gzip for answers: `cargo run --release -p norma-reads --example gzip -- FILE…`. For each
//! file it prints the number of bytes, their number after compression at once and in pieces of 64 KiB, and
//! the time of each.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "this is a measurement")]

use std::time::{Duration, Instant};

use norma_reads::{GzipPieces, gzip};

/// The shortest of many times, and the result.
fn shortest<T>(work: impl Fn() -> T) -> (T, Duration) {
    let timed = || {
        let begun = Instant::now();
        (work(), begun.elapsed())
    };
    (0..200).map(|_| timed()).min_by_key(|(_, time)| *time).unwrap()
}

fn main() {
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file).unwrap();
        let (whole, at_once) = shortest(|| gzip(&bytes).unwrap().len());
        let (pieces, in_pieces) = shortest(|| {
            let mut gzip = GzipPieces::default();
            let pieces: usize = bytes.chunks(64 << 10).map(|piece| gzip.piece(piece).len()).sum();
            pieces + gzip.end(bytes.len() as u64).unwrap().len()
        });
        println!(
            "{file}: {} bytes; {whole} in {at_once:?}; in pieces {pieces} in {in_pieces:?}",
            bytes.len()
        );
    }
}
