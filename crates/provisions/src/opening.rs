//! Openings: the label and the identifier at the begin of a paragraph or sentence, which do not belong to its
//! words.

use std::ops::Range;

use super::draft::DocumentNames;
use super::input::Input;
use super::language::Language;
use super::tokenizer::{TokenKind, Writing, tokens};
use crate::blocks::{Block, BlockKind, SpanKind, TokenSpan};
use crate::identifier::{kind_of_word, leading_identifier};

/// The opening of a sentence.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) identifier: Option<Range<usize>>,
    pub(super) label: Option<Range<usize>>,
}

/// Removes the opening from a paragraph or sentence: the rest of the range is its text.
pub(super) fn cut(text: &str, range: &mut Range<usize>, spans: &[TokenSpan], language: &Language) -> Opening {
    let mut opening = Opening::default();
    if !may_open(&text[range.clone()]) {
        return opening;
    }
    if let Some((label, rest)) = label(&text[range.clone()]) {
        let start = range.end - rest.len();
        if begins_statement(text, start..range.end, spans, language) {
            opening.label = Some(range.start..range.start + label.len());
            range.start = start;
        }
    }
    let own = &text[range.clone()];
    if let Some(found) = leading_identifier(own) {
        let start = range.end - found.rest.len();
        let first_letter = found.rest.trim_start_matches(['(', '“', '"', '«', '„']);
        let is_parted = found.marked || first_letter.starts_with(char::is_uppercase);
        if is_parted && begins_statement(text, start..range.end, spans, language) {
            let name = range.start + own.find(found.name).unwrap_or_default();
            opening.identifier = Some(name..name + found.name.len());
            range.start = start;
        }
    }
    opening
}

/// Names of the sentences of a block, in order: those of an opening apply until the next.
pub(super) struct RunningNames {
    names: DocumentNames,
}

impl RunningNames {
    pub(super) fn of(block: &Block<'_>, begins: bool) -> Self {
        let label = block.item.as_ref().and_then(|item| item.label.as_deref());
        let item_label = match label {
            // A bullet names nothing.
            Some(label) if begins && label.contains(char::is_alphanumeric) => Some(label.into()),
            _ => None,
        };
        Self { names: DocumentNames { identifier: None, item_label } }
    }

    /// The names of the next sentence, which begins so.
    pub(super) fn next(&mut self, text: &str, opening: &Opening) -> DocumentNames {
        if let Some(label) = &opening.label {
            self.names = DocumentNames { identifier: None, item_label: Some(text[label.clone()].into()) };
        }
        if let Some(identifier) = &opening.identifier {
            self.names.identifier = Some(text[identifier.clone()].into());
        }
        self.names.clone()
    }
}

/// Longest identifier that is a paragraph or cell of its own, in bytes.
const LONGEST_ALONE: usize = 120;

/// The identifier that names a block from outside: in a paragraph directly before it, or in the first cell of
/// its row, without other text.
pub(super) fn preceding_identifier<'a>(input: &Input<'a>, index: usize) -> Option<&'a str> {
    let Input { blocks, sections, .. } = *input;
    let block = &blocks[index];
    let text = &sections[block.section].text;
    let alone = match block.kind {
        BlockKind::TableCell => first_cell(text, block)?,
        BlockKind::Paragraph => {
            let before = &blocks[index.checked_sub(1)?];
            if before.section != block.section || before.kind != BlockKind::Paragraph {
                return None;
            }
            &text[before.range.clone()]
        }
        _ => return None,
    };
    let alone = alone.trim();
    if alone.len() > LONGEST_ALONE {
        return None;
    }
    let found = leading_identifier(alone)?;
    found.rest.is_empty().then_some(found.name)
}

/// The first cell of the row of a later cell.
fn first_cell<'a>(text: &'a str, cell: &Block<'_>) -> Option<&'a str> {
    let row = &text[..cell.range.start];
    let start = row.rfind('\n').map_or(0, |end| end + 1);
    row[start..].split_once('\t').map(|(first, _)| first)
}

