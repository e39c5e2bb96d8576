//! URLs of assets: edition, digest, tenant, client and expiry, sealed with a key from the store. So a URL
//! that is passed on cannot be changed and does not reveal the caller.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use axum::http::header;
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use norma_api::Operation;
use norma_api::problem::Code;
use norma_model::Digest;
use norma_reads::{AssetUrls, Failure, failed};
use norma_store::{Day, SigningKey, Viewer};
use serde::{Deserialize, Serialize};

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
            tenant: self.viewer.tenant().to_owned(),
            client: self.viewer.client().to_owned(),
            expires: self.expires.as_second(),
        };
        format!("{}{}", self.public_url, Operation::Asset.path_with(&[&ticket.sealed(&self.key)]))
    }

    fn expire(&self) -> Timestamp {
        self.expires
    }
}

/// The content of a URL: postcard, sealed by AES-256-GCM-SIV (RFC 8452) with the nonce before it, in
/// base64url.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub(super) urn: String,
    pub(super) digest: [u8; 32],
    pub(super) tenant: String,
    pub(super) client: String,
    pub(super) expires: i64,
}

fn sealing_key(key: &SigningKey) -> RandomizedNonceKey {
    RandomizedNonceKey::new(&AES_256_GCM_SIV, &key.secret).expect("a key of AES-256 has 32 bytes")
}

impl Ticket {
    fn sealed(&self, key: &SigningKey) -> String {
        let mut bytes = postcard::to_stdvec(self).expect("a ticket holds text and numbers only");
        let nonce = sealing_key(key).seal_in_place_append_tag(Aad::empty(), &mut bytes);
        let nonce = nonce.expect("so few bytes can be sealed");
        BASE64URL_NOPAD.encode(&[nonce.as_ref(), bytes.as_slice()].concat())
    }

    /// The caller for whom the URL was sealed, at this time.
    pub(super) fn viewer(&self, now: Timestamp) -> Viewer {
        Viewer::verified(&self.tenant, &self.client, Day::from_time(now.into()))
    }

    /// Opens a ticket that one of the keys sealed; `None` also if a replaced key sealed it for longer than it
    /// may.
    pub(super) fn open(text: &str, keys: &[SigningKey]) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        let open = |key: &SigningKey| {
            let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
            let mut sealed = sealed.to_vec();
            let opened = sealing_key(key).open_in_place(nonce, Aad::empty(), &mut sealed).ok()?;
            postcard::from_bytes::<Self>(opened).ok().filter(|ticket| may_seal(key, ticket.expires))
        };
        keys.iter().find_map(open)
    }
}

fn may_seal(key: &SigningKey, expires: i64) -> bool {
    Timestamp::from_second(expires).is_ok_and(|expires| key.may_sign_until(expires.into()))
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

    #[test]
    fn a_url_does_not_tell_tenant_client_or_edition() {
        let ticket = Ticket { tenant: "tenant-of-acme".into(), client: "reader-of-acme".into(), ..ticket(4) };
        let bytes = BASE64URL_NOPAD.decode(ticket.sealed(&key(1)).as_bytes()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("acme") && !text.contains("urn:"), "{text}");
    }
}
