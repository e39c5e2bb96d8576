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
/// So many numbers show the sign of a document.
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
            if shows_decimals(text, at, is_number) {
                match text.as_bytes()[at] {
                    b',' => commas += 1,
                    _ => points += 1,
                }
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

/// Whether the sign at a byte is in a number and parts its decimals: after a lone zero, in the element of a
/// number, or before a unit. `4.2` may be a clause and `1,2` a list.
fn shows_decimals(text: &str, at: usize, is_number: bool) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let whole = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let decimals = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (integer, rest) = (&before[before.len() - whole..], &after[decimals..]);
    let is_part = before[..before.len() - whole].ends_with(|c: char| c.is_alphanumeric() || ".,".contains(c))
        || rest.starts_with(|c: char| c.is_alphanumeric())
        || rest.starts_with(['.', ',']) && rest[1..].starts_with(|c: char| c.is_ascii_digit());
    if whole == 0 || decimals == 0 || is_part {
        return false;
    }
    let may_be_thousands = decimals == 3 && integer != "0";
    if integer == "0" || is_number && !may_be_thousands {
        return true;
    }
    let unit = rest.trim_start();
    let word = &unit[..unit.find(|c: char| !c.is_alphabetic()).unwrap_or(unit.len())];
    let has_unit = rest.len() > unit.len() && (UNITS.contains(&word) || unit.starts_with(['%', '°']));
    has_unit && !may_be_thousands
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
    let is_one = numbers.len() > 1
        && !is_in_list(first, last)
        && match &numbers[..] {
            [integer, decimals] => is_decimal(integer, decimals, first, last, decimal_sign()),
            _ => is_grouped(&numbers),
        };
    is_one.then(|| JoinedNumber { text: numbers.join(","), last })
}

/// The digits of a number without signs.
fn digits(node: XmlNode<'_>) -> Option<String> {
    node.normalized_text().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))
}

/// The number after a comma after a number; a blank may be between.
fn next_number(number: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let comma = after(number).filter(|node| is_one_of(*node, &[","]))?;
    after(comma).filter(|node| node.name() == Name::Mn)
}

/// The next element that is not a blank.
fn after(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.next(), |n| n.next()).find(|n| n.is_element() && n.name() != Name::Mspace)
}

/// The element before that is not a blank.
fn before(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.previous(), |n| n.previous())
        .find(|n| n.is_element() && n.name() != Name::Mspace)
}

fn is_one_of(node: XmlNode<'_>, words: &[&str]) -> bool {
    matches!(node.name(), Name::Mo | Name::Mi | Name::Mtext)
        && node.normalized_text().is_some_and(|text| words.contains(&text.as_str()))
}

/// Whether numbers are members of a list: of more than numbers, alone in brackets, or alone as a script.
fn is_in_list(first: XmlNode<'_>, last: XmlNode<'_>) -> bool {
    let separates = |node: XmlNode<'_>| is_one_of(node, &[",", ";", "…", "...", "⋯"]);
    if before(first).is_some_and(separates) || after(last).is_some_and(separates) {
        return true;
    }
    let signed = before(first).filter(|node| is_one_of(*node, &["−", "-", "+"]));
    let start = signed.unwrap_or(first);
    let opening = before(start).or_else(|| outside(start, last).0);
    let closing = after(last).or_else(|| outside(start, last).1);
    let is_open = |node: Option<XmlNode<'_>>| node.is_some_and(|n| is_one_of(n, &["(", "[", "{", "]", "⟨"]));
    let is_close = |node: Option<XmlNode<'_>>| node.is_some_and(|n| is_one_of(n, &[")", "]", "}", "[", "⟩"]));
    let alone = before(start).is_none() && after(last).is_none();
    is_open(opening) && is_close(closing) || alone && is_index_or_fenced(first)
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

/// Whether the row of a node is a lower script or in an `mfenced`.
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

/// Whether two numbers are the parts of one before and after its decimal sign.
fn is_decimal(
    integer: &str,
    decimals: &str,
    first: XmlNode<'_>,
    last: XmlNode<'_>,
    sign: FormulaDecimalSign,
) -> bool {
    match sign {
        FormulaDecimalSign::Comma => true,
        // The comma of such a document groups thousands, if it is in a number at all.
        FormulaDecimalSign::Point => {
            is_group(decimals) && decimals.starts_with('0') && is_leading_group(integer)
        }
        FormulaDecimalSign::Unknown => {
            let relation = before(first).is_some_and(|node| is_one_of(node, &["=", "≠", "∈", "∉", ":"]));
            let is_value = relation && after(last).is_none();
            // `i = 1, 2` lists the values of a variable.
            let next = integer.parse::<u32>().ok().and_then(|number| number.checked_add(1));
            !is_value || next.is_none_or(|next| next.to_string() != decimals)
        }
    }
}

/// Whether numbers are the groups of one: `268,435,456`. Round numbers, as `100, 200, 300`, may be a list.
fn is_grouped(numbers: &[String]) -> bool {
    let rest = &numbers[1..];
    let round = rest.iter().all(|group| group.ends_with('0') && !group.starts_with('0'));
    is_leading_group(&numbers[0]) && rest.iter().all(|group| is_group(group)) && !round
}

fn is_leading_group(group: &str) -> bool {
    group.len() <= 3 && !group.starts_with('0')
}

fn is_group(group: &str) -> bool {
    group.len() == 3
}
