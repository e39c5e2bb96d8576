//! Compares the units of files: `cargo run --release -p norma-compare --example compare_units -- FILE…`, with
//! files as for `norma compare --units`. It prints the result with CPU time and memory.

use std::time::Instant;

use norma_compare::compare;
use norma_compare::pairs::Pairs;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let pairs = Pairs::parse(&std::fs::read(&file)?)?;
        let begin = Instant::now();
        let comparison = compare(&pairs.older, &pairs.newer);
        println!("{file}: {} links in {} ms", comparison.links.len(), begin.elapsed().as_millis());
        if let Some(evaluation) = pairs.evaluate(&comparison) {
            println!("{evaluation}");
        }
    }
    Ok(())
}
