//! Numbered parts without an address of their own, which cross-references name by their numbers: formulae,
//! groups, pictures with a letter, and tables and figures that go on in others.

use norma_model::{Digest, Formula};
use norma_provisions::blocks::{Numbered, ReferencedPartKind};
use sha2::{Digest as _, Sha256};

use crate::document::index::DocumentIndex;
use crate::document::printed_number::{
    RepeatedNumbers, has_labelled_pictures, is_group, number_of_picture, printed_number,
};
use crate::xml::invisible::visible;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl DocumentIndex<'_> {
    /// The numbered formulae, and the groups of figures, tables and formulae with those of their members, in
    /// document order. Then the tables and figures that go on in others with the same number.
    pub(crate) fn numbered(&self) -> Vec<Numbered> {
        let mut numbered = Vec::new();
        let mut repeated = RepeatedNumbers::default();
        for node in self.tree.root().descendants() {
            if let Some(kind) = numbered_kind(node) {
                let number = match node.name() {
                    Name::Graphic => number_of_picture(node),
                    _ => printed_number(node),
                };
                if let Some(number) = number
                    && let Some(target) = self.target(node)
                {
                    numbered.push(Numbered { kind, number, part: target.id });
                }
            } else if matches!(node.name(), Name::Fig | Name::TableWrap) {
                repeated.add(node);
            }
        }
        for part in repeated.continued() {
            if let Some(target) = self.target(part.node) {
                numbered.push(Numbered { kind: part.kind, number: part.number, part: target.id });
            }
        }
        numbered
    }

    /// The numbered formulae that are in a section, in document order.
    pub(crate) fn formulae(&self) -> Vec<Formula> {
        let mut formulae = Vec::new();
        for node in self.tree.root().all(Name::DispFormula) {
            let Some(section) = self.section_around(node) else { continue };
            let Some(number) = printed_number(node) else { continue };
            formulae.push(Formula { number: number.into(), section, digest: formula_digest(node) });
        }
        formulae
    }
}

/// The kind of a node that is numbered and has no address of its own. A figure that is in no group and a
/// table have an address.
fn numbered_kind(node: XmlNode<'_>) -> Option<ReferencedPartKind> {
    match node.name() {
        Name::DispFormula | Name::DispFormulaGroup => Some(ReferencedPartKind::Formula),
        Name::FigGroup => Some(ReferencedPartKind::Figure),
        Name::TableWrapGroup => Some(ReferencedPartKind::Table),
        Name::Fig => {
            let is_grouped = node.parent().is_some_and(|parent| is_group(parent.name()));
            (is_grouped || has_labelled_pictures(node)).then_some(ReferencedPartKind::Figure)
        }
        Name::Graphic if node.child(Name::Label).is_some() => Some(ReferencedPartKind::Figure),
        _ => None,
    }
}

/// Digest of the elements and words of a formula without its label, by which two editions compare it.
fn formula_digest(formula: XmlNode<'_>) -> Digest {
    let label = formula.child(Name::Label).map_or(0..0, |label| label.range());
    let mut digest = Sha256::new();
    for part in formula.descendants() {
        if label.contains(&part.range().start) {
            continue;
        }
        digest.update(format!("{:?}<", part.name()));
        let words = part.characters().trim();
        // An invisible operator alone is all that its element says.
        let seen = visible(words);
        digest.update(if seen.is_empty() { words } else { &*seen });
    }
    Digest::from_bytes(digest.finalize().into())
}
