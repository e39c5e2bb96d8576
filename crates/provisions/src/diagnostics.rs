//! Diagnostics of a document in the order in which they are found: the first of each kind, and how many there
//! were.

use std::collections::BTreeMap;

/// A diagnostic while the document is read: code, sentence, and a position in the present text (a byte of the
/// source or of the repaired text, a block).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawDiagnostic {
    /// Stable code in kebab case.
    pub code: &'static str,
    /// Where the flaw is, in bytes or as the index of a block.
    pub at: usize,
    /// The flaw, as a sentence.
    pub message: String,
}

/// Diagnostics in the order in which they are found: the first of each kind, and the number of all.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    most: usize,
    listed: Vec<RawDiagnostic>,
    /// How many of each kind, and the place of the last that is listed.
    found: BTreeMap<&'static str, (usize, usize)>,
}

impl Diagnostics {
    /// An empty list, for this number of each kind.
    pub fn new(most: usize) -> Self {
        Self { most, listed: Vec::new(), found: BTreeMap::new() }
    }

    /// Adds a diagnostic: its code, the position, and the flaw as a sentence.
    pub fn add(&mut self, code: &'static str, at: usize, message: impl Into<String>) {
        let (found, last) = self.found.entry(code).or_default();
        *found += 1;
        if *found <= self.most {
            *last = at;
            self.listed.push(RawDiagnostic { code, at, message: message.into() });
        }
    }

    /// True while no diagnostic is found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Adds the diagnostics of another part of the document, with the number of those that it does not list.
    pub fn extend(&mut self, other: Self) {
        for RawDiagnostic { code, at, message } in other.listed {
            self.add(code, at, message);
        }
        for (code, (found, _)) in other.found {
            let listed = found.min(other.most);
            self.found.entry(code).or_default().0 += found - listed;
        }
    }

    /// The listed diagnostics, then one for each kind with more of them.
    pub fn listed(self) -> impl Iterator<Item = RawDiagnostic> {
        let Self { most, listed, found } = self;
        let further = found.into_iter().filter(move |(_, (found, _))| *found > most);
        let further = further.map(move |(code, (found, at))| {
            let message = format!("`{code}` was found {found} times; the first {most} are listed");
            RawDiagnostic { code: "further-flaws", at, message }
        });
        listed.into_iter().chain(further)
    }
}
