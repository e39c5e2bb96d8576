//! URNs of standards: the names by which editions are stored, requested and granted.
//!
//! ```text
//! urn = "urn:" publisher ":std:" [originator ":" [type ":"]] number [":-" part] [":" stage]
//!       *(":" ("amd" / "cor" / "add") ":" n) [":ed-" edition [":" language *("," language)]]
//! ```
//! The order differs from RFC 5141 in one point: supplements come before the edition, which is that of the
//! base document, so that edition and language are always the last two segments. A segment holds `a`–`z`,
//! digits, full stops, commas and hyphens. What publishers write otherwise is an alias; see [`Identifier`].

use std::fmt;
use std::str::FromStr;

use crate::{Lang, SupplementKind};

mod alias;
mod bodies;
mod citation;
mod designation;
mod grammar;
mod identifier;
mod normal;
mod numbers;
mod pattern;
mod prefix;
mod publishers;

pub use citation::{Citation, reference_key};
pub use identifier::Identifier;
pub use pattern::UrnPattern;
pub use publishers::{Publisher, Reach, document_type, find_publisher};

use grammar::ParsedUrn;

/// Longest URN, alias or pattern that is read, in bytes.
const MAX_URN_LENGTH: usize = 512;

/// The parts of a URN, before they are checked and put in canonical form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrnParts {
    /// Namespace of the URN, which names a publisher: `iso`.
    pub publisher: String,
    /// `iso`, `iso-iec`, `din-en-iso`; `None` in the short shape.
    pub originator: Option<String>,
    /// `ts`, `tr`, `guide`…; `None` for a standard. Allowed only after an originator.
    pub doc_type: Option<String>,
    /// The number without part: `17301`.
    pub number: String,
    /// `1`, without the hyphen that the URN writes before it.
    pub part: Option<String>,
    /// `stage-30.60` or `draft`, without colon.
    pub stage: Option<String>,
    /// Amendments, corrigenda and addenda, outermost last.
    pub supplements: Vec<(SupplementKind, String)>,
    /// `2`, `2008-12`: without `ed-`.
    pub edition: Option<String>,
    /// Languages of the text; empty when not said. The URN has them in alphabetical order, as RFC 5141 has.
    pub languages: Vec<Lang>,
}

/// The canonical name of an edition, with edition and language.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Urn(PartialUrn);

/// A name that may omit the language, or the edition and the language, and then means the latest edition.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartialUrn {
    text: Box<str>,
    /// Length in bytes of the text before `:ed-`.
    document_length: usize,
}

/// Error of parsing or building a URN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {reason}")]
pub struct UrnError {
    /// The name of the wrong part: `namespace`, `number`, `edition`, `language`…
    pub part: &'static str,
    /// The error, and the expected form.
    pub reason: String,
}

impl UrnError {
    fn new(part: &'static str, reason: impl Into<String>) -> Self {
        Self { part, reason: reason.into() }
    }
}

/// Converts free text for one segment: lower case, letters without diacritics, and each run of characters
/// outside `[a-z0-9.,-]` becomes one hyphen. What is not a letter or digit goes at both ends, and next to a
/// hyphen.
///
/// ```
/// assert_eq!(norma_model::urn::segment("ISO/IEC Guide"), "iso-iec-guide");
/// ```
pub fn segment(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;
    // Decomposing took a tenth of the instructions of a document of 68 KB: all words of all citations come
    // here.
    if text.is_ascii() {
        return runs(text.chars().map(|c| c.to_ascii_lowercase()));
    }
    runs(text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase))
}

/// The runs of fitting characters, without signs at their ends, joined by hyphens.
fn runs(characters: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    // Length of the text up to its last letter or digit.
    let mut end = 0;
    let mut between = true;
    for c in characters {
        if c.is_ascii_alphanumeric() {
            if between && !text.is_empty() {
                text.push('-');
            }
            text.push(c);
            end = text.len();
            between = false;
        } else if c == '-' || !grammar::fits_segment(c) {
            text.truncate(end);
            between = true;
        } else if !between {
            text.push(c);
        }
    }
    text.truncate(end);
    text
}

impl PartialUrn {
    /// The URN of these parts, in canonical form. Letters may be of either case.
    ///
    /// # Errors
    /// Names the first part that is not valid in a URN, and the expected form.
    pub fn new(mut parts: UrnParts) -> Result<Self, UrnError> {
        let UrnParts {
            publisher,
            originator,
            doc_type,
            number,
            part,
            stage,
            supplements,
            edition,
            languages,
        } = &mut parts;
        publisher.make_ascii_lowercase();
        number.make_ascii_lowercase();
        for text in [originator, doc_type, part, stage, edition].into_iter().flatten() {
            text.make_ascii_lowercase();
        }
        for (_, number) in supplements {
            number.make_ascii_lowercase();
        }
        let languages = std::mem::take(languages);
        grammar::write(&ParsedUrn::of(&parts), languages)
    }

    /// Reads a URN in lower case, with at most one colon at its end.
    fn from_lower(text: &str) -> Result<Self, UrnError> {
        let parsed = ParsedUrn::read(text.strip_suffix(':').unwrap_or(text))?;
        grammar::write(&parsed, parsed.languages()?)
    }

    /// The URN as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The URN without edition and language, which all editions of one document have in common.
    pub fn document_urn(&self) -> &str {
        &self.text[..self.document_length]
    }

