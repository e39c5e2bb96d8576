//! Errors of starting and administering the provider.

use std::{io, net::SocketAddr, path::PathBuf};

use crate::Guid;

/// Error of starting or administering the provider.
///
/// Errors of *callers of its endpoints* are HTTP responses instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DevIdpError {
    /// The listen address can be reached from other machines.
    #[error(
        "the development provider hands out tokens to anyone who can reach it, so it does not listen on \
         {address}: use a loopback address such as 127.0.0.1:8400 or [::1]:8400"
    )]
    NotLoopback {
        /// The address that was to be listened at.
        address: SocketAddr,
    },
    /// The address could not be bound.
    #[error(
        "cannot listen on {address}: {source}; choose another `listen` address, or port 0 for a free one"
    )]
    Listen {
        /// The address that was to be listened at.
        address: SocketAddr,
        /// Why the system refuses it.
        source: io::Error,
    },
    /// The server ended with an error.
    #[error("the development provider stopped: {0}")]
    Serve(io::Error),
    /// The configuration cannot be used.
    #[error("the configuration of the development provider: {0}")]
    Settings(String),
    /// A file could not be read or written.
    #[error("cannot {action} {path}: {reason}")]
    File {
        /// What was tried, "read" or "write".
        action: &'static str,
        /// Path of the file with the provider's state or settings.
        path: PathBuf,
        /// The message of the system or the parser.
        reason: String,
    },
    /// A key or certificate could not be made or read.
    #[error("{what}: {reason}")]
    Key {
        /// The key or certificate.
        what: String,
        /// The message of the library.
        reason: String,
    },
    /// The text is not a GUID.
    #[error("`{text}` is not a GUID: expected 8-4-4-4-12 hexadecimal digits")]
    Guid {
        /// The text that is not an id, shortened.
        text: String,
    },
    /// The provider has no tenant with this id.
    #[error("no tenant {0}: add it first")]
    UnknownTenant(Guid),
    /// No such application in the tenant.
    #[error("no application {client_id} in tenant {tenant}: register it first")]
    UnknownClient {
        /// The tenant that was searched.
        tenant: Guid,
        /// The unknown client id.
        client_id: Guid,
    },
    /// The service API has no service principal in the tenant yet.
    #[error("tenant {0} has not consented to the service API: consent first, then add and grant its role")]
    NotConsented(Guid),
    /// The role cannot be granted to an application to which it was not added.
    #[error("the role was not added to application {0}: add it first, then grant it")]
    RoleNotAdded(Guid),
    /// The token endpoint would refuse it with this message.
    #[error("no token: {0}")]
    Refused(String),
}

impl DevIdpError {
    pub(crate) fn key(what: impl Into<String>, reason: impl ToString) -> DevIdpError {
        DevIdpError::Key { what: what.into(), reason: reason.to_string() }
    }

    pub(crate) fn read(path: impl Into<PathBuf>, reason: impl ToString) -> DevIdpError {
        DevIdpError::File { action: "read", path: path.into(), reason: reason.to_string() }
    }

    pub(crate) fn write(path: impl Into<PathBuf>, reason: impl ToString) -> DevIdpError {
        DevIdpError::File { action: "write", path: path.into(), reason: reason.to_string() }
    }
}
