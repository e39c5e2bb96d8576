//! Cost of the stored form: `cargo run --release -p norma-render --example stored_form -- [--level N]
//! [--distance N] [--rounds N] FILE…`. It renders the named documents at a level of gzip, without store and
//! HTTP. It prints as JSON the bytes of each part over those of the sources, and the CPU time of reading and
//! of rendering per document, of inflating three views of it, and of reading one provision in context out of
//! its pack. One thread.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use bytes::Bytes;
use norma_render::{Compression, Offsets, Pack, PackDirectory, PackPart, Segment, render};
use norma_sts::{ExtractionOptions, extract};

/// The allocator of the `norma` command.
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
    let mut sums = Sums::default();
    for path in &files {
        let source = std::fs::read(path)?;
        for _ in 0..rounds {
            sums.add(&source, compression).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    println!("{:#}", sums.to_json());
    Ok(())
}

/// What was measured of all documents and rounds.
#[derive(Default)]
struct Sums {
    documents: u32,
    sources: usize,
    packs: usize,
    directories: usize,
    /// Provisions that were read one by one.
    provisions: u32,
    /// Stored bytes of each part.
    stored: BTreeMap<&'static str, u64>,
    /// Identity bytes of each part.
    identity: BTreeMap<&'static str, u64>,
    reading: Duration,
    rendering: Duration,
    /// Time of inflating each of three parts.
    inflating: BTreeMap<&'static str, Duration>,
    /// Time of reading provisions one by one.
    reading_provisions: Duration,
}

impl Sums {
    fn add(&mut self, source: &[u8], compression: Compression) -> Result<(), Box<dyn std::error::Error>> {
        let started = cpu()?;
        let edition = extract(source, &ExtractionOptions::default())?.edition;
        self.reading += cpu()? - started;
        let started = cpu()?;
        let assets = vec![None; edition.graphics.len()];
        let pack = render(&edition, &assets, "0123456789abcdef", source, &[], compression);
        self.rendering += cpu()? - started;
        self.documents += 1;
        self.sources += source.len();
        self.packs += pack.bytes.len();
        self.directories += pack.directory.len();
        let directory = PackDirectory::parse(&pack.directory).ok_or("a directory")?;
        for part in PackPart::ALL {
            let stored = directory.part(part);
            *self.stored.entry(part.name()).or_default() += stored.range.end - stored.range.start;
            *self.identity.entry(part.name()).or_default() += stored.size;
        }
        for part in [PackPart::Sections, PackPart::Provisions, PackPart::Content] {
            let started = cpu()?;
            let stored = slice(&pack, &directory.part(part).range);
            std::hint::black_box(directory.identity(part, stored)?);
            *self.inflating.entry(part.name()).or_default() += cpu()? - started;
        }
        let started = cpu()?;
        for index in (0..edition.provisions.len()).step_by(16) {
            read_provision(&pack, index)?;
            self.provisions += 1;
        }
        self.reading_provisions += cpu()? - started;
        Ok(())
    }

    fn to_json(&self) -> serde_json::Value {
        let share = |bytes: u64| bytes as f64 / self.sources as f64;
        let shares = |of: &BTreeMap<&'static str, u64>| -> serde_json::Value {
            of.iter().map(|(name, bytes)| (*name, share(*bytes))).collect()
        };
        let documents = f64::from(self.documents);
        let mut inflating = serde_json::Map::new();
        for (name, time) in &self.inflating {
            inflating.insert((*name).to_owned(), (time.as_secs_f64() * 1e6 / documents).into());
        }
        serde_json::json!({
            "source": self.sources, "pack": share(self.packs as u64), "directory": share(self.directories as u64),
            "stored": shares(&self.stored), "inflatingUs": inflating, "identity": shares(&self.identity),
            "readingMs": self.reading.as_secs_f64() * 1e3 / documents,
            "renderingMs": self.rendering.as_secs_f64() * 1e3 / documents,
            "provisionUs": self.reading_provisions.as_secs_f64() * 1e6 / f64::from(self.provisions.max(1)),
        })
    }
}

/// Reads one provision in context, as a request does: nothing is cached from one to the next.
fn read_provision(pack: &Pack, index: usize) -> Result<(), Box<dyn std::error::Error>> {
    let directory = PackDirectory::parse(&pack.directory).ok_or("a directory")?;
    let offsets = slice(pack, &directory.part(PackPart::Offsets).range);
    let offsets = directory.identity(PackPart::Offsets, offsets)?;
    let offsets = Offsets::from_bytes(&offsets).ok_or("offsets")?;
    let section = offsets.section_of(index).ok_or("a section")?;
    let fragments =
        [(PackPart::Provisions, offsets.item(index)), (PackPart::Content, offsets.section(section))];
    for (part, range) in fragments {
        let segment = Segment::find(&directory, &offsets, part, &range.ok_or("a fragment")?)?;
        std::hint::black_box(segment.inflate(slice(pack, &segment.stored))?);
    }
    Ok(())
}

fn slice(pack: &Pack, range: &Range<u64>) -> Bytes {
    pack.bytes.slice(range.start as usize..range.end as usize)
}

/// CPU time of this thread (Linux, Documentation/scheduler/sched-stats.rst).
fn cpu() -> Result<Duration, Box<dyn std::error::Error>> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(Duration::from_nanos(stat.split_whitespace().next().unwrap_or_default().parse()?))
}
