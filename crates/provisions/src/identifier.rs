//! Identifiers: the names that documents give to their requirements (`Requirement 6-1`, `REQ-012`,
//! `/req/core/x`).

use norma_model::ProvisionKind::{self, Permission, Recommendation, Requirement};

/// Words before the number of a requirement, in lower case, and the type that each names.
const KINDS: &[(&str, ProvisionKind)] = &[
    ("requirement", Requirement),
    ("req.", Requirement),
    ("exigence", Requirement),
    ("anforderung", Requirement),
    ("recommendation", Recommendation),
    ("rec.", Recommendation),
    ("recommandation", Recommendation),
    ("empfehlung", Recommendation),
    ("permission", Permission),
    ("autorisation", Permission),
    ("erlaubnis", Permission),
];

/// Parts of a code that show that it names a requirement, even without a mark before the sentence after it.
const CODES: &[&str] =
    &["REQ", "REQT", "RQ", "RQMT", "REC", "PER", "PERM", "FR", "NFR", "SRS", "URS", "SHALL"];

/// Parts of a path that show that it names a requirement.
pub(crate) const PATHS: &[&str] = &["/req/", "/rec/", "/per/", "/conf/"];

/// An identifier at the beginning of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextIdentifier<'t> {
    /// The identifier.
    pub name: &'t str,
    /// The text after it, without the marks and blanks between.
    pub rest: &'t str,
    /// Whether a mark such as a colon separates the two.
    pub marked: bool,
}

/// The type that a word before a number names: `Requirement`.
pub fn kind_of_word(word: &str) -> Option<ProvisionKind> {
    KINDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
}

/// The identifier with which a text begins. Of a number and a path (`Requirement 5 /req/core/x`) the path
/// counts.
pub fn leading_identifier(text: &str) -> Option<TextIdentifier<'_>> {
    if let Some(length) = numbered_length(text) {
        let identifier = parted(text, &text[..length], length)?;
        let path = path(identifier.rest).and_then(|path| parted(identifier.rest, path, path.len()));
        return Some(path.unwrap_or(identifier));
    }
    if let Some(path) = path(text) {
        return parted(text, path, path.len());
    }
    let square = text.strip_prefix('[').and_then(|inner| inner.split_once(']'));
    let bracketed = square.or_else(|| text.strip_prefix('(').and_then(|inner| inner.split_once(')')));
    if let Some((name, _)) = bracketed.filter(|(name, _)| is_code(name) || is_short_code(name)) {
        return parted(text, name, name.len() + 2).map(|found| TextIdentifier { marked: true, ..found });
    }
    let word = text.split(char::is_whitespace).next()?;
    let name = word.trim_end_matches([':', '.', ',', ';']);
    let found = parted(text, name, name.len())?;
    // “R9: …”, but “R9 shall …” and “M8 bolts …”.
    let capital = found.rest.starts_with(char::is_uppercase);
    if is_short_code(name) && found.marked && (capital || !word.ends_with('.')) {
        return Some(found);
    }
    let found = Some(found).filter(|_| is_code(name))?;
    let known = name.split(['-', '_', '.', '/']).any(|part| CODES.contains(&part));
    (known || found.marked && !word.ends_with([',', ';'])).then_some(found)
}

/// Length of a word such as `Requirement` with its number.
fn numbered_length(text: &str) -> Option<usize> {
    let word = text.split(char::is_whitespace).next()?;
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    kind_of_word(word)?;
    let blanks = |from: usize| text.len() - text[from..].trim_start().len();
    let sign = blanks(word.len());
    let signs = ["No.", "n°", "Nr."];
    let start = signs.iter().find(|s| text[sign..].starts_with(**s)).map_or(sign, |s| blanks(sign + s.len()));
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '\u{2011}' | '–' | '_' | '/');
    let number = text[start..].split(|c| !inner(c)).next()?.trim_end_matches(['.', '-', '–', '/']);
    let starts = number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
    // `Requirement A`, `Requirement B.2` and `Requirement 6-1`, not `Requirement Level`.
    let is_number = number.contains(|c: char| c.is_ascii_digit()) || number.len() == 1;
    let end = start + number.len();
    // “Requirement 49-4 _A”
    let part = text[end..].strip_prefix(" _").map_or(0, |part| {
        let letters = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        if letters > 0 { letters + 2 } else { 0 }
    });
    (starts && is_number).then_some(end + part)
}

