//! Instructions of amendments and corrigenda: what each changes in the document that is amended.

use serde::{Deserialize, Serialize};

use crate::Lang;

/// One instruction of an amendment or corrigendum, as it is read from the amendment alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// The operation that its verb asks for.
    pub operation: InstructionOperation,
    /// The part that it names, as printed: headings and the words of the instruction, `4.1, third paragraph`.
    pub printed: Box<str>,
    /// The instruction as printed, white space collapsed.
    pub text: Box<str>,
    /// The parts that it changes, outermost part first; empty where it names none that is known.
    pub targets: Vec<InstructionTarget>,
    /// Words that it says are in the text that it changes.
    pub old_words: Vec<Box<str>>,
    /// The text that it brings, paragraphs parted by a line.
    pub new_text: Option<Box<str>>,
    /// The language of its words.
    pub language: Lang,
    /// Index in [`crate::EditionParts::sections`] of the section of the amendment that it is in.
    pub section: u32,
    /// Indices in [`crate::EditionParts::provisions`] of the provisions in the text that it brings.
    pub provisions: Vec<u32>,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum InstructionOperation {
    /// New text comes instead of old text.
    Replace,
    /// New text is added.
    Add,
    /// Old text is deleted, and nothing comes instead.
    Delete,
    /// Something gets another number; its text stays.
    Renumber,
    /// The text is changed in a way that the instruction does not say.
    Change,
}

/// A part of the amended document, as an instruction names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InstructionTarget {
    /// The clause or annex.
    pub clause: Option<InstructionClause>,
    /// The parts within it, the outermost first: the third paragraph, its second sentence.
    pub parts: Vec<InstructionPart>,
    /// Where new text goes, seen from the last part.
    pub position: InstructionPosition,
}

/// A clause or annex, as an instruction or a heading names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum InstructionClause {
    /// By its number and, where a heading gives it, its title.
    Number {
        /// Letters in upper case: `4.1`, `A.2`.
        number: Box<str>,
        /// The title that is printed after the number.
        title: Option<Box<str>>,
    },
    /// By its kind: the introduction, the bibliography.
    Kind(KnownSection),
}

/// A section that is known by its title in each language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KnownSection {
    /// The foreword in front of the introduction.
    Foreword,
    /// The introduction of the document, not that of a clause.
    Introduction,
    /// The clause with the scope of the document.
    Scope,
    /// The clause with the list of normative references.
    NormativeReferences,
    /// The terms and definitions.
    Terms,
    /// The list of other documents at the end.
    Bibliography,
}

/// A part within a clause.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InstructionPart {
    /// The kind of the part, by the word before its number.
    pub kind: InstructionPartKind,
    /// Which one of its kind.
    pub which: WhichPart,
}

/// Kind of a part within a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstructionPartKind {
    /// A page of the printed document.
    Page,
    /// A table, by its number in the document.
    Table,
    /// A figure, by its number in the document.
    Figure,
    /// A formula, by its number in the document.
    Formula,
    /// A term with its definition.
    Term,
    /// A paragraph, counted within its clause.
    Paragraph,
    /// A list with all its items.
    List,
    /// A note, by its number or as the only one.
    Note,
    /// An example, by its number or as the only one.
    Example,
    /// A footnote of the text or of a table.
    Footnote,
    /// An entry of a list of references.
    Reference,
    /// The title of a clause, table or figure.
    Title,
    /// The definition of a term.
    Definition,
    /// A row of a table.
    Row,
    /// A column of a table.
    Column,
    /// An item of a list.
    Item,
    /// A sentence, counted within its paragraph or item.
    Sentence,
    /// A line as printed.
    Line,
}

/// Which one of several parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WhichPart {
    /// The instruction does not say.
    Unstated,
    /// By its number or label, letters in upper case: `2`, `A.1`, `H`.
    Number(Box<str>),
    /// By its order, from 1: the first and the last one.
    Ordinals(u32, u32),
    /// The last one of its kind: “the last row”.
    Last,
}

/// Where new text goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstructionPosition {
    /// In the part, or instead of it.
    #[default]
    Within,
    /// Before the part: “before 4.2”.
    Before,
    /// After the part: “after Table 2”.
    After,
    /// In the part, before what it has.
    Start,
    /// In the part, after what it has.
    End,
}
