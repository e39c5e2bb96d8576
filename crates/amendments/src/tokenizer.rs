//! Tokens of an instruction: words, numbers, labels, quoted words and stops.

use std::ops::Range;

use crate::instruction_words::InstructionWords;

/// A token and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstructionToken {
    pub(crate) kind: InstructionTokenKind,
    pub(crate) range: Range<usize>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InstructionTokenKind {
    /// A word in lower case; an elided article has its apostrophe: `l'`.
    Word(String),
    /// A number of a part, letters in upper case: `4`, `4.1`, `A.2`.
    Number {
        /// Without a full stop at its end.
        number: String,
        /// Set where a full stop follows it: German ordinals have one.
        is_dotted: bool,
    },
    /// A label of an item, letters in upper case: `B` for `b)`.
    Label(String),
    /// Words between quotation marks.
    Quote(String),
    /// A comma, semicolon, colon or full stop.
    Stop(char),
}

impl InstructionToken {
    /// The word, where it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            InstructionTokenKind::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Quotation marks: the opening one, and those that close it.
const QUOTATION_MARKS: [(char, &[char]); 5] =
    [('“', &['”']), ('„', &['“', '”']), ('«', &['»']), ('"', &['"']), ('‘', &['’'])];

/// The tokens of a text. Phrases of the language are one word each.
pub(crate) fn tokens(text: &str, words: &InstructionWords) -> Vec<InstructionToken> {
    let mut tokens = Vec::new();
    let mut at = 0;
    // Set while a bracket was opened and not closed: `2)` then closes it, and is not a label.
    let mut in_brackets = false;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if let Some(quote) = quotation(&text[at..]) {
            let range = at..at + quote.len();
            let mut inner = quote.chars();
            inner.next();
            inner.next_back();
            let kind = InstructionTokenKind::Quote(inner.as_str().trim().to_owned());
            tokens.push(InstructionToken { kind, range });
            at += quote.len();
        } else {
            let rest = &text[at..];
            let end = rest.find(|c: char| c.is_whitespace() || ends_run(c)).unwrap_or(rest.len());
            // A quotation mark that closes nothing is a token of its own.
            let end = if end == 0 { first.len_utf8() } else { end };
            let run = &rest[..end];
            in_brackets |= run.starts_with('(') && !run.contains(')');
            add_run(run, at, in_brackets, &mut tokens);
            in_brackets &= !run.contains(')');
            at += end;
        }
    }
    join_phrases(&mut tokens, words);
    tokens
}

/// Opening quotation marks end a run, but for the one that is an apostrophe too.
fn ends_run(c: char) -> bool {
    matches!(c, '“' | '„' | '«' | '"')
}

/// The quotation that a text begins with, marks included.
fn quotation(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let (_, closing) = QUOTATION_MARKS.iter().find(|(open, _)| *open == first)?;
    let inner = &text[first.len_utf8()..];
    let end = inner.find(|c: char| closing.contains(&c))?;
    let close = inner[end..].chars().next()?;
    Some(&text[..first.len_utf8() + end + close.len_utf8()])
}

/// Adds the tokens of a run without white space.
fn add_run(run: &str, at: usize, in_brackets: bool, tokens: &mut Vec<InstructionToken>) {
    if !in_brackets && let Some(label) = label(run) {
        tokens.push(InstructionToken { kind: InstructionTokenKind::Label(label), range: at..at + run.len() });
        return;
    }
    let opened = run.trim_start_matches(['(', '[']);
    let start = at + run.len() - opened.len();
    if let Some((article, rest)) = elision(opened) {
        let kind = InstructionTokenKind::Word(article);
        let length = opened.len() - rest.len();
        tokens.push(InstructionToken { kind, range: start..start + length });
        return add_run(rest, start + length, in_brackets, tokens);
    }
    let core = opened.trim_end_matches([',', ';', ':', '.', ')', ']', '!', '?']);
    let tail = &opened[core.len()..];
    if !core.is_empty() {
        // `b),` is a label with a comma.
        let with_bracket = &opened[..core.len() + tail.len().min(1)];
        let kind = if !in_brackets && let Some(label) = label(with_bracket) {
            InstructionTokenKind::Label(label)
        } else if is_number(core) {
            InstructionTokenKind::Number { number: core.to_uppercase(), is_dotted: tail.starts_with('.') }
        } else {
            InstructionTokenKind::Word(core.to_lowercase())
        };
        tokens.push(InstructionToken { kind, range: start..start + core.len() });
    }
    for (offset, mark) in tail.char_indices() {
        let mark_at = start + core.len() + offset;
        if matches!(mark, ',' | ';' | ':' | '.') {
            tokens.push(InstructionToken {
                kind: InstructionTokenKind::Stop(mark),
                range: mark_at..mark_at + 1,
            });
        }
    }
}

