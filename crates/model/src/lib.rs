//! Domain model of standards: editions, sections, provisions, terms, URNs and selections, used by most other
//! crates.
//!
//! The crate has no XML, HTTP, SQL, IO or async code. Its types check their values when they are built.
//!
//! # Glossary
//! - **Standard**: a document of a standards body, known by its number (`ISO 17301-1`).
//! - **Edition** ([`Edition`]): one published state of a standard in one language (or several bound in one
//!   text). It never changes; it is what a URN names and what is ingested.
//! - **URN** ([`Urn`]): the name of an edition; a [`PartialUrn`] may omit edition and language.
//! - **Section** ([`Section`]): foreword, clause, annex, term entry, bibliography…: an element of the
//!   hierarchy.
//! - **Provision** ([`Provision`]): a sentence or list item that conveys a requirement, recommendation,
//!   permission, capability or external constraint (ISO/IEC Directives, Part 2).
//! - **Term** ([`Term`]): a concept with its designations and definitions (ISO 10241-1, ISO 30042).
//! - **Graphic** ([`Graphic`]): a picture that the text refers to; its file is an **asset** ([`Asset`]).
//! - **Relation** ([`Relation`]): a relation of an edition to another document: replaces, amends, cites.
//! - **Selection** ([`Selection`]): a caller's choice of provisions by clause, table, term or id;
//!   it is resolved on the [`Outline`] of an edition.

pub mod asset;
pub mod context;
pub mod date;
pub mod edition;
pub mod formula;
pub mod graphic;
pub mod id;
pub mod instruction;
pub mod label;
pub mod lang;
pub mod lineage;
pub mod metadata;
pub mod outline;
pub mod printed;
pub mod provision;
pub mod relation;
pub mod section;
pub mod selection;
pub mod supplement;
pub mod table;
pub mod term;
pub mod text_block;
pub mod tokens;
pub mod typography;
pub mod urn;
pub mod whitespace;

pub use asset::{Asset, AssetSource, Digest};
pub use context::{EditionContexts, LimitingSentence, ProvisionSurroundings, SectionOwnText};
pub use date::PartialDate;
pub use edition::{Edition, EditionParts, Inconsistency, Interruption};
pub use formula::Formula;
pub use graphic::Graphic;
pub use id::{GraphicId, ProvisionId, SectionId, TableId, TermId};
pub use instruction::{
    Instruction, InstructionClause, InstructionOperation, InstructionPart, InstructionPartKind,
    InstructionPosition, InstructionTarget, KnownSection, WhichPart,
};
pub use lang::Lang;
pub use lineage::{LineageId, NeighbourLinks, Partition, PartitionEdition};
pub use metadata::{Adoption, Copyright, Ics, Metadata, StandardType, Status, Supplement, Title};
pub use outline::Outline;
pub use provision::{
    Alternative, Anchor, Comparator, Container, Origin, Passage, Provision, ProvisionKind, Quantity,
    Reference, ReferenceTarget, Slice,
};
pub use relation::{Relation, RelationKind};
pub use section::{Section, SectionKind};
pub use selection::{ResolvedSelection, Selection, SelectionError};
pub use supplement::SupplementKind;
pub use table::{Table, TableContent, UnitOrigin};
pub use term::{Definition, Designation, DesignationStatus, Term, TermText};
pub use text_block::{TextBlock, TextBlockKind};
pub use tokens::tokens;
pub use urn::{Citation, Identifier, PartialUrn, Urn, UrnError, UrnParts, UrnPattern};
