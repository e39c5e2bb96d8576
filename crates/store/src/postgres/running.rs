//! Running statement on a connection; a scan whose caller is gone is cancelled on the server.

use std::sync::Arc;

use sqlx::Postgres;
use sqlx::pool::PoolConnection;
use sqlx::postgres::PgRow;

use super::{Primary, statement};
use crate::engine::{Permit, Sql};

/// A statement in work.
pub(super) struct Running {
    connection: Option<PoolConnection<Postgres>>,
    primary: Arc<Primary>,
    /// Process of the server that works on a scan.
    backend: Option<i32>,
    permit: Option<Arc<Permit>>,
}

impl Running {
    pub(super) fn new(connection: PoolConnection<Postgres>, primary: &Arc<Primary>, sql: &Sql) -> Self {
        let (primary, permit) = (Arc::clone(primary), sql.permit.clone());
        Self { connection: Some(connection), primary, backend: None, permit }
    }

    /// Runs the statement. The server is asked for its process first where the statement is a scan: others
    /// take less time than it takes to cancel them.
    pub(super) async fn query(&mut self, sql: &Sql) -> sqlx::Result<Vec<PgRow>> {
        let Some(connection) = self.connection.as_deref_mut() else { return Err(sqlx::Error::WorkerCrashed) };
        if self.permit.is_some() {
            let backend = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut *connection).await?;
            self.backend = Some(backend);
        }
        let statement = statement(sql).map_err(|e| sqlx::Error::Encode(e.to_string().into()))?;
        statement.fetch_all(connection).await
    }

    /// Returns the connection to the pool when its statement has ended.
    pub(super) fn end(mut self) {
        self.connection = None;
    }

    /// Closes the connection: it is broken, or the server does not answer on it.
    pub(super) fn close(mut self) {
        self.connection.iter_mut().for_each(PoolConnection::close_on_drop);
    }
}

impl Drop for Running {
    /// Cancels a scan on the server; for other statements, the pool waits for the end.
    fn drop(&mut self) {
        let running = (self.connection.take(), self.backend, tokio::runtime::Handle::try_current());
        let (Some(mut connection), Some(backend), Ok(runtime)) = running else { return };
        // Not used again: the cancellation could meet its next statement.
        connection.close_on_drop();
        let (primary, permit) = (Arc::clone(&self.primary), self.permit.take());
        runtime.spawn(async move {
            let cancel = sqlx::query("SELECT pg_cancel_backend($1)").bind(backend);
            if let Err(error) = cancel.execute(&primary.pool).await {
                tracing::debug!(%error, "a statement that nobody waits for is left to its time limit");
            }
            drop((connection, permit));
        });
    }
}
