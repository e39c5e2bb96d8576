//! Verdicts: whether a quotation is true, what it leaves out, and which words differ.

/// What is known of a quotation after a look at the units that it may be from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuotationVerdict {
    /// It is a whole unit, or whole sentences of one, character by character.
    Exact {
        /// The unit, or the adjacent units that it runs over, as indices of the candidates.
        units: Vec<usize>,
    },
    /// The same with other white space, hyphenation, typography, footnote marks or labels.
    Normalised {
        /// The unit, or the adjacent units that it runs over, as indices of the candidates.
        units: Vec<usize>,
    },
    /// Each of its words is there, in order, and the unit has more.
    Partial {
        /// The unit, or the adjacent units that it runs over, as indices of the candidates.
        units: Vec<usize>,
        /// What it leaves out, in order.
        omissions: Vec<Omission>,
    },
    /// No unit has all of its words; this one is the nearest.
    Altered {
        /// The unit, or the adjacent units that it runs over, as indices of the candidates.
        units: Vec<usize>,
        /// The words that differ, in order.
        changes: Vec<WordChange>,
        /// What it leaves out before, after and at an ellipsis, in order.
        omissions: Vec<Omission>,
    },
    /// No unit has half of its words.
    Absent,
}

impl QuotationVerdict {
    /// The unit, or the adjacent units, that the quotation was found in or is nearest to.
    pub fn units(&self) -> &[usize] {
        match self {
            Self::Exact { units }
            | Self::Normalised { units }
            | Self::Partial { units, .. }
            | Self::Altered { units, .. } => units,
            Self::Absent => &[],
        }
    }
}

/// Words of a unit that a quotation leaves out at its start, at its end or at an ellipsis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// As they read in the unit.
    pub text: String,
    /// Why the quotation says something else without them; empty where it does not.
    pub critical: Vec<CriticalOmission>,
}

/// The kind of words without which a provision says something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CriticalOmission {
    /// A word that negates: `not`.
    Negation,
    /// The verbal form, or a word of it: `shall`.
    VerbalForm,
    /// A condition: `if it is wet`; or a word that restricts: `only`.
    Condition,
    /// An exception: `unless it is wet`.
    Exception,
    /// A value with its comparator or unit: `at most 5 mm`.
    Limit,
    /// The sentence that the item completes, or a part of it.
    LeadIn,
}

/// Words that differ between a quotation and a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordChange {
    /// As quoted; empty where the words are missing.
    pub quoted: String,
    /// As they read in the unit; empty where the words were added.
    pub actual: String,
    /// Why the change matters, if it does.
    pub critical: Option<CriticalChange>,
}

/// The kind of a changed word by which a provision says something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CriticalChange {
    /// A word that negates.
    Negation,
    /// A verbal form: `should` for `shall`.
    Verb,
    /// A number, as digits or as a word.
    Number,
    /// The unit of a number.
    Unit,
    /// A word or sign that compares: `at most` for `at least`.
    Comparator,
    /// A reference to a clause, table, figure or document.
    Reference,
}
