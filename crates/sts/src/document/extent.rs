//! Extents: the source nodes of a section.

use std::ops::Range;

use crate::xml::tree::{Children, XmlNode};

/// Source nodes of a section.
#[derive(Clone, Copy)]
pub(crate) enum Extent<'t> {
    /// An element that is a section, with all in it.
    Whole(XmlNode<'t>),
    /// Siblings from the first to the last under a parent that is not a section.
    Run { parent: XmlNode<'t>, first: XmlNode<'t>, last: XmlNode<'t>, end: usize },
}

impl<'t> Extent<'t> {
    /// The element of a section that is one; a run has none of its own.
    pub(crate) fn element(self) -> Option<XmlNode<'t>> {
        match self {
            Self::Whole(node) => Some(node),
            Self::Run { .. } => None,
        }
    }

    /// The nodes with the content of the section, in order.
    pub(crate) fn content(self) -> Children<'t> {
        match self {
            Self::Whole(node) => node.children(),
            Self::Run { first, last, .. } => first.to(last),
        }
    }

    /// Bytes of the repaired text from the first node to the end of the last.
    pub(crate) fn range(self) -> Range<usize> {
        match self {
            Self::Whole(node) => node.range(),
            Self::Run { first, end, .. } => first.range().start..end,
        }
    }
}
