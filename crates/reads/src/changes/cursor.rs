//! Cursors of changes: a position in the feed and a name of the caller's grants, encrypted.
//!
//! Numbers of the feed count the changes of all tenants, so a cursor must not reveal its own. Equal positions
//! of one client give equal bytes, so that an answer without changes is the same one. AES-256-GCM-SIV (RFC
//! 8452) allows a nonce that repeats: it then reveals that two plaintexts are equal, and nothing else.

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use data_encoding::BASE64URL_NOPAD;
use norma_store::{CatalogueState, ChangePosition, TurnClient};

/// The purpose of the key. Another form of cursors has another one.
pub(super) const PURPOSE: &str = "cursors of changes, 1";

/// Bytes of the name of grants in a cursor: a third of a million million grants could change before two had
/// one name.
const RIGHTS: usize = 16;

/// Bytes of a cursor before it is sealed.
const PLAIN: usize = 32 + RIGHTS;

/// Where changes go on, for a caller with certain grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangeCursor {
    pub(super) position: ChangePosition,
    rights: [u8; RIGHTS],
}

impl ChangeCursor {
    /// A cursor of a caller whose grants have this name.
    pub(super) fn new(position: ChangePosition, rights: &[u8; 32]) -> Self {
        Self { position, rights: shortened(rights) }
    }

    /// True if the caller had grants with this name.
    pub(super) fn is_of(&self, rights: &[u8; 32]) -> bool {
        self.rights == shortened(rights)
    }

    /// The cursor as text, for this client alone.
    pub(super) fn sealed(&self, key: &[u8; 32], client: &TurnClient) -> String {
        let mut bytes = Vec::with_capacity(PLAIN + AES_256_GCM_SIV.tag_len());
        let ChangePosition { state, within, base } = self.position;
        bytes.extend_from_slice(&state.sequence.to_le_bytes());
        bytes.extend_from_slice(&state.epoch.to_le_bytes());
        bytes.extend_from_slice(&within.to_le_bytes());
        bytes.extend_from_slice(&base.to_le_bytes());
        bytes.extend_from_slice(&self.rights);
        let sealed = sealing_key(key).seal_in_place_append_tag(nonce(), bound_to(client), &mut bytes);
        sealed.expect("so few bytes can be sealed");
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Opens a cursor that was sealed for this client; `None` for any other text.
    pub(super) fn open(text: &str, key: &[u8; 32], client: &TurnClient) -> Option<Self> {
        let mut bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        let opened = sealing_key(key).open_in_place(nonce(), bound_to(client), &mut bytes).ok()?;
        let opened: &[u8; PLAIN] = (&*opened).try_into().ok()?;
        let (numbers, rights) = opened.split_at(PLAIN - RIGHTS);
        let (sequence, rest) = numbers.split_at(8);
        let (epoch, rest) = rest.split_at(8);
        let (within, base) = rest.split_at(8);
        let state = CatalogueState {
            sequence: u64::from_le_bytes(sequence.try_into().ok()?),
            epoch: i64::from_le_bytes(epoch.try_into().ok()?),
        };
        let within = u64::from_le_bytes(within.try_into().ok()?);
        let base = u64::from_le_bytes(base.try_into().ok()?);
        Some(Self { position: ChangePosition { state, within, base }, rights: rights.try_into().ok()? })
    }
}

fn shortened(rights: &[u8; 32]) -> [u8; RIGHTS] {
    std::array::from_fn(|index| rights[index])
}

fn sealing_key(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM_SIV, key).expect("a key of AES-256 has 32 bytes"))
}

fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

/// Tenant and client, each after its length, so that no two callers share a text.
fn bound_to(client: &TurnClient) -> Aad<Vec<u8>> {
    let mut bytes = Vec::new();
    for name in [&client.tenant, &client.name] {
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
    }
    Aad::from(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const KEY: [u8; 32] = [7; 32];

    fn client(tenant: &str, name: &str) -> TurnClient {
        TurnClient { tenant: tenant.into(), name: name.into() }
    }

    fn cursor(sequence: u64) -> ChangeCursor {
        let state = CatalogueState { sequence, epoch: 99 };
        ChangeCursor::new(ChangePosition { state, within: 7, base: sequence }, &[3; 32])
    }

    #[test]
    fn a_cursor_opens_for_its_client_with_its_key_and_only_unaltered() {
        let one = client("t", "c");
        let sealed = cursor(4).sealed(&KEY, &one);
        assert_eq!(sealed.len(), 86);
        assert_eq!(ChangeCursor::open(&sealed, &KEY, &one), Some(cursor(4)));
        assert_eq!(ChangeCursor::open(&sealed, &[8; 32], &one), None);
        for other in [client("t", "d"), client("u", "c"), client("tc", ""), client("", "tc")] {
            assert_eq!(ChangeCursor::open(&sealed, &KEY, &other), None, "{}", other.name);
        }
        for index in 0..sealed.len() {
            assert_eq!(ChangeCursor::open(&sealed[..index], &KEY, &one), None, "{index}");
            for bit in 0..8 {
                let mut altered = sealed.clone().into_bytes();
                altered[index] ^= 1 << bit;
                let Ok(altered) = String::from_utf8(altered) else { continue };
                assert_eq!(ChangeCursor::open(&altered, &KEY, &one), None, "{index} {bit}");
            }
        }
        assert_eq!(ChangeCursor::open(&(sealed + "A"), &KEY, &one), None);
    }

    #[test]
    fn equal_positions_have_equal_cursors_and_others_share_no_beginning() {
        let one = client("t", "c");
        assert_eq!(cursor(4).sealed(&KEY, &one), cursor(4).sealed(&KEY, &one));
        let mut beginnings = BTreeSet::new();
        for sequence in 0..1000 {
            beginnings.insert(cursor(sequence).sealed(&KEY, &one)[..8].to_owned());
            beginnings.insert(cursor(sequence).sealed(&KEY, &client("t", "d"))[..8].to_owned());
        }
        assert_eq!(beginnings.len(), 2000);
    }

    #[test]
    fn a_cursor_knows_the_grants_that_it_was_made_for() {
        assert!(cursor(4).is_of(&[3; 32]));
        assert!(!cursor(4).is_of(&[4; 32]));
    }
}
