//! Typography: signs that print the same in two ways. A provision that differs only by them is the same.

use std::borrow::Cow;

/// Signs of a text in one form: straight quotation marks and apostrophes, one dash, no soft hyphens and
/// joiners. Spaces at quotation marks and before `;` `:` `!` `?` go: languages set them in other places.
pub fn one_typography(text: &str) -> Cow<'_, str> {
    // Most texts stay as they are: without this, comparing tables takes a third more (`scale`).
    if text.is_ascii() && !text.contains(is_spaced_otherwise) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut after_quotation_mark = false;
    for c in text.chars() {
        if is_invisible(c) {
            continue;
        }
        let sign = one_sign(c);
        if sign == ' ' && after_quotation_mark {
            continue;
        }
        if is_spaced_otherwise(sign) {
            out.truncate(out.trim_end().len());
        }
        after_quotation_mark = sign == '"';
        out.push(sign);
    }
    Cow::Owned(out)
}

/// Signs before which some languages set a space.
fn is_spaced_otherwise(sign: char) -> bool {
    matches!(sign, '"' | ';' | ':' | '!' | '?')
}

/// Soft hyphens, zero-width spaces and joiners, the byte order mark.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// A sign in the form of a typewriter; white space is a blank.
pub fn one_sign(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' => '"',
        '‘' | '’' | '‚' | '‛' | '‹' | '›' | '′' => '\'',
        '\u{2010}'..='\u{2015}' | '−' => '-',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_print_the_same_are_one() {
        for (one, other) in [
            ("Le « quai »", "Le \"quai\""),
            ("der „Kai“", "der »Kai«"),
            ("−18 °C – max.", "-18 °C - max."),
            ("noté\u{202f}; gardé", "noté; gardé"),
            ("at le\u{ad}ast", "at least"),
        ] {
            assert_eq!(one_typography(one), one_typography(other));
        }
        for (one, other) in [("5 to 10", "5-10"), ("a b", "ab"), ("it's", "its")] {
            assert_ne!(one_typography(one), one_typography(other));
        }
    }
}
