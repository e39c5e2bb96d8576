//! Column encoding of model types: codes, and packed lists.

use norma_model::{Asset, Digest, ProvisionId, RelationKind, StandardType, Status, SupplementKind, Urn};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::engine::{ResultRow, SqlValue};
use crate::{Result, StoreError};

/// The columns that a list shows and that only a publication changes; column `listed_checksum` covers them.
pub(crate) const LISTED_CHECKED: &str = "urn, reference, title, publisher, number, part, supplement_kind, supplement_number, \
     supplement_year, languages, kind, published_on, ics, revision";

/// The columns that each read of an edition uses; column `head_checksum` covers them. `pack` is the digest of
/// the pack.
pub(crate) const HEAD_CHECKED: &str = "urn, revision, source, source_size, pack, directory, assets";

/// The ids of an edition with its name; column `provisions_checksum` covers them.
pub(crate) const PROVISIONS_CHECKED: &str = "urn, provisions";

/// CRC-32C (RFC 9260, appendix A) of values, each after its length: it finds flipped bits, and values of
/// another row.
pub(crate) fn checksum<'a>(values: impl IntoIterator<Item = &'a SqlValue>) -> i64 {
    let mut sum = crc_fast::Digest::new(crc_fast::CrcAlgorithm::Crc32Iscsi);
    for value in values {
        let number;
        let bytes = match value {
            SqlValue::Int(Some(value)) => {
                number = value.to_le_bytes();
                &number[..]
            }
            SqlValue::Text(Some(text)) => text.as_bytes(),
            SqlValue::Bytes(Some(bytes)) => bytes,
            SqlValue::Int(None) | SqlValue::Text(None) | SqlValue::Bytes(None) => {
                // No value has this length.
                sum.update(&[0xff; 8]);
                continue;
            }
        };
        sum.update(&(bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    }
    i64::try_from(sum.finalize()).unwrap_or(i64::MAX)
}

/// Compares values with their stored checksum. `what` names them.
///
/// # Errors
/// [`StoreError::Corrupt`] where they are not what was stored.
pub(crate) fn expect_checksum<'a>(
    stored: i64,
    values: impl IntoIterator<Item = &'a SqlValue>,
    what: &dyn std::fmt::Display,
) -> Result<()> {
    if stored == checksum(values) {
        return Ok(());
    }
    Err(StoreError::corrupt(format!("{what} in the catalogue does not match its checksum")))
}

/// As [`expect_checksum`], of these columns of a row.
pub(crate) fn expect_row(
    row: &ResultRow,
    stored: &str,
    columns: &str,
    what: &dyn std::fmt::Display,
) -> Result<()> {
    let mut values = Vec::new();
    for column in columns.split(", ") {
        values.push(row.value(column)?);
    }
    expect_checksum(row.int(stored)?, values, what)
}

/// The ids of an edition, from a row with `urn`, `provisions` and `provisions_checksum`.
///
/// # Errors
/// [`StoreError::Corrupt`] where they are not what was stored.
pub(crate) fn read_provisions(row: &ResultRow) -> Result<Vec<ProvisionId>> {
    expect_row(row, "provisions_checksum", PROVISIONS_CHECKED, &EditionIds(row.text("urn")?))?;
    Ok(unpack_provisions(row.bytes("provisions")?))
}

/// The name of an edition's ids in a message, which is written only if there is one.
struct EditionIds<'a>(&'a str);

impl std::fmt::Display for EditionIds<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the list of the provisions of {}", self.0)
    }
}

/// Code of [`Status::Draft`] in the columns `stated` and `status`.
pub(crate) const DRAFT: i64 = 0;

/// Code of [`Status::Published`] in the columns `stated` and `status`.
pub(crate) const PUBLISHED: i64 = 1;

/// Code of [`Status::Superseded`] in the columns `stated` and `status`.
pub(crate) const SUPERSEDED: i64 = 2;

/// Code of [`Status::Withdrawn`] in the columns `stated` and `status`.
pub(crate) const WITHDRAWN: i64 = 3;

