//! Shapes of request and response bodies: one file per resource, the same types to write and to read.
//!
//! Every shape borrows from the edition it shows (`Cow`), so that rendering copies no text; a reader gets
//! owned values (`'static`). What is not known is absent, never null; arrays are always present, but
//! for those of the cells and columns of tables, which are absent where they are empty.

mod asset;
mod change_vocabulary;
mod changes;
mod citation;
mod citation_vocabulary;
mod comparison;
mod content;
mod graphic;
mod instruction;
mod instruction_vocabulary;
mod limits;
mod lineage;
mod macros;
mod metadata;
mod migration;
mod provision;
mod quotation;
mod quotation_vocabulary;
mod relation;
mod search;
mod section;
mod section_ref;
mod standard;
mod summary;
mod table;
mod term;
mod vocabulary;

pub use asset::{BodyError, ResolveAnswer, ResolveItem, ResolveRequest, ResolvedAsset, UnresolvedAsset};
pub use change_vocabulary::{RefreshScope, StandardChangeType, UpdateCause};
pub use changes::{ChangeList, StandardChange};
pub use citation::{
    CitationCandidate, CitationsAnswer, CitationsRequest, CitedEdition, CitedPart, LocationInLatest,
    ResolvedCitation,
};
pub use citation_vocabulary::{CitationOutcome, CitedPartType, LocationChange};
pub use comparison::{
    Bound, CellChange, Change, ComparedEdition, ComparedPart, ComparedProvision, ComparedText,
    ComparisonAnswer, ComparisonCandidate, ComparisonCounts, ComparisonSummary, ComparisonView, Dependency,
    DependencyCounts, Difference, Edit, FacetCounts, Facets, PartCounts, PartialChange, Polarity,
    ProvisionChange, ProvisionCounts, ReferenceChange, RowOrColumnChange, SectionChange, Strength,
    TableChange,
};
pub use content::{ContentSection, ContentView};
pub use graphic::{Graphic, GraphicsView};
pub use instruction::{Amendment, Instruction, InstructionBase, InstructionsView, instruction_id};
pub use instruction_vocabulary::{InstructionOperation, UnresolvedReason};
pub use limits::{Limits, RateLimit};
pub use lineage::{Lineage, RelatedProvision};
pub use macros::{UnknownValue, UnknownWord};
pub use metadata::{Adoption, Copyright, Ics, Metadata, Supplement, Title};
pub use migration::{MigrateAnswer, MigrateItem, MigrateRequest, MigrationSource};
pub use provision::{
    Alternative, Anchor, Passage, Provision, ProvisionInContext, ProvisionsView, Quantity, Reference,
    SectionContext, SelectionHead, SelectionReport, SelectionView, Slice,
};
pub use quotation::{
    EditionWithQuotation, QuotationChange, QuotationOmission, QuotationsAnswer, QuotationsRequest,
    SentQuotation, VerifiedQuotation, VerifiedUnit,
};
pub use quotation_vocabulary::{CriticalChangeType, CriticalOmissionType, UnverifiedCause, VerdictType};
pub use relation::Relation;
pub use search::{
    AlsoIn, AskedWord, FoundAbove, HintedSearch, SearchAnswer, SearchFacets, SearchHints, SearchHit,
    SearchProgress, SearchedStandard, ValueCount,
};
pub use section::{NormativeStatus, Section, SectionCounts, SectionHead, SectionNode, SectionsView};
pub use section_ref::SectionRef;
pub use standard::{
    BibliographicData, CatalogueMembers, MetadataView, RelatedEdition, Standard, ViewHead, open_list,
};
pub use summary::{StandardList, StandardSummary};
pub use table::{
    Cell, CellQuantity, Column, Table, TableCounts, TableFootnote, TableGroup, TableProvisions, TableRow,
    TableView, TablesView, Unit,
};
pub use term::{Definition, Designation, Term, TermText, TermsView};
pub use vocabulary::{
    Acceptability, AccessLevel, ChangeCause, Comparator, ComparisonRelation, Container, DependencyExtent,
    DependencyType, Facet, Likelihood, LineageRelation, MigrationOutcome, Origin, PartChangeType,
    ProvisionPart, ProvisionType, ReferenceChangeType, RelatedEditionType, RelationType, SearchElsewhere,
    SearchFacet, SearchKind, SearchState, SectionType, StandardType, Status, StatusReason, SupplementType,
    UnitLocation,
};

use std::borrow::Cow;

/// Borrows an optional text.
fn borrowed(text: &Option<impl AsRef<str>>) -> Option<Cow<'_, str>> {
    text.as_ref().map(|text| Cow::Borrowed(text.as_ref()))
}

/// Borrows a list of texts.
fn borrowed_all(texts: &[String]) -> Vec<Cow<'_, str>> {
    texts.iter().map(|t| Cow::Borrowed(t.as_str())).collect()
}
