//! XML layer: bytes to a tree of elements with positions in the source. Of standards it knows only the
//! element names.

pub(crate) mod changes;
pub(crate) mod decode;
mod doctype;
mod entities;
pub(crate) mod invisible;
mod lookahead;
pub(crate) mod names;
pub(crate) mod parse_error;
pub(crate) mod position;
pub(crate) mod reader;
pub(crate) mod repair;
mod struck_parts;
pub(crate) mod tree;