/// The text after an identifier of that many bytes; `None` if nothing separates them.
fn parted<'t>(text: &'t str, name: &'t str, length: usize) -> Option<TextIdentifier<'t>> {
    let after = &text[length..];
    let rest =
        after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '.' | '–' | '—' | '-'));
    let between = &after[..after.len() - rest.len()];
    (between.ends_with(char::is_whitespace) || rest.is_empty()).then_some(TextIdentifier {
        name,
        rest,
        marked: between.contains([':', '–', '—', '.']),
    })
}

/// The path or address of a requirement with which the text begins.
fn path(text: &str) -> Option<&str> {
    let word = text.split(char::is_whitespace).next()?.trim_end_matches([':', '.', ',', ';', ')']);
    let is_address = word.starts_with("http://") || word.starts_with("https://");
    let names = PATHS.iter().any(|part| word.contains(part) || word.starts_with(&part[1..]));
    (names && (is_address || word.starts_with('/') || word.split('/').count() > 2)).then_some(word)
}

/// Whether a text is up to four capitals and up to four digits: `R9`, `UR14`.
fn is_short_code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.len() - letters;
    (1..=4).contains(&letters)
        && (1..=4).contains(&digits)
        && word.bytes().skip(letters).all(|b| b.is_ascii_digit())
}

/// Whether a text is capitals and digits with at least one mark between them, such as `TIME-REQ-01`.
fn is_code(word: &str) -> bool {
    let parts = || word.split(['-', '_', '.', '/']);
    word.len() <= 40
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && parts().count() > 1
        && parts().all(|part| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        })
        && word.bytes().any(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(&str, &str)> {
        leading_identifier(text).map(|found| (found.name, found.rest))
    }

    #[test]
    fn identifiers_are_read_at_the_beginning_of_a_text() {
        for (text, name) in [
            ("Requirement 6-1 The lid shall close.", "Requirement 6-1"),
            ("REQUIREMENT 12: The lid shall close.", "REQUIREMENT 12"),
            ("Recommendation A.3 – The lid shall close.", "Recommendation A.3"),
            ("Exigence n° 4 : The lid shall close.", "Exigence n° 4"),
            ("Anforderung Nr. 7. The lid shall close.", "Anforderung Nr. 7"),
            ("REQ-012 The lid shall close.", "REQ-012"),
            ("[REQ-012] The lid shall close.", "REQ-012"),
            ("[LID-3] The lid shall close.", "LID-3"),
            ("TIME-REQ-01: The lid shall close.", "TIME-REQ-01"),
            ("LID-3: The lid shall close.", "LID-3"),
            ("R9: The lid shall close.", "R9"),
            ("(UR14) The lid shall close.", "UR14"),
            ("Requirement 49-4 _A The lid shall close.", "Requirement 49-4 _A"),
            ("/req/core/x The lid shall close.", "/req/core/x"),
            ("Requirement 5 /req/core/x The lid shall close.", "/req/core/x"),
            ("https://example.org/spec/req/core The lid shall close.", "https://example.org/spec/req/core"),
        ] {
            assert_eq!(read(text), Some((name, "The lid shall close.")), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_identifiers_are_none() {
        for text in [
            "Requirements 6 apply.",
            "Requirement levels differ.",
            "The requirement 6 applies.",
            "UTF-8 is used.",
            "R9 shall be read with R10.",
            "M8 bolts shall be used.",
            "H2O: pure.",
            "RS-232 Interfaces shall be shielded.",
            "ISO-8859-1 Text shall be converted.",
            "A/C units shall be off.",
            "/etc/hosts shall be kept.",
            "Requirement 6-1(a shall be met.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
