//! Vocabularies of the JSON shapes: one word for each value of the model's enumerations.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// What a search finds.
    SearchKind {
        /// A standard by its title or designation.
        Standard = "standard",
        /// A section by its title.
        Section = "section",
        /// A provision.
        Provision = "provision",
        /// A term with its definition.
        Term = "term",
        /// A table with its caption and cells.
        Table = "table",
    }
}

vocabulary! {
    /// Whether all texts that the caller may find were searched.
    SearchState {
        /// All of them.
        Complete = "complete",
        /// Not all of them: the texts of some standards cannot be read from the store, and only their titles
        /// were searched. The operator has to repair the store or to rebuild the standards. The answer is not
        /// to be stored; it has further pages.
        Partial = "partial",
        /// Not all of them yet. The answer is not to be stored, and has no next page.
        Building = "building",
    }
}

vocabulary! {
    /// What the hits of a search are counted by.
    SearchFacet {
        /// The kind of text.
        Kind = "kind",
        /// The type of a provision.
        Type = "type",
        /// Whether a provision is normative.
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
    /// Whether an edition is in force.
    Status = Status {
        /// Not published yet.
        Draft = "draft",
        /// In force.
        Published = "published",
        /// A later edition replaces it.
        Superseded = "superseded",
        /// No longer in force.
        Withdrawn = "withdrawn",
    }
}

vocabulary! {
    /// Kind of document.
    StandardType = StandardType {
        /// Standard.
        Is = "is",
        /// Technical specification.
        Ts = "ts",
        /// Technical report.
        Tr = "tr",
        /// Publicly available specification.
        Pas = "pas",
        /// International workshop agreement.
        Iwa = "iwa",
        /// Guide.
        Guide = "guide",
        /// Amendment.
        Amendment = "amendment",
        /// Corrigendum.
        Corrigendum = "corrigendum",
        /// Anything else.
        Other = "other",
    }
}

vocabulary! {
    /// Kind of supplement.
    SupplementType = SupplementKind {
        /// Amendment.
        Amendment = "amendment",
        /// Corrigendum.
        Corrigendum = "corrigendum",
        /// Addendum.
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
        /// Another edition of the same standard.
        Edition = "edition",
        /// The same edition in another language.
        Translation = "translation",
    }
}

vocabulary! {
    /// Kind of a section.
    SectionType = SectionKind {
        /// Foreword, national forewords included.
        Foreword = "foreword",
        /// Introduction.
        Introduction = "introduction",
        /// Scope.
        Scope = "scope",
        /// List of normative references.
        NormativeReferences = "normativeReferences",
        /// Terms and definitions.
        Terms = "terms",
        /// One term entry.
        Term = "term",
        /// Any clause of the body.
        Clause = "clause",
        /// Annex.
        Annex = "annex",
        /// Bibliography.
        Bibliography = "bibliography",
        /// Footnotes gathered in one place.
        Footnotes = "footnotes",
        /// Index.
        Index = "index",
        /// Anything else.
        Other = "other",
    }
}

vocabulary! {
    /// Type of a provision, by its verbal form (ISO/IEC Directives, Part 2).
    ProvisionType = ProvisionKind {
        /// To be fulfilled: *shall*.
        Requirement = "requirement",
        /// Advised: *should*.
        Recommendation = "recommendation",
        /// Allowed: *may*.
        Permission = "permission",
        /// Possible: *can*.
        Capability = "capability",
        /// Imposed from outside the document: *must*.
        ExternalConstraint = "externalConstraint",
    }
}

vocabulary! {
    /// How a quantity compares with its value.
    Comparator = Comparator {
        /// The value itself, or a plain count.
        Equal = "equal",
        /// Below the value.
        LessThan = "lessThan",
        /// The value or below it.
        AtMost = "atMost",
        /// The value or above it.
        AtLeast = "atLeast",
        /// Above the value.
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
        /// The lead-in.
        LeadIn = "leadIn",
    }
}

vocabulary! {
    /// Kind of text that contains a provision.
    Container = Container {
        /// A paragraph.
        Paragraph = "paragraph",
        /// A list item.
        ListItem = "listItem",
        /// A table cell.
        TableCell = "tableCell",
        /// A footnote of a table.
        TableFootnote = "tableFootnote",
        /// A block that the source itself marks as a provision.
        Block = "block",
    }
}

vocabulary! {
    /// Whether the source marks a provision or the rules found it.
    Origin = Origin {
        /// The source marks it.
        Authored = "authored",
        /// Norma's rules found it.
        Derived = "derived",
    }
}

vocabulary! {
    /// Whether the publisher wants a designation to be used (ISO 10241-1, acceptability rating).
    Acceptability = DesignationStatus {
        /// The one to use.
        Preferred = "preferred",
        /// May be used.
        Admitted = "admitted",
        /// Not to be used.
        Deprecated = "deprecated",
    }
}

vocabulary! {
    /// What a caller may do with a standard.
    AccessLevel {
        /// See it in the list and read its section hierarchy.
        Discover = "discover",
        /// Read all of it.
        Read = "read",
    }
}

vocabulary! {
    /// How provisions of two editions belong together.
    ComparisonRelation {
        /// The same words; numbers of references within the edition may differ.
        Same = "same",
        /// Other words.
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
    /// How likely it is that two provisions belong together.
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
        /// The type.
        Strength = "strength",
        /// The polarity: whether something is to be so, or not to be so.
        Negation = "negation",
        /// Value, unit or tolerance of a quantity.
        Quantity = "quantity",
        /// How something compares with a value, or a word that limits.
        Bound = "bound",
        /// Conditions.
        Condition = "condition",
        /// What the verbal form speaks of.
        Subject = "subject",
        /// What is referred to.
        References = "references",
        /// The definition of a term that both use.
        Terms = "terms",
        /// What both refer to changed.
        DependsOn = "dependsOn",
        /// The section: the two do not correspond.
        Moved = "moved",
    }
}

vocabulary! {
    /// What about a reference changed.
    ReferenceChangeType {
        /// Another edition of the same document.
        Edition = "edition",
        /// Another place in the same document, or in this one.
        Clause = "clause",
        /// Another document.
        Document = "document",
        /// It was added.
        Added = "added",
        /// It was dropped.
        Removed = "removed",
        /// Nothing: it names another document without its edition, which may have a newer one.
        Undated = "undated",
    }
}

vocabulary! {
    /// What a provision depends on.
    DependencyType {
        /// A clause or annex.
        Clause = "clause",
        /// A table.
        Table = "table",
        /// A figure.
        Figure = "figure",
        /// A formula.
        Formula = "formula",
        /// A term.
        Term = "term",
    }
}

vocabulary! {
    /// What became of a section, a table, or a row or column of one.
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
    /// How a provision is related to an earlier or later one.
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
    /// What became of an id or label in an edition.
    MigrationOutcome {
        /// The edition has the provision or section, or provisions that it was possibly split into or merged
        /// with.
        Found = "found",
        /// Other editions have it, and this one does not.
        Absent = "absent",
        /// Its lineage has no provision any more.
        Gone = "gone",
        /// Nothing that you may read has this id or label.
        Unknown = "unknown",
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
    /// Where the unit of a cell is printed.
    UnitLocation = UnitOrigin {
        /// In the cell.
        Cell = "cell",
        /// In the head of its column.
        Column = "column",
        /// In the head of its row, or in a column of units.
        Row = "row",
        /// In the caption of its table, or in a sentence at it.
        Table = "table",
    }
}
