//! Properties of a unit that the index stores in one number.

use crate::stem::STEM_LANGUAGES;
use crate::{IndexedUnit, PROVISION_KINDS, UnitKind};

/// What the index says about a unit, in bits: kind, type of provision, whether it is normative, the number of
/// words of the title, and the language of its stems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About(pub(crate) u64);

/// Longest title that a query can be the whole of, in words.
pub(crate) const LONGEST_TITLE: u64 = 255;

impl About {
    /// What the index says about a unit with this number of words in its title.
    pub(crate) fn of(unit: &IndexedUnit<'_>, title_words: usize) -> Self {
        let provision = PROVISION_KINDS.iter().position(|kind| Some(*kind) == unit.provision);
        let words = (title_words as u64).min(LONGEST_TITLE);
        let first_part = unit.title.first().or(unit.text.first());
        let code = first_part.map(|part| part.language.primary());
        let language = STEM_LANGUAGES.iter().position(|stemmed| Some(*stemmed) == code);

        let kind = unit.kind as u64;
        let provision = from_one(provision) << 3;
        let normative = from_one(unit.normative.map(usize::from)) << 6;
        Self(kind | provision | normative | words << 8 | from_one(language) << 16)
    }

    pub(crate) fn kind(self) -> Option<UnitKind> {
        UnitKind::ALL.get((self.0 & 7) as usize).copied()
    }

    /// The index of its type among [`PROVISION_KINDS`].
    pub(crate) fn provision(self) -> Option<usize> {
        ((self.0 >> 3 & 7) as usize).checked_sub(1)
    }

    pub(crate) fn normative(self) -> Option<bool> {
        match self.0 >> 6 & 3 {
            0 => None,
            normative => Some(normative == 2),
        }
    }

    /// Words of the title, at most [`LONGEST_TITLE`].
    pub(crate) fn title_words(self) -> u64 {
        self.0 >> 8 & LONGEST_TITLE
    }

    /// The code of the language of its stems.
    pub(crate) fn language(self) -> Option<&'static str> {
        let language = (self.0 >> 16).checked_sub(1)?;
        STEM_LANGUAGES.get(language as usize).copied()
    }
}

/// An index from 1 on; 0 where there is none.
fn from_one(index: Option<usize>) -> u64 {
    match index {
        Some(index) => index as u64 + 1,
        None => 0,
    }
}
