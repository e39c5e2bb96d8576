//! The catalogue as a caller may see it: the list of standards.

use crate::{Catalogue, Failure, StandardsPage};
use futures::future::BoxFuture;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ListFilters, ListQuery, ListQueryError, Position, SortBy};
use norma_api::shapes::StandardSummary;
use norma_model::Identifier;
use norma_store::{CatalogueView, PageKey, Query, Sort};
use norma_traces::Trace;

use crate::convert;
use crate::failed::failed;

/// The catalogue as one caller may see it.
pub struct GrantedCatalogue<'s> {
    view: CatalogueView<'s>,
    trace: Trace,
}

impl<'s> GrantedCatalogue<'s> {
    /// To be called by the access step only.
    pub fn new(view: CatalogueView<'s>, trace: Trace) -> Self {
        Self { view, trace }
    }
}

impl Catalogue for GrantedCatalogue<'_> {
    fn list<'a>(&'a self, query: &'a ListQuery) -> BoxFuture<'a, Result<Box<dyn StandardsPage>, Failure>> {
        Box::pin(async move {
            let after = query.after.as_ref().map(|p| PageKey { value: p.key.clone(), urn: p.urn.clone() });
            let _step = self.trace.step("read");
            let page = self.view.list(&store_query(query)?, after.as_ref(), query.limit).await;
            let norma_store::ListPage { rows, next, total } = page.map_err(|error| match error {
                // A cursor that the caller made up can name a position that does not exist.
                norma_store::StoreError::Invalid(_) if after.is_some() => ListQueryError::Cursor.into(),
                error => failed(error),
            })?;
            let next = next.map(|key| Position { key: key.value, urn: key.urn });
            Ok(Box::new(Rows { rows, next, total }) as Box<dyn StandardsPage>)
        })
    }
}

struct Rows {
    rows: Vec<norma_store::ListRow>,
    next: Option<Position>,
    total: u64,
}

impl StandardsPage for Rows {
    fn items(&self) -> Vec<StandardSummary<'_>> {
        self.rows.iter().map(convert::list_row).collect()
    }

    fn next(&self) -> Option<&Position> {
        self.next.as_ref()
    }

    fn total(&self) -> u64 {
        self.total
    }
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
        kinds: types.iter().map(|&kind| kind.into()).collect(),
        statuses: status.iter().map(|&status| status.into()).collect(),
        languages: language.clone(),
        ics: ics.clone(),
        latest: *latest,
        named: false,
        published_from: published_from.clone(),
        published_to: published_to.clone(),
        updated_since: updated_since.map(Into::into),
        level: match access.as_slice() {
            [one] => Some(convert::level(*one)),
            // Neither or both: no matter which.
            _ => None,
        },
    })
}

pub(crate) fn identifier(urn: &str) -> Result<Identifier, Failure> {
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
