//! Contract tests, run on each engine.
//!
//! SQLite, alone and with a folder for its blobs, always. PostgreSQL where `NORMA_TEST_POSTGRES` holds the
//! URL of a server on which databases may be made; with it an S3 server where `NORMA_TEST_S3` names one
//! (`s3://bucket/prefix?endpoint=…`). Azure Blob where `AZURITE_BLOB_STORAGE_URL` and `NORMA_TEST_AZURE`
//! (`az://container/prefix`) are set. What is left out is said on stderr; where `CI=true`, it is a failure.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "this is test code")]

/// Runs each promise in each world.
macro_rules! promises {
    ($($name:ident),* $(,)?) => {
        promises!(@world sqlite Sqlite $($name)*);
        promises!(@world sqlite_and_files SqliteAndFiles $($name)*);
        promises!(@world postgres Postgres $($name)*);
        promises!(@world postgres_and_s3 PostgresAndS3 $($name)*);
        promises!(@world sqlite_and_azure SqliteAndAzure $($name)*);
    };
    (@world $module:ident $kind:ident $($name:ident)*) => {
        mod $module {
            $(
                #[test]
                fn $name() {
                    crate::world::keep(crate::world::Kind::$kind, |world| Box::pin(super::$name(world)));
                }
            )*
        }
    };
}

mod access;
mod batch;
mod change_positions;
mod changes;
mod copy;
mod damage;
mod earlier;
#[cfg(unix)]
mod files;
mod find;
mod gc;
mod lineage;
mod list;
mod list_changes;
mod list_turns;
mod migration;
mod open;
mod publish;
mod related;
mod rename;
mod search_set;
mod status;
mod world;