    /// The URNs of the documents that this one belongs to, from all parts of its number to itself.
    ///
    /// ```
    /// let urn: norma_model::PartialUrn = "urn:iso:std:iso:17301:-1:amd:1".parse()?;
    /// let of: Vec<&str> = urn.document_urns().collect();
    /// assert_eq!(of[..2], ["urn:iso:std:iso:17301", "urn:iso:std:iso:17301:-1"]);
    /// assert_eq!(of.last(), Some(&"urn:iso:std:iso:17301:-1:amd:1"));
    /// # Ok::<(), norma_model::urn::UrnError>(())
    /// ```
    pub fn document_urns(&self) -> impl Iterator<Item = &str> {
        let urn = self.document_urn();
        let parsed = self.parsed();
        // After `urn`, the namespace and `std`.
        let before_number =
            3 + usize::from(parsed.originator.is_some()) + usize::from(parsed.doc_type.is_some());
        let ends = urn.match_indices(':').map(|(end, _)| end).chain([urn.len()]);
        ends.skip(before_number).map(|end| &urn[..end])
    }

    /// The URN without its language.
    pub fn without_language(&self) -> &str {
        let tail = &self.text[self.document_length..];
        // The tail is `:ed-<edition>` and perhaps `:<languages>`.
        let edition_length = match tail.rfind(':') {
            Some(colon) if colon > 0 => colon,
            _ => tail.len(),
        };
        &self.text[..self.document_length + edition_length]
    }

    /// Namespace of the URN, which names a publisher: `iso`.
    pub fn publisher(&self) -> &str {
        self.parsed().publisher
    }

    /// Bodies in the document's name: `iso-iec`, `din-en-iso`; `None` in the short shape.
    pub fn originator(&self) -> Option<&str> {
        self.parsed().originator
    }

    /// Kind of document: `ts`, `tr`; `None` for a standard.
    pub fn doc_type(&self) -> Option<&str> {
        self.parsed().doc_type
    }

    /// Number without part: `17301`.
    pub fn number(&self) -> &str {
        self.parsed().number
    }

    /// Part without its hyphen: `1`.
    pub fn part(&self) -> Option<&str> {
        self.parsed().part
    }

    /// The stage, `draft` or `stage-30.60`; `None` where the URN has none.
    pub fn stage(&self) -> Option<&str> {
        self.parsed().stage
    }

    /// Supplements with their numbers, outermost last.
    pub fn supplements(&self) -> Vec<(SupplementKind, &str)> {
        self.parsed().supplements
    }

    /// Edition without `ed-`: `2`, `2008-12`.
    pub fn edition(&self) -> Option<&str> {
        self.parsed().edition
    }

    /// Languages in alphabetical order; empty when not said.
    pub fn languages(&self) -> Vec<Lang> {
        self.parts().languages
    }

    /// The parts of the URN.
    pub fn parts(&self) -> UrnParts {
        self.parsed().to_parts().expect("a URN was checked when it was made")
    }

    /// The canonical URN, when it has edition and language.
    pub fn complete(&self) -> Option<Urn> {
        if self.has_language() { Some(Urn(self.clone())) } else { None }
    }

    fn has_edition(&self) -> bool {
        self.document_length < self.text.len()
    }

    fn has_language(&self) -> bool {
        self.without_language().len() < self.text.len()
    }

    /// The canonical URN of one edition of the document that this one names.
    ///
    /// # Errors
    /// Those of [`Urn::new`] for the edition and the languages.
    pub fn with_edition(&self, edition: &str, languages: &[Lang]) -> Result<Urn, UrnError> {
        let mut parts = self.parts();
        parts.edition = Some(edition.to_owned());
        parts.languages = languages.to_vec();
        Urn::new(parts)
    }

    fn parsed(&self) -> ParsedUrn<'_> {
        ParsedUrn::read(&self.text).expect("a URN was checked when it was made")
    }
}

impl FromStr for PartialUrn {
    type Err = UrnError;

    /// Parses a URN in any case, with at most one colon at its end.
    fn from_str(text: &str) -> Result<Self, UrnError> {
        Self::from_lower(&grammar::fold(text)?)
    }
}

impl Urn {
    /// The URN of these parts, in canonical form. Letters may be of either case.
    ///
    /// # Errors
    /// Names the first part that is missing or not valid in a URN, and the expected form.
    pub fn new(parts: UrnParts) -> Result<Self, UrnError> {
        Self::try_from(PartialUrn::new(parts)?)
    }

    /// The URN as a partial one.
    pub fn as_partial(&self) -> &PartialUrn {
        &self.0
    }

    /// Edition without `ed-`: `2`, `2008-12`.
    pub fn edition(&self) -> &str {
        self.0.edition().expect("a canonical URN has an edition")
    }
}

/// A canonical URN has all methods of a [`PartialUrn`].
impl std::ops::Deref for Urn {
    type Target = PartialUrn;

    fn deref(&self) -> &PartialUrn {
        &self.0
    }
}

impl From<Urn> for PartialUrn {
    fn from(urn: Urn) -> Self {
        urn.0
    }
}

impl TryFrom<PartialUrn> for Urn {
    type Error = UrnError;

    /// Takes a URN that has both edition and language.
    fn try_from(urn: PartialUrn) -> Result<Self, UrnError> {
        if !urn.has_edition() {
            let reason = format!("it is missing in {urn}: add `:ed-<edition>:<language>`");
            return Err(UrnError::new("edition", reason));
        }
        if !urn.has_language() {
            let reason = format!("it is missing in {urn}: add `:<language>`, for example `:en`");
            return Err(UrnError::new("language", reason));
        }
        Ok(Self(urn))
    }
}

impl FromStr for Urn {
    type Err = UrnError;

    /// Parses a canonical URN in any case, with at most one colon at its end.
    fn from_str(text: &str) -> Result<Self, UrnError> {
        text.parse::<PartialUrn>()?.try_into()
    }
}

impl fmt::Display for PartialUrn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for PartialUrn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Urn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
