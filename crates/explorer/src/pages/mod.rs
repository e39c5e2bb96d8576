//! Pages, one file each.

pub(crate) mod compare;
pub(crate) mod download;
pub(crate) mod figure;
pub(crate) mod home;
pub(crate) mod ingest;
pub(crate) mod provision;
pub(crate) mod relations;
pub(crate) mod search;
pub(crate) mod standard;
