//! Tokenizer: a sentence as tokens, in which a formula or a reference is one token and a quoted word never
//! counts.

mod characters;
mod quotations;

use std::borrow::Cow;
use std::ops::Range;

use self::characters::{
    CLASSES, DIGIT, LETTER, OTHER, SPACE, continues, is_letter, is_sign, number_length, word_length,
};
use self::quotations::mark_quoted;
use super::lexicon::{Lexicon, ListSet, Packed, PackedWord, WordEntry};
use crate::blocks::{SpanKind, TokenSpan};

/// One token of a sentence.
#[derive(Clone, Debug)]
pub(super) struct SentenceToken {
    /// Bytes of the section's text.
    pub(super) range: Range<usize>,
    pub(super) kind: TokenKind,
    /// Which mark it is.
    mark: Marks,
    /// The values of the word in the language's table.
    pub(super) known: WordEntry,
    pub(super) writing: Writing,
    /// True between quotation marks, where a word is spoken of and not said.
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

/// The spelling of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    Lower,
    Capital,
    Upper,
}

impl Writing {
    /// The spelling of letters of which these are capitals, a bit each.
    pub(super) fn of(capitals: u128, letters: u128) -> Self {
        match capitals {
            0 => Self::Lower,
            all if all == letters && all & (all - 1) != 0 => Self::Upper,
            _ => Self::Capital,
        }
    }
}

/// Punctuation marks, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks(u16);

impl Marks {
    const NONE: Self = Self(0);
    pub(super) const COMMA: Self = Self(1);
    pub(super) const SEMICOLON: Self = Self(1 << 1);
    pub(super) const COLON: Self = Self(1 << 2);
    pub(super) const DASH: Self = Self(1 << 3);
    const ROUND_OPENING: Self = Self(1 << 4);
    const ROUND_CLOSING: Self = Self(1 << 5);
    const SQUARE_OPENING: Self = Self(1 << 6);
    const SQUARE_CLOSING: Self = Self(1 << 7);
    const FULL_STOP: Self = Self(1 << 8);
    /// An exclamation mark or a question mark.
    pub(super) const CALL: Self = Self(1 << 9);
    const QUOTE: Self = Self(1 << 10);
    pub(super) const OPENING: Self = Self::ROUND_OPENING.union(Self::SQUARE_OPENING);
    pub(super) const CLOSING: Self = Self::ROUND_CLOSING.union(Self::SQUARE_CLOSING);
    pub(super) const BRACKET: Self = Self::OPENING.union(Self::CLOSING);
    pub(super) const SQUARE: Self = Self::SQUARE_OPENING.union(Self::SQUARE_CLOSING);
    pub(super) const SENTENCE_END: Self = Self::FULL_STOP.union(Self::CALL);

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn of(sign: char) -> Self {
        match sign {
            ',' => Self::COMMA,
            ';' => Self::SEMICOLON,
            ':' => Self::COLON,
            '–' | '—' => Self::DASH,
            '(' => Self::ROUND_OPENING,
            ')' => Self::ROUND_CLOSING,
            '[' => Self::SQUARE_OPENING,
            ']' => Self::SQUARE_CLOSING,
            '.' => Self::FULL_STOP,
            '!' | '?' => Self::CALL,
            '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '"' | '‘' | '’' | '‚' | '\'' => {
                Self::QUOTE
            }
            _ => Self::NONE,
        }
    }
}

impl SentenceToken {
    /// True for one of the marks.
    pub(super) fn is_mark(&self, marks: Marks) -> bool {
        self.mark.0 & marks.0 != 0
    }

    /// True if one of the lists has the word.
    pub(super) fn is_in(&self, lists: ListSet) -> bool {
        #[cfg(test)]
        looks::count();
        self.known.lists.intersects(lists)
    }

    /// True for a word that is a part of the sentence, and not quoted.
    pub(super) fn is_plain_word(&self) -> bool {
        self.kind == TokenKind::Word && !self.quoted
    }

