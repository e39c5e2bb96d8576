//! Counting of reads in the order of their time: double clicks once, sessions once, and a row for each tenant
//! and standard.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::month::nanoseconds;
use super::{Metric, Month};

/// Time within which two reads count once, in nanoseconds (COUNTER R5.1, section 7.2).
pub(super) const DOUBLE_CLICK: i64 = 30_000_000_000;

/// Time by which a line may be earlier than one that is written before it: lines of several threads, and of
/// instances whose clocks differ, are not exactly in order.
pub(super) const LATENESS: i64 = 2 * DOUBLE_CLICK;

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

/// A read of a standard, or a search. Tenant, standard and client are numbers of names. Clicks are ordered by
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Click {
    /// The time, in nanoseconds since 1970.
    pub(super) time: i64,
    pub(super) tenant: u32,
    pub(super) standard: u32,
    pub(super) client: u32,
    pub(super) metric: Metric,
}

/// Clicks that are one double click where they are close.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ClickKind {
    client: u32,
    standard: u32,
    metric: Metric,
}

/// Reads of one kind in one session, of one standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SessionRead {
    /// The hour of the session, since 1970.
    hour: i64,
    client: u32,
    standard: u32,
    metric: Metric,
}

/// Counts of one month. Its memory grows with the rows, and with the reads of this hour and the hour before.
pub(super) struct Counter {
    month: std::ops::Range<i64>,
    /// Clicks that a late one may still precede, the earliest first.
    waiting: BinaryHeap<Reverse<Click>>,
    /// The latest time of a click.
    latest: i64,
    /// The last click of each kind, which the next one may replace.
    last: HashMap<ClickKind, Click>,
    /// The time at which clicks that nothing can change any more are removed next.
    next_removal: i64,
    sessions: HashSet<SessionRead>,
    /// The hour of the last click that was taken.
    hour: i64,
    /// The counts of each standard, by tenants.
    rows: Vec<HashMap<u32, UsageCounts>>,
}

impl Counter {
    pub(super) fn new(month: Month) -> Self {
        Self {
            month: nanoseconds(month.begin())..nanoseconds(month.end()),
            waiting: BinaryHeap::new(),
            latest: i64::MIN,
            last: HashMap::new(),
            next_removal: i64::MIN,
            sessions: HashSet::new(),
            hour: i64::MIN,
            rows: Vec::new(),
        }
    }

    /// Adds a click that is at most [`LATENESS`] earlier than one before it. A click that comes later counts
    /// as well; it may begin a session a second time.
    pub(super) fn add(&mut self, click: Click) {
        self.latest = self.latest.max(click.time);
        self.waiting.push(Reverse(click));
        while let Some(Reverse(first)) = self.waiting.peek()
            && first.time < self.latest - LATENESS
        {
            let first = *first;
            self.waiting.pop();
            self.take(first);
        }
    }

    /// The counts of all standards with any, by the numbers of tenants.
    pub(super) fn finish(mut self) -> Vec<HashMap<u32, UsageCounts>> {
        while let Some(Reverse(click)) = self.waiting.pop() {
            self.take(click);
        }
        for click in std::mem::take(&mut self.last).into_values() {
            self.count(click);
        }
        self.rows
    }

    /// Takes the next click by time. The last of a double click counts.
    fn take(&mut self, click: Click) {
        if click.time >= self.next_removal {
            self.remove_settled(click.time);
        }
        // Each search counts (COUNTER R5.1, section 7.2).
        if click.metric == Metric::Search {
            self.count(click);
            return;
        }
        let kind = ClickKind { client: click.client, standard: click.standard, metric: click.metric };
        let Some(previous) = self.last.insert(kind, click) else { return };
        // A click that came too late to be sorted in is the earlier one.
        let (earlier, later) =
            if previous.time <= click.time { (previous, click) } else { (click, previous) };
        self.last.insert(kind, later);
        if later.time - earlier.time > DOUBLE_CLICK {
            self.count(earlier);
        }
    }

