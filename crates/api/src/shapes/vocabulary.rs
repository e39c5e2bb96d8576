//! Vocabularies of the JSON shapes: one word for each value of the model's enumerations.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// Kind of text that a search finds.
    SearchKind {
        /// A standard by its title or designation.
        Standard = "standard",
        /// A section by its title.
        Section = "section",
        /// A provision by its text.
        Provision = "provision",
        /// A term with its definition.
        Term = "term",
        /// A table with its caption and cells.
        Table = "table",
    }
}

vocabulary! {
    /// State of a search, which says whether all texts that the caller may find were searched.
    SearchState {
        /// All texts were searched.
        Complete = "complete",
        /// Not all texts were searched: those of some standards cannot be read from the store, and only their
        /// titles were searched. The operator has to repair the store or to rebuild the standards. The answer
        /// is not to be stored; it has further pages.
        Partial = "partial",
        /// Not all texts are searched yet, since the index is being built. The answer is not to be stored,
        /// and has no next page.
        Building = "building",
    }
}

vocabulary! {
    /// Other texts in which a search finds what it did not find.
    SearchElsewhere {
        /// In all editions, not the latest ones alone.
        Editions = "editions",
        /// In all languages.
        Languages = "languages",
        /// In the same editions without filters of texts and standards.
        WithoutFilters = "without-filters",
    }
}

vocabulary! {
    /// Value by which the hits of a search are counted.
    SearchFacet {
        /// The kind of text.
        Kind = "kind",
        /// The type of a provision.
        Type = "type",
        /// The normative status of a provision.
        Normative = "normative",
        /// The publisher of the standard.
        Publisher = "publisher",
        /// The status of the standard.
        Status = "status",
        /// The languages of the standard.
        Language = "language",
        /// The ICS codes of the standard.
        Ics = "ics",
    }
}

vocabulary! {
    /// Status of an edition, which says whether it is in force.
    Status = Status {
        /// The edition is not published yet.
        Draft = "draft",
        /// The edition is in force.
        Published = "published",
        /// A later edition replaces it.
        Superseded = "superseded",
        /// The edition is no longer in force.
        Withdrawn = "withdrawn",
    }
}

vocabulary! {
    /// Kind of document: a standard, an amendment, a report, or another.
    StandardType = StandardType {
        /// A standard, and not one of the other kinds.
        Is = "is",
        /// A technical specification (TS).
        Ts = "ts",
        /// A technical report (TR).
        Tr = "tr",
        /// A publicly available specification (PAS).
        Pas = "pas",
        /// An international workshop agreement (IWA).
        Iwa = "iwa",
        /// A guide of the publisher.
        Guide = "guide",
        /// An amendment of a standard.
        Amendment = "amendment",
        /// A corrigendum of a standard.
        Corrigendum = "corrigendum",
        /// Anything that is of no other kind.
        Other = "other",
    }
}

vocabulary! {
    /// Kind of supplement: an amendment, a corrigendum or an addendum.
    SupplementType = SupplementKind {
        /// An amendment of a standard.
        Amendment = "amendment",
        /// A corrigendum of a standard.
        Corrigendum = "corrigendum",
        /// An addendum to a standard.
        Addendum = "addendum",
    }
}

vocabulary! {
    /// Relation of the edition to another document.
    RelationType = RelationKind {
        /// It replaces the other.
        Replaces = "replaces",
        /// It changes the other in part.
        Amends = "amends",
        /// It adopts the other as its own.
        Adopts = "adopts",
        /// The other is indispensable for its application.
        NormativeReference = "normativeReference",
        /// The other is named for information.
        InformativeReference = "informativeReference",
        /// Any other relation that the source states.
        Related = "related",
    }
}

vocabulary! {
    /// Relation of another edition in the catalogue to this one.
    RelatedEditionType {
        /// It replaces this one.
        ReplacedBy = "replacedBy",
        /// It changes this one in part.
        AmendedBy = "amendedBy",
        /// It adopts this one as its own.
        AdoptedAs = "adoptedAs",
        /// This one replaces it.
        Replaces = "replaces",
        /// This one changes it in part.
        Amends = "amends",
        /// This one adopts it.
        Adopts = "adopts",
        /// Another edition of the same standard.
        Edition = "edition",
        /// The same edition in another language.
        Translation = "translation",
    }
}

