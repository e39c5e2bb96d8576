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
        let sections = outline.sections.iter().map(|s| (s.number.as_deref(), s.id.as_str()));
        let tables = outline.tables.iter().map(|t| (t.number.as_deref(), t.id.as_str()));
        let figures = outline.figures().iter().map(|f| (f.number.as_deref(), f.id.as_str()));
        let terms = outline.terms.iter().map(|t| (t.number.as_deref(), t.id.as_str()));
        let provisions = || outline.provisions.iter().zip(0u32..);
        let sorted = |mut pairs: Vec<(u32, u32)>| {
            pairs.sort_unstable();
            pairs
        };
        let mut by_id: Vec<_> = provisions().map(|(p, at)| (p.id, at)).collect();
        by_id.sort_unstable();
        Self {
            sections: PartLookup::new(sections),
            tables: PartLookup::new(tables),
            figures: PartLookup::new(figures),
            terms: PartLookup::new(terms),
            provisions: by_id,
            in_table: sorted(provisions().filter_map(|(p, at)| Some((p.table?, at))).collect()),
            using_term: sorted(
                provisions().flat_map(|(p, at)| p.terms.iter().map(move |&t| (t, at))).collect(),
            ),
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
#[derive(Clone, Debug)]
pub(crate) struct PartLookup {
    numbers: Vec<(Box<str>, u32)>,
    ids: Vec<(Box<str>, u32)>,
}

impl PartLookup {
    fn new<'a>(parts: impl Iterator<Item = (Option<&'a str>, &'a str)>) -> Self {
        let mut names = Self { numbers: Vec::new(), ids: Vec::new() };
        for ((number, id), at) in parts.zip(0..) {
            names.numbers.extend(number.map(|n| (n.to_lowercase().into(), at)));
            names.ids.push((id.to_lowercase().into(), at));
        }
        names.numbers.sort_unstable();
        names.ids.sort_unstable();
        names
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
