//! Pages of the list of standards and of searches.

use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use norma_api::query::{ListQuery, SearchQuery};
use norma_api::shapes::{SearchAnswer, StandardList, StandardSummary};
use norma_api::{Media, Operation};

use crate::Client;
use crate::calls::read;
use crate::error::ClientError;

impl Client {
    /// One page of the standards that the caller may see.
    ///
    /// # Errors
    /// See [`ClientError`]; so for every call.
    pub async fn page(&self, query: &ListQuery) -> Result<StandardList<'static>, ClientError> {
        self.page_of(&query.query_string()).await
    }

    /// Every page, one request after another, from the one that `query` asks for.
    pub fn pages(&self, query: ListQuery) -> impl Stream<Item = Result<StandardList<'static>, ClientError>> {
        let client = self.clone();
        stream::try_unfold(Some(query.query_string()), move |next| {
            let (client, query) = (client.clone(), query.clone());
            async move {
                let Some(wanted) = next else { return Ok(None) };
                let page = client.page_of(&wanted).await?;
                let next = page.next.as_deref().map(|cursor| query.next(cursor));
                Ok(Some((page, next)))
            }
        })
    }

    /// Every standard that the caller may see, over all pages.
    pub fn standards(
        &self,
        query: ListQuery,
    ) -> impl Stream<Item = Result<StandardSummary<'static>, ClientError>> {
        self.pages(query).map_ok(|page| stream::iter(page.items).map(Ok)).try_flatten()
    }

    /// One page of what a search finds in the standards that the caller may see.
    pub async fn search(&self, query: &SearchQuery) -> Result<SearchAnswer<'static>, ClientError> {
        read(&self.0.get(Operation::Search, &[], &query.query_string(), Media::Json).await?)
    }

    async fn page_of(&self, query: &str) -> Result<StandardList<'static>, ClientError> {
        read(&self.0.get(Operation::Standards, &[], query, Media::Json).await?)
    }
}
