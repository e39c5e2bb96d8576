//! The change feed: every change of the catalogue gets a number, visible in the order of the numbers.

use std::time::SystemTime;

use crate::catalogue::{micros, schema};
use crate::engine::{Engine, ResultRow, Sql, Transaction};
use crate::{Result, StoreError, random};

/// A state of the catalogue, named by its last change. Equal states hold the same, also where a database was
/// put back to an earlier moment and went on from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CatalogueState {
    /// Number of the change; 0 when there was none.
    pub sequence: u64,
    /// Random number that distinguishes the change from another of the same number.
    pub epoch: i64,
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The edition with this URN was published, replaced, withdrawn, reinstated, recalled or removed.
    Edition(String),
    /// The access of this tenant changed: grants, suspension, the tenant itself.
    Tenant(String),
    /// The keys that sign asset addresses changed.
    SigningKeys,
    /// The key of lineage ids changed.
    LineageKey,
}

/// The changes that follow a state, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CatalogueChanges {
    /// What changed. A subject that changed twice is there twice.
    pub(crate) subjects: Vec<Subject>,
    /// The state after the last of them; the one before where nothing changed.
    pub(crate) state: CatalogueState,
}

/// Waits for the transaction that changes the catalogue now; later ones wait here until this one has ended.
/// So what follows in the transaction sees all changes before it.
///
/// # Errors
/// [`StoreError::SchemaChanged`] where another program migrated the store: nothing is written in the way of
/// another version.
pub(crate) async fn lock(tx: &mut dyn Transaction) -> Result<()> {
    tx.read(Sql::new("SELECT seq FROM feed WHERE one = 1").and(tx.locking())).await?;
    schema::expect_unchanged_in(tx).await
}

/// Numbers changes so that no number becomes visible before a lower one; locks as [`lock`] does. Gives the
/// number of the first of them; the others follow.
pub(crate) async fn record(tx: &mut dyn Transaction, subjects: &[Subject], now: SystemTime) -> Result<i64> {
    if subjects.is_empty() {
        return Ok(0);
    }
    let sql = Sql::new("UPDATE feed SET seq = seq + $1 WHERE one = 1 RETURNING seq").bind(subjects.len());
    let rows = tx.read(sql).await?;
    let last =
        rows.first().ok_or_else(|| StoreError::corrupt("the change feed has no number"))?.int("seq")?;
    let first = last + 1 - subjects.len() as i64;
    let mut rows = Vec::with_capacity(subjects.len());
    for (subject, sequence) in subjects.iter().zip(first..) {
        let (kind, name) = columns_of(subject);
        let epoch = random::epoch();
        rows.push(vec![sequence.into(), micros(now).into(), kind.into(), name.into(), epoch.into()]);
    }
    tx.insert("changes", "seq, at, kind, subject, epoch", rows, "").await?;
    Ok(first)
}

fn columns_of(subject: &Subject) -> (&'static str, &str) {
    match subject {
        Subject::Edition(urn) => ("edition", urn),
        Subject::Tenant(tenant) => ("tenant", tenant),
        Subject::SigningKeys => ("signing-keys", ""),
        Subject::LineageKey => ("lineage-key", ""),
    }
}

fn subject(kind: &str, name: &str) -> Result<Subject> {
    match kind {
        "edition" => Ok(Subject::Edition(name.to_owned())),
        "tenant" => Ok(Subject::Tenant(name.to_owned())),
        "signing-keys" => Ok(Subject::SigningKeys),
        "lineage-key" => Ok(Subject::LineageKey),
        other => Err(StoreError::corrupt(format!("the change feed has a row of the unknown kind `{other}`"))),
    }
}

/// The changes after this state, at most `limit`; `None` where the catalogue was never in this state, because
/// the database was put back to an earlier moment.
pub(crate) async fn changes_since(
    engine: &dyn Engine,
    since: CatalogueState,
    limit: u32,
) -> Result<Option<CatalogueChanges>> {
    // One statement, so that the row of the state and those that follow are of one moment.
    let sql = "SELECT seq, kind, subject, epoch FROM changes WHERE seq >= $1 ORDER BY seq LIMIT $2";
    let rows = engine.read(Sql::new(sql).bind(since.sequence).bind(i64::from(limit) + 1)).await?;
    let mut rows = rows.as_slice();
    if since.sequence > 0 {
        match rows.split_first() {
            Some((first, rest)) if state_of(first)? == since => rows = rest,
            _ => return Ok(None),
        }
    }
    let rows = &rows[..rows.len().min(limit as usize)];
    let mut subjects = Vec::with_capacity(rows.len());
    for row in rows {
        subjects.push(subject(row.text("kind")?, row.text("subject")?)?);
    }
    let state = match rows.last() {
        Some(row) => state_of(row)?,
        None => since,
    };
    Ok(Some(CatalogueChanges { subjects, state }))
}

fn state_of(row: &ResultRow) -> Result<CatalogueState> {
    Ok(CatalogueState { sequence: row.int("seq")?.unsigned_abs(), epoch: row.int("epoch")? })
}

