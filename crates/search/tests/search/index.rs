//! Editions of tests and the index that they are put into.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::Path;

use norma_model::{Lang, ProvisionKind};
use norma_search::{
    IndexedUnit, LanguageText, Page, Scope, SearchIndex, SlotAccess, SlotKey, UnitKind, WordsAround,
};

/// Memory of an index in tests.
pub(crate) const MEMORY: usize = 15_000_000;

/// The key of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestKey {
    pub(crate) in_force: bool,
    pub(crate) date: String,
    pub(crate) reference: String,
    pub(crate) urn: String,
}

impl TestKey {
    /// The key of an edition in force with this number.
    pub(crate) fn numbered(number: u32) -> Self {
        let (reference, urn) = (format!("NSB {number}"), format!("urn:{number}"));
        Self { in_force: true, date: "2024".to_owned(), reference, urn }
    }

    fn key(&self) -> SlotKey<'_> {
        let Self { in_force, date, reference, urn } = self;
        SlotKey { in_force: *in_force, date, reference, urn }
    }
}

impl PartialOrd for TestKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for TestKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// What may be found, by slots.
pub(crate) struct TestScope<'k> {
    pub(crate) readable: BTreeSet<u32>,
    pub(crate) titles: BTreeSet<u32>,
    pub(crate) keys: &'k [TestKey],
}

impl<'k> TestScope<'k> {
    pub(crate) fn readable(slots: impl IntoIterator<Item = u32>, keys: &'k [TestKey]) -> Self {
        Self { readable: slots.into_iter().collect(), titles: BTreeSet::new(), keys }
    }
}

impl Scope for TestScope<'_> {
    fn slots(&self) -> usize {
        self.keys.len()
    }

    fn access(&self, slot: u32) -> Option<SlotAccess> {
        let has_title = self.titles.contains(&slot);
        let title = has_title.then_some(SlotAccess::Title);
        if self.readable.contains(&slot) { Some(SlotAccess::All) } else { title }
    }

    fn key(&self, slot: u32) -> SlotKey<'_> {
        self.keys[slot as usize].key()
    }
}

/// An edition with its units.
#[derive(Clone, Debug)]
pub(crate) struct TestEdition {
    pub(crate) key: TestKey,
    pub(crate) document_urn: String,
    pub(crate) language: Lang,
    pub(crate) units: Vec<TestUnit>,
}

#[derive(Clone, Debug)]
pub(crate) struct TestUnit {
    pub(crate) kind: UnitKind,
    pub(crate) provision: Option<ProvisionKind>,
    pub(crate) normative: Option<bool>,
    pub(crate) keys: Vec<String>,
    pub(crate) title: String,
    pub(crate) text: String,
    /// What is around it.
    pub(crate) context: String,
}

impl TestEdition {
    pub(crate) fn add_to(&self, index: &mut SearchIndex, slot: u32) {
        let units = self.units.iter().zip(0..).map(|(unit, at)| IndexedUnit {
            kind: unit.kind,
            index: at,
            provision: unit.provision,
            normative: unit.normative,
            keys: unit.keys.iter().map(String::as_str).collect(),
            title: vec![LanguageText::new(unit.title.as_str(), &self.language)],
            text: vec![LanguageText::new(unit.text.as_str(), &self.language)],
            context: WordsAround::of(&[LanguageText::new(unit.context.as_str(), &self.language)]),
        });
        index.add(slot, &self.key.urn, &self.document_urn.parse().unwrap(), units).unwrap();
    }
}

pub(crate) fn open(folder: &Path) -> SearchIndex {
    SearchIndex::open(folder, MEMORY, 1).unwrap()
}

pub(crate) fn first_page(limit: usize) -> Page {
    Page { limit, after: None, grouped: false, max_matches: 1_000_000, relaxes: false }
}
