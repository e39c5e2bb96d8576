//! Mentions of parts of a document in the tokens of an instruction or heading.

use std::ops::Range;

use foldhash::HashSet;
use norma_model::{InstructionClause, InstructionPart, InstructionPartKind, InstructionPosition, WhichPart};

use crate::instruction_words::{InstructionWords, section_in_any_language};
use crate::tokenizer::{InstructionToken, InstructionTokenKind};

/// A part that is mentioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartMention {
    /// The tokens from its first to its last word.
    pub(crate) tokens: Range<usize>,
    pub(crate) named: Named,
    /// Where new text is put, as the preposition before the mention says; `None` without one.
    pub(crate) position: Option<InstructionPosition>,
    /// Set where the words say that it is new: the amended document does not have it.
    pub(crate) is_new: bool,
}

/// What a mention names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Clause(InstructionClause),
    /// “the clause”, whose number the headings have.
    ThisClause,
    Part(InstructionPart),
}

/// The tokens of a text with the words of its language.
#[derive(Clone, Copy)]
pub(crate) struct InstructionReading<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [InstructionToken],
    pub(crate) words: &'static InstructionWords,
}

impl InstructionReading<'_> {
    /// The word at a token; `None` where the token is something else, or there is none.
    pub(crate) fn word(&self, at: usize) -> Option<&str> {
        self.tokens.get(at)?.word()
    }

    /// True where the token is one of these words.
    pub(crate) fn is_one_of(&self, at: usize, words: &HashSet<String>) -> bool {
        match self.word(at) {
            Some(word) => words.contains(word),
            None => false,
        }
    }

    /// True where the token is quoted words.
    pub(crate) fn is_quote(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(InstructionToken { kind: InstructionTokenKind::Quote(_), .. }))
    }

    /// The mentions among these tokens, in order.
    pub(crate) fn mentions(&self, range: Range<usize>) -> Vec<PartMention> {
        let mut mentions: Vec<PartMention> = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let last = mentions.last();
            let joined = last.filter(|last| self.is_joined(last.tokens.end, at));
            let found = self.mention_at(at, range.end).or_else(|| self.continued(joined?, at));
            let Some((mut named, end)) = found else {
                at += 1;
                continue;
            };
            let (mut position, is_between) = self.position_before(at, range.start);
            if let Some(joined) = joined {
                position = joined.position;
            }
            if is_between {
                // “Between 4.1 and 4.2” is after the first of the two.
                named = first_of(named);
                position = Some(InstructionPosition::After);
            }
            let mut between = Vec::new();
            if let Some(joined) = joined
                && self.is_range(joined.tokens.end, at)
            {
                for named in clauses_between(&joined.named, &named) {
                    between.push(PartMention { named, ..joined.clone() });
                }
            }
            let tokens = at..end;
            let may_be_new = matches!(position, None | Some(InstructionPosition::Within));
            let is_new = may_be_new && self.is_new(&tokens, range.clone());
            mentions.append(&mut between);
            mentions.push(PartMention { tokens, named, position, is_new });
            at = end;
        }
        mentions
    }

    /// The part that is named at a token, and the token after it.
    fn mention_at(&self, at: usize, end: usize) -> Option<(Named, usize)> {
        match &self.tokens[at].kind {
            InstructionTokenKind::Number { number, .. } => {
                if let Some(found) = self.ordinal_part(at, end) {
                    return Some(found);
                }
                // A number alone may be a quantity or a page.
                let is_clause = number.contains('.') || number.starts_with(|c: char| c.is_ascii_uppercase());
                if is_clause { Some((clause(number), at + 1)) } else { None }
            }
            InstructionTokenKind::Label(label) => {
                Some((part(InstructionPartKind::Item, WhichPart::Number(label.as_str().into())), at + 1))
            }
            InstructionTokenKind::Word(word) => {
                if let Some(found) = self.ordinal_part(at, end) {
                    return Some(found);
                }
                if self.words.clauses.contains(word) {
                    return Some(self.clause_mention(at, end));
                }
                if let Some(kind) = self.words.kinds.get(word) {
                    return Some(self.part_mention(*kind, at, end));
                }
                self.named_section(at, end)
            }
            InstructionTokenKind::Quote(_) | InstructionTokenKind::Stop(_) => None,
        }
    }

    /// A number after a mention that “and”, “to” or a comma joins with it: “Tables 2 and 3”.
    fn continued(&self, last: &PartMention, at: usize) -> Option<(Named, usize)> {
        let InstructionTokenKind::Number { number, .. } = &self.tokens[at].kind else { return None };
        let named = match &last.named {
            Named::Clause(InstructionClause::Number { .. }) => clause(number),
            Named::Part(InstructionPart { kind, which: WhichPart::Number(_) }) => {
                part(*kind, WhichPart::Number(number.as_str().into()))
            }
            _ => return None,
        };
        Some((named, at + 1))
    }

    /// “the third paragraph”, “first and second sentences”, “last row”, “2. Absatz”.
    fn ordinal_part(&self, at: usize, end: usize) -> Option<(Named, usize)> {
        let mut next = at + 1;
        let which = if let Some(first) = self.ordinal(at) {
            let is_digits = matches!(self.tokens[at].kind, InstructionTokenKind::Number { .. });
            if is_digits && self.is_stop(next, '.') {
                next += 1;
            }
            match self.second_ordinal(first, next, end) {
                Some((last, after)) => {
                    next = after;
                    WhichPart::Ordinals(first, last)
                }
                None => WhichPart::Ordinals(first, first),
            }
        } else if self.is_one_of(at, &self.words.small.last) {
            WhichPart::Last
        } else {
            return None;
        };
        if next >= end {
            return None;
        }
        let kind = *self.words.kinds.get(self.word(next)?)?;
        Some((part(kind, which), next + 1))
    }

    /// The second of two ordinals, and the token after it: “fourth to seventh”, “first and second”. Ordinals
    /// that are not neighbours, such as “first and third”, are no range.
    fn second_ordinal(&self, first: u32, at: usize, end: usize) -> Option<(u32, usize)> {
        let mut second = at;
        while self.is_skipped(second, end) {
            second += 1;
        }
        if second == at {
            return None;
        }
        let last = self.ordinal(second)?;
        if last > first && (last == first + 1 || self.is_range(at, second)) {
            Some((last, second + 1))
        } else {
            None
        }
    }

    fn is_stop(&self, at: usize, mark: char) -> bool {
        match self.tokens.get(at) {
            Some(token) => token.kind == InstructionTokenKind::Stop(mark),
            None => false,
        }
    }

    /// The number of an ordinal in words or, with a full stop, in digits.
    fn ordinal(&self, at: usize) -> Option<u32> {
        match &self.tokens.get(at)?.kind {
            InstructionTokenKind::Word(word) => self.words.ordinal(word),
            InstructionTokenKind::Number { number, is_dotted: true } => {
                // A full stop comes next, which is a token.
                number.parse().ok()
            }
            _ => None,
        }
    }

    /// True for an article, and for a word or comma between two ordinals.
    fn is_skipped(&self, at: usize, end: usize) -> bool {
        if at >= end {
            return false;
        }
        let small = &self.words.small;
        match &self.tokens[at].kind {
            InstructionTokenKind::Word(word) => {
                small.articles.contains(word) || small.and.contains(word) || small.to.contains(word)
            }
            InstructionTokenKind::Stop(mark) => *mark == ',',
            _ => false,
        }
    }

    /// True where the words between two numbers say that those between them are meant too.
    fn is_range(&self, from: usize, until: usize) -> bool {
        (from..until).any(|at| self.is_one_of(at, &self.words.small.to))
    }

    /// A clause or annex behind its word.
    fn clause_mention(&self, at: usize, end: usize) -> (Named, usize) {
        let next = at + 1;
        if next < end {
            if let InstructionTokenKind::Number { number, .. } = &self.tokens[next].kind {
                return (clause(number), next + 1);
            }
            if let Some(letter) = self.capital(next) {
                return (clause(&letter), next + 1);
            }
        }
        (Named::ThisClause, next)
    }

    /// A capital or two alone, as annexes have them: `B`, `ZA`.
    fn capital(&self, at: usize) -> Option<String> {
        self.word(at)?;
        let printed = &self.text[self.tokens[at].range.clone()];
        if !(1..=2).contains(&printed.len()) || !printed.bytes().all(|b| b.is_ascii_uppercase()) {
            return None;
        }
        Some(printed.to_owned())
    }

    /// A part behind its word: “Table 2”, “item b)”, “alinéas quatre à sept”.
    fn part_mention(&self, kind: InstructionPartKind, at: usize, end: usize) -> (Named, usize) {
        let next = at + 1;
        if next >= end {
            return (part(kind, WhichPart::Unstated), next);
        }
        match &self.tokens[next].kind {
            // “Paragraph A.2” is what some bodies call a subclause.
            InstructionTokenKind::Number { number, .. } if counts(kind) && number.contains('.') => {
                (clause(number), next + 1)
            }
            InstructionTokenKind::Number { number, .. } if counts(kind) => {
                let first: u32 = number.parse().unwrap_or(0);
                let (last, after) = self.range_end(next + 1, end, first);
                (part(kind, WhichPart::Ordinals(first, last)), after)
            }
            InstructionTokenKind::Number { number, .. } => {
                (part(kind, WhichPart::Number(number.as_str().into())), next + 1)
            }
            InstructionTokenKind::Label(label) => {
                (part(kind, WhichPart::Number(label.as_str().into())), next + 1)
            }
            InstructionTokenKind::Word(word) => {
                if counts(kind)
                    && let Some(&first) = self.words.cardinals.get(word)
                {
                    let (last, after) = self.range_end(next + 1, end, first);
                    return (part(kind, WhichPart::Ordinals(first, last)), after);
                }
                match self.capital(next) {
                    Some(letter) => (part(kind, WhichPart::Number(letter.into())), next + 1),
                    None => (part(kind, WhichPart::Unstated), next),
                }
            }
            InstructionTokenKind::Quote(_) | InstructionTokenKind::Stop(_) => {
                (part(kind, WhichPart::Unstated), next)
            }
        }
    }

    /// The end of a range of counted parts, `first` where there is no range, and the token after it.
    fn range_end(&self, at: usize, end: usize, first: u32) -> (u32, usize) {
        if at + 1 >= end || !self.is_one_of(at, &self.words.small.to) {
            return (first, at);
        }
        let last = match &self.tokens[at + 1].kind {
            InstructionTokenKind::Number { number, .. } => number.parse().ok(),
            InstructionTokenKind::Word(word) => self.words.cardinals.get(word).copied(),
            _ => None,
        };
        match last {
            Some(last) if last > first => (last, at + 2),
            _ => (first, at),
        }
    }

    /// A section that is known by its title, where it begins with a capital.
    fn named_section(&self, at: usize, end: usize) -> Option<(Named, usize)> {
        let start = self.tokens[at].range.start;
        if !self.text[start..].starts_with(char::is_uppercase) {
            return None;
        }
        for last in (at..end.min(at + 4)).rev() {
            let title = &self.text[start..self.tokens[last].range.end];
            if let Some(section) = section_in_any_language(title) {
                return Some((Named::Clause(InstructionClause::Kind(section)), last + 1));
            }
        }
        None
    }

    /// Two mentions are joined if only “and” or “to” and articles are between them.
    fn is_joined(&self, from: usize, until: usize) -> bool {
        let small = &self.words.small;
        let mut joins = false;
        for at in from..until {
            match &self.tokens[at].kind {
                InstructionTokenKind::Word(word) if small.and.contains(word) || small.to.contains(word) => {
                    joins = true
                }
                InstructionTokenKind::Word(word) if small.articles.contains(word) => {}
                _ => return false,
            }
        }
        joins
    }

    /// Where new text is put, as the words before a mention say, and whether they put it between two parts.
    fn position_before(&self, mention: usize, start: usize) -> (Option<InstructionPosition>, bool) {
        let small = &self.words.small;
        let mut at = mention;
        let mut is_within = false;
        while at > start {
            at -= 1;
            let Some(word) = self.word(at) else { break };
            if small.end.contains(word) {
                return (Some(InstructionPosition::End), false);
            }
            if small.start.contains(word) {
                return (Some(InstructionPosition::Start), false);
            }
            if small.between.contains(word) {
                return (Some(InstructionPosition::After), true);
            }
            if small.after.contains(word) {
                return (Some(InstructionPosition::After), false);
            }
            if small.before.contains(word) {
                return (Some(InstructionPosition::Before), false);
            }
            if small.within.contains(word) {
                is_within = true;
                continue;
            }
            if !small.articles.contains(word) {
                break;
            }
        }
        (is_within.then_some(InstructionPosition::Within), false)
    }

    /// A part is new if the words around its mention say so.
    fn is_new(&self, tokens: &Range<usize>, range: Range<usize>) -> bool {
        let small = &self.words.small;
        if tokens.end < range.end && self.is_one_of(tokens.end, &small.new) {
            return true;
        }
        // “the following new national annex”: at most three words before.
        for at in (range.start..tokens.start).rev().take(3) {
            let Some(word) = self.word(at) else { return false };
            if small.new.contains(word) {
                return true;
            }
            if small.within.contains(word) || small.with.contains(word) || self.words.verb(word).is_some() {
                return false;
            }
        }
        false
    }
}

