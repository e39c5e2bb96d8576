//! Lines of the audit: the members that a report needs, with names as numbers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use norma_api::Operation;
use serde::Deserialize;

use super::Metric;
use super::count::Click;
use crate::AUDIT;

/// Instead of the URN of a standard, where a search is counted.
pub(super) const OF_NO_STANDARD: &str = "";

/// The kind of a line.
#[expect(clippy::large_enum_variant, reason = "one line is there at a time, and nearly all are of the audit")]
pub(super) enum LogLine<'l> {
    /// A line of the audit at a time (nanoseconds since 1970).
    Audit(i64, AuditLine<'l>),
    /// A line of the log, or an empty one.
    Other,
    /// A line that was cut or changed after it was written.
    Unreadable,
}

/// The members of a line of the audit that a report needs. Other messages of the log may have some of them.
#[derive(Deserialize)]
pub(super) struct AuditLine<'l> {
    #[serde(borrow)]
    target: Cow<'l, str>,
    #[serde(borrow)]
    timestamp: Cow<'l, str>,
    #[serde(borrow, default)]
    message: Cow<'l, str>,
    #[serde(borrow, default)]
    tenant: Cow<'l, str>,
    #[serde(borrow, default)]
    client: Cow<'l, str>,
    #[serde(borrow, default)]
    standard: Cow<'l, str>,
    #[serde(borrow, default)]
    access: Cow<'l, str>,
    #[serde(borrow, default)]
    with: Option<Cow<'l, str>>,
    #[serde(borrow, default, rename = "withAccess")]
    with_access: Cow<'l, str>,
    /// Standards that a search shows texts of.
    #[serde(borrow, default)]
    read: Vec<Cow<'l, str>>,
    /// Standards that a search shows the titles of.
    #[serde(borrow, default)]
    discovered: Vec<Cow<'l, str>>,
    #[serde(borrow, default)]
    method: Cow<'l, str>,
    #[serde(borrow, default)]
    part: Cow<'l, str>,
    #[serde(borrow, default)]
    path: Cow<'l, str>,
    #[serde(default)]
    status: u16,
}

/// The member that distinguishes messages of the log.
#[derive(Deserialize)]
struct LogTarget<'l> {
    #[serde(borrow, default)]
    target: Cow<'l, str>,
}

/// Parses a line without its end.
pub(super) fn parse(bytes: &[u8]) -> LogLine<'_> {
    if bytes.first() != Some(&b'{') {
        return LogLine::Other;
    }
    let Ok(line) = serde_json::from_slice::<AuditLine<'_>>(bytes) else {
        // Another message may have members of other types.
        return match serde_json::from_slice::<LogTarget<'_>>(bytes) {
            Ok(other) if other.target != AUDIT => LogLine::Other,
            _ => LogLine::Unreadable,
        };
    };
    if line.target != AUDIT || line.message != "read" {
        return LogLine::Other;
    }
    match nanoseconds_of(&line.timestamp) {
        Some(time) => LogLine::Audit(time, line),
        None => LogLine::Unreadable,
    }
}

fn nanoseconds_of(timestamp: &str) -> Option<i64> {
    let time: Timestamp = timestamp.parse().ok()?;
    i64::try_from(time.as_nanosecond()).ok()
}

impl AuditLine<'_> {
    /// True if the line is of this tenant.
    pub(super) fn is_of(&self, tenant: &str) -> bool {
        self.tenant == tenant
    }

    /// What a report counts: reads of one standard, of the two of a comparison, or of those that a search
    /// shows; and the search itself.
    pub(super) fn clicks(&self, time: i64, names: &mut UsageNames) -> Vec<Click> {
        // HEAD is answered without a body: nothing was read.
        if self.method == "HEAD" {
            return Vec::new();
        }
        let operation = Operation::ALL.iter().find(|operation| operation.path() == self.part);
        let Some(&operation) = operation else { return Vec::new() };
        let mut clicks = LineClicks { line: self, operation, time, names, clicks: Vec::new() };
        if Metric::is_search(operation, self.status, &self.path) {
            clicks.add(OF_NO_STANDARD, Metric::Search);
        }
        if !self.standard.is_empty() {
            clicks.add_read(&self.standard, self.access == "discover");
        }
        if let Some(other) = &self.with {
            clicks.add_read(other, self.with_access == "discover");
        }
        for standard in &self.read {
            clicks.add_read(standard, false);
        }
        for standard in &self.discovered {
            clicks.add_read(standard, true);
        }
        clicks.clicks
    }
}

/// The clicks of a line, one after the other.
struct LineClicks<'l, 'n> {
    line: &'l AuditLine<'l>,
    operation: Operation,
    time: i64,
    names: &'n mut UsageNames,
    clicks: Vec<Click>,
}

impl LineClicks<'_, '_> {
    /// Adds the read of a standard, if it counts.
    fn add_read(&mut self, standard: &str, only_discovered: bool) {
        let metric = Metric::of(self.operation, self.line.status, only_discovered, &self.line.path);
        if let Some(metric) = metric {
            self.add(standard, metric);
        }
    }

    fn add(&mut self, standard: &str, metric: Metric) {
        let (tenant, client) = self.names.client(&self.line.tenant, &self.line.client);
        let standard = self.names.standard(standard);
        self.clicks.push(Click { tenant, standard, client, metric, time: self.time });
    }
}

/// Names of tenants, clients and standards as numbers, each name once.
#[derive(Debug, Default)]
pub(super) struct UsageNames {
    tenants: NumberedNames,
    standards: NumberedNames,
    /// Tenant and client, separated by a line end, which neither contains.
    clients: NumberedNames,
    key: String,
}

#[derive(Debug, Default)]
struct NumberedNames {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl NumberedNames {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("memory holds fewer names");
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}

impl UsageNames {
    /// Numbers of a tenant and of its client.
    pub(super) fn client(&mut self, tenant: &str, client: &str) -> (u32, u32) {
        self.key.clear();
        self.key.extend([tenant, "\n", client]);
        (self.tenants.number(tenant), self.clients.number(&self.key))
    }

    /// The number of the URN of a standard.
    pub(super) fn standard(&mut self, urn: &str) -> u32 {
        self.standards.number(urn)
    }

    /// The tenants, each at the place of its number.
    pub(super) fn tenants(&self) -> &[Arc<str>] {
        &self.tenants.names
    }

    /// The URNs of the standards, each at the index of its number.
    pub(super) fn standards(&self) -> &[Arc<str>] {
        &self.standards.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> &'static str {
        match parse(line.as_bytes()) {
            LogLine::Audit(..) => "audit",
            LogLine::Other => "other",
            LogLine::Unreadable => "unreadable",
        }
    }

    #[test]
    fn lines_of_the_log_are_passed_over_and_cut_ones_are_noticed() {
        let line = r#"{"timestamp":"2026-10-01T00:00:00.5Z","level":"INFO","target":"norma::audit","message":"read"}"#;
        assert_eq!(kind(line), "audit");
        for other in [
            "",
            "2026-10-01T00:00:00Z  INFO norma_service: listening",
            r#"{"timestamp":"2026-10-01T00:00:00Z","level":"INFO","target":"norma_service","message":"x","status":"y"}"#,
            r#"{"number":1}"#,
        ] {
            assert_eq!(kind(other), "other", "{other}");
        }
        for cut in [&line[..40], &line[..line.len() - 1], "{", &line.replace("2026", "26")] {
            assert_eq!(kind(cut), "unreadable", "{cut}");
        }
    }
}
