//! Printed numbers of figures, tables and formulae, also where a group or a part that goes on in another
//! gives the number.

use std::collections::hash_map::Entry;

use foldhash::HashMap;
use norma_model::label::number_of;
use norma_provisions::blocks::ReferencedPartKind;

use crate::languages;
use crate::text::{caption_of, caption_title, label, words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The number of a figure, table or formula: in a group, that of the group with its own letter, `2A`.
pub(crate) fn printed_number(part: XmlNode<'_>) -> Option<String> {
    let own_label = label(part);
    let own_number = own_label.as_deref().and_then(number_of);
    let Some(group_number) = number_of_group(part) else { return own_number };
    let Some(own_number) = own_number else { return Some(group_number) };
    if is_letter(own_label.as_deref().unwrap_or_default()) {
        return Some(group_number + &own_number);
    }
    Some(own_number)
}

/// The number of the group directly around a part.
fn number_of_group(part: XmlNode<'_>) -> Option<String> {
    let parent = part.parent()?;
    if !is_group(parent.name()) {
        return None;
    }
    number_of(&label(parent)?)
}

/// Elements that group figures, tables or formulae under one number.
pub(super) fn is_group(name: Name) -> bool {
    matches!(name, Name::FigGroup | Name::TableWrapGroup | Name::DispFormulaGroup)
}

/// Pictures with labels of their own are parts of the figure that a text may name.
pub(super) fn has_labelled_pictures(figure: XmlNode<'_>) -> bool {
    figure.all(Name::Graphic).any(|picture| picture.child(Name::Label).is_some())
}

/// The number of a picture in a figure: that of the figure with the picture's letter, `1B`.
pub(super) fn number_of_picture(picture: XmlNode<'_>) -> Option<String> {
    let own = label(picture)?;
    let figure = picture.ancestors().find(|n| n.name() == Name::Fig)?;
    let number = printed_number(figure)?;
    // `b)`, or the figure's own number before it: `Figure 1 b)`.
    let letter = own.rsplit(char::is_whitespace).next().unwrap_or(&own);
    if !is_letter(letter) {
        return None;
    }
    let before = own[..own.len() - letter.len()].trim();
    if !before.is_empty() && number_of(before).as_ref() != Some(&number) {
        return None;
    }
    Some(number + &number_of(letter).unwrap_or_default())
}

/// A label of one letter and the marks around it: `a)`, `(b)`.
pub(super) fn is_letter(label: &str) -> bool {
    let letter = label.trim_matches(|c: char| !c.is_alphanumeric());
    letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_alphabetic())
}

/// Tables and figures by their numbers, to find those that go on in others with the same number.
#[derive(Default)]
pub(super) struct RepeatedNumbers<'t> {
    first: HashMap<(ReferencedPartKind, String), FirstPart<'t>>,
}

/// The first part with a number.
struct FirstPart<'t> {
    node: XmlNode<'t>,
    /// A later part with the number continues this one.
    goes_on: bool,
    /// A later part with the number does not continue this one.
    is_ambiguous: bool,
}

/// A table or figure that goes on in later parts with its number.
pub(super) struct ContinuedPart<'t> {
    pub kind: ReferencedPartKind,
    pub number: String,
    /// The first of the parts.
    pub node: XmlNode<'t>,
}

impl<'t> RepeatedNumbers<'t> {
    /// Adds a table or figure; one without a number is left out.
    pub(super) fn add(&mut self, node: XmlNode<'t>) {
        let kind = match node.name() {
            Name::Fig => ReferencedPartKind::Figure,
            _ => ReferencedPartKind::Table,
        };
        let Some(number) = printed_number(node) else { return };
        match self.first.entry((kind, number)) {
            Entry::Vacant(entry) => {
                entry.insert(FirstPart { node, goes_on: false, is_ambiguous: false });
            }
            Entry::Occupied(mut entry) => {
                let first = entry.get_mut();
                if continues(node, first.node) {
                    first.goes_on = true;
                } else {
                    first.is_ambiguous = true;
                }
            }
        }
    }

    /// The parts that go on, in document order, except those whose number another part has too.
    pub(super) fn continued(self) -> Vec<ContinuedPart<'t>> {
        let mut continued = Vec::new();
        for ((kind, number), first) in self.first {
            if first.goes_on && !first.is_ambiguous {
                continued.push(ContinuedPart { kind, number, node: first.node });
            }
        }
        continued.sort_by_key(|part| part.node.id());
        continued
    }
}

/// A table or figure continues one before it with its number if it says so, or if it has the same label and
/// caption and follows it under one parent.
fn continues<'t>(node: XmlNode<'t>, before: XmlNode<'t>) -> bool {
    let own_label = label(node);
    let own_caption = caption_words(node);
    if own_label.as_deref().is_some_and(languages::says_continued)
        || own_caption.as_deref().is_some_and(languages::says_continued)
    {
        return true;
    }
    own_caption.is_some()
        && own_caption == caption_words(before)
        && own_label == label(before)
        && node.parent() == before.parent()
}

fn caption_words(part: XmlNode<'_>) -> Option<String> {
    words(caption_title(caption_of(part)?))
}

#[cfg(test)]
mod tests {
    use super::is_letter;

    #[test]
    fn a_letter_may_have_marks_around_it_and_no_other_letter_or_digit() {
        assert!(["a", "a)", "(b)", "C."].into_iter().all(is_letter));
        assert!(!["", "ab)", "1)", "a1", "ä)"].into_iter().any(is_letter));
    }
}
