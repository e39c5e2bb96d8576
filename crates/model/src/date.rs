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
        let refuse = || ParseDateError(text.to_owned());
        let date = text.trim().split('T').next().unwrap_or_default();
        let fields: Vec<&str> = date.split('-').collect();
        let widths_fit = fields.iter().zip([4, 2, 2]).all(|(f, width)| f.len() == width) && fields.len() <= 3;
        let numbers: Option<Vec<u32>> = fields
            .iter()
            .map(|f| f.bytes().all(|b| b.is_ascii_digit()).then(|| f.parse().ok()).flatten())
            .collect();
        let numbers = numbers.filter(|_| widths_fit).ok_or_else(refuse)?;
        let month = numbers.get(1).copied().unwrap_or(1);
        let day = numbers.get(2).copied().unwrap_or(1);
        let leap = numbers[0].is_multiple_of(4)
            && (!numbers[0].is_multiple_of(100) || numbers[0].is_multiple_of(400));
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        if (1..=days).contains(&day) { Ok(Self(date.into())) } else { Err(refuse()) }
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
