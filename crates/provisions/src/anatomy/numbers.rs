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
    /// Whether it is written as a word.
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
    /// They show none.
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
            let follows = bytes.get(end).copied().filter(|byte| matches!(byte, b'.' | b',' | b'/' | b':'));
            let goes_on = follows.is_some() && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
            let precedes = at > before && matches!(bytes[at - before - 1], b'.' | b',' | b'/' | b':');
            let is_comma = usize::from(bytes[at] == b',');
            if goes_on || precedes {
                // “1,500,000”
                let groups = after == 3 && follows == Some(bytes[at]) && digits(&text[end + 1..]) == 3;
                if groups && before <= 3 && !precedes {
                    shown[1 - is_comma] = true;
                }
                continue;
            }
            // Most numbers show what is known already.
            if shown[is_comma] {
                continue;
            }
            // “0.1” may be a clause.
            let below_one = before == 1 && bytes[at - 1] == b'0' && after > 1;
            shown[is_comma] = below_one || after != 3 && has_unit(text, end);
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
    let signed = rest.starts_with(['−', '-', '+', '–']);
    let sign = if signed { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
    if !rest[sign..].starts_with(|c: char| c.is_ascii_digit()) && vulgar(&rest[sign..]).is_none() {
        let (value, end) = notation.words?.read(text, at)?;
        return Some(Number { range: at..end, value: Some(value), word: true });
    }
    let start = at + sign;
    let (mut value, mut end, mut sure) = grouped(text, start, notation.separators);
    // “2 1/2”, “1½”
    let mixed = text[end..].chars().next().filter(|c| is_blank(*c)).map_or(0, char::len_utf8);
    let over = digits(&text[end + mixed..]);
    let slash = text[end + mixed + over..].starts_with('/') && digits(&text[end + mixed + over + 1..]) == 1;
    if let Some((part, length)) = vulgar(&text[end..]) {
        value = if end == start { part.to_owned() } else { [value.as_str(), &part[1..]].concat() };
        end += length;
    } else if mixed > 0 && over == 1 && slash {
        let at = end + mixed;
        let part = quotient(&text[at..=at], &text[at + 2..at + 3]);
        let part = part.filter(|part| part.starts_with("0.") && !value.contains('.'));
        sure &= part.is_some();
        value += part.as_deref().map_or("", |part| &part[1..]);
        end = at + 3;
    } else if let Some((power, after)) = power(text, end) {
        value = shifted(&value, power);
        end = after;
    } else if value == "10"
        && let Some((power, after)) = exponent(text, end)
    {
        value = shifted("1", power);
        end = after;
    } else if text[end..].starts_with('/') && digits(&text[end + 1..]) > 0 && digits(&text[end + 1..]) <= 2 {
        let length = digits(&text[end + 1..]);
        let quotient = quotient(&value, &text[end + 1..end + 1 + length]);
        sure &= quotient.is_some();
        value = quotient.unwrap_or(value);
        end += 1 + length;
    }
    if value.contains('.') {
        value.truncate(value.trim_end_matches('0').trim_end_matches('.').len());
    }
    let first = value.find(|c| c != '0').unwrap_or(value.len() - 1);
    let first = if value[first..].starts_with('.') { first - 1 } else { first };
    value = value[first..].to_owned();
    if signed && !rest.starts_with('+') && value != "0" {
        value.insert(0, '-');
    }
    Some(Number { range: at..end, value: sure.then_some(value), word: false })
}

/// Digits with their groups and decimals as a decimal string, where they end, and whether they read in one
/// way only.
fn grouped(text: &str, start: usize, separators: Separators) -> (String, usize, bool) {
    let mut end = start + digits(&text[start..]);
    let mut value = text[start..end].to_owned();
    let is_short = value.len() <= 3 && !value.is_empty() && value != "0";
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
    let Some(sign) = text[end..].chars().next().filter(|c| matches!(c, '.' | ',')) else {
        return (value, end, true);
    };
    let length = digits(&text[end + 1..]);
    if length == 0 {
        return (value, end, true);
    }
    let other = if sign == '.' { ',' } else { '.' };
    let is_group = |at: usize| text[at..].starts_with(sign) && digits(&text[at + 1..]) == 3;
    let has_decimals = |at: usize| text[at..].starts_with(other) && digits(&text[at + 1..]) > 0;
    let may_group = is_short && length == 3 && end == start + value.len();
    let several = may_group && is_group(end + 4);
    let groups = several || may_group && (separators.decimal == Some(other) || has_decimals(end + 4));
    if groups {
        while is_group(end) {
            value += &text[end + 1..end + 4];
            end += 4;
        }
        if has_decimals(end) {
            let length = digits(&text[end + 1..]);
            value = format!("{value}.{}", &text[end + 1..end + 1 + length]);
            end += 1 + length;
        }
        return (value, end, true);
    }
    // “1,250” is 1250 or 1.25.
    let sure = !(may_group && separators.decimal.is_none() && separators.thousands == Some(sign));
    (format!("{value}.{}", &text[end + 1..end + 1 + length]), end + 1 + length, sure)
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
    let rest = raised.unwrap_or(&text[at..]);
    let positive = rest.strip_prefix(['−', '-', '⁻', '–']);
    let number = positive.unwrap_or(rest);
    let digit = |c: char| match raised {
        Some(_) => c.to_digit(10),
        None => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|s| s == c).map(|d| d as u32),
    };
    let mut power = 0;
    let mut length = 0;
    for c in number.chars() {
        let Some(digit) = digit(c).filter(|_| power <= LARGEST_POWER) else { break };
        power = power * 10 + digit as i32;
        length += c.len_utf8();
    }
    let signed = if positive.is_some() { -power } else { power };
    (length > 0 && power <= LARGEST_POWER).then_some((signed, text.len() - number.len() + length))
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
    let thousandths = numerator.checked_mul(1000)?.checked_div(denominator).filter(|_| denominator > 1)?;
    (thousandths * denominator == numerator * 1000).then(|| shifted(&thousandths.to_string(), -3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_strings_and_what_reads_in_two_ways_has_no_value() {
        let unknown = Separators { decimal: None, thousands: Some(',') };
        let point = Separators { decimal: Some('.'), ..unknown };
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
