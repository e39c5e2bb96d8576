//! Excerpts of texts, with the words that a query found.

use norma_model::Lang;

use crate::LanguageText;
use crate::analyse::{Token, analyse};
use crate::query::{Clause, Element, TextQuery};

/// Longest excerpt, in scalars.
pub const LONGEST_EXCERPT: usize = 300;
/// Scalars of an excerpt before its first highlight.
const BEFORE_HIGHLIGHT: usize = 60;
/// Scalars that are read at once.
const PIECE: usize = 4_000;
/// Scalars of a text in which the words are looked for: a section has up to millions.
const LONGEST_READ: u32 = 200_000;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// At most [`LONGEST_EXCERPT`] scalars of the text.
    pub text: String,
    /// Start and end of what the query found, in scalars of `text`, in order and without overlap.
    pub highlights: Vec<(u32, u32)>,
}

/// The part of a text around the first words that the query finds, by the same analysis as the index. A long
/// text is read in pieces until something is found.
pub fn excerpt(parts: &[LanguageText<'_>], query: &TextQuery) -> Excerpt {
    let (mut found, mut words): (Vec<(u32, u32)>, Vec<u32>) = Default::default();
    for (offset, piece, language) in pieces(parts) {
        if offset > LONGEST_READ
            || found.first().is_some_and(|(start, _)| offset > start + LONGEST_EXCERPT as u32)
        {
            break;
        }
        let tokens = analyse(piece, language);
        for Clause(elements) in &query.clauses {
            let matches = |token: &Token| {
                Some((token.start + offset, end_of_match(elements, token, &tokens)? + offset))
            };
            found.extend(tokens.iter().filter_map(matches));
        }
        words.extend(tokens.iter().map(|token| token.start + offset));
    }
    found.sort_unstable();
    found.dedup_by(|next, last| {
        let overlaps = next.0 < last.1;
        if overlaps {
            last.1 = last.1.max(next.1);
        }
        overlaps
    });
    let length: usize = parts.iter().map(|part| part.text.chars().count()).sum();
    let first = found.first().map_or(0, |(start, _)| *start as usize);
    let mut start = 0;
    if length > LONGEST_EXCERPT {
        let wanted = first.saturating_sub(BEFORE_HIGHLIGHT).min(length - LONGEST_EXCERPT);
        // Excerpts begin with a word, unless a word is very long.
        let word = words.into_iter().map(|at| at as usize).find(|at| *at >= wanted);
        start = if wanted == 0 { 0 } else { word.filter(|at| *at <= first).unwrap_or(wanted) };
    }
    let end = (start + LONGEST_EXCERPT).min(length);
    let (from, to) = (start as u32, end as u32);
    let inside = found.into_iter().filter(|(s, e)| *s >= from && *e <= to);
    Excerpt {
        text: parts.iter().flat_map(|part| part.text.chars()).skip(start).take(end - start).collect(),
        highlights: inside.map(|(s, e)| (s - from, e - from)).collect(),
    }
}

/// The parts of a text in pieces that end with white space, each with the number of scalars before it.
fn pieces<'p>(parts: &'p [LanguageText<'_>]) -> impl Iterator<Item = (u32, &'p str, &'p Lang)> {
    let mut offset = 0;
    let pieces = parts.iter().flat_map(|LanguageText { text, language }| {
        let mut rest = &**text;
        std::iter::from_fn(move || {
            let after = rest.char_indices().skip(PIECE).find(|(_, c)| c.is_whitespace());
            let (piece, left) = rest.split_at(after.map_or(rest.len(), |(at, _)| at));
            rest = left;
            (!piece.is_empty()).then_some((piece, language))
        })
    });
    pieces.map(move |(piece, language)| {
        let start = offset;
        offset += piece.chars().count() as u32;
        (start, piece, language)
    })
}

/// Where the match of a clause that begins with a token ends.
fn end_of_match(elements: &[Element], token: &Token, tokens: &[Token]) -> Option<u32> {
    let (first, rest) = elements.split_first()?;
    if !matches(first, token) {
        return None;
    }
    rest.iter().try_fold(token.end, |_, element| {
        let position = token.position + element.offset - first.offset;
        let start = tokens.partition_point(|token| token.position < position);
        let same = tokens[start..].iter().take_while(|token| token.position == position);
        same.filter(|token| matches(element, token)).map(|token| token.end).max()
    })
}

fn matches(element: &Element, token: &Token) -> bool {
    let begins =
        |prefix: &String| token.term.starts_with(prefix.as_str()) || token.word.starts_with(prefix.as_str());
    element.terms.contains(&token.term)
        || element.prefix.as_ref().is_some_and(|prefix| !token.is_designation && begins(prefix))
        || !element.parts.is_empty()
            && token.parts().iter().any(|part| element.parts.iter().any(|wanted| part.starts_with(wanted)))
}