    /// The word in lower case with plain apostrophes; a mark as written; empty for a thing.
    pub(super) fn word<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let piece = &text[self.range.clone()];
        match self.kind {
            TokenKind::Thing => Cow::Borrowed(""),
            TokenKind::Word if self.writing != Writing::Lower || !piece.is_ascii() => lowered(piece).0,
            _ => Cow::Borrowed(piece),
        }
    }
}

/// The spans that begin within the range; a block's spans are in order.
pub(super) fn spans_in<'s>(spans: &'s [TokenSpan], range: &Range<usize>) -> &'s [TokenSpan] {
    let from = &spans[spans.partition_point(|span| span.range.start < range.start)..];
    &from[..from.partition_point(|span| span.range.start < range.end)]
}

/// Counts of looks at tokens, for the test that the work grows no faster than the text.
#[cfg(test)]
pub(super) mod looks {
    use std::cell::Cell;

    thread_local! {
        static LOOKS: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn count() {
        LOOKS.with(|looks| looks.set(looks.get() + 1));
    }

    /// The number of looks while this ran.
    pub(crate) fn during<T>(run: impl FnOnce() -> T) -> u64 {
        let before = LOOKS.with(Cell::get);
        run();
        LOOKS.with(Cell::get) - before
    }
}

/// The tokens of `text[range]`. Footnote marks leave none.
pub(super) fn tokens<'s>(
    text: &str,
    range: Range<usize>,
    spans: impl IntoIterator<Item = &'s TokenSpan>,
    lexicon: &Lexicon,
) -> Vec<SentenceToken> {
    let mut read = TokenScan::of(text, range, spans, lexicon);
    read.mark_quoted();
    read.tokens
}

/// The tokens of a block, for each of its sentences.
pub(super) struct BlockTokens<'a> {
    scan: TokenScan<'a>,
    range: Range<usize>,
    spans: &'a [TokenSpan],
    /// The first token that no sentence has had yet.
    next: usize,
    /// The number of tokens in the block; those of sentences that had to be read again follow them.
    own: usize,
}

impl<'a> BlockTokens<'a> {
    pub(super) fn of(
        text: &'a str,
        range: Range<usize>,
        spans: &'a [TokenSpan],
        lexicon: &'a Lexicon,
    ) -> Self {
        let scan = TokenScan::of(text, range.clone(), spans, lexicon);
        let own = scan.tokens.len();
        Self { scan, range, spans, next: 0, own }
    }

    /// All of them, quoted or not.
    pub(super) fn all(&self) -> &[SentenceToken] {
        &self.scan.tokens
    }

    /// Indices of the tokens of a sentence; sentences are asked for in order.
    pub(super) fn of_sentence(&mut self, sentence: &Range<usize>) -> Range<usize> {
        let left = &self.scan.tokens[self.next..self.own];
        let before = left.iter().take_while(|token| token.range.end <= sentence.start).count();
        let within = left[before..].iter().take_while(|token| token.range.start < sentence.end).count();
        let first = self.next + before;
        let found = first..first + within;
        if self.is_parted(sentence) && self.are_within(found.clone(), sentence) {
            self.next = found.end;
            self.scan.mark_quoted_in(found.clone());
            return found;
        }
        let spans = spans_in(self.spans, sentence);
        let read_again = tokens(self.scan.text, sentence.clone(), spans, self.scan.lexicon);
        let from = self.scan.tokens.len();
        self.scan.tokens.extend(read_again);
        from..self.scan.tokens.len()
    }

    /// True if no token reaches over an end of the sentence.
    fn are_within(&self, tokens: Range<usize>, sentence: &Range<usize>) -> bool {
        let tokens = &self.scan.tokens[tokens];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return true };
        first.range.start >= sentence.start && last.range.end <= sentence.end
    }

    /// True if white space parts the sentence from its neighbours, so that it reads alike without them.
    fn is_parted(&self, sentence: &Range<usize>) -> bool {
        let text = self.scan.text;
        let begins =
            sentence.start == self.range.start || text[..sentence.start].ends_with(char::is_whitespace);
        let ends = sentence.end == self.range.end || text[sentence.end..].starts_with(char::is_whitespace);
        begins && ends
    }
}

