//! Resolution: which part of the amended edition an instruction changes, if all that it says of it is so.

use std::collections::BTreeSet;
use std::ops::Range;

use norma_model::{
    Instruction, InstructionClause, InstructionOperation, InstructionPart, InstructionPartKind,
    InstructionPosition, InstructionTarget, TextBlockKind, WhichPart,
};

use crate::edition::{AmendedBlock, AmendedEdition};
use crate::heading::is_numbered;
use crate::instruction_words::section_in_any_language;
use crate::scope::{AmendedScope, sentence};
use crate::text_words::{contains_all, same_title};

/// Why a part is not resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnresolvedReason {
    /// The instruction names no part, or in words that are not known.
    NothingNamed,
    /// The instruction names a page or line of the print.
    PageOrLine,
    /// The edition has no clause of that number or kind.
    ClauseMissing,
    /// Several clauses have that number.
    ClauseAmbiguous,
    /// The clause has another title than the heading of the amendment says.
    TitleDiffers,
    /// The clause has no such paragraph, item, table or other part.
    PartMissing,
    /// Several parts are as the instruction says.
    PartAmbiguous,
    /// The words that the instruction quotes are not there.
    WordsMissing,
}

/// An instruction compared with the amended edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResolvedInstruction {
    /// Why the part is not certain; `None` where it is resolved.
    pub reason: Option<UnresolvedReason>,
    /// The parts that it touches; where the part is not certain, the whole clause if one is named.
    pub touched: TouchedParts,
}

/// Parts of the amended edition, by their indices in its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TouchedParts {
    /// Sections that have something that is touched.
    pub sections: BTreeSet<usize>,
    /// Provisions whose text is touched.
    pub provisions: BTreeSet<u32>,
    /// Tables of which something is touched.
    pub tables: BTreeSet<usize>,
    /// Figures that are touched.
    pub figures: BTreeSet<usize>,
    /// Terms whose definition is touched.
    pub terms: BTreeSet<usize>,
}

impl AmendedEdition {
    /// Compares an instruction with the edition. Words are compared only where instruction and edition are in
    /// one language.
    pub fn resolve(&self, instruction: &Instruction) -> ResolvedInstruction {
        if instruction.targets.is_empty() {
            return self.resolve_by_words(instruction, None);
        }
        let mut resolved = ResolvedInstruction::default();
        for target in &instruction.targets {
            let one = match &target.clause {
                Some(clause) => self.resolve_in_clause(instruction, target, clause),
                None => self.resolve_without_clause(instruction, target),
            };
            resolved.reason = resolved.reason.or(one.reason);
            resolved.touched.add(one.touched);
        }
        resolved
    }

    fn in_language_of(&self, instruction: &Instruction) -> bool {
        self.languages.iter().any(|language| language == instruction.language.primary())
    }

    fn resolve_in_clause(
        &self,
        instruction: &Instruction,
        target: &InstructionTarget,
        clause: &InstructionClause,
    ) -> ResolvedInstruction {
        let same_language = self.in_language_of(instruction);
        let section = match self.section_of(clause) {
            Ok(section) => section,
            Err(reason) => return unresolved(reason, TouchedParts::default()),
        };
        let reason = match self.title_differs(section, clause, same_language) {
            Some(reason) => reason,
            None => {
                let start = AmendedScope::of_clause(self, section);
                match self.located(start, instruction, target, same_language) {
                    Ok(scope) => return self.touched(&scope, instruction, target),
                    Err(reason) => reason,
                }
            }
        };
        // Something in the clause is changed, and it is not certain what.
        unresolved(reason, self.whole(section..self.sections[section].end))
    }

    /// A table or figure has a number of its own in the whole document; otherwise the quoted words decide.
    fn resolve_without_clause(
        &self,
        instruction: &Instruction,
        target: &InstructionTarget,
    ) -> ResolvedInstruction {
        let same_language = self.in_language_of(instruction);
        let Some(first) = target.parts.first() else { return self.resolve_by_words(instruction, None) };
        let has_number = is_numbered(first.kind) && matches!(first.which, WhichPart::Number(_));
        if !has_number {
            return self.resolve_by_words(instruction, Some(first));
        }
        let start = AmendedScope::of_document(self);
        match self.located(start, instruction, target, same_language) {
            Ok(scope) => self.touched(&scope, instruction, target),
            Err(reason) => unresolved(reason, self.numbered_part(first)),
        }
    }

    /// The table or figure alone, where what is said of it is not so.
    fn numbered_part(&self, part: &InstructionPart) -> TouchedParts {
        match AmendedScope::of_document(self).narrowed(self, part) {
            Ok(scope) => scope.touched(self),
            Err(_) => TouchedParts::default(),
        }
    }

