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
    /// The identifier without marks around it.
    pub name: &'t str,
    /// The text after it, without the marks and blanks between.
    pub rest: &'t str,
    /// True where a mark such as a colon separates the identifier from the text after it.
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
        let rest = identifier.rest;
        if let Some(path) = path(rest)
            && let Some(named_by_path) = parted(rest, path, path.len())
        {
            return Some(named_by_path);
        }
        return Some(identifier);
    }
    if let Some(path) = path(text) {
        return parted(text, path, path.len());
    }
    if let Some(name) = bracketed(text)
        && (is_code(name) || is_short_code(name))
    {
        let found = parted(text, name, name.len() + "[]".len())?;
        return Some(TextIdentifier { marked: true, ..found });
    }
    let word = text.split(char::is_whitespace).next()?;
    let name = word.trim_end_matches([':', '.', ',', ';']);
    let found = parted(text, name, name.len())?;
    // “R9: …”, but “R9 shall …” and “M8 bolts …”.
    if is_short_code(name) && found.marked {
        let is_before_sentence = found.rest.starts_with(char::is_uppercase);
        if is_before_sentence || !word.ends_with('.') {
            return Some(found);
        }
    }
    if !is_code(name) {
        return None;
    }
    let names_requirement = name.split(['-', '_', '.', '/']).any(|part| CODES.contains(&part));
    let is_parted = found.marked && !word.ends_with([',', ';']);
    (names_requirement || is_parted).then_some(found)
}

/// The text in the brackets with which a text begins.
fn bracketed(text: &str) -> Option<&str> {
    if let Some(inner) = text.strip_prefix('[') {
        let (name, _) = inner.split_once(']')?;
        return Some(name);
    }
    let (name, _) = text.strip_prefix('(')?.split_once(')')?;
    Some(name)
}

/// Length of a word such as `Requirement` with its number.
fn numbered_length(text: &str) -> Option<usize> {
    let word = text.split(char::is_whitespace).next()?;
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    kind_of_word(word)?;
    let start = behind_number_sign(text, word.len());
    let end = start + number_length(&text[start..])?;
    // “Requirement 49-4 _A”
    let Some(part) = text[end..].strip_prefix(" _") else { return Some(end) };
    let letters = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
    Some(if letters > 0 { end + " _".len() + letters } else { end })
}

/// Length of the number with which a text begins: `A`, `B.2` or `6-1`.
fn number_length(text: &str) -> Option<usize> {
    let is_outer =
        |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '\u{2011}' | '–' | '_' | '/');
    let number = text.split(is_outer).next()?.trim_end_matches(['.', '-', '–', '/']);
    if !number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase()) {
        return None;
    }
    // `Requirement A`, not `Requirement Level`.
    let is_number = number.len() == 1 || number.contains(|c: char| c.is_ascii_digit());
    is_number.then_some(number.len())
}

/// The first byte from this one on that is neither white space nor an abbreviation such as `No.`
fn behind_number_sign(text: &str, from: usize) -> usize {
    let sign = behind_blanks(text, from);
    for abbreviation in ["No.", "n°", "Nr."] {
        if text[sign..].starts_with(abbreviation) {
            return behind_blanks(text, sign + abbreviation.len());
        }
    }
    sign
}

/// The first byte from this one on that is not white space.
fn behind_blanks(text: &str, from: usize) -> usize {
    text.len() - text[from..].trim_start().len()
}

/// The text after an identifier of that many bytes; `None` if nothing separates them.
fn parted<'t>(text: &'t str, name: &'t str, length: usize) -> Option<TextIdentifier<'t>> {
    let after = &text[length..];
    let is_between = |c: char| c.is_whitespace() || matches!(c, ':' | '.' | '–' | '—' | '-');
    let rest = after.trim_start_matches(is_between);
    let between = &after[..after.len() - rest.len()];
    if !rest.is_empty() && !between.ends_with(char::is_whitespace) {
        return None;
    }
    Some(TextIdentifier { name, rest, marked: between.contains([':', '–', '—', '.']) })
}

/// The path or address of a requirement with which the text begins.
fn path(text: &str) -> Option<&str> {
    let word = text.split(char::is_whitespace).next()?.trim_end_matches([':', '.', ',', ';', ')']);
    let is_address = word.starts_with("http://") || word.starts_with("https://");
    // A path may begin without its first slash.
    let names_requirement = PATHS.iter().any(|part| word.contains(part) || word.starts_with(&part[1..]));
    let is_path = is_address || word.starts_with('/') || word.split('/').count() > 2;
    (names_requirement && is_path).then_some(word)
}

/// True if a text is up to four capitals and up to four digits: `R9`, `UR14`.
fn is_short_code(word: &str) -> bool {
    let number = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = word.len() - number.len();
    if !(1..=4).contains(&letters) || !(1..=4).contains(&number.len()) {
        return false;
    }
    number.bytes().all(|byte| byte.is_ascii_digit())
}

/// True if a text is capitals and digits with at least one mark between them, such as `TIME-REQ-01`.
fn is_code(word: &str) -> bool {
    const LONGEST: usize = 40;
    if word.len() > LONGEST || !word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    let mut parts = 0;
    for part in word.split(['-', '_', '.', '/']) {
        let is_plain = part.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if part.is_empty() || !is_plain {
            return false;
        }
        parts += 1;
    }
    parts > 1 && word.bytes().any(|byte| byte.is_ascii_digit())
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
