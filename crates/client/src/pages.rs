//! Pages of the list of standards and of searches.

use std::collections::HashSet;

use futures::stream::{self, Stream, StreamExt, TryStreamExt};
use norma_api::query::{ListQuery, SearchQuery};
use norma_api::shapes::{SearchAnswer, SearchHit, StandardList, StandardSummary};
use norma_api::{Media, Operation};

use crate::Client;
use crate::calls::{read, unexpected};
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
        let first = Some(query.query_string());
        stream::try_unfold((first, Cursors::default()), move |(next, mut cursors)| {
            let (client, query) = (client.clone(), query.clone());
            async move {
                let Some(wanted) = next else { return Ok(None) };
                let page = client.page_of(&wanted).await?;
                let cursor = cursors.after(page.next.as_deref())?;
                let next = cursor.map(|cursor| query.next(&cursor));
                Ok(Some((page, (next, cursors))))
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

    /// Every page of what a search finds, one request after another, from the one that `query` asks for. Each
    /// says how many hits there are and whether all standards were searched.
    pub fn search_pages(
        &self,
        query: SearchQuery,
    ) -> impl Stream<Item = Result<SearchAnswer<'static>, ClientError>> {
        let client = self.clone();
        stream::try_unfold((Some(query), Cursors::default()), move |(next, mut cursors)| {
            let client = client.clone();
            async move {
                let Some(mut query) = next else { return Ok(None) };
                let page = client.search(&query).await?;
                query.cursor = cursors.after(page.next.as_deref())?;
                let next = query.cursor.is_some().then_some(query);
                Ok(Some((page, (next, cursors))))
            }
        })
    }

    /// Every hit of a search, over all pages; of a grouped one the best hits of each standard.
    pub fn hits(&self, query: SearchQuery) -> impl Stream<Item = Result<SearchHit<'static>, ClientError>> {
        self.search_pages(query).map_ok(|page| stream::iter(hits_of(page)).map(Ok)).try_flatten()
    }

    async fn page_of(&self, query: &str) -> Result<StandardList<'static>, ClientError> {
        read(&self.0.get(Operation::Standards, &[], query, Media::Json).await?)
    }
}

fn hits_of(page: SearchAnswer<'static>) -> Vec<SearchHit<'static>> {
    let mut hits = page.items;
    for standard in page.standards {
        hits.extend(standard.items);
    }
    hits
}

/// The cursors of the pages after the first, each of which must be another one: pages whose cursors repeat
/// would never end.
#[derive(Default)]
pub(crate) struct Cursors(HashSet<String>);

impl Cursors {
    /// The cursor of the page that follows; `None` at the end.
    ///
    /// # Errors
    /// The service gave the cursor before.
    pub(crate) fn after(&mut self, next: Option<&str>) -> Result<Option<String>, ClientError> {
        let Some(cursor) = next else { return Ok(None) };
        if !self.0.insert(cursor.to_owned()) {
            return Err(unexpected("expected a page with a cursor of its own, found one again".to_owned()));
        }
        Ok(Some(cursor.to_owned()))
    }
}
