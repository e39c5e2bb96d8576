//! The stored form of a comparison: its record in postcard, compressed, without the ids of units, which the
//! catalogue has.

use std::io::{Read, Write};
use std::mem;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use norma_compare::{ComparisonRecord, UnitName, VERSION};
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
    FoundComparison { mut record, ordinals, texts: _ }: FoundComparison,
) -> (ComparisonRecord, Bytes, u64) {
    let ids = [take_ids(&mut record.older), take_ids(&mut record.newer)];
    let steps = ordinals.map(steps);
    let mut stored = StoredRecord { steps, record };
    let plain = postcard::to_stdvec(&stored).expect("a record holds text and numbers only");
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(&plain).and_then(|()| encoder.finish());
    let bytes = written.expect("memory takes what is written");
    for (units, ids) in [&mut stored.record.older, &mut stored.record.newer].into_iter().zip(ids) {
        for (unit, id) in units.iter_mut().zip(ids) {
            unit.id = id;
        }
    }
    (stored.record, bytes.into(), plain.len() as u64)
}

fn take_ids(units: &mut [UnitName]) -> Vec<Box<str>> {
    units.iter_mut().map(|unit| mem::take(&mut unit.id)).collect()
}

/// The differences between consecutive ordinals, which ascend.
fn steps(ordinals: Vec<u32>) -> Vec<u32> {
    let (mut steps, mut before) = (Vec::with_capacity(ordinals.len()), 0);
    for ordinal in ordinals {
        steps.push(ordinal - before);
        before = ordinal;
    }
    steps
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
    (record.version == VERSION).then_some(FoundComparison { record, ordinals, texts: [None, None] })
}

#[cfg(test)]
mod tests {
    use norma_compare::{ComparisonSection, ComparisonUnit, Units, UnitsParts, compare};
    use norma_model::ProvisionId;

    use super::*;

    fn id(n: u8) -> ProvisionId {
        ProvisionId::from_bytes([n; 16])
    }

    /// An edition with these provisions, each with a text of its own.
    fn units(ids: &[u8]) -> Units {
        let mut units = Vec::new();
        for n in ids {
            let text = format!("Anchor {n} shall hold.").into();
            units.push(ComparisonUnit { id: id(*n).to_string().into(), text, ..ComparisonUnit::default() });
        }
        let sections = vec![ComparisonSection::default()];
        Units::new(UnitsParts { units, sections, ..UnitsParts::default() }).unwrap()
    }

    /// The comparison of the provisions 2 and 4 of one edition with 2, 3 and 5 of another one, both of which
    /// have five.
    fn found() -> FoundComparison {
        let (older, newer) = (units(&[2, 4]), units(&[2, 3, 5]));
        let record = ComparisonRecord::new(&older, &newer, &compare(&older, &newer));
        FoundComparison { record, ordinals: [vec![1, 3], vec![1, 2, 4]], texts: [None, None] }
    }

    fn stored(record: Bytes) -> StoredComparison {
        let all: Vec<ProvisionId> = (1..=5).map(id).collect();
        StoredComparison { record, provisions: [all.clone(), all] }
    }

    #[test]
    fn a_comparison_reads_back_with_the_ids_of_the_catalogue() {
        let (record, bytes, size) = encode(found());
        assert_eq!(record, found().record);
        let read = decode(&stored(bytes), size).unwrap();
        assert_eq!(read.record, record);
        assert_eq!(read.ordinals, found().ordinals);
    }

    #[test]
    fn a_record_above_the_limit_is_not_inflated_and_a_damaged_one_is_none() {
        let (_, bytes, size) = encode(found());
        assert!(decode(&stored(bytes.clone()), size - 1).is_none());
        assert!(decode(&stored(bytes.slice(..bytes.len() / 2)), size).is_none());
        assert!(decode(&stored(Bytes::new()), size).is_none());
    }

    #[test]
    fn a_record_of_other_provisions_or_of_another_matcher_is_none() {
        let (_, bytes, size) = encode(found());
        let mut fewer = stored(bytes);
        fewer.provisions[1].truncate(4);
        assert!(decode(&fewer, size).is_none());
        let mut other = found();
        other.record.version += 1;
        let (_, bytes, size) = encode(other);
        assert!(decode(&stored(bytes), size).is_none());
    }
}
