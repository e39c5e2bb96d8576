//! Targets: the words of a unit, or of adjacent units, that a quotation is compared with.

use foldhash::{HashSet, HashSetExt};
use norma_provisions::decimal_sign_of;

use crate::tokenizer::{PrintedWord, printed_words};
use crate::unit::CandidateUnit;

/// A unit whose words were read, for any number of quotations.
#[derive(Debug)]
pub struct PreparedUnit<'t> {
    pub(crate) unit: CandidateUnit<'t>,
    /// The words of its lead-in and text.
    pub(crate) target: Target,
    /// The keys of these words.
    pub(crate) keys: HashSet<String>,
    /// The keys of each of its labels.
    pub(crate) labels: Vec<Vec<String>>,
}

/// The words that a quotation is compared with.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) words: Vec<TargetWord>,
    /// The texts that the words are of, in order.
    pub(crate) pieces: Vec<TargetPiece>,
    /// The decimal sign of its language.
    pub(crate) decimal: Option<char>,
    /// Whether sentences that a quotation does not touch do not count.
    pub(crate) is_running_text: bool,
}

/// A word of a unit.
#[derive(Clone, Debug)]
pub(crate) struct TargetWord {
    pub(crate) word: PrintedWord,
    /// Index of the piece that it is in.
    pub(crate) piece: usize,
    /// Whether it begins a piece, or in a running text a sentence. A label may be in front of it.
    pub(crate) is_start: bool,
    /// Whether a quotation may omit it without saying less: the mark of a footnote, or a label.
    pub(crate) is_optional: bool,
}

/// The text or the lead-in of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetPiece {
    /// Index of the unit among the candidates; 0 in the target of a unit.
    pub(crate) unit: usize,
    pub(crate) in_lead_in: bool,
}

impl<'t> PreparedUnit<'t> {
    /// Reads the words of a unit.
    pub fn new(unit: CandidateUnit<'t>) -> Self {
        let mut target = Target {
            words: Vec::new(),
            pieces: Vec::new(),
            decimal: decimal_sign_of(unit.language),
            is_running_text: unit.is_running_text,
        };
        if let Some(lead_in) = unit.lead_in {
            target.push_text(TargetPiece { unit: 0, in_lead_in: true }, lead_in);
        }
        target.push_text(TargetPiece { unit: 0, in_lead_in: false }, unit.text);
        let mut keys = HashSet::with_capacity(target.words.len());
        for word in &target.words {
            keys.insert(word.word.key.clone());
        }
        let mut labels = Vec::new();
        for label in &unit.labels {
            let words: Vec<String> = printed_words(label).into_iter().map(|word| word.key).collect();
            if !words.is_empty() {
                labels.push(words);
            }
        }
        Self { unit, target, keys, labels }
    }

    /// The text of a piece of the unit.
    pub(crate) fn text_of(&self, piece: TargetPiece) -> &'t str {
        if piece.in_lead_in { self.unit.lead_in.unwrap_or_default() } else { self.unit.text }
    }
}

impl Target {
    fn push_text(&mut self, piece: TargetPiece, text: &str) {
        let index = self.pieces.len();
        self.pieces.push(piece);
        for (at, word) in printed_words(text).into_iter().enumerate() {
            let is_start = at == 0 || self.is_running_text && word.starts_sentence;
            let is_leading_label = word.is_label && (at == 0 || word.starts_line || self.ends_with_label());
            // A number in front of a provision may be a value.
            let is_label = is_leading_label && !word.key.contains('.');
            let is_optional = word.is_footnote_mark || is_label;
            self.words.push(TargetWord { word, piece: index, is_start, is_optional });
        }
    }

    fn ends_with_label(&self) -> bool {
        self.words.last().is_some_and(|last| last.word.is_label && last.is_optional)
    }

    /// The words of adjacent units, given with their indices among the candidates. A lead-in that several
    /// units complete is there once.
    pub(crate) fn of_adjacent(units: &[(usize, &PreparedUnit<'_>)]) -> Self {
        let mut target =
            Self { words: Vec::new(), pieces: Vec::new(), decimal: None, is_running_text: false };
        let mut lead_in = None;
        for (index, prepared) in units {
            target.decimal = prepared.target.decimal;
            let has_new_lead_in = prepared.unit.lead_in.is_some() && prepared.unit.lead_in != lead_in;
            lead_in = prepared.unit.lead_in;
            for word in &prepared.target.words {
                let of_unit = prepared.target.pieces[word.piece];
                if of_unit.in_lead_in && !has_new_lead_in {
                    continue;
                }
                let piece = TargetPiece { unit: *index, ..of_unit };
                if target.pieces.last() != Some(&piece) {
                    target.pieces.push(piece);
                }
                target.words.push(TargetWord { piece: target.pieces.len() - 1, ..word.clone() });
            }
        }
        target
    }
}
