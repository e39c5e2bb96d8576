//! The list of standards that the caller may see.

use http::header;
use norma_api::Operation;
use norma_api::problem::Code;
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

/// Shapes one page of the list. Each row has its amendments only where the query names documents.
pub(crate) async fn list(
    access: &mut Access<'_>,
    query: &ListQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let after =
        query.after.as_ref().map(|after| PageKey { value: after.key.clone(), urn: after.urn.clone() });
    let page = access.page(&store_query(query)?, after.as_ref(), query.limit).await;
    let ListPage { rows, next, total } = match page {
        Ok(page) => page,
        // A cursor that the caller made up can name a position that does not exist.
        Err(StoreError::Invalid(_)) if after.is_some() => return Err(ListQueryError::Cursor.into()),
        Err(error) => return Err(failed(error)),
    };

    let next = next.map(|key| query.cursor(&Position { key: key.value, urn: key.urn }));
    // Other lists are of catalogues, where a look at the amendments of each row would cost most of the
    // answer.
    let names_documents = !query.filters.urn.is_empty() || !query.filters.reference.is_empty();
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut item = summary::of_row(row);
        if names_documents {
            item.amended_by = access.named_amendments(&row.summary.urn).await?;
        }
        items.push(item);
    }
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
    let mut identifiers = Vec::with_capacity(urn.len());
    for urn in urn {
        identifiers.push(identifier(urn)?);
    }
    Ok(Query {
        sort: match sort.by {
            SortBy::Reference => Sort::Reference,
            SortBy::Published => Sort::Published,
            SortBy::Updated => Sort::Updated,
        },
        descending: sort.descending,
        words: q.clone(),
        identifiers,
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
            // Both levels are as good as none: any of them will do.
            _ => None,
        },
    })
}

fn identifier(urn: &str) -> Result<Identifier, Failure> {
    Identifier::parse(urn)
        .map_err(|error| Failure::of_parameter(Code::InvalidParameter, "urn", format!("`urn`: {error}.")))
}

#[cfg(test)]
mod tests {
    use norma_api::shapes::AccessLevel;
    use norma_store::Level;

    use super::*;

    fn level(access: Vec<AccessLevel>) -> Option<Level> {
        let filters = ListFilters { access, ..ListFilters::default() };
        let query = ListQuery { limit: 10, sort: Default::default(), filters, after: None };
        store_query(&query).unwrap().level
    }

    #[test]
    fn one_level_filters_the_list_and_both_are_as_good_as_none() {
        assert_eq!(level(vec![AccessLevel::Read]), Some(Level::Read));
        assert_eq!(level(vec![AccessLevel::Read, AccessLevel::Discover]), None);
        assert_eq!(level(Vec::new()), None);
    }

    #[test]
    fn a_urn_that_is_none_is_refused_by_the_name_of_its_parameter() {
        let filters = ListFilters { urn: vec!["urn:nsb:std:nsb:1".into(), "x".into()], ..Default::default() };
        let query = ListQuery { limit: 10, sort: Default::default(), filters, after: None };
        let failure = store_query(&query).err().unwrap();
        assert_eq!(failure.code(), Code::InvalidParameter);
        assert!(failure.detail().starts_with("`urn`: "), "{}", failure.detail());
    }
}