    /// Counts clicks that no further click can replace, and forgets sessions that are over.
    fn remove_settled(&mut self, now: i64) {
        self.next_removal = now + DOUBLE_CLICK;
        let settled = self.last.extract_if(|_, click| now - click.time > DOUBLE_CLICK);
        let settled: Vec<Click> = settled.map(|(_, click)| click).collect();
        for click in settled {
            self.count(click);
        }
        let hour = now.div_euclid(HOUR);
        if hour > self.hour {
            self.hour = hour;
            // A click that waits for the next one may be of the hour before.
            self.sessions.retain(|read| read.hour + 1 >= hour);
        }
    }

    fn count(&mut self, click: Click) {
        if !self.month.contains(&click.time) {
            return;
        }
        let tenant = click.tenant as usize;
        if tenant >= self.rows.len() {
            self.rows.resize_with(tenant + 1, HashMap::new);
        }
        let counts = self.rows[tenant].entry(click.standard).or_default();
        match click.metric {
            Metric::NoLicense => counts.no_license += 1,
            Metric::Search => counts.searches_platform += 1,
            Metric::Investigation => counts.total_item_investigations += 1,
            Metric::Request => {
                counts.total_item_investigations += 1;
                counts.total_item_requests += 1;
            }
        }
        // The first read of its kind in the client's session counts as unique. A request is an investigation.
        let (hour, client, standard) = (click.time.div_euclid(HOUR), click.client, click.standard);
        let mut is_first = |metric| self.sessions.insert(SessionRead { hour, client, standard, metric });
        if matches!(click.metric, Metric::Investigation | Metric::Request) && is_first(Metric::Investigation)
        {
            counts.unique_item_investigations += 1;
        }
        if click.metric == Metric::Request && is_first(Metric::Request) {
            counts.unique_item_requests += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts of these clients' clicks, in seconds after the begin of October.
    fn counted(clicks: &[(f64, u32, Metric)]) -> UsageCounts {
        let month: Month = "2026-10".parse().unwrap();
        let mut counter = Counter::new(month);
        for (seconds, client, metric) in clicks {
            let time = nanoseconds(month.begin()) + (seconds * 1e9) as i64;
            counter.add(Click { tenant: 0, standard: 0, client: *client, metric: *metric, time });
        }
        let rows = counter.finish();
        assert!(rows.len() <= 1 && rows.iter().all(|standards| standards.len() == 1), "{rows:?}");
        rows.first().map_or(UsageCounts::default(), |standards| standards[&0])
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
        assert_eq!(totals(&[(50.0, 1, R), (0.0, 1, I), (40.0, 1, I), (10.0, 1, R)]), [4, 1, 2, 1, 0]);
    }

    #[test]
    fn a_click_that_is_more_than_a_minute_late_counts_once() {
        assert_eq!(totals(&[(0.0, 1, R), (200.0, 1, R), (40.0, 1, R)]), [3, 1, 3, 1, 0]);
        assert_eq!(totals(&[(0.0, 1, R), (200.0, 1, R), (175.0, 1, R)]), [2, 1, 2, 1, 0]);
    }

    #[test]
    fn rows_are_by_tenant_and_standard_and_reads_of_past_hours_are_forgotten() {
        let month: Month = "2026-10".parse().unwrap();
        let mut counter = Counter::new(month);
        // 1000 requests, 31 s apart: nearly nine hours.
        for number in 0..1000_u32 {
            let time = nanoseconds(month.begin()) + i64::from(number) * 31_000_000_000;
            counter.add(Click {
                tenant: number % 3,
                standard: number % 4,
                client: number % 3,
                metric: R,
                time,
            });
        }
        assert!(counter.waiting.len() <= 3 && counter.last.len() <= 3, "old clicks are in memory");
        let hours: HashSet<i64> = counter.sessions.iter().map(|read| read.hour).collect();
        assert!(hours.len() <= 2, "{hours:?}");
        let rows = counter.finish();
        assert_eq!(rows.iter().map(HashMap::len).collect::<Vec<_>>(), [4, 4, 4]);
        let requests = rows.iter().flat_map(HashMap::values).map(|counts| counts.total_item_requests);
        assert_eq!(requests.sum::<u32>(), 1000);
    }
}
