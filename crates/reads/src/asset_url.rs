//! URLs of assets: edition, digest, tenant, client and expiry, sealed with a key from the store. So a URL
//! that is passed on cannot be changed and does not reveal the caller.

use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use norma_api::Operation;
use norma_model::Digest;
use norma_store::{SigningKey, TurnClient};
use serde::{Deserialize, Serialize};

use crate::{Failure, Request};

/// Makes URLs for one caller at one moment.
pub(crate) struct AssetUrls<'r> {
    key: &'r SigningKey,
    public_url: &'r str,
    client: &'r TurnClient,
    expires: Timestamp,
}

impl<'r> AssetUrls<'r> {
    /// URLs for a client that expire this long after the request.
    ///
    /// # Errors
    /// None for a time of this era.
    pub(crate) fn new(
        key: &'r SigningKey,
        client: &'r TurnClient,
        request: Request<'r>,
        lifetime: Duration,
    ) -> Result<Self, Failure> {
        // Whole seconds, so that the URL and the answer say the same.
        let expires = Timestamp::from_second(request.now.as_second() + lifetime.as_secs() as i64);
        let expires = expires.map_err(|error| Failure::internal(&error))?;
        Ok(Self { key, public_url: request.public_url, client, expires })
    }

    /// The URL of an asset of an edition.
    pub(crate) fn url(&self, urn: &str, digest: &Digest) -> String {
        let ticket = AssetTicket {
            urn: urn.to_owned(),
            digest: *digest.as_bytes(),
            tenant: self.client.tenant.to_string(),
            client: self.client.name.to_string(),
            expires: self.expires.as_second(),
        };
        format!("{}{}", self.public_url, Operation::Asset.path_with(&[&ticket.sealed(self.key)]))
    }

    /// The time when the URLs expire.
    pub(crate) fn expires(&self) -> Timestamp {
        self.expires
    }
}

/// The content of a URL: postcard, sealed by AES-256-GCM-SIV (RFC 8452) with the nonce before it, in
/// base64url.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetTicket {
    /// The canonical URN of the edition that has the asset.
    pub urn: String,
    /// SHA-256 of the asset.
    pub digest: [u8; 32],
    /// The tenant for whose client it was sealed.
    pub tenant: String,
    /// The client of that tenant for whom it was sealed.
    pub client: String,
    /// Seconds since 1970 in UTC.
    pub expires: i64,
}

fn sealing_key(key: &SigningKey) -> RandomizedNonceKey {
    RandomizedNonceKey::new(&AES_256_GCM_SIV, &key.secret).expect("a key of AES-256 has 32 bytes")
}

impl AssetTicket {
    fn sealed(&self, key: &SigningKey) -> String {
        let mut bytes = postcard::to_stdvec(self).expect("a ticket holds text and numbers only");
        let nonce = sealing_key(key).seal_in_place_append_tag(Aad::empty(), &mut bytes);
        let nonce = nonce.expect("so few bytes can be sealed");
        BASE64URL_NOPAD.encode(&[nonce.as_ref(), bytes.as_slice()].concat())
    }

    /// Opens a ticket that one of the keys sealed; `None` also if a replaced key sealed it for longer than it
    /// may.
    pub fn open(text: &str, keys: &[SigningKey]) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        for key in keys {
            if let Some(ticket) = Self::open_with(key, nonce, sealed)
                && may_seal(key, ticket.expires)
            {
                return Some(ticket);
            }
        }
        None
    }

    fn open_with(key: &SigningKey, nonce: &[u8], sealed: &[u8]) -> Option<Self> {
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut sealed = sealed.to_vec();
        let opened = sealing_key(key).open_in_place(nonce, Aad::empty(), &mut sealed).ok()?;
        postcard::from_bytes(opened).ok()
    }
}

/// True if a key may seal a URL that expires then. A replaced key may not seal one for longer than the URLs
/// that it sealed before.
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

    fn ticket(expires: i64) -> AssetTicket {
        AssetTicket {
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
        let opens =
            |expires| AssetTicket::open(&ticket(expires).sealed(&old), &[key(2), old.clone()]).is_some();
        assert!(opens(1000 + 15 * 60));
        assert!(!opens(1000 + 16 * 60));
        assert!(!opens(i64::MAX));
    }

    #[test]
    fn a_ticket_opens_with_a_known_key_and_only_unaltered() {
        let ticket = ticket(4);
        let sealed = ticket.sealed(&key(1));
        assert_eq!(AssetTicket::open(&sealed, &[key(2), key(1)]), Some(ticket));
        assert_eq!(AssetTicket::open(&sealed, &[key(2)]), None);
        assert_eq!(AssetTicket::open(&sealed, &[]), None);
        for index in 0..sealed.len() {
            let mut altered = sealed.clone().into_bytes();
            altered[index] = if altered[index] == b'A' { b'B' } else { b'A' };
            assert_eq!(AssetTicket::open(&String::from_utf8(altered).unwrap(), &[key(1)]), None, "{index}");
        }
        assert_eq!(AssetTicket::open(&sealed[1..], &[key(1)]), None);
        assert_eq!(AssetTicket::open("", &[key(1)]), None);
    }

    #[test]
    fn a_url_does_not_tell_tenant_client_or_edition() {
        let ticket =
            AssetTicket { tenant: "tenant-of-acme".into(), client: "reader-of-acme".into(), ..ticket(4) };
        let bytes = BASE64URL_NOPAD.decode(ticket.sealed(&key(1)).as_bytes()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("acme") && !text.contains("urn:"), "{text}");
    }
}
