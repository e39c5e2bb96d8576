//! Calls of the service, few at once and of bounded size.

use norma_api::Operation;
use norma_client::{Client, ClientBuilder, DiagnosisStep, Media, RawResponse, RetryPolicy, shapes};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::failure::PageFailure;

/// Calls at once: one person reads, and a page needs four answers.
const CALLS_AT_ONCE: usize = 4;

/// Pages and files at once that need large answers: comparisons and downloads. They wait for each other, so
/// that the list and the other pages have calls left, however many downloads a person starts.
const LARGE_AT_ONCE: usize = 2;

/// Bytes of all answers that are read at once. An answer of a quarter of it is a standard of about 7 MB of
/// markup: JSON has its markup and its text.
const ANSWER_BYTES: u64 = 64 << 20;

/// Retries of a call: a person waits, and can try again.
const RETRIES: u32 = 1;

/// The service as the caller sees it.
pub(crate) struct Service {
    client: Client,
    builder: ClientBuilder,
    /// URL of the service, without a slash at its end.
    url: String,
    calls: Semaphore,
    large: Semaphore,
}

/// Bibliographic data of a standard, with other editions where its text may be read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) status: shapes::Status,
    /// Day on which the operator withdrew it (ISO 8601).
    #[serde(default)]
    pub(crate) withdrawn_on: Option<String>,
    /// Notice of the operator about the withdrawal.
    #[serde(default)]
    pub(crate) notice: Option<String>,
    pub(crate) urn: String,
    pub(crate) metadata: shapes::Metadata<'static>,
    pub(crate) ics: Vec<shapes::Ics<'static>>,
    pub(crate) relations: Vec<shapes::Relation<'static>>,
    /// Amendments of the standard that the caller may see.
    #[serde(default)]
    pub(crate) amended_by: Vec<shapes::Amendment<'static>>,
    #[serde(default)]
    pub(crate) related_editions: Vec<shapes::RelatedEdition<'static>>,
    /// True if the caller's grant is to read, false if it is to discover.
    #[serde(skip)]
    pub(crate) is_readable: bool,
}

impl Service {
    pub(crate) fn new(builder: ClientBuilder, url: String) -> Result<Self, norma_client::ClientError> {
        let retries = RetryPolicy { attempts: RETRIES, ..RetryPolicy::default() };
        let builder = builder.retries(retries).max_answer_bytes(ANSWER_BYTES / CALLS_AT_ONCE as u64);
        let client = builder.clone().build()?;
        let url = url.trim_end_matches('/').to_owned();
        let [calls, large] = [CALLS_AT_ONCE, LARGE_AT_ONCE].map(Semaphore::new);
        Ok(Self { client, builder, url, calls, large })
    }

    /// Waits until a page or file with large answers may be made. The turn lasts until it is made, which
    /// bounds the memory as well.
    pub(crate) async fn large_turn(&self) -> SemaphorePermit<'_> {
        self.large.acquire().await.expect("the semaphore is never closed")
    }

    /// Waits until a call may be made.
    pub(crate) async fn turn(&self) -> (SemaphorePermit<'_>, &Client) {
        (self.calls.acquire().await.expect("the semaphore is never closed"), &self.client)
    }

    /// The answer of an operation as the service sent it.
    pub(crate) async fn fetch(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
        media: Media,
    ) -> Result<RawResponse, PageFailure> {
        let (_turn, client) = self.turn().await;
        Ok(client.fetch(operation, arguments, query, media).await?)
    }

    /// The answer of an operation as its shape.
    pub(crate) async fn json<T: DeserializeOwned>(
        &self,
        operation: Operation,
        arguments: &[&str],
        query: &str,
    ) -> Result<T, PageFailure> {
        let answer = self.fetch(operation, arguments, query, Media::Json).await?;
        serde_json::from_slice(&answer.body).map_err(|error| PageFailure::unexpected(&error.to_string()))
    }

    /// Bibliographic data of a standard.
    pub(crate) async fn head(&self, urn: &str) -> Result<Head, PageFailure> {
        let whole = "fields=metadata,ics,relations,relatedEditions";
        match self.json::<Head>(Operation::Metadata, &[urn], whole).await {
            Ok(head) => Ok(Head { is_readable: true, ..head }),
            Err(failure) if failure.is_unlicensed() => {
                self.json(Operation::Metadata, &[urn], "fields=metadata,ics,relations").await
            }
            Err(failure) => Err(failure),
        }
    }

    /// What `norma doctor caller` says of this client.
    pub(crate) async fn diagnose(&self) -> Vec<DiagnosisStep> {
        let (_turn, _) = self.turn().await;
        self.builder.clone().diagnose().await
    }

    /// The address of an operation in the service.
    pub(crate) fn address(&self, operation: Operation, arguments: &[&str]) -> String {
        format!("{}{}", self.url, operation.path_with(arguments))
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visit::tests::client;

    #[tokio::test]
    async fn pages_with_large_answers_wait_for_each_other_and_leave_calls_to_other_pages() {
        let service = Service::new(client(), "http://127.0.0.1:9//".to_owned()).unwrap();
        assert_eq!(service.url(), "http://127.0.0.1:9");
        let turns = [service.large_turn().await, service.large_turn().await];
        assert!(service.large.try_acquire().is_err());
        assert!(service.calls.try_acquire().is_ok());
        drop(turns);
        assert!(service.large.try_acquire().is_ok());
    }
}
