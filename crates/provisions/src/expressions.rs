//! Regular expressions: several patterns in one automaton, so that one pass over a text finds which of them
//! match, and where.

use std::ops::Range;

use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::{Anchored, Input, meta};

/// Patterns that are looked for together. Of those that hold at one place the first counts.
pub(super) struct Expressions(meta::Regex);

impl Expressions {
    /// The patterns, which are constants of the program.
    pub(super) fn new(patterns: &[&str]) -> Self {
        // The search for literals took more than half of the time of making them, and they have none worth
        // looking for.
        let config = meta::Config::new().auto_prefilter(false).which_captures(WhichCaptures::Implicit);
        let regex = meta::Builder::new().configure(config).build_many(patterns);
        Self(regex.expect("the patterns are constants, and a test runs them"))
    }

    /// The first match in `text[from..]`: its pattern, and its bytes. A pattern also looks at what is before
    /// `from`.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<(usize, Range<usize>)> {
        self.search(Input::new(text).range(from..))
    }

    /// The pattern that matches at this position, and its bytes.
    pub(super) fn at(&self, text: &str, at: usize) -> Option<(usize, Range<usize>)> {
        self.search(Input::new(text).range(at..).anchored(Anchored::Yes))
    }

    fn search(&self, input: Input<'_>) -> Option<(usize, Range<usize>)> {
        let found = self.0.search(&input)?;
        Some((found.pattern().as_usize(), found.range()))
    }
}
