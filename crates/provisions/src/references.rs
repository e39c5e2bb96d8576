//! References of a provision: cross-references and citations in markup, and those in plain words (`see 4.2`,
//! `ISO 12100:2010, 6.2`, `Anhang B`).

mod atoms;
mod designations;
mod grammar;
mod locality_list;
mod others;
mod parts;
mod plain;

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::label::number_of;
use norma_model::whitespace::collapse;
use norma_model::{PartialUrn, Reference, ReferenceTarget};

use super::expressions::Expressions;
use super::input::Input;
use crate::blocks::{CrossReferenceTarget, ReferencedPartKind, TokenSpan};
use atoms::{Atom, atoms};
use grammar::{Locality, Plain};
use parts::{PartEntries, PartEntry};
pub use plain::plain_references;

/// `this part of` and the like before the designation of the document itself.
static THIS_PART_OF: LazyLock<Expressions> = LazyLock::new(|| {
    let pattern = r"(?:[Tt]his|[Tt]he present|[Ll]a présente|[Cc]ette|[Dd]ieser?|[Dd]iesem|[Dd]ieses) (?:[Pp]art|[Pp]artie|Teils?) (?:of|de l[’']|de la|de|der|von) ?$";
    Expressions::new(&[pattern])
});

/// Longest text of `this part of` before a designation, in bytes.
const LONGEST_BEFORE: usize = 40;

/// Number of blocks around a sentence in which a table or an item is searched that it names by its position.
const NEIGHBOURHOOD: usize = 64;

/// One mention: its target, and its value for the id of the provision.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    /// Bytes of the section's text.
    range: Range<usize>,
    /// The targets, one for each part or document that is named.
    refers: Vec<Refers>,
    /// Stretches that enter the id as something else than printed, in order.
    pub(super) tokens: Vec<(Range<usize>, String)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Refers {
    target: Option<ReferenceTarget>,
    /// Year or date of another document, as cited.
    date: Option<String>,
    /// Bytes of the text for a part of another document.
    clause: Option<Range<usize>>,
    itself: bool,
}

/// Reads the references of an edition's sentences.
pub(super) struct References<'a> {
    input: &'a Input<'a>,
    parts: PartEntries<'a>,
    /// Year or date of the document's own reference.
    year: Option<String>,
}

/// A document that a text cites, among its words.
struct CitedDocument<'u> {
    urn: &'u PartialUrn,
    /// Year or date as cited.
    year: Option<&'u str>,
    /// First byte of the citation.
    start: usize,
    /// One past the last byte of its designation.
    designation: usize,
    /// One past the last byte that is read.
    end: usize,
    /// Bytes within which its words and localities are.
    limits: Range<usize>,
}

impl<'a> References<'a> {
    pub(super) fn new(input: &'a Input<'a>) -> Self {
        let parts = PartEntries::new(input.sections, input.tables, input.graphics, input.numbered);
        let year = PartialUrn::from_reference(input.reference).and_then(|citation| citation.year);
        Self { input, parts, year }
    }

    /// The references in a part of a block, in order and without overlap.
    pub(super) fn mentions(&self, block: usize, range: Range<usize>, spans: &[&TokenSpan]) -> Vec<Mention> {
        let text = &self.input.sections[self.input.blocks[block].section].text;
        let of_oiml = self.input.urn.publisher() == "oiml";
        let atoms = atoms(text, range.clone(), of_oiml, spans);
        let mut mentions = Vec::new();
        let mut at = range.start;
        for (index, (bytes, atom)) in atoms.iter().enumerate() {
            let mut plain = plain(text, at..bytes.start.max(at));
            at = at.max(bytes.end);
            let mention = match atom {
                Atom::Parts(targets) => {
                    let start = start_with_word(&mut plain, bytes.start);
                    Some(self.marked(start..bytes.end, targets))
                }
                Atom::Document { urn, year, designation } => {
                    let next = atoms.get(index + 1).map_or(range.end, |(next, _)| next.start);
                    let citation = CitedDocument {
                        urn,
                        year: year.as_deref(),
                        start: bytes.start,
                        designation: *designation,
                        end: at,
                        limits: range.start..if *designation < bytes.end { bytes.end } else { next },
                    };
                    let mention = self.cited(block, text, &citation, &mut plain);
                    at = mention.range.end;
                    Some(mention)
                }
                Atom::Documents(documents) => Some(several(bytes.clone(), documents)),
                Atom::Other(words) => {
                    let token = words.map(|words| (bytes.clone(), token("reference", words)));
                    let refers = vec![Refers::default()];
                    Some(Mention { range: bytes.clone(), refers, tokens: token.into_iter().collect() })
                }
                Atom::Opaque => None,
            };
            self.read(block, text, plain, &mut mentions);
            mentions.extend(mention);
        }
        self.read(block, text, plain(text, at.min(range.end)..range.end), &mut mentions);
        mentions
    }

