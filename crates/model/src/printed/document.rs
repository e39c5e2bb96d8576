//! The document of a citation: its designation, and the dates that people write behind it.

use super::cited::PrintedDocument;
use super::word_lists::{begins_with, location_word, month, same_length_lower};
use crate::PartialUrn;
use crate::date::PartialDate;
use crate::urn::{Citation, find_publisher};

/// A document, and the end of its designation in the text, in bytes.
pub(super) struct FoundDocument {
    pub(super) document: PrintedDocument,
    pub(super) end: usize,
}

/// Marks of the language of an edition behind its designation.
const LANGUAGE_MARKS: [&str; 14] = [
    "(e)", "(f)", "(d)", "(g)", "(e/f)", "(f/e)", "(en)", "(fr)", "(de)", "(eng)", "(fra)", "(deu)", "[e]",
    "[f]",
];

/// Words before a date behind a designation.
const BEFORE_DATES: [&str; 15] = [
    "ausgabe vom",
    "ausgabe von",
    "ausgabe",
    "ausg.",
    "fassung",
    "stand",
    "édition de",
    "édition d'",
    "édition du",
    "édition",
    "edition of",
    "edition",
    "issue",
    "version",
    "dated",
];

/// The document at the beginning of a text.
pub(super) fn read(text: &str) -> Option<FoundDocument> {
    let (mut citation, length) = designation(text)?;
    let mut end = length;
    let mut is_consolidated = false;
    while let Some(suffix) = consolidation(&text[end..]) {
        is_consolidated = true;
        end += suffix;
    }
    end += language_mark(&text[end..]);
    if !citation.dated
        && let Some((year, date_length)) = date(&text[end..])
    {
        citation.year = Some(year);
        citation.dated = true;
        end += date_length;
        end += language_mark(&text[end..]);
    }
    let text = if is_consolidated { text[..end].trim_end().to_owned() } else { citation.text.clone() };
    Some(FoundDocument { document: PrintedDocument { citation, text, is_consolidated }, end })
}

/// True if nothing more than the end of a sentence is left.
pub(super) fn is_end(rest: &str) -> bool {
    rest.trim_matches([' ', '.', ',', ';', ':']).is_empty()
}

/// The designation at the beginning of a text, and its length in bytes. Letters of any case are read, and a
/// body without a space before its number.
fn designation(text: &str) -> Option<(Citation, usize)> {
    if let Some(urn) = urn(text) {
        return Some(urn);
    }
    if !begins_with_body(text) {
        return None;
    }
    let spaced = with_space(text);
    let added = spaced.len() - text.len();
    // Dashes are hyphens in designations.
    let plain = spaced.replace('–', "-");
    if let Some(found) = designation_of(&plain) {
        return Some((found.0, original_length(&spaced, found.1) - added.min(found.1)));
    }
    let upper = plain.to_uppercase();
    if upper.len() != plain.len() {
        return None;
    }
    let found = designation_of(&upper)?;
    Some((found.0, original_length(&spaced, found.1) - added.min(found.1)))
}

/// A URN up to the next space or comma that is not between its languages.
fn urn(text: &str) -> Option<(Citation, usize)> {
    if !same_length_lower(text).starts_with("urn:") {
        return None;
    }
    let length = text.find(' ').unwrap_or(text.len());
    let urn = text[..length].trim_end_matches([',', ';', '.']);
    let citation = PartialUrn::from_reference(urn)?;
    Some((citation, urn.len()))
}

fn designation_of(text: &str) -> Option<(Citation, usize)> {
    let citation = PartialUrn::from_reference(text)?;
    let end = citation.end;
    let printed = &text[..end];
    let has_digit = printed.bytes().any(|b| b.is_ascii_digit());
    (has_digit && ends_word(&text[end..])).then_some((citation, end))
}

