//! Rows of one edition: its own, and those of the indexes, which are derived from it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use norma_model::urn::reference_key;
use norma_model::{Digest, Identifier, ProvisionId, tokens};

use crate::catalogue::amended_names::AmendedNames;
use crate::catalogue::{ROW_BATCH, micros};
use crate::edition_order::{EditionName, edition_keys};
use crate::engine::{ResultRow, Sql, SqlValue, Transaction};
use crate::entry::{Publication, reverse};
use crate::{Result, StoreError, columns, sort_keys};

/// The columns of `editions` except its id and its pack.
const EDITION: &str = "urn, stem, edition, edition_key, languages, original, stated, withdrawn, status, recalled, notice, noticed, \
     reference, reference_key, sort_key, title, publisher, number, part, supplement_kind, supplement_number, supplement_year, kind, \
     published_on, ics, words, revision, deriver, origin, source, source_size, updated, listed_checksum, urn_given, former_urns";

/// Columns that an operator or other editions determine, not the document.
const OPERATED: [&str; 6] = ["edition_key", "withdrawn", "status", "recalled", "notice", "noticed"];

/// The columns of `edition_parts` except the edition.
const PARTS: &str = "directory, assets, provisions, aliases, citations, head_checksum, provisions_checksum";

/// Columns with a checksum, each with the columns that it covers.
const CHECKSUMS: [(&str, &str); 3] = [
    ("listed_checksum", columns::LISTED_CHECKED),
    ("head_checksum", columns::HEAD_CHECKED),
    ("provisions_checksum", columns::PROVISIONS_CHECKED),
];

/// The indexes: tables whose first column is the key, and whose second one is the edition.
const INDEXES: [(&str, &str); 4] = [
    ("edition_languages", "language, edition"),
    ("aliases", "alias, edition"),
    ("citations", "reference_key, edition, kind, stem, dated"),
    ("provisions", "key, edition"),
];

/// A citation of another document by an edition, as in the index.
#[derive(serde::Serialize, serde::Deserialize)]
struct CitationRow {
    key: String,
    kind: String,
    document_urn: Option<String>,
    is_dated: bool,
}

/// The rows of an edition, the same in each store.
#[derive(PartialEq, Eq)]
pub(crate) struct EditionRows {
    /// The values of [`EDITION`].
    edition: Vec<SqlValue>,
    /// The values of [`PARTS`].
    parts: Vec<SqlValue>,
    /// Digest of its pack.
    pub(crate) pack: Digest,
}

/// The query for editions; a condition on `e` follows. Read by [`read`].
pub(crate) fn select() -> Sql {
    let (edition, parts) = (EDITION.replace(", ", ", e."), PARTS.replace(", ", ", p."));
    Sql::new(&format!(
        "SELECT e.id, e.{edition}, p.{parts}, b.digest AS pack FROM editions e \
         JOIN edition_parts p ON p.edition = e.id JOIN blobs b ON b.id = e.pack WHERE e."
    ))
}

/// A row of [`select`], with the number of the edition.
pub(crate) fn read(row: &ResultRow) -> Result<(i64, EditionRows)> {
    let values = |columns| names(columns).map(|name| row.value(name).cloned()).collect::<Result<_>>();
    let stored = EditionRows { edition: values(EDITION)?, parts: values(PARTS)?, pack: row.digest("pack")? };
    Ok((row.int("id")?, stored))
}

/// The names in a list of columns.
fn names(columns: &str) -> impl Iterator<Item = &str> {
    columns.split(", ")
}

/// The key of a provision in the index: the first 48 of its 128 bits. The list in `edition_parts`, which has
/// the whole ids, decides whether it is in the edition.
pub(crate) fn provision_key(id: &ProvisionId) -> i64 {
    id.as_bytes().iter().take(6).fold(0, |key, byte| key << 8 | i64::from(*byte))
}

/// The text of an alias in the index.
pub(crate) fn alias(identifier: &Identifier) -> &str {
    match identifier {
        Identifier::Urn(urn) => urn.as_str(),
        Identifier::Partial(urn) => urn.as_str(),
        Identifier::Alias(text) => text,
    }
}

