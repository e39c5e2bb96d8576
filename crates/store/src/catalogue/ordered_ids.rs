//! Sparse index of a query result: row ids in sort order, and every 16th sort key.

use std::cmp::Ordering;

use crate::Result;
use crate::catalogue::list::invalid_key;
use crate::page::{Key, Sort};

/// Rows from one key to the next.
const STEP: usize = 16;

/// Ids of rows in ascending order of their keys.
pub(crate) struct OrderedIds {
    sort: Sort,
    ids: Vec<i64>,
    /// The key of each row whose index is a multiple of [`STEP`].
    keys: Vec<Key>,
}

impl OrderedIds {
    pub(crate) fn new(sort: Sort) -> Self {
        Self { sort, ids: Vec::new(), keys: Vec::new() }
    }

    /// Adds the next row.
    pub(crate) fn push(&mut self, id: i64, key: impl FnOnce() -> Result<Key>) -> Result<()> {
        if self.ids.len().is_multiple_of(STEP) {
            self.keys.push(key()?);
        }
        self.ids.push(id);
        Ok(())
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Ids with the `wanted` rows after `after` among them, and perhaps a few before them. True when they
    /// reach to the end of the list.
    pub(crate) fn around(
        &self,
        after: Option<&Key>,
        descending: bool,
        wanted: usize,
    ) -> Result<(&[i64], bool)> {
        // The first of the known keys that `after` does not pass.
        let block = match after {
            None => None,
            Some(after) => {
                let order = self.order(after)?;
                let beyond = if descending { Ordering::Less } else { Ordering::Greater };
                Some(self.keys.partition_point(|key| match order(key) {
                    Ordering::Less => true,
                    Ordering::Equal => beyond == Ordering::Greater,
                    Ordering::Greater => false,
                }))
            }
        };
        if descending {
            let end = block.map_or(self.ids.len(), |block| (block * STEP).min(self.ids.len()));
            let start = end.saturating_sub(STEP + wanted);
            Ok((&self.ids[start..end], start == 0))
        } else {
            let start = block.map_or(0, |block| block.saturating_sub(1) * STEP);
            let end = (start + STEP + wanted).min(self.ids.len());
            Ok((&self.ids[start..end], end == self.ids.len()))
        }
    }

    /// The order of a key relative to this one.
    pub(crate) fn order<'a>(&self, to: &'a Key) -> Result<impl Fn(&Key) -> Ordering + use<'a>> {
        let number = |key: &Key| key.value.parse::<i64>();
        let wanted = match self.sort {
            Sort::Updated => Some(number(to).map_err(|_| invalid_key(to))?),
            Sort::Reference | Sort::Published => None,
        };
        Ok(move |key: &Key| match wanted {
            Some(wanted) => number(key).unwrap_or_default().cmp(&wanted).then_with(|| key.urn.cmp(&to.urn)),
            None => (&key.value, &key.urn).cmp(&(&to.value, &to.urn)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: i64) -> Key {
        Key { value: n.to_string(), urn: format!("urn {n}") }
    }

    /// Rows 0, 2, 4… under ids that are their keys.
    fn evens(rows: i64) -> OrderedIds {
        let mut ordered = OrderedIds::new(Sort::Updated);
        for n in 0..rows {
            ordered.push(n * 2, || Ok(key(n * 2))).unwrap();
        }
        ordered
    }

    #[test]
    fn the_rows_after_any_key_are_among_those_returned() {
        for rows in [0, 1, 15, 16, 17, 100] {
            let ordered = evens(rows);
            for after in -1..=2 * rows {
                for descending in [false, true] {
                    for wanted in [1, 5, 40] {
                        let (ids, to_end) = ordered.around(Some(&key(after)), descending, wanted).unwrap();
                        let mut all: Vec<i64> = (0..rows).map(|n| n * 2).collect();
                        all.retain(|n| if descending { *n < after } else { *n > after });
                        if descending {
                            all.reverse();
                        }
                        let reached = all.len() <= wanted;
                        all.truncate(wanted);
                        assert!(
                            all.iter().all(|n| ids.contains(n)),
                            "{after} of {rows}: {all:?} expected among {ids:?}"
                        );
                        assert!(!to_end || ids.len() <= 16 + wanted);
                        assert!(to_end || ids.len() == 16 + wanted, "{after} of {rows}");
                        assert!(!to_end || reached || ids.len() > wanted);
                    }
                }
            }
        }
    }

    #[test]
    fn a_key_of_another_order_is_refused() {
        let other_order = Key { value: "iso".to_owned(), urn: String::new() };
        assert!(evens(3).around(Some(&other_order), false, 1).is_err());
    }
}
