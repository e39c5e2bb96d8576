//! Pages, one file each.

mod about;
pub(crate) mod check;
mod citation;
pub(crate) mod compare;
mod contents;
pub(crate) mod download;
pub(crate) mod figure;
mod heading;
mod history;
pub(crate) mod home;
pub(crate) mod ingest;
mod languages;
pub(crate) mod provision;
pub(crate) mod relations;
pub(crate) mod search;
pub(crate) mod standard;
