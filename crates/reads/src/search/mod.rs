//! The texts that a search finds.

mod hits;

use futures::future::BoxFuture;
use http::header;
use norma_api::Operation;
use norma_api::query::SearchQuery;
use norma_api::shapes::SearchAnswer;

use crate::{Failure, Representation, Request};

pub use self::hits::GrantedSearch;

/// What a search found in the editions of its caller. Only the access step of the service implements it.
pub trait AuthorizedSearch: Send + Sync {
    /// What was asked for.
    fn query(&self) -> &SearchQuery;
    /// The answer, with the texts of its page.
    fn answer(&self) -> BoxFuture<'_, Result<SearchAnswer<'static>, Failure>>;
}

/// A page of hits; links begin with `public_url`.
///
/// # Errors
/// A text cannot be read.
pub async fn search<'e>(
    found: &dyn AuthorizedSearch,
    public_url: &str,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let answer = found.answer().await?;
    let mut representation = Representation::from_large_shape(&answer, request.coding())?;
    if let Some(next) = &answer.next {
        let target = format!("{public_url}{}?{}", Operation::Search.path(), found.query().next(next));
        representation.set(header::LINK, &format!("<{target}>; rel=\"next\""))?;
    }
    Ok(representation)
}
