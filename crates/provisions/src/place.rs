//! Places: which blocks may hold provisions, which must not, and which stand in procedures.

use std::collections::HashSet;

use foldhash::HashMap;
use norma_model::{Container, Section, SectionKind};

use super::language::Language;
use super::matching::Sight;
use super::phrases::Phrases;
use super::words::{Token, tokens};
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
    /// Whether it lists things, so that a word such as `filter` is a name.
    pub(super) inventory: bool,
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
///
/// Imperatives count in a clause whose title, or that of a clause around it, names a procedure or test; and in all
/// clauses that stand beside each other under the titles of which test methods are made.
pub(super) fn roles(sections: &[Section], language: Option<&Language>) -> Vec<Role> {
    let titles: Vec<Vec<Token>> =
        language.map_or_else(Vec::new, |l| sections.iter().map(|s| title(s, l)).collect());
    let methods = language.map_or_else(HashMap::default, |l| method_titles(sections, &titles, l));
    let mut roles: Vec<Role> = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
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
        let title = titles.get(index).map_or(&[][..], Vec::as_slice);
        let titled = || language.is_some_and(|l| is_titled(title, &l.procedures, l));
        let in_method = || methods.get(&section.parent).is_some_and(|found| found.len() >= METHOD_TITLES);
        let procedure =
            place == SectionPlace::Body && (parent.is_some_and(|p| p.procedure) || in_method() || titled());
        let inventory = language.is_some_and(|l| is_titled(title, &l.inventories, l));
        roles.push(Role { place, procedure, inventory: inventory || parent.is_some_and(|p| p.inventory) });
    }
    roles
}

/// So many different titles of a test method make one.
const METHOD_TITLES: usize = 3;

/// The titles of a test method under each section, by their place in the language's table.
fn method_titles(
    sections: &[Section],
    titles: &[Vec<Token>],
    language: &Language,
) -> HashMap<Option<usize>, HashSet<usize>> {
    let mut found: HashMap<Option<usize>, HashSet<usize>> = HashMap::default();
    for (section, title) in sections.iter().zip(titles) {
        if let Some(method) = language.methods.found(sight(title, language)).min() {
            found.entry(section.parent).or_default().insert(method);
        }
    }
    found
}

fn is_titled(title: &[Token], phrases: &Phrases, language: &Language) -> bool {
    phrases.found(sight(title, language)).next().is_some()
}

fn sight<'a>(title: &'a [Token], language: &Language) -> Sight<'a> {
    Sight { tokens: title, starts: &[0], closing: language.asked.closing_clause }
}

fn title(section: &Section, language: &Language) -> Vec<Token> {
    let title = section.title.as_deref().unwrap_or_default();
    tokens(title, 0..title.len(), &[], &language.lexicon)
}

/// What is done with an obligation in this block.
pub(super) fn place(block: &Block<'_>, role: Role) -> Place {
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
        | BlockKind::Dependency
        | BlockKind::Code
        | BlockKind::Other => return Place::Silent,
    };
    match role.place {
        SectionPlace::Body => Place::Counts(container),
        SectionPlace::Misplaced(where_) => Place::Reported(where_),
        SectionPlace::Silent => Place::Silent,
    }
}