impl EditionRows {
    /// The rows of a publication that no other edition affects yet.
    pub(crate) fn new(publication: &Publication, now: SystemTime) -> Self {
        let mut rows = Self {
            edition: edition_values(publication, now),
            parts: part_values(publication),
            pack: publication.pack.digest(),
        };
        for (column, checked) in CHECKSUMS {
            let checksum = columns::checksum(&rows.checked(checked));
            rows.set(column, checksum.into());
        }
        rows
    }

    /// True if both states of an edition were derived from the same source.
    pub(crate) fn has_same_source(&self, other: &Self) -> bool {
        self.value("source") == other.value("source")
    }

    /// True if an operator recalled the edition.
    pub(crate) fn is_recalled(&self) -> bool {
        !self.value("recalled").is_missing()
    }

    /// Its ICS codes, each once.
    pub(crate) fn codes(&self) -> Vec<String> {
        let codes: BTreeSet<&str> = self.text("ics").split(' ').filter(|code| !code.is_empty()).collect();
        codes.into_iter().map(str::to_owned).collect()
    }

    /// True if both states of an edition have one name and the same values in lists.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        let same = |column| self.value(column) == other.value(column);
        same("revision") && same("listed_checksum")
    }

    /// True if both states of an edition were derived from the same source and the same pictures.
    pub(crate) fn has_same_material(&self, other: &Self) -> bool {
        self.has_same_source(other) && self.value("assets") == other.value("assets")
    }

    /// What it says that it amends.
    pub(crate) fn amended(&self) -> Result<AmendedNames> {
        let mut names = AmendedNames::default();
        for citation in self.citations()? {
            if citation.kind != columns::AMENDS {
                continue;
            }
            if citation.is_dated {
                names.reference_keys.insert(citation.key);
            } else {
                // Without a date, all editions of another document.
                names.documents.extend(citation.document_urn.filter(|urn| urn != self.text("stem")));
            }
        }
        Ok(names)
    }

    /// The values of columns that a checksum is of.
    fn checked(&self, columns: &str) -> Vec<SqlValue> {
        let pack = SqlValue::from(&self.pack);
        names(columns)
            .map(|name| if name == "pack" { pack.clone() } else { self.value(name).clone() })
            .collect()
    }

    /// Compares its values with their checksums.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where they are not what was stored.
    pub(crate) fn expect_whole(&self) -> Result<()> {
        for (column, checked) in CHECKSUMS {
            let SqlValue::Int(Some(stored)) = self.value(column) else {
                return Err(StoreError::corrupt(format!("column {column} has no number")));
            };
            let what = format!("{} ({checked})", self.text("urn"));
            columns::expect_checksum(*stored, &self.checked(checked), &what)?;
        }
        // The indexes and the pack's blobs follow from these.
        self.blobs()?;
        self.citations().map(drop)
    }

    fn value(&self, name: &str) -> &SqlValue {
        for (column, value) in names(EDITION).zip(&self.edition).chain(names(PARTS).zip(&self.parts)) {
            if column == name {
                return value;
            }
        }
        &SqlValue::Text(None)
    }

    fn set(&mut self, name: &str, value: SqlValue) {
        let columns = names(EDITION).zip(&mut self.edition).chain(names(PARTS).zip(&mut self.parts));
        for (column, stored) in columns {
            if column == name {
                *stored = value;
                return;
            }
        }
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        match self.value(name) {
            SqlValue::Text(Some(text)) => text,
            _ => "",
        }
    }

    fn bytes(&self, name: &str) -> &[u8] {
        match self.value(name) {
            SqlValue::Bytes(Some(bytes)) => bytes,
            _ => &[],
        }
    }

    /// Ids of its provisions, in document order.
    pub(crate) fn provisions(&self) -> Vec<ProvisionId> {
        columns::unpack_provisions(self.bytes("provisions"))
    }

    /// Digests of all blobs that it refers to.
    pub(crate) fn blobs(&self) -> Result<BTreeSet<Digest>> {
        let mut digests = BTreeSet::from([self.pack]);
        for asset in columns::unpack_assets(self.bytes("assets"))? {
            digests.insert(asset.digest);
        }
        Ok(digests)
    }

    /// The names that the source states, and earlier names of the edition.
    fn aliases(&self) -> BTreeSet<&str> {
        let mut names: BTreeSet<&str> = self.text("aliases").split('\n').collect();
        names.extend(self.text("former_urns").split('\n'));
        names.remove("");
        names
    }

    /// Adds the earlier names of another state of the edition.
    pub(crate) fn keep_former_urns(&mut self, stored: &Self) {
        let mut former = BTreeSet::new();
        for urn in stored.text("former_urns").split('\n').chain([self.text("former_urns")]) {
            // An edition may get an earlier name back.
            if !urn.is_empty() && urn != self.text("urn") {
                former.insert(urn);
            }
        }
        let former = former.into_iter().collect::<Vec<_>>().join("\n");
        self.set("former_urns", former.into());
    }

    fn citations(&self) -> Result<Vec<CitationRow>> {
        columns::unpacked(self.bytes("citations"))
    }

    /// The rows of each of [`INDEXES`], in their order.
    fn index(&self, id: i64) -> Result<[Vec<Vec<SqlValue>>; 4]> {
        let mut languages: BTreeSet<&str> = self.text("languages").split(' ').collect();
        languages.remove("");
        let mut citations = Vec::new();
        for CitationRow { key, kind, document_urn, is_dated } in self.citations()? {
            citations.push(vec![key.into(), id.into(), kind.into(), document_urn.into(), is_dated.into()]);
        }
        let provisions: BTreeSet<i64> = self.provisions().iter().map(provision_key).collect();
        Ok([key_rows(languages, id), key_rows(self.aliases(), id), citations, key_rows(provisions, id)])
    }

    /// Document URNs and reference keys of the editions whose status can depend on this one: the other
    /// editions of its standard, and those that it says to replace.
    pub(crate) fn affects(
        &self,
        document_urns: &mut BTreeSet<String>,
        reference_keys: &mut BTreeSet<String>,
    ) -> Result<()> {
        document_urns.insert(self.text("stem").to_owned());
        for citation in self.citations()? {
            if citation.kind != columns::REPLACES {
                continue;
            }
            if citation.is_dated {
                reference_keys.insert(citation.key);
            } else if let Some(document_urn) = citation.document_urn {
                document_urns.insert(document_urn);
            }
        }
        Ok(())
    }
}

