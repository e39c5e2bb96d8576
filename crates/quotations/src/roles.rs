//! Roles of words: what each word of a unit is a part of, such as the verbal form, a quantity, a reference
//! or a condition.

use std::ops::Range;

use norma_compare::words::{OpenedClause, opened_clause};
use norma_model::{Comparator, Passage, Quantity};
use norma_provisions::{plain_references, read_sentence};

use crate::target::{PreparedUnit, Target, TargetPiece};

/// Most characters of a sentence that is read for its quantities, conditions and references.
pub(crate) const LONGEST_SENTENCE: usize = 4_000;

/// What a word is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordRoles {
    pub(crate) in_verbal_form: bool,
    pub(crate) in_quantity: bool,
    /// It is in a quantity that limits something: with a unit or a comparator.
    pub(crate) in_limit: bool,
    pub(crate) in_reference: bool,
    pub(crate) in_clause: Option<OpenedClause>,
}

/// The roles of some words of a target; those of all others are empty.
pub(crate) fn roles_of(target: &Target, words: Range<usize>, units: &[&PreparedUnit<'_>]) -> Vec<WordRoles> {
    let mut roles = vec![WordRoles::default(); target.words.len()];
    let mut start = words.start;
    while start < words.end {
        let piece = target.words[start].piece;
        let mut end = start + 1;
        while end < words.end && target.words[end].piece == piece && !target.words[end].is_start {
            end += 1;
        }
        let unit = units[target.pieces[piece].unit];
        let mut sentence = Sentence { target, words: start..end, roles: &mut roles };
        sentence.read(unit, target.pieces[piece]);
        start = end;
    }
    roles
}

/// The words of one sentence of a unit, or of the whole text of a provision.
struct Sentence<'a> {
    target: &'a Target,
    words: Range<usize>,
    roles: &'a mut Vec<WordRoles>,
}

impl Sentence<'_> {
    fn read(&mut self, unit: &PreparedUnit<'_>, piece: TargetPiece) {
        let text = unit.text_of(piece);
        let first = self.target.words[self.words.start].word.start;
        let last = self.target.words[self.words.end - 1].word.end;
        let end = last.min(first + LONGEST_SENTENCE);
        let sentence: String = text.chars().skip(first).take(end - first).collect();
        let own = &unit.unit;
        if let Some(form) = own.verbal_form.filter(|form| form.in_lead_in == piece.in_lead_in) {
            self.mark(passage_range(form), |roles| roles.in_verbal_form = true);
        }
        let has_anatomy =
            !(own.quantities.is_empty() && own.conditions.is_empty() && own.verbal_form.is_none());
        if has_anatomy {
            self.mark_quantities(own.quantities, 0, piece.in_lead_in);
            self.mark_conditions(own.conditions, 0, text, piece.in_lead_in);
        } else {
            let (quantities, conditions) = read_sentence(&sentence, own.language);
            self.mark_quantities(&quantities, first, false);
            self.mark_conditions(&conditions, first, text, false);
        }
        for range in plain_references(&sentence) {
            let start = first + sentence[..range.start].chars().count();
            let length = sentence[range].chars().count();
            self.mark(start..start + length, |roles| roles.in_reference = true);
        }
        let mut from = 0;
        for reference in &own.references {
            let Some(at) = text[from..].find(reference).filter(|_| !reference.is_empty()) else { continue };
            let start = text[..from + at].chars().count();
            from += at + reference.len();
            self.mark(start..start + reference.chars().count(), |roles| roles.in_reference = true);
        }
    }

    fn mark_quantities(&mut self, quantities: &[Quantity], offset: usize, in_lead_in: bool) {
        for quantity in quantities {
            if quantity.passage.in_lead_in != in_lead_in {
                continue;
            }
            let is_count =
                quantity.unit.is_none() && matches!(quantity.comparator, None | Some(Comparator::Equal));
            self.mark(shifted(quantity.passage, offset), |roles| {
                roles.in_quantity = true;
                roles.in_limit = !is_count;
            });
        }
    }

    fn mark_conditions(&mut self, conditions: &[Passage], offset: usize, text: &str, in_lead_in: bool) {
        for condition in conditions {
            if condition.in_lead_in != in_lead_in {
                continue;
            }
            let range = shifted(*condition, offset);
            let words: String = text.chars().skip(range.start).take(range.len()).collect();
            let opened = opened_clause(&words).unwrap_or(OpenedClause::Condition);
            self.mark(range, |roles| roles.in_clause = Some(opened));
        }
    }

    /// Marks the words that a range of the piece's text overlaps.
    fn mark(&mut self, range: Range<usize>, mark: impl Fn(&mut WordRoles)) {
        for index in self.words.clone() {
            let word = &self.target.words[index].word;
            if word.start < range.end && range.start < word.end {
                mark(&mut self.roles[index]);
            }
        }
    }
}

fn passage_range(passage: Passage) -> Range<usize> {
    shifted(passage, 0)
}

fn shifted(passage: Passage, offset: usize) -> Range<usize> {
    offset + passage.start as usize..offset + passage.end as usize
}
