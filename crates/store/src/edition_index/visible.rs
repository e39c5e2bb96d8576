//! Editions that a viewer may see, and those that fit a query, as sets of slots.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;

use super::SlotRows;
use crate::access::{Level, Rights};

/// The slots of the editions that rights cover, at one version of the index.
#[derive(Clone)]
pub(crate) struct Visible {
    pub(crate) version: usize,
    /// At level `discover` or higher.
    discover: FixedBitSet,
    /// At level `read`; these are in `discover` as well.
    read: FixedBitSet,
    /// None of them changed after this number.
    last_change: i64,
}

/// The editions that fit a query, as slots of one version of the index of editions.
pub(crate) struct MatchingEditions {
    pub(crate) version: usize,
    pub(crate) slots: FixedBitSet,
}

/// Rows of the editions that have an asked name as an alias, as the catalogue has them at this version of the
/// index of editions or at a later one.
pub(crate) struct Aliased {
    pub(crate) rows: HashSet<i64>,
    pub(crate) version: usize,
}

impl Visible {
    /// The slots that these rights cover now; `known` has those that they covered before.
    pub(crate) fn now(rows: &SlotRows, rights: &Rights, known: Option<&Self>) -> Self {
        let Some(known) = known else { return Self::all(rows, rights) };
        let Some(changed) = rows.changed_since(known.version) else { return Self::all(rows, rights) };
        let mut visible = Self { version: rows.version(), ..known.clone() };
        visible.discover.grow(rows.slots());
        visible.read.grow(rows.slots());
        for slot in changed {
            let changed = rows.get(slot).map_or(0, |one| one.changed);
            let level = match rows.get(slot) {
                Some(one) => rights.level(one.urn(), &rows.ics(one).collect::<Vec<_>>()),
                None => None,
            };
            visible.discover.set(slot as usize, level.is_some());
            visible.read.set(slot as usize, level == Some(Level::Read));
            if level.is_some() {
                visible.last_change = visible.last_change.max(changed);
            }
        }
        visible
    }

    /// As [`Rights::level`] has it, but for all slots at once: rules that name URNs find theirs by the order
    /// of URNs, and a class is compared with each set of codes once.
    fn all(rows: &SlotRows, rights: &Rights) -> Self {
        let empty = || FixedBitSet::with_capacity(rows.slots());
        let mut visible = Self { version: rows.version(), discover: empty(), read: empty(), last_change: 0 };
        for (prefix, level) in &rights.prefixes {
            for slot in rows.beginning(prefix) {
                visible.insert(*slot, *level);
            }
        }
        for (urn, level) in &rights.exact {
            visible.insert_urn(rows, urn, *level);
        }
        for list in &rights.lists {
            for urn in &list.urns {
                visible.insert_urn(rows, urn, list.level);
            }
        }
        if !rights.classes.is_empty() {
            visible.insert_classes(rows, rights);
        }
        visible.last_change = rows.last_change(&visible);
        visible
    }

    /// None of the editions changed after this number, where it is not lower than that of the index.
    pub(crate) fn last_change(&self) -> i64 {
        self.last_change
    }

    fn insert_urn(&mut self, rows: &SlotRows, urn: &str, level: Level) {
        if let Some(slot) = rows.slot(urn) {
            self.insert(slot, level);
        }
    }

    fn insert_classes(&mut self, rows: &SlotRows, rights: &Rights) {
        let mut levels = Vec::with_capacity(rows.ics.texts.len());
        for codes in &rows.ics.texts {
            levels.push(codes.split(' ').filter_map(|code| rights.class_level(code)).max());
        }
        for (slot, shared) in (0..).zip(&rows.shared) {
            if let Some(shared) = shared
                && let Some(Some(level)) = levels.get(shared.ics as usize)
            {
                self.insert(slot, *level);
            }
        }
    }

    /// All editions, for an operator.
    pub(crate) fn everything(rows: &SlotRows) -> Self {
        let mut all = FixedBitSet::with_capacity(rows.slots());
        all.insert_range(..);
        let last_change = rows.complete_to;
        Self { version: rows.version(), discover: all.clone(), read: all, last_change }
    }

    fn insert(&mut self, slot: u32, level: Level) {
        self.discover.insert(slot as usize);
        if level == Level::Read {
            self.read.insert(slot as usize);
        }
    }

    /// True if the edition in this slot may be known of.
    pub(crate) fn contains(&self, slot: u32) -> bool {
        self.discover.contains(slot as usize)
    }

