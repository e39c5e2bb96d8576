//! Index of editions: what lists and searches filter and order by, of all editions, in memory.
//!
//! It follows the catalogue by the change feed. An edition has about 460 bytes here (bench/RESULTS.md,
//! memory when served); what a list shows of it is read from the catalogue, a page at a time.

mod changes;
mod filter;
mod latest;
mod order;
mod rare;
mod visible;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use norma_model::Status;
use quick_cache::sync::Cache;
use tokio::sync::Mutex;

pub(crate) use self::changes::{ChangedSubject, SeenChange, SeenChanges};
pub(crate) use self::rare::ChangeKey;
use self::rare::RareChanges;
pub(crate) use self::visible::{Aliased, MatchingEditions, Visible};
use crate::access::Rights;
use crate::catalogue::ROW_BATCH;
use crate::catalogue::feed::{self, CatalogueState, Subject};
use crate::catalogue::list::QueryKey;
use crate::columns::{self, PUBLISHED};
use crate::engine::{Engine, ResultRow, Sql};
use crate::page::{PageKey, Query, Sort};
use crate::{Result, StoreError};

/// Rows that one statement reads while the index is made.
const LOADED_ROWS: i64 = 5_000;

/// Changes that are read at once. Where more follow a state, the index is built again.
const FOLLOWED_CHANGES: u32 = 5_000;

/// Viewers whose visible editions are remembered, by their rights: 25 KB each where there are 100,000
/// editions.
const CACHED_VIEWERS: usize = 200;

/// Queries whose matching editions are remembered: 13 KB each where there are 100,000 editions.
const CACHED_QUERIES: usize = 100;

/// The index of the editions of one catalogue.
pub(crate) struct EditionIndex {
    rows: RwLock<SlotRows>,
    visible: Cache<[u8; 32], Arc<Visible>>,
    /// What fits a query.
    matching: Cache<QueryKey, Arc<MatchingEditions>>,
    /// Held while the index follows the catalogue: the state of the last snapshot that it was asked for.
    followed: Mutex<Option<CatalogueState>>,
}

/// The editions that are not recalled. The number of an edition in it, its slot, stays while it is there, and
/// another edition may have it later.
#[derive(Default)]
pub struct SlotRows {
    slots: Vec<Option<IndexedEdition>>,
    /// For each slot, a copy of the values of its edition that the filters by publisher, class, language and
    /// status compare, together in memory (bench/RESULTS.md, "A million editions").
    shared: Vec<Option<SharedValues>>,
    free: Vec<u32>,
    /// Slots in each of [`order::ORDERS`]; equal values in the order of their URNs.
    orders: [Vec<u32>; 5],
    /// Documents, by their URN without edition and language.
    documents: Interned,
    /// The slots of each document, the latest edition first.
    of_documents: Vec<Vec<u32>>,
    /// For each slot, that of the next later edition of the document in one of the languages, drafts aside.
    later: Vec<Option<u32>>,
    publishers: Interned,
    languages: Interned,
    ics: Interned,
    /// Every slot that changed, in order; the number of those that were forgotten.
    changed: Vec<ChangedSlot>,
    forgotten: usize,
    /// Changes that callers may see and that are in no slot.
    rare: RareChanges,
    /// All changes up to this number are in it; of later ones perhaps some.
    complete_to: i64,
}

/// A slot whose edition was added or removed, and the document of that edition.
#[derive(Clone, Copy)]
struct ChangedSlot {
    slot: u32,
    document: u32,
}

