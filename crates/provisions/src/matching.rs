//! Matcher of patterns: the positions where a pattern matches in a sentence.

use std::ops::Range;

use super::lexicon::ListSet;
use super::pattern::{OneOf, Pattern, PatternItem};
use super::tokenizer::{Marks, SentenceToken, TokenKind};

/// A sentence, as patterns see it.
#[derive(Clone, Copy)]
pub(super) struct SentenceView<'a> {
    pub(super) tokens: &'a [SentenceToken],
    /// The tokens where the sentence or its main clause begins, ascending.
    pub(super) starts: &'a [usize],
    /// Words before which a clause may end.
    pub(super) closing: ListSet,
}

/// The position of a match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// First token and one past the last.
    pub(super) range: Range<usize>,
    /// Tokens that its words match, in order; gaps and listed words left out.
    pub(super) words: Vec<usize>,
}

impl Pattern {
    /// Matches the pattern with its key at this token; without a key, from this token on.
    pub(super) fn at(&self, view: SentenceView<'_>, token: usize) -> Option<Match> {
        let key = self.key.unwrap_or(0);
        if let Some(after) = &self.after
            && view
                .tokens
                .get(token + self.around.end - key)
                .is_none_or(|token| after.matches_token(token).is_none())
        {
            return None;
        }
        // Most attempts fail: what a match consists of is only collected once there is one.
        back(&self.items[..key], view, token, &mut ())?;
        ahead(&self.items[key..], view, token, &mut ())?;
        let mut words = Vec::new();
        let first = back(&self.items[..key], view, token, &mut words)?;
        words.reverse();
        let end = ahead(&self.items[key..], view, token, &mut words)?;
        Some(Match { range: first..end, words })
    }

    /// Whether the pattern matches from this token on.
    pub(super) fn follows(&self, view: SentenceView<'_>, token: usize) -> Option<usize> {
        ahead(&self.items, view, token, &mut ())
    }

    /// Whether the pattern matches and ends before this token.
    pub(super) fn precedes(&self, view: SentenceView<'_>, token: usize) -> bool {
        match self.items.as_slice() {
            // “^ see ,,60”: forward from the few beginnings it is decided at the first word.
            [PatternItem::Start, first @ PatternItem::OneOf(_), .., PatternItem::Gap { most, .. }] => {
                let nearest = token.saturating_sub(most + self.items.len());
                starts_within(view, nearest..token).any(|start| first.may_begin(view.tokens.get(start)))
                    && back(&self.items, view, token, &mut ()).is_some()
            }
            items => back(items, view, token, &mut ()).is_some(),
        }
    }
}

/// The destination of matched words; `()` drops them.
trait Collect {
    fn so_far(&self) -> usize;
    fn put(&mut self, word: usize);
    fn take_back(&mut self, so_far: usize);
}

impl Collect for () {
    fn so_far(&self) -> usize {
        0
    }

    fn put(&mut self, _: usize) {}

    fn take_back(&mut self, _: usize) {}
}

impl Collect for Vec<usize> {
    fn so_far(&self) -> usize {
        self.len()
    }

    fn put(&mut self, word: usize) {
        self.push(word);
    }

    fn take_back(&mut self, so_far: usize) {
        self.truncate(so_far);
    }
}

/// Reads items from a place on, in the order of the sentence.
fn ahead<C: Collect>(
    items: &[PatternItem],
    view: SentenceView<'_>,
    at: usize,
    words: &mut C,
) -> Option<usize> {
    walk::<true, C>(items, view, at, words)
}

/// Reads items from a place back, against the order of the sentence.
fn back<C: Collect>(
    items: &[PatternItem],
    view: SentenceView<'_>,
    at: usize,
    words: &mut C,
) -> Option<usize> {
    walk::<false, C>(items, view, at, words)
}

