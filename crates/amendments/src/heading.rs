//! Headings of an amendment: the clause, table or figure that the instructions below them are about.

use std::ops::Range;

use norma_model::{InstructionClause, InstructionPart, InstructionPartKind, WhichPart};

use crate::instruction_words::{InstructionWords, section_in_any_language};
use crate::mentions::{InstructionReading, Named, PartMention};
use crate::tokenizer::{InstructionToken, InstructionTokenKind, tokens};

/// A heading of an amendment, as its source has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct AmendmentHeading<'a> {
    /// The label: `4.1`, `1)`. It may be the number of the amended clause, or the amendment's own.
    pub label: Option<&'a str>,
    /// The title without the label: `Sampling`, `Page 5, 4.1`.
    pub title: Option<&'a str>,
}

/// What the headings around an instruction say of the part that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadingContext {
    pub(crate) clause: Option<InstructionClause>,
    pub(crate) parts: Vec<InstructionPart>,
    /// The headings as printed, parted by commas.
    pub(crate) printed: String,
}

/// An amendment has labels of its own if they number its sections: a title names another part than its label.
/// Converters number the sections of an amendment so, and some bodies do.
pub fn has_labels_of_its_own<'a>(
    headings: impl IntoIterator<Item = AmendmentHeading<'a>>,
    language: &str,
) -> bool {
    let Some(words) = InstructionWords::of(language) else { return false };
    for heading in headings {
        let (Some(label), Some(title)) = (heading.label, heading.title) else { continue };
        let tokens = tokens(title, words);
        let reading = InstructionReading { text: title, tokens: &tokens, words };
        let own = norma_model::label::number_of(label);
        for mention in reading.mentions(0..tokens.len()) {
            let named = match mention.named {
                Named::Clause(InstructionClause::Number { number, .. }) => number,
                Named::Part(InstructionPart { kind, which: WhichPart::Number(number) })
                    if is_numbered(kind) =>
                {
                    number
                }
                _ => continue,
            };
            if own.as_deref() != Some(&*named) {
                return true;
            }
        }
    }
    false
}

/// True for kinds of parts whose number is unique in the document.
pub(crate) fn is_numbered(kind: InstructionPartKind) -> bool {
    matches!(kind, InstructionPartKind::Table | InstructionPartKind::Figure | InstructionPartKind::Formula)
}