/// The values of [`EDITION`] as a publication says.
fn edition_values(publication: &Publication, now: SystemTime) -> Vec<SqlValue> {
    let summary = &publication.summary;
    let urn = &summary.urn;
    let supplement = summary.supplement.as_ref();
    let languages: Vec<&str> = summary.languages.iter().map(|language| language.as_str()).collect();
    let published_on = summary.published_on.as_ref().map_or("", |date| date.as_str());
    // The key of an edition that is alone; the other editions of its document may change it.
    let name = EditionName { edition: urn.edition(), published_on };
    let edition_key = edition_keys(&[name]).pop();
    vec![
        urn.as_str().into(),
        urn.document_urn().into(),
        urn.edition().into(),
        edition_key.into(),
        languages.join(" ").into(),
        publication.original.into(),
        columns::status(publication.status).into(),
        false.into(),
        columns::status(publication.status).into(),
        SqlValue::Text(None),
        SqlValue::Text(None),
        0_i64.into(),
        summary.reference.as_str().into(),
        reference_key(&summary.reference).into(),
        sort_keys::natural(&summary.reference).into(),
        summary.title.as_str().into(),
        summary.publisher.as_str().into(),
        summary.number.as_str().into(),
        summary.part.clone().into(),
        supplement.map(|s| s.kind.code()).into(),
        supplement.map(|s| s.number.as_str()).into(),
        supplement.and_then(|s| s.year.as_deref()).into(),
        columns::kind(summary.kind).into(),
        published_on.into(),
        summary.ics.join(" ").into(),
        words(publication).into(),
        publication.revision.as_str().into(),
        publication.deriver.as_str().into(),
        publication.origin.as_str().into(),
        (&publication.source).into(),
        publication.source_size.into(),
        micros(now).into(),
        // Checksums are written over the zeros.
        0_i64.into(),
        publication.urn_given.into(),
        publication.former_urn.as_ref().map_or("", |urn| urn.as_str()).into(),
    ]
}

