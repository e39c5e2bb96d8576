//! Numbers in text: digits with groups, decimal sign, power of ten and fraction, and words, as decimal
//! strings.

use std::ops::Range;

pub(super) use super::number_words::NumberWords;

/// A number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// Decimal string; `None` if it can be read in two ways (`1,250`) or is infinite (`1/3`).
    pub(super) value: Option<String>,
    /// True for a number that is written as a word.
    pub(super) word: bool,
}

/// What the signs in numbers mean in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Separators {
    /// The sign before decimals, where it is known; then the other one parts groups of three digits.
    pub(super) decimal: Option<char>,
    /// The sign that may part groups where the decimal sign is not known.
    pub(super) thousands: Option<char>,
}

/// The decimal sign that texts show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownDecimalSign {
    /// No text shows a decimal sign.
    NotShown,
    /// Each has the same one.
    Shown(char),
    /// Some have one, some the other.
    Mixed,
}

impl ShownDecimalSign {
    /// The sign, or that of the language where the texts show none.
    pub(super) fn or(self, of_language: Option<char>) -> Option<char> {
        match self {
            Self::NotShown => of_language,
            Self::Shown(sign) => Some(sign),
            Self::Mixed => None,
        }
    }
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notation<'a> {
    /// Words for numbers; without them only digits are read.
    pub(super) words: Option<&'a NumberWords>,
    pub(super) separators: Separators,
}

/// Signs between the parts of a number that is not a value: a clause, a date, a time.
const JOINING: [u8; 4] = [b'.', b',', b'/', b':'];

/// Largest power of ten: larger ones are not quantities of a standard's text, and would make long strings.
const LARGEST_POWER: i32 = 40;

pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

pub(super) fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The decimal sign that texts show: one before one, two or more than three digits and a unit, or between a
/// single zero and several digits, or the other of one that parts several groups.
pub(super) fn decimal_sign<'t>(
    texts: impl Iterator<Item = &'t str>,
    has_unit: impl Fn(&str, usize) -> bool,
) -> ShownDecimalSign {
    let mut shown = [false, false];
    for text in texts {
        let bytes = text.as_bytes();
        for at in memchr::memchr2_iter(b'.', b',', bytes) {
            let before = bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let after = digits(&text[at + 1..]);
            if before == 0 || after == 0 {
                continue;
            }
            let end = at + 1 + after;
            let is_comma = usize::from(bytes[at] == b',');
            let is_behind_part = at > before && JOINING.contains(&bytes[at - before - 1]);
            if is_behind_part {
                continue;
            }
            let next = bytes.get(end).copied().filter(|byte| JOINING.contains(byte));
            let goes_on = next.is_some() && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            if goes_on {
                // “1,500,000”: the other sign is before decimals.
                let parts_groups = after == 3 && next == Some(bytes[at]) && digits(&text[end + 1..]) == 3;
                if parts_groups && before <= 3 {
                    shown[1 - is_comma] = true;
                }
                continue;
            }
            // Most numbers show what is known already.
            if shown[is_comma] {
                continue;
            }
            // “0.1” may be a clause.
            let is_below_one = before == 1 && bytes[at - 1] == b'0' && after > 1;
            shown[is_comma] = is_below_one || after != 3 && has_unit(text, end);
        }
        if shown == [true, true] {
            return ShownDecimalSign::Mixed;
        }
    }
    match shown {
        [true, _] => ShownDecimalSign::Shown('.'),
        [_, true] => ShownDecimalSign::Shown(','),
        _ => ShownDecimalSign::NotShown,
    }
}

