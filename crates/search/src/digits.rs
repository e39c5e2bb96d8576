//! Numbers whose thousands have separators.

use norma_model::Lang;

/// Digits in groups of three, as far as they were read.
pub(crate) struct DigitGroups {
    pub(crate) digits: String,
    /// Where the first group begins, in scalars.
    pub(crate) start: u32,
    /// The number of words before the end of the last group.
    pub(crate) words: u32,
}

/// The sign that parts the thousands of a number in a language, where it is not a space. International
/// standards have spaces only; texts that national bodies write have both.
pub(crate) fn thousands_sign(language: &Lang) -> Option<char> {
    match language.primary() {
        "en" => Some(','),
        "de" => Some('.'),
        _ => None,
    }
}

/// A number without the signs between its thousands: `10000` of `10,000`. `None` where it has others.
pub(crate) fn ungrouped(digits: &str, sign: Option<char>) -> Option<String> {
    let sign = sign?;
    let (first, rest) = digits.split_once(sign)?;
    let is_first = first.len() <= 3 && !first.starts_with('0');
    if !is_first
        || !rest.split(sign).all(|group| group.len() == 3 && group.bytes().all(|c| c.is_ascii_digit()))
    {
        return None;
    }
    Some(digits.replace(sign, ""))
}

/// True for one space between the thousands of a number. Others than the plain one are folded to it.
pub(crate) fn is_group_separator(separator: &str) -> bool {
    separator == " "
}

#[cfg(test)]
mod tests {
    use crate::analyse;

    #[test]
    fn a_number_with_thousands_separators_is_a_token_where_its_last_group_is() {
        let grouped = |text: &str, language: &str| -> Vec<(String, u32, u32, u32)> {
            let tokens = analyse(text, &language.parse().unwrap()).into_iter();
            let grouped = tokens.filter(|token| token.is_grouped);
            grouped.map(|token| (token.term, token.position, token.start, token.end)).collect()
        };
        let found = |number: &str, position, start, end| (number.to_owned(), position, start, end);
        assert_eq!(grouped("at 1\u{a0}800 mm", "fr"), [found("1800", 2, 3, 8)]);
        assert_eq!(grouped("12 500,5 N", "de"), [found("12500.5", 1, 0, 8)]);
        assert_eq!(grouped("1 000 000", "en"), [found("1000", 1, 0, 5), found("1000000", 2, 0, 9)]);
        assert_eq!(grouped("10,000 cycles", "en"), [found("10000", 0, 0, 6)]);
        assert_eq!(grouped("10.000 Lastwechsel", "de"), [found("10000", 0, 0, 6)]);
        for (text, language) in [("0,125 mm", "en"), ("1.125", "en"), ("10 20", "en"), ("0 300", "en")] {
            assert_eq!(grouped(text, language), [], "{text}");
        }
        assert_eq!(grouped("1\t800", "en"), []);
        assert_eq!(grouped("4 a 800", "en"), []);
    }
}
