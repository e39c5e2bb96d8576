//! Changes of the catalogue as one viewer sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use norma_model::Urn;

use crate::access::Rights;
use crate::catalogue::changes::{self, ChangeRow, ChangeState, MAX_REVISION_CHANGES};
use crate::catalogue::entry::notice;
use crate::catalogue::{list, time};
use crate::edition_index::{ChangeKey, ChangedSubject, SeenChange, SeenChanges, SlotRows, Visible};
use crate::engine::{Sql, SqlValue};
use crate::entry::OperatorNotice;
use crate::page::{ListRow, Query, check_limit};
use crate::view::CatalogueView;
use crate::{CatalogueState, Result, StoreError, columns};

/// A key among the changes that a viewer sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChangePosition {
    /// The last change before it; sequence 0 where there is none.
    pub state: CatalogueState,
    /// Number of the edition among those that changed with it.
    pub within: u64,
    /// Sequence of the change after which changes are answered. It is that of `state`, but while pages follow
    /// each other it stays where the first of them began: an edition whose last change is on a later page may
    /// have changed before as well.
    pub base: u64,
}

/// Some of the changes that a viewer sees, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangesPage {
    /// The last change of each edition.
    pub changes: Vec<ListedChange>,
    /// The position after them; the one before where there are none.
    pub position: ChangePosition,
    /// There are more after them.
    pub has_more: bool,
}

/// The last change of an edition that a viewer sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedChange {
    /// URN of the edition.
    pub urn: Urn,
    /// The position of the change.
    pub position: ChangePosition,
    /// The time of the change.
    pub at: SystemTime,
    /// What became of the edition.
    pub kind: EditionChangeKind,
}

/// What became of an edition since a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditionChangeKind {
    /// It is there.
    Present {
        /// What lists show of it.
        row: Box<ListRow>,
        /// What changed.
        cause: PresentCause,
        /// Status or notice changed, perhaps with something else.
        has_other_status: bool,
        /// The revision that it had at the base of the position, where it has another one and the former one
        /// is known.
        former_revision: Option<String>,
    },
    /// It was recalled.
    Recalled {
        /// What the operator says to callers.
        notice: Option<OperatorNotice>,
    },
    /// It was removed, or changed so that the grants of the viewer do not cover it any more.
    Removed,
}

/// What changed of an edition that is there. Where several things did, the first one that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresentCause {
    /// The viewer did not see it before: it is new, came back, or changed so that grants cover it.
    Created,
    /// Its source, or a picture of it.
    Content,
    /// The way in which its source is derived.
    Rules,
    /// Its status, or the notice of its withdrawal.
    Status,
    /// An amendment of it.
    Amendment,
}

/// The row of a change in the feed.
#[derive(Clone, Copy)]
struct FeedRow {
    epoch: i64,
    at: SystemTime,
}

