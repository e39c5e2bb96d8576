//! The caller that a verified token names.

use jiff::Timestamp;

use crate::TenantId;

/// The caller of a request, from the claims of a verified token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caller {
    /// The tenant whose issuer signed the token.
    pub tenant: TenantId,
    /// The client (application) that the token was issued to; a GUID is in lower case.
    pub client: String,
    /// The subject of the token (`sub`, RFC 7519, 4.1.2): a user, or the account of an application. Callers
    /// by [`Rules::for_users`](crate::Rules::for_users) always have it.
    pub subject: Option<String>,
    /// All application roles of the client, the required one among them. Callers by
    /// [`Rules::for_users`](crate::Rules::for_users) have none.
    pub roles: Vec<String>,
    /// Time at which the token expires (`exp`, RFC 7519, 4.1.4).
    pub expires: Timestamp,
}
