//! Ids of provisions: hashes over a provision's own words, so that they do not depend on changes around it.

use foldhash::{HashMap, HashMapExt};
use norma_model::{ProvisionId, ProvisionKind, Urn};
use sha2::{Digest, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The values from which an id is made.
#[derive(Clone, Debug)]
pub(super) struct ProvisionFingerprint {
    /// Character data of lead-in and text; see [`words`].
    pub(super) words: String,
    /// Set for the second and further provisions of one sentence.
    pub(super) apart: Option<ProvisionKind>,
}

/// Punctuation that is ignored at the end of a piece: a list's items change theirs when they are moved.
const FINAL: [char; 16] =
    ['.', ',', ';', ':', '!', '?', '…', '-', '–', '—', '。', '，', '、', '；', '：', '．'];

/// NFC character data of the pieces without white space, final punctuation and a capital first letter, each
/// piece closed by a unit separator.
pub(super) fn words<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut words = String::new();
    for piece in pieces {
        let start = words.len();
        words.reserve(piece.len() + 1);
        if piece.is_ascii() {
            extend_without_blanks(&mut words, piece);
        } else {
            words.extend(piece.split_whitespace());
        }
        if !words[start..].is_ascii() && is_nfc_quick(words[start..].chars()) != IsNormalized::Yes {
            let composed: String = words[start..].nfc().collect();
            words.replace_range(start.., &composed);
        }
        words.truncate(start + words[start..].trim_end_matches(FINAL).len());
        lower_first(&mut words, start);
        words.push('\u{1f}');
    }
    words
}

/// Makes the character at `start` lower case, where it is a letter.
fn lower_first(words: &mut String, start: usize) {
    let Some(first) = words[start..].chars().next().filter(|c| c.is_uppercase()) else { return };
    let lower: String = first.to_lowercase().collect();
    words.replace_range(start..start + first.len_utf8(), &lower);
}

/// Adds plain ASCII without its white space. Many bytes are moved together, and none decides where the work
/// goes on.
fn extend_without_blanks(words: &mut String, piece: &str) {
    const STEP: usize = 64;
    for bytes in piece.as_bytes().chunks(STEP) {
        let mut counts = [0; STEP];
        for (counts, byte) in counts.iter_mut().zip(bytes) {
            *counts = u8::from(!matches!(byte, b' ' | b'\t'..=b'\r'));
        }
        let mut buffer = [0; STEP];
        let mut length = 0;
        for (&byte, &counts) in bytes.iter().zip(&counts) {
            buffer[length % STEP] = byte;
            length += usize::from(counts);
        }
        words.push_str(std::str::from_utf8(&buffer[..length]).unwrap_or_default());
    }
}

/// The ids of an edition's provisions in document order. Of equal ones the second has the ordinal 2 in its
/// id, and so on; the first has none, so that it is the same whether there are others or not.
pub(super) fn ids(urn: &Urn, provisions: &[ProvisionFingerprint]) -> Vec<ProvisionId> {
    let mut seen: HashMap<(&str, Option<ProvisionKind>), u64> = HashMap::with_capacity(provisions.len());
    provisions
        .iter()
        .map(|p| {
            let mut hash = FieldHash::default();
            hash.field(urn.as_str().as_bytes());
            hash.field(p.words.as_bytes());
            let ordinal = seen.entry((&p.words, p.apart)).or_default();
            *ordinal += 1;
            if *ordinal > 1 {
                hash.field(&ordinal.to_be_bytes());
            }
            if let Some(kind) = p.apart {
                hash.field(name(kind).as_bytes());
            }
            hash.id()
        })
        .collect()
}

/// A hash of the words of a text in pieces: see [`words`].
pub(super) fn hash<'a>(pieces: impl Iterator<Item = &'a str>) -> u64 {
    let digest = Sha256::digest(words(pieces).as_bytes());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(bytes)
}

/// A hash over fields, each after its length in eight bytes, so that different rows of fields give different
/// hashes.
#[derive(Default)]
struct FieldHash(Sha256);

impl FieldHash {
    fn field(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    fn id(self) -> ProvisionId {
        let digest = self.0.finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        ProvisionId::from_bytes(bytes)
    }
}

fn name(kind: ProvisionKind) -> &'static str {
    match kind {
        ProvisionKind::Requirement => "requirement",
        ProvisionKind::Recommendation => "recommendation",
        ProvisionKind::Permission => "permission",
        ProvisionKind::Capability => "capability",
        ProvisionKind::ExternalConstraint => "externalConstraint",
    }
}
