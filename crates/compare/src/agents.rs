//! The agent of a passive sentence, who acts: “by the user”, “durch geschulte Personen”, “par le fabricant”.

use norma_model::Passage;

use crate::difference::tokens;
use crate::units::ComparisonUnit;
use crate::vocabulary::{agent_language, is_agent};

/// Most words from the mark to the noun: “by the competent person of the …”.
const WORDS_TO_NOUN: usize = 5;

/// The passage of the first agent of a unit: from the word after its mark to its noun.
pub(crate) fn agent(unit: &ComparisonUnit) -> Option<Passage> {
    let tokens = tokens(&unit.text);
    let lower: Vec<String> = tokens.iter().map(|token| token.text.to_lowercase()).collect();
    for (at, word) in lower.iter().enumerate() {
        let Some(language) = agent_language(word) else { continue };
        let phrase = lower[at + 1..].iter().take(WORDS_TO_NOUN);
        let words = phrase.take_while(|word| word.chars().all(char::is_alphabetic)).count();
        let noun = (at + 1..=at + words).find(|&index| is_agent(language, &lower[index]));
        if let Some(noun) = noun {
            let (start, end) = (tokens[at + 1].span.start as u32, tokens[noun].span.end as u32);
            return Some(Passage { in_lead_in: false, start, end });
        }
    }
    None
}
