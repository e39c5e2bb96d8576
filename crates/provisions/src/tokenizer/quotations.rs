//! Quotations in a sentence: words between quotation marks, which are spoken of and not said.

use super::{Marks, SentenceToken};

/// Marks what is between a pair of quotation marks; a pair must close within the sentence.
pub(super) fn mark_quoted(tokens: &mut [SentenceToken], text: &str) {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is_mark(Marks::QUOTE)
            && let Some(close) = closing_quote(tokens, at, text)
        {
            for token in &mut tokens[at..=close] {
                token.quoted = true;
            }
            at = close;
        }
        at += 1;
    }
}

/// The quotation mark that closes the pair which one opens. Languages use some signs for either.
fn closing_quote(tokens: &[SentenceToken], opening: usize, text: &str) -> Option<usize> {
    let closers: &[char] = match sign(&tokens[opening], text) {
        '“' | '„' | '‟' => &['”', '“'],
        '«' => &['»'],
        '»' => &['«'],
        '‹' => &['›'],
        '"' => &['"'],
        '‘' | '‚' => &['’', '‘'],
        '\'' => &['\''],
        _ => return None,
    };
    for (at, token) in tokens.iter().enumerate().skip(opening + 1) {
        if token.is_mark(Marks::QUOTE) && closers.contains(&sign(token, text)) {
            return Some(at);
        }
    }
    None
}

/// The first character of a token.
fn sign(token: &SentenceToken, text: &str) -> char {
    text[token.range.clone()].chars().next().unwrap_or_default()
}
