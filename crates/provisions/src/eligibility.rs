//! Eligibility of blocks: those that may have provisions, those that must not, and those that are parts of
//! procedures.

use std::collections::HashSet;

use foldhash::HashMap;
use norma_model::{Container, Section, SectionKind};

use super::language::Language;
use super::matching::SentenceView;
use super::phrases::PhrasePatterns;
use super::tokenizer::{SentenceToken, tokens};
use crate::blocks::{Block, BlockKind};

/// The treatment of an obligation in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eligibility {
    /// It is a provision.
    Eligible(Container),
    /// It is not a provision, and the publisher gets a diagnostic.
    Misplaced(Misplaced),
    /// It is not a provision.
    Ignored,
}

/// A part of a document that should hold no obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    Note,
    Example,
    Foreword,
    Introduction,
    Scope,
    Footnote,
    Caption,
    Heading,
    Definition,
    Quotation,
    /// A part of the document that states nothing.
    Matter,
}

/// The role of a section, for the blocks in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    /// Set where its blocks should hold no obligation.
    misplaced: Option<Misplaced>,
    /// Whether imperatives are requirements here.
    pub(super) procedure: bool,
    /// Whether it lists things, so that a word such as `filter` is a name.
    pub(super) inventory: bool,
    /// Whether it defines terms.
    pub(super) terms: bool,
}

impl Misplaced {
    /// The code of its diagnostic, and its name there.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Note => ("provision-in-note", "a note"),
            Self::Example => ("provision-in-example", "an example"),
            Self::Foreword => ("provision-in-foreword", "the foreword"),
            Self::Introduction => ("provision-in-introduction", "the introduction"),
            Self::Scope => ("provision-in-scope", "the scope"),
            Self::Footnote => ("provision-in-footnote", "a footnote"),
            Self::Caption => ("provision-in-caption", "a caption or key"),
            Self::Heading => ("provision-in-heading", "a heading"),
            Self::Definition => ("provision-in-definition", "a definition"),
            Self::Quotation => ("no-provision", "a quotation"),
            Self::Matter => ("no-provision", "a part such as the bibliography"),
        }
    }
}

/// The role of each section. Foreword, introduction and scope hand theirs down to their subsections.
///
/// Imperatives count in a clause whose title, or that of a clause around it, names a procedure or test; and
/// in all clauses that are siblings under the titles of which test methods are made.
pub(super) fn roles(sections: &[Section], language: Option<&Language>) -> Vec<Role> {
    let titles: Vec<Vec<SentenceToken>> =
        language.map_or_else(Vec::new, |l| sections.iter().map(|s| title(s, l)).collect());
    let methods = language.map_or_else(HashMap::default, |l| method_titles(sections, &titles, l));
    let mut roles: Vec<Role> = Vec::with_capacity(sections.len());
    for (index, section) in sections.iter().enumerate() {
        let parent = section.parent.map(|at| roles[at]);
        let own = match section.kind {
            SectionKind::Foreword => Some(Misplaced::Foreword),
            SectionKind::Introduction => Some(Misplaced::Introduction),
            SectionKind::Scope => Some(Misplaced::Scope),
            SectionKind::Clause | SectionKind::Annex | SectionKind::Terms => None,
            SectionKind::Other if section.normative => None,
            SectionKind::Term => Some(Misplaced::Definition),
            SectionKind::Footnotes => Some(Misplaced::Footnote),
            _ => Some(Misplaced::Matter),
        };
        let misplaced = parent.and_then(|parent| parent.misplaced).or(own);
        let title = titles.get(index).map_or(&[][..], Vec::as_slice);
        let titled = || language.is_some_and(|l| is_titled(title, &l.procedures, l));
        let in_method = || methods.get(&section.parent).is_some_and(|found| found.len() >= METHOD_TITLES);
        let procedure =
            misplaced.is_none() && (parent.is_some_and(|p| p.procedure) || in_method() || titled());
        let inventory = language.is_some_and(|l| is_titled(title, &l.inventories, l));
        roles.push(Role {
            misplaced,
            procedure,
            terms: section.kind == SectionKind::Terms,
            inventory: inventory || parent.is_some_and(|p| p.inventory),
        });
    }
    roles
}

/// Fewest different titles of a test method that make one.
const METHOD_TITLES: usize = 3;

/// The titles of a test method under each section, by their place in the language's table.
fn method_titles(
    sections: &[Section],
    titles: &[Vec<SentenceToken>],
    language: &Language,
) -> HashMap<Option<usize>, HashSet<usize>> {
    let mut found: HashMap<Option<usize>, HashSet<usize>> = HashMap::default();
    for (section, title) in sections.iter().zip(titles) {
        if let Some(method) = language.methods.found(view(title, language)).min() {
            found.entry(section.parent).or_default().insert(method);
        }
    }
    found
}

fn is_titled(title: &[SentenceToken], phrases: &PhrasePatterns, language: &Language) -> bool {
    phrases.found(view(title, language)).next().is_some()
}

fn view<'a>(title: &'a [SentenceToken], language: &Language) -> SentenceView<'a> {
    SentenceView { tokens: title, starts: &[0], closing: language.word_lists.closing_clause }
}

fn title(section: &Section, language: &Language) -> Vec<SentenceToken> {
    let title = section.title.as_deref().unwrap_or_default();
    tokens(title, 0..title.len(), &[], &language.lexicon)
}

/// The treatment of an obligation in this block.
pub(super) fn eligibility(block: &Block<'_>, role: Role) -> Eligibility {
    let misplaced = Eligibility::Misplaced;
    let container = match block.kind {
        BlockKind::Paragraph | BlockKind::Amendment => Container::Paragraph,
        BlockKind::ListItem | BlockKind::DefinitionListEntry => Container::ListItem,
        BlockKind::TableCell => Container::TableCell,
        BlockKind::TableFootnote => Container::TableFootnote,
        BlockKind::Note | BlockKind::NoteToEntry | BlockKind::Warning => return misplaced(Misplaced::Note),
        BlockKind::Example => return misplaced(Misplaced::Example),
        BlockKind::Footnote => return misplaced(Misplaced::Footnote),
        BlockKind::FigureKey | BlockKind::Caption => return misplaced(Misplaced::Caption),
        BlockKind::TableHeader | BlockKind::Title => return misplaced(Misplaced::Heading),
        BlockKind::Definition => return misplaced(Misplaced::Definition),
        BlockKind::Quote => return misplaced(Misplaced::Quotation),
        BlockKind::TermSource | BlockKind::Dependency | BlockKind::Code | BlockKind::Other => {
            return Eligibility::Ignored;
        }
    };
    role.misplaced.map_or(Eligibility::Eligible(container), misplaced)
}
