//! Excerpts of texts, with the words that a query found.

use norma_model::Lang;

use crate::analyse::{Token, analyse};
use crate::query::{Clause, Element, TextQuery};

/// Longest excerpt, in scalars.
pub const LONGEST_EXCERPT: usize = 300;
/// Scalars of an excerpt before its first highlight.
const BEFORE_HIGHLIGHT: usize = 60;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// At most [`LONGEST_EXCERPT`] scalars of the text.
    pub text: String,
    /// Start and end of what the query found, in scalars of `text`, in order and without overlap.
    pub highlights: Vec<(u32, u32)>,
}

/// The part of a text around the first words that the query finds, by the same analysis as the index.
pub fn excerpt(text: &str, language: &Lang, query: &TextQuery) -> Excerpt {
    let tokens = analyse(text, language);
    let mut found: Vec<(u32, u32)> = Vec::new();
    for Clause(elements) in &query.clauses {
        for token in &tokens {
            if let Some(end) = end_of_match(elements, token, &tokens, language) {
                found.push((token.start, end));
            }
        }
    }
    found.sort_unstable();
    found.dedup_by(|next, last| {
        let overlaps = next.0 < last.1;
        if overlaps {
            last.1 = last.1.max(next.1);
        }
        overlaps
    });
    let length = text.chars().count();
    let first = found.first().map_or(0, |(start, _)| *start as usize);
    let mut start = 0;
    if length > LONGEST_EXCERPT {
        let wanted = first.saturating_sub(BEFORE_HIGHLIGHT).min(length - LONGEST_EXCERPT);
        // Excerpts begin with a word, unless a word is very long.
        let word = tokens.iter().map(|token| token.start as usize).find(|at| *at >= wanted);
        start = if wanted == 0 { 0 } else { word.filter(|at| *at <= first).unwrap_or(wanted) };
    }
    let end = (start + LONGEST_EXCERPT).min(length);
    let (from, to) = (start as u32, end as u32);
    let inside = found.into_iter().filter(|(s, e)| *s >= from && *e <= to);
    Excerpt {
        text: text.chars().skip(start).take(end - start).collect(),
        highlights: inside.map(|(s, e)| (s - from, e - from)).collect(),
    }
}

/// Where the match of a clause that begins with a token ends.
fn end_of_match(elements: &[Element], token: &Token, tokens: &[Token], language: &Lang) -> Option<u32> {
    let (first, rest) = elements.split_first()?;
    if !matches(first, token, language) {
        return None;
    }
    rest.iter().try_fold(token.end, |_, element| {
        let position = token.position + element.offset - first.offset;
        let start = tokens.partition_point(|token| token.position < position);
        let same = tokens[start..].iter().take_while(|token| token.position == position);
        same.filter(|token| matches(element, token, language)).map(|token| token.end).max()
    })
}

fn matches(element: &Element, token: &Token, language: &Lang) -> bool {
    let begins =
        |prefix: &String| token.term.starts_with(prefix.as_str()) || token.word.starts_with(prefix.as_str());
    element.terms.contains(&token.term)
        || element.prefix.as_ref().is_some_and(|prefix| !token.is_designation && begins(prefix))
        || !element.parts.is_empty()
            && token
                .parts(language)
                .iter()
                .any(|part| element.parts.iter().any(|wanted| part.starts_with(wanted)))
}
