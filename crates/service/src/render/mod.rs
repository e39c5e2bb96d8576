//! Rendering: from an edition to the bytes that will be stored and sent.

pub mod compress;
mod index;

pub use index::{Index, Picture};

use norma_api::jsonld::Graph;
use norma_api::media::View;
use norma_api::shapes::{Lists, Views};
use norma_model::{Asset, Edition};

/// Changes whenever the same source would come out as other bytes: stored views of another version are stale.
pub const DERIVER_VERSION: u32 = norma_sts::DERIVER_VERSION * 1000 + 1;

/// Name under which the index is stored beside the views.
pub const INDEX: &str = "index";

/// Renders all views of an edition, uncompressed: `take` is given each before the next is made, so that they need not be in
/// memory together. [`View::Source`] is not among them: it is the source itself. `assets` stands parallel to the edition's
/// graphics. Gives the index by which selections and sections are cut out of the views.
///
/// # Errors
/// Those of `take`, the first of which ends it.
pub fn render<E>(
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
