//! The grammar of instructions: from their words to operations and targets.

use std::ops::Range;

use norma_model::{
    InstructionClause, InstructionOperation, InstructionPart, InstructionPartKind, InstructionPosition,
    InstructionTarget, WhichPart,
};

use crate::heading::{AmendmentHeading, HeadingContext, join_printed};
use crate::instruction_words::InstructionWords;
use crate::mentions::{InstructionReading, Named, PartMention};
use crate::segment::{InstructionSegment, segments};
use crate::tokenizer::{InstructionTokenKind, tokens};

/// One change that an instruction states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedChange {
    /// The operation that the verb asks for.
    pub operation: InstructionOperation,
    /// The part as printed, headings included.
    pub printed: String,
    /// The parts that are changed; empty where none is named.
    pub targets: Vec<InstructionTarget>,
    /// Words that the text is said to have.
    pub old_words: Vec<String>,
    /// New text that follows a colon within the instruction.
    pub new_text: Option<String>,
}

/// Reads an instruction below these headings, the outermost first. Labels of headings are ignored where the
/// amendment [numbers its own sections](crate::has_labels_of_its_own). A text without a verb of the lists
/// gives a change without operation of its own: [`InstructionOperation::Change`].
///
/// ```
/// use norma_amendments::{AmendmentHeading, read};
///
/// let heading = AmendmentHeading { label: None, title: Some("4.1") };
/// let changes = read("Replace the third paragraph with the following:", "en", &[heading], false);
/// assert_eq!(changes[0].printed, "4.1, third paragraph");
/// ```
pub fn read(
    text: &str,
    language: &str,
    headings: &[AmendmentHeading<'_>],
    ignores_labels: bool,
) -> Vec<StatedChange> {
    let Some(words) = InstructionWords::of(language) else {
        return vec![not_understood(headings)];
    };
    let mut context = HeadingContext::read(headings, ignores_labels, words);
    let tokens = tokens(text, words);
    let reading = InstructionReading { text, tokens: &tokens, words };
    let (segments, new_text) = segments(&reading);
    let mut changes: Vec<StatedChange> = Vec::new();
    for segment in &segments {
        let change = change(&reading, segment, &context);
        if let Some(last) = changes.last_mut()
            && completes(last, &change, segment)
        {
            last.operation = InstructionOperation::Replace;
            continue;
        }
        // What follows in the same instruction is in the same clause.
        if let Some(target) = change.targets.first() {
            context.clause = target.clause.clone().or(context.clause);
        }
        changes.push(change);
    }
    if let Some(last) = changes.last_mut() {
        last.new_text = new_text;
    }
    if changes.is_empty() { vec![not_understood(headings)] } else { changes }
}

/// The change of an instruction whose words are not known.
fn not_understood(headings: &[AmendmentHeading<'_>]) -> StatedChange {
    let mut printed = "";
    for heading in headings {
        if let Some(title) = heading.title.or(heading.label) {
            printed = title;
        }
    }
    StatedChange {
        operation: InstructionOperation::Change,
        printed: printed.to_owned(),
        targets: Vec::new(),
        old_words: Vec::new(),
        new_text: None,
    }
}

/// A change completes the one before if it only says what comes instead of what that deletes: “and substitute
/// …”.
fn completes(before: &StatedChange, change: &StatedChange, segment: &InstructionSegment) -> bool {
    let brings = matches!(change.operation, InstructionOperation::Add | InstructionOperation::Replace);
    before.operation == InstructionOperation::Delete && brings && segment.names_nothing
}

/// The change that one segment states.
fn change(
    reading: &InstructionReading<'_>,
    segment: &InstructionSegment,
    context: &HeadingContext,
) -> StatedChange {
    let operation = match segment.verb {
        Some(verb) => verb.operation(),
        None => InstructionOperation::Change,
    };
    let mentions = old_mentions(reading, segment, operation);
    let position = position(reading, segment, &mentions, operation);
    let clauses = clauses(&mentions);
    let mut parts = Vec::new();
    for mention in &mentions {
        if let Named::Part(part) = &mention.named {
            parts.push(part.clone());
        }
    }
    let mut targets = Vec::new();
    let printed_before;
    if clauses.is_empty() {
        // The headings say which clause, and perhaps which table of it.
        printed_before = context.printed.as_str();
        for parts in part_groups(context.parts.clone(), parts) {
            let clause = context.clause.clone();
            if clause.is_some() || !parts.is_empty() {
                targets.push(InstructionTarget { clause, parts, position });
            }
        }
    } else {
        printed_before = "";
        let groups = part_groups(Vec::new(), parts);
        for clause in clauses {
            for parts in &groups {
                let (clause, parts) = (Some(clause.clone()), parts.clone());
                targets.push(InstructionTarget { clause, parts, position });
            }
        }
    }
    StatedChange {
        operation,
        printed: join_printed(printed_before, &printed(reading, &mentions)),
        targets,
        old_words: old_words(reading, segment, operation),
        new_text: None,
    }
}

/// The clauses among mentions. Of clauses that are not joined, the first counts: “after Annex D, before the
/// Bibliography”.
fn clauses(mentions: &[PartMention]) -> Vec<InstructionClause> {
    let mut clauses = Vec::new();
    let mut position_of_first = None;
    for mention in mentions {
        let Named::Clause(clause) = &mention.named else { continue };
        if mention.position == *position_of_first.get_or_insert(mention.position) {
            clauses.push(clause.clone());
        }
    }
    clauses
}

/// The mentions of what the amended document has.
fn old_mentions(
    reading: &InstructionReading<'_>,
    segment: &InstructionSegment,
    operation: InstructionOperation,
) -> Vec<PartMention> {
    let mut old = Vec::new();
    for range in &segment.old {
        for mention in reading.mentions(range.clone()) {
            // “Add a NOTE after 4.1”: the part without a preposition behind the verb is what is added.
            if operation == InstructionOperation::Add {
                let is_before_verb = match segment.verb_at {
                    Some(verb) => mention.tokens.end <= verb,
                    None => true,
                };
                let has_position = mention.position.is_some() || is_before_verb;
                if mention.is_new || !has_position {
                    continue;
                }
            }
            old.push(mention);
        }
    }
    if operation == InstructionOperation::Renumber {
        // “the NOTE as NOTE 1”: the second has the new number.
        let mut seen = Vec::new();
        old.retain(|mention| {
            let kind = std::mem::discriminant(&mention.named);
            let is_first = !seen.contains(&kind);
            seen.push(kind);
            is_first
        });
    }
    old
}

/// The mentions as printed, parted by commas.
fn printed(reading: &InstructionReading<'_>, mentions: &[PartMention]) -> String {
    let mut printed: Vec<&str> = Vec::new();
    for mention in mentions {
        if mention.named == Named::ThisClause {
            continue;
        }
        let (first, last) = (mention.tokens.start, mention.tokens.end - 1);
        printed.push(&reading.text[reading.tokens[first].range.start..reading.tokens[last].range.end]);
    }
    printed.dedup();
    printed.join(", ")
}

/// Where new text goes.
fn position(
    reading: &InstructionReading<'_>,
    segment: &InstructionSegment,
    mentions: &[PartMention],
    operation: InstructionOperation,
) -> InstructionPosition {
    if operation != InstructionOperation::Add {
        return InstructionPosition::Within;
    }
    for mention in mentions {
        match mention.position {
            None | Some(InstructionPosition::Within) => {}
            Some(position) => return position,
        }
    }
    let small = &reading.words.small;
    for at in segment.old.iter().cloned().flatten() {
        let Some(word) = reading.word(at) else { continue };
        if small.end.contains(word) {
            return InstructionPosition::End;
        }
        if small.start.contains(word) {
            return InstructionPosition::Start;
        }
        if !reading.is_quote(at + 1) {
            continue;
        }
        // “after “lid””: behind quoted words.
        if small.after.contains(word) {
            return InstructionPosition::After;
        }
        if small.before.contains(word) {
            return InstructionPosition::Before;
        }
    }
    InstructionPosition::Within
}

/// Words that the text is said to have: those between quotation marks, as far as they are not new.
fn old_words(
    reading: &InstructionReading<'_>,
    segment: &InstructionSegment,
    operation: InstructionOperation,
) -> Vec<String> {
    let small = &reading.words.small;
    let mut old = Vec::new();
    for at in segment.old.iter().cloned().flatten() {
        let InstructionTokenKind::Quote(words) = &reading.tokens[at].kind else { continue };
        if operation == InstructionOperation::Add {
            // Words that are added are new, but for those after or before which they are put.
            let is_anchor = at > 0
                && (reading.is_one_of(at - 1, &small.after) || reading.is_one_of(at - 1, &small.before));
            if !is_anchor {
                continue;
            }
        }
        old.push(words.clone());
    }
    old
}

/// The order of parts: a part is within one of a lower rank.
fn rank(kind: InstructionPartKind) -> u8 {
    use InstructionPartKind as Kind;
    match kind {
        Kind::Page => 0,
        Kind::Table | Kind::Figure | Kind::Formula | Kind::Term | Kind::Paragraph | Kind::List => 1,
        Kind::Note | Kind::Example | Kind::Footnote | Kind::Reference | Kind::Title | Kind::Definition => 2,
        Kind::Row | Kind::Column | Kind::Item => 3,
        Kind::Sentence | Kind::Line => 4,
    }
}

/// The parts of each target: parts of one kind, or of one rank that are not nested, are targets of their own.
/// `outer` are the parts that the headings name.
fn part_groups(outer: Vec<InstructionPart>, parts: Vec<InstructionPart>) -> Vec<Vec<InstructionPart>> {
    let mut common = outer;
    let mut split: Vec<InstructionPart> = Vec::new();
    for part in parts {
        match common.iter().position(|known| known.kind == part.kind) {
            Some(known) if common[known].which == WhichPart::Unstated => common[known] = part,
            // “the paragraph” of a heading that says which one.
            Some(_) if part.which == WhichPart::Unstated => {}
            Some(known) if common[known] == part => {}
            Some(_) => split.push(part),
            None if is_nested(&part, &common) => common.push(part),
            None => split.push(part),
        }
    }
    if common.iter().any(says_more_than_page) {
        common.retain(|part| part.kind != InstructionPartKind::Page);
    }
    common.sort_by_key(|part| rank(part.kind));
    let mut groups = vec![common.clone()];
    for part in split {
        // The part comes instead of the one of its rank.
        let mut group = Vec::new();
        for known in &common {
            if rank(known.kind) < rank(part.kind) {
                group.push(known.clone());
            }
        }
        group.push(part);
        groups.push(group);
    }
    groups
}

/// A part is nested with others if none has its rank: a paragraph and a sentence. A row and a column have one
/// rank and name a cell together.
fn is_nested(part: &InstructionPart, others: &[InstructionPart]) -> bool {
    let own = rank(part.kind);
    own == rank(InstructionPartKind::Row) || others.iter().all(|other| rank(other.kind) != own)
}

fn says_more_than_page(part: &InstructionPart) -> bool {
    part.kind != InstructionPartKind::Page && part.which != WhichPart::Unstated
}

/// The tokens of `range` without those of `cut`.
pub(crate) fn without(range: Range<usize>, cut: &Range<usize>) -> Vec<Range<usize>> {
    let before = range.start..cut.start.min(range.end);
    let after = cut.end.max(range.start)..range.end;
    let mut parts = Vec::new();
    for part in [before, after] {
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}
