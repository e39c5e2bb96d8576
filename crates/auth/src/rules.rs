//! Settings of a verifier, with strict defaults.

use std::{fmt, str::FromStr, time::Duration};

use crate::{AppRule, AuthError};

/// A signature algorithm that Norma can check (RFC 7518, 3.1).
///
/// `none` and the HMAC family are not in this list, and so cannot be configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, 3.3).
    Rs256,
    /// RSASSA-PSS with SHA-256 (RFC 7518, 3.5).
    Ps256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
}

impl Algorithm {
    /// The name in `alg`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Ps256 => "PS256",
            Self::Es256 => "ES256",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Rs256, Self::Ps256, Self::Es256].into_iter().find(|algorithm| algorithm.name() == name)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = AuthError;

    fn from_str(name: &str) -> Result<Self, AuthError> {
        Self::named(name).ok_or_else(|| {
            AuthError::setting(
                "algorithms",
                format!("`{name}` is not one of RS256, PS256, ES256 (in capitals)"),
            )
        })
    }
}

/// Bytes of the longest token by default: more than nginx and Apache accept by their defaults
/// (docs/operations.md), so no token that reaches a service is refused for its length alone.
pub const MAX_TOKEN_SIZE: usize = 16 * 1024;

/// Rules by which tokens are checked. Start from [`Rules::new`] and change what must differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// Audiences of this service; a token must have one of them in `aud`. No default.
    pub audiences: Vec<String>,
    /// The application role that a token must hold. No default. Rules for users have none.
    pub role: String,
    /// True where tokens of users are verified, which need a subject in place of a role.
    pub(crate) for_users: bool,
    /// Signature algorithms accepted from any issuer; a profile may narrow them. Default: RS256 only.
    pub algorithms: Vec<Algorithm>,
    /// The rule by which a token shows that it was issued to an application, unless the profile of its issuer
    /// has one. `None` also accepts tokens issued to users. Default: Entra's rule.
    pub app_only: Option<AppRule>,
    /// Tolerated difference between the provider's clock and ours. Default 60 s, at most 5 min.
    pub skew: Duration,
    /// Longest token, in bytes. Default 16 KiB, at most 64 KiB.
    pub max_token: usize,
    /// Memory of the token cache in bytes, roughly. Default 8 MiB (some 15,000 callers); 0 disables it.
    pub cache_bytes: u64,
    /// The rules for fetching and caching keys.
    pub keys: KeyRules,
}

/// The rules for fetching the keys of a provider and for the time of their use.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyRules {
    /// Longest time between two background refreshes. Default 1 h.
    pub refresh: Duration,
    /// Largest random reduction of `refresh`, in percent, so that tenants do not refresh at the same time.
    /// Default 10.
    pub jitter_percent: u32,
    /// Time for which the last good keys are used while the provider is down. Default 24 h, at most 7 days.
    pub lifetime: Duration,
    /// Shortest time between two refetches caused by unknown `kid`s, per tenant: each fetches the key sets of
    /// all its issuers. Default 10 s, at most 60 s. With `unknown_key_ttl`, `fetch_timeout` and the longest
    /// pause after failed fetches (20 s) it bounds how long a key that was published is refused: 30 s with
    /// the defaults, whatever tokens strangers send.
    pub refetch_gap: Duration,
    /// Time for which a `kid` that was missing after a refetch causes no other refetch. Default 10 s, at most
    /// 60 s.
    pub unknown_key_ttl: Duration,
    /// Time for one request to the provider. Default 5 s.
    pub fetch_timeout: Duration,
    /// Largest discovery document or key set, in bytes. Default 256 KiB.
    pub max_document: usize,
    /// Most key sets fetched at the same time in the background. Default 16.
    pub max_parallel: usize,
}

impl Default for KeyRules {
    fn default() -> Self {
        Self {
            refresh: Duration::from_secs(3600),
            jitter_percent: 10,
            lifetime: Duration::from_secs(24 * 3600),
            refetch_gap: Duration::from_secs(10),
            unknown_key_ttl: Duration::from_secs(10),
            fetch_timeout: Duration::from_secs(5),
            max_document: 256 * 1024,
            max_parallel: 16,
        }
    }
}

impl Rules {
    /// The documented defaults, for these audiences and this role.
    pub fn new<A: Into<String>>(audiences: impl IntoIterator<Item = A>, role: impl Into<String>) -> Self {
        Self {
            audiences: audiences.into_iter().map(Into::into).collect(),
            role: role.into(),
            for_users: false,
            algorithms: vec![Algorithm::Rs256],
            app_only: Some(AppRule::Entra),
            skew: Duration::from_secs(60),
            max_token: MAX_TOKEN_SIZE,
            cache_bytes: 8 * 1024 * 1024,
            keys: KeyRules::default(),
        }
    }

    /// Rules for the users of an organisation's own programs. A token needs a subject (`sub`) in place of a
    /// role, and may be a delegated one. All else is required as for applications: signature, algorithm, key,
    /// issuer, audience, time and client.
    pub fn for_users<A: Into<String>>(audiences: impl IntoIterator<Item = A>) -> Self {
        Self { for_users: true, app_only: None, ..Self::new(audiences, "") }
    }

    /// Checks that tokens can be verified safely with these settings.
    ///
    /// # Errors
    /// [`AuthError::Setting`] for the first setting that is missing or out of bounds.
    pub fn check(&self) -> Result<(), AuthError> {
        let keys = &self.keys;
        let (day, minute, zero) = (Duration::from_secs(24 * 3600), Duration::from_secs(60), Duration::ZERO);
        let checks: [(&'static str, bool, &str); 14] = [
            ("audience", !self.audiences.is_empty(), "expected at least one audience"),
            (
                "audience",
                self.audiences.iter().all(|a| is_word(a)),
                "found an audience that is empty or has white space",
            ),
            (
                "role",
                self.for_users || is_word(&self.role),
                "expected the required role, without white space",
            ),
            ("algorithms", !self.algorithms.is_empty(), "expected at least one algorithm"),
            (
                "clock-skew",
                self.skew <= Duration::from_secs(300),
                "expected at most 5 min: more would accept expired tokens",
            ),
            ("max-token-size", (1..=64 * 1024).contains(&self.max_token), "expected 1 to 65536 bytes"),
            (
                "key-refresh",
                keys.refresh > zero && keys.refresh <= day,
                "expected more than 0 and at most 24 h",
            ),
            ("jitter-percent", keys.jitter_percent <= 50, "expected 0 to 50 %"),
            (
                "key-lifetime",
                keys.lifetime >= keys.refresh && keys.lifetime <= 7 * day,
                "expected at least `key-refresh` and at most 7 days",
            ),
            ("key-fetch-timeout", keys.fetch_timeout > zero, "expected more than 0"),
            ("key-set-size", keys.max_document > 0, "expected more than 0"),
            ("parallel-fetches", keys.max_parallel > 0, "expected more than 0"),
            (
                "key-refetch-gap",
                keys.refetch_gap <= minute,
                "expected at most 60 s: more would reject a rotated key for longer",
            ),
            (
                "unknown-key-ttl",
                keys.unknown_key_ttl <= minute,
                "expected at most 60 s: more would reject a rotated key for longer",
            ),
        ];
        match checks.iter().find(|(_, holds, _)| !holds) {
            Some((name, _, reason)) => Err(AuthError::setting(name, *reason)),
            None => Ok(()),
        }
    }
}

pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}
