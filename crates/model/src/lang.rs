//! Language tags of BCP 47.

use std::fmt;
use std::str::FromStr;

/// A language tag of BCP 47 (RFC 5646) in lower case: `en`, `fr`, `zh-hant`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Lang(Box<str>);

impl Lang {
    /// English, the fallback where a source names no language at all.
    pub fn en() -> Self {
        Self("en".into())
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The primary language subtag: `zh` of `zh-hant`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

/// Error of parsing a [`Lang`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a valid language tag: expected two or three letters (ISO 639), then subtags such as `-hant`"
)]
pub struct ParseLangError(String);

impl From<Lang> for String {
    fn from(lang: Lang) -> Self {
        lang.0.into()
    }
}

impl TryFrom<String> for Lang {
    type Error = ParseLangError;

    fn try_from(text: String) -> Result<Self, ParseLangError> {
        text.parse()
    }
}

impl FromStr for Lang {
    type Err = ParseLangError;

    /// Reads a tag in any case, with `-` or `_` between subtags.
    fn from_str(text: &str) -> Result<Self, ParseLangError> {
        let tag = text.trim().to_ascii_lowercase().replace('_', "-");
        let mut subtags = tag.split('-');
        let primary_fits = subtags
            .next()
            .is_some_and(|p| (2..=3).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_lowercase()));
        let rest_fits =
            subtags.all(|s| (1..=8).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_alphanumeric()));
        if primary_fits && rest_fits { Ok(Self(tag.into())) } else { Err(ParseLangError(text.to_owned())) }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_in_any_case_and_refused_when_they_are_none() {
        assert_eq!("zh_Hant".parse::<Lang>().map(|l| l.to_string()), Ok("zh-hant".to_owned()));
        for wrong in ["", "e", "english", "en-", "e1", "en-toolongsubtag"] {
            assert!(wrong.parse::<Lang>().is_err(), "{wrong}");
        }
    }
}
