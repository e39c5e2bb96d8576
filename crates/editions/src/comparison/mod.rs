//! Comparisons of stored editions: read from the store, or made from the units in both packs. Those of
//! neighbours in their document are stored when lineages are updated, and no others.

mod earlier_texts;
mod stored_form;

use std::cmp::Ordering;
use std::collections::HashMap;

use norma_compare::{
    AuthoredRelation, Comparison, ComparisonRecord, Units, VERSION, compare_pairs, compare_with_table,
};
use norma_model::{Lang, ProvisionId, Urn};
use norma_render::{PARTS_OF_UNITS, PackDirectory, PackPart};
use norma_store::{Correspondence, EditionHandle, Entry, derived_by};
use tokio::task::spawn_blocking;

pub use self::earlier_texts::{EarlierTexts, UnitText};
use crate::earlier::EarlierUnits;
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
        /// URN of the edition that is too large.
        urn: Urn,
        /// The language that is compared.
        language: Lang,
        /// Number of its provisions.
        found: usize,
        /// Most provisions of an edition in a comparison.
        limit: usize,
    },
    /// The result is too large.
    #[error(
        "the comparison of {older} with {newer} has {found} bytes, expected at most {limit} (`max-comparison-size`)"
    )]
    TooLarge {
        /// URN of the edition that comes first in the order of the document.
        older: Urn,
        /// URN of the edition that comes later.
        newer: Urn,
        /// Bytes of the record before compression.
        found: u64,
        /// Most bytes of a record.
        limit: u64,
    },
    /// Another version of Norma stored an edition.
    #[error(
        "what comparisons read of {urn} was stored by another version of Norma; run `norma rebuild {urn}`"
    )]
    OtherVersion {
        /// URN of the edition that must be rebuilt.
        urn: Urn,
    },
    /// The comparison ended early: a defect of the matcher.
    #[error("the comparison of {older} with {newer} ended early; report it with both documents")]
    Failed {
        /// URN of the edition that comes first in the order of the document.
        older: Urn,
        /// URN of the edition that comes later.
        newer: Urn,
    },
}

/// A comparison that was read or made.
pub struct FoundComparison {
    /// The record of the comparison.
    pub record: ComparisonRecord,
    /// The ordinals, in their whole edition, of the units of the older and of the newer edition.
    pub ordinals: [Vec<u32>; 2],
    /// The texts of the units of an edition in an earlier revision. One in the present revision has them in
    /// its pack.
    pub texts: [Option<EarlierTexts>; 2],
}

/// An edition in its present revision, or in the earlier one with this number.
#[derive(Clone)]
pub struct ComparedState {
    /// The edition, in whatever revision the store has it.
    pub edition: EditionHandle,
    /// The number of the earlier revision.
    pub earlier: Option<i64>,
}

impl From<&EditionHandle> for ComparedState {
    fn from(edition: &EditionHandle) -> Self {
        Self { edition: edition.clone(), earlier: None }
    }
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
    compared_by([older.into(), newer.into()], language, most, compare).await
}

/// Compares states of editions, of which at least one is an earlier revision, without a limit of provisions.
/// Both may be of one edition. `table` has rows for provisions of the two editions, in whatever revision.
///
/// # Errors
/// As of [`make`].
pub async fn make_of_states(
    states: [ComparedState; 2],
    table: Vec<Correspondence>,
    language: &Lang,
) -> Result<FoundComparison, ComparisonError> {
    let compare = move |[older, newer]: [&Units; 2], _: [&[u32]; 2]| {
        compare_with_table(older, newer, &stated(&table, [older, newer]))
    };
    compared_by(states, language, usize::MAX, compare).await
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
    let compare = move |[older, newer]: [&Units; 2], [older_ordinals, newer_ordinals]: [&[u32]; 2]| {
        let mut indices = Vec::with_capacity(pairs.len());
        for (older, newer) in &pairs {
            // A pair in another language is in neither list.
            if let (Ok(older), Ok(newer)) =
                (older_ordinals.binary_search(older), newer_ordinals.binary_search(newer))
            {
                indices.push((older, newer));
            }
        }
        compare_pairs(older, newer, &indices)
    };
    compared_by(editions.map(Into::into), language, usize::MAX, compare).await
}

/// The units of an edition in one of its revisions, as they are stored.
enum RevisionUnits {
    Present(StoredUnits),
    Earlier(EarlierUnits),
}

impl RevisionUnits {
    async fn read(state: &ComparedState) -> Result<Self, ComparisonError> {
        let found = match state.earlier {
            None => StoredUnits::read(&state.edition).await?.map(Self::Present),
            Some(number) => EarlierUnits::read(&state.edition, number).await?.map(Self::Earlier),
        };
        found.ok_or_else(|| other_version(&state.edition))
    }

