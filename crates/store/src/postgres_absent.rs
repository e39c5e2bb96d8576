//! Replacement of the PostgreSQL engine in a build without the Cargo feature `postgres`: each address is
//! refused.

use crate::engine::Engine;
use crate::{Result, StoreError, StoreOptions};

/// Opens no engine.
pub(crate) struct PostgresEngine;

impl PostgresEngine {
    /// Refuses the address.
    pub(crate) async fn open(_address: &str, _settings: &StoreOptions) -> Result<Box<dyn Engine>> {
        Err(StoreError::Invalid(
            "this program was built without PostgreSQL; use a SQLite file, or build it with the Cargo feature `postgres`".to_owned(),
        ))
    }
}
