//! Places: which blocks may hold provisions, which must not, and which stand in procedures.

use norma_model::{Container, Section, SectionKind};

use super::language::Language;
use super::pattern::{Pattern, Sight};
use super::words::tokens;
use crate::blocks::{Block, BlockKind};

/// What is done with an obligation that stands in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is a provision.
    Counts(Container),
    /// It is none, and the publisher is told.
    Reported(Misplaced),
    /// It is none.
    Silent,
}

/// Where an obligation should not stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    Note,
    Example,
    Foreword,
    Introduction,
    Scope,
}

/// What a section is, for the blocks in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    place: SectionPlace,
    /// Whether imperatives are requirements here.
    pub(super) procedure: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SectionPlace {
    Body,
    Misplaced(Misplaced),
    Silent,
}

impl Misplaced {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Note => "provision-in-note",
            Self::Example => "provision-in-example",
            Self::Foreword => "provision-in-foreword",
            Self::Introduction => "provision-in-introduction",
            Self::Scope => "provision-in-scope",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Note => "a note",
            Self::Example => "an example",
            Self::Foreword => "the foreword",
            Self::Introduction => "the introduction",
            Self::Scope => "the scope",
        }
    }
}

/// The role of each section. Foreword, introduction and scope hand theirs down to their subsections.
pub(super) fn roles(sections: &[Section], language: Option<&Language>) -> Vec<Role> {
    let is_method = language.is_some_and(|l| is_test_method(sections, l));
    let mut roles: Vec<Role> = Vec::with_capacity(sections.len());
    for section in sections {
        let parent = section.parent.map(|at| roles[at]);
        let own = match section.kind {
            SectionKind::Foreword => SectionPlace::Misplaced(Misplaced::Foreword),
            SectionKind::Introduction => SectionPlace::Misplaced(Misplaced::Introduction),
            SectionKind::Scope => SectionPlace::Misplaced(Misplaced::Scope),
            SectionKind::Clause | SectionKind::Annex => SectionPlace::Body,
            SectionKind::Other if section.normative => SectionPlace::Body,
            _ => SectionPlace::Silent,
        };
        let handed = parent.map(|p| p.place).filter(|p| matches!(p, SectionPlace::Misplaced(_)));
        let place = handed.unwrap_or(own);
        let titled = || language.is_some_and(|l| is_titled(section, &l.procedures, l));
        let procedure =
            place == SectionPlace::Body && (is_method || parent.is_some_and(|p| p.procedure) || titled());
        roles.push(Role { place, procedure });
    }
    roles
}

/// A document is a test method when two of the clauses that make one are there.
fn is_test_method(sections: &[Section], language: &Language) -> bool {
    let mut found: Vec<usize> = sections
        .iter()
        .filter(|s| s.level <= 2)
        .filter_map(|s| language.methods.iter().position(|p| is_titled(s, std::slice::from_ref(p), language)))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len() >= 2
}

fn is_titled(section: &Section, patterns: &[Pattern], language: &Language) -> bool {
    let Some(title) = section.title.as_deref() else { return false };
    let tokens = tokens(title, 0..title.len(), &[], language.elision);
    let sight = Sight { tokens: &tokens, starts: &[0], lists: &language.lists };
    patterns.iter().any(|p| (0..tokens.len()).any(|at| p.follows(sight, at).is_some()))
}

/// What is done with an obligation in this block.
pub(super) fn place(block: &Block, role: Role) -> Place {
    let container = match block.kind {
        BlockKind::Paragraph | BlockKind::Amendment => Container::Paragraph,
        BlockKind::ListItem | BlockKind::DefinitionListEntry => Container::ListItem,
        BlockKind::TableCell => Container::TableCell,
        BlockKind::TableFootnote => Container::TableFootnote,
        BlockKind::Note | BlockKind::NoteToEntry | BlockKind::Warning => {
            return Place::Reported(Misplaced::Note);
        }
        BlockKind::Example => return Place::Reported(Misplaced::Example),
        BlockKind::TableHeader
        | BlockKind::Footnote
        | BlockKind::FigureKey
        | BlockKind::Caption
        | BlockKind::Title
        | BlockKind::Definition
        | BlockKind::TermSource
        | BlockKind::Quote
        | BlockKind::Code
        | BlockKind::Other => return Place::Silent,
    };
    match role.place {
        SectionPlace::Body => Place::Counts(container),
        SectionPlace::Misplaced(where_) => Place::Reported(where_),
        SectionPlace::Silent => Place::Silent,
    }
}
