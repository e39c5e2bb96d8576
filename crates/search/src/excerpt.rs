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
    let ReadWords { highlights, word_starts } = read(parts, query);
    let highlights = merged(highlights);
    let length: usize = parts.iter().map(|part| part.text.chars().count()).sum();
    let start = excerpt_start(length, &highlights, &word_starts);
    let end = (start + LONGEST_EXCERPT).min(length);

    let mut inside = Vec::new();
    for (from, to) in highlights {
        if from as usize >= start && to as usize <= end {
            inside.push((from - start as u32, to - start as u32));
        }
    }
    let scalars = parts.iter().flat_map(|part| part.text.chars());
    Excerpt { text: scalars.skip(start).take(end - start).collect(), highlights: inside }
}

/// What was read of a text, in scalars of the whole text.
struct ReadWords {
    /// Start and end of what the query finds.
    highlights: Vec<(u32, u32)>,
    /// Starts of all words.
    word_starts: Vec<u32>,
}

/// Reads a text until an excerpt around the first find is read, at most [`LONGEST_READ`].
fn read(parts: &[LanguageText<'_>], query: &TextQuery) -> ReadWords {
    let mut read = ReadWords { highlights: Vec::new(), word_starts: Vec::new() };
    let mut offset = 0;
    for LanguageText { text, language } in parts {
        let mut rest = &**text;
        while !rest.is_empty() {
            let excerpt_is_read = match read.highlights.first() {
                Some((start, _)) => offset > start + LONGEST_EXCERPT as u32,
                None => false,
            };
            if offset > LONGEST_READ || excerpt_is_read {
                return read;
            }
            let (piece, left) = rest.split_at(end_of_piece(rest));
            read.add(piece, language, offset, query);
            offset += piece.chars().count() as u32;
            rest = left;
        }
    }
    read
}

/// Where the first piece of a text ends: at white space after [`PIECE`] scalars.
fn end_of_piece(text: &str) -> usize {
    for (at, c) in text.char_indices().skip(PIECE) {
        if c.is_whitespace() {
            return at;
        }
    }
    text.len()
}

impl ReadWords {
    /// Adds a piece of the text that begins after `offset` scalars.
    fn add(&mut self, piece: &str, language: &Lang, offset: u32, query: &TextQuery) {
        let tokens = analyse(piece, language);
        for Clause(elements) in &query.clauses {
            for token in &tokens {
                if let Some(end) = end_of_match(elements, token, &tokens) {
                    self.highlights.push((token.start + offset, end + offset));
                }
            }
        }
        for token in &tokens {
            // `mm` of `300mm` does not begin a word as printed.
            if !token.is_joined {
                self.word_starts.push(token.start + offset);
            }
        }
    }
}

/// Spans in order, those that overlap as one.
fn merged(mut spans: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    spans.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (start, end) in spans {
        match merged.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

/// Where the excerpt of a text begins: a little before the first highlight, at the start of a word.
fn excerpt_start(length: usize, highlights: &[(u32, u32)], word_starts: &[u32]) -> usize {
    if length <= LONGEST_EXCERPT {
        return 0;
    }
    let first_highlight = highlights.first().map_or(0, |(start, _)| *start as usize);
    let wanted = first_highlight.saturating_sub(BEFORE_HIGHLIGHT).min(length - LONGEST_EXCERPT);
    if wanted == 0 {
        return 0;
    }
    for &start in word_starts {
        let start = start as usize;
        if start >= wanted {
            // Where no word begins before the highlight, the excerpt begins within a very long one.
            return if start <= first_highlight { start } else { wanted };
        }
    }
    wanted
}

/// Where the match of a clause that begins with a token ends.
fn end_of_match(elements: &[Element], token: &Token, tokens: &[Token]) -> Option<u32> {
    let (first, rest) = elements.split_first()?;
    let mut end = end_of_element(first, token)?;
    for element in rest {
        let position = token.position + element.offset - first.offset;
        let start = tokens.partition_point(|token| token.position < position);
        // Several tokens may have one position: a word, and a designation that begins with it.
        let at_position = tokens[start..].iter().take_while(|token| token.position == position);
        end = at_position.filter_map(|token| end_of_element(element, token)).max()?;
    }
    Some(end)
}

/// Where what an element of a query means ends, if a token begins it.
fn end_of_element(element: &Element, token: &Token) -> Option<u32> {
    if element.terms.contains(&token.term) {
        return Some(token.end);
    }
    if let Some(prefix) = &element.prefix {
        let begins = token.term.starts_with(prefix) || token.word.starts_with(prefix);
        if begins && !token.is_designation {
            return Some(token.end);
        }
    }
    if element.parts.is_empty() {
        return None;
    }
    for part in token.parts() {
        if element.parts.iter().any(|wanted| part.starts_with(wanted)) {
            return Some(token.end_of_part(&part));
        }
    }
    None
}
