//! Iteration over all stored editions, for lists and counts.

use norma_model::Urn;
use norma_store::{CataloguedEdition, Store};

/// Rows read at once.
const PAGE: u32 = 500;

/// Calls `each` with every stored edition, ordered by URN.
pub(crate) async fn for_each_edition(
    store: &Store,
    mut each: impl FnMut(CataloguedEdition),
) -> anyhow::Result<()> {
    let mut last: Option<Urn> = None;
    loop {
        let page = store.catalogue(last.as_ref(), PAGE).await?;
        let Some(end) = page.last() else { return Ok(()) };
        last = Some(end.summary.urn.clone());
        page.into_iter().for_each(&mut each);
    }
}
