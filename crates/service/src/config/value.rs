//! Values with a unit: durations and sizes, as people write them.

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// A length of time, written `250ms`, `10s`, `5m`, `1h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duration(std::time::Duration);

impl Duration {
    /// The standard library's form.
    pub fn std(self) -> std::time::Duration {
        self.0
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<jiff::SignedDuration>()
            .ok()
            .and_then(|d| std::time::Duration::try_from(d).ok())
            .map(Self)
            .ok_or_else(|| Error::custom(format!("`{text}` is no duration: write 250ms, 10s, 5m or 1h")))
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

    /// Bytes, as far as memory on this machine can be addressed.
    pub fn in_memory(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<bytesize::ByteSize>()
            .map(|size| Self(size.as_u64()))
            .map_err(|_| Error::custom(format!("`{text}` is no size: write 64KiB, 10MiB or 2GiB")))
    }
}
