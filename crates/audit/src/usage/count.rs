//! Counting of reads: double clicks once, sessions once, and a row for each tenant and standard.

use std::collections::HashSet;
use std::io;

use super::month::nanoseconds;
use super::sort::{Click, Sorted};
use super::{Metric, Month};

/// Time within which two reads count once, in nanoseconds (COUNTER R5.1, section 7.2).
pub(super) const DOUBLE_CLICK: i64 = 30_000_000_000;

/// Length of a session, in nanoseconds: a client's reads within one hour of the clock (COUNTER R5.1, section
/// 7.3).
const HOUR: i64 = 3_600_000_000_000;

/// The counts of a standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageCounts {
    /// Reads of its content or about it.
    pub total_item_investigations: u32,
    /// Reads of its content.
    pub total_item_requests: u32,
    /// Sessions with a read of its content or about it.
    pub unique_item_investigations: u32,
    /// Sessions with a read of its content.
    pub unique_item_requests: u32,
    /// Reads that were refused to callers who may discover the standard.
    pub no_license: u32,
    /// Searches, which are of no standard.
    pub searches_platform: u32,
}

/// Counts of one month.
pub(super) struct Counter {
    month: std::ops::Range<i64>,
    clicks: Sorted,
    /// The click that comes next.
    next: Option<Click>,
    /// Kinds and hours of the reads of one client and standard.
    sessions: HashSet<(Metric, i64)>,
}

