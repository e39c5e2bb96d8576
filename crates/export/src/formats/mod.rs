//! The formats of tools for requirements, one file for each.

pub(crate) mod ciso;
pub(crate) mod doorstop;
pub(crate) mod mapping_oscal;
pub(crate) mod mapping_reqif;
pub(crate) mod needs;
pub(crate) mod oscal;
pub(crate) mod package;
pub(crate) mod reqif;
mod reqif_parts;
