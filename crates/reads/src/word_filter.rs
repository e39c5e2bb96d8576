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

    /// True if the text of a provision, which is given as its JSON, has the words.
    pub(crate) fn accepts(&self, provision: &[u8]) -> bool {
        let Ok(SearchedText { text }) = serde_json::from_slice(provision) else { return false };
        let text = text.to_lowercase();
        self.queries.iter().any(|query| has_words(&text, query))
    }
}

/// True if a text has each word of a query, at any place: `bath` is in `water-baths`.
fn has_words(text: &str, query: &str) -> bool {
    query.split_whitespace().all(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_of_one_query_are_in_the_text_in_any_case_and_order() {
        let accepts = |queries: &[&str], text: &str| {
            let queries: Vec<String> = queries.iter().map(|&query| query.to_owned()).collect();
            let provision = serde_json::json!({ "id": "p", "text": text, "label": "other words" });
            WordFilter::new(&queries).unwrap().accepts(provision.to_string().as_bytes())
        };
        assert!(accepts(&["BATH water"], "A water-bath shall be closed."));
        assert!(!accepts(&["bath oil"], "A water-bath shall be closed."));
        assert!(accepts(&["oil", "closed"], "A water-bath shall be closed."), "queries are alternatives");
        assert!(!accepts(&["words"], "A water-bath shall be closed."), "other members do not count");
        assert!(WordFilter::new(&[]).is_none());
        assert!(!WordFilter::new(&["a".to_owned()]).unwrap().accepts(b"not JSON"));
    }
}