/// True if a designation may end before this text.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// True if a text begins with what may be a publisher: two letters, no word for a part. A word in lower case
/// is a publisher that is known, or is right before a number: `nsb 4210`, but not `at least 4`.
fn begins_with_body(text: &str) -> bool {
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(length);
    if word.chars().count() < 2 || location_word(&same_length_lower(text)).is_some() {
        return false;
    }
    let is_capital = word.chars().all(char::is_uppercase);
    let is_before_number = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    is_capital || find_publisher(word).is_some() || is_before_number
}

/// The text with a space between the letters of a body and digits: `ISO9001`.
fn with_space(text: &str) -> String {
    let letters = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (body, rest) = text.split_at(letters);
    let is_body = find_publisher(body).is_some();
    if is_body && rest.starts_with(|c: char| c.is_ascii_digit()) {
        return format!("{body} {rest}");
    }
    text.to_owned()
}

/// Length of a text in which dashes are wider than the hyphens that they were read as.
fn original_length(text: &str, plain_length: usize) -> usize {
    let mut plain = 0;
    for (at, c) in text.char_indices() {
        if plain >= plain_length {
            return at;
        }
        plain += if c == '–' { 1 } else { c.len_utf8() };
    }
    text.len()
}

/// Length of an amendment that is in the text of the edition, or of a correction without number:
/// `+A1:2024`, `/AC:2010`, `+AC`.
fn consolidation(rest: &str) -> Option<usize> {
    let sign = rest.strip_prefix('+').or_else(|| rest.strip_prefix('/'))?;
    let letters = sign.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(sign.len());
    if letters == 0 || letters > 3 {
        return None;
    }
    let after = &sign[letters..];
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    let mut length = 1 + letters + digits;
    if let Some(year) = rest[length..].strip_prefix(':')
        && year.len() >= 4
        && year.bytes().take(4).all(|b| b.is_ascii_digit())
    {
        length += 5;
    }
    ends_word(&rest[length..]).then_some(length)
}

/// Length of the mark of a language with the space before it; 0 without one.
fn language_mark(rest: &str) -> usize {
    let mark = rest.trim_start();
    let lower = same_length_lower(mark);
    for one in LANGUAGE_MARKS {
        if lower.starts_with(one) {
            return rest.len() - mark.len() + one.len();
        }
    }
    0
}

/// A date in words or after a word, and its length in bytes: `, Ausgabe 2013-10`, ` (Mai 2016)`,
/// `, March 2016 edition`.
fn date(rest: &str) -> Option<(String, usize)> {
    let lower = same_length_lower(rest);
    let mut at = lower.len() - lower.trim_start_matches([' ', ',', ':']).len();
    let is_separated = at > 0;
    let is_bracketed = lower[at..].starts_with('(');
    at += usize::from(is_bracketed);
    let mut has_word = false;
    let mut longest = 0;
    for word in BEFORE_DATES {
        if begins_with(&lower[at..], word) {
            longest = longest.max(word.len());
        }
    }
    if longest > 0 {
        has_word = true;
        at += longest;
        at += spaces(&lower[at..]);
    }
    let mut named_month = None;
    if let Some((number, length)) = month(&lower[at..]) {
        named_month = Some(number);
        at += length;
        at += spaces(&lower[at..]);
    }
    let digits = lower[at..].find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(lower.len() - at);
    let written = &lower[at..at + digits];
    let year = match named_month {
        Some(month) if written.len() == 4 => format!("{written}-{month:02}"),
        Some(_) => return None,
        None => written.to_owned(),
    };
    let is_date = year.len() >= 4 && year.parse::<PartialDate>().is_ok() && year.starts_with(['1', '2']);
    at += digits;
    if !is_date || !is_separated {
        return None;
    }
    let after = at + spaces(&lower[at..]);
    if begins_with(&lower[after..], "edition") {
        has_word = true;
        at = after + "edition".len();
    }
    if is_bracketed {
        return lower[at..].starts_with(')').then_some((year, at + 1));
    }
    // A bare number behind a comma may be a date where nothing else has so many digits.
    let is_sure = has_word || named_month.is_some() || written.len() >= 4;
    (is_sure && ends_word(&rest[at..])).then_some((year, at))
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
