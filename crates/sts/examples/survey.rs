//! Extracts the files named on the command line: `survey [--rounds N] [--show
//! text|xml|flaws|provisions|relations|terms|metadata|edition] FILE…`. It prints the result and speed of
//! each. Of several rounds the best counts.

use std::time::Instant;

use norma_model::{Edition, Provision};

fn main() -> std::io::Result<()> {
    let mut show = None;
    let mut rounds = 1;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--show" {
            show = arguments.next();
            continue;
        }
        if argument == "--rounds" {
            rounds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
            continue;
        }
        let source = std::fs::read(&argument)?;
        let mut best = f64::INFINITY;
        for _ in 1..rounds {
            let start = Instant::now();
            let _ = norma_sts::extract(&source, &norma_sts::ExtractionOptions::default());
            best = best.min(start.elapsed().as_secs_f64());
        }
        let start = Instant::now();
        match norma_sts::extract(&source, &norma_sts::ExtractionOptions::default()) {
            Err(error) => println!("{argument}: refused: {error} ({}): {}", error.code, error.hint),
            Ok(extraction) => {
                let seconds = best.min(start.elapsed().as_secs_f64());
                let edition = &extraction.edition;
                println!(
                    "{argument}: {} [{}] {} sections, {} terms, {} graphics, {} tables, {} relations, {} ICS, \
                     {} provisions, {} diagnostics, {:.1} MB/s",
                    edition.urn,
                    edition.metadata.reference,
                    edition.sections.len(),
                    edition.terms.len(),
                    edition.graphics.len(),
                    edition.tables.len(),
                    edition.relations.len(),
                    edition.ics.len(),
                    edition.provisions.len(),
                    extraction.diagnostics.len(),
                    source.len() as f64 / 1e6 / seconds,
                );
                match show.as_deref() {
                    Some("text") => edition
                        .sections
                        .iter()
                        .for_each(|s| println!("--- {} {:?} {:?}\n{}", s.id, s.kind, s.normative, s.text)),
                    Some("xml") => edition.sections.iter().for_each(|s| println!("--- {}\n{}", s.id, s.xml)),
                    Some("provisions") => edition.provisions.iter().for_each(|p| print_provision(p, edition)),
                    Some("flaws") => extraction
                        .diagnostics
                        .iter()
                        .for_each(|d| println!("  {}:{} {} {}", d.line, d.column, d.code, d.message)),
                    Some("relations") => edition.relations.iter().for_each(|r| println!("  {r:?}")),
                    Some("terms") => edition.terms.iter().for_each(|t| println!("  {t:?}")),
                    Some("metadata") => println!("{:#?}", edition.metadata),
                    Some("edition") => println!("{edition:#?}\n{:#?}", extraction.diagnostics),
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn print_provision(p: &Provision, edition: &Edition) {
    println!("{} {} {:?} negated={} {} {}", p.id, p.label, p.kind, p.negated, p.rule, p.confidence);
    println!("    form={:?} anchor={:?} {:?}", p.verbal_form, p.anchor, p.container);
    println!("    lead={:?}", p.lead_in.as_deref().unwrap_or_default());
    println!("    text={:?}", p.text);
    p.references.iter().for_each(|r| println!("    reference {:?} {:?}", r.text, r.target));
    p.terms.iter().for_each(|&t| println!("    term {:?}", edition.terms[t].id));
}
