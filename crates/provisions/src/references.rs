//! References of a provision: cross-references and citations in markup, and those in plain words (`see 4.2`,
//! `ISO 12100:2010, 6.2`, `Anhang B`).

mod designations;
mod grammar;
mod others;
mod parts;

use std::ops::Range;
use std::sync::LazyLock;

use norma_model::label::number_of;
use norma_model::whitespace::collapse;
use norma_model::{PartialUrn, Reference, ReferenceTarget};

use super::expressions::Expressions;
use super::input::Input;
use crate::blocks::{CrossReferenceTarget, ReferencedPartKind, SpanKind, TokenSpan};
use designations::{designation, designations};
use grammar::{Locality, Plain};
use parts::{PartEntries, PartEntry};

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
    /// The targets.
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

/// A part of a text with a meaning of its own; plain text between such parts is read separately.
enum Atom<'s> {
    /// Parts of this document.
    Parts(&'s [CrossReferenceTarget]),
    /// Another document, with the end of its designation.
    Document { urn: PartialUrn, year: Option<String>, designation: usize },
    /// Other documents that one mark names, each with the year as cited.
    Documents(Vec<(&'s PartialUrn, Option<String>)>),
    /// An entry of the bibliography that is not a standard, by its words; `None` for a citation without known
    /// words.
    Other(Option<&'s str>),
    /// A formula, code, a footnote mark.
    Opaque,
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
                    let word =
                        plain.pop_if(|(range, found)| *found == Plain::Word && range.end == bytes.start);
                    let start = word.map_or(bytes.start, |(word, _)| word.start);
                    Some(self.marked(start..bytes.end, targets))
                }
                Atom::Document { urn, year, designation } => {
                    let head =
                        text.floor_char_boundary(bytes.start.saturating_sub(LONGEST_BEFORE)).max(range.start);
                    let this_part = THIS_PART_OF.find(&text[..bytes.start], head);
                    let mut start = this_part.as_ref().map_or(bytes.start, |(_, found)| found.start);
                    let before = plain.pop_if(|(range, found)| {
                        matches!(found, Plain::Localities { .. })
                            && range.end <= start
                            && grammar::is_of(&text[range.end..start])
                    });
                    let mut localities = Vec::new();
                    if let Some((range, Plain::Localities { localities: before, .. })) = before {
                        (start, localities) = (range.start, before);
                    } else {
                        let next = atoms.get(index + 1).map_or(range.end, |(next, _)| next.start);
                        let end = if *designation < bytes.end { bytes.end } else { next };
                        localities.extend(grammar::tail(text, *designation, end).into_iter().flatten());
                        if let (Some(first), Some(last)) = (localities.first(), localities.last()) {
                            let bracket = text[*designation..first.range.start].contains('(')
                                && text[last.range.end..].starts_with(')');
                            at = at.max(last.range.end + usize::from(bracket));
                        }
                    }
                    let itself = this_part.is_some() || self.is_own(urn, year.as_deref());
                    Some(match itself && !localities.is_empty() {
                        true => self.localities(block, start..at, &localities, true),
                        false => document(start..at, urn, year.as_deref(), &localities, itself),
                    })
                }
                Atom::Documents(documents) => Some(several(bytes.clone(), documents)),
                Atom::Other(words) => Some(Mention {
                    range: bytes.clone(),
                    refers: vec![Refers::default()],
                    tokens: words
                        .map(|words| (bytes.clone(), token("reference", words)))
                        .into_iter()
                        .collect(),
                }),
                Atom::Opaque => None,
            };
            self.read(block, text, plain, &mut mentions);
            mentions.extend(mention);
        }
        self.read(block, text, plain(text, at.min(range.end)..range.end), &mut mentions);
        mentions
    }

    /// The references that mentions make, as they read.
    pub(super) fn references(text: &str, mentions: &[Mention]) -> Vec<Reference> {
        // “a single table shall be designated ‘Table 1’”: a name that is spoken of.
        let spoken_of = |mention: &&Mention| {
            text[..mention.range.start].ends_with(['“', '„', '«', '‘'])
                && text[mention.range.end..].starts_with(['”', '“', '»', '’'])
        };
        let each = |mention: &Mention| {
            let words = collapse(&text[mention.range.clone()]);
            let reference = move |refers: &Refers| Reference {
                text: words.clone(),
                target: refers.target.clone(),
                date: refers.date.clone(),
                clause: refers.clause.clone().map(|clause| collapse(&text[clause])),
                itself: refers.itself,
            };
            mention.refers.iter().map(reference).collect::<Vec<_>>()
        };
        mentions.iter().filter(|mention| !spoken_of(mention)).flat_map(each).collect()
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
                    // `Clause 5 of this document`
                    let itself = plain.next_if(|(next, found)| {
                        let between = &text[range.end..next.start];
                        *found == Plain::Itself && (between.trim().is_empty() || grammar::is_of(between))
                    });
                    let whole = range.start..itself.as_ref().map_or(range.end, |(itself, _)| itself.end);
                    let kind = localities[localities.len() - 1].kind;
                    let mention = if itself.is_none() && others::is_of_other(text, &range, kind) {
                        Mention { range: whole, refers: vec![Refers::default()], tokens: Vec::new() }
                    } else {
                        self.localities(block, whole, &localities, itself.is_some())
                    };
                    let resolved = mention.refers.iter().any(|refers| refers.target.is_some());
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
        let of = |target: &CrossReferenceTarget| match target.within {
            Some(kind) => token(kind.name(), ""),
            None => self.parts.by_id(&target.id).map_or_else(|| token("part", ""), |part| part_token(&part)),
        };
        let tokens = (!targets.is_empty()).then(|| (range.clone(), targets.iter().map(of).collect()));
        let refer = |target: &CrossReferenceTarget| Refers {
            target: Some(ReferenceTarget::Part(target.id.clone())),
            ..Refers::default()
        };
        let mut refers: Vec<Refers> = targets.iter().map(refer).collect();
        if refers.is_empty() {
            refers.push(Refers::default());
        }
        Mention { range, refers, tokens: tokens.into_iter().collect() }
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
            let from = index.checked_sub(1).filter(|_| locality.ends_range).and_then(|before| parts[before]);
            let named = from.map_or_else(
                || vec![*part],
                |from| self.parts.range(from, *part).into_iter().skip(1).collect(),
            );
            refers.extend(named.into_iter().map(|part| Refers {
                target: Some(ReferenceTarget::Part(part.id.to_owned())),
                date: None,
                clause: None,
                itself,
            }));
            let mut enters = match locality.kind {
                ReferencedPartKind::Item => String::new(),
                _ => part_token(part),
            };
            if locality.number.ends_with(')')
                && matches!(
                    locality.kind,
                    ReferencedPartKind::Item | ReferencedPartKind::Clause | ReferencedPartKind::Annex
                )
            {
                enters += &token(ReferencedPartKind::Item.name(), "");
            }
            tokens.push((locality.range.clone(), enters));
        }
        Mention { range, refers, tokens }
    }

    /// The part of this document that a place names.
    fn part(&self, block: usize, locality: &Locality) -> Option<PartEntry<'a>> {
        let Input { blocks, sections, .. } = self.input;
        match locality.kind {
            ReferencedPartKind::Item => {
                let section = blocks[block].section;
                let label = locality.number.rsplit(char::is_whitespace).next().unwrap_or_default();
                let has_label = |block: &crate::blocks::Block<'_>| {
                    let item = block.item.as_ref().and_then(|item| item.label.as_deref());
                    item.is_some_and(|item| number_of(item) == number_of(label))
                };
                let around = block.saturating_sub(NEIGHBOURHOOD)..(block + NEIGHBOURHOOD).min(blocks.len());
                let found = blocks[around].iter().any(|block| block.section == section && has_label(block));
                found.then(|| self.parts.by_id(sections[section].id.as_str()))?
            }
            ReferencedPartKind::Clause | ReferencedPartKind::Annex => {
                let end = locality
                    .number
                    .find(|c: char| !(c.is_ascii_digit() || c.is_ascii_uppercase() || c == '.'));
                let number = locality.number[..end.unwrap_or(locality.number.len())].trim_end_matches('.');
                let paragraph = locality.paragraph.as_ref().map(|paragraph| format!("{number}({paragraph})"));
                let paragraph =
                    paragraph.and_then(|number| self.parts.by_number(ReferencedPartKind::Clause, &number));
                paragraph.or_else(|| self.parts.by_number(locality.kind, number))
            }
            kind => self.parts.by_number(kind, &locality.number),
        }
    }

    /// A table or figure by its position.
    fn near(&self, block: usize, range: Range<usize>, kind: ReferencedPartKind, above: bool) -> Mention {
        let blocks = self.input.blocks;
        let section = blocks[block].section;
        let part = match kind {
            ReferencedPartKind::Table => {
                let table = |at: usize| {
                    let other =
                        blocks.get(at).filter(|b| b.section == section && b.table != blocks[block].table)?;
                    other.table
                };
                let found = match above {
                    true => (1..=NEIGHBOURHOOD.min(block)).find_map(|n| table(block - n)),
                    false => (1..=NEIGHBOURHOOD).find_map(|n| table(block + n)),
                };
                found.and_then(|table| self.parts.table(table as usize))
            }
            _ => self.parts.figure_of(section),
        };
        let target = part.map(|part| ReferenceTarget::Part(part.id.to_owned()));
        let tokens = part.map(|part| (range.clone(), part_token(&part)));
        Mention {
            range,
            refers: vec![Refers { target, ..Refers::default() }],
            tokens: tokens.into_iter().collect(),
        }
    }

    /// Whether a citation names this document: the same, with the year of its own reference or without a
    /// year.
    fn is_own(&self, urn: &PartialUrn, year: Option<&str>) -> bool {
        let same_year = || year.zip(self.year.as_deref()).is_none_or(|(cited, own)| cited == own);
        let same_edition = || urn.edition().is_none_or(|edition| edition == self.input.urn.edition());
        urn.document_urn() == self.input.urn.document_urn() && same_year() && same_edition()
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
    let clause =
        localities.first().zip(localities.last()).map(|(first, last)| first.range.start..last.range.end);
    // `Clause 6` of a document is the same as its `6`.
    let number_alone = |locality: &Locality| {
        let start =
            if locality.kind == ReferencedPartKind::Clause { locality.start } else { locality.range.start };
        start..locality.range.end
    };
    let clause = match localities {
        [one] => Some(number_alone(one)),
        _ => clause,
    };
    let named = localities.iter().flat_map(|locality| {
        let joined = if locality.ends_range { "-" } else { "," };
        [joined, locality.kind.name(), locality.number.trim_matches(['(', ')'])]
    });
    let designation = [urn.as_str(), ":", year.unwrap_or_default()].into_iter();
    let words: String = designation.chain(named).collect();
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
    let words = documents.iter().map(|(urn, year)| format!("{urn}:{}", year.as_deref().unwrap_or_default()));
    let refers = |(urn, year): &(&PartialUrn, Option<String>)| Refers {
        target: Some(ReferenceTarget::Urn((*urn).clone())),
        date: year.clone(),
        ..Refers::default()
    };
    Mention {
        tokens: vec![(range.clone(), token("document", &words.collect::<Vec<_>>().join(",")))],
        range,
        refers: documents.iter().map(refers).collect(),
    }
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
    let mut at = range.start;
    let found = std::iter::from_fn(|| {
        let found = grammar::next(text, at, range.end)?;
        at = found.0.end;
        Some(found)
    });
    found.collect()
}

