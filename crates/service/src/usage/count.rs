//! Counting of reads: double clicks once, sessions once, and a row for each tenant and standard.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::AddAssign;

use super::{Metric, Month};

/// Time within which two reads count once, in nanoseconds (COUNTER R5.1, section 7.2).
pub(super) const DOUBLE_CLICK: i64 = 30_000_000_000;

/// Length of a session, in nanoseconds: a client's reads within one hour of the clock (COUNTER R5.1, section 7.3).
const HOUR: i64 = 3_600_000_000_000;

/// What is counted of a standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads of it or about it.
    pub total_item_investigations: u32,
    /// Reads of its content.
    pub total_item_requests: u32,
    /// Sessions with a read of it or about it.
    pub unique_item_investigations: u32,
    /// Sessions with a read of its content.
    pub unique_item_requests: u32,
    /// Reads that were refused to callers who may discover it.
    pub no_license: u32,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.total_item_investigations += other.total_item_investigations;
        self.total_item_requests += other.total_item_requests;
        self.unique_item_investigations += other.unique_item_investigations;
        self.unique_item_requests += other.unique_item_requests;
        self.no_license += other.no_license;
    }
}

/// A click: client, standard and kind of use. Two equal ones within 30 seconds are a double click.
pub(super) type Click = (u32, u32, Metric);

/// Counts of one month, of reads that come in the order of time.
pub(super) struct Counter {
    month: std::ops::Range<i64>,
    /// Highest time so far.
    now: i64,
    /// The last time of each click within the time of a double click.
    last: HashMap<Click, i64>,
    /// The same in the order of time, with times that were replaced, and the tenant of the client.
    queue: VecDeque<(i64, u32, Click)>,
    /// The hour of `sessions`, and the clicks of its sessions and of those of the hour before.
    hour: i64,
    sessions: HashSet<Click>,
    sessions_before: HashSet<Click>,
    counts: HashMap<(u32, u32), Counts>,
    late: u64,
}

impl Counter {
    /// Nothing counted.
    pub(super) fn new(month: Month) -> Self {
        let nanoseconds = |time: jiff::Timestamp| time.as_second().saturating_mul(1_000_000_000);
        Self {
            month: nanoseconds(month.begin())..nanoseconds(month.end()),
            now: i64::MIN,
            last: HashMap::new(),
            queue: VecDeque::new(),
            hour: i64::MIN,
            sessions: HashSet::new(),
            sessions_before: HashSet::new(),
            counts: HashMap::new(),
            late: 0,
        }
    }

    /// Adds a click at a time (nanoseconds since 1970). It is counted once no other can replace it: of a double click the last
    /// one counts.
    pub(super) fn add(&mut self, time: i64, tenant: u32, click: Click) {
        self.late += u64::from(time < self.now.saturating_sub(DOUBLE_CLICK));
        self.now = self.now.max(time);
        self.count_before(self.now.saturating_sub(DOUBLE_CLICK));
        let last = self.last.entry(click).or_insert(time);
        *last = time.max(*last);
        self.queue.push_back((time, tenant, click));
    }

    /// Number of clicks that came more than the time of a double click too late.
    pub(super) fn late(&self) -> u64 {
        self.late
    }

    /// The counts of each tenant and standard.
    pub(super) fn finish(mut self) -> HashMap<(u32, u32), Counts> {
        self.count_before(i64::MAX);
        self.counts
    }

    /// Counts the clicks before a time.
    fn count_before(&mut self, time: i64) {
        while let Some((clicked, tenant, click)) = self.queue.pop_front_if(|(clicked, ..)| *clicked < time) {
            if self.last.get(&click) == Some(&clicked) {
                self.last.remove(&click);
                self.count(clicked, tenant, click);
            }
        }
    }

    fn count(&mut self, time: i64, tenant: u32, (caller, standard, metric): Click) {
        if !self.month.contains(&time) {
            return;
        }
        let mut one = Counts::default();
        match metric {
            Metric::NoLicense => one.no_license = 1,
            Metric::Investigation | Metric::Request => {
                one.total_item_investigations = 1;
                one.unique_item_investigations =
                    self.is_first_of_session(time, (caller, standard, Metric::Investigation)).into();
            }
        }
        if metric == Metric::Request {
            one.total_item_requests = 1;
            one.unique_item_requests = self.is_first_of_session(time, (caller, standard, metric)).into();
        }
        *self.counts.entry((tenant, standard)).or_default() += one;
    }

    /// Whether the client's session has no such click before. Clicks come nearly in the order of time: the sessions of the hour
    /// before are remembered for those that do not.
    fn is_first_of_session(&mut self, time: i64, click: Click) -> bool {
        let hour = time.div_euclid(HOUR);
        if hour > self.hour {
            self.sessions_before = std::mem::take(&mut self.sessions);
            if hour.checked_sub(1) != Some(self.hour) {
                self.sessions_before.clear();
            }
            self.hour = hour;
        }
        let sessions = if hour == self.hour { &mut self.sessions } else { &mut self.sessions_before };
        sessions.insert(click)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: u32 = 7;

    /// The counts of clicks in October, at seconds after its begin, of clients.
    fn counted(clicks: &[(f64, u32, Metric)]) -> Counts {
        let month: Month = "2026-10".parse().unwrap();
        let mut counter = Counter::new(month);
        for (seconds, caller, metric) in clicks {
            let time = counter.month.start + (seconds * 1e9) as i64;
            counter.add(time, 1, (*caller, ITEM, *metric));
        }
        let mut sum = Counts::default();
        counter.finish().into_values().for_each(|counts| sum += counts);
        sum
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
    fn clicks_that_are_slightly_out_of_order_count_as_if_they_were_not() {
        assert_eq!(totals(&[(10.0, 1, R), (9.9, 1, R), (39.95, 1, R)]), [1, 1, 1, 1, 0]);
        assert_eq!(totals(&[(3600.1, 1, R), (3599.9, 2, R), (3650.0, 2, R)]), [3, 3, 3, 3, 0]);
    }

    #[test]
    fn memory_holds_the_clicks_of_the_last_seconds_only() {
        let mut counter = Counter::new("2026-10".parse().unwrap());
        let start = counter.month.start;
        for number in 0..100_000 {
            counter.add(start + i64::from(number) * 1_000_000_000, 1, (number, ITEM, R));
        }
        assert!(counter.queue.len() <= 31 && counter.last.len() <= 31, "{}", counter.queue.len());
        assert!(counter.sessions.len() + counter.sessions_before.len() <= 4 * 3600);
        assert_eq!(counter.late(), 0);
    }
}
