//! Citations: the URN of a cited reference, derived from its text.

use std::borrow::Cow;

use super::alias::AliasForm;
use super::designation::DesignationParts;
use super::{Identifier, PartialUrn};

/// Separator after the namespace of each URN of a standard.
const STD: &[u8] = b":std:";
/// Namespace of the IETF's own URNs (RFC 2648).
const IETF: &[u8] = b"ietf:";

/// A cited document, as derived from the text of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The document; with an edition only where the reference is a URN that states one.
    pub urn: PartialUrn,
    /// Year or date as cited, `2009`, `2008-12`: of the supplement where the reference names one.
    pub year: Option<String>,
    /// Set where the reference names one edition.
    pub dated: bool,
    /// The designation itself, without the text after it.
    pub text: String,
    /// The designation without its dates, by which all editions of the document are cited.
    pub undated: String,
    /// Bytes of the text that was read up to the end of the designation.
    pub end: usize,
}

/// The form of a text in which two spellings of one reference are equal: lower case, one kind of hyphen and
/// dash, without white space and invisible characters.
///
/// ```
/// use norma_model::urn::reference_key;
/// assert_eq!(reference_key("ISO\u{a0}16634:—"), reference_key("iso 16634:--"));
/// ```
pub fn reference_key(reference: &str) -> String {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
    let mut key = String::with_capacity(reference.len());
    if reference.is_ascii() {
        // The rule below, where nothing composes.
        for c in reference.chars().filter(|c| !c.is_whitespace()) {
            if c != '-' || !key.ends_with('-') {
                key.push(c.to_ascii_lowercase());
            }
        }
        return key;
    }
    // Spaces that do not break are common, and all that keeps most texts from being normal.
    let is_normal = is_nfkc_quick(reference.chars().filter(|&c| c != '\u{a0}')) == IsNormalized::Yes;
    if is_normal {
        for c in reference.chars() {
            push_to_key(&mut key, c);
        }
    } else {
        for c in reference.nfkc() {
            push_to_key(&mut key, c);
        }
    }
    // Characters on both sides of removed white space may compose.
    if is_nfc_quick(key.chars()) == IsNormalized::Yes { key } else { key.nfc().collect() }
}

/// Appends a character in lower case to a key, unless it is white space or repeats a hyphen.
fn push_to_key(key: &mut String, c: char) {
    for c in c.to_lowercase().filter_map(plain) {
        if c != ' ' && !(c == '-' && key.ends_with('-')) {
            key.push(c);
        }
    }
}

