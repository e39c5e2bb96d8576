//! Numbers in text: digits with groups, decimal sign, power of ten and fraction, and words, as decimal
//! strings.

use std::collections::BTreeMap;
use std::ops::Range;

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

/// Largest power of ten: larger ones are not quantities of a standard's text, and would make long strings.
const LARGEST_POWER: i32 = 40;

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The number that begins at this byte, which is the start of a word. `point` is the sign that parts
/// thousands in the language.
pub(super) fn number_at(
    text: &str,
    at: usize,
    words: &BTreeMap<String, u32>,
    thousands: Option<char>,
) -> Option<Number> {
    let rest = &text[at..];
    let signed = rest.starts_with(['−', '-', '+']);
    let sign = if signed { rest.chars().next().map_or(0, char::len_utf8) } else { 0 };
    if !rest[sign..].starts_with(|c: char| c.is_ascii_digit()) && vulgar(&rest[sign..]).is_none() {
        let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let value = words.get(&rest[..length].to_lowercase())?;
        return Some(Number { range: at..at + length, value: Some(value.to_string()), word: true });
    }
    let start = at + sign;
    let mut end = start + digits(&text[start..]);
    let mut value = text[start..end].to_owned();
    let mut sure = true;
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
    let decimal = text[end..].chars().next().filter(|c| matches!(c, '.' | ','));
    if let Some(decimal) = decimal {
        let length = digits(&text[end + 1..]);
        let groups = |end: usize| text[end..].starts_with(decimal) && digits(&text[end + 1..]) == 3;
        if length == 3 && groups(end + 4) {
            while groups(end) {
                value += &text[end + 1..end + 4];
                end += 4;
            }
        } else if length > 0 {
            // “1,250” is 1250 or 1.25.
            sure = !(length == 3 && thousands == Some(decimal) && value.len() <= 3 && value != "0");
            value = format!("{value}.{}", &text[end + 1..end + 1 + length]);
            end += 1 + length;
        }
    }
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
        for (text, value) in [
            ("5", Some("5")),
            ("0,5", Some("0.5")),
            ("0.50", Some("0.5")),
            ("007", Some("7")),
            ("0", Some("0")),
            ("1 500", Some("1500")),
            ("1,000,000", Some("1000000")),
            ("1,250", None),
            ("0,125", Some("0.125")),
            ("2 × 10^3", Some("2000")),
            ("2,5 × 10^−3", Some("0.0025")),
            ("10³", Some("1000")),
            ("10^6", Some("1000000")),
            ("3/4", Some("0.75")),
            ("1½", Some("1.5")),
            ("½", Some("0.5")),
            ("2 1/2", Some("2.5")),
            ("2 1/3", None),
            ("1/3", None),
            ("−20", Some("-20")),
            ("12 34", Some("12")),
        ] {
            let number = number_at(text, 0, &BTreeMap::new(), Some(',')).unwrap();
            assert_eq!(number.value.as_deref(), value, "{text}");
        }
    }
}
