//! Words: a sentence as tokens, in which a formula or a reference is one token and a quoted word never counts.

use std::borrow::Cow;
use std::ops::Range;

use super::lexicon::{Entry, Lexicon, Set};
use crate::blocks::{Span, SpanKind};

/// One token of a sentence.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    /// Bytes of the section's text.
    pub(super) range: Range<usize>,
    pub(super) kind: TokenKind,
    /// The word in lower case with plain apostrophes; a mark as it stands; empty for a thing.
    pub(super) word: Cow<'t, str>,
    /// What the language's table knows of the word.
    pub(super) known: Entry,
    pub(super) writing: Writing,
    /// Whether it stands between quotation marks.
    pub(super) quoted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    /// A punctuation mark or another sign.
    Mark,
    /// A formula, reference, citation or picture.
    Thing,
}

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Lower,
    Capital,
    Upper,
}

impl Token<'_> {
    pub(super) fn is_mark(&self, marks: &str) -> bool {
        self.kind == TokenKind::Mark && self.word.chars().next().is_some_and(|mark| marks.contains(mark))
    }

    /// Whether one of the lists holds it.
    pub(super) fn is_in(&self, lists: Set) -> bool {
        #[cfg(test)]
        looks::count();
        self.known.lists.meets(lists)
    }

    /// Whether it may be read as a word of the sentence.
    pub(super) fn is_plain_word(&self) -> bool {
        self.kind == TokenKind::Word && !self.quoted
    }
}

/// The spans that begin within the range; a block's spans stand in order.
pub(super) fn spans_in<'s>(spans: &'s [Span], range: &Range<usize>) -> &'s [Span] {
    let from = &spans[spans.partition_point(|span| span.range.start < range.start)..];
    &from[..from.partition_point(|span| span.range.start < range.end)]
}

/// How often a token was looked at, for the test that the work grows no faster than the text.
#[cfg(test)]
pub(super) mod looks {
    use std::cell::Cell;

    thread_local! {
        static LOOKS: Cell<u64> = const { Cell::new(0) };
    }

    pub(in super::super) fn count() {
        LOOKS.with(|looks| looks.set(looks.get() + 1));
    }

    /// How many there were while this ran.
    pub(in super::super) fn during<T>(run: impl FnOnce() -> T) -> u64 {
        let before = LOOKS.with(Cell::get);
        run();
        LOOKS.with(Cell::get) - before
    }
}

/// The tokens of `text[range]`. Footnote marks leave none.
pub(super) fn tokens<'t, 's>(
    text: &'t str,
    range: Range<usize>,
    spans: impl IntoIterator<Item = &'s Span>,
    lexicon: &Lexicon,
) -> Vec<Token<'t>> {
    let mut tokens = Vec::with_capacity(range.len() / 5);
    let mut at = range.start;
    for span in spans.into_iter().filter(|s| s.range.start >= range.start && s.range.end <= range.end) {
        match span.kind {
            SpanKind::Term { .. } => continue,
            _ if span.range.start < at => continue,
            _ => scan(text, at..span.range.start, lexicon, &mut tokens),
        }
        if !matches!(span.kind, SpanKind::FootnoteMark) && !span.range.is_empty() {
            tokens.push(Token {
                range: span.range.clone(),
                kind: TokenKind::Thing,
                word: Cow::Borrowed(""),
                known: Entry::default(),
                writing: Writing::Lower,
                quoted: false,
            });
        }
        at = span.range.end;
    }
    scan(text, at..range.end, lexicon, &mut tokens);
    mark_quoted(&mut tokens);
    tokens
}

fn scan<'t>(text: &'t str, range: Range<usize>, lexicon: &Lexicon, tokens: &mut Vec<Token<'t>>) {
    let bytes = &text.as_bytes()[..range.end];
    let mut at = range.start;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let rest = &text[at..range.end];
        let first = if byte.is_ascii() { char::from(*byte) } else { rest.chars().next().unwrap_or_default() };
        let (kind, length, word, writing) = if first.is_alphabetic() {
            let (length, word, writing) = word(rest, lexicon.elision);
            (TokenKind::Word, length, word, writing)
        } else {
            let (kind, length) = match first.is_numeric() {
                true => (TokenKind::Number, number_length(rest)),
                false => (TokenKind::Mark, first.len_utf8()),
            };
            (kind, length, Cow::Borrowed(&rest[..length]), Writing::Lower)
        };
        if !first.is_whitespace() && first != '\u{ad}' {
            let known = if kind == TokenKind::Number { Entry::default() } else { lexicon.look_up(&word) };
            tokens.push(Token { range: at..at + length, kind, word, known, writing, quoted: false });
        }
        at += length;
    }
}

/// Digits with the signs between them: `0,5`, `4.2.1`, `9001:2015`, `10 %` without the percent sign.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '.' | ',' | ':' | '-' | '/')
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if !c.is_alphanumeric() && !joins {
            return at;
        }
        length = at + c.len_utf8();
    }
    length
}

/// What a byte may be in a word of plain ASCII.
const LOWER: u8 = 1;
const UPPER: u8 = 2;
const DIGIT: u8 = 4;
/// A sign that may join what stands before and behind it, or begin a letter outside ASCII.
const JOINS: u8 = 8;

