//! Context of provisions and sections: what decides what they say and is not a part of their words.

use crate::Reference;

/// The contexts of an edition, which comparisons read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditionContexts {
    /// One for each provision, in their order; empty where they were not read.
    pub provisions: Vec<ProvisionSurroundings>,
    /// One for each section, in their order; empty where they were not read.
    pub sections: Vec<SectionOwnText>,
}

/// What is around a provision and belongs to what it requires. Hashes are those of a text without white
/// space, marks of footnotes and final punctuation, in which a reference is what it refers to: a text has the
/// same hash after its references were numbered again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProvisionSurroundings {
    /// Hashes of the footnotes whose marks are in the provision, its cell, its lead-in, or a sentence that
    /// limits it, in order.
    pub footnotes: Box<[u64]>,
    /// The sentences directly after it, in the same paragraph or item, that limit it: “This does not apply in
    /// winter.” For an item also those after its list.
    pub limits: Box<[LimitingSentence]>,
    /// Hashes of the sentences with which a word such as “otherwise” joins it, the nearest first, of a
    /// sentence that introduces its list without being completed by it, and of the list, table or code that
    /// it runs into.
    pub neighbours: Box<[u64]>,
    /// What its lead-in, its footnotes and the limiting sentences refer to in this edition, in order.
    pub references: Box<[Reference]>,
    /// Indices of the terms that its lead-in and the limiting sentences use.
    pub terms: Box<[usize]>,
}

/// A sentence that limits the provision before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitingSentence {
    /// The sentence as it reads, white space collapsed.
    pub text: Box<str>,
    /// Hash of the words, which is the same for sentences that say the same.
    pub hash: u64,
}

/// What a section says besides its provisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SectionOwnText {
    /// Hash of its own text without provisions, titles, notes, examples and tables; 0 for no text. `None`
    /// where it was not read, since nothing refers to the section.
    pub hash: Option<u64>,
    /// What that text refers to in this edition, in order.
    pub references: Box<[Reference]>,
}
