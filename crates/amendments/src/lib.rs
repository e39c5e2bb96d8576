//! Instructions of amendments and corrigenda: their words, and the part of the amended edition that each
//! changes.
//!
//! [`read()`] knows the amendment alone; [`AmendedEdition::resolve`] compares what an instruction says with
//! the amended edition. A part is resolved only where all that the instruction says of it is so: the
//! paragraph is there, the quoted words are in it, the title is that of the clause.

mod edition;
mod heading;
mod instruction_words;
mod is_instruction;
mod mentions;
mod read;
mod resolve;
mod scope;
mod segment;
mod text_words;
mod tokenizer;

pub use edition::{
    AmendedBlock, AmendedCell, AmendedEdition, AmendedFigure, AmendedSection, AmendedTable, AmendedTerm,
};
pub use heading::{AmendmentHeading, has_labels_of_its_own};
pub use instruction_words::section_in_any_language;
pub use is_instruction::is_instruction;
pub use read::{StatedChange, read};
pub use resolve::{ResolvedInstruction, TouchedParts, UnresolvedReason};