impl CatalogueView<'_> {
    /// A name of what the viewer's grants give today. Grants that give the same have the same name.
    pub fn rights_name(&self) -> [u8; 32] {
        self.rights.name()
    }

    /// A key of the store for this purpose. It changes with the lineage key, and neither reveals the other.
    pub fn derived_key(&self, purpose: &str) -> [u8; 32] {
        self.snapshot.lineage_key.derived(purpose)
    }

    /// The position of the last change that the viewer sees.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn last_change(&self) -> Result<ChangePosition> {
        self.follow_index().await?;
        let key = self.search_index(|rows, visible, rights| rows.last_seen(visible, rights)).await?;
        let found = self.feed_rows(BTreeSet::from([key.number])).await?;
        position(key, &found)
    }

    /// The changes after a position that the viewer sees, at most `limit`. `None` where the catalogue was
    /// never in this state: the database was put back to an earlier moment.
    ///
    /// # Errors
    /// As [`list`](Self::list).
    pub async fn changes_since(&self, since: ChangePosition, limit: u32) -> Result<Option<ChangesPage>> {
        check_limit(limit)?;
        self.follow_index().await?;
        let number = i64::try_from(since.state.sequence).unwrap_or(i64::MAX);
        let after = ChangeKey { number, within: since.within };
        let SeenChanges { changes, has_more, is_behind } = self.seen_changes(after, limit as usize).await?;
        let mut numbers: BTreeSet<i64> = changes.iter().map(|change| change.key.number).collect();
        numbers.insert(number);
        let feed = self.feed_rows(numbers).await?;
        if number > 0 && feed.get(&number).is_none_or(|row| row.epoch != since.state.epoch) {
            return Ok(None);
        }
        let mut end = since;
        if let Some(last) = changes.last() {
            end = position(last.key, &feed)?;
        }
        let seen = changes.len();
        let base = i64::try_from(since.base).unwrap_or(i64::MAX);
        let mut described = self.described(changes, base, &feed).await?;
        for change in &mut described {
            change.position.base = since.base;
        }
        // One that was left out comes later, and what is said of it then is to be of now on.
        let is_whole = !has_more && !is_behind && described.len() == seen;
        end.base = if is_whole { end.state.sequence } else { since.base };
        Ok(Some(ChangesPage { changes: described, position: end, has_more }))
    }

    async fn follow_index(&self) -> Result<()> {
        self.core.editions().follow(self.core.engine(), self.snapshot.state).await
    }

    async fn seen_changes(&self, after: ChangeKey, limit: usize) -> Result<SeenChanges> {
        {
            let rows = self.core.editions().rows();
            let known = self.core.editions().known_visible(&rows, &self.rights);
            if known.is_some_and(|visible| rows.has_no_change(&visible, after)) {
                return Ok(SeenChanges::default());
            }
        }
        self.search_index(move |rows, visible, rights| rows.changes((visible, rights), after, limit)).await
    }

    /// Searches the index of editions, where clients take turns.
    async fn search_index<T: Send + 'static>(
        &self,
        search: impl FnOnce(&SlotRows, &Visible, &Rights) -> T + Send + 'static,
    ) -> Result<T> {
        let turn = self.core.list_turn(&self.viewer).await?;
        let (core, rights) = (Arc::clone(self.core), Arc::clone(&self.rights));
        let work = move || {
            let _turn = turn;
            let rows = core.editions().rows();
            let visible = core.editions().visible(&rows, &rights);
            search(&rows, &visible, &rights)
        };
        let found = tokio::task::spawn_blocking(work).await;
        found.map_err(|error| StoreError::unavailable("list changes", error))
    }

    /// The rows of the feed with these numbers.
    async fn feed_rows(&self, numbers: BTreeSet<i64>) -> Result<BTreeMap<i64, FeedRow>> {
        let mut sql = Sql::new("SELECT seq, at, epoch FROM changes WHERE seq IN ");
        sql.tuple(numbers.into_iter().map(SqlValue::from));
        let mut found = BTreeMap::new();
        for row in self.core.engine().lookup(sql).await? {
            let read = FeedRow { epoch: row.int("epoch")?, at: time(row.int("at")?) };
            found.insert(row.int("seq")?, read);
        }
        Ok(found)
    }

    /// The changes with what is said of them. One whose edition changed meanwhile is left out: it comes with
    /// the number of that change.
    async fn described(
        &self,
        seen: Vec<SeenChange>,
        after: i64,
        feed: &BTreeMap<i64, FeedRow>,
    ) -> Result<Vec<ListedChange>> {
        if seen.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = self.change_rows(&seen).await?;
        let mut listed = self.listed(&seen).await?;
        let mut former = self.former_revisions(&rows, after).await?;
        let mut notices = self.recall_notices(&seen).await?;
        let mut described = Vec::with_capacity(seen.len());
        for SeenChange { key, urn, subject } in seen {
            let Some(row) = rows.remove(&*urn) else { continue };
            let kind = match subject {
                ChangedSubject::Present { changed, .. } => {
                    let Some(line) = listed.remove(&*urn) else { continue };
                    if row.state != ChangeState::Present || row.seq != changed {
                        continue;
                    }
                    let cause = cause(&row, &self.rights, after);
                    let former_revision = match cause {
                        PresentCause::Created => None,
                        _ => former.remove(&*urn).filter(|former| *former != line.revision),
                    };
                    EditionChangeKind::Present {
                        cause,
                        has_other_status: row.status > after,
                        former_revision,
                        row: Box::new(line),
                    }
                }
                ChangedSubject::Recalled => match notices.remove(&*urn) {
                    Some(notice) => EditionChangeKind::Recalled { notice },
                    None => continue,
                },
                ChangedSubject::Removed => EditionChangeKind::Removed,
            };
            let at = feed.get(&key.number).map_or(SystemTime::UNIX_EPOCH, |row| row.at);
            let (urn, position) = (columns::read_urn(&urn)?, position(key, feed)?);
            described.push(ListedChange { urn, position, at, kind });
        }
        Ok(described)
    }

    async fn change_rows(&self, seen: &[SeenChange]) -> Result<BTreeMap<String, ChangeRow>> {
        let mut sql = Sql::new(&format!("SELECT {} FROM edition_changes WHERE urn IN ", changes::COLUMNS));
        sql.tuple(seen.iter().map(|change| SqlValue::from(&*change.urn)));
        let mut rows = BTreeMap::new();
        for row in self.core.engine().read(sql).await? {
            let row = ChangeRow::read(&row)?;
            rows.insert(row.urn.clone(), row);
        }
        Ok(rows)
    }

    async fn listed(&self, seen: &[SeenChange]) -> Result<BTreeMap<String, ListRow>> {
        let mut ids = Vec::with_capacity(seen.len());
        for change in seen {
            if let ChangedSubject::Present { id, .. } = change.subject {
                ids.push(id);
            }
        }
        let rows = list::rows_of(self.core.engine(), &Query::default(), &self.rights, &ids).await?;
        Ok(rows.into_iter().map(|row| (row.summary.urn.to_string(), row)).collect())
    }

    /// The revisions that editions had at a position, as far as they have another one and it is known.
    async fn former_revisions(
        &self,
        rows: &BTreeMap<String, ChangeRow>,
        after: i64,
    ) -> Result<BTreeMap<String, String>> {
        let revised = rows.values().filter(|row| row.content.max(row.rules) > after);
        let urns: Vec<SqlValue> = revised.map(|row| SqlValue::from(row.urn.as_str())).collect();
        if urns.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut sql = Sql::new("SELECT urn, revision FROM revision_changes WHERE seq > ");
        sql.arg(after).push(" AND urn IN ").tuple(urns).push(" ORDER BY urn, seq");
        let (mut first, mut counts) = (BTreeMap::new(), BTreeMap::<String, i64>::new());
        for row in self.core.engine().read(sql).await? {
            let urn = row.text("urn")?;
            *counts.entry(urn.to_owned()).or_default() += 1;
            let revision = row.text("revision")?;
            first.entry(urn.to_owned()).or_insert_with(|| revision.to_owned());
        }
        // Where so many follow, the first of them is no longer known.
        first.retain(|urn, _| counts.get(urn).is_some_and(|count| *count < MAX_REVISION_CHANGES));
        Ok(first)
    }

    /// What the operator says of each of these editions that is recalled.
    async fn recall_notices(&self, seen: &[SeenChange]) -> Result<BTreeMap<String, Option<OperatorNotice>>> {
        let recalled = seen.iter().filter(|change| change.subject == ChangedSubject::Recalled);
        let urns: Vec<SqlValue> = recalled.map(|change| SqlValue::from(&*change.urn)).collect();
        let mut notices = BTreeMap::new();
        if urns.is_empty() {
            return Ok(notices);
        }
        let mut sql =
            Sql::new("SELECT urn, notice, noticed FROM editions WHERE recalled IS NOT NULL AND urn IN ");
        sql.tuple(urns);
        for row in self.core.engine().read(sql).await? {
            notices.insert(row.text("urn")?.to_owned(), notice(&row)?);
        }
        Ok(notices)
    }
}

