//! Decimal commas that converters write as an operator between two numbers, and groups of thousands.

use super::adjacent;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The decimal sign of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FormulaDecimalSign {
    Comma,
    Point,
    /// The document shows none, and its language does not say.
    #[default]
    Unknown,
}

/// Languages whose decimal sign is a comma (Unicode CLDR, `symbols/decimal`).
const COMMA_LANGUAGES: &[&str] = &[
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "it", "lt", "lv", "nb", "nl",
    "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk",
];
/// Units that show that the number before them is neither in a list nor the number of a clause.
const UNITS: &[&str] = &[
    "mm", "cm", "m", "km", "kg", "g", "mg", "s", "min", "h", "N", "kN", "V", "A", "W", "kW", "kPa", "MPa",
    "Hz", "K",
];
/// Numbers with a sign after which no more are read: so many show the sign of a document.
const ENOUGH: usize = 64;

/// The decimal sign that a document shows in numbers that can be nothing else, or else that of its language.
pub(crate) fn decimal_sign<'t>(
    texts: impl Iterator<Item = XmlNode<'t>>,
    language: &str,
) -> FormulaDecimalSign {
    let (mut commas, mut points) = (0, 0);
    for node in texts {
        let is_number = node.parent().is_some_and(|parent| parent.name() == Name::Mn);
        let text = node.characters();
        for at in memchr::memchr2_iter(b',', b'.', text.as_bytes()) {
            if !shows_decimals(text, at, is_number) {
                continue;
            }
            if text.as_bytes()[at] == b',' {
                commas += 1;
            } else {
                points += 1;
            }
        }
        if commas + points > ENOUGH {
            break;
        }
    }
    if commas > points {
        FormulaDecimalSign::Comma
    } else if points > 0 {
        FormulaDecimalSign::Point
    } else if COMMA_LANGUAGES.contains(&language) {
        FormulaDecimalSign::Comma
    } else {
        FormulaDecimalSign::Unknown
    }
}

/// True if the sign at a byte is in a number and parts its decimals: after a lone zero, in the element of a
/// number, or before a unit. `4.2` may be a clause and `1,2` a list.
fn shows_decimals(text: &str, at: usize, is_number: bool) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let words_before = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let integer = &before[words_before.len()..];
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let decimals = &after[..after.len() - rest.len()];
    if integer.is_empty() || decimals.is_empty() || continues_number(words_before, rest) {
        return false;
    }
    if integer == "0" {
        return true;
    }
    let may_be_thousands = decimals.len() == 3;
    if may_be_thousands {
        return false;
    }
    is_number || begins_with_unit(rest)
}

/// True if the words around digits make them a part of a longer number or of a word: `1.2.3`, `A1.2`.
fn continues_number(before: &str, after: &str) -> bool {
    if before.ends_with(|c: char| c.is_alphanumeric() || ".,".contains(c)) {
        return true;
    }
    if after.starts_with(char::is_alphanumeric) {
        return true;
    }
    // A sign at the end of a sentence is not a part of the number.
    after.starts_with(['.', ',']) && after[1..].starts_with(|c: char| c.is_ascii_digit())
}

/// True if a unit is after a number, with a blank between them.
fn begins_with_unit(after: &str) -> bool {
    let unit = after.trim_start();
    if unit.len() == after.len() {
        return false;
    }
    let word = &unit[..unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len())];
    UNITS.contains(&word) || unit.starts_with(['%', '°'])
}

/// A number whose digits are in several elements.
pub(super) struct JoinedNumber<'t> {
    pub(super) text: String,
    pub(super) last: XmlNode<'t>,
}

/// The number that begins with an element, where commas between it and the next ones are signs of a number.
/// The numbers of an interval, a pair of indices or a list stay apart.
pub(super) fn joined_number<'t>(
    first: XmlNode<'t>,
    decimal_sign: &dyn Fn() -> FormulaDecimalSign,
) -> Option<JoinedNumber<'t>> {
    let mut numbers = vec![digits(first)?];
    let mut last = first;
    while let Some(next) = next_number(last) {
        numbers.push(digits(next)?);
        last = next;
    }
    if numbers.len() < 2 || is_in_list(first, last) {
        return None;
    }
    let is_one_number = match &numbers[..] {
        [integer, decimals] => match decimal_sign() {
            FormulaDecimalSign::Comma => true,
            // The comma of such a document groups thousands, if it is in a number at all.
            FormulaDecimalSign::Point => {
                is_leading_group(integer) && is_group(decimals) && decimals.starts_with('0')
            }
            FormulaDecimalSign::Unknown => !lists_values(integer, decimals, first, last),
        },
        _ => is_grouped(&numbers),
    };
    is_one_number.then(|| JoinedNumber { text: numbers.join(","), last })
}

/// The digits of a number without signs.
fn digits(node: XmlNode<'_>) -> Option<String> {
    let text = node.normalized_text()?;
    if text.bytes().all(|b| b.is_ascii_digit()) { Some(text) } else { None }
}

/// The number after a comma after a number; a blank may be between.
fn next_number(number: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let comma = after(number)?;
    if !is_one_of(comma, &[","]) {
        return None;
    }
    let next = after(comma)?;
    if next.name() == Name::Mn { Some(next) } else { None }
}

/// The next element that is not a blank.
fn after(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.next(), |n| n.next()).find(|n| is_content(*n))
}

