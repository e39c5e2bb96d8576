//! Comparisons of stored editions: read from the store, or made from the units in both packs. Those of
//! neighbours in their document are stored when lineages are updated, and no others.

mod stored_form;

use std::cmp::Ordering;
use std::collections::HashMap;

use norma_compare::{
    AuthoredRelation, Comparison, ComparisonRecord, ComparisonUnit, Units, VERSION, compare_pairs,
    compare_with_table,
};
use norma_model::{Lang, ProvisionId, Urn};
use norma_render::{PARTS_OF_UNITS, PackDirectory, PackPart};
use norma_store::{Correspondence, EditionHandle, Entry, derived_by};
use tokio::task::spawn_blocking;

use crate::pack::{self, StoredUnits};

/// Provisions of each edition in a comparison that an ingest makes, in one language. Editions beyond that
/// are stored and served; their provisions begin lineages of their own. The matcher's memory grows with
/// the number.
pub const MAX_UNITS: usize = 100_000;

/// Bytes of the largest stored record of a comparison, before compression: a record that was written by
/// someone else is not inflated beyond it.
pub const MAX_RECORD_SIZE: u64 = 64 << 20;

/// The reason why two editions cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] norma_store::StoreError),
    /// An edition has too many provisions.
    #[error(
        "{urn} has {found} provisions in {language}, expected at most {limit} for a comparison (`max-comparison-units`)"
    )]
    TooManyUnits {
        /// The edition.
        urn: Urn,
        /// The language that is compared.
        language: Lang,
        /// Number of its provisions.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The result is too large.
    #[error(
        "the comparison of {older} with {newer} has {found} bytes, expected at most {limit} (`max-comparison-size`)"
    )]
    TooLarge {
        /// The older edition.
        older: Urn,
        /// The newer edition.
        newer: Urn,
        /// Its size in bytes.
        found: u64,
        /// The limit.
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

/// A comparison that was read or made.
pub struct FoundComparison {
    /// The record of the comparison.
    pub record: ComparisonRecord,
    /// The ordinals, in their whole edition, of the units of the older and of the newer edition.
    pub ordinals: [Vec<u32>; 2],
}

/// The stored units of an edition, in all languages.
///
/// # Errors
/// They cannot be read.
pub(crate) async fn units(edition: &EditionHandle) -> Result<Units, ComparisonError> {
    let units = pack::units(edition).await?;
    units.ok_or_else(|| other_version(edition))
}

fn other_version(edition: &EditionHandle) -> ComparisonError {
    ComparisonError::OtherVersion { urn: edition.entry().summary.urn.clone() }
}

/// The stored comparison of two editions in a language. `older` is the edition that comes first in the order
/// of the document.
///
/// # Errors
/// The store cannot be read.
pub async fn stored(
    older: &EditionHandle,
    newer: &EditionHandle,
    language: &Lang,
) -> Result<Option<FoundComparison>, ComparisonError> {
    let Some(stored) = older.comparison(newer, language, VERSION).await? else { return Ok(None) };
    let read = spawn_blocking(move || stored_form::decode(&stored, MAX_RECORD_SIZE));
    read.await.map_err(|_| failed([older, newer]))
}

/// The comparison of two neighbouring editions of a document: the stored one, or a new one, which is stored.
/// `older` is the edition that comes first in the order of the document.
///
/// # Errors
/// Names the limit that is exceeded, or what cannot be read.
pub(crate) async fn of_neighbours(
    older: &EditionHandle,
    newer: &EditionHandle,
    language: &Lang,
) -> Result<ComparisonRecord, ComparisonError> {
    if let Some(found) = stored(older, newer, language).await? {
        return Ok(found.record);
    }
    let mut table = older.correspondences(newer).await?;
    loop {
        let found = make([older, newer], table.clone(), language, MAX_UNITS).await?;
        let encoded = spawn_blocking(move || stored_form::encode(found)).await;
        let (record, bytes, size) = encoded.map_err(|_| failed([older, newer]))?;
        if size > MAX_RECORD_SIZE {
            let [older, newer] = [older, newer].map(|edition| edition.entry().summary.urn.clone());
            return Err(ComparisonError::TooLarge { older, newer, found: size, limit: MAX_RECORD_SIZE });
        }
        match older.put_comparison(newer, language, VERSION, bytes).await {
            Ok(_) | Err(norma_store::StoreError::ReadOnly) => {}
            Err(error) => return Err(error.into()),
        }
        // A table that came before the record was stored could not remove the record; one that comes now
        // does.
        match older.correspondences(newer).await? {
            now if now == table => return Ok(record),
            now => table = now,
        }
    }
}

/// Compares two editions with the rows of a publisher's `table`, on a thread for long work. `most`: units of
/// an edition.
///
/// # Errors
/// Names the limit that is exceeded, or what cannot be read.
pub async fn make(
    [older, newer]: [&EditionHandle; 2],
    table: Vec<Correspondence>,
    language: &Lang,
    most: usize,
) -> Result<FoundComparison, ComparisonError> {
    let [a, b] = [older, newer].map(|edition| &edition.entry().summary.urn);
    tracing::debug!(older = %a, newer = %b, %language, "two editions are compared");
    let compare = move |[older, newer]: [&Units; 2], _: [&[u32]; 2]| {
        compare_with_table(older, newer, &stated(&table, [older, newer]))
    };
    compared_by([older, newer], language, most, compare).await
}

/// Finds what changed between two editions in given pairs of provisions: those with these ordinals, from the
/// lineages of their document.
///
/// # Errors
/// Names what cannot be read.
pub async fn follow(
    editions: [&EditionHandle; 2],
    pairs: Vec<(u32, u32)>,
    language: &Lang,
) -> Result<FoundComparison, ComparisonError> {
    let compare = move |[older, newer]: [&Units; 2], [a, b]: [&[u32]; 2]| {
        let pair = |(x, y): &(u32, u32)| Some((a.binary_search(x).ok()?, b.binary_search(y).ok()?));
        compare_pairs(older, newer, &pairs.iter().filter_map(pair).collect::<Vec<_>>())
    };
    compared_by(editions, language, usize::MAX, compare).await
}

/// Compares the units of two editions with `compare`, which also gets the ordinals.
async fn compared_by(
    [older, newer]: [&EditionHandle; 2],
    language: &Lang,
    most: usize,
    compare: impl FnOnce([&Units; 2], [&[u32]; 2]) -> Comparison + Send + 'static,
) -> Result<FoundComparison, ComparisonError> {
    // Rules of two versions would invent changes. An edition that waits for a rebuild is still that of the
    // version that derived it.
    let version =
        |edition: &EditionHandle| derived_by(&edition.entry().deriver).parse::<u32>().unwrap_or_default();
    match version(older).cmp(&version(newer)) {
        Ordering::Less => return Err(other_version(older)),
        Ordering::Equal => {}
        Ordering::Greater => return Err(other_version(newer)),
    }
    let read = async |edition| StoredUnits::read(edition).await?.ok_or_else(|| other_version(edition));
    let stored = [(older, read(older).await?), (newer, read(newer).await?)];
    let [a, b] = stored.map(|(edition, units)| (edition.entry().summary.urn.clone(), units));
    let language = language.clone();
    let compared = spawn_blocking(move || {
        let (older, older_ordinals) = units_in(a, &language, most)?;
        let (newer, newer_ordinals) = units_in(b, &language, most)?;
        let compared = compare([&older, &newer], [&older_ordinals, &newer_ordinals]);
        let record = ComparisonRecord::new(&older, &newer, &compared);
        Ok(FoundComparison { record, ordinals: [older_ordinals, newer_ordinals] })
    });
    compared.await.map_err(|_| failed([older, newer]))?
}

/// The units of an edition in a language, with their ordinals in the whole edition.
fn units_in(
    (urn, stored): (Urn, StoredUnits),
    language: &Lang,
    most: usize,
) -> Result<(Units, Vec<u32>), ComparisonError> {
    let Some(whole) = stored.parse()? else { return Err(ComparisonError::OtherVersion { urn }) };
    let units = whole.in_language(language);
    let found = units.units.len();
    if found > most {
        return Err(ComparisonError::TooManyUnits { urn, language: language.clone(), found, limit: most });
    }
    let mut all = (0..).zip(&whole.units);
    let ordinal = |own: &ComparisonUnit| all.find(|(_, unit)| unit.id == own.id).map(|(ordinal, _)| ordinal);
    let mut ordinals: Vec<u32> = units.units.iter().filter_map(ordinal).collect();
    ordinals.shrink_to_fit();
    Ok((units, ordinals))
}

/// Upper bound in bytes of the memory for comparing two editions with this number of provisions: their units,
/// the matcher's work and the result.
pub fn memory(editions: [&Entry; 2], provisions: usize) -> u64 {
    stored_bytes(editions)
        .saturating_mul(MADE)
        .saturating_add((provisions as u64).saturating_mul(MADE_OF_PROVISION))
}

/// Upper bound in bytes of the memory for the sections and tables of a first page: as values, as JSON and in
/// gzip.
pub fn memory_of_parts(editions: [&Entry; 2]) -> u64 {
    bytes_of(editions, &[PackPart::Sections, PackPart::Tables]).saturating_mul(MADE)
}

/// Bytes that the units of editions take before compression.
fn stored_bytes(editions: [&Entry; 2]) -> u64 {
    bytes_of(editions, &PARTS_OF_UNITS)
}

/// Bytes that some parts of editions take before compression.
fn bytes_of(editions: [&Entry; 2], parts: &[PackPart]) -> u64 {
    let bytes = |entry: &Entry| {
        let directory = PackDirectory::parse(&entry.directory)?;
        Some(parts.iter().map(|&part| directory.part(part).size).sum::<u64>())
    };
    editions.into_iter().filter_map(bytes).sum()
}

/// Most bytes of memory for each byte of stored units while two editions are compared.
const MADE: u64 = 3;

/// Most bytes of memory for each provision meanwhile, whatever its length.
const MADE_OF_PROVISION: u64 = 768;

/// The error where a comparison ended early.
fn failed(editions: [&EditionHandle; 2]) -> ComparisonError {
    let [older, newer] = editions.map(|edition| edition.entry().summary.urn.clone());
    ComparisonError::Failed { older, newer }
}

/// The rows of a publisher's table for provisions that the editions have now, in the language of the units.
fn stated(table: &[Correspondence], [older, newer]: [&Units; 2]) -> Vec<norma_compare::Correspondence> {
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