/// The position of a change.
fn position(
    ChangeKey { number, within }: ChangeKey,
    feed: &BTreeMap<i64, FeedRow>,
) -> Result<ChangePosition> {
    if number == 0 {
        return Ok(ChangePosition { within, ..ChangePosition::default() });
    }
    let row = feed.get(&number);
    let row = row.ok_or_else(|| StoreError::corrupt(format!("the change feed has no number {number}")))?;
    let state = CatalogueState { sequence: number.unsigned_abs(), epoch: row.epoch };
    Ok(ChangePosition { state, within, base: state.sequence })
}

/// What changed of an edition that is there, after a number.
fn cause(row: &ChangeRow, rights: &Rights, after: i64) -> PresentCause {
    if seen_from(row, rights) > after {
        PresentCause::Created
    } else if row.content > after {
        PresentCause::Content
    } else if row.rules > after {
        PresentCause::Rules
    } else if row.status > after {
        PresentCause::Status
    } else {
        PresentCause::Amendment
    }
}

/// Number of the change from which on these rights cover an edition.
fn seen_from(row: &ChangeRow, rights: &Rights) -> i64 {
    if rights.level::<&str>(&row.urn, &[]).is_some() {
        return row.created;
    }
    let covering = row.ics.iter().filter(|(code, _)| rights.class_level(code).is_some());
    covering.map(|(_, number)| *number).min().unwrap_or(row.created).max(row.created)
}