/// Tokens as they are read, one stretch of plain text after the other.
struct TokenScan<'a> {
    text: &'a str,
    lexicon: &'a Lexicon,
    tokens: Vec<SentenceToken>,
    /// All marks among them.
    marks: Marks,
}

impl<'a> TokenScan<'a> {
    fn of<'s>(
        text: &'a str,
        range: Range<usize>,
        spans: impl IntoIterator<Item = &'s TokenSpan>,
        lexicon: &'a Lexicon,
    ) -> Self {
        let mut scan =
            TokenScan { text, lexicon, tokens: Vec::with_capacity(range.len() / 5), marks: Marks::NONE };
        let mut at = range.start;
        for span in spans {
            if span.range.start < range.start || span.range.end > range.end {
                continue;
            }
            // The words of a term are read as others; of spans that overlap, the first counts.
            if matches!(span.kind, SpanKind::Term { .. }) || span.range.start < at {
                continue;
            }
            scan.read(at..span.range.start);
            if !matches!(span.kind, SpanKind::FootnoteMark { .. }) && !span.range.is_empty() {
                scan.push(span.range.clone(), TokenKind::Thing, Marks::NONE, WordEntry::default());
            }
            at = span.range.end;
        }
        scan.read(at..range.end);
        scan
    }

    fn mark_quoted(&mut self) {
        self.mark_quoted_in(0..self.tokens.len());
    }

    fn mark_quoted_in(&mut self, range: Range<usize>) {
        if self.marks.0 & Marks::QUOTE.0 != 0 {
            mark_quoted(&mut self.tokens[range], self.text);
        }
    }

    /// Reads a stretch of plain text.
    fn read(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let bytes = &self.text.as_bytes()[..range.end];
        while let Some(&byte) = bytes.get(at) {
            // Between most words is one blank.
            if byte == b' ' {
                at += 1;
                continue;
            }
            at += match CLASSES[usize::from(byte)] {
                SPACE => 1,
                LETTER => match self.short_word(at, range.end) {
                    Some(length) => length,
                    None => self.long_word(at..range.end),
                },
                DIGIT => {
                    let length = number_length(&self.text[at..range.end]);
                    self.push(at..at + length, TokenKind::Number, Marks::NONE, WordEntry::default());
                    length
                }
                OTHER => {
                    let known = self.lexicon.look_up_packed(Packed::of_byte(byte), 1);
                    self.mark(at..at + 1, char::from(byte), known);
                    1
                }
                _ => self.beyond_ascii(at..range.end),
            };
        }
    }

    fn push(&mut self, range: Range<usize>, kind: TokenKind, mark: Marks, known: WordEntry) {
        self.tokens.push(SentenceToken { range, kind, mark, known, writing: Writing::Lower, quoted: false });
    }

    fn word(&mut self, range: Range<usize>, known: WordEntry, writing: Writing) {
        let (kind, mark) = (TokenKind::Word, Marks::NONE);
        self.tokens.push(SentenceToken { range, kind, mark, known, writing, quoted: false });
    }

    fn mark(&mut self, range: Range<usize>, sign: char, known: WordEntry) {
        let mark = Marks::of(sign);
        self.marks = self.marks.union(mark);
        self.push(range, TokenKind::Mark, mark, known);
    }

    /// Reads a word of ASCII letters alone, in steps of many bytes; most are. Gives its length.
    #[inline]
    fn short_word(&mut self, at: usize, end: usize) -> Option<usize> {
        let bytes = self.text.as_bytes().get(at..at + Packed::MOST)?.try_into().ok()?;
        let PackedWord { packed, length, writing } = Packed::of_letters(bytes, end - at)?;
        // A character that joins words belongs to the word.
        if continues(&self.text[at + length..end]) {
            return None;
        }
        let known = self.lexicon.look_up_packed(packed, length);
        self.word(at..at + length, known, writing);
        Some(length)
    }

    fn long_word(&mut self, range: Range<usize>) -> usize {
        let text = &self.text[range.clone()];
        let length = word_length(text, self.lexicon.elision);
        let (word, writing) = lowered(&text[..length]);
        let known = self.lexicon.look_up(&word);
        self.word(range.start..range.start + length, known, writing);
        length
    }

    /// Reads what begins with a character outside ASCII.
    fn beyond_ascii(&mut self, range: Range<usize>) -> usize {
        let text = &self.text[range.clone()];
        let first = text.chars().next().unwrap_or_default();
        let sign = is_sign(first);
        if !sign && is_letter(first) {
            return self.long_word(range);
        }
        if !sign && first.is_numeric() {
            let length = number_length(text);
            let number = range.start..range.start + length;
            self.push(number, TokenKind::Number, Marks::NONE, WordEntry::default());
            return length;
        }
        let length = first.len_utf8();
        if !first.is_whitespace() && first != '\u{ad}' {
            let known = self.lexicon.look_up(&text[..length]);
            self.mark(range.start..range.start + length, first, known);
        }
        length
    }
}

