//! How words of the model are written in columns.

use norma_model::{Asset, Digest, ProvisionId, RelationKind, StandardType, Status, SupplementKind, Urn};
use serde::{Deserialize, Serialize};

use crate::entry::{Encoding, View};
use crate::{Error, Result};

pub(crate) fn status(status: Status) -> i64 {
    match status {
        Status::Draft => 0,
        Status::Published => 1,
        Status::Superseded => 2,
        Status::Withdrawn => 3,
    }
}

pub(crate) fn read_status(code: i64) -> Result<Status> {
    match code {
        0 => Ok(Status::Draft),
        1 => Ok(Status::Published),
        2 => Ok(Status::Superseded),
        3 => Ok(Status::Withdrawn),
        _ => Err(Error::corrupt(format!("{code} is no status"))),
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
    found.ok_or_else(|| Error::corrupt(format!("`{code}` is no kind of document")))
}

pub(crate) fn read_supplement(code: &str) -> Result<SupplementKind> {
    SupplementKind::from_code(code)
        .ok_or_else(|| Error::corrupt(format!("`{code}` is no kind of supplement")))
}

pub(crate) fn relation(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Replaces => "replaces",
        RelationKind::Amends => "amends",
        RelationKind::Adopts => "adopts",
        RelationKind::NormativeReference => "normative",
        RelationKind::InformativeReference => "informative",
        RelationKind::Related => "related",
    }
}

pub(crate) fn read_urn(text: &str) -> Result<Urn> {
    text.parse().map_err(|e| Error::corrupt(format!("`{text}` is no URN: {e}")))
}

#[derive(Serialize, Deserialize)]
struct PackedView(String, Encoding, [u8; 32], u64);

pub(crate) fn pack_views(views: &[View]) -> Vec<u8> {
    let packed: Vec<PackedView> =
        views.iter().map(|v| PackedView(v.name.clone(), v.encoding, *v.digest.as_bytes(), v.size)).collect();
    postcard::to_stdvec(&packed).expect("texts and numbers can always be written")
}

pub(crate) fn unpack_views(bytes: &[u8]) -> Result<Vec<View>> {
    let packed: Vec<PackedView> = postcard::from_bytes(bytes).map_err(Error::corrupt)?;
    let view = |PackedView(name, encoding, digest, size)| View {
        name,
        encoding,
        digest: Digest::from_bytes(digest),
        size,
    };
    Ok(packed.into_iter().map(view).collect())
}

#[derive(Serialize, Deserialize)]
struct PackedAsset([u8; 32], String, u64, Option<(u32, u32)>);

pub(crate) fn pack_assets<'a>(assets: impl Iterator<Item = &'a Asset>) -> Vec<u8> {
    let packed: Vec<PackedAsset> = assets
        .map(|a| PackedAsset(*a.digest.as_bytes(), a.media_type.clone(), a.size, a.dimensions))
        .collect();
    postcard::to_stdvec(&packed).expect("texts and numbers can always be written")
}

pub(crate) fn unpack_assets(bytes: &[u8]) -> Result<Vec<Asset>> {
    let packed: Vec<PackedAsset> = postcard::from_bytes(bytes).map_err(Error::corrupt)?;
    let asset = |PackedAsset(digest, media_type, size, dimensions)| Asset {
        digest: Digest::from_bytes(digest),
        media_type,
        size,
        dimensions,
    };
    Ok(packed.into_iter().map(asset).collect())
}

pub(crate) fn pack_provisions(ids: &[ProvisionId]) -> Vec<u8> {
    ids.iter().flat_map(|id| *id.as_bytes()).collect()
}

pub(crate) fn unpack_provisions(bytes: &[u8]) -> Vec<ProvisionId> {
    let id = |chunk: &[u8]| ProvisionId::from_bytes(std::array::from_fn(|i| chunk[i]));
    bytes.chunks_exact(16).map(id).collect()
}
