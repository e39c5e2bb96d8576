//! Vocabularies of quotations: verdicts, their causes, and why words matter.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// Whether a quotation is true.
    VerdictType {
        /// It is a whole unit, or whole sentences of one, character by character.
        Exact = "exact",
        /// The same with other white space, hyphenation, typography, marks of footnotes or labels.
        Normalised = "normalised",
        /// Each of its words is there, in order, and the unit has more. `omissions` has what is left out.
        Partial = "partial",
        /// No unit has all of its words. `units` has the nearest one, `changes` the words that differ.
        Altered = "altered",
        /// Another edition of the document has it. `foundIn` names that edition.
        OtherEdition = "other-edition",
        /// No edition of the document that you may read has half of its words in one unit.
        Absent = "absent",
        /// It is not known whether it is true. `unverifiedCause` and `reason` say why.
        Unverified = "unverified",
    }
}

vocabulary! {
    /// Why a quotation is not verified.
    UnverifiedCause {
        /// No edition that you may see has this URN, or this designation and date.
        EditionUnknown = "edition-unknown",
        /// You may only discover the edition.
        NotLicensed = "not-licensed",
        /// The search is off, or its index does not have the edition, or not yet.
        NotIndexed = "not-indexed",
        /// The citation cannot be read.
        CitationUnreadable = "citation-unreadable",
        /// The citation may mean several editions. `candidates` has them.
        Ambiguous = "ambiguous",
        /// Neither a URN nor a citation says which document is quoted.
        NoSource = "no-source",
        /// The text is too short or too long to be looked for, or has no words.
        QuotationUnreadable = "quotation-unreadable",
        /// Words of the text are in too many or too long texts of the edition.
        TooManyMatches = "too-many-matches",
    }
}

vocabulary! {
    /// Kind of words without which a provision says something else.
    CriticalOmissionType {
        /// A word that negates: `not`.
        Negation = "negation",
        /// The verbal form, or a word of it: `shall`.
        VerbalForm = "verbal-form",
        /// A condition: `if it is wet`; or a word that restricts: `only`.
        Condition = "condition",
        /// An exception: `unless it is wet`.
        Exception = "exception",
        /// A value with its comparator or unit: `at most 5 mm`.
        Limit = "limit",
        /// The sentence that the item completes, or a part of it.
        LeadIn = "lead-in",
    }
}

vocabulary! {
    /// Kind of a changed word by which a provision says something else.
    CriticalChangeType {
        /// A word that negates.
        Negation = "negation",
        /// A verbal form: `should` for `shall`.
        Verb = "verb",
        /// A number, as digits or as a word.
        Number = "number",
        /// The unit of a number.
        Unit = "unit",
        /// A word or sign that compares: `at most` for `at least`.
        Comparator = "comparator",
        /// A reference to a clause, table, figure or document.
        Reference = "reference",
    }
}
