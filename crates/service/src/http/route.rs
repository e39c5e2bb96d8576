//! Routes: from path and method to an operation of the table.

use std::sync::LazyLock;

use axum::http::{Method, header};
use norma_api::Operation;
use norma_api::openapi::DOCS_SCRIPT_PATH;
use norma_api::paths;
use norma_api::problem::Code;
use norma_reads::Failure;

/// The target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteTarget {
    /// An operation of the table.
    Operation(Operation),
    /// The script of the documentation page.
    Script,
    /// No operation has the path.
    Elsewhere,
}

/// A path that was looked up.
pub(super) struct Route<'p> {
    pub(super) target: RouteTarget,
    /// The template of the path; empty for an unknown path.
    pub(super) template: &'static str,
    /// The values of its parameters, as sent.
    pub(super) arguments: Vec<(&'static str, &'p str)>,
}

static PATHS: LazyLock<matchit::Router<(RouteTarget, &'static str)>> = LazyLock::new(|| {
    let operations =
        Operation::ALL.iter().map(|&operation| (RouteTarget::Operation(operation), operation.path()));
    let mut paths = matchit::Router::new();
    for (target, path) in operations.chain([(RouteTarget::Script, DOCS_SCRIPT_PATH)]) {
        paths.insert(path, (target, path)).expect("no two operations have the same path");
    }
    paths
});

impl<'p> Route<'p> {
    /// Looks a path up.
    pub(super) fn of(path: &'p str) -> Self {
        match PATHS.at(path) {
            Ok(found) => {
                let (target, template) = *found.value;
                Self { target, template, arguments: found.params.iter().collect() }
            }
            Err(_) => Self { target: RouteTarget::Elsewhere, template: "", arguments: Vec::new() },
        }
    }

    /// Refuses a method that the path does not take. HEAD is taken wherever GET is.
    pub(super) fn check(&self, method: &Method) -> Result<(), Failure> {
        let declared = match self.target {
            RouteTarget::Operation(operation) => operation.describe().method,
            RouteTarget::Script => paths::Method::Get,
            RouteTarget::Elsewhere => return Ok(()),
        };
        let (is_taken, allowed) = match declared {
            paths::Method::Get => (matches!(*method, Method::GET | Method::HEAD), "GET,HEAD"),
            paths::Method::Post => (*method == Method::POST, "POST"),
        };
        match is_taken {
            true => Ok(()),
            false => Err(Failure::new(Code::MethodNotAllowed, "This path does not support this method.")
                .with(header::ALLOW, allowed)),
        }
    }
}
