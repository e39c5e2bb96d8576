//! Operations: which function answers which call.

use bytes::Bytes;

use crate::access::Access;
use crate::call::ReadCall;
use crate::changes::changes;
use crate::citations::citations;
use crate::comparison::comparison;
use crate::content::content;
use crate::hierarchy::hierarchy;
use crate::instructions::instructions;
use crate::list::list;
use crate::migrate::migrate;
use crate::provision::provision;
use crate::provisions::provisions;
use crate::quotations::quotations;
use crate::representation::Representation;
use crate::resolve::resolve;
use crate::search::search;
use crate::selection::selection;
use crate::table::table;
use crate::views::view;
use crate::{Failure, Request};

/// Answers a call of a caller with a token. Each function authorizes, reads and shapes, in this order. The
/// body of the request is read once its caller is authorized, and only where the operation has one.
///
/// # Errors
/// What is asked for is not there, the caller may not have it, or it cannot be read.
pub async fn answer(
    access: &mut Access<'_>,
    call: ReadCall,
    body: impl Future<Output = Result<Bytes, Failure>> + Send,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    // Boxed, each for itself: one future with room for the largest would be part of every request.
    match call {
        ReadCall::List(query) => Box::pin(list(access, &query, request)).await,
        ReadCall::Changes(query) => Box::pin(changes(access, &query, request)).await,
        ReadCall::Search(query) => Box::pin(search(access, &query, request)).await,
        ReadCall::Citations => Box::pin(citations(access, body)).await,
        ReadCall::Quotations => Box::pin(quotations(access, body)).await,
        ReadCall::View(id, name, members) => Box::pin(view(access, &id, (name, members), request)).await,
        ReadCall::Hierarchy(id, depth) => Box::pin(hierarchy(access, &id, depth, request)).await,
        ReadCall::Content(id, view, section) => {
            Box::pin(content(access, &id, (view, &section), request)).await
        }
        ReadCall::Table(id, name, media) => Box::pin(table(access, &id, (&name, media), request)).await,
        ReadCall::Provisions(id, filters) => Box::pin(provisions(access, &id, filters, request)).await,
        ReadCall::Selection(id, named, filters) => {
            Box::pin(selection(access, &id, (&named, filters), request)).await
        }
        ReadCall::Provision(asked) => Box::pin(provision(access, &asked, request)).await,
        ReadCall::Instructions(id) => Box::pin(instructions(access, &id, request)).await,
        ReadCall::Resolve(id) => Box::pin(resolve(access, &id, body, request)).await,
        ReadCall::Comparison(id, with, query) => {
            Box::pin(comparison(access, &id, &with, query, request)).await
        }
        ReadCall::Migrate(id, from) => Box::pin(migrate(access, &id, from, body, request)).await,
    }
}