/// The number that begins at this byte, which is the start of a word.
pub(super) fn number_at(text: &str, at: usize, notation: Notation<'_>) -> Option<Number> {
    let rest = &text[at..];
    let sign = rest.chars().next().filter(|c| matches!(c, '−' | '-' | '+' | '–'));
    let start = at + sign.map_or(0, char::len_utf8);
    let digits_follow = text[start..].starts_with(|c: char| c.is_ascii_digit());
    if !digits_follow && vulgar(&text[start..]).is_none() {
        let (value, end) = notation.words?.read(text, at)?;
        return Some(Number { range: at..end, value: Some(value), word: true });
    }
    let whole = grouped(text, start, notation.separators);
    let DigitNumber { value, end, is_sure } = with_fraction_or_power(text, start, whole);
    let mut value = without_outer_zeros(value);
    let is_negative = sign.is_some_and(|sign| sign != '+');
    if is_negative && value != "0" {
        value.insert(0, '-');
    }
    Some(Number { range: at..end, value: is_sure.then_some(value), word: false })
}

/// A number in digits, without its sign.
struct DigitNumber {
    /// The value as a decimal string.
    value: String,
    /// One past its last byte in the text.
    end: usize,
    /// False where it can be read in two ways, or is infinite.
    is_sure: bool,
}

/// A number with the fraction or the power of ten that follows its digits.
fn with_fraction_or_power(text: &str, start: usize, number: DigitNumber) -> DigitNumber {
    let DigitNumber { value, end, is_sure } = number;
    let rest = &text[end..];
    // “½”, “1½”
    if let Some((part, length)) = vulgar(rest) {
        let value = if end == start { part.to_owned() } else { value + &part[1..] };
        return DigitNumber { value, end: end + length, is_sure };
    }
    // “2 1/2”
    if let Some(blank) = rest.chars().next()
        && is_blank(blank)
        && begins_with_fraction(&rest[blank.len_utf8()..])
    {
        let over = end + blank.len_utf8();
        let part = quotient(&text[over..=over], &text[over + 2..over + 3]);
        let part = part.filter(|part| part.starts_with("0.") && !value.contains('.'));
        let is_sure = is_sure && part.is_some();
        let value = match part {
            Some(part) => value + &part[1..],
            None => value,
        };
        return DigitNumber { value, end: over + 3, is_sure };
    }
    if let Some((power, end)) = power(text, end) {
        return DigitNumber { value: shifted(&value, power), end, is_sure };
    }
    if value == "10"
        && let Some((power, end)) = exponent(text, end)
    {
        return DigitNumber { value: shifted("1", power), end, is_sure };
    }
    // “3/4”
    let length = rest.strip_prefix('/').map_or(0, digits);
    if matches!(length, 1 | 2) {
        let quotient = quotient(&value, &rest[1..1 + length]);
        let is_sure = is_sure && quotient.is_some();
        return DigitNumber { value: quotient.unwrap_or(value), end: end + 1 + length, is_sure };
    }
    DigitNumber { value, end, is_sure }
}

/// True before a fraction of two single digits: `1/2`.
fn begins_with_fraction(text: &str) -> bool {
    digits(text) == 1 && text[1..].starts_with('/') && digits(&text[2..]) == 1
}

/// A decimal string without zeros at its beginning and at the end of its decimals.
fn without_outer_zeros(mut value: String) -> String {
    if value.contains('.') {
        value.truncate(value.trim_end_matches('0').trim_end_matches('.').len());
    }
    let first = value.find(|c| c != '0').unwrap_or(value.len() - 1);
    // One zero is before the decimal sign.
    let first = if value[first..].starts_with('.') { first - 1 } else { first };
    value[first..].to_owned()
}