/// The first cell of the row of a cell with only “This shall …”, which refers to it.
pub(super) fn row_head<'a>(input: &Input<'a>, index: usize, language: &Language) -> Option<&'a str> {
    let block = &input.blocks[index];
    let text = &input.sections[block.section].text;
    let length = text[block.range.clone()].find(' ')?;
    let first_word = block.range.start..block.range.start + length;
    let words = tokens(text, first_word, [], &language.lexicon);
    if !words.first()?.is_in(language.word_lists.demonstrative) {
        return None;
    }
    let head = first_cell(text, block)?.trim();
    (!head.is_empty() && head.len() <= LONGEST_ALONE).then_some(head)
}

/// True if a text may have an opening: a cheap test before any other, which most paragraphs fail by their
/// first word.
fn may_open(text: &str) -> bool {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            // Labels and codes have one of these in their first word.
            b'0'..=b'9' | b')' | b']' | b'/' | b'.' | 0x80..=0xff => return true,
            // What begins with a plain word is an identifier only behind a word such as “Requirement”.
            0..=b' ' => return kind_of_word(&text[..at]).is_some(),
            _ => {}
        }
    }
    kind_of_word(text).is_some()
}

/// True if a sentence begins here, and not the rest of one whose subject the label is (“(1) and (2) shall be
/// solved”, “Requirement 6-1 shall be met”).
fn begins_statement(text: &str, rest: Range<usize>, spans: &[TokenSpan], language: &Language) -> bool {
    const FIRST_WORD: usize = 60;
    if rest.is_empty() {
        return false;
    }
    // The beginning must not be cut out of a citation.
    for span in spans {
        if span.range.start >= rest.start {
            break;
        }
        if span.range.end > rest.start && !matches!(span.kind, SpanKind::Term { .. }) {
            return false;
        }
    }
    let end = text.floor_char_boundary(rest.start + FIRST_WORD).min(rest.end);
    let head = tokens(text, rest.start..end, [], &language.lexicon);
    let Some(first) = head.first() else { return false };
    if first.kind == TokenKind::Mark {
        return text[rest.start..].starts_with(['(', '“', '"', '«', '„', '‘', '[']);
    }
    let lists = &language.word_lists;
    if first.is_in(lists.bcp14) {
        return false;
    }
    // “(5) Werden Änderungen nötig, …”: a capital begins a sentence, with its verb too.
    let goes_on = first.is_in(lists.finite.union(lists.coordinator));
    !goes_on || first.writing == Writing::Capital
}

/// The label of a numbered paragraph or item, and what follows it: `(1)`, `b)`, `(iv)`, `12.`, `4.2.1`.
fn label(text: &str) -> Option<(&str, &str)> {
    let bracketed = text.starts_with('(');
    let inner = &text[usize::from(bracketed)..];
    let core = inner.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    if let Some(rest) = inner[core.len()..].strip_prefix(')') {
        if !is_counter(core) || is_bracket_in_word(bracketed, rest) {
            return None;
        }
        let label = &text[..text.len() - rest.len()];
        return Some((label, rest.trim_start()));
    }
    let is_number = core.len() <= 3 && core.starts_with(|c: char| c.is_ascii_digit());
    if bracketed || !is_number {
        return None;
    }
    dotted(text)
}

/// True if nothing follows a closing bracket, or the word goes on of which the brackets are a part: “(s)he”.
/// Behind a bracket that was not opened, `a)`, any letter begins a word of its own.
fn is_bracket_in_word(bracketed: bool, rest: &str) -> bool {
    if rest.starts_with(char::is_whitespace) || rest.starts_with(char::is_uppercase) {
        return false;
    }
    bracketed || !rest.starts_with(char::is_alphabetic)
}