/// Texts that many editions share, by numbers.
#[derive(Default)]
struct Interned {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

/// What is known of an edition.
pub struct IndexedEdition {
    /// Number of its row.
    pub(crate) id: i64,
    /// The texts of [`COLUMNS`], one after the other; where each of them ends.
    texts: Box<str>,
    ends: [u32; TEXTS],
    updated: i64,
    /// Number of the last change that callers may see.
    changed: i64,
    shared: SharedValues,
}

/// Document, publisher, languages and classes of an edition, by the numbers of their texts, and its status.
#[derive(Clone, Copy)]
struct SharedValues {
    document: u32,
    publisher: u32,
    languages: u32,
    ics: u32,
    status: i64,
}

/// The texts of an edition that are kept, by their columns.
const COLUMNS: [&str; TEXTS] = [
    "urn",
    "sort_key",
    "published_on",
    "edition_key",
    "number",
    "part",
    "reference_key",
    "kind",
    "words",
    "revision",
];
const TEXTS: usize = 10;

impl IndexedEdition {
    fn text(&self, column: usize) -> &str {
        let start = match column {
            0 => 0,
            _ => self.ends[column - 1] as usize,
        };
        &self.texts[start..self.ends[column] as usize]
    }

    /// The URN under which the edition is stored.
    pub fn urn(&self) -> &str {
        self.text(0)
    }
    /// The reference in a form whose order is that of people: numbers by their value.
    pub fn sort_key(&self) -> &str {
        self.text(1)
    }
    /// The date of publication as far as known, as `2024-05`.
    pub fn published_on(&self) -> &str {
        self.text(2)
    }
    fn edition_key(&self) -> &str {
        self.text(3)
    }
    fn number(&self) -> &str {
        self.text(4)
    }
    fn part(&self) -> &str {
        self.text(5)
    }
    fn reference_key(&self) -> &str {
        self.text(6)
    }
    fn kind(&self) -> &str {
        self.text(7)
    }
    /// The words of its reference and title, each with a space before it.
    fn words(&self) -> &str {
        self.text(8)
    }
    /// Names the state of its source and derivation.
    pub fn revision(&self) -> &str {
        self.text(9)
    }
    /// True for the status `published`: neither a draft, nor superseded, nor withdrawn.
    pub fn is_in_force(&self) -> bool {
        self.shared.status == PUBLISHED
    }

    /// The position of the edition in a list of this order.
    pub(crate) fn key(&self, sort: Sort) -> PageKey {
        let value = match sort {
            Sort::Reference => self.sort_key().to_owned(),
            Sort::Published => self.published_on().to_owned(),
            Sort::Updated => self.updated.to_string(),
        };
        PageKey { value, urn: self.urn().to_owned() }
    }
}

impl Interned {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let (number, text) = (u32::try_from(self.texts.len()).unwrap_or(u32::MAX), Arc::<str>::from(text));
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

impl EditionIndex {
    pub(crate) fn new() -> Self {
        Self {
            rows: RwLock::default(),
            visible: Cache::new(CACHED_VIEWERS),
            matching: Cache::new(CACHED_QUERIES),
            followed: Mutex::new(None),
        }
    }

    pub(crate) fn rows(&self) -> RwLockReadGuard<'_, SlotRows> {
        self.rows.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings the index to a state of the catalogue, or to a later one. Concurrent callers share the work.
    ///
    /// # Errors
    /// Those of the engine; the index stays as it was then.
    pub(crate) async fn follow(&self, engine: &dyn Engine, state: CatalogueState) -> Result<()> {
        let mut followed = self.followed.lock().await;
        let changes = match *followed {
            Some(known) if known == state => return Ok(()),
            Some(known) => feed::changes_since(engine, known, FOLLOWED_CHANGES).await?,
            None => None,
        };
        match changes {
            Some(changes) if changes.subjects.len() < FOLLOWED_CHANGES as usize => {
                let mut urns = BTreeSet::new();
                for subject in changes.subjects {
                    if let Subject::Edition(urn) = subject {
                        urns.insert(urn);
                    }
                }
                self.read_again(engine, urns).await?;
            }
            _ => self.load(engine).await?,
        }
        // The changes may reach beyond this state. The next snapshot reads those once more.
        *followed = Some(state);
        let complete_to = i64::try_from(state.sequence).map_err(StoreError::corrupt)?;
        self.rows.write().unwrap_or_else(PoisonError::into_inner).complete_to = complete_to;
        Ok(())
    }

