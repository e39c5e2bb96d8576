//! Lookups in the whole document for writing a text.

use std::rc::Rc;

use crate::text::math::FormulaDecimalSign;
use crate::xml::tree::XmlNode;
use norma_provisions::blocks::{Cited, CrossReferenceTarget};

/// The rest of the document, for text: its parts, and the targets of its references.
pub(crate) trait Lookups<'t> {
    /// Primary subtag of the document's main language.
    fn language(&self) -> &str;

    /// The sign that parts decimals in the document's numbers.
    fn decimal_sign(&self) -> FormulaDecimalSign;

    /// True for an amendment, whose quotations change another document.
    fn amends(&self) -> bool;

    /// True for a node that is a section, with a text of its own.
    fn is_section(&self, node: XmlNode<'t>) -> bool;

    /// True for the index of a section whose definition lists define terms.
    fn defines_terms(&self, section: usize) -> bool;

    /// The index of a table.
    fn table(&self, node: XmlNode<'t>) -> Option<usize>;

    /// The index of the term that an id names.
    fn term(&self, id: &str) -> Option<usize>;

    /// The parts of the edition, by their ids in its views, that a list of ids points at.
    fn targets(&self, rids: &str) -> Vec<CrossReferenceTarget>;

    /// Index of the node of the footnote with an id.
    fn footnote(&self, rid: &str) -> Option<u32>;

    /// The mark of a footnote without label that is in the text of a section.
    fn footnote_mark(&self, rid: &str, section: usize) -> Option<String>;

    /// Label of a part for a cross-reference without text.
    fn display_label(&self, rid: &str) -> Option<String>;

    /// The documents that an entry of a list of references or an inline citation names.
    fn citations(&self, node: XmlNode<'t>) -> Rc<[Rc<Cited>]>;

    /// The documents that the entry of a bibliography with an id names.
    fn cited(&self, rid: &str) -> Rc<[Rc<Cited>]>;

    /// Index of the first cross-reference, among the nodes, that names a footnote by its id.
    fn footnote_reference(&self, id: &str) -> Option<usize>;

    /// The number that the first item of a list has.
    fn first_number(&self, list: XmlNode<'t>) -> u32;
}

/// The labels of the parts that a list of ids points at, for a cross-reference without words: `4.2, 4.3`.
pub(super) fn display_labels(document: &dyn Lookups<'_>, rids: &str) -> String {
    let labels: Vec<String> = rids.split_whitespace().filter_map(|rid| document.display_label(rid)).collect();
    labels.join(", ")
}