/// The element before that is not a blank.
fn before(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.previous(), |n| n.previous()).find(|n| is_content(*n))
}

fn is_content(node: XmlNode<'_>) -> bool {
    node.is_element() && node.name() != Name::Mspace
}

fn is_one_of(node: XmlNode<'_>, words: &[&str]) -> bool {
    matches!(node.name(), Name::Mo | Name::Mi | Name::Mtext)
        && node.normalized_text().is_some_and(|text| words.contains(&text.as_str()))
}

/// True if numbers are members of a list: of more than numbers, alone in brackets, or alone as a script.
fn is_in_list(first: XmlNode<'_>, last: XmlNode<'_>) -> bool {
    const SEPARATORS: [&str; 5] = [",", ";", "…", "...", "⋯"];
    // The bracket of an open interval is turned around: `]1, 2[`.
    const OPENING: [&str; 5] = ["(", "[", "{", "]", "⟨"];
    const CLOSING: [&str; 5] = [")", "]", "}", "[", "⟩"];
    let has_separator_before = before(first).is_some_and(|node| is_one_of(node, &SEPARATORS));
    let has_separator_after = after(last).is_some_and(|node| is_one_of(node, &SEPARATORS));
    if has_separator_before || has_separator_after {
        return true;
    }
    let start = match before(first) {
        Some(sign) if is_one_of(sign, &["−", "-", "+"]) => sign,
        _ => first,
    };
    let (outside_before, outside_after) = outside(start, last);
    let is_opened = before(start).or(outside_before).is_some_and(|node| is_one_of(node, &OPENING));
    let is_closed = after(last).or(outside_after).is_some_and(|node| is_one_of(node, &CLOSING));
    if is_opened && is_closed {
        return true;
    }
    let is_alone = before(start).is_none() && after(last).is_none();
    is_alone && is_index_or_fenced(first)
}

/// The elements around the row of a number, if that has no other content.
fn outside<'t>(first: XmlNode<'t>, last: XmlNode<'t>) -> (Option<XmlNode<'t>>, Option<XmlNode<'t>>) {
    match first.parent() {
        Some(row) if before(first).is_none() && after(last).is_none() && is_row(row) => adjacent(row),
        _ => (None, None),
    }
}

fn is_row(node: XmlNode<'_>) -> bool {
    matches!(node.name(), Name::Mrow | Name::Mstyle | Name::Mpadded)
}

/// True if the row of a node is a lower script or in an `mfenced`.
fn is_index_or_fenced(node: XmlNode<'_>) -> bool {
    let mut row = node;
    while let Some(parent) = row.parent() {
        let index = parent.elements().position(|child| child == row).unwrap_or_default();
        let alone = parent.elements().count() == 1;
        match parent.name() {
            Name::Msub | Name::Munder | Name::Msubsup | Name::Munderover => return index == 1,
            Name::Mmultiscripts => return index > 0,
            Name::Mfenced => return alone,
            _ if row == node || alone => row = parent,
            _ => return false,
        }
    }
    false
}

/// True if two numbers are the values of a variable: one and the next, alone after a relation (`i = 1, 2`).
fn lists_values(one: &str, next: &str, first: XmlNode<'_>, last: XmlNode<'_>) -> bool {
    let follows_relation = before(first).is_some_and(|node| is_one_of(node, &["=", "≠", "∈", "∉", ":"]));
    if !follows_relation || after(last).is_some() {
        return false;
    }
    let following = one.parse::<u32>().ok().and_then(|number| number.checked_add(1));
    following.is_some_and(|following| following.to_string() == next)
}

/// True if numbers are the groups of one: `268,435,456`. Round numbers, as `100, 200, 300`, may be a list.
fn is_grouped(numbers: &[String]) -> bool {
    let Some((first, rest)) = numbers.split_first() else { return false };
    if !is_leading_group(first) || !rest.iter().all(|group| is_group(group)) {
        return false;
    }
    let are_round = rest.iter().all(|group| group.ends_with('0') && !group.starts_with('0'));
    !are_round
}

fn is_leading_group(group: &str) -> bool {
    group.len() <= 3 && !group.starts_with('0')
}

fn is_group(group: &str) -> bool {
    group.len() == 3
}

#[cfg(test)]
mod tests {
    use super::{is_grouped, shows_decimals};

    fn shows(text: &str, is_number: bool) -> bool {
        let sign = text.find([',', '.']).expect("a sign");
        shows_decimals(text, sign, is_number)
    }

    #[test]
    fn a_sign_shows_decimals_where_the_number_can_be_nothing_else() {
        for text in ["0,5", "a 0.125", "2,5 mm", "2.5 %"] {
            assert!(shows(text, false), "{text}");
        }
        for text in ["4.2", "1,2", "1,000 mm", "1.2.3 mm", "A1.2 mm", "2,5mm", "2, 5 mm"] {
            assert!(!shows(text, false), "{text}");
        }
        assert!(shows("2,5", true));
        assert!(!shows("2,500", true));
    }

    #[test]
    fn groups_of_thousands_are_one_number_and_round_numbers_are_a_list() {
        let is_one = |numbers: [&str; 3]| is_grouped(&numbers.map(str::to_owned));
        assert!(is_one(["268", "435", "456"]));
        assert!(!is_one(["100", "200", "300"]));
        assert!(!is_one(["012", "435", "456"]));
        assert!(!is_one(["268", "4", "456"]));
    }
}
