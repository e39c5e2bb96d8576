//! Vocabularies of citations: outcomes, kinds of cited parts, and what became of a part.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// What a citation leads to.
    CitationOutcome {
        /// One edition, and all places that the citation names.
        Resolved = "resolved",
        /// No edition that you may see has this designation and date, or the citation names none.
        EditionUnknown = "edition-unknown",
        /// The edition does not have a place that the citation names. `nearest` has the nearest ones.
        LocationUnknown = "place-unknown",
        /// Several editions, or several parts of one. `candidates` has them.
        Ambiguous = "ambiguous",
        /// The place is not one of the sections, and you may only discover the edition.
        NotLicensed = "not-licensed",
        /// The text cannot be read as a citation. `reason` says why.
        Unreadable = "unreadable",
    }
}

vocabulary! {
    /// Kind of a part that a citation names.
    CitedPartType {
        /// A clause, an annex, or another section.
        Section = "section",
        /// A provision.
        Provision = "provision",
        /// A table.
        Table = "table",
        /// A figure.
        Figure = "figure",
        /// A term.
        Term = "term",
    }
}

vocabulary! {
    /// What became of a part of an edition in the latest one.
    LocationChange {
        /// Neither its words nor its label changed.
        Same = "same",
        /// Its words changed, perhaps its label as well. `changed` says what changed in a provision.
        Changed = "changed",
        /// It has another label, and its words did not change.
        Moved = "moved",
        /// The latest edition does not have it.
        Gone = "gone",
        /// Nothing is known of it.
        Unknown = "unknown",
    }
}
