//! Time for the HTML of sections and for their JSON, as one JSON object: `bench/run html`, or
//! `cargo run --release -p norma-sts --example html -- FILE…`.

#![allow(clippy::print_stdout, reason = "it reports figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use norma_sts::html::{HtmlStandard, SectionInput, section};
use norma_sts::{ExtractionOptions, extract};

/// Times that each is done.
const TIMES: u32 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut json, mut html, mut bytes) = (Duration::ZERO, Duration::ZERO, 0);
    for file in std::env::args().skip(1) {
        let edition = extract(&std::fs::read(file)?, &ExtractionOptions::default())?.edition;
        let standard = HtmlStandard::new(edition.urn.as_str(), edition.metadata.language().as_str());
        for stored in &edition.sections {
            let (markup, text) = (stored.xml.as_str(), stored.text.as_str());
            let input = SectionInput { id: stored.id.as_str(), markup, text, ..SectionInput::default() };
            bytes += markup.len();
            for _ in 0..TIMES {
                let started = Instant::now();
                black_box(serde_json::to_vec(&[black_box(markup), black_box(text)])?);
                json += started.elapsed();
                let started = Instant::now();
                black_box(section(&standard, black_box(&input)));
                html += started.elapsed();
            }
        }
    }
    let seconds = |all: Duration| all.as_secs_f64() / f64::from(TIMES);
    println!(
        "{}",
        serde_json::json!({"markup": bytes, "json": seconds(json), "html": seconds(html), "ratio": html.div_duration_f64(json)})
    );
    Ok(())
}
