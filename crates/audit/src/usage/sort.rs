//! Any number of clicks in the order of tenant, standard, client, kind and time: sorted runs wait in
//! temporary files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::sync::Arc;

use super::Metric;
use super::line::UsageNames;

/// Clicks that are sorted in memory at once, of 24 bytes each.
const RUN: usize = 1 << 20;

/// Bytes of a click in a file.
const STORED: usize = 21;

/// Bytes of a file that are read or written in one call.
const BUFFER: usize = 64 << 10;

/// A read of a standard, or a search. Tenant and standard are numbers of names, or their ranks in the order
/// of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Click {
    pub(super) tenant: u32,
    pub(super) standard: u32,
    pub(super) client: u32,
    pub(super) metric: Metric,
    /// Nanoseconds since 1970.
    pub(super) time: i64,
}

impl Click {
    fn to_bytes(self) -> [u8; STORED] {
        let mut bytes = [self.metric as u8; STORED];
        bytes[..4].copy_from_slice(&self.tenant.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.standard.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.client.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.time.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; STORED]) -> Self {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let metric = match bytes[20] {
            0 => Metric::Investigation,
            1 => Metric::Request,
            2 => Metric::NoLicense,
            _ => Metric::Search,
        };
        let time = i64::from(word(16)) << 32 | i64::from(word(12));
        Self { tenant: word(0), standard: word(4), client: word(8), metric, time }
    }
}

/// Takes clicks in any order.
pub(super) struct Sorter {
    /// Clicks that are not in a run yet.
    clicks: Vec<Click>,
    /// Most of them.
    run: usize,
    runs: Vec<BufReader<File>>,
}

impl Sorter {
    pub(super) fn new() -> Self {
        Self::with_runs_of(RUN)
    }

    pub(super) fn with_runs_of(clicks: usize) -> Self {
        Self { clicks: Vec::new(), run: clicks, runs: Vec::new() }
    }

    /// Adds a click with the numbers of its names.
    ///
    /// # Errors
    /// A temporary file cannot be made or written.
    pub(super) fn add(&mut self, click: Click, names: &UsageNames) -> io::Result<()> {
        if self.clicks.len() == self.run {
            let ranks = Ranks::of(names);
            self.sort(&ranks);
            // A file without a name: it is gone when the program ends, however it ends.
            let mut file = BufWriter::with_capacity(BUFFER, tempfile::tempfile()?);
            for click in self.clicks.drain(..) {
                file.write_all(&ranks.to_numbers(click).to_bytes())?;
            }
            let mut file = file.into_inner()?;
            file.rewind()?;
            self.runs.push(BufReader::with_capacity(BUFFER, file));
        }
        self.clicks.push(click);
        Ok(())
    }

    fn sort(&mut self, ranks: &Ranks) {
        for click in &mut self.clicks {
            *click = ranks.to_ranks(*click);
        }
        self.clicks.sort_unstable();
    }

    /// All clicks in order, with the ranks of their names.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(super) fn sorted(mut self, names: &UsageNames) -> io::Result<Sorted> {
        let ranks = Ranks::of(names);
        self.sort(&ranks);
        let mut runs: Vec<Run> = self.runs.into_iter().map(Run::File).collect();
        runs.push(Run::Memory(self.clicks.into_iter()));
        let mut sorted = Sorted { runs, heads: BinaryHeap::new(), ranks };
        for run in 0..sorted.runs.len() {
            sorted.read(run)?;
        }
        Ok(sorted)
    }
}

/// The order of names.
struct Ranks {
    tenants: Order,
    standards: Order,
}

/// The rank of each number, and the number of each rank.
struct Order {
    ranks: Vec<u32>,
    numbers: Vec<u32>,
}

impl Order {
    /// The order of names, each at the index of its number.
    fn of(names: &[Arc<str>]) -> Self {
        let mut numbers: Vec<u32> = (0..).take(names.len()).collect();
        numbers.sort_unstable_by_key(|number| &names[*number as usize]);
        let mut ranks = vec![0; names.len()];
        for (rank, number) in (0..).zip(&numbers) {
            ranks[*number as usize] = rank;
        }
        Self { ranks, numbers }
    }
}

impl Ranks {
    fn of(names: &UsageNames) -> Self {
        Self { tenants: Order::of(names.tenants()), standards: Order::of(names.standards()) }
    }

    fn to_ranks(&self, click: Click) -> Click {
        let (tenant, standard) = (click.tenant as usize, click.standard as usize);
        Click { tenant: self.tenants.ranks[tenant], standard: self.standards.ranks[standard], ..click }
    }

    fn to_numbers(&self, click: Click) -> Click {
        let (tenant, standard) = (click.tenant as usize, click.standard as usize);
        Click { tenant: self.tenants.numbers[tenant], standard: self.standards.numbers[standard], ..click }
    }
}

/// Clicks in order.
pub(super) struct Sorted {
    runs: Vec<Run>,
    /// The next click of each run.
    heads: BinaryHeap<Reverse<(Click, usize)>>,
    ranks: Ranks,
}

enum Run {
    Memory(std::vec::IntoIter<Click>),
    File(BufReader<File>),
}

impl Sorted {
    /// The next click, with the numbers of its names.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<Click>> {
        let Some(Reverse((click, run))) = self.heads.pop() else { return Ok(None) };
        self.read(run)?;
        Ok(Some(self.ranks.to_numbers(click)))
    }

    /// Adds the next click of a run to the heads.
    fn read(&mut self, run: usize) -> io::Result<()> {
        let click = match &mut self.runs[run] {
            Run::Memory(clicks) => clicks.next(),
            Run::File(file) => {
                let mut bytes = [0; STORED];
                match file.read_exact(&mut bytes) {
                    Ok(()) => Some(self.ranks.to_ranks(Click::from_bytes(&bytes))),
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
                    Err(error) => return Err(error),
                }
            }
        };
        self.heads.extend(click.map(|click| Reverse((click, run))));
        Ok(())
    }
}
