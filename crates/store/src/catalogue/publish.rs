//! Publishing: the blobs first, the catalogue last, and each reader sees the old edition or the new one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use norma_model::urn::reference_key;
use norma_model::{Digest, Identifier, tokens};

use crate::blobs::Placed;
use crate::catalogue::feed::{self, Subject};
use crate::catalogue::{micros, status};
use crate::engine::{Row, Sql, Transaction, Value};
use crate::entry::{Outcome, Publication, View, reverse};
use crate::pieces::{self, Checksums, PIECE};
use crate::{Error, Result, codes, keys};

/// Rows that go into one INSERT: below every engine's limit on parameters.
const ROWS_AT_ONCE: usize = 500;

/// A blob that was touched in this time before is not touched again: SQLite reads and writes a row whole.
const NOTED: Duration = Duration::from_secs(60);

/// Bytes of blobs after which an INSERT has enough.
const BYTES_AT_ONCE: usize = 1 << 20;

const COLUMNS: &str = "urn, stem, edition, edition_key, languages, original, stated, withdrawn, status, reference, \
     reference_key, sort_key, title, publisher, number, part, supplement_kind, supplement_number, supplement_year, \
     kind, published_on, ics, revision, deriver, origin, source, source_size, updated";

/// What the catalogue held under the URN before.
pub(crate) struct Stored {
    id: i64,
    source: Digest,
    deriver: String,
    origin: String,
    revision: String,
}

/// What is stored under the URN of this publication.
pub(crate) fn stored(publication: &Publication) -> Sql {
    Sql::new("SELECT id, source, deriver, origin, revision FROM editions WHERE urn = $1")
        .bind(publication.summary.urn.as_str())
}

impl Stored {
    pub(crate) fn of(rows: &[Row]) -> Result<Option<Self>> {
        let Some(row) = rows.first() else { return Ok(None) };
        Ok(Some(Self {
            id: row.int(0)?,
            source: row.digest(1)?,
            deriver: row.text(2)?.to_owned(),
            origin: row.text(3)?.to_owned(),
            revision: row.text(4)?.to_owned(),
        }))
    }

    /// Whether there is nothing to do; refuses a foreign document of the same name.
    pub(crate) fn is_same(&self, publication: &Publication) -> Result<bool> {
        let same_source = self.source == publication.source.digest();
        if !same_source && self.origin != publication.origin && !publication.replace {
            return Err(Error::Conflict {
                urn: publication.summary.urn.clone(),
                stored: self.origin.clone(),
                offered: publication.origin.clone(),
            });
        }
        Ok(!publication.mend
            && same_source
            && self.deriver == publication.deriver
            && self.revision == publication.revision)
    }
}

/// The blobs of a publication by digest: in one order for all writers, so that no two wait for each other.
pub(crate) fn blobs(publication: &Publication) -> BTreeMap<Digest, Bytes> {
    let source = (publication.source.digest(), publication.source.bytes().clone());
    let views = publication.views.iter().map(|(_, _, blob)| (blob.digest(), blob.bytes().clone()));
    let pictures = publication.pictures.iter().map(|blob| (blob.digest(), blob.bytes().clone()));
    std::iter::once(source).chain(views).chain(pictures).collect()
}

/// Digests of all that a publication refers to, what was laid before among them.
pub(crate) fn digests(publication: &Publication, blobs: &BTreeMap<Digest, Bytes>) -> Vec<Digest> {
    let laid = publication.laid.iter().map(|view| view.digest);
    let assets = publication.assets.iter().map(|asset| asset.digest);
    blobs.keys().copied().chain(laid).chain(assets).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Asks which of these blobs the catalogue has.
pub(crate) fn present<'a>(digests: impl Iterator<Item = &'a Digest>) -> Vec<Sql> {
    let digests: Vec<Value> = digests.map(Value::from).collect();
    let ask = |some: &[Value]| {
        let mut sql = Sql::new("SELECT digest FROM blobs WHERE digest IN ");
        sql.tuple(some.iter().cloned());
        sql
    };
    digests.chunks(ROWS_AT_ONCE).map(ask).collect()
}

