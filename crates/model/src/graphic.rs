//! Graphics: the pictures an edition's text refers to.

use crate::{AssetSource, GraphicId};

/// One picture of the text, in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graphic {
    /// Unique in the edition.
    pub id: GraphicId,
    /// Id of the figure around it, if there is one.
    pub figure_id: Option<String>,
    /// Label of the figure as written: `Figure 1`.
    pub label: Option<String>,
    /// Title of the figure.
    pub caption: Option<String>,
    /// Text for readers who cannot see it.
    pub alt_text: Option<String>,
    /// Index of its section in [`crate::EditionParts::sections`]; `None` in metadata.
    pub section: Option<usize>,
    /// The reference that a caller resolves: the href, or the id if the source names no file.
    pub reference: String,
    /// The location of the picture, as the source gives it.
    pub source: AssetSource,
}
