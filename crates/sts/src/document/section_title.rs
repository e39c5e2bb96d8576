//! Titles of sections, and numbers of clauses and annexes that are typed into them.

use norma_model::label::number_of;

use crate::languages;
use crate::text::words;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The title of a section, where it has words. That of an index is in a group of titles.
pub(super) fn title(section: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let title = match section.child(Name::Title) {
        Some(title) => title,
        None => section.child(Name::IndexTitleGroup)?.child(Name::Title)?,
    };
    if title.is_blank() { None } else { Some(title) }
}

/// The number of a section without label, whose number was typed into its title.
pub(super) fn typed_number(section: XmlNode<'_>, parent: Option<&str>) -> Option<String> {
    if section.name() == Name::App {
        return annex_number(title(section)?);
    }
    let number = leading_number(section)?;
    let fits = match parent {
        Some(parent) => is_below(&number, parent),
        None => fits_siblings(&number, section),
    };
    fits.then_some(number)
}

/// The number begins with that of the other clause and a dot: `4.2` and `4`, but not `42`.
fn is_below(number: &str, parent: &str) -> bool {
    number.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
}

/// The sections next to an outermost section decide whether a number at the start of its title is its own.
fn fits_siblings(number: &str, section: XmlNode<'_>) -> bool {
    let siblings =
        || section.parent().into_iter().flat_map(XmlNode::elements).filter(|n| n.name().is_section());
    // Where labels are elements, a section without one has no number.
    if siblings().any(|sibling| sibling.child(Name::Label).is_some()) {
        return false;
    }
    if number.contains('.') {
        return true;
    }
    // A single number counts as one of several in sequence only: `2 Stroke engines` is a title.
    siblings().filter_map(leading_number).any(|other| are_in_sequence(number, &other))
}

fn are_in_sequence(one: &str, other: &str) -> bool {
    match (one.parse::<u16>(), other.parse::<u16>()) {
        (Ok(one), Ok(other)) => one.abs_diff(other) == 1,
        _ => false,
    }
}

/// A number of clauses at the start of a title, before a word with a capital: `4.2 Loads`, but not
/// `3.5 mm plugs`.
fn leading_number(section: XmlNode<'_>) -> Option<String> {
    let title = words(title(section)?)?;
    leading_number_of(&title).map(str::to_owned)
}

fn leading_number_of(title: &str) -> Option<&str> {
    let (number, rest) = title.split_once(char::is_whitespace)?;
    let number = number.strip_suffix('.').unwrap_or(number);
    if !rest.trim_start().starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase()) {
        return None;
    }
    let mut levels = number.split('.');
    let first = levels.next()?;
    // The letter of an annex alone may be a word of the title.
    let is_annex = first.len() == 1 && first.bytes().all(|b| b.is_ascii_uppercase()) && number.len() > 1;
    if !(is_annex || is_level(first)) || !levels.all(is_level) {
        return None;
    }
    Some(number)
}

/// A level of a number has one to three digits; longer ones are years and designations.
fn is_level(part: &str) -> bool {
    (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
}

/// The number of an annex whose label was typed into its title: `Annex A (informative) Tests`.
fn annex_number(title: XmlNode<'_>) -> Option<String> {
    let title = words(title)?;
    let word = title.split_whitespace().next()?.to_lowercase();
    if !languages::is_annex(&word) {
        return None;
    }
    number_of(&title).filter(|number| number.len() <= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_at_the_start_of_a_title_before_a_capital() {
        for (title, number) in [
            ("4.2 Loads", Some("4.2")),
            ("4. Loads", Some("4")),
            ("A.1 General", Some("A.1")),
            ("A Loads", None),
            ("3.5 mm plugs", None),
            ("2020 Revision", None),
            ("4..2 Loads", None),
            ("Loads", None),
        ] {
            assert_eq!(leading_number_of(title), number, "{title}");
        }
    }

    #[test]
    fn typed_numbers_are_below_their_parent_or_next_to_a_sibling() {
        assert!(is_below("4.2", "4") && !is_below("42", "4") && !is_below("5.2", "4"));
        assert!(are_in_sequence("2", "1") && !are_in_sequence("4", "1") && !are_in_sequence("A", "B"));
    }
}
