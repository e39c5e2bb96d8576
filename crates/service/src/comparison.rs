//! Comparisons of stored editions: read from the store, or made of the units in both packs and stored.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::mem;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use norma_compare::{AuthoredRelation, Record, Units, UnitsParts, VERSION, compare_with_table};
use norma_model::{Lang, ProvisionId, Urn};
use norma_store::{Correspondence, EditionHandle, StoredComparison};
use serde::{Deserialize, Serialize};

use crate::config::Ingest;
use crate::pack;

/// Why two editions cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] norma_store::Error),
    /// An edition has too many provisions.
    #[error(
        "{urn} has {found} provisions in {language}, expected at most {limit} for a comparison; raise `max-comparison-units`"
    )]
    TooManyUnits {
        /// The edition.
        urn: Urn,
        /// The language that is compared.
        language: Lang,
        /// Number of its provisions.
        found: usize,
        /// The limit in force.
        limit: usize,
    },
    /// The result is too large.
    #[error(
        "the comparison of {older} with {newer} has {found} bytes, expected at most {limit}; raise `max-comparison-size`"
    )]
    TooLarge {
        /// The older edition.
        older: Urn,
        /// The newer edition.
        newer: Urn,
        /// Its size in bytes.
        found: u64,
        /// The limit in force.
        limit: u64,
    },
    /// Another version of Norma stored an edition.
    #[error(
        "what comparisons read of {urn} was stored by another version of Norma; run `norma rebuild {urn}`"
    )]
    OtherVersion {
        /// The edition.
        urn: Urn,
    },
    /// The comparison ended early: a defect of the matcher.
    #[error("the comparison of {older} with {newer} ended early; report it with both documents")]
    Failed {
        /// The older edition.
        older: Urn,
        /// The newer edition.
        newer: Urn,
    },
}

/// The stored units of an edition, in all languages.
///
/// # Errors
/// They cannot be read.
pub(crate) async fn units(edition: &EditionHandle) -> Result<Units, ComparisonError> {
    let units = pack::units(edition).await?;
    units.ok_or_else(|| ComparisonError::OtherVersion { urn: edition.entry().summary.urn.clone() })
}

/// The stored comparison of two editions in a language, with its stored form. `older` is the edition that comes first in the order of
/// the document.
///
/// # Errors
/// The store cannot be read.
pub(crate) async fn stored(
    older: &EditionHandle,
    newer: &EditionHandle,
    language: &Lang,
    limits: &Ingest,
) -> Result<Option<(Record, Bytes)>, ComparisonError> {
    let stored = older.comparison(newer, language, VERSION).await?;
    Ok(stored.and_then(|stored| read(&stored, limits).map(|record| (record, stored.record))))
}

/// The comparison of two editions in a language, with its stored form: the stored one, or a new one, which is stored. `older` is the
/// edition that comes first in the order of the document.
///
/// # Errors
/// Names the limit that is exceeded, or what cannot be read.
pub(crate) async fn comparison(
    older: &EditionHandle,
    newer: &EditionHandle,
    language: &Lang,
    limits: &Ingest,
) -> Result<(Record, Bytes), ComparisonError> {
    if let Some(found) = stored(older, newer, language, limits).await? {
        return Ok(found);
    }
    let mut table = older.correspondences(newer).await?;
    loop {
        let (record, bytes) = make([older, newer], &table, language, limits).await?;
        match older.put_comparison(newer, language, VERSION, bytes.clone()).await {
            Ok(_) | Err(norma_store::Error::ReadOnly) => {}
            Err(error) => return Err(error.into()),
        }
        // A table that came before the record was stored could not remove the record; one that comes now does.
        match older.correspondences(newer).await? {
            now if now == table => return Ok((record, bytes)),
            now => table = now,
        }
    }
}

