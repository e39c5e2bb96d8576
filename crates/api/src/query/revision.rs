//! Names of revisions in queries.

use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::values::ParameterValue;

/// Digits of the name of a revision.
const DIGITS: usize = 16;

/// A revision of an edition, by the name that answers give it or by a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedRevision {
    /// The name of the revision: 16 hexadecimal digits in lower case.
    Revision(String),
    /// The beginning of a day in UTC: the first revision that was published on that day.
    Day(SystemTime),
}

/// Error of parsing a [`AskedRevision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `revision` of an answer, 16 hexadecimal digits, or a day such as `2026-01-31`")]
pub struct ParseAskedRevisionError;

/// The 29th of February is refused in other years than leap years.
impl ParameterValue for AskedRevision {
    const PATTERN: &'static str = "^([0-9a-f]{16}|[0-9]{4}-((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|\
                                   (0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31|02-29))$";
}

impl FromStr for AskedRevision {
    type Err = ParseAskedRevisionError;

    fn from_str(text: &str) -> Result<Self, ParseAskedRevisionError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == DIGITS && text.bytes().all(is_digit) {
            return Ok(Self::Revision(text.to_owned()));
        }
        // Other forms of a day, such as one without hyphens, are not read.
        if text.len() != "2026-01-31".len() {
            return Err(ParseAskedRevisionError);
        }
        let day: Date = text.parse().map_err(|_| ParseAskedRevisionError)?;
        let start = day.to_zoned(TimeZone::UTC).map_or(Timestamp::MAX, |start| start.timestamp());
        Ok(Self::Day(start.into()))
    }
}

impl fmt::Display for AskedRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Revision(name) => f.write_str(name),
            Self::Day(start) => {
                let start = Timestamp::try_from(*start).unwrap_or(Timestamp::MAX);
                write!(f, "{}", start.to_zoned(TimeZone::UTC).date())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_and_a_day_read_back_and_other_text_is_refused() {
        for text in ["0123456789abcdef", "2026-01-31", "2024-02-29", "0001-01-01"] {
            let read: AskedRevision = text.parse().unwrap();
            assert_eq!(read.to_string(), text);
        }
        for text in
            ["", "0123456789ABCDEF", "0123", "2026", "2026-01", "2026-02-30", "20260131", "2026-13-01"]
        {
            assert_eq!(text.parse::<AskedRevision>(), Err(ParseAskedRevisionError), "{text}");
        }
    }

    #[test]
    fn whatever_is_read_matches_the_pattern() {
        let pattern = regex::Regex::new(AskedRevision::PATTERN).unwrap();
        for text in ["0123456789abcdef", "2026-01-31", "2024-02-29", "9999-12-31"] {
            assert!(pattern.is_match(text) && text.parse::<AskedRevision>().is_ok(), "{text}");
        }
        for text in ["2026-02-30", "2026-04-31", "0123456789abcdeg", " 2026-01-31"] {
            assert!(!pattern.is_match(text) && text.parse::<AskedRevision>().is_err(), "{text}");
        }
    }
}