/// The label of an item, in upper case: one letter or a short number before a bracket.
fn label(run: &str) -> Option<String> {
    let inner = run.trim_start_matches('(').strip_suffix(')')?;
    let is_letter_or_digit = inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_number = inner.len() == 2 && inner.bytes().all(|b| b.is_ascii_digit());
    if is_letter_or_digit || is_number { Some(inner.to_uppercase()) } else { None }
}

/// An article or preposition with an apostrophe, and the rest.
fn elision(run: &str) -> Option<(String, &str)> {
    let (article, rest) = run.split_once(['\'', '’'])?;
    let is_short = (1..=2).contains(&article.len()) && article.bytes().all(|b| b.is_ascii_alphabetic());
    if !is_short || rest.is_empty() {
        return None;
    }
    Some((format!("{}'", article.to_lowercase()), rest))
}

/// A run is the number of a part if it is digits and full stops, perhaps after one or two capitals.
fn is_number(run: &str) -> bool {
    let digits = run.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = run.len() - digits.len();
    let digits = if letters > 0 { digits.strip_prefix('.').unwrap_or(digits) } else { digits };
    letters <= 2 && digits.split('.').all(is_part_of_number)
}

/// One to three digits between full stops.
fn is_part_of_number(part: &str) -> bool {
    (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
}

/// Makes one token of each phrase.
fn join_phrases(tokens: &mut Vec<InstructionToken>, words: &InstructionWords) {
    let mut at = 0;
    while at < tokens.len() {
        for (phrase, word) in &words.phrases {
            let Some(window) = tokens.get(at..at + phrase.len()) else { continue };
            if is_phrase(window, phrase) {
                let range = window[0].range.start..window[phrase.len() - 1].range.end;
                let joined = InstructionToken { kind: InstructionTokenKind::Word(word.clone()), range };
                tokens.splice(at..at + phrase.len(), [joined]);
                break;
            }
        }
        at += 1;
    }
}

/// Tokens are a phrase if they are its words, one by one.
fn is_phrase(tokens: &[InstructionToken], phrase: &[String]) -> bool {
    tokens.iter().zip(phrase).all(|(token, part)| token.word() == Some(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(language: &str, text: &str) -> String {
        let tokens = tokens(text, InstructionWords::of(language).unwrap());
        let mut shown = Vec::new();
        for token in tokens {
            shown.push(match token.kind {
                InstructionTokenKind::Word(word) => word,
                InstructionTokenKind::Number { number, .. } => format!("#{number}"),
                InstructionTokenKind::Label(label) => format!("{label})"),
                InstructionTokenKind::Quote(words) => format!("<{words}>"),
                InstructionTokenKind::Stop(mark) => mark.to_string(),
            });
        }
        shown.join(" ")
    }

    #[test]
    fn quoted_words_labels_and_numbers_are_one_token_each() {
        assert_eq!(
            read("en", "In A.2, list item b), replace “0,3 mm” by \"0,5\"."),
            "in #A.2 , item B) , replace <0,3 mm> by <0,5> ."
        );
        assert_eq!(
            read("de", "Nach 3.4 ist „a b“ (Bild 2) zu streichen:"),
            "nach #3.4 ist <a b> bild #2 zu streichen :"
        );
        assert_eq!(read("fr", "Remplacer l’alinéa «x»."), "remplacer l' alinéa <x> .");
        assert_eq!(read("fr", "Renuméroter les notes de bas de page."), "renuméroter les footnote .");
    }

    #[test]
    fn marks_that_do_not_match_lose_no_word() {
        assert_eq!(read("en", "Delete “lid"), "delete “ lid");
        assert_eq!(read("en", "Delete \"lid"), "delete \" lid");
        assert_eq!(read("en", ""), "");
    }
}