/// A word in lower case, with plain apostrophes and hyphens, and its spelling.
fn lowered(piece: &str) -> (Cow<'_, str>, Writing) {
    let writing = writing(piece);
    if piece.is_ascii() {
        let word = match writing {
            Writing::Lower => Cow::Borrowed(piece),
            Writing::Capital | Writing::Upper => Cow::Owned(piece.to_ascii_lowercase()),
        };
        return (word, writing);
    }
    // A soft hyphen is not shown, and a no-break hyphen is one.
    if piece.contains(['’', '\u{ad}', '\u{2011}']) {
        let plain = piece.to_lowercase().replace('’', "'").replace('\u{ad}', "").replace('\u{2011}', "-");
        return (Cow::Owned(plain), writing);
    }
    let word = match writing {
        Writing::Lower => Cow::Borrowed(piece),
        Writing::Capital | Writing::Upper => Cow::Owned(piece.to_lowercase()),
    };
    (word, writing)
}

/// The spelling of a word. A word with one capital is not in upper case: it may begin a sentence.
fn writing(piece: &str) -> Writing {
    let (capitals, has_lower) = if piece.is_ascii() {
        let capitals = piece.bytes().filter(u8::is_ascii_uppercase).count();
        (capitals, capitals > 1 && piece.bytes().any(|b| b.is_ascii_lowercase()))
    } else {
        let capitals = piece.chars().filter(|c| c.is_uppercase()).count();
        (capitals, capitals > 1 && piece.chars().any(char::is_lowercase))
    };
    match capitals {
        0 => Writing::Lower,
        1 => Writing::Capital,
        _ if has_lower => Writing::Capital,
        _ => Writing::Upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, elision: bool) -> Vec<String> {
        let lexicon = Lexicon::new(elision, &Default::default()).unwrap();
        tokens(text, 0..text.len(), &[], &lexicon).iter().map(|t| t.word(text).into_owned()).collect()
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
            .map(|t| t.word(text))
            .collect();
        assert_eq!(quoted, ["“", "shall", "”", "‘", "must", "’"]);
        let open = "it said “shall and went on";
        assert!(tokens(open, 0..open.len(), &[], &Lexicon::default()).iter().all(|t| !t.quoted));
    }

    #[test]
    fn a_span_is_one_token_and_a_footnote_mark_none() {
        let text = "See 4.2 and5 x";
        let spans = [
            TokenSpan { range: 4..7, kind: SpanKind::CrossReference { targets: vec![] } },
            TokenSpan { range: 11..12, kind: SpanKind::FootnoteMark { footnotes: Box::default() } },
        ];
        let tokens = tokens(text, 0..text.len(), &spans, &Lexicon::default());
        let kinds: Vec<_> = tokens.iter().map(|t| t.kind).collect();
        assert_eq!(kinds, [TokenKind::Word, TokenKind::Thing, TokenKind::Word, TokenKind::Word]);
    }
}