impl HeadingContext {
    /// Reads the headings around an instruction, the outermost first.
    pub(crate) fn read(
        headings: &[AmendmentHeading<'_>],
        ignores_labels: bool,
        words: &'static InstructionWords,
    ) -> Self {
        let mut context = Self::default();
        for heading in headings {
            let label = if ignores_labels { "" } else { heading.label.unwrap_or_default().trim() };
            let title = heading.title.unwrap_or_default().trim();
            let text = [label, title].join(" ");
            let own = Self::of_one(text.trim(), words);
            if own.clause.is_some() {
                // What outer headings say is of another clause.
                context = own;
            } else if !own.parts.is_empty() {
                context.parts.retain(|part| part.kind != InstructionPartKind::Page);
                context.parts.extend(own.parts);
                context.printed = join_printed(&context.printed, &own.printed);
            }
        }
        context
    }

    /// What one heading says.
    fn of_one(text: &str, words: &'static InstructionWords) -> Self {
        let tokens = tokens(text, words);
        let reading = InstructionReading { text, tokens: &tokens, words };
        if let Some(section) = section_in_any_language(text) {
            let clause = Some(InstructionClause::Kind(section));
            return Self { clause, parts: Vec::new(), printed: text.to_owned() };
        }
        // “New clause 4.5”: the amended document does not have it.
        if reading.is_one_of(0, &words.small.new_in_headings) {
            return Self::default();
        }
        // `4) Figure 1`: the label is the amendment's own.
        let start = usize::from(begins_with_label(&reading));
        let mentions = reading.mentions(start..tokens.len());
        let parts = parts_of(&mentions);
        let Some(number) = tokens_of_number(&reading, &mentions) else {
            let printed = if parts.is_empty() { String::new() } else { text.to_owned() };
            return Self { clause: None, parts, printed };
        };
        let behind = number.end;
        let title = if names_part(&mentions, behind) { None } else { title_after(&reading, behind) };
        Self { clause: clause_at(&reading, number, title), parts, printed: text.to_owned() }
    }
}

/// The tokens of the number of the clause that a heading is about.
fn tokens_of_number(reading: &InstructionReading<'_>, mentions: &[PartMention]) -> Option<Range<usize>> {
    let clauses: Vec<&PartMention> = mentions.iter().filter(|mention| is_clause(mention)).collect();
    match clauses[..] {
        [] if names_numbered_part(mentions) => None,
        [] if begins_with_number(reading) => Some(0..1),
        [] => None,
        [only] => Some(only.tokens.clone()),
        // The first of two numbers is the amendment's own: `2.1 Clause 5.2`.
        [.., last] if begins_with_number(reading) || begins_with_label(reading) => Some(last.tokens.clone()),
        _ => None,
    }
}

fn is_clause(mention: &PartMention) -> bool {
    matches!(mention.named, Named::Clause(InstructionClause::Number { .. }))
}

/// True where a table, figure or formula is named with its number.
fn names_numbered_part(mentions: &[PartMention]) -> bool {
    mentions.iter().any(|mention| match &mention.named {
        Named::Part(part) => is_numbered(part.kind) && matches!(part.which, WhichPart::Number(_)),
        _ => false,
    })
}

/// True where a part is named at a token or behind it.
fn names_part(mentions: &[PartMention], at: usize) -> bool {
    mentions.iter().any(|mention| mention.tokens.start >= at && matches!(mention.named, Named::Part(_)))
}

fn begins_with_number(reading: &InstructionReading<'_>) -> bool {
    matches!(reading.tokens, [InstructionToken { kind: InstructionTokenKind::Number { .. }, .. }, ..])
}

/// True for a heading that begins with a label such as `1)`.
fn begins_with_label(reading: &InstructionReading<'_>) -> bool {
    matches!(reading.tokens, [InstructionToken { kind: InstructionTokenKind::Label(_), .. }, ..])
}

/// Joins two printed parts with a comma.
pub(crate) fn join_printed(outer: &str, inner: &str) -> String {
    match (outer.is_empty(), inner.is_empty()) {
        (_, true) => outer.to_owned(),
        (true, false) => inner.to_owned(),
        (false, false) => format!("{outer}, {inner}"),
    }
}

/// The clause whose number is the last of these tokens, with a title.
fn clause_at(
    reading: &InstructionReading<'_>,
    tokens: Range<usize>,
    title: Option<String>,
) -> Option<InstructionClause> {
    let last = reading.tokens.get(tokens.end.checked_sub(1)?)?;
    let number = match &last.kind {
        InstructionTokenKind::Number { number, .. } => number.clone(),
        _ => reading.text[last.range.clone()].to_uppercase(),
    };
    Some(InstructionClause::Number { number: number.into(), title: title.map(Into::into) })
}

/// The parts among mentions; a page only where nothing else is named.
fn parts_of(mentions: &[PartMention]) -> Vec<InstructionPart> {
    let mut parts = Vec::new();
    for mention in mentions {
        let Named::Part(part) = &mention.named else { continue };
        // `Introduction of a new term` names no part.
        if part.which != WhichPart::Unstated {
            parts.push(part.clone());
        }
    }
    if parts.len() > 1 {
        parts.retain(|part| part.kind != InstructionPartKind::Page);
    }
    parts
}

/// What is printed after the number: the title of the clause, without signs before it.
fn title_after(reading: &InstructionReading<'_>, token: usize) -> Option<String> {
    let start = reading.tokens.get(token)?.range.start;
    let title = reading.text[start..].trim_matches(|c: char| c.is_whitespace() || ",–—:.-()".contains(c));
    if title.is_empty() { None } else { Some(title.to_owned()) }
}