/// The class of each byte, looked up once for each letter of the text.
static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'\'' | b'-' | 0x80.. => JOINS,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// The word with which the text begins: its length, the word in lower case, and how it is written. `elision` parts a
/// word after its apostrophe (French).
fn word(text: &str, elision: bool) -> (usize, Cow<'_, str>, Writing) {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(0, |byte| CLASSES[usize::from(*byte)]);
    let mut length = 1;
    let mut seen = 0;
    while class(length) & (LOWER | UPPER | DIGIT) != 0 {
        seen |= class(length);
        length += 1;
    }
    // Most words are of this kind: plain letters, of which at most the first is a capital.
    if class(length) & JOINS == 0 && seen & UPPER == 0 && class(0) & (LOWER | UPPER) != 0 {
        let piece = &text[..length];
        return match class(0) {
            UPPER => (length, Cow::Owned(piece.to_ascii_lowercase()), Writing::Capital),
            _ => (length, Cow::Borrowed(piece), Writing::Lower),
        };
    }
    let length = word_length(text, elision);
    let (word, writing) = lowered(&text[..length]);
    (length, word, writing)
}

/// Letters and digits with hyphens, slashes of unit (`and/or`) left out, and apostrophes between them.
fn word_length(text: &str, elision: bool) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        let between = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        let apostrophe = matches!(c, '\'' | '’');
        if apostrophe && elision {
            return if between { at + c.len_utf8() } else { at };
        }
        if !c.is_alphanumeric() && !(between && (apostrophe || matches!(c, '-' | '\u{2011}' | '\u{ad}'))) {
            return at;
        }
        end = at + c.len_utf8();
    }
    end
}

fn lowered(piece: &str) -> (Cow<'_, str>, Writing) {
    let mut uppers = piece.chars().filter(|c| c.is_uppercase());
    let writing = match (uppers.next(), uppers.next()) {
        (None, _) => Writing::Lower,
        (Some(_), Some(_)) if !piece.chars().any(char::is_lowercase) => Writing::Upper,
        (Some(_), _) => Writing::Capital,
    };
    let odd = piece.contains(['’', '\u{ad}', '\u{2011}']);
    let word = match (writing, odd) {
        (Writing::Lower, false) => Cow::Borrowed(piece),
        (_, false) => Cow::Owned(piece.to_lowercase()),
        _ => {
            Cow::Owned(piece.to_lowercase().replace('’', "'").replace('\u{ad}', "").replace('\u{2011}', "-"))
        }
    };
    (word, writing)
}

/// Marks what stands between a pair of quotation marks; a pair must close within the sentence.
fn mark_quoted(tokens: &mut [Token<'_>]) {
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].kind != TokenKind::Mark {
            at += 1;
            continue;
        }
        let closers = match tokens[at].word.as_ref() {
            "“" | "„" | "‟" => "”“",
            "«" => "»",
            "»" => "«",
            "‹" => "›",
            "\"" => "\"",
            "‘" | "‚" => "’‘",
            "'" => "'",
            _ => "",
        };
        let close = (!closers.is_empty())
            .then(|| tokens[at + 1..].iter().position(|t| t.is_mark(closers)))
            .flatten()
            .map(|offset| at + 1 + offset);
        if let Some(close) = close {
            tokens[at..=close].iter_mut().for_each(|t| t.quoted = true);
            at = close;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, elision: bool) -> Vec<String> {
        let lexicon = Lexicon::new(elision, &Default::default()).unwrap();
        tokens(text, 0..text.len(), &[], &lexicon).iter().map(|t| t.word.to_string()).collect()
    }

    #[test]
    fn numbers_hyphens_and_apostrophes_stay_in_their_words() {
        assert_eq!(
            words("Don’t use 0,5 g per ISO 9001:2015.", false),
            ["don't", "use", "0,5", "g", "per", "iso", "9001:2015", "."]
        );
        assert_eq!(words("L’essai n'est peut-être", true), ["l'", "essai", "n'", "est", "peut-être"]);
    }

    #[test]
    fn words_between_quotation_marks_are_quoted_and_others_are_not() {
        let text = "The word “shall” shall not be ‘must’ here";
        let quoted: Vec<_> = tokens(text, 0..text.len(), &[], &Lexicon::default())
            .into_iter()
            .filter(|t| t.quoted)
            .map(|t| t.word)
            .collect();
        assert_eq!(quoted, ["“", "shall", "”", "‘", "must", "’"]);
        let open = "it said “shall and went on";
        assert!(tokens(open, 0..open.len(), &[], &Lexicon::default()).iter().all(|t| !t.quoted));
    }

    #[test]
    fn a_span_is_one_token_and_a_footnote_mark_none() {
        let text = "See 4.2 and5 x";
        let spans = [
            Span { range: 4..7, kind: SpanKind::CrossReference { targets: vec![] } },
            Span { range: 11..12, kind: SpanKind::FootnoteMark },
        ];
        let tokens = tokens(text, 0..text.len(), &spans, &Lexicon::default());
        let kinds: Vec<_> = tokens.iter().map(|t| t.kind).collect();
        assert_eq!(kinds, [TokenKind::Word, TokenKind::Thing, TokenKind::Word, TokenKind::Word]);
    }
}
