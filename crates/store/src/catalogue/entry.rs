//! Reading one edition: by URN, by a URN that lacks parts, by alias, by provision.

use std::sync::Arc;

use bytes::Bytes;
use norma_model::{Lang, ProvisionId, Supplement};

use crate::catalogue::{related, time};
use crate::engine::{Engine, Row, Sql};
use crate::entry::{Entry, Record, Summary};
use crate::{Error, Result, codes};

/// The columns that [`listed`] reads, of the row `e`.
pub(crate) const LISTED: &str = "e.urn, e.reference, e.title, e.publisher, e.number, e.part, e.supplement_kind, \
     e.supplement_number, e.supplement_year, e.languages, e.kind, e.published_on, e.ics, e.status, e.revision, e.updated";

/// Number of columns in [`LISTED`].
pub(crate) const LISTED_WIDTH: usize = 16;

/// What a list shows, with status, revision and time of the last change.
pub(crate) fn summary(row: &Row) -> Result<Summary> {
    let supplement = match row.maybe_text(6)? {
        Some(kind) => Some(Supplement {
            kind: codes::read_supplement(kind)?,
            number: row.text(7)?.to_owned(),
            year: row.maybe_text(8)?.map(str::to_owned),
        }),
        None => None,
    };
    let languages: Vec<Lang> =
        row.text(9)?.split(' ').map(|l| l.parse().map_err(Error::corrupt)).collect::<Result<_>>()?;
    let published_on = match row.text(11)? {
        "" => None,
        date => Some(date.parse().map_err(Error::corrupt)?),
    };
    Ok(Summary {
        urn: codes::read_urn(row.text(0)?)?,
        reference: row.text(1)?.to_owned(),
        title: row.text(2)?.to_owned(),
        publisher: row.text(3)?.to_owned(),
        number: row.text(4)?.to_owned(),
        part: row.maybe_text(5)?.map(str::to_owned),
        supplement,
        languages,
        kind: codes::read_kind(row.text(10)?)?,
        published_on,
        ics: row.text(12)?.split(' ').filter(|c| !c.is_empty()).map(str::to_owned).collect(),
    })
}

/// The edition of this canonical URN, with all its relations.
pub(crate) async fn load(engine: &dyn Engine, urn: &str) -> Result<Option<Record>> {
    let sql = format!(
        "SELECT {LISTED}, e.recalled, e.source, e.source_size, e.deriver, e.origin, p.views, p.assets, e.id \
         FROM editions e JOIN edition_parts p ON p.edition = e.id WHERE e.urn = $1"
    );
    let rows = engine.read(Sql::new(&sql).bind(urn)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let entry = entry(row)?;
    let related = related::of(engine, row.int(LISTED_WIDTH + 7)?).await?;
    Ok(Some(Record { entry: Arc::new(entry), related }))
}

fn entry(row: &Row) -> Result<Entry> {
    let rest = LISTED_WIDTH;
    Ok(Entry {
        summary: summary(row)?,
        status: codes::read_status(row.int(13)?)?,
        revision: row.text(14)?.to_owned(),
        updated: time(row.int(15)?),
        recalled: row.maybe_text(rest)?.map(str::to_owned),
        source: (row.digest(rest + 1)?, row.int(rest + 2)?.unsigned_abs()),
        deriver: row.text(rest + 3)?.to_owned(),
        origin: row.text(rest + 4)?.to_owned(),
        views: codes::unpack_views(row.bytes(rest + 5)?)?,
        assets: codes::unpack_assets(row.bytes(rest + 6)?)?,
    })
}

/// One of several editions that a name may mean.
pub(crate) struct Candidate {
    pub(crate) urn: String,
    pub(crate) edition: String,
    pub(crate) edition_key: String,
    pub(crate) languages: Vec<String>,
    pub(crate) original: bool,
    pub(crate) status: i64,
    pub(crate) ics: Vec<String>,
    pub(crate) is_recalled: bool,
}

const CANDIDATE: &str = "SELECT e.urn, e.edition, e.edition_key, e.languages, e.original, e.status, e.ics, \
     CASE WHEN e.recalled IS NULL THEN 0 ELSE 1 END FROM editions e";

/// All editions of a standard.
pub(crate) async fn of_stem(engine: &dyn Engine, stem: &str) -> Result<Vec<Candidate>> {
    candidates(engine, Sql::new(&format!("{CANDIDATE} WHERE e.stem = $1 ORDER BY e.urn")).bind(stem)).await
}

/// All editions that this alias names.
pub(crate) async fn of_alias(engine: &dyn Engine, alias: &str) -> Result<Vec<Candidate>> {
    let sql = format!("{CANDIDATE} JOIN aliases a ON a.edition = e.id WHERE a.alias = $1 ORDER BY e.urn");
    candidates(engine, Sql::new(&sql).bind(alias)).await
}

async fn candidates(engine: &dyn Engine, sql: Sql) -> Result<Vec<Candidate>> {
    let split = |text: &str| text.split(' ').filter(|t| !t.is_empty()).map(str::to_owned).collect();
    let rows = engine.read(sql).await?;
    let candidate = |row: &Row| {
        Ok(Candidate {
            urn: row.text(0)?.to_owned(),
            edition: row.text(1)?.to_owned(),
            edition_key: row.text(2)?.to_owned(),
            languages: split(row.text(3)?),
            original: row.int(4)? == 1,
            status: row.int(5)?,
            ics: split(row.text(6)?),
            is_recalled: row.int(7)? == 1,
        })
    };
    rows.iter().map(candidate).collect()
}

/// The URN of the edition that holds this provision, and the provision's place in it, counted from 0.
pub(crate) async fn of_provision(engine: &dyn Engine, id: &ProvisionId) -> Result<Option<(String, usize)>> {
    let sql = "SELECT e.urn, p.ordinal FROM provisions p JOIN editions e ON e.id = p.edition WHERE p.id = $1";
    let rows = engine.read(Sql::new(sql).bind(Bytes::copy_from_slice(id.as_bytes()))).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    Ok(Some((row.text(0)?.to_owned(), usize::try_from(row.int(1)?).map_err(Error::corrupt)?)))
}
