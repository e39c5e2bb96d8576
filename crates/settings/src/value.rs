//! Values with a unit: durations and sizes, as people write them.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Longest time: longer ones are typing errors, and clocks of some systems cannot count them.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(10 * 366 * 24 * 3600);

/// A length of time, written `250ms`, `10s`, `5m`, `1h`, `30d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(std::time::Duration);

impl Duration {
    /// The standard library's form.
    pub fn std(self) -> std::time::Duration {
        self.0
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        duration(&text).filter(|d| *d <= LONGEST).map(Self).ok_or_else(|| {
            Error::custom(format!(
                "`{text}` is not a valid duration of up to ten years: write 250ms, 10s, 5m, 1h or 30d"
            ))
        })
    }
}

/// Parses a duration; a day has 24 hours here, while a library's days depend on a calendar.
fn duration(text: &str) -> Option<std::time::Duration> {
    let days = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok());
    match days {
        Some(days) => days.checked_mul(24 * 3600).map(std::time::Duration::from_secs),
        None => std::time::Duration::try_from(text.parse::<jiff::SignedDuration>().ok()?).ok(),
    }
}

/// An amount of bytes, written `64KiB`, `10MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

impl Size {
    /// Bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }

    /// The bytes as a size in memory, at most what this machine can address.
    pub fn in_memory(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        size(&text).map(Self).ok_or_else(|| {
            Error::custom(format!(
                "`{text}` is not a valid size: write a whole number and B, KiB, MiB, GiB or TiB, as in 64KiB"
            ))
        })
    }
}

fn size(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.strip_suffix(unit)?.parse::<u64>().ok()?;
    let power = ["B", "KiB", "MiB", "GiB", "TiB"].iter().position(|known| *known == unit)?;
    number.checked_mul(1024_u64.pow(u32::try_from(power).ok()?))
}
