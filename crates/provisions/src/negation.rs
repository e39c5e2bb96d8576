//! Negation: whether a word denies the verb of a provision, and which one.
//!
//! A negating word belongs to the phrase that it precedes and agrees with (“nicht beheizte Räume”, “a lid
//! with no lock”, “un volet non fixé”), or to the verb. It belongs to the verb by its position: next to the
//! auxiliary, or as a subject, an object or an adverbial of the same clause. Languages differ in the
//! positions, so that each table names one of three [systems](system::NegationSystem).

mod auxiliary;
mod middle_field;
mod particle;
pub(super) mod system;

use norma_model::ProvisionKind;

use self::system::NegationSystem;
use super::clauses::{is_finite, opens_clause};
use super::language::Language;
use super::lexicon::ListSet;
use super::matching::{Match, SentenceView};
use super::tokenizer::{Marks, SentenceToken};

/// The denial of a verb.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Denial {
    /// The tokens that deny it, in order.
    pub(super) words: Vec<usize>,
    /// True where the words deny what is asked for, and not that it is asked for: “est tenu de ne pas
    /// ouvrir”.
    pub(super) of_complement: bool,
}

/// The sentence around one verbal form.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    view: SentenceView<'a>,
    language: &'a Language,
    /// The words of the verbal form.
    form: &'a Match,
    /// The finite verb of the form, which a negation denies.
    verb: usize,
    /// The type of what the form says where it is not denied.
    kind: ProvisionKind,
    /// For each token up to the last verbal form, whether it is in a main clause; empty where all are.
    main: &'a [bool],
}

/// The words that deny the verb of a match; `None` where nothing denies it.
pub(super) fn denial(
    view: SentenceView<'_>,
    language: &Language,
    form: &Match,
    verb: usize,
    main: &[bool],
    kind: ProvisionKind,
) -> Option<Denial> {
    let around = Surroundings { view, language, form, verb, main, kind };
    match language.negation {
        NegationSystem::Auxiliary => around.denied_at_auxiliary(),
        NegationSystem::MiddleField => around.denied_in_middle_field(),
        NegationSystem::Particle => around.denied_by_particle(),
    }
}

/// Most tokens between the commas of an aside.
const LONGEST_ASIDE: usize = 24;

impl Surroundings<'_> {
    fn token(&self, at: usize) -> Option<&SentenceToken> {
        self.view.tokens.get(at)
    }

    fn is_in(&self, at: usize, list: ListSet) -> bool {
        self.token(at).is_some_and(|token| token.is_plain_word() && token.is_in(list))
    }

    fn is_mark(&self, at: usize, marks: Marks) -> bool {
        self.token(at).is_some_and(|token| token.is_mark(marks))
    }

    fn opens_clause(&self, at: usize) -> bool {
        at < self.view.tokens.len() && opens_clause(self.view, self.language, at)
    }

    fn is_finite(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| is_finite(token, self.language))
    }

    fn is_main(&self, at: usize) -> bool {
        self.main.get(at).copied().unwrap_or(true)
    }

    /// The token behind an aside whose first comma is here; `None` where no second comma follows soon.
    fn behind_aside(&self, comma: usize) -> Option<usize> {
        let last = self.view.tokens.len().min(comma + LONGEST_ASIDE);
        (comma + 1..last).find(|&at| self.is_mark(at, Marks::COMMA)).map(|at| at + 1)
    }

    /// The token behind a bracket that opens here.
    fn behind_bracket(&self, opening: usize) -> usize {
        let tokens = self.view.tokens.len();
        (opening + 1..tokens).find(|&at| self.is_mark(at, Marks::CLOSING)).map_or(tokens, |at| at + 1)
    }

    /// The token before a bracket that closes here.
    fn before_bracket(&self, closing: usize) -> usize {
        (0..closing).rev().find(|&at| self.is_mark(at, Marks::OPENING)).unwrap_or(0)
    }
}

impl Denial {
    fn of_verb(words: impl IntoIterator<Item = usize>) -> Self {
        Self { words: words.into_iter().collect(), of_complement: false }
    }

    fn of_complement(word: usize) -> Self {
        Self { words: vec![word], of_complement: true }
    }
}
