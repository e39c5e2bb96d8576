//! The list of standards that the caller may see.

use http::header;
use norma_api::Operation;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ListFilters, ListQuery, ListQueryError, Position, SortBy};
use norma_api::shapes::StandardList;
use norma_model::Identifier;
use norma_store::{ListPage, PageKey, Query, Sort, StoreError};

use crate::access::Access;
use crate::failed::failed;
use crate::representation::Representation;
use crate::{Failure, Request, summary};

/// Why each word of a query has a value of the model and of the store.
const KNOWN: &str = "a query with a word that is not known was refused when it was read";

/// A page of the list.
pub(crate) async fn list(
    access: &mut Access<'_>,
    query: &ListQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let after = query.after.as_ref().map(|p| PageKey { value: p.key.clone(), urn: p.urn.clone() });
    let page = access.page(&store_query(query)?, after.as_ref(), query.limit).await;
    let ListPage { rows, next, total } = match page {
        Ok(page) => page,
        // A cursor that the caller made up can name a position that does not exist.
        Err(StoreError::Invalid(_)) if after.is_some() => return Err(ListQueryError::Cursor.into()),
        Err(error) => return Err(failed(error)),
    };

    let next = next.map(|key| query.cursor(&Position { key: key.value, urn: key.urn }));
    let items = rows.iter().map(summary::of_row).collect();
    // The tag is of the body alone: what the caller may not see changes nothing
    // (docs/decisions/0004-hidden-editions.md).
    let list = StandardList { items, next: next.as_deref().map(Into::into), total };
    let mut representation = Representation::from_shape(&list)?;
    if let Some(next) = &next {
        let path = Operation::Standards.path();
        let target = format!("{}{path}?{}", request.public_url, query.next(next));
        representation.set(header::LINK, &format!("<{target}>; rel=\"next\""))?;
    }
    Ok(representation)
}

/// The list query as a query of the store.
fn store_query(query: &ListQuery) -> Result<Query, Failure> {
    let ListQuery { limit: _, sort, filters, after: _ } = query;
    let ListFilters {
        q,
        urn,
        publisher,
        reference,
        number,
        part,
        types,
        status,
        language,
        ics,
        latest,
        published_from,
        published_to,
        updated_since,
        access,
    } = filters;
    Ok(Query {
        sort: match sort.by {
            SortBy::Reference => Sort::Reference,
            SortBy::Published => Sort::Published,
            SortBy::Updated => Sort::Updated,
        },
        descending: sort.descending,
        words: q.clone(),
        identifiers: urn.iter().map(|urn| identifier(urn)).collect::<Result<_, _>>()?,
        publishers: publisher.clone(),
        references: reference.clone(),
        numbers: number.clone(),
        parts: part.clone(),
        kinds: types.iter().map(|&kind| kind.try_into().expect(KNOWN)).collect(),
        statuses: status.iter().map(|&status| status.try_into().expect(KNOWN)).collect(),
        languages: language.clone(),
        ics: ics.clone(),
        latest: *latest,
        named: false,
        published_from: published_from.clone(),
        published_to: published_to.clone(),
        updated_since: updated_since.map(Into::into),
        level: match access.as_slice() {
            [one] => Some(summary::level(*one).expect(KNOWN)),
            // Neither or both: no matter which.
            _ => None,
        },
    })
}

fn identifier(urn: &str) -> Result<Identifier, Failure> {
    Identifier::parse(urn).map_err(|error| {
        let detail = format!("`urn`: {error}.");
        let cause = ProblemError {
            detail: detail.clone().into(),
            parameter: Some("urn".into()),
            ..Default::default()
        };
        Failure::new(Code::InvalidParameter, detail).because(cause)
    })
}
