//! Rejections of tokens: the class of the response for the caller, the exact rule for the log.

use std::{sync::Arc, time::Duration};

use crate::Caller;

/// A rejected request. The variant is all that a caller may learn; the [`TokenRule`] inside is for the log.
///
/// None holds the token or a part of it as it was sent, but for the names of other audiences in a token that
/// an issuer signed, so that a `Reject` may be logged as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reject {
    /// No credentials, or credentials of another scheme: 401 without an error code (RFC 6750, 3.1).
    #[error("no bearer token was sent")]
    Missing,
    /// Several `Authorization` headers, or one that is not `Bearer` and a b64token: 400 `invalid_request`.
    #[error("the Authorization header is malformed")]
    Malformed,
    /// The token breaks a rule: 401 `invalid_token`.
    #[error("the token is invalid: {0}")]
    Invalid(TokenRule),
    /// A registered issuer signed the token, but none of its audiences is accepted: 401 `invalid_token`.
    #[error(
        "the token is invalid: it is for another audience, `{0}`; `audience` must name one of those, if it means this service"
    )]
    OtherAudience(String),
    /// The token was valid until its `exp`, which is past: 401 `invalid_token`.
    #[error("the token has expired")]
    Expired,
    /// The token is valid, but does not have the required role: 403 `insufficient_scope`.
    #[error("client {} of tenant {} does not have the required role", .0.client, .0.tenant)]
    RoleMissing(Arc<Caller>),
    /// The token is valid, but its tenant or its client is suspended: 403.
    #[error("client {} of tenant {} is suspended", .0.client, .0.tenant)]
    Suspended(Arc<Caller>),
    /// The provider's keys cannot be fetched, so the token cannot be verified: 503.
    #[error("the provider's keys are unavailable; next attempt in {} s", .retry_after.as_secs())]
    KeysUnavailable {
        /// Time until the next attempt, in whole seconds, at least one.
        retry_after: Duration,
    },
}

/// The rule that an invalid token breaks, in the order in which the rules are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRule {
    /// The token is longer than [`Rules::max_token`](crate::Rules::max_token).
    #[error("it is longer than allowed")]
    Length,
    /// Not three non-empty parts.
    #[error("it does not consist of three non-empty parts")]
    Parts,
    /// Five parts, or a header with `enc` or `zip`: encrypted tokens (RFC 7516) are not supported.
    #[error("it is encrypted or compressed")]
    Encrypted,
    /// A part is not strict base64url without padding (RFC 7515, 2).
    #[error("a part is not base64url without padding")]
    Base64,
    /// The header is not one JSON object with unique member names.
    #[error("its header is not a JSON object with unique members")]
    Header,
    /// `alg` is absent, unknown, or not allowed for this issuer.
    #[error("its `alg` is not in the allow-list")]
    Algorithm,
    /// `typ` is absent or not accepted for this issuer.
    #[error("its `typ` is not accepted from this issuer")]
    Type,
    /// `crit` or `b64` is present: extensions are not supported (RFC 7515, 4.1.11).
    #[error("its header has a `crit` or `b64` member")]
    Critical,
    /// `jwk`, `jku`, `x5u` or `x5c` is present: a token must not contain its own key.
    #[error("its header contains its own key")]
    EmbeddedKey,
    /// `kid` is absent, empty, too long, or not a string.
    #[error("its `kid` is not a non-empty string of allowed length")]
    KeyId,
    /// The claims are not one JSON object with unique member names.
    #[error("its claims are not a JSON object with unique members")]
    Claims,
    /// `iss` is absent or not a string.
    #[error("its `iss` is not a string")]
    IssuerType,
    /// `iss` is not, letter for letter, an issuer of a registered tenant.
    #[error("its issuer is not registered")]
    IssuerUnknown,
    /// The issuer has no usable key of that `kid`.
    #[error("its issuer has no usable key of that `kid`")]
    KeyUnknown,
    /// The type or algorithm of the key is not that of `alg`.
    #[error("its key is not for that `alg`")]
    KeyAlgorithm,
    /// The signature is not that of the key.
    #[error("its signature is wrong")]
    Signature,
    /// The tenant claim is not the tenant of the issuer.
    #[error("its tenant claim is not the tenant of its issuer")]
    Tenant,
    /// `aud` is absent, or neither a string nor an array of strings.
    #[error("its `aud` is neither a string nor an array of strings")]
    AudienceType,
    /// `aud` names no accepted audience.
    #[error("it is for another audience")]
    Audience,
    /// `exp` is absent, or `exp`, `nbf` or `iat` is not a plausible NumericDate (RFC 7519, 2).
    #[error("its `exp`, `nbf` or `iat` is not a date")]
    Date,
    /// `nbf` lies in the future.
    #[error("it is not valid yet")]
    NotYet,
    /// The token was not issued to an application, by the rule of its issuer.
    #[error("it is a delegated token, or not one of an application by the rule of its issuer")]
    Delegated,
    /// The role claim is present, but does not have the form of its issuer.
    #[error("its role claim is not of the form that was registered for its issuer")]
    RoleType,
    /// No client claim, or one that is not a non-empty string.
    #[error("it does not name its client")]
    Client,
    /// No `sub`, or one that is not a non-empty string, where tokens of users are verified.
    #[error("it does not name its user (`sub`)")]
    Subject,
}

impl From<TokenRule> for Reject {
    fn from(rule: TokenRule) -> Self {
        Self::Invalid(rule)
    }
}
