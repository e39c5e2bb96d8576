//! Filter of provisions by the words of their texts.

use std::borrow::Cow;

use serde::Deserialize;

/// Words that a provision must have in its text: all of one of the queries, in any case and order.
pub(crate) struct WordFilter {
    queries: Vec<String>,
}

/// The member of a stored provision in which words are looked for.
#[derive(Deserialize)]
struct SearchedText<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl WordFilter {
    /// A filter by these queries; `None` where there are none, and every provision fits.
    pub(crate) fn new(queries: &[String]) -> Option<Self> {
        if queries.is_empty() {
            return None;
        }
        Some(Self { queries: queries.iter().map(|query| query.to_lowercase()).collect() })
    }

    /// Whether the text of a provision, given as its JSON, has the words.
    pub(crate) fn accepts(&self, provision: &[u8]) -> bool {
        let Ok(SearchedText { text }) = serde_json::from_slice(provision) else { return false };
        let text = text.to_lowercase();
        self.queries.iter().any(|words| words.split_whitespace().all(|word| text.contains(word)))
    }
}