/// Compares, on a thread that may work long, and gives the record with its stored form.
async fn make(
    editions: [&EditionHandle; 2],
    table: &[Correspondence],
    language: &Lang,
    limits: &Ingest,
) -> Result<(Record, Bytes), ComparisonError> {
    let urns = editions.map(|edition| edition.entry().summary.urn.clone());
    let whole = [units(editions[0]).await?, units(editions[1]).await?];
    let units = whole.each_ref().map(|units| units.in_language(language));
    for (urn, units) in urns.iter().zip(&units) {
        let (found, limit) = (units.units.len(), limits.max_comparison_units);
        if found > limit {
            let (urn, language) = (urn.clone(), language.clone());
            return Err(ComparisonError::TooManyUnits { urn, language, found, limit });
        }
    }
    let stated = stated(table, &units);
    let ordinals =
        whole.map(|units| (0..).zip(UnitsParts::from(units).units).map(|(n, unit)| (unit.id, n)).collect());
    let compared = tokio::task::spawn_blocking(move || {
        let [older, newer] = &units;
        let record = Record::new(older, newer, &compare_with_table(older, newer, &stated));
        let (plain, record) = StoredRecord::encode(record, &ordinals);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder
            .write_all(&plain)
            .and_then(|()| encoder.finish())
            .map(|bytes| (record, bytes, plain.len() as u64))
    });
    let [older, newer] = urns;
    let Ok(Ok((record, bytes, found))) = compared.await else {
        return Err(ComparisonError::Failed { older, newer });
    };
    let limit = limits.max_comparison_size.bytes();
    match found > limit {
        true => Err(ComparisonError::TooLarge { older, newer, found, limit }),
        false => Ok((record, bytes.into())),
    }
}

/// The rows of a publisher's table whose provisions the editions have now, in the language of the units.
fn stated(table: &[Correspondence], [older, newer]: &[Units; 2]) -> Vec<norma_compare::Correspondence> {
    let indices = |units: &Units| -> HashMap<String, usize> {
        units.units.iter().enumerate().map(|(index, unit)| (unit.id.to_string(), index)).collect()
    };
    if table.is_empty() {
        return Vec::new();
    }
    let (older, newer) = (indices(older), indices(newer));
    let index = |ids: &HashMap<String, usize>, id: Option<ProvisionId>| match id {
        Some(id) => ids.get(&id.to_string()).copied().map(Some),
        None => Some(None),
    };
    let row = |row: &Correspondence| {
        let relation = AuthoredRelation::from_word(&row.relation)?;
        let (older, newer) = (index(&older, row.older_id)?, index(&newer, row.newer_id)?);
        Some(norma_compare::Correspondence { older, newer, relation })
    };
    table.iter().filter_map(row).collect()
}

/// A record as it is stored: ids of units are empty, since the catalogue has them.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    /// How far the ordinal of each unit in its whole edition is from that of the unit before; of the older and the newer edition.
    steps: [Vec<u32>; 2],
    record: Record,
}

impl StoredRecord {
    /// The stored form of a record, and the record itself. `ordinals` are those of all provisions of the editions by their ids.
    fn encode(mut record: Record, ordinals: &[HashMap<Box<str>, u32>; 2]) -> (Vec<u8>, Record) {
        let sides = [&mut record.older, &mut record.newer];
        let ids = sides.map(|units| units.iter_mut().map(|unit| mem::take(&mut unit.id)).collect::<Vec<_>>());
        let steps = [0, 1].map(|side| {
            let own = ids[side].iter().map(|id| ordinals[side][id]);
            let mut before = 0;
            own.map(|ordinal| ordinal - mem::replace(&mut before, ordinal)).collect()
        });
        let mut stored = Self { steps, record };
        let bytes = postcard::to_stdvec(&stored).expect("a record holds text and numbers only");
        for (units, ids) in [&mut stored.record.older, &mut stored.record.newer].into_iter().zip(ids) {
            units.iter_mut().zip(ids).for_each(|(unit, id)| unit.id = id);
        }
        (bytes, stored.record)
    }

    /// The record with the ids of its units; `None` where it is of another version, or names a provision that is not there.
    fn decode(bytes: &[u8], provisions: &[Vec<ProvisionId>; 2]) -> Option<Record> {
        let Self { steps, mut record } = postcard::from_bytes(bytes).ok()?;
        let sides = [&mut record.older, &mut record.newer];
        for ((units, steps), ids) in sides.into_iter().zip(steps).zip(provisions) {
            if units.len() != steps.len() {
                return None;
            }
            let mut ordinal = 0_usize;
            for (unit, step) in units.iter_mut().zip(steps) {
                ordinal = ordinal.checked_add(usize::try_from(step).ok()?)?;
                unit.id = ids.get(ordinal)?.to_string().into();
            }
        }
        Some(record).filter(|record| record.version == VERSION)
    }
}

/// Reads the stored form; `None` where it is damaged, larger than the limit in force or of another version.
fn read(StoredComparison { record, provisions }: &StoredComparison, limits: &Ingest) -> Option<Record> {
    let mut plain = Vec::new();
    let limit = limits.max_comparison_size.bytes();
    DeflateDecoder::new(&record[..]).take(limit.saturating_add(1)).read_to_end(&mut plain).ok()?;
    if plain.len() as u64 > limit {
        return None;
    }
    StoredRecord::decode(&plain, provisions)
}
