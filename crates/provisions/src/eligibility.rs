//! Eligibility of blocks: those that may have provisions, those that must not, and those that are parts of
//! procedures.

use std::collections::HashSet;

use foldhash::HashMap;
use norma_model::{Container, Section, SectionKind};

use super::language::Language;
use super::matching::SentenceView;
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
    /// An instruction of an amendment.
    Instruction,
    /// A part of the document that states nothing.
    Matter,
}

/// The role of a section, for the blocks in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Role {
    /// Set where its blocks should hold no obligation.
    misplaced: Option<Misplaced>,
    /// True if imperatives are requirements here.
    pub(super) procedure: bool,
    /// True for a section that lists things, in which a word such as `filter` is a name.
    pub(super) inventory: bool,
    /// True for a section that defines terms.
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
            Self::Instruction => ("no-provision", "an instruction that changes another document"),
            Self::Matter => ("no-provision", "a part such as the bibliography"),
        }
    }
}

/// The role of each section. Foreword, introduction and scope hand theirs down to their subsections.
///
/// Imperatives count in a clause whose title, or that of a clause around it, names a procedure or test; and
/// in all clauses that are siblings under the titles of which test methods are made.
pub(super) fn roles(sections: &[Section], language: Option<&Language>) -> Vec<Role> {
    let titles = match language {
        Some(language) => SectionTitles::of(sections, language),
        None => {
            SectionTitles { names: vec![TitleNames::default(); sections.len()], methods: HashMap::default() }
        }
    };
    let mut roles: Vec<Role> = Vec::with_capacity(sections.len());
    for (section, names) in sections.iter().zip(&titles.names) {
        let parent = section.parent.map(|parent| roles[parent]);
        let handed_down = parent.and_then(|parent| parent.misplaced);
        let misplaced = handed_down.or(misplaced_in(section));
        let is_in_procedure = parent.is_some_and(|parent| parent.procedure);
        let is_in_inventory = parent.is_some_and(|parent| parent.inventory);
        let names_procedure = names.procedure || titles.make_method(section.parent);
        roles.push(Role {
            misplaced,
            procedure: misplaced.is_none() && (is_in_procedure || names_procedure),
            terms: section.kind == SectionKind::Terms,
            inventory: names.inventory || is_in_inventory,
        });
    }
    roles
}

/// The part of the document, by the kind of a section, if it should hold no obligation.
fn misplaced_in(section: &Section) -> Option<Misplaced> {
    match section.kind {
        SectionKind::Foreword => Some(Misplaced::Foreword),
        SectionKind::Introduction => Some(Misplaced::Introduction),
        SectionKind::Scope => Some(Misplaced::Scope),
        SectionKind::Clause | SectionKind::Annex | SectionKind::Terms => None,
        SectionKind::Other if section.normative => None,
        SectionKind::Term => Some(Misplaced::Definition),
        SectionKind::Footnotes => Some(Misplaced::Footnote),
        _ => Some(Misplaced::Matter),
    }
}

/// Fewest different titles of a test method that make one.
const METHOD_TITLES: usize = 3;

/// What the titles of the sections name.
struct SectionTitles {
    /// Parallel to the sections.
    names: Vec<TitleNames>,
    /// The titles of a test method under each section, by their place in the language's table.
    methods: HashMap<Option<usize>, HashSet<usize>>,
}

/// What a title names.
#[derive(Clone, Copy, Default)]
struct TitleNames {
    procedure: bool,
    inventory: bool,
}

impl SectionTitles {
    fn of(sections: &[Section], language: &Language) -> Self {
        let mut titles = Self { names: Vec::with_capacity(sections.len()), methods: HashMap::default() };
        for section in sections {
            let tokens = title(section, language);
            let view = view(&tokens, language);
            titles.names.push(TitleNames {
                procedure: language.procedures.found(view).next().is_some(),
                inventory: language.inventories.found(view).next().is_some(),
            });
            if let Some(method) = language.methods.found(view).min() {
                titles.methods.entry(section.parent).or_default().insert(method);
            }
        }
        titles
    }

    /// True if the titles under a section make a test method together.
    fn make_method(&self, parent: Option<usize>) -> bool {
        self.methods.get(&parent).is_some_and(|titles| titles.len() >= METHOD_TITLES)
    }
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
        BlockKind::Instruction => return misplaced(Misplaced::Instruction),
        BlockKind::TermSource | BlockKind::Dependency | BlockKind::Code | BlockKind::Other => {
            return Eligibility::Ignored;
        }
    };
    match role.misplaced {
        Some(part) => misplaced(part),
        None => Eligibility::Eligible(container),
    }
}