    /// Reads all editions instead of those that are known; then all slots are other ones.
    async fn load(&self, engine: &dyn Engine) -> Result<()> {
        let mut rows = SlotRows::default();
        let mut last = 0;
        loop {
            let mut sql = select();
            sql.push("id > ").arg(last).push(" ORDER BY id LIMIT ").arg(LOADED_ROWS);
            let batch = engine.read(sql).await?;
            let Some(row) = batch.last() else { break };
            last = row.int("id")?;
            for row in &batch {
                let edition = rows.edition(row)?;
                rows.slots.push(Some(edition));
            }
        }
        rows.rare = RareChanges::load(engine).await?;
        rows.sort();
        let mut known = self.rows.write().unwrap_or_else(PoisonError::into_inner);
        // No set of slots of the former rows counts any more.
        rows.forgotten = known.version() + 1;
        *known = rows;
        Ok(())
    }

    /// Reads these editions again.
    async fn read_again(&self, engine: &dyn Engine, urns: BTreeSet<String>) -> Result<()> {
        let urns: Vec<String> = urns.into_iter().collect();
        for batch in urns.chunks(ROW_BATCH) {
            let mut sql = select();
            sql.push("urn IN ").tuple(batch.iter().map(|urn| urn.as_str().into()));
            let read = engine.read(sql).await?;
            let rare = RareChanges::of_urns(engine, batch).await?;
            let mut rows = self.rows.write().unwrap_or_else(PoisonError::into_inner);
            let editions = read.iter().map(|row| rows.edition(row)).collect::<Result<Vec<_>>>()?;
            rows.replace(batch, editions);
            rows.rare.replace(batch, rare);
        }
        Ok(())
    }

    /// Which editions these rights cover, as slots of `rows`.
    pub(crate) fn visible(&self, rows: &SlotRows, rights: &Rights) -> Arc<Visible> {
        if let Some(known) = self.known_visible(rows, rights) {
            return known;
        }
        let known = self.visible.get(&rights.name());
        let visible = Arc::new(Visible::now(rows, rights, known.as_deref()));
        self.visible.insert(rights.name(), Arc::clone(&visible));
        visible
    }

    /// The editions that fit a query, where they are known for this version of the index.
    pub(crate) fn known_matching(&self, key: &QueryKey) -> Option<Arc<MatchingEditions>> {
        let version = self.rows().version();
        self.matching.get(key).filter(|known| known.version == version)
    }

    /// The editions that fit a query: where they were known before, only those that changed are compared
    /// with it.
    pub(crate) fn matching(
        &self,
        key: QueryKey,
        query: &Query,
        aliased: &Aliased,
        rights: &Rights,
    ) -> Arc<MatchingEditions> {
        let rows = self.rows();
        let visible = self.visible(&rows, rights);
        let known = self.matching.get(&key);
        let found = Arc::new(rows.matching(query, aliased, &visible, known.as_deref()));
        self.matching.insert(key, Arc::clone(&found));
        found
    }

    /// The same where it is known, and nothing has to be computed.
    pub(crate) fn known_visible(&self, rows: &SlotRows, rights: &Rights) -> Option<Arc<Visible>> {
        self.visible.get(&rights.name()).filter(|known| known.version == rows.version())
    }
}

/// Texts that are joined by spaces.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|word| !word.is_empty())
}

/// Asks for what the index has of editions that are not recalled; a condition follows.
fn select() -> Sql {
    let columns = COLUMNS.join(", ");
    Sql::new(&format!(
        "SELECT id, {columns}, updated, stem, publisher, languages, ics, status, \
         COALESCE((SELECT c.seq FROM edition_changes c WHERE c.urn = editions.urn), 0) AS changed FROM editions \
         WHERE recalled IS NULL AND "
    ))
}

impl SlotRows {
    /// Counts the changes of slots: equal versions of one store have equal slots.
    pub fn version(&self) -> usize {
        self.forgotten + self.changed.len()
    }

