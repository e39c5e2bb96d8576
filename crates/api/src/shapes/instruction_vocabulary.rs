//! Vocabularies of instructions of amendments: what each does, and why its part is not certain.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use utoipa::ToSchema;

use super::macros::{UnknownValue, UnknownWord, WordVisitor, vocabulary};

vocabulary! {
    /// What an instruction of an amendment does.
    InstructionOperation = InstructionOperation {
        /// New text comes instead of old text.
        Replace = "replace",
        /// New text is added.
        Add = "add",
        /// Text of the standard is deleted.
        Delete = "delete",
        /// Something gets another number; its text stays.
        Renumber = "renumber",
        /// The text is changed in a way that the instruction does not say.
        Change = "change",
    }
}

vocabulary! {
    /// Why the part that an instruction changes is not certain.
    UnresolvedReason {
        /// The instruction names no part, or in words that are not known.
        NothingNamed = "nothingNamed",
        /// The instruction names a page or line of the print.
        PageOrLine = "pageOrLine",
        /// The edition has no clause of that number or kind.
        ClauseMissing = "clauseMissing",
        /// Several clauses have that number.
        ClauseAmbiguous = "clauseAmbiguous",
        /// The clause has another title than the heading of the amendment says.
        TitleDiffers = "titleDiffers",
        /// The clause has no such paragraph, item, table or other part.
        PartMissing = "partMissing",
        /// Several parts are as the instruction says.
        PartAmbiguous = "partAmbiguous",
        /// The words that the instruction quotes are not there.
        WordsMissing = "wordsMissing",
    }
}