    /// Resolves by quoted words alone: they are in one block of the whole edition, which is as the part says.
    fn resolve_by_words(
        &self,
        instruction: &Instruction,
        part: Option<&InstructionPart>,
    ) -> ResolvedInstruction {
        /// Fewest characters of words that name one block of a document.
        const FEWEST: usize = 10;
        let kind = part.map(|part| part.kind);
        let nothing = match kind {
            Some(InstructionPartKind::Page | InstructionPartKind::Line) => UnresolvedReason::PageOrLine,
            _ => UnresolvedReason::NothingNamed,
        };
        let has_long_words = instruction.old_words.iter().any(|words| words.chars().count() >= FEWEST);
        let is_paragraph = matches!(kind, None | Some(InstructionPartKind::Paragraph));
        if !has_long_words || !is_paragraph || !self.in_language_of(instruction) {
            return unresolved(nothing, TouchedParts::default());
        }
        let mut found = Vec::new();
        for (section, one) in self.sections.iter().enumerate() {
            for (index, block) in one.blocks.iter().enumerate() {
                if contains_all(&block.text, &instruction.old_words) {
                    found.push((section, index));
                }
            }
        }
        let [(section, block)] = found[..] else {
            let reason = if found.is_empty() {
                UnresolvedReason::WordsMissing
            } else {
                UnresolvedReason::PartAmbiguous
            };
            return unresolved(reason, TouchedParts::default());
        };
        let scope = AmendedScope::of_block(section, block);
        // “the third paragraph” of the section with the words must be the one with the words.
        if let Some(part) = part
            && let Ok(stated) = AmendedScope::of_clause(self, section).narrowed(self, part)
            && stated.blocks != scope.blocks
        {
            return unresolved(UnresolvedReason::WordsMissing, TouchedParts::default());
        }
        ResolvedInstruction { reason: None, touched: scope.touched(self) }
    }

    /// The one section that a clause names.
    fn section_of(&self, clause: &InstructionClause) -> Result<usize, UnresolvedReason> {
        let mut found = Vec::new();
        for (index, section) in self.sections.iter().enumerate() {
            let is_meant = match clause {
                InstructionClause::Number { number, .. } => match &section.number {
                    Some(own) => own.eq_ignore_ascii_case(number),
                    None => false,
                },
                InstructionClause::Kind(kind) => section.named == Some(*kind),
            };
            if is_meant {
                found.push(index);
            }
        }
        match found[..] {
            [one] => Ok(one),
            [] => Err(UnresolvedReason::ClauseMissing),
            _ => Err(UnresolvedReason::ClauseAmbiguous),
        }
    }

    /// The reason not to resolve a clause whose title is another one than the heading of the amendment says.
    fn title_differs(
        &self,
        section: usize,
        clause: &InstructionClause,
        same_language: bool,
    ) -> Option<UnresolvedReason> {
        let InstructionClause::Number { title: Some(title), .. } = clause else { return None };
        let section = &self.sections[section];
        let named = section_in_any_language(title);
        if named.is_some() && named != section.named {
            return Some(UnresolvedReason::TitleDiffers);
        }
        // A title in another language cannot be compared.
        if !same_language {
            return None;
        }
        match &section.title {
            Some(own) if same_title(own, title) => None,
            _ => Some(UnresolvedReason::TitleDiffers),
        }
    }

    /// The scope of the innermost part, with the quoted words in it.
    fn located(
        &self,
        start: AmendedScope,
        instruction: &Instruction,
        target: &InstructionTarget,
        same_language: bool,
    ) -> Result<AmendedScope, UnresolvedReason> {
        let mut scope = start;
        for part in &target.parts {
            let is_of_table = matches!(part.kind, InstructionPartKind::Row | InstructionPartKind::Column);
            if is_of_table && part.which == WhichPart::Unstated {
                // The quoted words say which row.
                continue;
            }
            scope = match scope.narrowed(self, part) {
                Err(UnresolvedReason::PartAmbiguous) if same_language => {
                    scope.with_words(self, part, &instruction.old_words)?
                }
                other => other?,
            };
        }
        if same_language {
            scope = scope.with_all_words(self, &instruction.old_words)?;
        }
        Ok(scope)
    }

    /// What an instruction touches of the scope that it names.
    fn touched(
        &self,
        scope: &AmendedScope,
        instruction: &Instruction,
        target: &InstructionTarget,
    ) -> ResolvedInstruction {
        let brings_blocks = instruction.new_text.is_some() || instruction.text.trim_end().ends_with(':');
        let adds = instruction.operation == InstructionOperation::Add;
        let is_apart = adds && (brings_blocks || target.position != InstructionPosition::Within);
        let touched = if is_apart || instruction.operation == InstructionOperation::Renumber {
            scope.touched_around()
        } else {
            scope.touched(self)
        };
        ResolvedInstruction { reason: None, touched }
    }

    /// Everything in these sections.
    pub(crate) fn whole(&self, sections: Range<usize>) -> TouchedParts {
        let mut touched = TouchedParts::default();
        for index in sections {
            touched.sections.insert(index);
            for block in &self.sections[index].blocks {
                for (provision, _) in &block.provisions {
                    touched.provisions.insert(*provision);
                }
            }
            touched.tables.extend(indices(&self.tables, |table| table.section == index));
            touched.figures.extend(indices(&self.figures, |figure| figure.section == Some(index)));
            touched.terms.extend(indices(&self.terms, |term| term.section == index));
        }
        touched
    }
}

impl TouchedParts {
    /// Adds the parts that another instruction, or another target of one, touches.
    pub fn add(&mut self, other: Self) {
        self.sections.extend(other.sections);
        self.provisions.extend(other.provisions);
        self.tables.extend(other.tables);
        self.figures.extend(other.figures);
        self.terms.extend(other.terms);
    }
}

fn unresolved(reason: UnresolvedReason, touched: TouchedParts) -> ResolvedInstruction {
    ResolvedInstruction { reason: Some(reason), touched }
}

/// The indices of the elements that are meant.
fn indices<T>(list: &[T], is_meant: impl Fn(&T) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    for (index, one) in list.iter().enumerate() {
        if is_meant(one) {
            found.push(index);
        }
    }
    found
}

/// The sentence with a number, from 1, of a block.
pub(crate) fn sentence_of(block: &AmendedBlock, which: &WhichPart) -> Option<Range<usize>> {
    let is_text = !matches!(block.kind, TextBlockKind::Title | TextBlockKind::Caption);
    if is_text { sentence(&block.text, which) } else { None }
}