impl Counter {
    /// Counts of these clicks.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(super) fn new(month: Month, mut clicks: Sorted) -> io::Result<Self> {
        let next = clicks.next()?;
        let month = nanoseconds(month.begin())..nanoseconds(month.end());
        Ok(Self { month, clicks, next, sessions: HashSet::new() })
    }

    /// The counts of the next tenant and standard with any, sorted by name.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub(super) fn next(&mut self) -> io::Result<Option<(u32, u32, UsageCounts)>> {
        let mut counts = UsageCounts::default();
        while let Some(click) = self.next {
            self.next = self.clicks.next()?;
            let item = |click: Click| (click.tenant, click.standard);
            let is_of_item = self.next.is_some_and(|next| item(next) == item(click));
            let next = self.next.filter(|next| is_of_item && next.client == click.client);
            // The last read of a double click counts. Each search counts (COUNTER R5.1, section 7.2).
            let is_replaced = click.metric != Metric::Search
                && next.is_some_and(|next| {
                    next.metric == click.metric && next.time - click.time <= DOUBLE_CLICK
                });
            if !is_replaced && self.month.contains(&click.time) {
                self.count(click, &mut counts);
            }
            if next.is_none() {
                self.sessions.clear();
            }
            if !is_of_item && counts != UsageCounts::default() {
                return Ok(Some((click.tenant, click.standard, counts)));
            }
        }
        Ok(None)
    }

    fn count(&mut self, click: Click, counts: &mut UsageCounts) {
        let hour = click.time.div_euclid(HOUR);
        // Whether the client's session has no such read before.
        let mut is_first = |metric| u32::from(self.sessions.insert((metric, hour)));
        match click.metric {
            Metric::NoLicense => counts.no_license += 1,
            Metric::Search => counts.searches_platform += 1,
            Metric::Investigation | Metric::Request => {
                counts.total_item_investigations += 1;
                counts.unique_item_investigations += is_first(Metric::Investigation);
            }
        }
        if click.metric == Metric::Request {
            counts.total_item_requests += 1;
            counts.unique_item_requests += is_first(Metric::Request);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::UsageNames;
    use super::super::sort::Sorter;
    use super::*;

    /// The counts of these clients' clicks, in seconds after the begin of October.
    fn counted(clicks: &[(f64, u32, Metric)]) -> UsageCounts {
        let month: Month = "2026-10".parse().unwrap();
        let mut names = UsageNames::default();
        let (tenant, _) = names.client("acme", "one");
        let standard = names.standard("urn:iso:std:iso:1:ed-1:en");
        // Nearly every click is in a file.
        let mut sorter = Sorter::with_runs_of(1);
        for (seconds, client, metric) in clicks {
            let time = nanoseconds(month.begin()) + (seconds * 1e9) as i64;
            sorter.add(Click { tenant, standard, client: *client, metric: *metric, time }, &names).unwrap();
        }
        let mut counter = Counter::new(month, sorter.sorted(&names).unwrap()).unwrap();
        let counts = counter.next().unwrap().map_or(UsageCounts::default(), |(_, _, counts)| counts);
        assert!(counter.next().unwrap().is_none());
        counts
    }

    fn totals(clicks: &[(f64, u32, Metric)]) -> [u32; 5] {
        let counts = counted(clicks);
        [
            counts.total_item_investigations,
            counts.unique_item_investigations,
            counts.total_item_requests,
            counts.unique_item_requests,
            counts.no_license,
        ]
    }

    use Metric::{Investigation as I, NoLicense as N, Request as R};

    const OCTOBER: f64 = 31.0 * 86_400.0;

    #[test]
    fn a_double_click_counts_once_up_to_thirty_seconds_and_any_number_in_a_row_is_one() {
        assert_eq!(totals(&[(0.0, 1, R), (30.0, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, R), (30.001, 1, R)]), [2, 1, 2, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, R), (31.0, 1, R)]), [2, 1, 2, 1, 0]);
        let row: Vec<_> = (0..100).map(|number| (f64::from(number) * 29.0, 1, R)).collect();
        assert_eq!(totals(&row), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, R), (0.0, 1, R)]), [1, 1, 1, 1, 0]);
    }

    #[test]
    fn each_search_counts_also_right_after_another() {
        let search = |seconds| (seconds, 1, Metric::Search);
        let counts = counted(&[search(0.0), search(0.0), search(5.0), (6.0, 1, R)]);
        assert_eq!((counts.searches_platform, counts.total_item_requests), (3, 1));
    }

    #[test]
    fn clicks_of_other_clients_or_kinds_are_no_double_clicks() {
        assert_eq!(totals(&[(0.0, 1, R), (1.0, 2, R)]), [2, 2, 2, 2, 0]);
        assert_eq!(totals(&[(0.0, 1, I), (1.0, 1, R), (2.0, 1, I)]), [2, 1, 1, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, N), (1.0, 1, I), (30.0, 1, N), (61.0, 1, N)]), [1, 1, 0, 0, 2]);
    }

    #[test]
    fn a_session_is_a_clock_hour_of_a_client_and_the_last_click_of_two_says_which() {
        assert_eq!(totals(&[(3000.0, 1, R), (3500.0, 1, R), (3600.0, 1, R)]), [3, 2, 3, 2, 0]);
        assert_eq!(totals(&[(3590.0, 1, R), (3610.0, 1, R), (3700.0, 1, R)]), [2, 1, 2, 1, 0]);
        assert_eq!(totals(&[(10.0, 1, I), (100.0, 1, R), (7300.0, 1, I)]), [3, 2, 1, 1, 0]);
    }

    #[test]
    fn the_month_begins_and_ends_at_midnight_and_the_last_click_says_in_which_month_it_was() {
        assert_eq!(totals(&[(-0.001, 1, R), (40.0, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(-10.0, 1, R), (10.0, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(OCTOBER - 10.0, 1, R), (OCTOBER + 20.0, 1, R)]), [0; 5]);
        assert_eq!(totals(&[(OCTOBER - 10.0, 1, R), (OCTOBER + 20.001, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, R), (OCTOBER - 0.001, 1, R), (OCTOBER, 2, R)]), [2, 2, 2, 2, 0]);
    }

    #[test]
    fn clicks_that_are_out_of_order_count_as_if_they_were_not() {
        assert_eq!(totals(&[(10.0, 1, R), (9.9, 1, R), (39.95, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(3600.1, 1, R), (3599.9, 2, R), (3650.0, 2, R)]), [3, 3, 3, 3, 0]);
        assert_eq!(totals(&[(9000.0, 1, R), (0.0, 1, I), (7300.0, 1, I), (10.0, 1, R)]), [4, 2, 2, 2, 0]);
    }

    #[test]
    fn counts_come_in_the_order_of_names_whatever_the_order_of_clicks_and_the_size_of_runs() {
        let month: Month = "2026-10".parse().unwrap();
        let (tenants, standards) = (["b", "c", "a"], ["urn:z", "urn:x", "urn:y", "urn:w"]);
        let reference = counts_by_name(month, &tenants, &standards, 1 << 20);
        assert_eq!(reference.len(), 12);
        assert!(reference.is_sorted_by(|a, b| (&a.0, &a.1) < (&b.0, &b.1)), "{reference:?}");
        assert_eq!(reference.iter().map(|row| row.2.total_item_requests).sum::<u32>(), 1000);
        for run in [1, 7, 100, 999] {
            assert_eq!(counts_by_name(month, &tenants, &standards, run), reference, "{run}");
        }
    }

    /// 1000 requests, 31 s apart, by name of tenant and standard.
    fn counts_by_name(
        month: Month,
        tenants: &[&str],
        standards: &[&str],
        run: usize,
    ) -> Vec<(String, String, UsageCounts)> {
        let (mut names, mut sorter) = (UsageNames::default(), Sorter::with_runs_of(run));
        for number in 0..1000_usize {
            // Names come up later, too: the order of names changes between runs.
            let known = 1 + number / 200;
            let (tenant, client) = names.client(tenants[number % known.min(tenants.len())], "one");
            let standard = names.standard(standards[number * 7 / 3 % known.min(standards.len())]);
            let time = nanoseconds(month.begin()) + number as i64 * 31_000_000_000;
            sorter.add(Click { tenant, standard, client, metric: R, time }, &names).unwrap();
        }
        let mut counter = Counter::new(month, sorter.sorted(&names).unwrap()).unwrap();
        std::iter::from_fn(|| counter.next().unwrap())
            .map(|(tenant, standard, counts)| {
                (
                    names.tenants()[tenant as usize].to_string(),
                    names.standards()[standard as usize].to_string(),
                    counts,
                )
            })
            .collect()
    }
}
