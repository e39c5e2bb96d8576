//! Document layer: sections and their kinds, parts by id, citations, markup and language of sections.

pub(crate) mod citation;
pub(crate) mod designation;
pub(crate) mod extent;
pub(crate) mod graphics;
pub(crate) mod index;
pub(crate) mod language;
pub(crate) mod markup;
pub(crate) mod relations;
pub(crate) mod section_kind;
pub(crate) mod structure;
pub(crate) mod tables;
