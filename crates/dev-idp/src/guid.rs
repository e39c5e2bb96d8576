//! GUIDs: the identifiers of tenants and applications.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::DevIdpError;

/// A tenant id or client id in its hyphenated form (RFC 9562): read in any case, written in lower case.
///
/// ```
/// let id: norma_dev_idp::Guid = "0F9A3C5E-7D21-4B86-9E54-3A1B2C4D5E6F".parse()?;
/// assert_eq!(id.to_string(), "0f9a3c5e-7d21-4b86-9e54-3a1b2c4d5e6f");
/// # Ok::<(), norma_dev_idp::DevIdpError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Guid(uuid::Uuid);

impl Guid {
    /// A fresh random one.
    pub fn random() -> Guid {
        Guid(uuid::Uuid::new_v4())
    }

    /// A fixed one, for documented defaults.
    pub(crate) const fn fixed(bits: u128) -> Guid {
        Guid(uuid::Uuid::from_u128(bits))
    }

    /// A GUID derived from `bytes` alone, so that it is the same after each start.
    pub(crate) fn derived(bytes: [u8; 16]) -> Guid {
        Guid(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }
}

impl FromStr for Guid {
    type Err = DevIdpError;

    fn from_str(text: &str) -> Result<Guid, DevIdpError> {
        // The parser below also accepts braces, a URN prefix and no hyphens; the real provider does not.
        let hyphenated = text.len() == 36;
        match uuid::Uuid::try_parse(text) {
            Ok(id) if hyphenated => Ok(Guid(id)),
            _ => Err(DevIdpError::Guid { text: text.chars().take(64).collect() }),
        }
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl TryFrom<String> for Guid {
    type Error = DevIdpError;

    fn try_from(text: String) -> Result<Guid, DevIdpError> {
        text.parse()
    }
}

impl From<Guid> for String {
    fn from(id: Guid) -> String {
        id.to_string()
    }
}