/// Digits with their groups and decimals.
fn grouped(text: &str, start: usize, separators: Separators) -> DigitNumber {
    let mut end = start + digits(&text[start..]);
    let mut value = text[start..end].to_owned();
    let is_leading_group = (1..=3).contains(&value.len()) && value != "0";
    if value.len() <= 3 {
        // “1 500”: groups of three digits.
        while let Some(blank) = text[end..].chars().next().filter(|c| is_blank(*c)) {
            let group = end + blank.len_utf8();
            if digits(&text[group..]) != 3 {
                break;
            }
            value += &text[group..group + 3];
            end = group + 3;
        }
    }
    let sign = match text[end..].chars().next() {
        Some(sign @ ('.' | ',')) => sign,
        _ => return DigitNumber { value, end, is_sure: true },
    };
    let length = digits(&text[end + 1..]);
    if length == 0 {
        return DigitNumber { value, end, is_sure: true };
    }
    let other = if sign == '.' { ',' } else { '.' };
    let has_blanks = end > start + value.len();
    let may_group = is_leading_group && length == 3 && !has_blanks;
    // “1,000,000”, “1,250.5”: what follows the group shows that it is one.
    let next = end + 4;
    let shows_groups = may_group && (is_group(text, next, sign) || has_decimals(text, next, other));
    let parts_groups = may_group && (separators.decimal == Some(other) || shows_groups);
    if !parts_groups {
        // “1,250” is 1250 or 1.25.
        let is_sure = !(may_group && separators.decimal.is_none() && separators.thousands == Some(sign));
        let decimals = &text[end + 1..end + 1 + length];
        return DigitNumber { value: format!("{value}.{decimals}"), end: end + 1 + length, is_sure };
    }
    // “1.000” in an English text with “0,5” elsewhere is 1000 or 1: no point groups thousands in English.
    let is_sure = shows_groups || separators.thousands == Some(sign);
    while is_group(text, end, sign) {
        value += &text[end + 1..end + 4];
        end += 4;
    }
    if has_decimals(text, end, other) {
        let length = digits(&text[end + 1..]);
        value = format!("{value}.{}", &text[end + 1..end + 1 + length]);
        end += 1 + length;
    }
    DigitNumber { value, end, is_sure }
}

/// True before a group of three digits after a sign.
fn is_group(text: &str, at: usize, sign: char) -> bool {
    text[at..].starts_with(sign) && digits(&text[at + 1..]) == 3
}

/// True before decimals after a sign.
fn has_decimals(text: &str, at: usize, sign: char) -> bool {
    text[at..].starts_with(sign) && digits(&text[at + 1..]) > 0
}

/// A fraction of one character at the beginning of a text.
fn vulgar(text: &str) -> Option<(&'static str, usize)> {
    let c = text.chars().next()?;
    let (_, value) =
        [('½', "0.5"), ('¼', "0.25"), ('¾', "0.75"), ('⅛', "0.125")].iter().find(|(f, _)| *f == c)?;
    Some((value, c.len_utf8()))
}

/// `× 10^3` after a number.
fn power(text: &str, at: usize) -> Option<(i32, usize)> {
    let rest = text[at..].trim_start_matches(is_blank);
    let rest =
        rest.strip_prefix(['×', 'x', '·', '⋅', '*'])?.trim_start_matches(is_blank).strip_prefix("10")?;
    exponent(text, text.len() - rest.len())
}

/// `^3`, `^−3`, `³` after a ten.
fn exponent(text: &str, at: usize) -> Option<(i32, usize)> {
    let raised = text[at..].strip_prefix('^');
    let signed = raised.unwrap_or(&text[at..]);
    let negative = signed.strip_prefix(['−', '-', '⁻', '–']);
    let number = negative.unwrap_or(signed);
    let mut power = 0;
    let mut length = 0;
    for c in number.chars() {
        let digit = if raised.is_some() { c.to_digit(10) } else { raised_digit(c) };
        let Some(digit) = digit else { break };
        if power > LARGEST_POWER {
            break;
        }
        power = power * 10 + digit as i32;
        length += c.len_utf8();
    }
    if length == 0 || power > LARGEST_POWER {
        return None;
    }
    let power = if negative.is_some() { -power } else { power };
    Some((power, text.len() - number.len() + length))
}

fn raised_digit(c: char) -> Option<u32> {
    let digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|raised| raised == c)?;
    Some(digit as u32)
}