/// The values of [`PARTS`] as a publication says.
fn part_values(publication: &Publication) -> Vec<SqlValue> {
    let mut assets: Vec<_> = publication.assets.iter().collect();
    assets.sort_by_key(|asset| asset.digest);
    assets.dedup_by_key(|asset| asset.digest);
    let aliases: BTreeSet<&str> = publication.aliases.iter().map(alias).collect();
    vec![
        publication.directory.clone().into(),
        columns::pack_assets(assets.into_iter()).into(),
        columns::pack_provisions(&publication.provisions).into(),
        aliases.into_iter().collect::<Vec<_>>().join("\n").into(),
        columns::packed(&citations(publication)).into(),
        // Checksums are written over the zeros.
        0_i64.into(),
        0_i64.into(),
    ]
}

/// The words of reference and title that searches in lists compare, each once.
fn words(publication: &Publication) -> String {
    let mut words = tokens(&publication.summary.reference);
    words.extend(tokens(&publication.summary.title));
    words.into_iter().collect::<Vec<_>>().join(" ")
}

/// Rows of an index with two columns: a key, and the edition.
fn key_rows<K: Into<SqlValue>>(keys: BTreeSet<K>, id: i64) -> Vec<Vec<SqlValue>> {
    keys.into_iter().map(|key| vec![key.into(), id.into()]).collect()
}

/// URNs of the documents, without edition and language, that an edition adopts, read from its column of
/// citations.
pub(crate) fn adopted(citations: &[u8]) -> Result<Vec<String>> {
    let mut adopted = Vec::new();
    for citation in columns::unpacked::<Vec<CitationRow>>(citations)? {
        if citation.kind == columns::ADOPTS {
            adopted.extend(citation.document_urn);
        }
    }
    Ok(adopted)
}

/// The relations of a publication that have a reverse, each kind and reference once.
fn citations(publication: &Publication) -> Vec<CitationRow> {
    let mut all = BTreeMap::new();
    for relation in &publication.relations {
        if reverse(relation.kind).is_none() {
            continue;
        }
        let kind = columns::relation(relation.kind).to_owned();
        let key = reference_key(&relation.reference);
        let document_urn = relation.urn.as_ref().map(|urn| urn.document_urn().to_owned());
        let citation =
            CitationRow { key: key.clone(), kind: kind.clone(), document_urn, is_dated: relation.dated };
        all.entry((kind, key)).or_insert(citation);
    }
    all.into_values().collect()
}

/// Adds new editions with the numbers of their blobs, and returns the numbers of the editions, in the same
/// order.
pub(crate) async fn insert(
    tx: &mut dyn Transaction,
    new: &[&EditionRows],
    blobs: &BTreeMap<Digest, i64>,
) -> Result<Vec<i64>> {
    let mut rows = Vec::with_capacity(new.len());
    for stored in new {
        let mut row = stored.edition.clone();
        row.push(number(blobs, &stored.pack)?.into());
        rows.push(row);
    }
    let columns = format!("{EDITION}, pack");
    // The engine may return the rows in another order.
    let mut ids_by_urn = BTreeMap::new();
    for row in tx.insert("editions", &columns, rows, "RETURNING id, urn").await? {
        ids_by_urn.insert(row.text("urn")?.to_owned(), row.int("id")?);
    }
    let mut ids = Vec::with_capacity(new.len());
    for stored in new {
        let id = ids_by_urn.get(stored.text("urn"));
        ids.push(*id.ok_or_else(|| StoreError::corrupt("an inserted edition has no id"))?);
    }
    Ok(ids)
}

