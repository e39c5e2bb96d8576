//! Usage reports: from the lines of the audit to the counts of a month, in the shape of COUNTER's Item Report, Release 5.1
//! (<https://cop5.countermetrics.org/>). COUNTER-shaped, not audited.
//!
//! A read of a standard is an investigation, a request or a refusal, by its operation (`metric.rs`); docs/operations.md has the
//! table. Lines come in the order of time from any number of audit files (`files.rs`), so that memory holds only the reads
//! of the last 30 seconds, the sessions of an hour, and a row for each standard that a tenant read ([`count`]).

mod count;
mod files;
mod line;
mod metric;
mod month;
mod report;

use std::path::{Path, PathBuf};

use count::Counter;
pub use count::Counts;
use files::Sequence;
use line::Names;
pub use metric::Metric;
pub use month::{Month, ParseMonthError};
pub use report::{Origin, Report};

/// Why usage cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// No audit file is configured or named.
    #[error(
        "there is nothing to count: no audit file is configured; set `audit-file` in the section [log] of the settings file, \
         `NORMA_AUDIT_FILE` or `--audit-file` to the file that `norma serve` is to write, or name the audit files: \
         norma usage --month {0} FILE…"
    )]
    NoFile(Month),
    /// An audit file is not there, nor a file that it was rotated to.
    #[error(
        "there is no audit file {}: check `audit-file`, and that `norma serve` runs with the same setting and on this machine",
        .0.display()
    )]
    Absent(PathBuf),
    /// An audit file cannot be read.
    #[error("cannot read the audit file {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
}

/// Usage in one month.
#[derive(Debug)]
pub struct Usage {
    month: Month,
    names: Names,
    /// Tenant, standard and counts, sorted by the names of the two.
    rows: Vec<(u32, u32, Counts)>,
    notices: Vec<Notice>,
}

/// A reason why the counts of a month may not be all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The audit of a file begins within or after the month, at this time (RFC 3339).
    BeginsLate(PathBuf, String),
    /// So many lines could not be read, the first of them in this file at this line, from 1.
    Unreadable(u64, PathBuf, u64),
    /// So many lines were more than 30 seconds older than one before them: double clicks and sessions may be counted twice.
    OutOfOrder(u64),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BeginsLate(path, time) => {
                write!(f, "{} begins at {time}; what was read before is not counted", path.display())
            }
            Self::Unreadable(lines, path, line) => {
                write!(f, "{lines} lines could not be read, the first is line {line} of {}", path.display())
            }
            Self::OutOfOrder(lines) => write!(
                f,
                "{lines} lines are more than 30 s older than a line before them; their double clicks may be counted twice"
            ),
        }
    }
}

/// Counts the usage of one month (UTC) in audit files, each with the files that it was rotated to; of several instances, name the
/// file of each. With a tenant, only the reads of this one.
///
/// # Errors
/// A file cannot be read, or is not there.
pub fn count(files: &[PathBuf], month: Month, tenant: Option<&str>) -> Result<Usage, UsageError> {
    if files.is_empty() {
        return Err(UsageError::NoFile(month));
    }
    let mut names = Names::default();
    let mut sequences = Vec::new();
    for file in files {
        sequences.push(Sequence::open(file, month, tenant)?);
    }
    let mut heads = Vec::new();
    for sequence in &mut sequences {
        heads.push(sequence.next(&mut names)?);
    }
    let mut counter = Counter::new(month);
    loop {
        // The earliest line of all files; there are as many as instances.
        let earliest =
            heads.iter().enumerate().filter_map(|(index, head)| Some((head.as_ref()?.time, index)));
        let Some((_, index)) = earliest.min() else { break };
        let next = sequences[index].next(&mut names)?;
        if let Some(read) = std::mem::replace(&mut heads[index], next) {
            for (standard, metric) in read.uses.into_iter().flatten() {
                counter.add(read.time, read.tenant, (read.caller, standard, metric));
            }
        }
    }
    let late = counter.late();
    let counts = counter.finish().into_iter();
    let mut rows: Vec<(u32, u32, Counts)> =
        counts.map(|((tenant, standard), counts)| (tenant, standard, counts)).collect();
    rows.sort_unstable_by(|a, b| {
        let key = |row: &(u32, u32, Counts)| (names.tenant(row.0), names.standard(row.1));
        key(a).cmp(&key(b))
    });
    let mut notices: Vec<Notice> = sequences.iter().flat_map(Sequence::notices).collect();
    if late > 0 {
        notices.push(Notice::OutOfOrder(late));
    }
    Ok(Usage { month, names, rows, notices })
}

impl Usage {
    /// The month.
    pub fn month(&self) -> Month {
        self.month
    }

    /// Why the counts may not be all of the month.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The counts of each tenant and standard, sorted by tenant, then standard.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &str, Counts)> {
        self.rows.iter().map(|(tenant, standard, counts)| {
            (self.names.tenant(*tenant), self.names.standard(*standard), *counts)
        })
    }

    /// A report for each tenant that read something, sorted; where one tenant was asked for, its report, which may be empty.
    pub fn reports<'u>(&'u self, tenant: Option<&'u str>) -> Vec<Report<'u>> {
        let mut reports: Vec<Report<'u>> = Vec::new();
        for (tenant, standard, counts) in self.rows() {
            match reports.last_mut() {
                Some(report) if report.tenant == tenant => report.items.push((standard, counts)),
                _ => reports.push(Report { usage: self, tenant, items: vec![(standard, counts)] }),
            }
        }
        if let (true, Some(tenant)) = (reports.is_empty(), tenant) {
            reports.push(Report { usage: self, tenant, items: Vec::new() });
        }
        reports
    }
}

/// The audit files of a command: those that it names, or else the one that the settings name.
pub fn audit_files(named: Vec<PathBuf>, configured: &str) -> Vec<PathBuf> {
    match (named.is_empty(), configured) {
        (true, "") => Vec::new(),
        (true, configured) => vec![Path::new(configured).to_owned()],
        (false, _) => named,
    }
}
