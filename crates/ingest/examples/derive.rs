//! CPU time of ingest by step: `cargo run --release -p norma-ingest --example derive -- [--rounds N] FILE…`.
//! It reads the named documents, finds their provisions and renders their packs as ingest does, without files
//! of graphics and store. It prints the sums as JSON, in seconds and bytes. One thread, so that on an idle
//! core wall time is CPU time.

use std::time::{Duration, Instant};

use norma_render::Compression;
use norma_sts::{ExtractionOptions, extract};

/// That of the `norma` command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let rounds: u32 = match arguments.next_if(|argument| argument == "--rounds") {
        Some(_) => arguments.next().unwrap_or_default().parse()?,
        None => 1,
    };
    let [mut reading, mut provisions, mut views] = [Duration::ZERO; 3];
    let (mut read, mut written) = (0, 0);
    let compression = Compression::with_level(6);
    for path in arguments {
        let source = std::fs::read(&path)?;
        for _ in 0..rounds {
            let started = Instant::now();
            let extraction =
                extract(&source, &ExtractionOptions::default()).map_err(|e| format!("{path}: {e}"))?;
            reading += started.elapsed() - extraction.provisions_took;
            provisions += extraction.provisions_took;
            let started = Instant::now();
            let assets = vec![None; extraction.edition.graphics.len()];
            let pack = norma_render::render(&extraction.edition, &assets, "0", &source, &[], compression);
            written += std::hint::black_box(pack).bytes.len();
            views += started.elapsed();
            read += source.len();
        }
    }
    let [reading, provisions, views] = [reading, provisions, views].map(|time| time.as_secs_f64());
    let share = provisions / (reading + provisions + views);
    let sums = serde_json::json!({
        "reading": reading, "provisions": provisions, "views": views, "provisionsShare": share,
        "read": read, "written": written,
    });
    println!("{sums}");
    Ok(())
}
