//! Rendering: from an edition to the bytes that will be stored and sent.

pub mod compress;
mod index;

pub use index::{Index, Picture};

use norma_api::media::View;
use norma_api::shapes::Views;
use norma_model::{Asset, Edition};

/// Changes whenever the same source would come out as other bytes: stored views of another version are stale.
pub const DERIVER_VERSION: u32 = norma_sts::DERIVER_VERSION * 1000 + 1;

/// Name under which the index is stored beside the views.
pub const INDEX: &str = "index";

/// The views of an edition, uncompressed, and the index by which selections and sections are cut out of them.
pub struct Rendered {
    /// Each view's bytes, under its kind. [`View::Source`] is not among them: it is the source itself.
    pub views: Vec<(View, Vec<u8>)>,
    /// Where fragments lie in the views.
    pub index: Index,
}

/// Renders all views. `assets` stands parallel to the edition's graphics.
pub fn render(edition: &Edition, assets: &[Option<Asset>], revision: &str) -> Rendered {
    let views = Views::new(edition, assets, revision);
    let (provisions, content) = (views.provisions(), views.content());
    let text = views.content_text();
    let graph = views.graph();
    let index = Index::new(edition, assets, [provisions, content, &text]);
    let views = vec![
        (View::Complete, views.complete()),
        (View::Metadata, views.metadata()),
        (View::Sections, views.sections()),
        (View::Content, content.bytes.clone()),
        (View::ContentText, text.bytes),
        (View::Provisions, provisions.bytes.clone()),
        (View::Terms, views.terms().bytes.clone()),
        (View::Graphics, views.graphics().bytes.clone()),
        (View::Graph, graph.json_ld),
        (View::GraphTurtle, graph.turtle),
    ];
    Rendered { views, index }
}

/// Whether a view is sent with the catalogue's members in front of it.
pub fn has_standing(view: View) -> bool {
    matches!(view, View::Complete | View::Metadata)
}
