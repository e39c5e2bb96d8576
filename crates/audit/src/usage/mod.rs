//! Usage reports: the lines of the audit become the counts of a month, in the shape of COUNTER's Item Report
//! or Platform Report, Release 5.1 (<https://cop5.countermetrics.org/>). COUNTER-shaped, not audited.
//!
//! A read of a standard is an investigation, a request or a refusal, by its operation (`metric.rs`);
//! docs/operations.md has the table. Lines come from any number of audit files (`files.rs`), are merged by
//! time and counted as they come (`count.rs`), so that memory holds the rows of the reports, the names in
//! them, and the reads of two hours at most.

mod count;
mod files;
mod line;
mod metric;
mod month;
mod report;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

pub use count::UsageCounts;
use count::{Click, Counter};
use files::AuditSequence;
use line::{OF_NO_STANDARD, UsageNames};
pub use metric::Metric;
pub use month::{Month, ParseMonthError};
pub use report::{ReportContext, ReportKind, Titles, UsageReport};

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
        /// Path of the file that is perhaps not a log.
        path: PathBuf,
        /// The last line that could be read, from 1; 0 where none could.
        line: u64,
    },
    /// An audit file cannot be read.
    #[error("cannot read the audit file {}: {cause}", path.display())]
    Unreadable {
        /// Path of the file that cannot be read.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
}

/// Usage in one month: a report for each tenant, one after the other.
pub struct Usage {
    facts: Facts,
    /// Tenants that read something, sorted by name, each with its standards.
    tenants: std::vec::IntoIter<(u32, HashMap<u32, UsageCounts>)>,
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
    let mut counter = Counter::new(month);
    count_merged(&mut sequences, &mut names, &mut counter)?;
    let notices = sequences.iter().flat_map(AuditSequence::notices).collect();
    let mut tenants: Vec<(u32, HashMap<u32, UsageCounts>)> = (0..).zip(counter.finish()).collect();
    tenants.retain(|(_, standards)| !standards.is_empty());
    tenants.sort_unstable_by_key(|(number, _)| &names.tenants()[*number as usize]);
    let tenants = tenants.into_iter();
    Ok(Usage { facts: Facts { month, names, notices }, tenants, tenant: tenant.map(str::to_owned) })
}

/// Counts the clicks of all files, merged by time.
fn count_merged(
    sequences: &mut [AuditSequence<'_>],
    names: &mut UsageNames,
    counter: &mut Counter,
) -> Result<(), UsageError> {
    // The clicks of the next line of each file; empty at its end.
    let mut next = Vec::with_capacity(sequences.len());
    for sequence in &mut *sequences {
        next.push(next_clicks(sequence, names)?);
    }
    loop {
        let Some(file) = earliest(&next) else { return Ok(()) };
        let following = next_clicks(&mut sequences[file], names)?;
        for click in std::mem::replace(&mut next[file], following) {
            counter.add(click);
        }
    }
}

/// The file whose next clicks are the earliest, the first of several; `None` at the end of all.
fn earliest(next: &[Vec<Click>]) -> Option<usize> {
    let mut earliest = None;
    let mut earliest_time = i64::MAX;
    for (file, clicks) in next.iter().enumerate() {
        let Some(click) = clicks.first() else { continue };
        if earliest.is_none() || click.time < earliest_time {
            earliest = Some(file);
            earliest_time = click.time;
        }
    }
    earliest
}

/// The clicks of the next line that has any; empty at the end of the files.
fn next_clicks(sequence: &mut AuditSequence<'_>, names: &mut UsageNames) -> Result<Vec<Click>, UsageError> {
    while let Some(clicks) = sequence.next(names)? {
        if !clicks.is_empty() {
            return Ok(clicks);
        }
    }
    Ok(Vec::new())
}

impl Usage {
    /// The month whose usage was counted.
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

    /// True if each tenant that read something has its report.
    pub fn is_empty(&self) -> bool {
        self.tenants.len() == 0
    }

    /// The report of the next tenant that read something, sorted by name. If one tenant was requested, its
    /// report, which may be empty. `None` after the last one.
    pub fn next_report(&mut self) -> Option<UsageReport<'_>> {
        let requested = self.tenant.take();
        let Some((tenant, standards)) = self.tenants.next() else {
            // The requested tenant read nothing.
            return requested.map(|tenant| UsageReport::new(&self.facts, tenant, Vec::new(), 0));
        };
        let names = self.facts.names.standards();
        let mut items: Vec<(u32, UsageCounts)> = standards.into_iter().collect();
        items.sort_unstable_by_key(|(standard, _)| &names[*standard as usize]);
        // Searches come first, by the order of names.
        let mut searches = 0;
        if let Some((standard, counts)) = items.first()
            && &*names[*standard as usize] == OF_NO_STANDARD
        {
            searches = counts.searches_platform;
            items.remove(0);
        }
        let tenant = self.facts.names.tenants()[tenant as usize].to_string();
        Some(UsageReport::new(&self.facts, tenant, items, searches))
    }
}

/// The audit files for a command: those that it names, or else the one in the settings.
pub fn audit_files(named: Vec<PathBuf>, configured: &str) -> Vec<PathBuf> {
    if !named.is_empty() || configured.is_empty() {
        return named;
    }
    vec![PathBuf::from(configured)]
}
