//! The stored form of the units of an edition: what comparisons read, so that an edition is converted once, when it comes in.

use norma_compare::Units;
use norma_model::EditionParts;

/// Changes whenever units of another version cannot be read, or mean something else.
const VERSION: u8 = 1;

/// The units of an edition, after their version.
pub(crate) fn units_to_bytes(edition: &EditionParts) -> Vec<u8> {
    let units = Units::from(edition);
    // Not `Units` themselves: they would be copied to be written.
    let mut bytes = vec![VERSION];
    bytes = postcard::to_extend(&*units, bytes).expect("units hold text and numbers only");
    bytes
}

/// Reads the identity bytes of the part [`Units`](crate::Part::Units); `None` when another version of Norma wrote it.
pub fn units(bytes: &[u8]) -> Option<Units> {
    let (version, units) = bytes.split_first()?;
    (*version == VERSION).then(|| postcard::from_bytes(units).ok())?
}