pub(crate) fn status(status: Status) -> i64 {
    match status {
        Status::Draft => DRAFT,
        Status::Published => PUBLISHED,
        Status::Superseded => SUPERSEDED,
        Status::Withdrawn => WITHDRAWN,
    }
}

pub(crate) fn read_status(code: i64) -> Result<Status> {
    match code {
        DRAFT => Ok(Status::Draft),
        PUBLISHED => Ok(Status::Published),
        SUPERSEDED => Ok(Status::Superseded),
        WITHDRAWN => Ok(Status::Withdrawn),
        _ => Err(StoreError::corrupt(format!("{code} is not a valid status"))),
    }
}

const KINDS: [(StandardType, &str); 9] = [
    (StandardType::Is, "is"),
    (StandardType::Ts, "ts"),
    (StandardType::Tr, "tr"),
    (StandardType::Pas, "pas"),
    (StandardType::Iwa, "iwa"),
    (StandardType::Guide, "guide"),
    (StandardType::Amendment, "amendment"),
    (StandardType::Corrigendum, "corrigendum"),
    (StandardType::Other, "other"),
];

pub(crate) fn kind(kind: StandardType) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("other", |(_, code)| code)
}

pub(crate) fn read_kind(code: &str) -> Result<StandardType> {
    let found = KINDS.iter().find(|(_, c)| *c == code).map(|(kind, _)| *kind);
    found.ok_or_else(|| StoreError::corrupt(format!("`{code}` is not a known kind of document")))
}

pub(crate) fn read_supplement(code: &str) -> Result<SupplementKind> {
    SupplementKind::from_code(code)
        .ok_or_else(|| StoreError::corrupt(format!("`{code}` is not a known kind of supplement")))
}

/// Code of [`RelationKind::Replaces`] in the column `kind` of citations.
pub(crate) const REPLACES: &str = "replaces";

/// Code of [`RelationKind::Amends`] in the column `kind` of citations.
pub(crate) const AMENDS: &str = "amends";

/// Code of [`RelationKind::Adopts`] in the column `kind` of citations.
pub(crate) const ADOPTS: &str = "adopts";

pub(crate) fn relation(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Replaces => REPLACES,
        RelationKind::Amends => AMENDS,
        RelationKind::Adopts => ADOPTS,
        RelationKind::NormativeReference => "normative",
        RelationKind::InformativeReference => "informative",
        RelationKind::Related => "related",
    }
}

pub(crate) fn read_urn(text: &str) -> Result<Urn> {
    text.parse().map_err(|e| StoreError::corrupt(format!("`{text}` is not a valid URN: {e}")))
}

/// Several values in one column.
pub(crate) fn packed(values: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(values).expect("texts and numbers can always be written")
}

pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(StoreError::corrupt)
}

#[derive(Serialize, Deserialize)]
struct PackedAsset([u8; 32], String, u64, Option<(u32, u32)>);

pub(crate) fn pack_assets<'a>(assets: impl Iterator<Item = &'a Asset>) -> Vec<u8> {
    let mut list = Vec::new();
    for Asset { digest, media_type, size, dimensions } in assets {
        list.push(PackedAsset(*digest.as_bytes(), media_type.clone(), *size, *dimensions));
    }
    packed(&list)
}

pub(crate) fn unpack_assets(bytes: &[u8]) -> Result<Vec<Asset>> {
    let mut assets = Vec::new();
    for PackedAsset(digest, media_type, size, dimensions) in unpacked::<Vec<PackedAsset>>(bytes)? {
        assets.push(Asset { digest: Digest::from_bytes(digest), media_type, size, dimensions });
    }
    Ok(assets)
}

pub(crate) fn pack_provisions(ids: &[ProvisionId]) -> Vec<u8> {
    ids.iter().flat_map(|id| *id.as_bytes()).collect()
}

/// Bytes of the id of a provision.
pub(crate) const PROVISION_BYTES: usize = 16;

pub(crate) fn unpack_provisions(bytes: &[u8]) -> Vec<ProvisionId> {
    let (ids, _) = bytes.as_chunks::<PROVISION_BYTES>();
    ids.iter().map(|id| ProvisionId::from_bytes(*id)).collect()
}