    fn parse(self) -> Result<Option<Units>, norma_store::StoreError> {
        match self {
            Self::Present(units) => units.parse(),
            Self::Earlier(units) => units.parse(),
        }
    }
}

/// Compares the units of two editions with `compare`, which also gets the ordinals.
async fn compared_by(
    states: [ComparedState; 2],
    language: &Lang,
    most: usize,
    compare: impl FnOnce([&Units; 2], [&[u32]; 2]) -> Comparison + Send + 'static,
) -> Result<FoundComparison, ComparisonError> {
    let [older, newer] = [&states[0].edition, &states[1].edition];
    // Rules of two versions would invent changes. The edition of the older rules waits for a rebuild.
    match deriver_version(older).cmp(&deriver_version(newer)) {
        Ordering::Less => return Err(other_version(older)),
        Ordering::Equal => {}
        Ordering::Greater => return Err(other_version(newer)),
    }
    let are_earlier = states.each_ref().map(|state| state.earlier.is_some());
    let stored_older = RevisionUnits::read(&states[0]).await?;
    let stored_newer = RevisionUnits::read(&states[1]).await?;
    let [older_urn, newer_urn] = [older, newer].map(|edition| edition.entry().summary.urn.clone());
    let language = language.clone();
    let compared = spawn_blocking(move || {
        let (older, older_ordinals) = units_in(older_urn, stored_older, &language, most)?;
        let (newer, newer_ordinals) = units_in(newer_urn, stored_newer, &language, most)?;
        let compared = compare([&older, &newer], [&older_ordinals, &newer_ordinals]);
        let record = ComparisonRecord::new(&older, &newer, &compared);
        let texts = [
            are_earlier[0].then(|| EarlierTexts::from(&older)),
            are_earlier[1].then(|| EarlierTexts::from(&newer)),
        ];
        Ok(FoundComparison { record, ordinals: [older_ordinals, newer_ordinals], texts })
    });
    compared.await.map_err(|_| failed([older, newer]))?
}

/// The version of the rules that derived an edition. A mark that it waits for a rebuild does not count.
fn deriver_version(edition: &EditionHandle) -> u32 {
    derived_by(&edition.entry().deriver).parse().unwrap_or_default()
}

/// The units of an edition in a language, with their ordinals in the whole edition.
fn units_in(
    urn: Urn,
    stored: RevisionUnits,
    language: &Lang,
    most: usize,
) -> Result<(Units, Vec<u32>), ComparisonError> {
    let Some(whole) = stored.parse()? else { return Err(ComparisonError::OtherVersion { urn }) };
    let units = whole.in_language(language);
    let found = units.units.len();
    if found > most {
        return Err(ComparisonError::TooManyUnits { urn, language: language.clone(), found, limit: most });
    }
    // The units of a language are in the order of the whole edition.
    let mut ordinals = Vec::with_capacity(found);
    let mut wanted = units.units.iter();
    let mut next = wanted.next();
    for (ordinal, unit) in (0..).zip(&whole.units) {
        let Some(own) = next else { break };
        if unit.id == own.id {
            ordinals.push(ordinal);
            next = wanted.next();
        }
    }
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
    let mut bytes = 0;
    for entry in editions {
        // The pack of another version of Norma is not read.
        if let Some(directory) = PackDirectory::parse(&entry.directory) {
            bytes += parts.iter().map(|&part| directory.part(part).size).sum::<u64>();
        }
    }
    bytes
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
    if table.is_empty() {
        return Vec::new();
    }
    let (older, newer) = (UnitIndices::new(older), UnitIndices::new(newer));
    let mut stated = Vec::new();
    for row in table {
        let relation = AuthoredRelation::from_word(&row.relation);
        if let (Some(relation), Some(older), Some(newer)) =
            (relation, older.side(row.older_id), newer.side(row.newer_id))
        {
            stated.push(norma_compare::Correspondence { older, newer, relation });
        }
    }
    stated
}

/// The index of each unit, by its id.
struct UnitIndices<'u>(HashMap<&'u str, usize>);

impl<'u> UnitIndices<'u> {
    fn new(units: &'u Units) -> Self {
        let mut indices = HashMap::with_capacity(units.units.len());
        for (index, unit) in units.units.iter().enumerate() {
            indices.insert(&*unit.id, index);
        }
        Self(indices)
    }

    /// One side of a row, which may name no provision; `None` where these units do not have the provision.
    fn side(&self, id: Option<ProvisionId>) -> Option<Option<usize>> {
        let Some(id) = id else { return Some(None) };
        let index = self.0.get(id.to_string().as_str())?;
        Some(Some(*index))
    }
}

#[cfg(test)]
mod tests;
