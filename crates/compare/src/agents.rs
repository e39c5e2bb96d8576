//! The agent of a passive sentence, who acts: “by the user”, “durch geschulte Personen”, “par le fabricant”.

use norma_model::Passage;

use crate::difference::{TextSpan, lower_case, tokens};
use crate::units::ComparisonUnit;
use crate::vocabulary::{agent_language, is_agent};

/// Most words from the mark to the noun: “by the competent person of the …”.
const WORDS_TO_NOUN: usize = 5;

/// The passage of the first agent of a unit: from the word after its mark to its noun.
pub(crate) fn agent(unit: &ComparisonUnit) -> Option<Passage> {
    let tokens = tokens(&unit.text);
    let lower = lower_case(&tokens);
    for (mark, word) in lower.iter().enumerate() {
        let Some(language) = agent_language(word) else { continue };
        for (index, word) in lower.iter().enumerate().skip(mark + 1).take(WORDS_TO_NOUN) {
            // A number or sign ends the phrase.
            if !word.chars().all(char::is_alphabetic) {
                break;
            }
            if is_agent(language, word) {
                let span = TextSpan { start: tokens[mark + 1].span.start, end: tokens[index].span.end };
                return Some(span.passage(false));
            }
        }
    }
    None
}