/// Adds blobs to the catalogue, in the order of their digests: no two writers wait for each other. One that is there is
/// left alone, or takes these bytes where it is to be mended.
pub(crate) async fn put(
    tx: &mut dyn Transaction,
    placed: &BTreeMap<Digest, Placed>,
    mend: bool,
    now: SystemTime,
) -> Result<()> {
    let there = match mend {
        true => {
            " ON CONFLICT (digest) DO UPDATE SET place = excluded.place, checksums = excluded.checksums, \
              bytes = excluded.bytes"
        }
        false => " ON CONFLICT (digest) DO NOTHING",
    };
    let mut rows = Rows::new("blobs (digest, size, touched, place, checksums, bytes)", there);
    for (digest, blob) in placed {
        let (size, place, checksums, bytes) = match blob {
            Placed::Here(bytes) => {
                let in_row = (bytes.len() <= PIECE).then(|| bytes.clone());
                (bytes.len() as u64, None, Checksums::of(bytes), in_row)
            }
            Placed::At { place, size, checksums } => (*size, Some(place.clone()), checksums.clone(), None),
        };
        let weight = bytes.as_ref().map_or(0, Bytes::len);
        let row = [
            digest.into(),
            size.into(),
            micros(now).into(),
            Value::Text(place),
            checksums.bytes().clone().into(),
            Value::Bytes(bytes),
        ];
        rows.add(tx, row, weight).await?;
    }
    rows.write(tx).await?;
    if mend {
        remove_pieces(tx, placed.keys()).await?;
    }
    // Another writer may have put the same pieces since this one looked.
    let mut rows = Rows::new("blob_pieces (digest, n, bytes)", " ON CONFLICT (digest, n) DO NOTHING");
    for (digest, blob) in placed {
        let Placed::Here(bytes) = blob else { continue };
        for (n, piece) in pieces::of(bytes).enumerate().filter(|_| bytes.len() > PIECE) {
            let weight = piece.len();
            rows.add(tx, [digest.into(), n.into(), piece.into()], weight).await?;
        }
    }
    rows.write(tx).await
}

/// Rows with bytes, as many in one INSERT as are neither too many nor too large.
struct Rows {
    table: &'static str,
    conflict: &'static str,
    rows: Vec<Vec<Value>>,
    weight: usize,
}

impl Rows {
    fn new(table: &'static str, conflict: &'static str) -> Self {
        Self { table, conflict, rows: Vec::new(), weight: 0 }
    }

    /// Adds a row that holds so many bytes, and writes what there is where that is enough.
    async fn add<const N: usize>(
        &mut self,
        tx: &mut dyn Transaction,
        row: [Value; N],
        weight: usize,
    ) -> Result<()> {
        self.rows.push(row.into());
        self.weight += weight;
        if self.weight >= BYTES_AT_ONCE || self.rows.len() == ROWS_AT_ONCE {
            self.write(tx).await?;
        }
        Ok(())
    }

    /// Writes what there is.
    async fn write(&mut self, tx: &mut dyn Transaction) -> Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        self.weight = 0;
        tx.run(insert_rows(self.table, self.rows.drain(..)).and(self.conflict)).await.map(drop)
    }
}

/// Removes the pieces of these blobs.
pub(crate) async fn remove_pieces<'a>(
    tx: &mut dyn Transaction,
    digests: impl Iterator<Item = &'a Digest>,
) -> Result<()> {
    let digests: Vec<Value> = digests.map(Value::from).collect();
    for some in digests.chunks(ROWS_AT_ONCE) {
        let mut sql = Sql::new("DELETE FROM blob_pieces WHERE digest IN ");
        sql.tuple(some.iter().cloned());
        tx.run(sql).await?;
    }
    Ok(())
}

/// The transaction itself. `None`, and nothing done, when a blob that was there is gone: put it once more.
pub(crate) async fn publish(
    tx: &mut dyn Transaction,
    publication: &Publication,
    digests: &[Digest],
    now: SystemTime,
) -> Result<Option<Outcome>> {
    // Locks the row where there is one, so that what is read next stays true.
    let lock = "UPDATE editions SET revision = revision WHERE urn = $1";
    tx.run(Sql::new(lock).bind(publication.summary.urn.as_str())).await?;
    let before = Stored::of(&tx.read(stored(publication)).await?)?;
    if let Some(before) = &before
        && before.is_same(publication)?
    {
        return Ok(Some(Outcome::Unchanged));
    }
    if !touch(tx, digests, now).await? {
        return Ok(None);
    }
    let mut touched = Vec::new();
    let id = match &before {
        Some(before) => {
            touched = status::touched_by(tx, before.id).await?;
            clear(tx, before.id).await?;
            update(tx, before.id, publication, now).await?;
            before.id
        }
        None => insert(tx, publication, now).await?,
    };
    parts(tx, id, publication).await?;
    reference(tx, id, digests).await?;
    // The feed's lock from here on: what others published meanwhile counts for the status.
    feed::record(tx, &Subject::Edition(publication.summary.urn.to_string()), now).await?;
    touched.extend(status::touched_by(tx, id).await?);
    status::settle(tx, touched, now).await?;
    Ok(Some(match before {
        Some(before) => Outcome::Replaced { previous: before.revision },
        None => Outcome::Created,
    }))
}

