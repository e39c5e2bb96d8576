//! Key of lineage ids. The id of a lineage is its oldest member, encrypted: it reveals nothing about editions
//! that its reader may not see, and needs no index to find the member.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::cipher::{AES_128, DecryptingKey, DecryptionContext, EncryptingKey, UnboundCipherKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use data_encoding::HEXLOWER_PERMISSIVE;
use norma_model::{LineageId, ProvisionId};

use crate::{Result, StoreError};

/// Bytes of the key of AES-128, and of one block.
const BLOCK: usize = 16;

/// The key of a catalogue that makes and reads ids of lineages: AES-128 (FIPS 197) of one block. Stores with
/// the same key and the same documents give the same ids.
pub struct LineageKey {
    secret: [u8; BLOCK],
    encrypting: EncryptingKey,
    decrypting: DecryptingKey,
}

impl LineageKey {
    /// The key with these 128 bits.
    pub fn new(secret: [u8; BLOCK]) -> Self {
        let key = || UnboundCipherKey::new(&AES_128, &secret).expect("a key of AES-128 has 16 bytes");
        let valid = "a key of AES-128 is valid for single blocks";
        Self {
            secret,
            encrypting: EncryptingKey::ecb(key()).expect(valid),
            decrypting: DecryptingKey::ecb(key()).expect(valid),
        }
    }

    /// The 128 bits that [`LineageKey::new`] takes.
    pub fn secret(&self) -> [u8; BLOCK] {
        self.secret
    }

    /// The 128 bits as 32 hexadecimal digits, for a file that only operators can read.
    pub fn to_hex(&self) -> String {
        HEXLOWER_PERMISSIVE.encode(&self.secret)
    }

    /// A key of 256 bits for another purpose (HKDF with SHA-256, RFC 5869): neither reveals the other.
    pub(crate) fn derived(&self, purpose: &str) -> [u8; 32] {
        let (secret, info) = (Salt::new(HKDF_SHA256, &[]).extract(&self.secret), [purpose.as_bytes()]);
        let mut key = [0; 32];
        let material = secret.expand(&info, HKDF_SHA256).expect("HKDF gives up to 8,160 bytes");
        material.fill(&mut key).expect("the key is as long as the digest");
        key
    }

    /// The id of the lineage with this oldest member.
    pub fn id_of(&self, oldest: &ProvisionId) -> LineageId {
        let mut block = *oldest.as_bytes();
        let context = self.encrypting.encrypt(&mut block);
        context.map(drop).expect("one block of 16 bytes can be encrypted");
        LineageId::from_bytes(block)
    }

    /// The provision that was the oldest member when the id was made; for an invented id, an id that no
    /// provision has.
    pub fn member(&self, lineage: &LineageId) -> ProvisionId {
        let mut block = *lineage.as_bytes();
        let plain = self.decrypting.decrypt(&mut block, DecryptionContext::None);
        plain.map(drop).expect("one block of 16 bytes can be decrypted");
        ProvisionId::from_bytes(block)
    }
}

impl FromStr for LineageKey {
    type Err = StoreError;

    /// Reads what [`to_hex`](Self::to_hex) writes, in either case, with white space around it.
    fn from_str(text: &str) -> Result<Self> {
        let bytes = HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok();
        let secret = bytes.and_then(|bytes| <[u8; BLOCK]>::try_from(bytes).ok());
        // The text is not shown: most of it may be right.
        secret.map(Self::new).ok_or_else(|| {
            StoreError::Invalid(
                "a lineage key is 32 hexadecimal digits, as `norma lineage key export` prints".to_owned(),
            )
        })
    }
}

impl PartialEq for LineageKey {
    fn eq(&self, other: &Self) -> bool {
        self.secret == other.secret
    }
}

impl Eq for LineageKey {}

impl fmt::Debug for LineageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineageKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_aes_128_of_the_member_and_leads_back_to_it() {
        // FIPS 197, appendix C.1.
        let key: LineageKey = "000102030405060708090a0b0c0d0e0f\n".parse().unwrap();
        let member = ProvisionId::from_bytes(std::array::from_fn(|index| index as u8 * 0x11));
        let id = key.id_of(&member);
        let expected = HEXLOWER_PERMISSIVE.decode(b"69c4e0d86a7b0430d8cdb78070b4c55a").unwrap();
        assert_eq!(id.as_bytes()[..], expected);
        assert_eq!(key.member(&id), member);
        assert_eq!(key.to_hex().parse::<LineageKey>().unwrap(), key);
    }

    #[test]
    fn a_derived_key_depends_on_the_secret_and_on_the_purpose() {
        let [one, other] = [1, 2].map(|byte| LineageKey::new([byte; BLOCK]));
        let derived = [one.derived("a"), one.derived("b"), other.derived("a")];
        assert_eq!(derived.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
        assert_eq!(one.derived("a"), derived[0]);
        assert_ne!(one.derived("a")[..BLOCK], one.secret());
    }

    #[test]
    fn a_key_is_never_shown_in_messages() {
        let key = LineageKey::new([0xab; BLOCK]);
        assert!(!format!("{key:?}").contains("ab"));
        for wrong in ["", "abcd", "zz0102030405060708090a0b0c0d0e0f"] {
            let said = wrong.parse::<LineageKey>().unwrap_err().to_string();
            assert!(wrong.is_empty() || !said.contains(wrong), "{said}");
        }
    }
}
