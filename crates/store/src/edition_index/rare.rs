//! Changes that callers may see and that are in no slot: recalls, removals, editions whose ICS codes no
//! longer cover a caller, and amendments that changed `amendedBy` of an edition.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::access::Rights;
use crate::catalogue::changes::{self, ChangeRow, ChangeState, UNSEEN};
use crate::catalogue::{ROW_BATCH, amending};
use crate::engine::{Engine, ResultRow, Sql, SqlValue};
use crate::{Result, StoreError};

/// Rows that one statement reads while all are read.
const LOADED_ROWS: i64 = 5_000;

/// The rare changes, with an order.
#[derive(Default)]
pub(super) struct RareChanges {
    /// Editions that are gone, for all callers or for some.
    gone: HashMap<Arc<str>, ChangeRow>,
    /// The amendments of each edition.
    amendments: HashMap<Arc<str>, Vec<AmendmentChange>>,
    /// The editions that each amendment amends.
    amended: HashMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Each change by its key. One subject may have several.
    by_key: BTreeSet<(ChangeKey, RareSubject)>,
}

/// The key of a change: its number, and a number of the URN. A change of an amendment has one number, and
/// is one for each edition that it amends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChangeKey {
    pub(crate) number: i64,
    pub(crate) within: u64,
}

impl ChangeKey {
    /// The key of a change of the edition with this URN.
    pub(crate) fn new(number: i64, urn: &str) -> Self {
        Self { number, within: within(urn) }
    }

    /// The next key; no change is between both.
    fn next(self) -> Self {
        match self.within.checked_add(1) {
            Some(within) => Self { within, ..self },
            None => Self { number: self.number.saturating_add(1), within: 0 },
        }
    }
}

/// The order of editions within one number.
pub(super) fn within(urn: &str) -> u64 {
    let digest = Sha256::digest(urn);
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// What a rare change is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RareSubject {
    /// The edition with this URN is gone.
    Gone(Arc<str>),
    /// The edition with this URN has other amendments.
    Amended(Arc<str>),
}

/// That an amendment changed `amendedBy` of an edition.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AmendmentChange {
    amendment: Arc<str>,
    /// Number of the first such change.
    first: i64,
    /// Number of the last one.
    seq: i64,
}

/// How an edition went, for one caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leave {
    pub(super) number: i64,
    pub(super) is_recalled: bool,
}

impl RareChanges {
    /// Reads all of them.
    pub(super) async fn load(engine: &dyn Engine) -> Result<Self> {
        let mut all = Self::default();
        let mut last = String::new();
        loop {
            let sql = format!(
                "SELECT {} FROM edition_changes WHERE (state <> 0 OR lost <> '') AND urn > $1 ORDER BY urn LIMIT $2",
                changes::COLUMNS
            );
            let rows = engine.read(Sql::new(&sql).bind(last.as_str()).bind(LOADED_ROWS)).await?;
            let Some(row) = rows.last() else { break };
            row.text("urn")?.clone_into(&mut last);
            for row in &rows {
                all.add_gone(ChangeRow::read(row)?);
            }
        }
        let (mut amended, mut amendment) = (String::new(), String::new());
        loop {
            let sql = format!(
                "SELECT {} FROM amendment_changes WHERE amended > $1 OR (amended = $2 AND amendment > $3) \
                 ORDER BY amended, amendment LIMIT $4",
                amending::COLUMNS
            );
            let sql = Sql::new(&sql).bind(amended.as_str()).bind(amended.as_str()).bind(amendment.as_str());
            let rows = engine.read(sql.bind(LOADED_ROWS)).await?;
            let Some(row) = rows.last() else { break };
            (amended, amendment) = (row.text("amended")?.to_owned(), row.text("amendment")?.to_owned());
            for row in &rows {
                all.add_amendment(row)?;
            }
        }
        all.number_all();
        Ok(all)
    }

    /// Reads those that depend on these URNs.
    pub(super) async fn of_urns(engine: &dyn Engine, urns: &[String]) -> Result<Self> {
        let mut some = Self::default();
        let values = || urns.iter().map(|urn| SqlValue::from(urn.as_str()));
        let mut sql = Sql::new(&format!(
            "SELECT {} FROM edition_changes WHERE (state <> 0 OR lost <> '') AND urn IN ",
            changes::COLUMNS
        ));
        sql.tuple(values());
        for row in engine.read(sql).await? {
            some.add_gone(ChangeRow::read(&row)?);
        }
        debug_assert!(urns.len() <= ROW_BATCH);
        let mut sql =
            Sql::new(&format!("SELECT {} FROM amendment_changes WHERE amendment IN ", amending::COLUMNS));
        sql.tuple(values());
        for row in engine.read(sql).await? {
            some.add_amendment(&row)?;
        }
        Ok(some)
    }

