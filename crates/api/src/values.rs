//! Types of the values of parameters: each has its pattern for the OpenAPI document next to its parser.
//!
//! The patterns match all that the service reads, so that a gateway which checks requests by them refuses
//! nothing that would have been answered; white space around a value is dropped.

use std::fmt::Display;
use std::str::FromStr;

use jiff::Timestamp;
use norma_model::lineage::Asked;
use norma_model::{Identifier, Lang, PartialDate, UrnError};

/// A type that values of a parameter are read as.
pub(crate) trait ParameterValue: FromStr<Err: Display> {
    /// A regular expression (ECMA-262) that matches each text that is read, as a whole.
    const PATTERN: &'static str;
}

/// Text that is not blank and has no control characters.
pub(crate) struct NonBlankText(pub(crate) String);

impl ParameterValue for NonBlankText {
    const PATTERN: &'static str = "^[^\\x00-\\x1f\\x7f-\\x9f\\ufffd]*[^\\s\\x00-\\x1f\\x7f-\\x9f\\ufffd][^\\x00-\\x1f\\x7f-\\x9f\\ufffd]*$";
}

impl FromStr for NonBlankText {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// A year, a month or a day; a time after it is not read. The 29th of February is refused in other years than
/// leap years.
impl ParameterValue for PartialDate {
    const PATTERN: &'static str = "^\\s*[0-9]{4}(-(0[1-9]|1[0-2])|-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|\
                                   -(0[13-9]|1[0-2])-(29|30)|-(0[13578]|1[02])-31|-02-29)?(T.*)?\\s*$";
}

/// White space around it has no control characters.
impl ParameterValue for Lang {
    const PATTERN: &'static str =
        "^[^\\S\\x00-\\x1f\\x7f-\\x9f]*[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*[^\\S\\x00-\\x1f\\x7f-\\x9f]*$";
}

/// The id of a provision or of a lineage.
impl ParameterValue for Asked {
    const PATTERN: &'static str = "^([Pp][Rr][Vv]|[Ll][Ii][Nn])_[A-Za-z2-7]{25}[AaEeIiMmQqUuYy4]$";
}

/// A name that a standard can have: a URN, or another form that publishers write (an alias).
pub(crate) struct StandardName(pub(crate) String);

/// A namespace, `std` or a series of the IETF, and segments of what follows. The grammar of segments is left
/// to the parser.
impl ParameterValue for StandardName {
    const PATTERN: &'static str = "^\\s*([Uu][Rr][Nn]:)?[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:\
                                   ([Ss][Tt][Dd]|[Rr][Ff][Cc]|[Ff][Yy][Ii]|[Bb][Cc][Pp]|[Ii][Dd]):\
                                   [A-Za-z0-9.,:|_+-]+\\s*$";
}

impl FromStr for StandardName {
    type Err = UrnError;

    fn from_str(text: &str) -> Result<Self, UrnError> {
        Identifier::parse(text).map(|_| Self(text.to_owned()))
    }
}

/// Digits of an ICS code, with its dots: field, group, sub-group.
pub(crate) struct IcsPrefix(pub(crate) String);

impl ParameterValue for IcsPrefix {
    const PATTERN: &'static str = "^[0-9][0-9.]*$";
}

impl FromStr for IcsPrefix {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = text.starts_with(|c: char| c.is_ascii_digit())
            && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if fits { Ok(Self(text.to_owned())) } else { Err("an ICS code is digits and dots: `67` or `67.060`") }
    }
}

/// An instant, or a day, which means its beginning in UTC.
pub(crate) struct Instant(pub(crate) Timestamp);

/// The parser says what is wrong with other text of this shape.
impl ParameterValue for Instant {
    const PATTERN: &'static str = "^\\s*[+-]?[0-9]{4,6}-?[0-9]{2}-?[0-9]{2}([Tt ].*)?\\s*$";
}

impl FromStr for Instant {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        // A blank in place of `T` is allowed by RFC 3339, section 5.6, and written by SQL and Python.
        let Some((day, time)) = text.split_once(['T', 't', ' ']) else {
            let midnight =
                text.parse::<jiff::civil::Date>().and_then(|day| day.to_zoned(jiff::tz::TimeZone::UTC));
            return midnight
                .map(|midnight| Self(midnight.timestamp()))
                .map_err(|_| "write an instant (RFC 3339) such as `2026-01-31T00:00:00Z`, or a day");
        };
        let instant = format!("{day}T{time}").parse().map(Self);
        instant.map_err(|_| match time.parse::<jiff::civil::Time>() {
            Ok(_) => "the time has no zone: write `Z` behind it for UTC, or an offset such as `%2B01:00` (`+` encoded)",
            Err(_) if time.contains(' ') => {
                "a `+` in a query means a blank: write the offset as `%2B01:00`, or the instant in UTC with `Z`"
            }
            Err(_) => "write an instant (RFC 3339) such as `2026-01-31T00:00:00Z`, or a day",
        })
    }
}