/// `12.` and `4.2.1` before a word with a capital letter; a decimal number is followed by a unit.
fn dotted(text: &str) -> Option<(&str, &str)> {
    let word = text.split(char::is_whitespace).next()?;
    let rest = text[word.len()..].trim_start();
    let mut parts = 0;
    for part in word.strip_suffix('.').unwrap_or(word).split('.') {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if part.is_empty() || part.len() > 3 || !is_number {
            return None;
        }
        parts += 1;
    }
    let has_several_parts = parts > 1;
    if !has_several_parts && !word.ends_with('.') {
        return None;
    }
    let next = rest.split(|c: char| !c.is_alphabetic()).next()?;
    if !is_capitalised(next) {
        return None;
    }
    // “2.5 Mg”: behind a decimal number a short word may be a unit.
    let is_article = matches!(next, "A" | "An" | "The" | "Le" | "La" | "Les" | "Der" | "Die" | "Das");
    let may_be_unit = has_several_parts && next.chars().count() <= 3 && !is_article;
    if may_be_unit { None } else { Some((word, rest)) }
}

/// True if the first letter of a word is a capital and no other one.
fn is_capitalised(word: &str) -> bool {
    let mut letters = word.chars();
    let Some(first) = letters.next() else { return false };
    first.is_uppercase() && letters.all(char::is_lowercase)
}

/// True if a text is a number, a letter or two, or a Roman number.
fn is_counter(core: &str) -> bool {
    let is_roman = core.len() <= 6 && core.bytes().all(|byte| b"ivxIVX".contains(&byte));
    let digits = core.bytes().take_while(u8::is_ascii_digit).count();
    match (digits, core.len() - digits) {
        (0, 0) => false,
        (0, 1) => true,
        (0, 2) => core.as_bytes()[0] == core.as_bytes()[1] || is_roman,
        (0, _) => is_roman,
        (1..=3, 0) => true,
        // `(2a)`
        (1..=3, 1) => core.ends_with(|c: char| c.is_ascii_lowercase()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use norma_model::Lang;

    use super::*;

    fn read(code: &str, text: &str) -> (String, String, String) {
        let language = Language::of(&code.parse::<Lang>().unwrap()).unwrap();
        let mut range = 0..text.len();
        let opening = cut(text, &mut range, &[], language);
        let part = |range: Option<Range<usize>>| range.map_or(String::new(), |range| text[range].to_owned());
        (part(opening.label), part(opening.identifier), text[range].to_owned())
    }

    #[test]
    fn labels_and_identifiers_are_no_part_of_the_sentence() {
        for (text, label, identifier) in [
            ("(1) The lid shall close.", "(1)", ""),
            ("(12) The lid shall close.", "(12)", ""),
            ("(iv) The lid shall close.", "(iv)", ""),
            ("(2a) The lid shall close.", "(2a)", ""),
            ("b) The lid shall close.", "b)", ""),
            ("b)The lid shall close.", "b)", ""),
            ("12. The lid shall close.", "12.", ""),
            ("4.2.1 The lid shall close.", "4.2.1", ""),
            ("Requirement 6-1 The lid shall close.", "", "Requirement 6-1"),
            ("a) REQ-012: The lid shall close.", "a)", "REQ-012"),
        ] {
            let expected = (label.to_owned(), identifier.to_owned(), "The lid shall close.".to_owned());
            assert_eq!(read("en", text), expected, "{text}");
        }
        assert_eq!(read("de", "(3) Der Deckel muss dicht sein.").0, "(3)");
        assert_eq!(read("de", "(5) Werden Deckel getauscht, muss dies vermerkt werden.").0, "(5)");
        assert_eq!(read("de", "(6) Ist der Deckel undicht, muss er getauscht werden.").0, "(6)");
        assert_eq!(read("fr", "Exigence 2 : le couvercle doit fermer.").1, "Exigence 2");
    }

    #[test]
    fn a_number_that_the_sentence_speaks_of_stays_in_it() {
        for text in [
            "(1) and (2) shall be solved.",
            "(1) shall be solved.",
            "(s)he shall close the lid.",
            "2.5 Mg shall be weighed.",
            "3.2 V is applied.",
            "Requirement 6-1 shall be met.",
            "Requirement 5 SHALL be met.",
            "Requirements 5 and 6 shall be met.",
            "(see below) The lid shall close.",
            "10 g shall be weighed.",
            "2020. Results",
        ] {
            let (label, identifier, rest) = read("en", text);
            assert_eq!((label.as_str(), identifier.as_str(), rest.as_str()), ("", "", text));
        }
    }
}
