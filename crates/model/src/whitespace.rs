//! White space: fast checks for collapsed text, and its collapsing.

/// True for a text that has only visible ASCII and spaces.
fn is_plain(text: &str) -> bool {
    // Without an early exit, so that the loop is vectorised.
    !text.bytes().fold(false, |odd, byte| odd | !(b' '..=b'~').contains(&byte))
}

/// True for a text of words of visible ASCII separated by single spaces. Most sentences are such; `false`
/// means that a text needs a closer check.
pub fn is_collapsed(text: &str) -> bool {
    if text.starts_with(' ') || text.ends_with(' ') || !is_plain(text) {
        return false;
    }
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    // Without an early exit, as above.
    let has_double_space = pairs.fold(false, |found, (&a, &b)| found | (a == b' ') & (b == b' '));
    !has_double_space
}

/// The words of a text separated by single spaces.
pub fn collapse(text: &str) -> String {
    if is_collapsed(text) {
        return text.to_owned();
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_plain_without_other_white_space_and_collapsed_with_single_blanks_between_words() {
        for (text, plain, collapsed) in [
            ("", true, true),
            ("a", true, true),
            ("one two, three", true, true),
            ("one  two", true, false),
            (" one", true, false),
            ("one ", true, false),
            ("one\ntwo", false, false),
            ("one\u{a0}two", false, false),
            ("\u{7f}", false, false),
        ] {
            assert_eq!((is_plain(text), is_collapsed(text)), (plain, collapsed), "{text:?}");
        }
    }
}
