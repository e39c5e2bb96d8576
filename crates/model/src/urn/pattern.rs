//! Patterns of URNs, which name the standards of a grant.

use std::fmt;
use std::str::FromStr;

use super::{PartialUrn, Urn, UrnError, grammar};

/// Pattern of the URNs that a grant covers. In canonical, lower-case form one of
/// - a canonical URN: that edition in that language only;
/// - a URN without language: that edition in all languages; without edition: all editions of that document,
///   but neither its other parts nor its supplements;
/// - leading segments and `*` as the last whole segment, `urn:iso:std:*`: every URN that begins so and goes
///   on. `*` alone is every URN.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrnPattern {
    text: Box<str>,
    /// Prefix of every matching URN; `None` for one whole URN.
    prefix: Option<Box<str>>,
}

impl UrnPattern {
    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True where the pattern matches this URN.
    pub fn matches(&self, urn: &Urn) -> bool {
        match self.prefix() {
            Some(prefix) => urn.as_str().starts_with(prefix),
            None => urn.as_str() == self.as_str(),
        }
    }

    /// Prefix of exactly the matching URNs; `None` where only the URN equal to [`Self::as_str`] matches.
    /// It has no `%`, `_` or `\`, so that it needs no escape in SQL's `LIKE`.
    pub fn prefix(&self) -> Option<&str> {
        self.prefix.as_deref()
    }
}

impl FromStr for UrnPattern {
    type Err = UrnError;

    /// Reads a pattern in any case.
    fn from_str(text: &str) -> Result<Self, UrnError> {
        let lower = grammar::fold(text.trim())?;
        let Some(prefix) = lower.strip_suffix('*') else {
            let urn: PartialUrn = lower.parse()?;
            let prefix = if urn.complete().is_some() {
                None
            } else if urn.edition().is_some() {
                Some(format!("{urn}:").into())
            } else {
                Some(format!("{urn}:ed-").into())
            };
            return Ok(Self { text: urn.as_str().into(), prefix });
        };
        if !is_prefix(prefix) {
            let like = "`*` must be the last whole segment, as in `urn:iso:std:*`";
            return Err(UrnError::new("pattern", format!("`{text}` is not a valid pattern: {like}")));
        }
        Ok(Self { prefix: Some(prefix.into()), text: lower.into() })
    }
}

/// The text before a star is empty, or ends with a whole segment and can begin a URN.
fn is_prefix(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let Some(segments) = text.strip_suffix(':') else { return false };
    for (index, segment) in segments.split(':').enumerate() {
        let fits = match index {
            0 => segment == "urn",
            2 => segment == "std",
            _ => !segment.is_empty() && segment.chars().all(grammar::fits_segment),
        };
        if !fits {
            return false;
        }
    }
    true
}

impl fmt::Display for UrnPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for UrnPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
