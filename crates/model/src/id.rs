//! Identifiers of the parts of an edition, one type for each, so that they cannot be confused.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! part_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(Box<str>);

        impl $name {
            /// An identifier of this text, unchanged.
            pub fn new(id: impl Into<Box<str>>) -> Self {
                Self(id.into())
            }

            /// The identifier as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

part_id!(
    /// The name of a section within its edition: the source's own id if that is unique and without `,;()!`.
    SectionId
);
part_id!(
    /// Names a term entry within its edition.
    TermId
);
part_id!(
    /// Names a graphic within its edition.
    GraphicId
);
part_id!(
    /// Names a table within its edition.
    TableId
);

/// The name of a provision in all of Norma: 128 bits, written `prv_` and 26 characters of lower-case base32
/// (RFC 4648, section 6, without padding).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProvisionId([u8; 16]);

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const PREFIX: &str = "prv_";
const DIGITS: usize = 26;

impl ProvisionId {
    /// The identifier of these 128 bits.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 128 bits of the id as bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

/// Writes a prefix of four characters and 128 bits in base32.
pub(crate) fn write_id(prefix: &str, bits: [u8; 16], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // 26 digits of 5 bits hold 130 bits: the last digit carries two zero bits at its end.
    let bits = u128::from_be_bytes(bits);
    let mut text = [0; PREFIX.len() + DIGITS];
    let (start, digits) = text.split_at_mut(PREFIX.len());
    start.copy_from_slice(prefix.as_bytes());
    for (index, digit) in digits.iter_mut().enumerate() {
        let shift = 123 - 5 * index as i32;
        let value = if shift >= 0 { bits >> shift } else { bits << -shift };
        *digit = ALPHABET[(value & 31) as usize];
    }
    f.write_str(str::from_utf8(&text).expect("the alphabet is ASCII"))
}

/// Reads what [`write_id`] writes, letters of either case; `None` for any other text.
pub(crate) fn read_id(prefix: &str, text: &str) -> Option<[u8; 16]> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.strip_prefix(prefix).filter(|digits| digits.len() == DIGITS)?;
    let mut bits = 0u128;
    for (index, digit) in digits.bytes().enumerate() {
        let value = ALPHABET.iter().position(|&letter| letter == digit)? as u128;
        bits = if index < DIGITS - 1 {
            bits << 5 | value
        } else if value & 3 == 0 {
            bits << 3 | value >> 2
        } else {
            return None;
        };
    }
    Some(bits.to_be_bytes())
}

impl fmt::Display for ProvisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_id(PREFIX, self.0, f)
    }
}

impl fmt::Debug for ProvisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error of parsing a [`ProvisionId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid provision id: expected `prv_` and 26 characters of a–z and 2–7")]
pub struct ParseProvisionIdError;

impl FromStr for ProvisionId {
    type Err = ParseProvisionIdError;

    /// Reads the form that `Display` writes; letters of either case.
    fn from_str(text: &str) -> Result<Self, ParseProvisionIdError> {
        read_id(PREFIX, text).map(Self).ok_or(ParseProvisionIdError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_provision_id_reads_back_from_what_it_writes(bytes: [u8; 16]) {
            let id = ProvisionId::from_bytes(bytes);
            prop_assert_eq!(id.to_string().len(), 30);
            prop_assert_eq!(id.to_string().to_uppercase().to_lowercase().parse(), Ok(id));
        }
    }

    #[test]
    fn a_last_digit_with_bits_beyond_128_is_refused() {
        assert!("prv_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse::<ProvisionId>().is_ok());
        for wrong in ["prv_aaaaaaaaaaaaaaaaaaaaaaaaab", "prv_a", "aaaa", "prv_1aaaaaaaaaaaaaaaaaaaaaaaaa"] {
            assert_eq!(wrong.parse::<ProvisionId>(), Err(ParseProvisionIdError), "{wrong}");
        }
    }
}
