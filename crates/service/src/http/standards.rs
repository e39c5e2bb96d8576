//! `GET /standards`, `GET /standards/{id}` and `GET /standards/{id}/metadata`.

use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use std::sync::Arc;

use norma_api::Operation;
use norma_api::media::View;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ListFilters, ListQuery, ListQueryError, Position, SortBy};
use norma_api::shapes::{ListPage, RelatedEdition, Standing};
use norma_model::Identifier;
use norma_store::{Key, Level, Query, Sort};

use super::access::Caller;
use super::deliver::{Answer, Ask, Representation, json, media, no_parameters, query};
use super::etag::ETag;
use super::path::StandardId;
use super::problem::Failure;
use super::words;
use crate::state::Shared;

/// Lists the standards that the caller may see.
pub(super) async fn list(State(app): State<Arc<Shared>>, caller: Caller, Ask(request): Ask) -> Answer {
    media(&request, Operation::Standards)?;
    let query = ListQuery::parse(query(&request), app.settings.limits.queries())?;
    let seen = caller.seen().await?;
    let after = query.after.as_ref().map(|p| Key { value: p.key.clone(), urn: p.urn.clone() });
    let page = seen.list(&store_query(&query)?, after.as_ref(), query.limit).await;
    let page = page.map_err(|error| match error {
        // Whoever makes a cursor up can name a place that is none.
        norma_store::Error::Invalid(_) if after.is_some() => ListQueryError::Cursor.into(),
        error => Failure::from(error),
    })?;
    let next = page.next.map(|key| query.cursor(&Position { key: key.value, urn: key.urn }));
    let items = page.rows.iter().map(words::listed).collect();
    let body = json(&ListPage { items, next: next.as_deref().map(Into::into), total: page.total })?;
    // Of the body alone: what the caller may not see changes nothing (docs/decisions/0004-hidden-editions.md).
    let mut representation = Representation::json(ETag::new(&[&crate::digest::short(&body)]), None);
    if let Some(next) = &next {
        let link =
            format!("<{}{}?{}>; rel=\"next\"", app.public_url, Operation::Standards.path(), query.next(next));
        representation.headers.push((header::LINK, link));
    }
    representation.answer(&request, async { Ok(body) }).await
}

/// The complete standard.
pub(super) async fn complete(caller: Caller, id: StandardId, Ask(request): Ask) -> Answer {
    with_standing(caller, id, request, View::Complete, Operation::Standard).await
}

/// The standard without section bodies.
pub(super) async fn metadata(caller: Caller, id: StandardId, Ask(request): Ask) -> Answer {
    with_standing(caller, id, request, View::Metadata, Operation::Metadata).await
}

async fn with_standing(
    caller: Caller,
    StandardId(id): StandardId,
    request: Parts,
    view: View,
    operation: Operation,
) -> Answer {
    no_parameters(&request)?;
    media(&request, operation)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    let related = edition.related();
    let related_editions = related
        .iter()
        .map(|other| RelatedEdition {
            kind: words::related(other.kind),
            urn: other.urn.as_str().into(),
            reference: other.reference.as_str().into(),
        })
        .collect();
    let standing = Standing { status: edition.entry().status.into(), related_editions };
    edition.send_with(standing.head(), view, operation, &request).await
}

/// The contract's query in the store's words.
fn store_query(query: &ListQuery) -> Result<Query, Failure> {
    let ListQuery { limit: _, sort, filters, after: _ } = query;
    let ListFilters {
        q,
        urn,
        publisher,
        number,
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
        numbers: number.clone(),
        kinds: types.iter().map(|&kind| kind.into()).collect(),
        statuses: status.iter().map(|&status| status.into()).collect(),
        languages: language.clone(),
        ics: ics.clone(),
        latest: *latest,
        published_from: published_from.clone(),
        published_to: published_to.clone(),
        updated_since: updated_since.map(Into::into),
        level: match access.as_slice() {
            [one] => Some(words::level(*one)),
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
