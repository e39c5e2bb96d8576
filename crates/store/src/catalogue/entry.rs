//! Queries for one edition: by URN, partial URN, alias or provision.

use std::sync::Arc;

use norma_model::{Lang, ProvisionId, Supplement};

use crate::catalogue::related::EditionRelations;
use crate::catalogue::{blob, edition, related, time};
use crate::engine::{Engine, ResultRow, Sql};
use crate::entry::{CachedEntry, Entry, OperatorNotice, ProvisionPosition, Summary};
use crate::{Result, StoreError, columns};

/// The columns that [`summary`] reads from the row `e`, and the others for a list.
pub(crate) const LISTED: &str = "e.urn, e.reference, e.title, e.publisher, e.number, e.part, e.supplement_kind, \
     e.supplement_number, e.supplement_year, e.languages, e.kind, e.published_on, e.ics, e.status, e.revision, e.updated, \
     e.listed_checksum";

/// The summary of an edition for lists, as the source states it.
pub(crate) fn summary(row: &ResultRow) -> Result<Summary> {
    columns::expect_row(row, "listed_checksum", columns::LISTED_CHECKED, &"the row of an edition")?;
    let supplement = match row.maybe_text("supplement_kind")? {
        Some(kind) => Some(Supplement {
            kind: columns::read_supplement(kind)?,
            number: row.text("supplement_number")?.to_owned(),
            year: row.maybe_text("supplement_year")?.map(str::to_owned),
        }),
        None => None,
    };
    let mut languages = Vec::new();
    for language in row.text("languages")?.split(' ') {
        languages.push(language.parse::<Lang>().map_err(StoreError::corrupt)?);
    }
    let published_on = match row.text("published_on")? {
        "" => None,
        date => Some(date.parse().map_err(StoreError::corrupt)?),
    };
    Ok(Summary {
        urn: columns::read_urn(row.text("urn")?)?,
        reference: row.text("reference")?.to_owned(),
        title: row.text("title")?.to_owned(),
        publisher: row.text("publisher")?.to_owned(),
        number: row.text("number")?.to_owned(),
        part: row.maybe_text("part")?.map(str::to_owned),
        supplement,
        languages,
        kind: columns::read_kind(row.text("kind")?)?,
        published_on,
        ics: words(row, "ics")?,
    })
}

/// The words of a column.
pub(crate) fn words(row: &ResultRow, column: &str) -> Result<Vec<String>> {
    Ok(row.text(column)?.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
}

/// The edition of this canonical URN, with all its relations.
pub(crate) async fn load(engine: &dyn Engine, urn: &str) -> Result<Option<CachedEntry>> {
    let sql = format!(
        "SELECT {LISTED}, e.id, e.edition_key, e.recalled, e.notice, e.noticed, e.source, e.source_size, e.deriver, e.origin, p.directory, p.assets, \
         p.head_checksum, b.digest AS pack, {} \
         FROM editions e JOIN edition_parts p ON p.edition = e.id JOIN blobs b ON b.id = e.pack WHERE e.urn = $1",
        blob::COLUMNS
    );
    let rows = engine.lookup(Sql::new(&sql).bind(urn)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let entry = entry(row)?;
    let EditionRelations { related, recalled_successors } = related::load(engine, row.int("id")?).await?;
    Ok(Some(CachedEntry { entry: Arc::new(entry), related, recalled_successors }))
}

fn entry(row: &ResultRow) -> Result<Entry> {
    columns::expect_row(row, "head_checksum", columns::HEAD_CHECKED, &"the directory of an edition")?;
    let pack_row = blob::row(row)?;
    Ok(Entry {
        summary: summary(row)?,
        status: columns::read_status(row.int("status")?)?,
        revision: row.text("revision")?.to_owned(),
        updated: time(row.int("updated")?),
        recalled: row.maybe_text("recalled")?.map(str::to_owned),
        notice: notice(row)?,
        source: row.digest("source")?,
        source_size: row.int("source_size")?.unsigned_abs(),
        deriver: row.text("deriver")?.to_owned(),
        origin: row.text("origin")?.to_owned(),
        pack: pack_row.digest,
        directory: row.bytes("directory")?.clone(),
        assets: columns::unpack_assets(row.bytes("assets")?)?,
        pack_row: Arc::new(pack_row),
        edition_key: row.text("edition_key")?.to_owned(),
    })
}

/// What the operator says of a withdrawal or recall.
pub(crate) fn notice(row: &ResultRow) -> Result<Option<OperatorNotice>> {
    let Some(text) = row.maybe_text("notice")? else { return Ok(None) };
    Ok(Some(OperatorNotice { at: time(row.int("noticed")?), text: text.to_owned() }))
}

/// One of several editions that a name may mean.
pub(crate) struct EditionCandidate {
    pub(crate) urn: String,
    pub(crate) edition: String,
    pub(crate) edition_key: String,
    pub(crate) languages: Vec<String>,
    pub(crate) original: bool,
    pub(crate) status: i64,
    pub(crate) ics: Vec<String>,
    pub(crate) is_recalled: bool,
}

const CANDIDATE: &str = "SELECT e.urn, e.edition, e.edition_key, e.languages, e.original, e.status, e.ics, e.recalled FROM editions e";

/// All editions of a standard.
pub(crate) async fn of_document(engine: &dyn Engine, document_urn: &str) -> Result<Vec<EditionCandidate>> {
    candidates(engine, Sql::new(&format!("{CANDIDATE} WHERE e.stem = $1 ORDER BY e.urn")).bind(document_urn))
        .await
}

/// All editions that this alias names.
pub(crate) async fn of_alias(engine: &dyn Engine, alias: &str) -> Result<Vec<EditionCandidate>> {
    let sql = format!("{CANDIDATE} JOIN aliases a ON a.edition = e.id WHERE a.alias = $1 ORDER BY e.urn");
    candidates(engine, Sql::new(&sql).bind(alias)).await
}

async fn candidates(engine: &dyn Engine, sql: Sql) -> Result<Vec<EditionCandidate>> {
    let mut candidates = Vec::new();
    for row in engine.read(sql).await? {
        candidates.push(EditionCandidate {
            urn: row.text("urn")?.to_owned(),
            edition: row.text("edition")?.to_owned(),
            edition_key: row.text("edition_key")?.to_owned(),
            languages: words(&row, "languages")?,
            original: row.int("original")? == 1,
            status: row.int("status")?,
            ics: words(&row, "ics")?,
            is_recalled: row.maybe_text("recalled")?.is_some(),
        });
    }
    Ok(candidates)
}

/// The URN of the edition with this provision, and its position there.
pub(crate) async fn of_provision(
    engine: &dyn Engine,
    id: &ProvisionId,
) -> Result<Option<(String, ProvisionPosition)>> {
    let sql = "SELECT e.urn, p.provisions, p.provisions_checksum FROM provisions x JOIN editions e ON e.id = x.edition \
         JOIN edition_parts p ON p.edition = e.id WHERE x.key = $1 ORDER BY e.urn";
    // Ids that begin alike have one key.
    for row in engine.lookup(Sql::new(sql).bind(edition::provision_key(id))).await? {
        let ids = columns::read_provisions(&row)?;
        let index = ids.iter().position(|one| one == id);
        if let Some((_, position)) = index.and_then(|index| ProvisionPosition::of(&ids, index)) {
            return Ok(Some((row.text("urn")?.to_owned(), position)));
        }
    }
    Ok(None)
}