vocabulary! {
    /// Reason why an edition is in force again.
    StatusReason {
        /// The edition that superseded it was recalled.
        SuccessorRecalled = "successor-recalled",
    }
}

vocabulary! {
    /// Kind of a section.
    SectionType = SectionKind {
        /// Foreword, national forewords included.
        Foreword = "foreword",
        /// The introduction of the document.
        Introduction = "introduction",
        /// The clause that states the scope.
        Scope = "scope",
        /// List of normative references.
        NormativeReferences = "normativeReferences",
        /// The clause of terms and definitions.
        Terms = "terms",
        /// One entry of the terms.
        Term = "term",
        /// Any clause of the body.
        Clause = "clause",
        /// An annex, normative or informative.
        Annex = "annex",
        /// The bibliography of the document.
        Bibliography = "bibliography",
        /// Footnotes gathered in one place.
        Footnotes = "footnotes",
        /// The alphabetical index of the document.
        Index = "index",
        /// Anything that is of no other kind.
        Other = "other",
    }
}

vocabulary! {
    /// Type of a provision, by its verbal form (ISO/IEC Directives, Part 2).
    ProvisionType = ProvisionKind {
        /// To be fulfilled: *shall* in English.
        Requirement = "requirement",
        /// Advised: *should* in English.
        Recommendation = "recommendation",
        /// Allowed: *may* in English.
        Permission = "permission",
        /// Possible: *can* in English.
        Capability = "capability",
        /// Imposed from outside the document: *must*.
        ExternalConstraint = "externalConstraint",
    }
}

vocabulary! {
    /// Relation of a quantity to its value.
    Comparator = Comparator {
        /// The value itself, or a plain count.
        Equal = "equal",
        /// Any quantity below the value.
        LessThan = "lessThan",
        /// The value or below it.
        AtMost = "atMost",
        /// The value or above it.
        AtLeast = "atLeast",
        /// Any quantity above the value.
        MoreThan = "moreThan",
        /// From the value to the upper one.
        Between = "between",
        /// Near the value: `about 50 g`.
        About = "about",
        /// Read or rounded to steps of the value: `to the nearest 0,1 g`.
        Nearest = "nearest",
        /// Off by the value at most, to both sides: `± 5 %`.
        PlusMinus = "plusMinus",
    }
}

vocabulary! {
    /// A text of a provision other than `text`.
    ProvisionPart {
        /// The sentence that the item completes.
        LeadIn = "leadIn",
    }
}

vocabulary! {
    /// Kind of text that contains a provision.
    Container = Container {
        /// A paragraph of the text.
        Paragraph = "paragraph",
        /// An item of a list.
        ListItem = "listItem",
        /// A cell of a table.
        TableCell = "tableCell",
        /// A footnote of a table.
        TableFootnote = "tableFootnote",
        /// A block that the source itself marks as a provision.
        Block = "block",
    }
}

vocabulary! {
    /// Origin of a provision, which the source marks or the rules found.
    Origin = Origin {
        /// The source marks it.
        Authored = "authored",
        /// Norma's rules found it.
        Derived = "derived",
    }
}

vocabulary! {
    /// Acceptability of a designation, which says whether the publisher wants it to be used (ISO 10241-1,
    /// acceptability rating).
    Acceptability = DesignationStatus {
        /// The designation is the one to use.
        Preferred = "preferred",
        /// The designation may be used.
        Admitted = "admitted",
        /// The designation is not to be used.
        Deprecated = "deprecated",
    }
}

vocabulary! {
    /// Level of a caller's access to a standard.
    AccessLevel {
        /// See it in the list and read its section hierarchy.
        Discover = "discover",
        /// Read all of it.
        Read = "read",
    }
}

vocabulary! {
    /// Relation of provisions of two editions.
    ComparisonRelation {
        /// The same words; numbers of references within the edition may differ.
        Same = "same",
        /// Other words than in the older provision.
        Reworded = "reworded",
        /// Possibly a part of the older provision became the newer one.
        Split = "split",
        /// Possibly the older provision became a part of the newer one.
        Merged = "merged",
        /// In the newer edition only: no counterpart was found.
        New = "new",
        /// In the older edition only: no counterpart was found.
        Removed = "removed",
    }
}