/// The present state.
///
/// # Errors
/// [`StoreError::SchemaChanged`] where another program migrated the store, [`StoreError::Replaced`] where
/// another file has taken its place.
pub(crate) async fn state(engine: &dyn Engine) -> Result<CatalogueState> {
    engine.expect_same_file()?;
    let sql = "SELECT f.seq, COALESCE(c.epoch, 0) AS epoch, (SELECT MAX(version) FROM norma_schema) AS version \
         FROM feed f LEFT JOIN changes c ON c.seq = f.seq WHERE f.one = 1";
    let rows = engine.read_at_once(Sql::new(sql)).await?;
    match rows.first() {
        Some(row) => {
            schema::expect_unchanged(row.int("version")?)?;
            Ok(CatalogueState { sequence: row.int("seq")?.unsigned_abs(), epoch: row.int("epoch")? })
        }
        None => Err(StoreError::corrupt("the change feed has no number")),
    }
}

/// What happened since a state of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangesSince {
    /// Changes of editions only: access is as it was.
    Editions,
    /// A change of the rights of callers, perhaps with changes of editions.
    Access,
    /// The catalogue was never in this state: the database was put back to an earlier moment, and what is
    /// known of it may have happened nowhere.
    OtherHistory,
}

/// What happened since this state.
pub(crate) async fn kinds_since(engine: &dyn Engine, since: CatalogueState) -> Result<ChangesSince> {
    let sql = "SELECT (SELECT COUNT(*) FROM changes WHERE seq = $1 AND epoch = $2) AS states, \
         (SELECT COUNT(*) FROM changes WHERE seq > $3 AND kind <> 'edition') AS others";
    let sql = Sql::new(sql).bind(since.sequence).bind(since.epoch).bind(since.sequence);
    let rows = engine.read(sql).await?;
    let row = rows.first().ok_or_else(|| StoreError::corrupt("the changes cannot be counted"))?;
    // Before the first change there is none to be found.
    if since.sequence > 0 && row.int("states")? == 0 {
        return Ok(ChangesSince::OtherHistory);
    }
    if row.int("others")? > 0 {
        return Ok(ChangesSince::Access);
    }
    Ok(ChangesSince::Editions)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::entry::Publication;
    use crate::{Store, StoreOptions, Tenant};

    const OLD: &str = "urn:iso:std:iso:712:ed-3:en";
    const NEW: &str = "urn:iso:std:iso:712:ed-4:en";

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    /// A store with an edition, and its folder.
    async fn filled() -> (Store, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let location = folder.path().join("norma.db").to_str().unwrap().parse().unwrap();
        let store = Store::open(&location, &StoreOptions::default()).await.unwrap();
        store.publish(&Publication::empty(OLD), at(1)).await.unwrap();
        (store, folder)
    }

    /// All changes since a state, read in steps.
    async fn since(store: &Store, mut state: CatalogueState, step: u32) -> (Vec<Subject>, CatalogueState) {
        let mut all = Vec::new();
        loop {
            let changes = changes_since(store.core().engine(), state, step).await.unwrap().unwrap();
            assert!(changes.subjects.len() <= step as usize);
            if changes.subjects.is_empty() {
                assert_eq!(changes.state, state);
                return (all, state);
            }
            assert_ne!(changes.state, state);
            state = changes.state;
            all.extend(changes.subjects);
        }
    }

    #[tokio::test]
    async fn changes_are_read_in_their_order_in_as_many_steps_as_the_reader_likes() {
        let (store, _folder) = filled().await;
        let before = store.state().await.unwrap();
        let tenant = Tenant { id: "acme".to_owned(), ..Tenant::default() };
        store.put_tenant(&tenant, at(2)).await.unwrap();
        store.publish(&Publication::empty(NEW), at(3)).await.unwrap();
        store.remove(&NEW.parse().unwrap(), at(4)).await.unwrap();
        let now = store.state().await.unwrap();
        let of = |urn: &str| Subject::Edition(urn.to_owned());
        // The newer edition and its removal change the status of the older one.
        let expected = [Subject::Tenant("acme".to_owned()), of(OLD), of(NEW), of(OLD), of(NEW)];
        assert_eq!(since(&store, before, 100).await, (expected.to_vec(), now));
        let start = CatalogueState { sequence: 0, epoch: 0 };
        let (whole, end) = since(&store, start, 100).await;
        assert_eq!((whole.len() as u64, end), (now.sequence, now));
        assert!(whole.ends_with(&expected));
        for step in [1, 2, 3] {
            assert_eq!(since(&store, start, step).await, (whole.clone(), now), "{step}");
        }
    }

    #[tokio::test]
    async fn a_state_of_another_history_has_no_changes() {
        let (store, _folder) = filled().await;
        store.publish(&Publication::empty(NEW), at(2)).await.unwrap();
        let now = store.state().await.unwrap();
        let other = [
            CatalogueState { epoch: now.epoch ^ 1, ..now },
            CatalogueState { sequence: now.sequence + 1, ..now },
            CatalogueState { sequence: now.sequence - 1, ..now },
        ];
        for state in other {
            assert_eq!(changes_since(store.core().engine(), state, 10).await.unwrap(), None, "{state:?}");
        }
    }
}
