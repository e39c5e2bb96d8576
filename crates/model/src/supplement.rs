//! Kinds of supplements, which metadata and URNs name.

/// Kind of supplement, with its code in URNs (RFC 5141, `suppltype`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SupplementKind {
    /// An amendment, which changes content: `amd`.
    Amendment,
    /// A corrigendum, which corrects errors: `cor`.
    Corrigendum,
    /// An addendum, which adds content: `add`.
    Addendum,
}

impl SupplementKind {
    /// The code in URNs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Amendment => "amd",
            Self::Corrigendum => "cor",
            Self::Addendum => "add",
        }
    }

    /// The kind with this code, in lower case.
    pub fn from_code(code: &str) -> Option<Self> {
        [Self::Amendment, Self::Corrigendum, Self::Addendum].into_iter().find(|kind| kind.code() == code)
    }
}
