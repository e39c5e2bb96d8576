//! Search tokens of references, titles and queries.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

/// Characters of a token; the rest of a longer word is ignored.
const TOKEN_CHARS: usize = 40;

/// The search tokens of a text: its words in NFKC and lower case; each ideograph is a token of its own.
///
/// ```
/// let tokens = norma_model::tokens("Rice, RICE and 稻谷");
/// assert!(tokens.into_iter().eq(["and", "rice", "稻", "谷"]));
/// ```
pub fn tokens(text: &str) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    let mut word = String::new();
    for c in text.nfkc().flat_map(char::to_lowercase).chain(std::iter::once(' ')) {
        let is_token = is_ideograph(c);
        if c.is_alphanumeric() && !is_token {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.insert(word.chars().take(TOKEN_CHARS).collect());
            word.clear();
        }
        if is_token {
            tokens.insert(c.to_string());
        }
    }
    tokens
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_each_ideograph_is_a_token() {
        let found: Vec<String> = tokens("Rice — Spécification, ISO 7301:2021 稻谷").into_iter().collect();
        assert_eq!(found, ["2021", "7301", "iso", "rice", "spécification", "稻", "谷"]);
    }
}
