//! Usage reports: the lines of the audit become the counts of a month, in the shape of COUNTER's Item Report
//! or Platform Report, Release 5.1 (<https://cop5.countermetrics.org/>). COUNTER-shaped, not audited.
//!
//! A read of a standard is an investigation, a request or a refusal, by its operation (`metric.rs`);
//! docs/operations.md has the table. Lines come from any number of audit files (`files.rs`) and are sorted by
//! tenant, standard, client and time in temporary files (`sort.rs`), so that memory holds a run of them, the
//! names of tenants, clients and standards, and one report ([`count`]).

mod count;
mod files;
mod line;
mod metric;
mod month;
mod report;
mod sort;

use std::io;
use std::path::{Path, PathBuf};

use count::Counter;
pub use count::UsageCounts;
use files::AuditSequence;
use line::{OF_NO_STANDARD, UsageNames};
pub use metric::Metric;
pub use month::{Month, ParseMonthError};
pub use report::{ReportContext, ReportKind, Titles, UsageReport};
use sort::Sorter;

/// The reason why usage cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// No audit file is configured or named.
    #[error(
        "there is nothing to count: no audit file is configured; set `audit-file` in the section [log] of the settings file, \
         `NORMA_AUDIT_FILE` or `--audit-file` to the file that `norma serve` is to write, or name the audit files: \
         norma usage --month {0} FILE…"
    )]
    NoFile(Month),
    /// Neither an audit file nor a rotated file of it exists.
    #[error(
        "there is no audit file {}: check `audit-file`, and that `norma serve` runs with the same setting and on this machine",
        .0.display()
    )]
    Absent(PathBuf),
    /// A pipe, a device or a folder: it may have no end.
    #[error("{} is not a regular file: name audit files, as `norma serve` writes them", .0.display())]
    NotRegular(PathBuf),
    /// A file that is not a log.
    #[error(
        "expected lines of a log in {}, found {} MiB of something else after line {line}: name the file that `audit-file` \
         of `norma serve` names, or one that it was rotated to", path.display(), files::MOST_UNREADABLE >> 20
    )]
    NotALog {
        /// The file.
        path: PathBuf,
        /// The last line that could be read, from 1; 0 where none could.
        line: u64,
    },
    /// An audit file cannot be read.
    #[error("cannot read the audit file {}: {cause}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Reads cannot be sorted in temporary files.
    #[error(
        "cannot sort the reads in temporary files in {}: {cause}; let `TMPDIR` name a folder that can be written, with room for 21 bytes \
         for each read of the month", folder.display()
    )]
    Unsorted {
        /// The folder of temporary files.
        folder: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl UsageError {
    fn unsorted(cause: io::Error) -> Self {
        Self::Unsorted { folder: std::env::temp_dir(), cause }
    }
}

/// Usage in one month: a report for each tenant, one after the other.
pub struct Usage {
    facts: Facts,
    counter: Counter,
    /// The first row of the next report.
    next: Option<(u32, u32, UsageCounts)>,
    /// The requested tenant, until its report is made.
    tenant: Option<String>,
}

/// The values that all reports have in common.
struct Facts {
    month: Month,
    names: UsageNames,
    notices: Vec<Notice>,
}

/// A reason why the counts of a month may not be all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The audit of a file begins within or after the month, at this time (RFC 3339).
    BeginsLate(PathBuf, String),
    /// This number of lines could not be read, the first of them in this file at this line, from 1.
    Unreadable(u64, PathBuf, u64),
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
        }
    }
}

/// Counts the usage of one month (UTC) in audit files, each with its rotated files. If there are several
/// instances, name the file of each. With a tenant, only the reads of this one.
///
/// # Errors
/// A file cannot be read, or is not there.
pub fn count(files: &[PathBuf], month: Month, tenant: Option<&str>) -> Result<Usage, UsageError> {
    if files.is_empty() {
        return Err(UsageError::NoFile(month));
    }
    let mut names = UsageNames::default();
    let mut sequences = Vec::new();
    for file in files {
        sequences.push(AuditSequence::open(file, month, tenant)?);
    }
    let mut sorter = Sorter::new();
    for sequence in &mut sequences {
        while let Some(clicks) = sequence.next(&mut names)? {
            for click in clicks {
                sorter.add(click, &names).map_err(UsageError::unsorted)?;
            }
        }
    }
    let notices = sequences.iter().flat_map(AuditSequence::notices).collect();
    let counter = sorter.sorted(&names).and_then(|clicks| Counter::new(month, clicks));
    let mut counter = counter.map_err(UsageError::unsorted)?;
    let next = counter.next().map_err(UsageError::unsorted)?;
    Ok(Usage { facts: Facts { month, names, notices }, counter, next, tenant: tenant.map(str::to_owned) })
}

impl Usage {
    /// The month.
    pub fn month(&self) -> Month {
        self.facts.month
    }

    /// URNs of the standards in the reports, in no order.
    pub fn standards(&self) -> impl Iterator<Item = &str> {
        self.facts.names.standards().iter().map(|urn| &**urn)
    }

    /// Reasons why the counts may not be all of the month.
    pub fn notices(&self) -> &[Notice] {
        &self.facts.notices
    }

    /// Whether each tenant that read something has its report.
    pub fn is_empty(&self) -> bool {
        self.next.is_none()
    }

    /// The report of the next tenant that read something, sorted by name. If one tenant was requested, its
    /// report, which may be empty. `None` after the last one.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next_report(&mut self) -> Result<Option<UsageReport<'_>>, UsageError> {
        let asked = self.tenant.take();
        let (tenant, mut items) = match self.next.take() {
            Some((tenant, standard, counts)) => (tenant, vec![(standard, counts)]),
            None => return Ok(asked.map(|tenant| UsageReport::new(&self.facts, tenant, Vec::new(), 0))),
        };
        while let Some(row) = self.counter.next().map_err(UsageError::unsorted)? {
            if row.0 != tenant {
                self.next = Some(row);
                break;
            }
            items.push((row.1, row.2));
        }
        let tenant = self.facts.names.tenants()[tenant as usize].to_string();
        // Searches come first, by the order of names.
        let urn_of = |(standard, _): &(u32, UsageCounts)| &*self.facts.names.standards()[*standard as usize];
        let searches = match items.first().is_some_and(|first| urn_of(first) == OF_NO_STANDARD) {
            true => items.remove(0).1.searches_platform,
            false => 0,
        };
        Ok(Some(UsageReport::new(&self.facts, tenant, items, searches)))
    }
}

/// The audit files for a command: those that it names, or else the one in the settings.
pub fn audit_files(named: Vec<PathBuf>, configured: &str) -> Vec<PathBuf> {
    match (named.is_empty(), configured) {
        (true, "") => Vec::new(),
        (true, configured) => vec![Path::new(configured).to_owned()],
        (false, _) => named,
    }
}
