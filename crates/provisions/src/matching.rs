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
        if let Some(after) = &self.after {
            let next = view.tokens.get(token + self.around.end - key)?;
            after.matches_token(next)?;
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

    /// The token behind the pattern if it matches from this token on.
    pub(super) fn follows(&self, view: SentenceView<'_>, token: usize) -> Option<usize> {
        ahead(&self.items, view, token, &mut ())
    }

    /// True if the pattern matches and ends before this token.
    pub(super) fn precedes(&self, view: SentenceView<'_>, token: usize) -> bool {
        // “^ see ,,60”: forward from the few beginnings it is decided at the first word.
        if let [PatternItem::Start, first @ PatternItem::OneOf(_), .., PatternItem::Gap { most, .. }] =
            self.items.as_slice()
        {
            let nearest = token.saturating_sub(most + self.items.len());
            if !may_begin_within(view, nearest..token, first) {
                return false;
            }
        }
        back(&self.items, view, token, &mut ()).is_some()
    }
}

/// The destination of matched words; `()` drops them. `take_back` removes those that a failed attempt has put
/// there, down to a number of `so_far`.
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
    match item {
        PatternItem::Start => {
            if view.starts.binary_search(&at).is_err() {
                return None;
            }
            walk::<AHEAD, C>(rest, view, at, words)
        }
        PatternItem::End => {
            if !closes(view.tokens.get(at), view.closing) {
                return None;
            }
            walk::<AHEAD, C>(rest, view, at, words)
        }
        PatternItem::Gap { most, commas } => walk_gap::<AHEAD, C>(*most, *commas, rest, view, at, words),
        PatternItem::OneOf(one) => {
            let index = index::<AHEAD>(at);
            if let Some(index) = index
                && let Some(token) = view.tokens.get(index)
                && let Some(is_word) = one.matches_token(token)
            {
                let before = words.so_far();
                if is_word {
                    words.put(index);
                }
                let next = if AHEAD { at + 1 } else { at - 1 };
                if let Some(end) = walk::<AHEAD, C>(rest, view, next, words) {
                    return Some(end);
                }
                words.take_back(before);
            }
            if one.optional { walk::<AHEAD, C>(rest, view, at, words) } else { None }
        }
    }
}

/// Reads a gap of so many words, the shortest first, and the items behind it.
fn walk_gap<const AHEAD: bool, C: Collect>(
    most: usize,
    commas: bool,
    rest: &[PatternItem],
    view: SentenceView<'_>,
    at: usize,
    words: &mut C,
) -> Option<usize> {
    // “^ no ..10”: from the few beginnings it is decided at the first word.
    if !AHEAD
        && let [PatternItem::Start, first @ PatternItem::OneOf(one)] = rest
        && !one.optional
        && !may_begin_within(view, at.saturating_sub(most + 1)..at, first)
    {
        return None;
    }
    let next = if AHEAD { rest.first() } else { rest.last() };
    for crossed_over in 0..=most {
        let at = if AHEAD { at + crossed_over } else { at.checked_sub(crossed_over)? };
        let token = index::<AHEAD>(at).and_then(|index| view.tokens.get(index));
        if next.is_none_or(|item| item.may_begin(token)) {
            let before = words.so_far();
            if let Some(end) = walk::<AHEAD, C>(rest, view, at, words) {
                return Some(end);
            }
            words.take_back(before);
        }
        if !token.is_some_and(|token| crossed(token, commas)) {
            return None;
        }
    }
    None
}

/// The token that is read next from a position between tokens; `None` before the first one.
fn index<const AHEAD: bool>(at: usize) -> Option<usize> {
    if AHEAD { Some(at) } else { at.checked_sub(1) }
}

/// True if an item may match where the sentence or its main clause begins, within a range of tokens.
fn may_begin_within(view: SentenceView<'_>, range: Range<usize>, item: &PatternItem) -> bool {
    starts_within(view, range).any(|start| item.may_begin(view.tokens.get(start)))
}

/// The positions within the range where the sentence or its main clause may begin.
pub(super) fn starts_within(view: SentenceView<'_>, range: Range<usize>) -> impl Iterator<Item = usize> {
    let first = view.starts.partition_point(|&start| start < range.start);
    view.starts[first..].iter().copied().take_while(move |&start| start < range.end)
}

/// True if a clause may end before this token.
fn closes(token: Option<&SentenceToken>, closing: ListSet) -> bool {
    let Some(token) = token else { return true };
    match token.kind {
        TokenKind::Mark => true,
        TokenKind::Word => token.known.lists.intersects(closing),
        TokenKind::Number | TokenKind::Thing => false,
    }
}

/// Marks that no gap reaches over.
const UNCROSSED: Marks = Marks::SEMICOLON.union(Marks::COLON).union(Marks::CALL).union(Marks::SQUARE);

/// True if a gap may extend over this token; a full stop within a sentence is that of an abbreviation.
fn crossed(token: &SentenceToken, commas: bool) -> bool {
    if token.kind != TokenKind::Mark {
        return true;
    }
    if token.is_mark(Marks::COMMA) {
        return commas;
    }
    !token.is_mark(UNCROSSED)
}

impl OneOf {
    /// Some if it matches the token: true by one of its words, false by a list or as a number.
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
        let is_number = matches!(token.kind, TokenKind::Number | TokenKind::Thing);
        if self.number && is_number { Some(false) } else { None }
    }
}

impl PatternItem {
    /// True if the item may match at this token: a quick test that saves most attempts after a gap.
    pub(super) fn may_begin(&self, token: Option<&SentenceToken>) -> bool {
        match self {
            Self::OneOf(one) if !one.optional => {
                token.is_some_and(|token| one.matches_token(token).is_some())
            }
            _ => true,
        }
    }
}
