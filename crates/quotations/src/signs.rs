//! The signs of a text in one form, each with its position: ligatures, raised digits, accents, dashes and
//! quotation marks are written in several ways that print alike.

use norma_model::typography::{is_invisible, one_sign};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};

/// A soft hyphen, which divides a word.
pub(crate) const SOFT_HYPHEN: char = '\u{ad}';
/// The mark before a raised sign, as the plain text has it.
pub(crate) const RAISED: char = '^';
/// The sign of a subtraction, not of a dash.
pub(crate) const MINUS: char = '−';

/// A sign of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrintedSign {
    pub(crate) sign: char,
    /// Index of the Unicode scalar value that it comes from.
    pub(crate) index: u32,
    /// Whether it is printed below the line: `₂`.
    pub(crate) is_lowered: bool,
}

/// The signs of a text, in order. White space is a blank, a tab or a line feed.
pub(crate) fn printed_signs(text: &str) -> Vec<PrintedSign> {
    let mut signs: Vec<PrintedSign> = Vec::with_capacity(text.len());
    let mut was_raised = false;
    for (index, c) in (0..).zip(text.chars()) {
        let is_lowered = is_lowered(c);
        let mut push = |sign| signs.push(PrintedSign { sign, index, is_lowered });
        let is_raised = is_raised(c);
        if is_raised && !was_raised {
            push(RAISED);
        }
        was_raised = is_raised;
        match c {
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => push('\n'),
            '\t' => push('\t'),
            _ if c.is_ascii() => push(c),
            SOFT_HYPHEN => push(SOFT_HYPHEN),
            c if is_invisible(c) => {}
            // How a sign is drawn.
            '\u{fe00}'..='\u{fe0f}' => {}
            // A sign of its own: `5½` is not 51/2.
            c if is_fraction(c) => push(c),
            '…' | '′' | '″' | MINUS => push(c),
            '⁄' | '∕' => push('/'),
            '⋅' | '∙' => push('·'),
            // An accent without a letter is typed for an apostrophe.
            '´' => push('\''),
            // A ring and a raised `o` are printed for the sign of degrees.
            'º' | '˚' => push('°'),
            c if is_combining_mark(c) => {
                let composed = signs.last().and_then(|last| compose(last.sign, c));
                match (composed, signs.last_mut()) {
                    (Some(composed), Some(last)) => last.sign = composed,
                    _ => signs.push(PrintedSign { sign: c, index, is_lowered }),
                }
            }
            c => {
                for sign in one_sign(c).nfkc() {
                    signs.push(PrintedSign { sign: one_sign(sign), index, is_lowered });
                }
            }
        }
    }
    signs
}

/// Whether it is a raised digit or sign.
fn is_raised(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '⁰' | 'ⁱ' | '⁴'..='⁹' | '⁺' | '⁻' | 'ⁿ')
}

/// Whether it is a lowered digit, sign or letter.
fn is_lowered(c: char) -> bool {
    matches!(c, '\u{2080}'..='\u{208e}' | '\u{2090}'..='\u{209c}' | '\u{1d62}'..='\u{1d6a}' | '\u{2c7c}')
}

/// Whether it is a fraction in one sign.
pub(crate) fn is_fraction(c: char) -> bool {
    matches!(c, '½' | '¼' | '¾' | '\u{2150}'..='\u{215e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        printed_signs(text).into_iter().map(|sign| sign.sign).collect()
    }

    #[test]
    fn signs_that_print_alike_are_one() {
        for (text, expected) in [
            ("ﬁt – “x”\u{a0}5\u{2009}°C", "fit - \"x\" 5 °C"),
            ("m² 10⁻³ CO₂", "m^2 10^-3 CO2"),
            ("e\u{301}te\u{301}", "été"),
            ("5½ 5⅓", "5½ 5⅓"),
            ("A − B – C", "A − B - C"),
            ("1⁄2 N⋅m", "1/2 N·m"),
            ("a\u{200b}b", "ab"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}
