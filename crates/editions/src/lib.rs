//! Stored editions: opening of the store, parts of packs, comparisons of editions, their earlier revisions,
//! and lineages with their refresh.

pub mod clock;
pub mod comparison;
pub mod earlier;
pub mod lineage;
pub mod pack;
pub mod search;
mod setting_rules;
pub mod stores;

pub use setting_rules::check_settings;
