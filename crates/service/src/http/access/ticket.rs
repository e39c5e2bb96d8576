//! Signed URLs of assets: signed over edition, digest, tenant, client and expiry with a key that is kept with the store.

use aws_lc_rs::hmac;
use axum::http::header;
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_handlers::{AssetUrls, Failure};
use norma_model::Digest;
use norma_store::{SigningKey, Viewer};
use serde::{Deserialize, Serialize};

use crate::http::failed::failed;
use crate::state::Shared;

/// Makes URLs for one caller at one moment.
pub(in crate::http) struct Signer {
    key: SigningKey,
    public_url: String,
    viewer: Viewer,
    expires: Timestamp,
}

impl Signer {
    pub(super) async fn new(shared: &Shared, viewer: Viewer) -> Result<Self, Failure> {
        let policy = shared.store.policy().await.map_err(failed)?;
        let key = policy.signing_keys.first().cloned().ok_or_else(|| {
            let detail = match shared.store.is_read_only() {
                true => "The store has no key to sign asset URLs with, and can only be read.",
                false => "The store has no key to sign asset URLs with yet.",
            };
            Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "2")
        })?;
        let life = shared.settings.limits.asset_url_lifetime.std();
        // Whole seconds, so that the URL and the answer say the same.
        let expires = Timestamp::from_second(shared.now().as_second() + life.as_secs() as i64);
        let expires = expires.map_err(|e| Failure::internal(&e))?;
        Ok(Self { key, public_url: shared.public_url.clone(), viewer, expires })
    }
}

impl AssetUrls for Signer {
    fn url(&self, urn: &str, digest: &Digest) -> String {
        let ticket = Ticket {
            urn: urn.to_owned(),
            digest: *digest.as_bytes(),
            tenant: self.viewer.tenant.clone(),
            client: self.viewer.client.clone(),
            expires: self.expires.as_second(),
        };
        format!("{}{}", self.public_url, Operation::Asset.path_with(&[&ticket.sealed(&self.key)]))
    }

    fn expire(&self) -> Timestamp {
        self.expires
    }
}

/// What a URL says: postcard, then HMAC-SHA-256 over it, in base64url.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub(super) urn: String,
    pub(super) digest: [u8; 32],
    pub(super) tenant: String,
    pub(super) client: String,
    pub(super) expires: i64,
}

const SIGNATURE_LENGTH: usize = 32;

impl Ticket {
    fn sealed(&self, key: &SigningKey) -> String {
        let mut bytes = postcard::to_stdvec(self).expect("a ticket holds text and numbers only");
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key.secret), &bytes);
        bytes.extend_from_slice(signature.as_ref());
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Reads what one of the keys signed, comparing in constant time; `None` too where a replaced key signed for longer
    /// than it may.
    pub(super) fn open(text: &str, keys: &[SigningKey]) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let (signed, signature) = bytes.split_at(bytes.len().checked_sub(SIGNATURE_LENGTH)?);
        let verifies = |key: &&SigningKey| {
            hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, &key.secret), signed, signature).is_ok()
        };
        let key = keys.iter().find(verifies)?;
        let ticket: Self = postcard::from_bytes(signed).ok()?;
        let expires = Timestamp::from_second(ticket.expires).ok()?;
        key.may_sign_until(expires.into()).then_some(ticket)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    fn key(number: u8) -> SigningKey {
        SigningKey { secret: [number; 32], made: SystemTime::UNIX_EPOCH, replaced: None }
    }

    fn ticket(expires: i64) -> Ticket {
        Ticket {
            urn: "urn:nsb:std:nsb:1:ed-1:en".into(),
            digest: [3; 32],
            tenant: "t".into(),
            client: "c".into(),
            expires,
        }
    }

    #[test]
    fn a_replaced_key_signs_nothing_that_works_longer_than_what_it_signed_before() {
        let replaced_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1000);
        let old = SigningKey { replaced: Some(replaced_at), ..key(1) };
        let opens = |expires| Ticket::open(&ticket(expires).sealed(&old), &[key(2), old.clone()]).is_some();
        assert!(opens(1000 + 15 * 60));
        assert!(!opens(1000 + 16 * 60));
        assert!(!opens(i64::MAX));
    }

    #[test]
    fn a_ticket_opens_with_a_known_key_and_only_unaltered() {
        let ticket = ticket(4);
        let sealed = ticket.sealed(&key(1));
        assert_eq!(Ticket::open(&sealed, &[key(2), key(1)]), Some(ticket));
        assert_eq!(Ticket::open(&sealed, &[key(2)]), None);
        assert_eq!(Ticket::open(&sealed, &[]), None);
        for index in 0..sealed.len() {
            let mut altered = sealed.clone().into_bytes();
            altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
            assert_eq!(Ticket::open(&String::from_utf8(altered).unwrap(), &[key(1)]), None, "{index}");
        }
        assert_eq!(Ticket::open(&sealed[1..], &[key(1)]), None);
        assert_eq!(Ticket::open("", &[key(1)]), None);
    }
}