vocabulary! {
    /// Likelihood that two provisions belong together.
    Likelihood {
        /// Equal texts that occur nowhere else, or equally often in corresponding sections.
        Certain = "certain",
        /// Similar texts, and no other provision comes near either of them.
        High = "high",
        /// Nearest of what was found.
        Likely = "likely",
    }
}

vocabulary! {
    /// A kind of change in a pair of provisions.
    Facet {
        /// The type of the provision.
        Strength = "strength",
        /// The normative status of the section.
        Normative = "normative",
        /// The polarity: whether something is to be so, or not to be so.
        Negation = "negation",
        /// Value, unit or tolerance of a quantity.
        Quantity = "quantity",
        /// How something compares with a value, or a word that limits.
        Bound = "bound",
        /// Conditions, and sentences directly after the provision that limit it.
        Condition = "condition",
        /// Subject that the verbal form speaks of.
        Subject = "subject",
        /// The target of a reference.
        References = "references",
        /// The definition of a term that both use.
        Terms = "terms",
        /// What both refer to, footnotes of both, or a sentence that is joined with both changed.
        DependsOn = "dependsOn",
        /// The section: the two do not correspond.
        Moved = "moved",
    }
}

vocabulary! {
    /// Kind of change of a reference.
    ReferenceChangeType {
        /// Another edition of the same document.
        Edition = "edition",
        /// Another place in the same document, or in this one.
        Clause = "clause",
        /// Another document is named.
        Document = "document",
        /// The reference was added.
        Added = "added",
        /// The reference was dropped.
        Removed = "removed",
        /// Nothing: it names another document without its edition, which may have a newer one.
        Undated = "undated",
    }
}

vocabulary! {
    /// Kind of thing that a provision depends on.
    DependencyType {
        /// A clause or annex.
        Clause = "clause",
        /// A table of the edition.
        Table = "table",
        /// A figure of the edition.
        Figure = "figure",
        /// A formula of the edition.
        Formula = "formula",
        /// A term of the edition.
        Term = "term",
        /// Footnotes of the provision.
        Footnote = "footnote",
        /// A sentence before the provision that a word such as “otherwise” joins with it, or that introduces
        /// its list.
        Sentence = "sentence",
    }
}

vocabulary! {
    /// Extent of what is known of a change in what a provision depends on.
    DependencyExtent {
        /// Something changed more than three references away: read what is referred to.
        Unknown = "unknown",
    }
}

vocabulary! {
    /// Change of a section, a table, or a row or column of one.
    PartChangeType {
        /// Nothing in it changed.
        Same = "same",
        /// Something in it changed.
        Changed = "changed",
        /// It is in another place.
        Moved = "moved",
        /// It has no counterpart in the older edition.
        New = "new",
        /// It has no counterpart in the newer edition.
        Removed = "removed",
    }
}

vocabulary! {
    /// Relation of a provision to an earlier or later one.
    LineageRelation {
        /// Id that the provision had in an earlier revision of its own edition.
        EarlierRevision = "earlierRevision",
        /// The same provision in another edition.
        Member = "member",
        /// A provision of another edition that is possibly a part of this one, or the reverse.
        Possible = "possible",
    }
}

vocabulary! {
    /// Outcome of following an id or label into an edition.
    MigrationOutcome {
        /// The edition has the provision or section, or provisions that it was possibly split into or merged
        /// with.
        Found = "found",
        /// Other editions have it, and this one does not.
        Absent = "absent",
        /// The lineage has no provision any more.
        Gone = "gone",
        /// Nothing that you may read has this id or label.
        Unknown = "unknown",
    }
}

vocabulary! {
    /// Cause of another id of a provision within its edition.
    ChangeCause {
        /// A correction of the source.
        Text = "text",
        /// The rules by which the service derives provisions. The text did not change.
        Rules = "rules",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_on_the_wire_is_the_word_in_the_table() {
        for &kind in SectionType::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        let error = "Read".parse::<AccessLevel>().unwrap_err();
        assert_eq!(error.to_string(), "`Read` is not one of: discover, read");
    }
}

vocabulary! {
    /// Place where the unit of a cell is printed.
    UnitLocation = UnitOrigin {
        /// In the cell itself.
        Cell = "cell",
        /// In the head of its column.
        Column = "column",
        /// In the head of its row, or in a column of units.
        Row = "row",
        /// In the caption of its table, or in a sentence at it.
        Table = "table",
    }
}