/// Marks the blobs as used now and locks them against the collector; false when one is missing.
pub(crate) async fn touch(tx: &mut dyn Transaction, digests: &[Digest], now: SystemTime) -> Result<bool> {
    let late = micros(now.checked_sub(NOTED).unwrap_or(SystemTime::UNIX_EPOCH));
    let mut there = 0;
    for some in digests.chunks(ROWS_AT_ONCE) {
        let touched = lock(tx, some).await?;
        there += touched.len();
        if touched.iter().any(|&touched| touched < late) {
            let mut sql = Sql::new("UPDATE blobs SET touched = ");
            sql.arg(micros(now)).push(" WHERE digest IN ").tuple(some.iter().map(Value::from));
            sql.push(" AND touched < ").arg(late);
            tx.run(sql).await?;
        }
    }
    Ok(there == digests.len())
}

/// Waits for whoever uses one of the blobs right now and locks them; gives when each was last touched.
pub(crate) async fn lock(tx: &mut dyn Transaction, digests: &[Digest]) -> Result<Vec<i64>> {
    let mut sql = Sql::new("SELECT touched FROM blobs WHERE digest IN ");
    sql.tuple(digests.iter().map(Value::from)).push(tx.locking());
    tx.read(sql).await?.iter().map(|row| row.int(0)).collect()
}

fn columns(publication: &Publication, now: SystemTime) -> Vec<Value> {
    let summary = &publication.summary;
    let urn = &summary.urn;
    let supplement = summary.supplement.as_ref();
    let languages: Vec<&str> = summary.languages.iter().map(|l| l.as_str()).collect();
    let published_on = summary.published_on.as_ref().map_or("", |date| date.as_str());
    vec![
        urn.as_str().into(),
        urn.stem().into(),
        urn.edition().into(),
        keys::natural(urn.edition()).into(),
        languages.join(" ").into(),
        publication.original.into(),
        codes::status(publication.status).into(),
        false.into(),
        codes::status(publication.status).into(),
        summary.reference.as_str().into(),
        reference_key(&summary.reference).into(),
        keys::natural(&summary.reference).into(),
        summary.title.as_str().into(),
        summary.publisher.as_str().into(),
        summary.number.as_str().into(),
        summary.part.clone().into(),
        supplement.map(|s| s.kind.code()).into(),
        supplement.map(|s| s.number.as_str()).into(),
        supplement.and_then(|s| s.year.as_deref()).into(),
        codes::kind(summary.kind).into(),
        published_on.into(),
        summary.ics.join(" ").into(),
        publication.revision.as_str().into(),
        publication.deriver.as_str().into(),
        publication.origin.as_str().into(),
        (&publication.source.digest()).into(),
        publication.source.size().into(),
        micros(now).into(),
    ]
}

async fn insert(tx: &mut dyn Transaction, publication: &Publication, now: SystemTime) -> Result<i64> {
    let mut sql = Sql::new(&format!("INSERT INTO editions ({COLUMNS}) VALUES "));
    sql.tuple(columns(publication, now)).push(" RETURNING id");
    let rows = tx.read(sql).await?;
    rows.first().ok_or_else(|| Error::corrupt("an inserted edition has no id"))?.int(0)
}

/// Replaces the row but for what an operator said of it: withdrawal and recall stay.
async fn update(tx: &mut dyn Transaction, id: i64, publication: &Publication, now: SystemTime) -> Result<()> {
    let mut sql = Sql::new("UPDATE editions SET ");
    let kept = |column: &str| matches!(column, "withdrawn" | "status");
    let cells = COLUMNS.split(", ").zip(columns(publication, now)).filter(|(column, _)| !kept(column));
    for (place, (column, value)) in cells.enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).push(column).push(" = ").arg(value);
    }
    sql.push(" WHERE id = ").arg(id);
    tx.run(sql).await?;
    Ok(())
}

