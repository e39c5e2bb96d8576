//! Levels: which signs of a word are raised or lowered. Plain text has no levels, so that `m2` is `m^2` as
//! well as `m_2`; but a raised sign is never a lowered one.

use super::WordScan;

/// Where a sign of a word is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharacterLevel {
    Plain,
    Raised,
    Lowered,
}

/// Whether no sign is raised on one side and lowered on the other.
pub(crate) fn levels_agree(one: &[CharacterLevel], other: &[CharacterLevel]) -> bool {
    let differ = |(one, other): (&CharacterLevel, &CharacterLevel)| {
        *one != *other && *one != CharacterLevel::Plain && *other != CharacterLevel::Plain
    };
    !one.iter().zip(other).any(differ)
}

impl WordScan<'_> {
    /// The level of a sign of a word, which is lowered after the mark of a lowered sign.
    pub(super) fn level(&self, index: usize, lowering: Option<bool>) -> CharacterLevel {
        let is_lowered = lowering.is_some() || self.signs[index].is_lowered;
        if is_lowered { CharacterLevel::Lowered } else { CharacterLevel::Plain }
    }

    /// Sets the levels of the last word.
    pub(super) fn set_levels(&mut self, levels: Vec<CharacterLevel>) {
        let is_plain = levels.iter().all(|level| *level == CharacterLevel::Plain);
        if let Some(word) = self.words.last_mut().filter(|_| !is_plain) {
            word.levels = levels;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::levels_agree;
    use crate::tokenizer::printed_words;

    #[test]
    fn raised_signs_are_not_lowered_ones() {
        for (one, other, same) in [
            ("m^2", "m2", true),
            ("m²", "m^2", true),
            ("CO₂", "CO_2", true),
            ("H_2O", "H₂O", true),
            ("MTTF_d", "MTTFd", true),
            ("d^2", "d_2", false),
            ("m²", "m₂", false),
            ("H₂O", "H²O", false),
            ("a_1^2", "a_12", false),
            ("a_1^2", "a^12", false),
        ] {
            let (one_word, other_word) = (&printed_words(one)[0], &printed_words(other)[0]);
            assert_eq!(one_word.key, other_word.key);
            assert_eq!(levels_agree(&one_word.levels, &other_word.levels), same, "{one} {other}");
        }
    }
}
