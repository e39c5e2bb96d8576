//! Rendering: from an edition to the bytes that will be stored and sent.

pub mod compress;
mod index;

use std::convert::Infallible;

pub use index::{Index, Picture};

use norma_api::jsonld::Graph;
use norma_api::media::View;
use norma_api::shapes::{Lists, Views};
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
    let mut views = Vec::new();
    let keep = |view, bytes| {
        views.push((view, bytes));
        Ok::<_, Infallible>(())
    };
    let Ok(index) = render_each(edition, assets, revision, keep);
    Rendered { views, index }
}

/// The same one by one: `take` is given each view before the next is made, so that they need not be in memory
/// together.
///
/// # Errors
/// Those of `take`, the first of which ends it.
pub fn render_each<E>(
    edition: &Edition,
    assets: &[Option<Asset>],
    revision: &str,
    mut take: impl FnMut(View, Vec<u8>) -> Result<(), E>,
) -> Result<Index, E> {
    let views = Views::new(edition, assets, revision);
    let Graph { json_ld, turtle } = views.graph();
    take(View::Graph, json_ld)?;
    take(View::GraphTurtle, turtle)?;
    take(View::Metadata, views.metadata())?;
    take(View::Sections, views.sections())?;
    let text = views.content_text();
    take(View::ContentText, text.bytes)?;
    take(View::Complete, views.complete())?;
    let (content, Lists { graphics, terms, provisions }) = views.into_parts();
    take(View::Content, content.bytes)?;
    take(View::Provisions, provisions.bytes)?;
    take(View::Terms, terms.bytes)?;
    take(View::Graphics, graphics.bytes)?;
    Ok(Index::new(edition, assets, [&provisions.fragments, &content.fragments, &text.fragments]))
}

/// Whether a view is sent with the catalogue's members in front of it.
pub fn has_standing(view: View) -> bool {
    matches!(view, View::Complete | View::Metadata)
}
