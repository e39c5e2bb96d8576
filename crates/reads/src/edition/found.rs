//! Index of an edition, in which handlers find parts by id, number and reference.

use norma_model::{Digest, Outline};
use norma_render::PackIndex;

/// The index, as handlers know it.
pub(crate) struct FoundIndex(pub(super) PackIndex);

impl crate::EditionLookup for FoundIndex {
    fn outline(&self) -> &Outline {
        &self.0.outline
    }

    fn pictures(&self, reference: &str) -> Vec<Option<Digest>> {
        self.0.pictures_named(reference).map(|picture| picture.digest.map(Digest::from_bytes)).collect()
    }
}
