//! The list of standards that the caller may see.

use http::header;
use norma_api::Operation;
use norma_api::query::ListQuery;
use norma_api::shapes::StandardList;

use crate::{Catalogue, Failure, Representation};

/// A page of the list; links begin with `public_url`.
///
/// # Errors
/// Those of the catalogue.
pub async fn list<'e>(
    catalogue: &dyn Catalogue,
    query: &ListQuery,
    public_url: &str,
) -> Result<Representation<'e>, Failure> {
    let page = catalogue.list(query).await?;
    let next = page.next().map(|position| query.cursor(position));
    let shape =
        StandardList { items: page.items(), next: next.as_deref().map(Into::into), total: page.total() };
    // The tag is of the body alone: what the caller may not see changes nothing
    // (docs/decisions/0004-hidden-editions.md).
    let mut representation = Representation::from_shape(&shape)?;
    if let Some(next) = &next {
        let target = format!("{public_url}{}?{}", Operation::Standards.path(), query.next(next));
        representation.set(header::LINK, &format!("<{target}>; rel=\"next\""))?;
    }
    Ok(representation)
}