/// Parts of some kinds are counted by the reader; those of others have a number in print.
fn counts(kind: InstructionPartKind) -> bool {
    use InstructionPartKind::{Column, Line, Page, Paragraph, Row, Sentence};
    matches!(kind, Paragraph | Sentence | Row | Column | Line | Page)
}

/// The first one of a range.
fn first_of(named: Named) -> Named {
    match named {
        Named::Part(InstructionPart { kind, which: WhichPart::Ordinals(first, _) }) => {
            part(kind, WhichPart::Ordinals(first, first))
        }
        other => other,
    }
}

/// The clauses between two of one parent, without both: 4.2 of “4.1 to 4.3”.
fn clauses_between(first: &Named, last: &Named) -> Vec<Named> {
    /// Most clauses of a range; more are not listed by an instruction.
    const MOST: u32 = 50;
    let (Some((parent, first)), Some((other, last))) = (parent_and_number(first), parent_and_number(last))
    else {
        return Vec::new();
    };
    if parent != other || last.saturating_sub(first) > MOST {
        return Vec::new();
    }
    let dot = if parent.is_empty() { "" } else { "." };
    let mut between = Vec::new();
    for own in first + 1..last {
        between.push(clause(&format!("{parent}{dot}{own}")));
    }
    between
}

/// The number of the clause around a clause, empty for a clause of the first level, and its own: `4` and 1 of
/// `4.1`.
fn parent_and_number(named: &Named) -> Option<(&str, u32)> {
    let Named::Clause(InstructionClause::Number { number, .. }) = named else { return None };
    let (parent, own) = number.rsplit_once('.').unwrap_or(("", number));
    Some((parent, own.parse().ok()?))
}

fn clause(number: &str) -> Named {
    Named::Clause(InstructionClause::Number { number: number.to_uppercase().into(), title: None })
}

fn part(kind: InstructionPartKind, which: WhichPart) -> Named {
    Named::Part(InstructionPart { kind, which })
}
