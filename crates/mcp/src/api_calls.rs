//! Calls of the service: few at once and of bounded size, so that many calls of tools need little memory.

use std::time::Duration;

use norma_api::query::ListQuery;
use norma_api::{Media, Operation};
use norma_client::shapes::{
    CitationsAnswer, CitationsRequest, QuotationsAnswer, QuotationsRequest, StandardList,
};
use norma_client::{Client, ClientBuilder, ClientError, RetryPolicy};
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::failure::{ToolFailure, ToolFailureKind};

/// Calls of the service at once; others wait.
const CALLS_AT_ONCE: usize = 4;

/// Bytes of one answer: the text of a standard of about 1.7 MB of markup. JSON has its markup and its text.
const ANSWER_BYTES: u64 = 4 << 20;

/// Bytes of answers that are revalidated instead of read again.
const CACHE_BYTES: u64 = 4 << 20;

/// Time for one answer. Hosts give up a tool after a minute; a call of a tool makes three of them in
/// sequence, and of a section that is named one more.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(15);

/// Longest pause that the service may ask for before the one repetition; a longer one is said to the model.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The service as the caller sees it.
pub(crate) struct ApiCalls {
    client: Client,
    calls: Semaphore,
}

impl ApiCalls {
    pub(crate) fn new(builder: ClientBuilder, timeout: Duration) -> Result<Self, ClientError> {
        let retries =
            RetryPolicy { attempts: 1, initial_delay: Duration::from_millis(200), max_delay: LONGEST_PAUSE };
        let builder = builder.retries(retries).timeout(timeout);
        let client = builder.max_answer_bytes(ANSWER_BYTES).cache_bytes(CACHE_BYTES).build()?;
        Ok(Self { client, calls: Semaphore::new(CALLS_AT_ONCE) })
    }

    async fn turn(&self) -> SemaphorePermit<'_> {
        self.calls.acquire().await.expect("the semaphore is never closed")
    }

    /// A page of the list of standards, the first or the one of a cursor.
    pub(crate) async fn standards(
        &self,
        query: &ListQuery,
        cursor: Option<&str>,
    ) -> Result<StandardList<'static>, ToolFailure> {
        let query = cursor.map_or_else(|| query.query_string(), |cursor| query.next(cursor));
        self.json(Operation::Standards, &[], &query).await
    }

    /// The answer of an operation as its shape.
    pub(crate) async fn json<T: DeserializeOwned>(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
    ) -> Result<T, ToolFailure> {
        let _turn = self.turn().await;
        let answer = self.client.fetch(operation, arguments, query, Media::Json).await;
        let answer = answer.map_err(|error| with_size(error, operation))?;
        serde_json::from_slice(&answer.body).map_err(|error| {
            let sentence = format!(
                "The service is of another version than this program, report this to its operator: {error}."
            );
            ToolFailure::new(ToolFailureKind::Unexpected, sentence)
        })
    }

    pub(crate) async fn resolve_citations(
        &self,
        request: &CitationsRequest,
    ) -> Result<CitationsAnswer<'static>, ToolFailure> {
        let _turn = self.turn().await;
        Ok(self.client.resolve_citations(request).await?)
    }

    pub(crate) async fn verify_quotations(
        &self,
        request: &QuotationsRequest,
    ) -> Result<QuotationsAnswer<'static>, ToolFailure> {
        let _turn = self.turn().await;
        Ok(self.client.verify_quotations(request).await?)
    }
}

/// The failure of a call. An answer that is too long is content of a large standard.
fn with_size(error: ClientError, operation: Operation) -> ToolFailure {
    match error {
        ClientError::Unexpected { status: 200, .. } if operation == Operation::Content => {
            ToolFailure::invalid("This is too long to be read at once; name a section from the outline.")
        }
        error => error.into(),
    }
}
