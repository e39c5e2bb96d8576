//! Names of what an edition amends.

use std::collections::BTreeSet;

/// What an edition says that it amends: editions by the keys of their designations, and all editions of
/// documents.
#[derive(Default)]
pub(crate) struct AmendedNames {
    pub(crate) reference_keys: BTreeSet<String>,
    pub(crate) documents: BTreeSet<String>,
}