/// Reads items from the position before a token, forwards or backwards; returns the position where they end.
fn walk<const AHEAD: bool, C: Collect>(
    items: &[PatternItem],
    view: SentenceView<'_>,
    at: usize,
    words: &mut C,
) -> Option<usize> {
    let split = if AHEAD { items.split_first() } else { items.split_last() };
    let Some((item, rest)) = split else { return Some(at) };
    let index = |at: usize| if AHEAD { Some(at) } else { at.checked_sub(1) };
    let token = |at: usize| view.tokens.get(index(at)?);
    let goes_on = |at: usize, words: &mut C| walk::<AHEAD, C>(rest, view, at, words);
    match item {
        PatternItem::Start => view.starts.binary_search(&at).is_ok().then(|| goes_on(at, words)).flatten(),
        PatternItem::End => closes(view.tokens.get(at), view.closing).then(|| goes_on(at, words)).flatten(),
        PatternItem::Gap { most, commas } => {
            // “^ no ..10”: from the few beginnings it is decided at the first word.
            if !AHEAD
                && let [PatternItem::Start, first @ PatternItem::OneOf(one)] = rest
                && !one.optional
                && !starts_within(view, at.saturating_sub(most + 1)..at)
                    .any(|start| first.may_begin(view.tokens.get(start)))
            {
                return None;
            }
            let next = if AHEAD { rest.first() } else { rest.last() };
            for crossed_over in 0..=*most {
                let at = if AHEAD { at + crossed_over } else { at.checked_sub(crossed_over)? };
                let beyond = token(at);
                if next.is_none_or(|item| item.may_begin(beyond))
                    && let Some(end) = backtrack(words, |words| goes_on(at, words))
                {
                    return Some(end);
                }
                if !beyond.is_some_and(|token| crossed(token, *commas)) {
                    return None;
                }
            }
            None
        }
        PatternItem::OneOf(one) => {
            let here = token(at).and_then(|token| one.matches_token(token)).and_then(|is_word| {
                backtrack(words, |words| {
                    if is_word {
                        words.put(index(at).unwrap_or_default());
                    }
                    goes_on(if AHEAD { at + 1 } else { at - 1 }, words)
                })
            });
            here.or_else(|| one.optional.then(|| goes_on(at, words)).flatten())
        }
    }
}

/// The positions within the range where the sentence or its main clause may begin.
pub(super) fn starts_within(view: SentenceView<'_>, range: Range<usize>) -> impl Iterator<Item = usize> {
    let first = view.starts.partition_point(|&start| start < range.start);
    view.starts[first..].iter().copied().take_while(move |&start| start < range.end)
}

/// Removes the words that a failed backtrack had collected.
fn backtrack<C: Collect>(words: &mut C, run: impl FnOnce(&mut C) -> Option<usize>) -> Option<usize> {
    let before = words.so_far();
    let end = run(words);
    if end.is_none() {
        words.take_back(before);
    }
    end
}

/// Whether a clause may end before this token.
fn closes(token: Option<&SentenceToken>, closing: ListSet) -> bool {
    token.is_none_or(|t| {
        t.kind == TokenKind::Mark || (t.kind == TokenKind::Word && t.known.lists.intersects(closing))
    })
}

/// Marks that no gap reaches over.
const UNCROSSED: Marks = Marks::SEMICOLON.union(Marks::COLON).union(Marks::CALL).union(Marks::SQUARE);

/// Whether a gap may extend over this token; a full stop within a sentence is that of an abbreviation.
fn crossed(token: &SentenceToken, commas: bool) -> bool {
    match token.kind {
        TokenKind::Mark => !token.is_mark(UNCROSSED) && (commas || !token.is_mark(Marks::COMMA)),
        _ => true,
    }
}

impl OneOf {
    /// Whether it matches the token; the inner answer distinguishes a word from a listed one or a number.
    fn matches_token(&self, token: &SentenceToken) -> Option<bool> {
        #[cfg(test)]
        super::tokenizer::looks::count();
        if token.quoted == self.quoted {
            if self.names(token.known.word) {
                return Some(true);
            }
            if token.kind == TokenKind::Word && token.known.lists.intersects(self.lists) {
                return Some(false);
            }
        }
        (self.number && matches!(token.kind, TokenKind::Number | TokenKind::Thing)).then_some(false)
    }
}

impl PatternItem {
    /// Whether the item may match at this token: a quick test that saves most attempts after a gap.
    pub(super) fn may_begin(&self, token: Option<&SentenceToken>) -> bool {
        match self {
            Self::OneOf(one) if !one.optional => {
                token.is_some_and(|token| one.matches_token(token).is_some())
            }
            _ => true,
        }
    }
}
