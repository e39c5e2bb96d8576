//! A month of the calendar in UTC, for which a report is made.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A month in UTC, written `2026-10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(Date);

/// Error for a text that is not a month.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a month: write YYYY-MM, as in 2026-10")]
pub struct ParseMonthError(String);

impl FromStr for Month {
    type Err = ParseMonthError;

    fn from_str(text: &str) -> Result<Self, ParseMonthError> {
        if text.len() == 7
            && let Ok(first_day) = format!("{text}-01").parse::<Date>()
            && (1970..9999).contains(&first_day.year())
        {
            return Ok(Self(first_day));
        }
        Err(ParseMonthError(text.to_owned()))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.strftime("%Y-%m"))
    }
}

impl Month {
    /// The first day of the month.
    pub(super) fn first_day(self) -> Date {
        self.0
    }

    /// The last day of the month.
    pub(super) fn last_day(self) -> Date {
        self.0.last_of_month()
    }

    /// The first moment of the month.
    pub fn begin(self) -> Timestamp {
        at(self.0)
    }

    /// The first moment after it.
    pub fn end(self) -> Timestamp {
        at(self.0.saturating_add(1.month()))
    }
}

/// A time in nanoseconds since 1970, or the nearest one that fits for years before 1678 and after 2262.
pub(super) fn nanoseconds(time: Timestamp) -> i64 {
    let nearest = if time.as_second() < 0 { i64::MIN } else { i64::MAX };
    i64::try_from(time.as_nanosecond()).unwrap_or(nearest)
}

fn at(day: Date) -> Timestamp {
    day.to_zoned(TimeZone::UTC).expect("UTC has every day of these years").timestamp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_ends_where_the_next_one_begins_and_is_printed_as_it_was_written() {
        for (text, begin, end) in [
            ("2026-10", "2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"),
            ("2026-12", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"),
            ("2028-02", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"),
        ] {
            let month: Month = text.parse().unwrap();
            assert_eq!((month.begin().to_string(), month.end().to_string()), (begin.into(), end.into()));
            assert_eq!(month.to_string(), text);
        }
        assert_eq!("2028-02".parse::<Month>().unwrap().last_day().to_string(), "2028-02-29");
    }

    #[test]
    fn what_is_not_a_month_is_refused_with_an_example() {
        for text in ["", "2026", "2026-13", "2026-1", "2026-10-01", "october", "1969-12", "9999-12"] {
            let said = text.parse::<Month>().unwrap_err().to_string();
            assert!(said.contains("write YYYY-MM"), "{said}");
        }
    }
}