/// One character of a reference in the form for comparison. White space becomes a space, a dash a hyphen;
/// invisible ones (soft hyphen, zero width) and trade marks are dropped.
fn plain(c: char) -> Option<char> {
    match c {
        '™' | '®' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => None,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => Some('-'),
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

impl PartialUrn {
    /// Derives the document that a cited reference names: `ISO/IEC TR 10023-2:2003` is
    /// `urn:iso:std:iso-iec:tr:10023:-2`. The namespace is the first body of the chain. `None` when the text
    /// names no standard. An edition is never guessed from a year; a draft is `…:draft`.
    ///
    /// ```
    /// use norma_model::PartialUrn;
    /// let citation = PartialUrn::from_reference("DIN EN ISO 13849-1:2008-12, Clause 4").unwrap();
    /// assert_eq!(citation.urn.as_str(), "urn:din:std:din-en-iso:13849:-1");
    /// assert_eq!(citation.year.as_deref(), Some("2008-12"));
    /// ```
    pub fn from_reference(text: &str) -> Option<Citation> {
        let is_short = text.len() <= super::MAX_URN_LENGTH;
        let is_plain = is_short && text.bytes().all(|b| (b' '..=b'~').contains(&b));
        let plain: Cow<'_, str> = if is_plain {
            Cow::Borrowed(text)
        } else {
            text.chars().take(super::MAX_URN_LENGTH).filter_map(plain).collect()
        };
        let words = without_label(&plain);
        let mut citation = match from_urn(words) {
            Some(citation) => citation,
            None => {
                let (designation, length) = DesignationParts::read(words)?;
                designation.citation(&words[..length])?
            }
        };
        let start = words.as_ptr().addr() - plain.as_ptr().addr();
        let end = start + citation.end;
        citation.end = if is_plain { end } else { printed_length(text, end) };
        Some(citation)
    }
}

/// A reference without the label of a list before it, `[3] ISO 712`. A label alone is the designation,
/// `[OGC 07-036]`.
fn without_label(text: &str) -> &str {
    let text = text.trim();
    let Some(label_and_rest) = text.strip_prefix('[') else { return text };
    let Some((label, after)) = label_and_rest.split_once(']') else { return text };
    if after.is_empty() { label.trim() } else { after.trim_start() }
}

/// Number of bytes of a text for this number of bytes of its plain form.
fn printed_length(text: &str, plain_bytes: usize) -> usize {
    let mut plain_length = 0;
    for (at, c) in text.char_indices() {
        if plain_length >= plain_bytes {
            return at;
        }
        plain_length += plain(c).map_or(0, char::len_utf8);
    }
    text.len()
}

/// Parses a reference that is a URN, with or without `urn:`, perhaps followed by a part of the document.
fn from_urn(text: &str) -> Option<Citation> {
    // All forms have one of these in them, and few references are of such a form.
    if !text.contains(':') || !contains_in_any_case(text, STD) && !contains_in_any_case(text, IETF) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let urn = lower.strip_prefix("urn ").unwrap_or(&lower).trim_start();
    let urn = without_part(urn.split([' ', '#', '=']).next()?);
    let (urn, year) = match Identifier::parse(urn).ok()? {
        Identifier::Alias(alias) => {
            let form = AliasForm::read(&alias).ok()?;
            let year = form.date.clone();
            (form.undated()?, year)
        }
        identifier => (identifier.to_urn()?, None),
    };
    let urn = urn.normalized().ok()?;
    Some(Citation {
        dated: year.is_some() || urn.edition().is_some(),
        urn,
        year,
        end: text.len(),
        text: text.to_owned(),
        undated: text.to_owned(),
    })
}

fn contains_in_any_case(text: &str, part: &[u8]) -> bool {
    text.as_bytes().windows(part.len()).any(|bytes| bytes.eq_ignore_ascii_case(part))
}

/// A URN without the part of the document that it names after the document.
fn without_part(urn: &str) -> &str {
    let mut end = urn.len();
    for element in [":clause:", ":figure:", ":table:", ":term:"] {
        if let Some(at) = urn.find(element) {
            end = end.min(at);
        }
    }
    urn[..end].trim_end_matches(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_designation_without_its_dates_is_that_of_all_editions() {
        for (reference, undated) in [
            ("ISO 712:2009", "ISO 712"),
            ("ISO 712", "ISO 712"),
            ("ISO 712:2009, 7.3.1", "ISO 712"),
            ("ISO 16634:\u{2014}", "ISO 16634"),
            ("ISO 17301-1:2016/Amd 1:2017", "ISO 17301-1/Amd 1"),
            ("ITU-T P.800.1 (07/2016)", "ITU-T P.800.1"),
            ("IEEE Std 987.6-2020:2021", "IEEE Std 987.6"),
            ("IEC 60068-2-30-2005", "IEC 60068-2-30"),
            ("DIN EN ISO 13849-1:2008-12", "DIN EN ISO 13849-1"),
            ("ASTM D1234-05a", "ASTM D1234"),
            ("NIST SP 800-53r5", "NIST SP 800-53"),
            ("ITU-R BT.500-14 (10/2019)", "ITU-R BT.500"),
        ] {
            let citation = PartialUrn::from_reference(reference).unwrap();
            assert_eq!(citation.undated, undated, "{reference}");
            assert!(
                PartialUrn::from_reference(undated).is_some_and(|found| found.urn == citation.urn),
                "{undated}"
            );
        }
    }
}
