//! White space: what can be said of a text without a look at each of its characters.

/// Whether a text is visible ASCII and blanks.
fn is_even(text: &str) -> bool {
    // All of it is looked at, so that many bytes can be at once.
    !text.bytes().fold(false, |odd, byte| odd | !(b' '..=b'~').contains(&byte))
}

/// Whether a text is words of visible ASCII with one blank between each two, and nothing around them. Most sentences are;
/// other texts may be collapsed as well, and need a closer look.
pub fn is_collapsed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let double = || pairs.fold(false, |double, (&a, &b)| double | (a == b' ') & (b == b' '));
    !text.starts_with(' ') && !text.ends_with(' ') && is_even(text) && !double()
}

/// The words of a text with one blank between each two.
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
    fn text_is_even_without_other_white_space_and_collapsed_with_single_blanks_between_words() {
        for (text, even, collapsed) in [
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
            assert_eq!((is_even(text), is_collapsed(text)), (even, collapsed), "{text:?}");
        }
    }
}