/// Replaces the row of an edition, but keeps [the columns](OPERATED) that do not follow from it. What is
/// indexed of it has to be removed before and added after.
pub(crate) async fn update(tx: &mut dyn Transaction, id: i64, stored: &EditionRows, pack: i64) -> Result<()> {
    let mut sql = Sql::new("UPDATE editions SET pack = ");
    sql.arg(pack);
    for (column, value) in names(EDITION).zip(&stored.edition) {
        if !OPERATED.contains(&column) {
            sql.push(&format!(", {column} = ")).arg(value.clone());
        }
    }
    sql.push(" WHERE id = ").arg(id);
    tx.run(sql).await.map(drop)
}

/// Adds what is indexed of editions, and their parts.
pub(crate) async fn insert_details(
    tx: &mut dyn Transaction,
    editions: &[(i64, &EditionRows)],
    blobs: &BTreeMap<Digest, i64>,
) -> Result<()> {
    let mut parts = Vec::with_capacity(editions.len());
    let mut rows: [Vec<Vec<SqlValue>>; 4] = Default::default();
    let mut refs = BTreeSet::new();
    for (id, stored) in editions {
        let mut part = vec![SqlValue::from(*id)];
        part.extend(stored.parts.iter().cloned());
        parts.push(part);
        for (rows, more) in rows.iter_mut().zip(stored.index(*id)?) {
            rows.extend(more);
        }
        for digest in stored.blobs()? {
            refs.insert((number(blobs, &digest)?, *id));
        }
    }
    tx.insert("edition_parts", &format!("edition, {PARTS}"), parts, "").await?;
    for ((table, columns), rows) in INDEXES.iter().zip(rows) {
        tx.insert(table, columns, rows, "").await?;
    }
    let refs = refs.into_iter().map(|(blob, edition)| vec![blob.into(), edition.into()]).collect();
    tx.insert("blob_refs", "blob, edition", refs, "").await.map(drop)
}

fn number(blobs: &BTreeMap<Digest, i64>, digest: &Digest) -> Result<i64> {
    blobs.get(digest).copied().ok_or_else(|| StoreError::corrupt(format!("the blob {digest} is missing")))
}

/// Removes all rows of an edition except its own, as they were stored. Its blobs stay, and rest from now on:
/// readers may have begun with them.
pub(crate) async fn clear(
    tx: &mut dyn Transaction,
    id: i64,
    stored: &EditionRows,
    now: SystemTime,
) -> Result<()> {
    tx.run(Sql::new("DELETE FROM edition_parts WHERE edition = $1").bind(id)).await?;
    for ((table, columns), rows) in INDEXES.iter().zip(stored.index(id)?) {
        let key = columns.split(", ").next().unwrap_or_default();
        // The key is the first column of each index.
        let keys: BTreeSet<SqlValue> = rows.into_iter().filter_map(|row| row.into_iter().next()).collect();
        for batch in keys.into_iter().collect::<Vec<_>>().chunks(ROW_BATCH) {
            let mut sql = Sql::new(&format!("DELETE FROM {table} WHERE edition = "));
            sql.arg(id).push(&format!(" AND {key} IN ")).tuple(batch.iter().cloned());
            tx.run(sql).await?;
        }
    }
    let blobs: Vec<SqlValue> = stored.blobs()?.iter().map(SqlValue::from).collect();
    for batch in blobs.chunks(ROW_BATCH) {
        let mut sql = Sql::new("DELETE FROM blob_refs WHERE edition = ");
        sql.arg(id).push(" AND blob IN (SELECT id FROM blobs WHERE digest IN ").tuple(batch.iter().cloned());
        sql.push(") RETURNING blob");
        let blobs = tx.read(sql).await?.iter().map(|row| row.int("blob")).collect::<Result<Vec<_>>>()?;
        super::blob::touch(tx, &blobs, now).await?;
    }
    Ok(())
}
