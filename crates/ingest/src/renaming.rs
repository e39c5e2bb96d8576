//! Rename of stored editions, when their source gives another URN than before.

use norma_model::{Lang, Urn};
use norma_store::{Store, StoredEdition, UrnSource};

/// Whether a stored edition gets this URN, which its source gives now. It does if the source also gave the
/// stored one, and no other edition has the new one.
pub(crate) async fn may_rename(
    store: &Store,
    stored: &StoredEdition,
    urn: &Urn,
) -> Result<bool, norma_store::StoreError> {
    Ok(is_from_source(stored, urn) && store.entry(urn).await?.is_none())
}

/// Whether the source gave the stored URN. Of an edition that an earlier version stored, that is taken from
/// the URN: one that was given names another publisher, edition or language.
pub(crate) fn is_from_source(
    StoredEdition { urn: stored, urn_source, .. }: &StoredEdition,
    urn: &Urn,
) -> bool {
    let languages = |urn: &Urn| {
        let of_source = |lang: Lang| Lang::of_source(lang.as_str()).unwrap_or(lang);
        let mut languages: Vec<Lang> = urn.languages().into_iter().map(of_source).collect();
        languages.sort();
        languages
    };
    match urn_source {
        UrnSource::Document => true,
        UrnSource::Given => false,
        UrnSource::Unknown => {
            stored.publisher() == urn.publisher()
                && stored.originator() == urn.originator()
                && stored.edition() == urn.edition()
                && languages(stored) == languages(urn)
        }
    }
}