    /// A cited document with the localities before or behind its designation: `Clause 4 of ISO 9001`,
    /// `ISO 9001, Clause 4`. A locality before it is taken from the plain references.
    fn cited(
        &self,
        block: usize,
        text: &str,
        citation: &CitedDocument<'_>,
        plain: &mut Vec<(Range<usize>, Plain)>,
    ) -> Mention {
        let &CitedDocument { urn, year, designation, .. } = citation;
        let nearest = text.floor_char_boundary(citation.start.saturating_sub(LONGEST_BEFORE));
        let this_part = THIS_PART_OF.find(&text[..citation.start], nearest.max(citation.limits.start));
        let mut start = this_part.as_ref().map_or(citation.start, |(_, found)| found.start);
        let mut end = citation.end;
        let before = plain.pop_if(|(range, found)| {
            let is_locality = matches!(found, Plain::Localities { .. });
            is_locality && range.end <= start && grammar::is_of(&text[range.end..start])
        });
        let localities = if let Some((range, Plain::Localities { localities, .. })) = before {
            start = range.start;
            localities
        } else {
            grammar::tail(text, designation, citation.limits.end).unwrap_or_default()
        };
        // Localities behind the designation are a part of what is read.
        if let (Some(first), Some(last)) = (localities.first(), localities.last())
            && first.range.start >= designation
        {
            let opens_bracket = text[designation..first.range.start].contains('(');
            let is_bracketed = opens_bracket && text[last.range.end..].starts_with(')');
            end = end.max(last.range.end + usize::from(is_bracketed));
        }
        let itself = this_part.is_some() || self.is_own(urn, year);
        if itself && !localities.is_empty() {
            return self.localities(block, start..end, &localities, true);
        }
        document(start..end, urn, year, &localities, itself)
    }

    /// The references that mentions make, as they read.
    pub(super) fn references(text: &str, mentions: &[Mention]) -> Vec<Reference> {
        let mut references = Vec::new();
        for mention in mentions {
            if is_spoken_of(text, mention) {
                continue;
            }
            let words = collapse(&text[mention.range.clone()]);
            for refers in &mention.refers {
                references.push(Reference {
                    text: words.clone(),
                    target: refers.target.clone(),
                    date: refers.date.clone(),
                    clause: refers.clause.clone().map(|clause| collapse(&text[clause])),
                    itself: refers.itself,
                });
            }
        }
        references
    }

    /// The words of the mentions, as they read.
    pub(super) fn words(text: &str, mentions: &[Mention]) -> Vec<String> {
        mentions.iter().map(|mention| collapse(&text[mention.range.clone()])).collect()
    }

    /// Adds what plain text refers to.
    fn read(&self, block: usize, text: &str, plain: Vec<(Range<usize>, Plain)>, mentions: &mut Vec<Mention>) {
        let mut plain = plain.into_iter().peekable();
        while let Some((range, found)) = plain.next() {
            match found {
                Plain::Localities { localities, sure, announced } => {
                    let itself = plain.next_if(|(next, found)| {
                        *found == Plain::Itself && may_join_itself(&text[range.end..next.start])
                    });
                    let whole = match &itself {
                        Some((itself, _)) => range.start..itself.end,
                        None => range.clone(),
                    };
                    let kind = localities[localities.len() - 1].kind;
                    let mention = if itself.is_none() && others::is_of_other(text, &range, kind) {
                        Mention { range: whole, refers: vec![Refers::default()], tokens: Vec::new() }
                    } else {
                        self.localities(block, whole, &localities, itself.is_some())
                    };
                    let resolved = mention.refers.iter().any(|refers| refers.target.is_some());
                    // A bare number may be a value, unless a part of the document has it.
                    if announced || itself.is_some() || sure && resolved {
                        mentions.push(mention);
                    }
                }
                Plain::Near { kind, above } => mentions.push(self.near(block, range, kind, above)),
                Plain::Itself => {
                    let refers = vec![Refers { itself: true, ..Refers::default() }];
                    mentions.push(Mention { range, refers, tokens: Vec::new() });
                }
                Plain::Word => {}
            }
        }
    }

