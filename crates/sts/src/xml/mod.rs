//! XML: bytes to a tree of elements, whose places lead back to the source. It knows nothing of standards but the names of elements.

pub(crate) mod decode;
mod entities;
mod lookahead;
pub(crate) mod names;
pub(crate) mod position;
mod reader;
pub(crate) mod repair;
pub(crate) mod tree;