    /// The slots that changed after this version; `None` where they were forgotten.
    pub fn changed_since(&self, version: usize) -> Option<impl Iterator<Item = u32> + '_> {
        Some(self.changes_after(version)?.iter().map(|change| change.slot))
    }

    fn changes_after(&self, version: usize) -> Option<&[ChangedSlot]> {
        self.changed.get(version.checked_sub(self.forgotten)?..)
    }

    /// The edition in a slot.
    pub fn get(&self, slot: u32) -> Option<&IndexedEdition> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// Number of slots, free ones included.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    fn edition(&mut self, row: &ResultRow) -> Result<IndexedEdition> {
        let mut texts = String::new();
        let mut ends = [0; TEXTS];
        for (column, end) in COLUMNS.iter().zip(&mut ends) {
            // Each word has a space before it, the first one too.
            if *column == "words" {
                texts.push(' ');
            }
            texts.push_str(row.maybe_text(column)?.unwrap_or_default());
            *end = u32::try_from(texts.len()).map_err(StoreError::corrupt)?;
        }
        columns::read_status(row.int("status")?)?;
        Ok(IndexedEdition {
            id: row.int("id")?,
            texts: texts.into(),
            ends,
            updated: row.int("updated")?,
            changed: row.int("changed")?,
            shared: SharedValues {
                document: self.documents.number(row.text("stem")?),
                publisher: self.publishers.number(row.text("publisher")?),
                languages: self.languages.number(row.text("languages")?),
                ics: self.ics.number(row.text("ics")?),
                status: row.int("status")?,
            },
        })
    }

    /// The status of an edition.
    pub fn status(&self, one: &IndexedEdition) -> Option<Status> {
        columns::read_status(one.shared.status).ok()
    }

    /// The publisher of an edition.
    pub fn publisher(&self, one: &IndexedEdition) -> &str {
        self.publishers.text(one.shared.publisher)
    }

    /// The languages of an edition.
    pub fn languages(&self, one: &IndexedEdition) -> impl Iterator<Item = &str> {
        words_of(self.languages.text(one.shared.languages))
    }

    /// The ICS codes of an edition.
    pub fn ics(&self, one: &IndexedEdition) -> impl Iterator<Item = &str> {
        words_of(self.ics.text(one.shared.ics))
    }

    /// The slot of the edition with this URN.
    pub fn slot(&self, urn: &str) -> Option<u32> {
        let by_urn = &self.orders[0];
        let at = by_urn.partition_point(|slot| self.urn_in(*slot).is_some_and(|own| own < urn));
        let slot = *by_urn.get(at)?;
        if self.urn_in(slot) == Some(urn) { Some(slot) } else { None }
    }

    /// Slots of the editions whose URN begins so.
    fn beginning(&self, prefix: &str) -> &[u32] {
        let by_urn = &self.orders[0];
        let before = by_urn.partition_point(|slot| self.urn_in(*slot).is_some_and(|own| own < prefix));
        let rest = &by_urn[before..];
        let those =
            rest.partition_point(|slot| self.urn_in(*slot).is_some_and(|own| own.starts_with(prefix)));
        &rest[..those]
    }

    fn urn_in(&self, slot: u32) -> Option<&str> {
        self.get(slot).map(IndexedEdition::urn)
    }

    /// Notes that a slot changed; where very many did, sets of slots are built again.
    fn note(&mut self, change: ChangedSlot) {
        if self.changed.len() >= FOLLOWED_CHANGES as usize {
            self.forgotten += self.changed.len();
            self.changed.clear();
        }
        self.changed.push(change);
    }
}
