//! The amended standard of the labels, and the comparison with them.

pub(crate) mod base;
pub(crate) mod labels;
