//! How the time of an ingest is shared: for each source named on the command line, the milliseconds that reading
//! it, finding its provisions and rendering its views take, and the provisions' share of the whole.
//!
//! `cargo run --release -p norma-api --example shares -- [--rounds N] [--json] FILE…`
//!
//! Files of graphics, compression and the store are left out. Of several rounds (default: 9) the least of each figure
//! counts, on one thread, and the reading of the rules that the first round needs does not. The last line gives the largest share among the sources of more than 50 KB.

use std::time::{Duration, Instant};

use norma_api::shapes::Views;
use norma_model::Edition;
use norma_sts::{Options, extract};

/// Below this many bytes a source takes less time than the clock can be trusted with.
const SMALL: usize = 50_000;

/// Times of one source.
struct Shares {
    reading: Duration,
    provisions: Duration,
    views: Duration,
}

impl Shares {
    fn share(&self) -> f64 {
        let whole = self.reading + self.provisions + self.views;
        self.provisions.as_secs_f64() / whole.as_secs_f64()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut rounds, mut json, mut files) = (9, false, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or("`--rounds` needs a number")?.parse()?,
            "--json" => json = true,
            _ => files.push(argument),
        }
    }
    let mut largest = 0.0_f64;
    for file in files {
        let source = std::fs::read(&file)?;
        let shares = match measure(&source, rounds) {
            Ok(shares) => shares,
            Err(error) => {
                eprintln!("{file}: refused: {error}");
                continue;
            }
        };
        let share = shares.share();
        if source.len() > SMALL {
            largest = largest.max(share);
        }
        let [reading, provisions, views] =
            [shares.reading, shares.provisions, shares.views].map(|time| time.as_secs_f64() * 1e3);
        if json {
            let row = serde_json::json!({
                "file": file, "bytes": source.len(), "readingMs": reading, "provisionsMs": provisions,
                "viewsMs": views, "provisionsShare": share,
            });
            println!("{row}");
        } else {
            println!(
                "{:5.1} %  reading {reading:7.2} ms  provisions {provisions:7.2} ms  views {views:7.2} ms  {file}",
                share * 100.0
            );
        }
    }
    if !json {
        println!("{:5.1} %  at most, of sources over {} KB", largest * 100.0, SMALL / 1000);
    }
    Ok(())
}

fn measure(source: &[u8], rounds: usize) -> Result<Shares, norma_sts::Error> {
    let mut times: [Vec<Duration>; 3] = Default::default();
    let _ = extract(source, &Options::default())?;
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        let extraction = extract(source, &Options::default())?;
        let extracted = start.elapsed();
        let start = Instant::now();
        let rendered = render(&extraction.edition);
        times[2].push(start.elapsed());
        drop(std::hint::black_box(rendered));
        times[0].push(extracted - extraction.provisions_took);
        times[1].push(extraction.provisions_took);
    }
    let [reading, provisions, views] = times.map(|times| times.into_iter().min().unwrap_or_default());
    Ok(Shares { reading, provisions, views })
}

/// All views of an edition, uncompressed.
fn render(edition: &Edition) -> [Vec<u8>; 10] {
    let assets = vec![None; edition.graphics.len()];
    let views = Views::new(edition, &assets, "0");
    let graph = views.graph();
    [
        views.complete(),
        views.metadata(),
        views.sections(),
        views.content().bytes,
        views.content_text().bytes,
        views.provisions().bytes,
        views.terms(),
        views.graphics(),
        graph.json_ld(),
        graph.turtle(),
    ]
}