/// A decimal string times a power of ten.
pub(super) fn shifted(value: &str, power: i32) -> String {
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    let mut all = [whole, part].concat();
    let mut point = whole.len() as i32 + power;
    while point < 1 {
        all.insert(0, '0');
        point += 1;
    }
    while (all.len() as i32) < point {
        all.push('0');
    }
    let (whole, part) = all.split_at(point as usize);
    if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
}

/// A fraction as a decimal string, if that has at most three decimals.
fn quotient(numerator: &str, denominator: &str) -> Option<String> {
    let (numerator, denominator) = (numerator.parse::<u64>().ok()?, denominator.parse::<u64>().ok()?);
    if denominator < 2 {
        return None;
    }
    let thousandths = numerator.checked_mul(1000)? / denominator;
    let is_exact = thousandths * denominator == numerator * 1000;
    is_exact.then(|| shifted(&thousandths.to_string(), -3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_strings_and_what_reads_in_two_ways_has_no_value() {
        let unknown = Separators { decimal: None, thousands: Some(',') };
        let point = Separators { decimal: Some('.'), ..unknown };
        let comma_in_english = Separators { decimal: Some(','), ..unknown };
        let comma_in_german = Separators { decimal: Some(','), thousands: Some('.') };
        for (text, separators, value) in [
            ("5", unknown, Some("5")),
            ("0,5", unknown, Some("0.5")),
            ("0.50", unknown, Some("0.5")),
            ("007", unknown, Some("7")),
            ("0", unknown, Some("0")),
            ("1 500", unknown, Some("1500")),
            ("1 500,5", unknown, Some("1500.5")),
            ("1,000,000", unknown, Some("1000000")),
            ("1,250", unknown, None),
            ("1,250", point, Some("1250")),
            ("1,250.5", unknown, Some("1250.5")),
            ("1.250", point, Some("1.25")),
            ("1.000", comma_in_english, None),
            ("1.000,5", comma_in_english, Some("1000.5")),
            ("1.000", comma_in_german, Some("1000")),
            ("0,125", unknown, Some("0.125")),
            ("2 × 10^3", unknown, Some("2000")),
            ("2,5 × 10^−3", unknown, Some("0.0025")),
            ("10³", unknown, Some("1000")),
            ("10^6", unknown, Some("1000000")),
            ("3/4", unknown, Some("0.75")),
            ("1½", unknown, Some("1.5")),
            ("½", unknown, Some("0.5")),
            ("2 1/2", unknown, Some("2.5")),
            ("2 1/3", unknown, None),
            ("1/3", unknown, None),
            ("−20", unknown, Some("-20")),
            ("–20", unknown, Some("-20")),
            ("12 34", unknown, Some("12")),
        ] {
            let number = number_at(text, 0, Notation { words: None, separators }).unwrap();
            assert_eq!(number.value.as_deref(), value, "{text}");
        }
    }

    #[test]
    fn a_document_shows_its_decimal_sign_by_values_and_not_by_numbers_of_clauses() {
        let has_unit = |text: &str, end: usize| text[end..].starts_with(" mm");
        for (text, sign) in [
            ("It is 5.25 mm, see 4.2.", ShownDecimalSign::Shown('.')),
            ("It is 5,2 mm, see 4.2.", ShownDecimalSign::Shown(',')),
            ("See 4.2 and 4.3.", ShownDecimalSign::NotShown),
            ("It is 5,2 mm or 5.2 mm.", ShownDecimalSign::Mixed),
            ("It is 1,500,000 km.", ShownDecimalSign::Shown('.')),
            ("It is 1,500 mm.", ShownDecimalSign::NotShown),
            ("It is 0,75.", ShownDecimalSign::Shown(',')),
            ("It is 0,125.", ShownDecimalSign::Shown(',')),
            ("See 0.1.", ShownDecimalSign::NotShown),
        ] {
            assert_eq!(decimal_sign(std::iter::once(text), has_unit), sign, "{text}");
        }
    }
}