    /// A cross-reference in markup.
    fn marked(&self, range: Range<usize>, targets: &[CrossReferenceTarget]) -> Mention {
        if targets.is_empty() {
            return Mention { range, refers: vec![Refers::default()], tokens: Vec::new() };
        }
        let mut refers = Vec::with_capacity(targets.len());
        let mut meaning = String::new();
        for target in targets {
            let part = ReferenceTarget::Part(target.id.clone());
            refers.push(Refers { target: Some(part), ..Refers::default() });
            meaning += &match (target.within, self.parts.by_id(&target.id)) {
                (Some(kind), _) => token(kind.name(), ""),
                (None, Some(part)) => part_token(&part),
                (None, None) => token("part", ""),
            };
        }
        Mention { tokens: vec![(range.clone(), meaning)], range, refers }
    }

    /// A list of places within this document.
    fn localities(
        &self,
        block: usize,
        range: Range<usize>,
        localities: &[Locality],
        itself: bool,
    ) -> Mention {
        let parts: Vec<Option<PartEntry<'a>>> =
            localities.iter().map(|locality| self.part(block, locality)).collect();
        let mut refers: Vec<Refers> = Vec::new();
        let mut tokens = Vec::new();
        for (index, (locality, part)) in localities.iter().zip(&parts).enumerate() {
            let Some(part) = part else {
                refers.push(Refers { itself, ..Refers::default() });
                continue;
            };
            let begin = if locality.ends_range && index > 0 { parts[index - 1] } else { None };
            let named = match begin {
                // The first part of the range is among those that are named before.
                Some(begin) => self.parts.range(begin, *part).into_iter().skip(1).collect(),
                None => vec![*part],
            };
            for part in named {
                let target = Some(ReferenceTarget::Part(part.id.to_owned()));
                refers.push(Refers { target, itself, ..Refers::default() });
            }
            tokens.push((locality.range.clone(), locality_token(locality, part)));
        }
        Mention { range, refers, tokens }
    }

    /// The part of this document that a locality names. A numbered paragraph is looked for as `6(2)` before
    /// the clause around it. The number may carry its item, as in `4.2 a)`; only the part before that is
    /// looked for.
    fn part(&self, block: usize, locality: &Locality) -> Option<PartEntry<'a>> {
        match locality.kind {
            ReferencedPartKind::Item => self.section_of_item(block, locality),
            ReferencedPartKind::Clause | ReferencedPartKind::Annex => {
                let is_of_number = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '.';
                let end = locality.number.find(|c: char| !is_of_number(c)).unwrap_or(locality.number.len());
                let number = locality.number[..end].trim_end_matches('.');
                if let Some(paragraph) = &locality.paragraph {
                    let numbered = format!("{number}({paragraph})");
                    let part = self.parts.by_number(ReferencedPartKind::Clause, &numbered);
                    if part.is_some() {
                        return part;
                    }
                }
                self.parts.by_number(locality.kind, number)
            }
            kind => self.parts.by_number(kind, &locality.number),
        }
    }

    /// The section of a block, if it has an item with that label near the block.
    fn section_of_item(&self, block: usize, locality: &Locality) -> Option<PartEntry<'a>> {
        let Input { blocks, sections, .. } = self.input;
        let section = blocks[block].section;
        let label = locality.number.rsplit(char::is_whitespace).next().unwrap_or_default();
        let label = number_of(label);
        for block in &blocks[block.saturating_sub(NEIGHBOURHOOD)..(block + NEIGHBOURHOOD).min(blocks.len())] {
            if block.section != section {
                continue;
            }
            let item = block.item.as_ref().and_then(|item| item.label.as_deref());
            if item.is_some_and(|item| number_of(item) == label) {
                return self.parts.by_id(sections[section].id.as_str());
            }
        }
        None
    }

    /// A table or figure by its position.
    fn near(&self, block: usize, range: Range<usize>, kind: ReferencedPartKind, above: bool) -> Mention {
        let part = match kind {
            ReferencedPartKind::Table => self.table_near(block, above),
            _ => self.parts.figure_of(self.input.blocks[block].section),
        };
        let Some(part) = part else {
            return Mention { range, refers: vec![Refers::default()], tokens: Vec::new() };
        };
        let target = Some(ReferenceTarget::Part(part.id.to_owned()));
        let refers = vec![Refers { target, ..Refers::default() }];
        Mention { tokens: vec![(range.clone(), part_token(&part))], range, refers }
    }

    /// The nearest table of the section above or below a block, other than the one that it is in.
    fn table_near(&self, block: usize, above: bool) -> Option<PartEntry<'a>> {
        let blocks = self.input.blocks;
        for distance in 1..=NEIGHBOURHOOD {
            let at = if above { block.checked_sub(distance)? } else { block + distance };
            let other = blocks.get(at)?;
            if other.section != blocks[block].section || other.table == blocks[block].table {
                continue;
            }
            if let Some(table) = other.table {
                return self.parts.table(table as usize);
            }
        }
        None
    }

    /// True if a citation names this document: the same, with the year of its own reference or without a
    /// year.
    fn is_own(&self, urn: &PartialUrn, year: Option<&str>) -> bool {
        if urn.document_urn() != self.input.urn.document_urn() {
            return false;
        }
        if let (Some(cited), Some(own)) = (year, self.year.as_deref())
            && cited != own
        {
            return false;
        }
        urn.edition().is_none_or(|edition| edition == self.input.urn.edition())
    }
}