/// Drops everything that hangs on an edition but its own row.
pub(crate) async fn clear(tx: &mut dyn Transaction, id: i64) -> Result<()> {
    let packed =
        tx.read(Sql::new("SELECT provisions FROM edition_parts WHERE edition = $1").bind(id)).await?;
    if let Some(row) = packed.first() {
        for some in codes::unpack_provisions(row.bytes(0)?).chunks(ROWS_AT_ONCE) {
            let mut sql = Sql::new("DELETE FROM provisions WHERE id IN ");
            sql.tuple(some.iter().map(|id| Bytes::copy_from_slice(id.as_bytes()).into()));
            tx.run(sql).await?;
        }
    }
    for table in [
        "edition_parts",
        "edition_ics",
        "edition_languages",
        "edition_words",
        "aliases",
        "citations",
        "blob_refs",
    ] {
        tx.run(Sql::new(&format!("DELETE FROM {table} WHERE edition = $1")).bind(id)).await?;
    }
    Ok(())
}

async fn parts(tx: &mut dyn Transaction, id: i64, publication: &Publication) -> Result<()> {
    let summary = &publication.summary;
    let mut views: Vec<View> = publication
        .views
        .iter()
        .map(|(name, encoding, blob)| View {
            name: name.clone(),
            encoding: *encoding,
            digest: blob.digest(),
            size: blob.size(),
        })
        .chain(publication.laid.iter().cloned())
        .collect();
    views.sort_by(|a, b| (&a.name, a.encoding).cmp(&(&b.name, b.encoding)));
    let mut assets: Vec<_> = publication.assets.iter().collect();
    assets.sort_by_key(|asset| asset.digest);
    assets.dedup_by_key(|asset| asset.digest);
    let packed = [
        codes::pack_views(&views),
        codes::pack_assets(assets.into_iter()),
        codes::pack_provisions(&publication.provisions),
    ];
    let row = std::iter::once(id.into()).chain(packed.map(|bytes| Bytes::from(bytes).into())).collect();
    fill(tx, "edition_parts (edition, views, assets, provisions)", vec![row]).await?;

    let pairs = |values: Vec<String>| values.into_iter().map(|v| vec![Value::from(v), id.into()]).collect();
    let unique =
        |values: Vec<String>| values.into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>();
    fill(tx, "edition_ics (code, edition)", pairs(unique(summary.ics.clone()))).await?;
    let languages = summary.languages.iter().map(|l| l.to_string()).collect();
    fill(tx, "edition_languages (language, edition)", pairs(unique(languages))).await?;
    let mut words = tokens(&summary.reference);
    words.extend(tokens(&summary.title));
    fill(tx, "edition_words (word, edition)", pairs(words.into_iter().collect())).await?;
    let aliases = publication.aliases.iter().map(alias).map(str::to_owned).collect();
    fill(tx, "aliases (alias, edition)", pairs(unique(aliases))).await?;
    fill(tx, "citations (edition, kind, reference_key, stem, dated)", citations(id, publication)).await?;
    let numbered = publication.provisions.iter().enumerate();
    let provisions = numbered
        .map(|(n, p)| vec![Bytes::copy_from_slice(p.as_bytes()).into(), id.into(), n.into()])
        .collect();
    fill(tx, "provisions (id, edition, ordinal)", provisions).await
}

fn citations(id: i64, publication: &Publication) -> Vec<Vec<Value>> {
    let mut rows = BTreeMap::new();
    for relation in publication.relations.iter().filter(|r| reverse(r.kind).is_some()) {
        let kind = codes::relation(relation.kind);
        let key = reference_key(&relation.reference);
        let stem = relation.urn.as_ref().map(|urn| urn.stem());
        let row = vec![id.into(), kind.into(), key.clone().into(), stem.into(), relation.dated.into()];
        rows.entry((kind, key)).or_insert(row);
    }
    rows.into_values().collect()
}

/// The text under which an alias is kept.
pub(crate) fn alias(identifier: &Identifier) -> &str {
    match identifier {
        Identifier::Urn(urn) => urn.as_str(),
        Identifier::Partial(urn) => urn.as_str(),
        Identifier::Alias(text) => text,
    }
}

pub(crate) async fn reference(tx: &mut dyn Transaction, id: i64, digests: &[Digest]) -> Result<()> {
    fill(tx, "blob_refs (digest, edition)", digests.iter().map(|d| vec![d.into(), id.into()]).collect()).await
}

pub(crate) async fn fill(tx: &mut dyn Transaction, table: &str, rows: Vec<Vec<Value>>) -> Result<()> {
    for some in rows.chunks(ROWS_AT_ONCE) {
        tx.run(insert_rows(table, some.iter().cloned())).await?;
    }
    Ok(())
}

fn insert_rows(table: &str, rows: impl Iterator<Item = Vec<Value>>) -> Sql {
    let mut sql = Sql::new(&format!("INSERT INTO {table} VALUES "));
    for (place, row) in rows.enumerate() {
        sql.push(if place > 0 { ", " } else { "" }).tuple(row);
    }
    sql
}
