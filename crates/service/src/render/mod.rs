//! Rendering: from an edition to the bytes that will be stored and sent.

pub mod compress;
mod index;

pub use index::{Index, Picture};

use bytes::Bytes;
use norma_api::media::View;
use norma_api::shapes::Views;
use norma_model::{Asset, Edition};

/// Changes whenever the same source would come out as other bytes: stored views of another version are stale.
pub const DERIVER_VERSION: u32 = norma_sts::DERIVER_VERSION * 1000 + 2;

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
    mut take: impl FnMut(View, Bytes) -> Result<(), E>,
) -> Result<Index, E> {
    let mut views = Views::new(edition, assets, revision);
    views.graph(|view, bytes| take(view, bytes.into()))?;
    let provisions = views.release_provisions();
    take(View::Provisions, provisions.bytes)?;
    take(View::Metadata, views.metadata().into())?;
    take(View::Sections, views.sections().into())?;
    let text = views.content_text();
    take(View::ContentText, text.bytes)?;
    take(View::Terms, views.terms().bytes.clone())?;
    take(View::Graphics, views.graphics().bytes.clone())?;
    let content = views.release_content();
    take(View::Content, content.bytes)?;
    let fragments = [&provisions.fragments, &content.fragments, &text.fragments];
    let index = Index::new(edition, assets, fragments.map(Vec::as_slice));
    // The largest is taken when nothing is left of those that it was put together from.
    let complete = views.complete();
    drop(views);
    take(View::Complete, complete.into())?;
    Ok(index)
}

/// Whether a view is sent with the catalogue's members in front of it.
pub fn has_standing(view: View) -> bool {
    matches!(view, View::Complete | View::Metadata)
}
