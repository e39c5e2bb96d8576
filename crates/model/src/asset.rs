//! Assets: files of graphics, identified by their digest.

use std::fmt;
use std::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// A SHA-256 digest, written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest with these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 256 bits of the digest as bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 hexadecimal digits without the prefix.
    pub fn hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error of parsing a [`Digest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a valid digest: expected `sha256:` and 64 hexadecimal digits")]
pub struct ParseDigestError;

impl FromStr for Digest {
    type Err = ParseDigestError;

    /// Reads the form that `Display` writes; the prefix may be left out.
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        let hex = text.strip_prefix("sha256:").unwrap_or(text).as_bytes();
        let bytes = HEXLOWER_PERMISSIVE.decode(hex).ok().and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or(ParseDigestError)
    }
}

/// A stored file, with the values that a caller may know before fetching it: digest, type, size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Digest of its bytes.
    pub digest: Digest,
    /// Media type found from the bytes and the name (RFC 6838), for example `image/png`.
    pub media_type: String,
    /// Length of the file in bytes.
    pub size: u64,
    /// Width and height in pixels (SVG: user units), when the file's header states them.
    pub dimensions: Option<(u32, u32)>,
}

/// The location of the picture, as the source gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetSource {
    /// A file of the package, by the reference as written; often without folder or extension.
    Href(String),
    /// The picture itself, from a `data:` URI (RFC 2397).
    Embedded {
        /// Media type as stated by the URI; `None` if it states none.
        media_type: Option<String>,
        /// The bytes of the picture, decoded from base64 or percent-encoding.
        bytes: Vec<u8>,
    },
    /// The source names no file.
    Missing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_reads_back_from_what_it_writes() {
        let digest = Digest::from_bytes(std::array::from_fn(|i| i as u8 * 7));
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!(digest.hex().parse(), Ok(digest));
        assert_eq!("sha256:0g".parse::<Digest>(), Err(ParseDigestError));
    }
}
