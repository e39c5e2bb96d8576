//! What is known of the catalogue as of one change number: thrown away as a whole when the number moves on.

use std::sync::Arc;
use std::time::Instant;

use moka::future::Cache;

use crate::access::{Policy, Rights, Viewer};
use crate::catalogue::list::{self, Place};
use crate::engine::{Engine, Sql, Value};
use crate::entry::Record;
use crate::page::Query;
use crate::{Error, Result, Settings, catalogue};

/// Viewers and counts that are remembered.
const FEW: u64 = 1_000;

/// A query as it was asked: its text and its arguments.
type Asked = (String, Vec<Value>);

/// A state of the catalogue, and what was read of it so far.
pub(crate) struct Generation {
    pub(crate) sequence: u64,
    pub(crate) policy: Arc<Policy>,
    records: Cache<String, Option<Arc<Record>>>,
    counts: Cache<Asked, u64>,
    gathered: Cache<Asked, Arc<Vec<Place>>>,
    rights: moka::sync::Cache<Viewer, Arc<Rights>>,
}

/// The present generation, and when it was last compared with the catalogue.
pub(crate) struct Present {
    pub(crate) generation: Arc<Generation>,
    pub(crate) looked: Instant,
}

impl Generation {
    pub(crate) async fn load(engine: &dyn Engine, sequence: u64, settings: &Settings) -> Result<Self> {
        Ok(Self {
            sequence,
            policy: Arc::new(catalogue::admin::policy(engine).await?),
            records: Cache::new(settings.entry_cache),
            counts: Cache::new(FEW),
            gathered: Cache::builder()
                .weigher(|_, rows: &Arc<Vec<Place>>| u32::try_from(rows.len()).unwrap_or(u32::MAX))
                .max_capacity(settings.gathered_rows)
                .build(),
            rights: moka::sync::Cache::new(FEW),
        })
    }

    /// The edition of this URN; concurrent callers share one look.
    pub(crate) async fn record(&self, engine: &dyn Engine, urn: &str) -> Result<Option<Arc<Record>>> {
        if let Some(known) = self.records.get(urn).await {
            return Ok(known);
        }
        let load = async { Ok(catalogue::entry::load(engine, urn).await?.map(Arc::new)) };
        self.records.try_get_with(urn.to_owned(), load).await.map_err(|e: Arc<Error>| (*e).clone())
    }

    /// The number that this count gives.
    pub(crate) async fn count(&self, engine: &dyn Engine, sql: Sql) -> Result<u64> {
        let key = (sql.text.clone(), sql.args.clone());
        let count = catalogue::list::number(engine, sql);
        self.counts.try_get_with(key, count).await.map_err(|e: Arc<Error>| (*e).clone())
    }

    /// Keys and ids of all that fits, in ascending order.
    pub(crate) async fn gathered(
        &self,
        engine: &dyn Engine,
        query: &Query,
        rights: &Rights,
    ) -> Result<Arc<Vec<Place>>> {
        let gather = async { Ok(Arc::new(list::gather(engine, query, rights).await?)) };
        let gathered = self.gathered.try_get_with(list::gathered(query, rights), gather).await;
        gathered.map_err(|e: Arc<Error>| (*e).clone())
    }

    /// What this viewer may see.
    pub(crate) fn rights(&self, viewer: &Viewer) -> Arc<Rights> {
        self.rights.get_with_by_ref(viewer, || Arc::new(self.policy.rights(viewer)))
    }
}
