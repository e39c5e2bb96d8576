//! A generated sentence, and its truth by construction.

use norma_model::{Comparator, ProvisionKind};

/// A sentence with what is true of it.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) language: &'static str,
    pub(crate) pattern: &'static str,
    pub(crate) text: String,
    /// The items that follow the sentence.
    pub(crate) items: Vec<String>,
    /// The types of its provisions; several lists where readers may differ.
    pub(crate) types: Vec<Vec<ProvisionKind>>,
    /// Whether its provision is negated; `None` where readers may differ.
    pub(crate) negated: Option<bool>,
    pub(crate) quantities: Vec<TrueQuantity>,
}

/// A quantity that a sentence has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrueQuantity {
    pub(crate) comparator: Comparator,
    /// Whether it is right, too, not to state the comparator.
    pub(crate) open: bool,
    pub(crate) value: String,
    pub(crate) upper: Option<String>,
    pub(crate) tolerance: Option<String>,
    /// Code in UCUM, or the printed unit where there is none.
    pub(crate) unit: Option<String>,
}

/// A pattern of sentences. Its slots are in braces, as `{S}`; `types` is `R`, `S`, `P`, `C`, `m` (as the
/// modal verb says), alternatives with `|`, or empty; `negated` is `y`, `n` or `?`. `quantities` has one
/// entry for each, parted by `;`: a sign and a slot (`<= q`, `= t`), `a..b`, `a+-b`; a `?` before it says
/// that not to state the comparator is right, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern(
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) char,
    pub(crate) &'static str,
);

/// A value with its unit as printed, and what both mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measure {
    pub(crate) text: String,
    pub(crate) value: String,
    pub(crate) unit: String,
}

/// The words for the slots of a pattern, and the measures among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    pub(crate) words: Vec<(&'static str, String)>,
    pub(crate) measures: Vec<(&'static str, Measure)>,
}

impl Slots {
    pub(crate) fn set(&mut self, slot: &'static str, word: impl Into<String>) {
        self.words.push((slot, word.into()));
    }

    pub(crate) fn measure(&mut self, slot: &'static str, measure: Measure) {
        self.words.push((slot, measure.text.clone()));
        self.measures.push((slot, measure));
    }

    fn measured(&self, slot: &str) -> &Measure {
        let found = self.measures.iter().rev().find(|(known, _)| *known == slot);
        &found.unwrap_or_else(|| panic!("no measure `{slot}`")).1
    }

    /// The pattern with its slots filled.
    pub(crate) fn fill(&self, pattern: &str) -> String {
        let mut text = pattern.to_owned();
        while let Some(start) = text.find('{') {
            let end = start + text[start..].find('}').expect("a slot that closes");
            let slot = &text[start + 1..end];
            let found = self.words.iter().rev().find(|(known, _)| *known == slot);
            let (_, word) = found.unwrap_or_else(|| panic!("no word for `{slot}` of `{pattern}`"));
            text.replace_range(start..=end, &word.clone());
        }
        text
    }

    /// The quantities that a pattern states.
    pub(crate) fn quantities(&self, stated: &str) -> Vec<TrueQuantity> {
        let mut found = Vec::new();
        for entry in stated.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (open, entry) = match entry.strip_prefix('?') {
                Some(rest) => (true, rest.trim()),
                None => (false, entry),
            };
            found.push(self.quantity(entry, open));
        }
        found
    }

    fn quantity(&self, entry: &str, open: bool) -> TrueQuantity {
        let of = |comparator, measure: &Measure| TrueQuantity {
            comparator,
            open,
            value: measure.value.clone(),
            upper: None,
            tolerance: None,
            unit: Some(measure.unit.clone()).filter(|unit| !unit.is_empty()),
        };
        if let Some((low, high)) = entry.split_once("..") {
            let upper = Some(self.measured(high).value.clone());
            return TrueQuantity { upper, ..of(Comparator::Between, self.measured(low)) };
        }
        if let Some((value, tolerance)) = entry.split_once("+-") {
            let tolerance = Some(self.measured(tolerance).value.clone());
            return TrueQuantity { tolerance, ..of(Comparator::Equal, self.measured(value)) };
        }
        let (sign, slot) = entry.split_once(' ').expect("a sign and a slot");
        let comparator = match sign {
            "=" => Comparator::Equal,
            "<" => Comparator::LessThan,
            "<=" => Comparator::AtMost,
            ">=" => Comparator::AtLeast,
            ">" => Comparator::MoreThan,
            "~" => Comparator::About,
            "nearest" => Comparator::Nearest,
            _ => panic!("`{sign}` is no sign"),
        };
        of(comparator, self.measured(slot))
    }
}

/// The types that a pattern states, where the modal verb is of `modal`.
pub(crate) fn types(stated: &str, modal: ProvisionKind) -> Vec<Vec<ProvisionKind>> {
    let of = |letter: &str| match letter {
        "" => vec![],
        "R" => vec![ProvisionKind::Requirement],
        "S" => vec![ProvisionKind::Recommendation],
        "P" => vec![ProvisionKind::Permission],
        "C" => vec![ProvisionKind::Capability],
        "m" => vec![modal],
        _ => panic!("`{letter}` is no type"),
    };
    stated.split('|').map(of).collect()
}
