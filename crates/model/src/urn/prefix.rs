//! Prefixes of the text of a designation: words, tokens and brackets, each with the text after it.

/// The leading characters that fit and the rest; `None` when the first does not fit.
pub(super) fn leading(text: &str, fits: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !fits(c)).unwrap_or(text.len());
    if end == 0 { None } else { Some(text.split_at(end)) }
}

/// The leading digits and the rest; `None` without one.
pub(super) fn leading_digits(text: &str) -> Option<(&str, &str)> {
    leading(text, |c| c.is_ascii_digit())
}

/// True for a text whose first character is an ASCII digit.
pub(super) fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Letters, digits, full stops and hyphens, of which the last is a letter or digit, and the rest.
pub(super) fn token(text: &str) -> Option<(&str, &str)> {
    let (token, _) = leading(text, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))?;
    let token = token.trim_end_matches(['.', '-']);
    if !token.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    Some((token, &text[token.len()..]))
}

/// The text after the first of these prefixes that it has.
pub(super) fn strip_one_of<'t>(text: &'t str, prefixes: &[&str]) -> Option<&'t str> {
    for prefix in prefixes {
        if let Some(rest) = text.strip_prefix(prefix) {
            return Some(rest);
        }
    }
    None
}

/// The text within round brackets, which may follow white space, and the rest after them.
pub(super) fn bracketed(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('(')?.split_once(')')
}
