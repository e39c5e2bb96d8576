//! Lookup tables of an outline by number, id, table and term, built on the first selection.

use std::sync::OnceLock;

use super::Outline;
use crate::ProvisionId;

/// Lazily built index of an outline, which is ignored by comparisons for equality.
#[derive(Clone, Debug, Default)]
pub(super) struct Lazy(OnceLock<OutlineIndex>);

impl PartialEq for Lazy {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Lazy {}

impl Lazy {
    pub(super) fn get_or_build(&self, outline: &Outline) -> &OutlineIndex {
        self.0.get_or_init(|| OutlineIndex::build(outline))
    }
}

/// Lookup tables of an outline.
#[derive(Clone, Debug)]
pub(crate) struct OutlineIndex {
    pub(crate) sections: PartLookup,
    pub(crate) tables: PartLookup,
    pub(crate) figures: PartLookup,
    pub(crate) terms: PartLookup,
    provisions: Vec<(ProvisionId, u32)>,
    in_table: Vec<(u32, u32)>,
    using_term: Vec<(u32, u32)>,
}

impl OutlineIndex {
    fn build(outline: &Outline) -> Self {
        let mut sections = PartLookup::default();
        for section in &outline.sections {
            sections.push(section.number.as_deref(), section.id.as_str());
        }
        let mut tables = PartLookup::default();
        for table in &outline.tables {
            tables.push(table.number.as_deref(), table.id.as_str());
        }
        let mut figures = PartLookup::default();
        for figure in outline.figures() {
            figures.push(figure.number.as_deref(), &figure.id);
        }
        let mut terms = PartLookup::default();
        for term in &outline.terms {
            terms.push(term.number.as_deref(), term.id.as_str());
        }
        let mut provisions = Vec::with_capacity(outline.provisions.len());
        let mut in_table = Vec::new();
        let mut using_term = Vec::new();
        for (at, provision) in (0..).zip(&outline.provisions) {
            provisions.push((provision.id, at));
            if let Some(table) = provision.table {
                in_table.push((table, at));
            }
            for &term in &provision.terms {
                using_term.push((term, at));
            }
        }
        provisions.sort_unstable();
        in_table.sort_unstable();
        using_term.sort_unstable();
        Self {
            sections: sections.sorted(),
            tables: tables.sorted(),
            figures: figures.sorted(),
            terms: terms.sorted(),
            provisions,
            in_table,
            using_term,
        }
    }

    /// The provision with this id.
    pub(crate) fn provision(&self, id: ProvisionId) -> Option<u32> {
        let at = self.provisions.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.provisions[at].1)
    }

    /// The provisions in a table, ascending.
    pub(crate) fn in_table(&self, table: u32) -> impl Iterator<Item = u32> {
        equal_range(&self.in_table, &table).iter().map(|&(_, provision)| provision)
    }

    /// The provisions that use a term, ascending.
    pub(crate) fn using_term(&self, term: u32) -> impl Iterator<Item = u32> {
        equal_range(&self.using_term, &term).iter().map(|&(_, provision)| provision)
    }
}

/// Numbers and ids of one kind of part in lower case, each with the index of the part.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartLookup {
    numbers: Vec<(Box<str>, u32)>,
    ids: Vec<(Box<str>, u32)>,
}

impl PartLookup {
    /// Adds the next part in document order.
    fn push(&mut self, number: Option<&str>, id: &str) {
        let index = self.ids.len() as u32;
        if let Some(number) = number {
            self.numbers.push((number.to_lowercase().into(), index));
        }
        self.ids.push((id.to_lowercase().into(), index));
    }

    /// The lookup when all parts are in it.
    fn sorted(mut self) -> Self {
        self.numbers.sort_unstable();
        self.ids.sort_unstable();
        self
    }

    /// Parts with this number in any case, in document order.
    pub(crate) fn by_number(&self, number: &str) -> impl Iterator<Item = u32> {
        equal_range(&self.numbers, number.to_lowercase().as_str()).iter().map(|&(_, at)| at)
    }

    /// Parts with this id in any case, in document order.
    pub(crate) fn by_id(&self, id: &str) -> impl Iterator<Item = u32> {
        equal_range(&self.ids, id.to_lowercase().as_str()).iter().map(|&(_, at)| at)
    }
}

/// The pairs whose first member is the key.
fn equal_range<'a, K: Ord + ?Sized, S: std::borrow::Borrow<K>>(
    pairs: &'a [(S, u32)],
    key: &K,
) -> &'a [(S, u32)] {
    let start = pairs.partition_point(|(k, _)| k.borrow() < key);
    let length = pairs[start..].partition_point(|(k, _)| k.borrow() == key);
    &pairs[start..start + length]
}
