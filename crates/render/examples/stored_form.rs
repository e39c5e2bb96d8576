//! Cost of the stored form: `cargo run --release -p norma-render --example stored_form -- [--level N]
//! [--distance N] [--rounds N] FILE…`. It renders the named documents at a level of gzip, without store and
//! HTTP. It prints as JSON the bytes of each part over those of the sources, and the CPU time of reading and
//! of rendering per document, of inflating three views of it, and of reading one provision in context out of
//! its pack. One thread.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use norma_render::{Compression, Offsets, PackDirectory, PackPart, Segment, render};
use norma_sts::{ExtractionOptions, extract};

/// That of the `norma` command.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut compression, mut rounds, mut files) = (Compression::with_level(6), 1, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--distance" => compression.restart_distance = arguments.next().unwrap_or_default().parse()?,
            "--level" => compression.level = arguments.next().unwrap_or_default().parse()?,
            "--rounds" => rounds = arguments.next().unwrap_or_default().parse()?,
            _ => files.push(argument),
        }
    }
    let [mut reading, mut rendering, mut one] = [Duration::ZERO; 3];
    let (mut sources, mut packs, mut directories, mut provisions) = (0, 0, 0, 0_u32);
    let (mut stored, mut identity, mut inflated) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for path in &files {
        let source = std::fs::read(path)?;
        for _ in 0..rounds {
            let started = cpu()?;
            let edition =
                extract(&source, &ExtractionOptions::default()).map_err(|e| format!("{path}: {e}"))?.edition;
            reading += cpu()? - started;
            let started = cpu()?;
            let assets = vec![None; edition.graphics.len()];
            let pack = render(&edition, &assets, "0123456789abcdef", &source, &[], compression);
            rendering += cpu()? - started;
            sources += source.len();
            packs += pack.bytes.len();
            directories += pack.directory.len();
            let directory = PackDirectory::parse(&pack.directory).ok_or("a directory")?;
            for part in PackPart::ALL {
                let one = directory.part(part);
                *stored.entry(part.name()).or_insert(0) += one.range.end - one.range.start;
                *identity.entry(part.name()).or_insert(0) += one.size;
            }
            for part in [PackPart::Sections, PackPart::Provisions, PackPart::Content] {
                let started = cpu()?;
                let range = &directory.part(part).range;
                let stored = pack.bytes.slice(range.start as usize..range.end as usize);
                std::hint::black_box(directory.identity(part, stored)?);
                *inflated.entry(part.name()).or_insert(Duration::ZERO) += cpu()? - started;
            }
            // Every 16th provision, as a request reads it: nothing is kept from one to the next.
            let started = cpu()?;
            for index in (0..edition.provisions.len()).step_by(16) {
                let directory = PackDirectory::parse(&pack.directory).ok_or("a directory")?;
                let stored = |range: &Range<u64>| pack.bytes.slice(range.start as usize..range.end as usize);
                let offsets = stored(&directory.part(PackPart::Offsets).range);
                let offsets = directory.identity(PackPart::Offsets, offsets)?;
                let offsets = Offsets::from_bytes(&offsets).ok_or("places")?;
                let section = offsets.section_of(index).ok_or("a section")?;
                let fragments = [
                    (PackPart::Provisions, offsets.item(index)),
                    (PackPart::Content, offsets.section(section)),
                ];
                for (part, range) in fragments {
                    let segment = Segment::find(&directory, &offsets, part, &range.ok_or("a fragment")?)?;
                    std::hint::black_box(segment.inflate(stored(&segment.stored))?);
                }
                provisions += 1;
            }
            one += cpu()? - started;
        }
    }
    let share = |bytes: u64| bytes as f64 / sources as f64;
    let shares = |of: &BTreeMap<&'static str, u64>| -> serde_json::Value {
        of.iter().map(|(name, bytes)| (*name, share(*bytes))).collect()
    };
    let documents = (files.len() * rounds) as f64;
    let inflated: serde_json::Value =
        inflated.iter().map(|(name, time)| (*name, time.as_secs_f64() * 1e6 / documents)).collect();
    let sums = serde_json::json!({
        "source": sources, "pack": share(packs as u64), "directory": share(directories as u64),
        "stored": shares(&stored), "inflatingUs": inflated, "identity": shares(&identity),
        "readingMs": reading.as_secs_f64() * 1e3 / documents,
        "renderingMs": rendering.as_secs_f64() * 1e3 / documents,
        "provisionUs": one.as_secs_f64() * 1e6 / f64::from(provisions.max(1)),
    });
    println!("{sums:#}");
    Ok(())
}

/// CPU time of this thread (Linux, Documentation/scheduler/sched-stats.rst).
fn cpu() -> Result<Duration, Box<dyn std::error::Error>> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(Duration::from_nanos(stat.split_whitespace().next().unwrap_or_default().parse()?))
}