    /// Puts what was read of these URNs instead of what was known of them.
    pub(super) fn replace(&mut self, urns: &[String], read: Self) {
        let mut dependent = BTreeSet::new();
        for urn in urns {
            dependent.extend(self.amended.get(urn.as_str()).into_iter().flatten().cloned());
        }
        for more in read.amended.values() {
            dependent.extend(more.iter().cloned());
        }
        for urn in urns {
            for number in self.numbers_of_gone(urn) {
                let key = ChangeKey::new(number, urn);
                self.by_key.remove(&(key, RareSubject::Gone(Arc::from(urn.as_str()))));
            }
        }
        for urn in &dependent {
            for number in self.numbers_of_amended(urn) {
                self.by_key.remove(&(ChangeKey::new(number, urn), RareSubject::Amended(Arc::clone(urn))));
            }
        }
        for urn in urns {
            self.gone.remove(urn.as_str());
        }
        for (urn, row) in read.gone {
            self.gone.insert(Arc::clone(&urn), row);
            self.number_gone(&urn);
        }
        for (urn, changes) in read.amendments {
            let known = self.amendments.entry(urn).or_default();
            for change in changes {
                known.retain(|one| one.amendment != change.amendment);
                known.push(change);
            }
        }
        for (urn, amended) in read.amended {
            self.amended.entry(urn).or_default().extend(amended);
        }
        for urn in dependent {
            self.number_amended(&urn);
        }
    }

    fn add_gone(&mut self, row: ChangeRow) {
        self.gone.insert(Arc::from(row.urn.as_str()), row);
    }

    fn add_amendment(&mut self, row: &ResultRow) -> Result<()> {
        let [amended, amendment] = [row.text("amended")?, row.text("amendment")?].map(Arc::<str>::from);
        let (first, seq) = (row.int("first")?, row.int("seq")?);
        if first > seq {
            return Err(StoreError::corrupt("the first change of an amendment is after its last one"));
        }
        self.amended.entry(Arc::clone(&amendment)).or_default().insert(Arc::clone(&amended));
        self.amendments.entry(amended).or_default().push(AmendmentChange { amendment, first, seq });
        Ok(())
    }

    fn number_all(&mut self) {
        for urn in self.gone.keys().cloned().collect::<Vec<_>>() {
            self.number_gone(&urn);
        }
        for urn in self.amendments.keys().cloned().collect::<Vec<_>>() {
            self.number_amended(&urn);
        }
    }

    fn number_gone(&mut self, urn: &Arc<str>) {
        for number in self.numbers_of_gone(urn) {
            self.by_key.insert((ChangeKey::new(number, urn), RareSubject::Gone(Arc::clone(urn))));
        }
    }

    fn number_amended(&mut self, urn: &Arc<str>) {
        for number in self.numbers_of_amended(urn) {
            self.by_key.insert((ChangeKey::new(number, urn), RareSubject::Amended(Arc::clone(urn))));
        }
    }

    /// Every number at which the edition may have gone for some caller.
    fn numbers_of_gone(&self, urn: &str) -> BTreeSet<i64> {
        let Some(row) = self.gone.get(urn) else { return BTreeSet::new() };
        let mut numbers: BTreeSet<i64> = row.lost.values().copied().collect();
        if row.state != ChangeState::Present {
            numbers.insert(row.seq);
        }
        numbers
    }

    /// Every number at which amendments of the edition may have changed for some caller.
    fn numbers_of_amended(&self, urn: &str) -> BTreeSet<i64> {
        let mut numbers = BTreeSet::new();
        for change in self.amendments.get(urn).into_iter().flatten() {
            numbers.insert(change.seq);
            for number in self.numbers_of_gone(&change.amendment) {
                if number >= change.first {
                    numbers.insert(number.min(change.seq));
                }
            }
        }
        numbers
    }

    /// The changes after a key, up to those with this number, in order.
    pub(super) fn between(
        &self,
        after: ChangeKey,
        up_to: i64,
    ) -> impl DoubleEndedIterator<Item = &(ChangeKey, RareSubject)> {
        // No subject comes before an edition whose URN is empty.
        let begin = |key: ChangeKey| (key, RareSubject::Gone(Arc::from("")));
        let first = after.next();
        let end = ChangeKey { number: up_to.saturating_add(1), within: 0 }.max(first);
        self.by_key.range(begin(first)..begin(end))
    }

    /// How an edition, which the caller does not see now, went for them; `None` where they never saw it.
    pub(super) fn leave(&self, urn: &str, rights: &Rights) -> Option<Leave> {
        let row = self.gone.get(urn)?;
        let is_gone = row.state != ChangeState::Present;
        let whole = Leave { number: row.seq, is_recalled: row.state == ChangeState::Recalled };
        if is_gone && rights.level::<&str>(urn, &[]).is_some() {
            return Some(whole);
        }
        let mut last = None;
        // A code that a recalled edition got since then showed it to nobody.
        let mut held = row.ics.iter().filter(|(_, number)| **number != UNSEEN);
        if is_gone && held.any(|(code, _)| rights.class_level(code).is_some()) {
            last = Some(whole);
        }
        for (code, number) in &row.lost {
            if rights.class_level(code).is_none() {
                continue;
            }
            // A recalled edition that loses a code does so with the number of its recall.
            let leave = if is_gone && *number == row.seq {
                whole
            } else {
                Leave { number: *number, is_recalled: false }
            };
            if last.is_none_or(|last: Leave| last.number < leave.number) {
                last = Some(leave);
            }
        }
        last
    }

    /// Number of the last change of the amendments of an edition that a caller knows of; `sees` says whether
    /// they see an edition now.
    pub(super) fn last_amended(
        &self,
        urn: &str,
        rights: &Rights,
        sees: impl Fn(&str) -> bool,
    ) -> Option<i64> {
        let mut last = None;
        for change in self.amendments.get(urn)? {
            let number = if sees(&change.amendment) {
                Some(change.seq)
            } else {
                let leave = self.leave(&change.amendment, rights).map(|leave| leave.number);
                leave.filter(|number| *number >= change.first).map(|number| number.min(change.seq))
            };
            last = last.max(number);
        }
        last
    }
}
