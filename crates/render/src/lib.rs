//! Rendering: from an edition to its stored bytes, and from these to the bytes that are sent.
//!
//! [`render`] makes the [`Pack`] of an edition: all stored representations, compressed, one after the other.
//! What is sent is the stored bytes of a part ([`PackDirectory::part`]), or made of them: whole views by an
//! [`Assembly`], which carries out a [`Plan`], fragments by a [`Segment`]. HTTP, SQL and the store are
//! absent: these say which bytes of the pack they need, and their caller gets them.

mod graph;
mod gzip;
mod index;
mod instructions;
mod json;
mod pack;
mod plan;
mod read;
mod segment;
mod text_pieces;
mod units;
mod views;

pub use graph::vocabulary;
pub use gzip::{Compression, Damaged, MIN_COMPRESSED};
pub use index::{Offsets, PackIndex, Picture};
pub use instructions::{AmendedParts, PARTS_OF_AMENDED, StoredInstruction, amended_edition, instructions};
pub use json::unescape;
pub use pack::{Pack, PackDirectory, PackPart, Stored};
pub use plan::Plan;
pub use read::{Assembly, ReadStep};
pub use segment::Segment;
pub use units::{PARTS_OF_UNITS, units, units_of_provisions, without_positions};
pub use views::render;

/// The version of rendering, which changes whenever an edition is rendered as other bytes.
pub const VERSION: u32 = 14;
