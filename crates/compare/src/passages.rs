//! Passages of a unit: parts of its text or lead-in, by offsets in Unicode scalar values.

use norma_model::Passage;

use crate::difference::{Edit, TextSpan};
use crate::units::{ComparisonUnit, UnitReference};

/// Finds the first occurrence of some words in a text, or else in the lead-in.
pub fn find(text: &str, lead_in: Option<&str>, words: &str) -> Option<Passage> {
    find_in(text, false, words).or_else(|| find_in(lead_in?, true, words))
}

fn find_in(text: &str, in_lead_in: bool, words: &str) -> Option<Passage> {
    if words.is_empty() {
        return None;
    }
    let byte = text.find(words)?;
    let start = text[..byte].chars().count() as u32;
    Some(Passage { in_lead_in, start, end: start + words.chars().count() as u32 })
}

/// Some words of a unit, and where they are.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PassageWords {
    /// The words as they read in the edition.
    pub text: Box<str>,
    /// The position of the words; empty where they are behind the text and not a part of it.
    pub passage: Passage,
}

impl TextSpan {
    /// The span as a passage of the text, or of the lead-in.
    pub(crate) fn passage(self, in_lead_in: bool) -> Passage {
        Passage { in_lead_in, start: self.start as u32, end: self.end as u32 }
    }
}

/// An edit of the lead-in or of the text of a unit, as a passage on each side.
#[derive(Clone, Copy)]
pub(crate) struct PassageEdit {
    pub(crate) older: Passage,
    pub(crate) newer: Passage,
}

impl PassageEdit {
    /// The edits of two units, those of the lead-in first.
    pub(crate) fn all(lead_in: &[Edit], text: &[Edit]) -> Vec<Self> {
        let mut edits = Vec::with_capacity(lead_in.len() + text.len());
        for (of_part, in_lead_in) in [(lead_in, true), (text, false)] {
            for edit in of_part {
                let (older, newer) = (edit.older.passage(in_lead_in), edit.newer.passage(in_lead_in));
                edits.push(Self { older, newer });
            }
        }
        edits
    }
}

impl ComparisonUnit {
    /// The lead-in, empty where there is none, or the text.
    pub(crate) fn part(&self, in_lead_in: bool) -> &str {
        if in_lead_in { self.lead_in.as_deref().unwrap_or_default() } else { &self.text }
    }

    /// The lead-in and the text, with a space between them.
    pub(crate) fn lead_in_and_text(&self) -> String {
        [self.part(true), self.part(false)].join(" ")
    }

    /// The words of a passage; empty if it is outside its text.
    pub(crate) fn words(&self, passage: Passage) -> PassageWords {
        let text = self.part(passage.in_lead_in);
        let range = byte_offset(text, passage.start)..byte_offset(text, passage.end);
        PassageWords { text: text.get(range).unwrap_or_default().into(), passage }
    }

    /// The words of a passage, with a space for each character that is in one of the masks.
    pub(crate) fn words_without(&self, passage: Passage, masks: &[Passage]) -> String {
        let length = passage.end.saturating_sub(passage.start) as usize;
        let characters = self.part(passage.in_lead_in).chars().skip(passage.start as usize).take(length);
        let mut shown = String::new();
        for (at, character) in (passage.start..).zip(characters) {
            let own = Passage { in_lead_in: passage.in_lead_in, start: at, end: at + 1 };
            let is_hidden = overlaps_any(masks, own);
            shown.push(if is_hidden { ' ' } else { character });
        }
        shown
    }

    /// The passages of references in the lead-in or text of the unit, in order: each behind the one before.
    /// `None` for a reference whose words are not there.
    pub(crate) fn passages_of(&self, references: &[UnitReference]) -> Vec<Option<Passage>> {
        let mut lead_in = PartSearch::new(self, true);
        let mut text = PartSearch::new(self, false);
        let mut passages = Vec::with_capacity(references.len());
        for reference in references {
            let found = lead_in.next(&reference.text).or_else(|| text.next(&reference.text));
            passages.push(found);
        }
        passages
    }

    /// The passages of the unit's references that are in its words.
    pub(crate) fn reference_passages(&self) -> Vec<Passage> {
        self.passages_of(&self.references).into_iter().flatten().collect()
    }
}

/// The byte at an offset in Unicode scalar values; the end of the text where it is shorter.
fn byte_offset(text: &str, at: u32) -> usize {
    match text.char_indices().nth(at as usize) {
        Some((byte, _)) => byte,
        None => text.len(),
    }
}

/// A search for words that are in the lead-in or text of a unit one after the other.
struct PartSearch<'a> {
    text: &'a str,
    in_lead_in: bool,
    /// Byte behind the last words that were found, and the same in Unicode scalar values.
    byte: usize,
    scalar: usize,
}

impl<'a> PartSearch<'a> {
    fn new(unit: &'a ComparisonUnit, in_lead_in: bool) -> Self {
        Self { text: unit.part(in_lead_in), in_lead_in, byte: 0, scalar: 0 }
    }

    /// The passage of words behind those that were found before.
    fn next(&mut self, words: &str) -> Option<Passage> {
        if words.is_empty() {
            return None;
        }
        let rest = &self.text[self.byte..];
        let offset = rest.find(words)?;
        let start = self.scalar + rest[..offset].chars().count();
        let end = start + words.chars().count();
        self.byte += offset + words.len();
        self.scalar = end;
        Some(TextSpan { start, end }.passage(self.in_lead_in))
    }
}

/// Two passages overlap if they have a character in common, or if one is empty and within the other.
pub(crate) fn overlap(a: Passage, b: Passage) -> bool {
    a.in_lead_in == b.in_lead_in && a.start < b.end && b.start < a.end
}

pub(crate) fn overlaps_any(passages: &[Passage], other: Passage) -> bool {
    passages.iter().any(|passage| overlap(*passage, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> ComparisonUnit {
        ComparisonUnit {
            lead_in: Some("In 4.1 and 4.2:".into()),
            text: "größe 4.1 of 3 mm".into(),
            ..ComparisonUnit::default()
        }
    }

    #[test]
    fn words_are_found_in_the_text_before_the_lead_in() {
        let unit = unit();
        let find = |words| find(&unit.text, unit.lead_in.as_deref(), words).map(|found| unit.words(found));
        assert_eq!(find("4.1").map(|found| found.passage.in_lead_in), Some(false));
        assert_eq!(
            find("4.2").map(|found| (found.passage.in_lead_in, found.text)),
            Some((true, "4.2".into()))
        );
        assert_eq!(find(""), None);
    }

    #[test]
    fn references_are_found_one_after_the_other() {
        let unit = unit();
        let reference = |text: &str| UnitReference { text: text.into(), target: None };
        let references = ["4.1", "4.1", "7", "4.2"].map(reference);
        let found = unit.passages_of(&references);
        let is_in_lead_in = found.iter().map(|found| found.map(|found| found.in_lead_in));
        assert_eq!(is_in_lead_in.collect::<Vec<_>>(), [Some(true), Some(false), None, Some(true)]);
        assert_eq!(&*unit.words(found[1].unwrap_or_default()).text, "4.1");
    }

    #[test]
    fn masks_hide_the_characters_of_their_part_alone() {
        let passage = |in_lead_in, start, end| Passage { in_lead_in, start, end };
        let masks = [passage(false, 6, 9), passage(true, 0, 99)];
        assert_eq!(unit().words_without(passage(false, 2, 12), &masks), "öße     of");
        assert_eq!(unit().words_without(passage(false, 5, 2), &masks), "");
    }
}
