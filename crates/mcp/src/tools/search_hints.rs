//! Advice of a search that finds no text with all words: what was understood, and three things to try.

use norma_client::shapes::{HintedSearch, SearchElsewhere, SearchHints};
use schemars::JsonSchema;
use serde::Serialize;

/// Things to try of an advice.
const TRIES: usize = 3;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoHitAdvice {
    understood: String,
    /// Three things to try, the likeliest first.
    attempts: Vec<String>,
}

/// What was understood of the words that were asked for, and what to try.
pub(super) fn advice(asked: &str, hints: &SearchHints<'_>) -> NoHitAdvice {
    let mut attempts: Vec<String> = hints.elsewhere.iter().map(elsewhere).collect();
    attempts.extend(hints.advice.iter().map(ToString::to_string));
    attempts.push(fewer_words(hints));
    attempts.push(
        "Call find_standards with a word of the title, then outline, to see what the standard has."
            .to_owned(),
    );
    attempts.push("Name the thing as a standard would, or in another language.".to_owned());
    attempts.truncate(TRIES);
    NoHitAdvice { understood: understood(asked, hints), attempts }
}

fn understood(asked: &str, hints: &SearchHints<'_>) -> String {
    if hints.words.is_empty() {
        return format!("No words to search for in `{asked}`.");
    }
    let words: Vec<String> =
        hints.words.iter().map(|word| format!("{} ({} texts)", word.word, word.hits)).collect();
    let mut text = format!("Searched for {}", words.join(", "));
    if !hints.left_out.is_empty() {
        text += &format!("; left out {}", hints.left_out.join(", "));
    }
    text + "."
}

fn elsewhere(search: &HintedSearch<'_>) -> String {
    let hits = search.hits;
    match search.scope {
        SearchElsewhere::Editions => format!("Search with all_editions: {hits} texts in earlier editions."),
        SearchElsewhere::WithoutFilters => format!("Search without kinds, types and urn: {hits} texts."),
        _ => format!("Search in other languages: {hits} texts."),
    }
}

/// The words of which most texts were found, without those of which none were.
fn fewer_words(hints: &SearchHints<'_>) -> String {
    let found: Vec<&str> = hints.words.iter().filter(|word| word.hits > 0).map(|word| &*word.word).collect();
    if found.is_empty() || found.len() == hints.words.len() {
        return "Search for one or two of the words.".to_owned();
    }
    format!("Search for `{}`: no text has the other words.", found.join(" "))
}

#[cfg(test)]
mod tests {
    use norma_client::shapes::AskedWord;

    use super::*;

    fn word(word: &'static str, hits: u64) -> AskedWord<'static> {
        AskedWord { word: word.into(), hits }
    }

    #[test]
    fn it_says_what_was_understood_and_three_things_to_try_the_most_certain_first() {
        let hints = SearchHints {
            words: vec![word("anchor", 12), word("unobtainium", 0)],
            left_out: vec!["how".into()],
            elsewhere: vec![HintedSearch {
                scope: SearchElsewhere::Editions,
                hits: 2,
                query: "q=anchor&edition=all".into(),
            }],
            advice: vec!["Check the spelling.".into()],
        };
        let advice = advice("how anchor unobtainium", &hints);
        assert_eq!(advice.understood, "Searched for anchor (12 texts), unobtainium (0 texts); left out how.");
        assert_eq!(
            advice.attempts,
            [
                "Search with all_editions: 2 texts in earlier editions.",
                "Check the spelling.",
                "Search for `anchor`: no text has the other words.",
            ]
        );
    }

    #[test]
    fn three_things_to_try_are_there_without_any_hint_of_the_service() {
        let advice = advice("?", &SearchHints::default());
        assert_eq!(
            (advice.understood.as_str(), advice.attempts.len()),
            ("No words to search for in `?`.", 3)
        );
    }
}
