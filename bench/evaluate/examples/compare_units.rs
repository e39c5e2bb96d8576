//! The time of a comparison of the units of files, its number of links and, where a file has the true ones,
//! the share that was found:
//! `cargo run --release -p norma-bench-evaluate --example compare_units -- FILE…`

use std::time::Instant;

use norma_bench_evaluate::pairs::Pairs;
use norma_compare::compare;

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
