//! Characters that nobody sees: soft hyphens, spaces and joiners without width, invisible operators. They
//! take no part in the words of a document.

use std::borrow::Cow;

/// Characters without a visible effect in any script: a soft hyphen, a space without width, a word joiner, an
/// invisible operator of formulae, a byte order mark.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Joiners of letters (Unicode Standard, 23.2).
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Characters whose shape a joiner next to them changes: in the scripts of Arabic, India and their
/// neighbours, and in emoji.
fn is_shaped(c: char) -> bool {
    matches!(c,
        '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{10a00}'..='\u{11fff}' | '\u{1f000}'..='\u{1faff}')
}

/// Looks for such characters and joiners in a text. Only the three bytes that begin one are looked at.
pub(crate) fn has_invisible(text: &str) -> bool {
    if text.is_ascii() {
        return false;
    }
    for at in memchr::memchr3_iter(0xc2, 0xe2, 0xef, text.as_bytes()) {
        if text[at..].starts_with(|c| is_invisible(c) || is_joiner(c)) {
            return true;
        }
    }
    false
}

/// A text without them. Joiners stay where they shape letters.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !has_invisible(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if is_invisible(c) {
            continue;
        }
        if is_joiner(c) {
            let after = &text[at + c.len_utf8()..];
            let shapes_letters = out.ends_with(is_shaped) || after.starts_with(is_shaped);
            if !shapes_letters {
                continue;
            }
        }
        out.push(c);
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn characters_without_width_are_dropped_but_where_they_shape_letters() {
        for (text, seen) in [
            ("at le\u{ad}ast", "at least"),
            ("a\u{200b}b\u{2060}c\u{feff}", "abc"),
            ("Auf\u{200c}lage f\u{200d}f", "Auflage ff"),
            ("Größe", "Größe"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("क\u{94d}\u{200d}ष", "क\u{94d}\u{200d}ष"),
        ] {
            assert_eq!(visible(text), seen);
        }
    }
}
