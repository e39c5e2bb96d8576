//! Retention of the revision that an ingest replaces.

use bytes::Bytes;
use norma_model::{Digest, Urn};
use norma_render::{PARTS_OF_UNITS, PackIndex, PackPart};
use norma_store::{
    EditionHandle, ReplacedRevision, ReplacedSource, RetainedRevision, RetainedUnits, RevisionLimits, Store,
    StoreError, derived_by,
};
use sha2::{Digest as _, Sha256};

use super::difference;
use crate::pack::{self, StoredUnits};

/// The identity bytes of [`PARTS_OF_UNITS`].
pub type UnitParts = [Bytes; PARTS_OF_UNITS.len()];

/// The revision that replaces another one.
pub struct NewRevision<'a> {
    /// URN of the edition.
    pub urn: &'a Urn,
    /// Name of the new revision.
    pub revision: &'a str,
    /// Version of the program that derived it.
    pub deriver: &'a str,
    /// Bytes of the new source.
    pub source: &'a [u8],
    /// Digest of the file of each graphic, if there is one.
    pub pictures: &'a [Option<[u8; 32]>],
    /// What comparisons read of it.
    pub units: &'a UnitParts,
}

/// The revision as it is stored that a new one replaces.
struct StoredRevision {
    source: Bytes,
    pictures: Vec<Option<[u8; 32]>>,
    /// `None` where they cannot be read.
    units: Option<Bytes>,
}

/// A source that is derived again: the same edition by the present rules.
type Derive<'a> = &'a dyn Fn(&[u8], &[Option<[u8; 32]>]) -> Result<UnitParts, String>;

/// What is retained of the stored revision of the edition `stored_urn` when a new one replaces it; `None`
/// where there is no such edition. `derive` gives what comparisons read of a source, with the digests of its
/// pictures, or the reason why there is none.
///
/// # Errors
/// Those of the store, except damages: what is damaged is not retained.
pub async fn replaced(
    store: &Store,
    stored_urn: &Urn,
    new: NewRevision<'_>,
    limits: RevisionLimits,
    derive: Derive<'_>,
) -> Result<Option<ReplacedRevision>, StoreError> {
    let Some(entry) = undamaged(store.entry(stored_urn).await)?.flatten() else { return Ok(None) };
    let handle = store.handle(&entry);
    let mut replaced = ReplacedRevision {
        revision: entry.revision.clone(),
        retained: ReplacedSource::Lost,
        derived_again: Vec::new(),
        limits,
    };
    let Some(stored) = stored_revision(&handle).await? else { return Ok(Some(replaced)) };
    let Some(mut earlier) = undamaged(handle.retained_revisions(0).await)? else { return Ok(Some(replaced)) };
    let is_same = stored.source == new.source && stored.pictures == new.pictures;
    let new_units: Bytes = join(new.units).into();
    let is_derived_alike = derived_by(&entry.deriver) == new.deriver && *stored_urn == *new.urn;
    let stored_units = stored.units.as_ref().filter(|_| is_derived_alike);
    // Beyond the limit, nothing is derived: it is removed when the new revision is published.
    earlier.truncate(limits.count);
    if is_same {
        replaced.retained = ReplacedSource::Same;
        if stored_units != Some(&new_units) {
            replaced.derived_again = derive_again(&new_units, &stored.source, earlier, &new, derive);
        }
        return Ok(Some(replaced));
    }
    if limits.count == 0 {
        return Ok(Some(replaced));
    }
    let (units, base) = match stored_units {
        Some(units) => (retained_units(&new_units, units, new.deriver), units.clone()),
        None => derived(&new_units, &stored.source, &stored.pictures, new.deriver, derive),
    };
    if stored_units.is_none() {
        replaced.derived_again = derive_again(&base, &stored.source, earlier, &new, derive);
    }
    replaced.retained = ReplacedSource::Retained(Box::new(RetainedRevision {
        number: 0,
        source: Digest::from_bytes(Sha256::digest(&stored.source).into()),
        source_size: stored.source.len() as u64,
        pictures: joined_digests(&stored.pictures),
        difference: difference::encode(new.source, &stored.source),
        units,
    }));
    Ok(Some(replaced))
}

/// The source that the present one replaced, where it is retained and undamaged. `present` are the bytes of
/// the present source.
///
/// # Errors
/// Those of the store, except damages.
pub async fn replaced_source(edition: &EditionHandle, present: &[u8]) -> Result<Option<Bytes>, StoreError> {
    let earlier = undamaged(edition.retained_revisions(0).await)?.unwrap_or_default();
    let Some(newest) = earlier.first() else { return Ok(None) };
    Ok(difference::decode(present, &newest.difference, newest.source_size))
}

