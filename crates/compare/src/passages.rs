//! Passages of a unit: parts of its text or lead-in, by offsets in Unicode scalar values.

use norma_model::Passage;

use crate::difference::TextSpan;
use crate::units::{ComparisonUnit, UnitReference};

/// Finds the first occurrence of some words in a text, or else in the lead-in.
pub fn find(text: &str, lead_in: Option<&str>, words: &str) -> Option<Passage> {
    let within = |text: &str, in_lead_in| {
        let start = text.find(words).filter(|_| !words.is_empty())?;
        let start = text[..start].chars().count() as u32;
        Some(Passage { in_lead_in, start, end: start + words.chars().count() as u32 })
    };
    within(text, false).or_else(|| within(lead_in?, true))
}

/// Some words of a unit, and where they are.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PassageWords {
    /// As they read.
    pub text: Box<str>,
    /// Where.
    pub passage: Passage,
}

impl ComparisonUnit {
    /// The text in which a passage is.
    pub(crate) fn part(&self, in_lead_in: bool) -> &str {
        if in_lead_in { self.lead_in.as_deref().unwrap_or_default() } else { &self.text }
    }

    /// The words of a passage; empty if it is outside its text.
    pub(crate) fn words(&self, passage: Passage) -> PassageWords {
        let text = self.part(passage.in_lead_in);
        let byte = |at: u32| text.char_indices().nth(at as usize).map_or(text.len(), |(byte, _)| byte);
        let words = text.get(byte(passage.start)..byte(passage.end)).unwrap_or_default();
        PassageWords { text: words.into(), passage }
    }

    /// The passages of references in the lead-in or text of the unit, in order.
    pub(crate) fn passages_of(&self, references: &[UnitReference]) -> Vec<Option<Passage>> {
        let mut at = [(0, 0); 2];
        let found = references.iter().map(|reference| {
            let mut locate = |in_lead_in: bool| {
                let (text, (byte, scalar)) = (self.part(in_lead_in), &mut at[usize::from(in_lead_in)]);
                let offset = text[*byte..].find(&*reference.text).filter(|_| !reference.text.is_empty())?;
                let start = *scalar + text[*byte..*byte + offset].chars().count();
                let end = start + reference.text.chars().count();
                (*byte, *scalar) = (*byte + offset + reference.text.len(), end);
                Some(Passage { in_lead_in, start: start as u32, end: end as u32 })
            };
            locate(true).or_else(|| locate(false))
        });
        found.collect()
    }

    /// The passages of the unit's references that are in its words.
    pub(crate) fn reference_passages(&self) -> Vec<Passage> {
        self.passages_of(&self.references).into_iter().flatten().collect()
    }
}

/// Whether a passage of the text, or of the lead-in, overlaps a span of it.
pub(crate) fn overlaps(passage: &Passage, in_lead_in: bool, span: TextSpan) -> bool {
    passage.in_lead_in == in_lead_in
        && (passage.start as usize) < span.end
        && span.start < passage.end as usize
}
