//! Examination of one issuer's discovery document and key set, for operators.

use std::time::Duration;

use data_encoding::BASE64;
use jiff::Timestamp;
use serde_json::Value;

use crate::{AuthError, Fetch, Profile, Rules, SkippedKey, TenantId, fetch::locate, keyset::KeySet};

/// Result of examining one issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examination {
    /// The issuer, as its tokens name it in `iss`.
    pub issuer: String,
    /// The URL of its key set, as configured or discovered.
    pub jwks_uri: Option<String>,
    /// The `kid` of each usable key, sorted.
    pub keys: Vec<String>,
    /// The keys that are not used, and reason.
    pub skipped: Vec<SkippedKey>,
    /// Certificates (X.509, DER) of usable keys by `kid`, for keys with one (`x5c`, RFC 7517, section 4.7).
    /// No token is verified by them.
    pub certificates: Vec<(String, Vec<u8>)>,
    /// The provider's clock, by the `Date` of its answer.
    pub date: Option<Timestamp>,
    /// Error that prevented reading the key set.
    pub error: Option<AuthError>,
    /// Tolerated difference of the provider's clock, from the settings.
    skew: Duration,
}

/// Fetches discovery document and key set of one issuer as the verifier does, and reports all findings.
///
/// Errors of the fetch are in [`Examination::error`]; `rules` gives the limits and the clock tolerance.
pub async fn examine(tenant: &TenantId, profile: &Profile, rules: &Rules, fetch: &dyn Fetch) -> Examination {
    let mut examination = Examination {
        issuer: profile.issuer.clone(),
        jwks_uri: None,
        keys: Vec::new(),
        skipped: Vec::new(),
        certificates: Vec::new(),
        date: None,
        error: None,
        skew: rules.skew,
    };
    if let Err(error) = examination.look(tenant, profile, rules, fetch).await {
        examination.error = Some(error);
    }
    examination
}

impl Examination {
    /// Fills in what is found, as far as no error prevents it.
    async fn look(
        &mut self,
        tenant: &TenantId,
        profile: &Profile,
        rules: &Rules,
        fetch: &dyn Fetch,
    ) -> Result<(), AuthError> {
        let url = locate(tenant, profile, fetch).await?;
        self.jwks_uri = Some(url.clone());
        let document = fetch.get(&url).await?;
        self.date = document.date;
        let set = KeySet::parse(&document.body, tenant, profile, rules)
            .map_err(|reason| AuthError::document(url, reason))?;
        self.keys = set.kids().map(str::to_owned).collect();
        self.keys.sort();
        self.skipped = set.skipped;
        self.certificates = certificates(&document.body);
        self.certificates.retain(|(kid, _)| self.keys.contains(kid));
        Ok(())
    }

    /// The problems of the keys, a sentence each; empty when tokens of this issuer can be verified.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if let Some(error) = &self.error {
            problems.push(error.to_string());
        } else if self.keys.is_empty() {
            problems.push(
                "the key set has no usable key: every token of this issuer is answered with 503".into(),
            );
        }
        for SkippedKey { index, kid, reason } in &self.skipped {
            let name = match kid {
                Some(kid) => format!("`{kid}`"),
                None => "without kid".to_owned(),
            };
            problems.push(format!("key {index} ({name}) is not used: {reason}"));
        }
        problems
    }

    /// The difference between the provider's clock and ours; `None` if its answer has no time.
    pub fn clock_difference(&self, now: Timestamp) -> Option<Duration> {
        let date = self.date?;
        Some(now.duration_since(date).unsigned_abs())
    }

    /// The problem of the clocks, in a sentence; `None` if they differ by at most what the settings allow.
    pub fn clock_problem(&self, now: Timestamp) -> Option<String> {
        let difference = self.clock_difference(now)?;
        if difference <= self.skew {
            return None;
        }
        let (off, skew) = (difference.as_secs(), self.skew.as_secs());
        Some(format!("the provider's clock differs from ours by {off} s; at most {skew} s are allowed"))
    }
}

/// The first certificate of each key of a set that was parsed before.
fn certificates(key_set: &[u8]) -> Vec<(String, Vec<u8>)> {
    let document: Value = serde_json::from_slice(key_set).unwrap_or_default();
    let Some(keys) = document["keys"].as_array() else { return Vec::new() };
    keys.iter().filter_map(certificate).collect()
}

/// The `kid` of a key and its first certificate; `None` without one of them.
fn certificate(key: &Value) -> Option<(String, Vec<u8>)> {
    let kid = key["kid"].as_str()?.to_owned();
    let certificate = key["x5c"][0].as_str()?;
    let der = BASE64.decode(certificate.as_bytes()).ok()?;
    Some((kid, der))
}
