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

    /// True if the duration is zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match duration(&text) {
            Some(duration) if duration <= LONGEST => Ok(Self(duration)),
            _ => Err(Error::custom(format!(
                "`{text}` is not a valid duration of up to ten years: write 250ms, 10s, 5m, 1h or 30d"
            ))),
        }
    }
}

/// Parses a duration; a day has 24 hours here, while a library's days depend on a calendar.
fn duration(text: &str) -> Option<std::time::Duration> {
    if let Some(days) = text.strip_suffix('d')
        && let Ok(days) = days.parse::<u64>()
    {
        let seconds = days.checked_mul(24 * 3600)?;
        return Some(std::time::Duration::from_secs(seconds));
    }
    let signed: jiff::SignedDuration = text.parse().ok()?;
    std::time::Duration::try_from(signed).ok()
}

/// An amount of bytes, written `64KiB`, `10MiB`, `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

impl Size {
    /// The size in bytes.
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
        match size(&text) {
            Some(bytes) => Ok(Self(bytes)),
            None => Err(Error::custom(format!(
                "`{text}` is not a valid size: write a whole number and B, KiB, MiB, GiB or TiB, as in 64KiB"
            ))),
        }
    }
}

/// Parses a size; returns its bytes.
fn size(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
    let bytes_per_unit: u64 = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        "TiB" => 1 << 40,
        _ => return None,
    };
    number.checked_mul(bytes_per_unit)
}