    /// True if the edition in this slot has exactly this level, or any.
    pub(super) fn has_level(&self, slot: u32, level: Option<Level>) -> bool {
        let is_read = || self.read.contains(slot as usize);
        self.contains(slot)
            && match level {
                None => true,
                Some(Level::Read) => is_read(),
                Some(Level::Discover) => !is_read(),
            }
    }

    /// The slots with exactly this level, or with any.
    pub(crate) fn with(&self, level: Option<Level>) -> FixedBitSet {
        match level {
            None => self.discover.clone(),
            Some(Level::Read) => self.read.clone(),
            Some(Level::Discover) => self.discover.difference(&self.read).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use crate::entry::Publication;
    use crate::{Day, Grant, GrantScope, Level, Query, Store, StoreOptions, Tenant, Viewer};

    fn publication(number: u32, ics: &[&str]) -> Publication {
        let mut publication = Publication::empty(&format!("urn:iso:std:iso:{number}:ed-1:en"));
        publication.summary.reference = format!("ISO {number}:2020");
        publication.summary.ics = ics.iter().map(|code| (*code).to_owned()).collect();
        publication
    }

    #[tokio::test]
    async fn sets_hold_what_the_rules_give_also_after_changes() {
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        let codes: [&[&str]; 6] =
            [&["67.060", "01.040.67"], &["67.060.10"], &["67", "13.110"], &["670"], &[], &["6"]];
        let publications: Vec<Publication> =
            (1..).zip(codes).map(|(number, codes)| publication(number, codes)).collect();
        let urns = |pattern: &str| GrantScope::Urns(pattern.parse().unwrap());
        let list = |number: u32| GrantScope::List([publication(number, &[]).summary.urn].into());
        let ics = |code: &str| GrantScope::Ics(code.to_owned());
        let grants = [
            vec![(urns("*"), Level::Discover), (urns("urn:iso:std:iso:4:*"), Level::Read)],
            vec![(list(5), Level::Read), (urns("urn:iso:std:iso:2:*"), Level::Discover)],
            vec![(ics("67"), Level::Read), (urns("urn:iso:std:iso:6:ed-1:en"), Level::Discover)],
            vec![(ics("67.060"), Level::Discover), (ics("13"), Level::Read), (list(1), Level::Read)],
            vec![],
        ];
        let mut viewers = Vec::new();
        for (tenant, grants) in grants.into_iter().enumerate() {
            let row = Tenant { id: tenant.to_string(), ..Tenant::default() };
            store.put_tenant(&row, SystemTime::UNIX_EPOCH).await.unwrap();
            for (scope, level) in grants {
                let tenant = tenant.to_string();
                let grant = Grant { tenant, client: None, scope, level, from: None, until: None };
                store.add_grant(&grant, SystemTime::UNIX_EPOCH).await.unwrap();
            }
            let today: Day = "2026-05-01".parse().unwrap();
            viewers.push(Viewer::verified(tenant.to_string(), "c", today));
        }
        let mut found = 0;
        // Each edition comes, and then gets the codes of the next one.
        let with_next_codes = publications.iter().zip(codes.iter().cycle().skip(1)).map(|(one, codes)| {
            let mut other = one.clone();
            other.summary.ics = codes.iter().map(|code| (*code).to_owned()).collect();
            other.revision.push('b');
            other.deriver.push('b');
            other
        });
        let mut present = std::collections::BTreeMap::new();
        for publication in publications.iter().cloned().chain(with_next_codes) {
            store.publish(&publication, SystemTime::UNIX_EPOCH).await.unwrap();
            present.insert(publication.summary.urn.to_string(), publication.summary.ics.clone());
            for viewer in &viewers {
                let view = store.view_for(viewer).await.unwrap();
                for level in [None, Some(Level::Discover), Some(Level::Read)] {
                    let page = view.list(&Query { level, ..Query::default() }, None, 500).await.unwrap();
                    let is_in = |(urn, ics): &(&String, &Vec<String>)| {
                        let given = view.rights.level(urn, ics);
                        given.is_some() && level.is_none_or(|level| given == Some(level))
                    };
                    let expected: Vec<&String> = present.iter().filter(is_in).map(|(urn, _)| urn).collect();
                    let listed: Vec<String> =
                        page.rows.iter().map(|row| row.summary.urn.to_string()).collect();
                    assert_eq!(listed.iter().collect::<Vec<_>>(), expected, "{viewer:?} {level:?}");
                    assert_eq!(page.total, expected.len() as u64);
                    found += expected.len();
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