/// The start of a marked reference with the word for a part directly before it, which is taken from the plain
/// references.
fn start_with_word(plain: &mut Vec<(Range<usize>, Plain)>, start: usize) -> usize {
    match plain.pop_if(|(range, found)| *found == Plain::Word && range.end == start) {
        Some((word, _)) => word.start,
        None => start,
    }
}

/// “a single table shall be designated ‘Table 1’”: a name that is spoken of.
fn is_spoken_of(text: &str, mention: &Mention) -> bool {
    text[..mention.range.start].ends_with(['“', '„', '«', '‘'])
        && text[mention.range.end..].starts_with(['”', '“', '»', '’'])
}

/// The value of a locality of this document for the id.
/// True if a text between a part and the document joins them: `Clause 5 of this document`.
fn may_join_itself(between: &str) -> bool {
    between.trim().is_empty() || grammar::is_of(between)
}

fn locality_token(locality: &Locality, part: &PartEntry<'_>) -> String {
    let item = token(ReferencedPartKind::Item.name(), "");
    match locality.kind {
        ReferencedPartKind::Item => item,
        // “4.2 b)”
        ReferencedPartKind::Clause | ReferencedPartKind::Annex if locality.number.ends_with(')') => {
            part_token(part) + &item
        }
        _ => part_token(part),
    }
}

/// Another document, or this one as a whole.
fn document(
    range: Range<usize>,
    urn: &PartialUrn,
    year: Option<&str>,
    localities: &[Locality],
    itself: bool,
) -> Mention {
    let clause = match localities {
        [] => None,
        // `Clause 6` of a document is the same as its `6`.
        [one] if one.kind == ReferencedPartKind::Clause => Some(one.start..one.range.end),
        [first, ..] => Some(first.range.start..localities[localities.len() - 1].range.end),
    };
    let mut words = [urn.as_str(), ":", year.unwrap_or_default()].concat();
    for locality in localities {
        words += if locality.ends_range { "-" } else { "," };
        words += locality.kind.name();
        words += locality.number.trim_matches(['(', ')']);
    }
    Mention {
        tokens: vec![(range.clone(), token("document", &words))],
        range,
        refers: vec![Refers {
            target: Some(ReferenceTarget::Urn(urn.clone())),
            date: year.map(str::to_owned),
            clause,
            itself,
        }],
    }
}

/// Several other documents, as wholes.
fn several(range: Range<usize>, documents: &[(&PartialUrn, Option<String>)]) -> Mention {
    let mut words = Vec::with_capacity(documents.len());
    let mut refers = Vec::with_capacity(documents.len());
    for (urn, year) in documents {
        words.push(format!("{urn}:{}", year.as_deref().unwrap_or_default()));
        let target = Some(ReferenceTarget::Urn((*urn).clone()));
        refers.push(Refers { target, date: year.clone(), ..Refers::default() });
    }
    Mention { tokens: vec![(range.clone(), token("document", &words.join(",")))], range, refers }
}

/// The value of a reference for the id: its kind and words, separated from everything that can be printed.
fn token(kind: &str, words: &str) -> String {
    ["\u{1e}", kind, "\u{1e}", words, "\u{1e}"].concat()
}

fn part_token(part: &PartEntry<'_>) -> String {
    token(part.kind.name(), part.title.unwrap_or_default())
}

/// The plain references of a stretch of text, in order.
fn plain(text: &str, range: Range<usize>) -> Vec<(Range<usize>, Plain)> {
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some((bytes, reference)) = grammar::next(text, at, range.end) {
        at = bytes.end;
        found.push((bytes, reference));
    }
    found
}
