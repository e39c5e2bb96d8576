//! Document layer: sections and their kinds, parts by id, citations, markup and language of sections.

pub(crate) mod citation;
pub(crate) mod designation;
pub(crate) mod extent;
pub(crate) mod graphics;
pub(crate) mod index;
pub(crate) mod instructions;
pub(crate) mod language;
pub(crate) mod markup;
mod numbered;
mod printed_number;
pub(crate) mod relations;
pub(crate) mod section_kind;
mod section_title;
pub(crate) mod structure;
pub(crate) mod structure_diagnostics;
mod table_grid;
mod table_heads;
pub(crate) mod tables;
pub(crate) mod text_blocks;
pub(crate) mod text_languages;
