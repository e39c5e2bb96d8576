//! Graphics: the pictures an edition's text refers to.

use crate::{AssetSource, GraphicId};

/// One picture of the text, in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graphic {
    /// Unique in the edition.
    pub id: GraphicId,
    /// Id of the figure that holds it, where there is one.
    pub figure_id: Option<String>,
    /// Label of the figure as written: `Figure 1`.
    pub label: Option<String>,
    /// Title of the figure.
    pub caption: Option<String>,
    /// Text for readers who cannot see it.
    pub alt_text: Option<String>,
    /// Index of its section in [`crate::EditionParts::sections`]; `None` in metadata.
    pub section: Option<usize>,
    /// What a caller resolves: the href, or the id where the source names no file.
    pub reference: String,
    /// Where the source says the picture is.
    pub source: AssetSource,
}