/// The stretches of a text that have a meaning of their own: marked ones, and designations of standards
/// between them.
fn atoms<'s>(
    text: &str,
    range: Range<usize>,
    of_oiml: bool,
    spans: &[&'s TokenSpan],
) -> Vec<(Range<usize>, Atom<'s>)> {
    let mut atoms = Vec::new();
    let mut at = range.start;
    // A marked term is text like any other.
    for span in spans.iter().filter(|span| !matches!(span.kind, SpanKind::Term { .. })) {
        if at < span.range.start {
            designations(text, at..span.range.start, of_oiml, &mut atoms);
        }
        at = at.max(span.range.end);
        let atom = match &span.kind {
            SpanKind::CrossReference { targets } => Atom::Parts(targets),
            SpanKind::Citation { cited, listed } => {
                let mut documents =
                    cited.iter().filter_map(|cited| Some((cited.urn.as_ref()?, cited.date.clone())));
                match (documents.next(), documents.next()) {
                    (Some((urn, year)), None) => {
                        let printed = designation(&text[..span.range.end], span.range.start);
                        let designation = printed.map_or(span.range.end, |found| found.end);
                        Atom::Document { urn: urn.clone(), year, designation }
                    }
                    (Some(first), Some(second)) => {
                        Atom::Documents([first, second].into_iter().chain(documents).collect())
                    }
                    (None, _) => {
                        let first = cited.first().filter(|_| *listed);
                        Atom::Other(first.map(|cited| cited.reference.as_str()))
                    }
                }
            }
            _ => Atom::Opaque,
        };
        atoms.push((span.range.clone(), atom));
    }
    if at < range.end {
        designations(text, at..range.end, of_oiml, &mut atoms);
    }
    atoms
}