/// The units of retained revisions, the newest of which is a difference from `source`, by the present rules.
/// `base` are the units of the revision that follows them.
fn derive_again(
    base: &Bytes,
    source: &Bytes,
    earlier: Vec<RetainedRevision>,
    new: &NewRevision<'_>,
    derive: Derive<'_>,
) -> Vec<(i64, RetainedUnits)> {
    let (mut base, mut source) = (base.clone(), Some(source.clone()));
    let mut again = Vec::with_capacity(earlier.len());
    for one in earlier {
        source = source.and_then(|source| difference::decode(&source, &one.difference, one.source_size));
        let units = match &source {
            Some(source) => {
                let (units, own) = derived(&base, source, &digests(&one.pictures), new.deriver, derive);
                base = own;
                units
            }
            None => without_units(new.deriver, "its stored source is damaged".to_owned()),
        };
        again.push((one.number, units));
    }
    again
}

/// The units of a source by the present rules, as a difference from `base`; and the units from which those of
/// the revision before are a difference.
fn derived(
    base: &Bytes,
    source: &[u8],
    pictures: &[Option<[u8; 32]>],
    deriver: &str,
    derive: Derive<'_>,
) -> (RetainedUnits, Bytes) {
    match derive(source, pictures) {
        Ok(parts) => {
            let own: Bytes = join(&parts).into();
            (retained_units(base, &own, deriver), own)
        }
        Err(reason) => (without_units(deriver, reason), base.clone()),
    }
}

fn retained_units(base: &[u8], own: &[u8], deriver: &str) -> RetainedUnits {
    RetainedUnits {
        deriver: deriver.to_owned(),
        size: own.len() as u64,
        difference: difference::encode(base, own),
        reason: String::new(),
    }
}

fn without_units(deriver: &str, reason: String) -> RetainedUnits {
    RetainedUnits { deriver: deriver.to_owned(), size: 0, difference: Bytes::new(), reason }
}

/// The stored revision; `None` where its source or its pictures cannot be read.
async fn stored_revision(handle: &EditionHandle) -> Result<Option<StoredRevision>, StoreError> {
    let Some(source) = undamaged(pack::part(handle, PackPart::Source).await)?.flatten() else {
        return Ok(None);
    };
    if Digest::from_bytes(Sha256::digest(&source).into()) != handle.entry().source {
        return Ok(None);
    }
    let Some(index) = undamaged(pack::part(handle, PackPart::Index).await)?.flatten() else {
        return Ok(None);
    };
    let Some(index) = PackIndex::from_bytes(&index) else { return Ok(None) };
    let stored = undamaged(StoredUnits::read(handle).await)?.flatten();
    let parts = match stored {
        Some(stored) => undamaged(stored.identity())?,
        None => None,
    };
    let pictures = index.pictures.into_iter().map(|picture| picture.digest).collect();
    Ok(Some(StoredRevision { source, pictures, units: parts.map(|parts| join(&parts).into()) }))
}

/// The value; `None` where the store is damaged.
fn undamaged<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(StoreError::Corrupt(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The digests of pictures, one after the other.
fn joined_digests(pictures: &[Option<[u8; 32]>]) -> Bytes {
    pictures.iter().flat_map(|digest| digest.unwrap_or_default()).collect()
}

/// Reads what [`joined_digests`] writes.
fn digests(joined: &[u8]) -> Vec<Option<[u8; 32]>> {
    let mut digests = Vec::with_capacity(joined.len() / 32);
    for bytes in joined.chunks_exact(32) {
        let digest = <[u8; 32]>::try_from(bytes).unwrap_or_default();
        // Zeros are written for a picture that has no digest.
        digests.push(if digest == [0; 32] { None } else { Some(digest) });
    }
    digests
}

/// Parts without what comparisons do not read of them, each after its length.
pub(super) fn join(parts: &UnitParts) -> Vec<u8> {
    let parts = norma_render::without_positions(parts.clone());
    let mut joined = Vec::with_capacity(parts.iter().map(|part| 8 + part.len()).sum());
    for part in &parts {
        joined.extend_from_slice(&(part.len() as u64).to_le_bytes());
        joined.extend_from_slice(part);
    }
    joined
}

/// Reads what [`join`] writes.
pub(super) fn split(joined: &Bytes) -> Option<UnitParts> {
    let mut parts = UnitParts::default();
    let mut at = 0;
    for part in &mut parts {
        let start = at + 8;
        let length = u64::from_le_bytes(joined.get(at..start)?.try_into().ok()?);
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        joined.get(start..end)?;
        *part = joined.slice(start..end);
        at = end;
    }
    (at == joined.len()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_pictures_read_back_in_order_with_the_pictures_that_have_none() {
        let pictures = [Some([1; 32]), None, Some([2; 32])];
        assert_eq!(digests(&joined_digests(&pictures)), pictures);
        assert!(digests(&[]).is_empty());
    }

    #[test]
    fn parts_that_are_cut_or_have_more_behind_them_are_refused() {
        let mut parts = UnitParts::default();
        for part in &mut parts {
            *part = Bytes::from_static(b"{\"items\":[]}");
        }
        let joined = join(&parts);
        assert!(split(&joined.clone().into()).is_some());
        assert!(split(&Bytes::copy_from_slice(&joined[..joined.len() - 1])).is_none());
        assert!(split(&[joined, vec![0]].concat().into()).is_none());
    }
}
