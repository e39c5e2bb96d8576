//! Document: its sections and their kinds, its parts by id, what it cites, and the markup and language of its sections.

pub(crate) mod citation;
pub(crate) mod graphics;
pub(crate) mod index;
pub(crate) mod language;
pub(crate) mod markup;
pub(crate) mod relations;
pub(crate) mod section_kind;
pub(crate) mod structure;
