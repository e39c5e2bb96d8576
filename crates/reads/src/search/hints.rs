//! Hints for a search without results: what was understood, where else something is found, and what to try.

use norma_api::query::SearchQuery;
use norma_api::shapes::{AskedWord, HintedSearch, SearchElsewhere, SearchHints};
use norma_search::{Found, RelaxedFound};

/// A search elsewhere, for its number of results.
pub(super) struct WiderSearch {
    scope: SearchElsewhere,
    pub(super) asked: SearchQuery,
}

impl WiderSearch {
    /// The searches that leave out what limits this one.
    pub(super) fn all(asked: &SearchQuery) -> Vec<Self> {
        let plain = SearchQuery { facets: Vec::new(), grouped: false, cursor: None, ..asked.clone() };
        let mut wider = Vec::new();
        if !asked.all_editions {
            let asked = SearchQuery { all_editions: true, ..plain.clone() };
            wider.push(Self { scope: SearchElsewhere::Editions, asked });
        }
        if !asked.language.is_empty() {
            let asked = SearchQuery { language: Vec::new(), ..plain.clone() };
            wider.push(Self { scope: SearchElsewhere::Languages, asked });
        }
        let SearchQuery { q, language, all_editions, limit, .. } = plain.clone();
        let unfiltered = SearchQuery { language, all_editions, limit, ..SearchQuery::new(q) };
        if unfiltered != plain {
            wider.push(Self { scope: SearchElsewhere::WithoutFilters, asked: unfiltered });
        }
        wider
    }

    /// The hint, where it has results.
    pub(super) fn hint(self, found: &Found) -> Option<HintedSearch<'static>> {
        let query = self.asked.query_string();
        (found.total > 0).then(|| HintedSearch { scope: self.scope, hits: found.total, query: query.into() })
    }
}

/// The hints for a search that found no text with all words.
pub(super) fn hints(
    relaxed: &RelaxedFound,
    has_hits: bool,
    elsewhere: Vec<HintedSearch<'static>>,
) -> SearchHints<'static> {
    let mut hints = SearchHints::default();
    for word in &relaxed.words {
        hints.words.push(AskedWord { word: word.typed.clone().into(), hits: word.units });
    }
    hints.left_out = relaxed.left_out.iter().map(|word| word.clone().into()).collect();
    let unknown: Vec<String> =
        relaxed.words.iter().filter(|word| word.units == 0).map(|word| format!("`{}`", word.typed)).collect();
    if !unknown.is_empty() {
        let words = unknown.join(", ");
        hints
            .advice
            .push(format!("No text here has {words}: check the spelling, or write other words.").into());
    }
    if !elsewhere.is_empty() {
        hints.advice.push("Texts with all words are elsewhere: ask one of these queries.".into());
    }
    if !has_hits {
        hints.advice.push(
            "Write fewer words, the beginning of a word (`galvan*`), a label (`4.2`), or a clause with its \
             document (`NSB 4210, 4.2`)."
                .into(),
        );
    }
    hints.elsewhere = elsewhere;
    hints
}
