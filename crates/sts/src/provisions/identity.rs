//! Identity: ids that depend on a provision's own words, and survive all that changes around it.

use foldhash::{HashMap, HashMapExt};
use norma_model::{ProvisionId, ProvisionKind, Urn};
use sha2::{Digest, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What an id is made of.
#[derive(Clone, Debug)]
pub(super) struct Substance {
    /// Character data of lead-in and text without white space and footnote marks; see [`words`].
    pub(super) words: String,
    /// Number of the section; empty where it has none.
    pub(super) number: String,
    /// Set for the second and further provisions of one sentence.
    pub(super) apart: Option<ProvisionKind>,
}

/// NFC character data of the pieces without white space, each piece closed by a unit separator.
pub(super) fn words<'a>(pieces: impl Iterator<Item = &'a str>) -> String {
    let mut words = String::new();
    for piece in pieces {
        let start = words.len();
        words.reserve(piece.len() + 1);
        match piece.is_ascii() {
            true => extend_without_blanks(&mut words, piece),
            false => words.extend(piece.split_whitespace()),
        }
        if !words[start..].is_ascii() && is_nfc_quick(words[start..].chars()) != IsNormalized::Yes {
            let composed: String = words[start..].nfc().collect();
            words.replace_range(start.., &composed);
        }
        words.push('\u{1f}');
    }
    words
}

/// Adds plain ASCII without its white space. Many bytes are moved together, and none decides where the work goes on.
fn extend_without_blanks(words: &mut String, piece: &str) {
    const STEP: usize = 64;
    for bytes in piece.as_bytes().chunks(STEP) {
        let mut counts = [0; STEP];
        for (counts, byte) in counts.iter_mut().zip(bytes) {
            *counts = u8::from(!matches!(byte, b' ' | b'\t'..=b'\r'));
        }
        let mut kept = [0; STEP];
        let mut length = 0;
        for (&byte, &counts) in bytes.iter().zip(&counts) {
            kept[length % STEP] = byte;
            length += usize::from(counts);
        }
        words.push_str(std::str::from_utf8(&kept[..length]).unwrap_or_default());
    }
}

/// The ids of an edition's provisions. Only among equals do the section's number and their order in it count.
pub(super) fn ids(urn: &Urn, provisions: &[Substance]) -> Vec<ProvisionId> {
    let mut equals: HashMap<(&str, Option<ProvisionKind>), usize> = HashMap::with_capacity(provisions.len());
    for p in provisions {
        *equals.entry((&p.words, p.apart)).or_default() += 1;
    }
    let mut seen: HashMap<(&str, &str, Option<ProvisionKind>), u64> = HashMap::new();
    provisions
        .iter()
        .map(|p| {
            let mut hash = Fields::default();
            hash.field(urn.as_str().as_bytes());
            hash.field(p.words.as_bytes());
            if equals[&(p.words.as_str(), p.apart)] > 1 {
                let ordinal = seen.entry((&p.words, &p.number, p.apart)).or_default();
                hash.field(p.number.as_bytes());
                hash.field(&ordinal.to_be_bytes());
                *ordinal += 1;
            }
            if let Some(kind) = p.apart {
                hash.field(name(kind).as_bytes());
            }
            hash.id()
        })
        .collect()
}

/// A hash over fields, each behind its length in eight bytes, so that no two rows of fields read alike.
#[derive(Default)]
struct Fields(Sha256);

impl Fields {
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
