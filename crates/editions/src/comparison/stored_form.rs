//! The stored form of a comparison: its record in postcard, compressed, without the ids of units, which the
//! catalogue has.

use std::io::{Read, Write};
use std::mem;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use norma_compare::{ComparisonRecord, VERSION};
use norma_store::StoredComparison;
use serde::{Deserialize, Serialize};

use super::FoundComparison;

/// A record as it is stored: ids of units are empty.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    /// Differences between the ordinals of consecutive units in the whole edition; of the older and the newer
    /// edition.
    steps: [Vec<u32>; 2],
    record: ComparisonRecord,
}

/// The record of a comparison, its stored form, and the size of that in bytes before compression.
pub(super) fn encode(
    FoundComparison { mut record, ordinals }: FoundComparison,
) -> (ComparisonRecord, Bytes, u64) {
    let sides = [&mut record.older, &mut record.newer];
    let ids = sides.map(|units| units.iter_mut().map(|unit| mem::take(&mut unit.id)).collect::<Vec<_>>());
    let steps = ordinals.map(|ordinals| {
        let mut before = 0;
        ordinals.into_iter().map(|ordinal| ordinal - mem::replace(&mut before, ordinal)).collect()
    });
    let mut stored = StoredRecord { steps, record };
    let plain = postcard::to_stdvec(&stored).expect("a record holds text and numbers only");
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
    let bytes = written.expect("memory takes what is written");
    for (units, ids) in [&mut stored.record.older, &mut stored.record.newer].into_iter().zip(ids) {
        units.iter_mut().zip(ids).for_each(|(unit, id)| unit.id = id);
    }
    (stored.record, bytes.into(), plain.len() as u64)
}

/// Reads the stored form; `None` if it is damaged, larger than the limit, of another version of the matcher,
/// or names a provision that does not exist.
pub(super) fn decode(
    StoredComparison { record, provisions }: &StoredComparison,
    limit: u64,
) -> Option<FoundComparison> {
    let mut plain = Vec::new();
    DeflateDecoder::new(&record[..]).take(limit.saturating_add(1)).read_to_end(&mut plain).ok()?;
    if plain.len() as u64 > limit {
        return None;
    }
    let StoredRecord { steps, mut record } = postcard::from_bytes(&plain).ok()?;
    let mut ordinals = [Vec::new(), Vec::new()];
    let sides = [&mut record.older, &mut record.newer].into_iter().zip(steps).zip(provisions);
    for (((units, steps), ids), ordinals) in sides.zip(&mut ordinals) {
        if units.len() != steps.len() {
            return None;
        }
        let mut ordinal = 0_u32;
        for (unit, step) in units.iter_mut().zip(steps) {
            ordinal = ordinal.checked_add(step)?;
            unit.id = ids.get(ordinal as usize)?.to_string().into();
            ordinals.push(ordinal);
        }
    }
    (record.version == VERSION).then_some(FoundComparison { record, ordinals })
}
