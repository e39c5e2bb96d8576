//! Extents: the source nodes of a section.

use std::ops::Range;

use crate::xml::tree::{Children, XmlNode};

/// Source nodes of a section.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'t> {
    /// One element.
    Whole(XmlNode<'t>),
    /// Siblings from the first to the last under a parent that is not a section.
    Run { parent: XmlNode<'t>, first: XmlNode<'t>, last: XmlNode<'t>, end: usize },
}

impl<'t> Extent<'t> {
    /// Its element, if it is one.
    pub(crate) fn element(self) -> Option<XmlNode<'t>> {
        match self {
            Self::Whole(node) => Some(node),
            Self::Run { .. } => None,
        }
    }

    /// The nodes with its content.
    pub(crate) fn content(self) -> Children<'t> {
        match self {
            Self::Whole(node) => node.children(),
            Self::Run { first, last, .. } => first.to(last),
        }
    }

    /// Its bytes in the repaired text.
    pub(crate) fn range(self) -> Range<usize> {
        match self {
            Self::Whole(node) => node.range(),
            Self::Run { first, end, .. } => first.range().start..end,
        }
    }
}
