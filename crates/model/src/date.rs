//! Partial dates: a year, a year and a month, or a day, as standards state them.

use std::fmt;
use std::str::FromStr;

/// A year, month or day in ISO 8601 form: `2016`, `2008-12` or `2016-05-01`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartialDate(Box<str>);

impl PartialDate {
    /// The date as text, in one of the three forms.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The four digits of the year.
    pub fn year(&self) -> &str {
        &self.0[..4]
    }
}

/// Error of parsing a [`PartialDate`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a valid date: expected YYYY, YYYY-MM or YYYY-MM-DD")]
pub struct ParseDateError(String);

impl FromStr for PartialDate {
    type Err = ParseDateError;

    /// Parses one of the three forms; a time of day after it (`T…`) is dropped.
    fn from_str(text: &str) -> Result<Self, ParseDateError> {
        let date = text.trim().split('T').next().unwrap_or_default();
        if is_valid(date) { Ok(Self(date.into())) } else { Err(ParseDateError(text.to_owned())) }
    }
}

/// True for a year, month or day that exists.
fn is_valid(date: &str) -> bool {
    let mut fields = date.split('-');
    // A year or month is as valid as its first day.
    let year = number(fields.next().unwrap_or_default(), 4);
    let month = number(fields.next().unwrap_or("01"), 2);
    let day = number(fields.next().unwrap_or("01"), 2);
    let (Some(year), Some(month), Some(day)) = (year, month, day) else { return false };
    fields.next().is_none() && (1..=days_in(year, month)).contains(&day)
}

/// The number that this many digits write.
fn number(digits: &str, width: usize) -> Option<u32> {
    if digits.len() != width || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// Number of days in a month of the Gregorian calendar; 0 for a month that does not exist.
fn days_in(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_months_and_days_are_dates_and_impossible_days_are_not() {
        for right in ["2016", "2008-12", "2016-05-01", "2016-02-29", "2016-05-01T10:00:00Z"] {
            assert!(right.parse::<PartialDate>().is_ok(), "{right}");
        }
        for wrong in ["", "16", "2016-13", "2015-02-29", "2016-00", "2016-5-1", "2016-05-01-01", "२०१६"]
        {
            assert!(wrong.parse::<PartialDate>().is_err(), "{wrong}");
        }
    }
}
