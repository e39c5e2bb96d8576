//! A server of the Model Context Protocol on the caller's side: assistants read standards by it.
//!
//! Its tools are operations of Norma's API, which it calls as its caller. It speaks over standard input and
//! output ([`serve_stdio`]) or over streamable HTTP ([`HttpServer`]). Whatever comes from a standard is
//! marked as data, is a whole unit, and has a citation that `resolve_citation` leads to the same unit.

mod api_calls;
mod audit;
mod budget;
mod call_digest;
mod citer;
mod edition;
mod failure;
mod http;
mod resources;
mod server;
mod stdio;
#[cfg(test)]
mod tests;
mod tools;
mod unit;

pub use audit::{AuditSink, AuditSinkError};
pub use http::{HttpServer, HttpServerError, HttpServerOptions, UserAccess};
pub use server::Server;
pub use stdio::{StdioError, serve_stdio};
