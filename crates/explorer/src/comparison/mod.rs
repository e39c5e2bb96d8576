//! A comparison of two editions for people: rows, words for their changes, and the page that has both
//! editions side by side. `norma compare` writes the same page as a file.

mod changes;
mod compared;
mod marked_table;
mod page;
mod page_outline;
mod page_rows;
mod page_summary;
mod page_tables;
mod printed;
mod rows;
mod summary;

pub use changes::{Label, labels};
pub use compared::{Compared, EditionOutline};
pub use page::document;
pub use page_rows::near;
pub use rows::{Alone, Both, Group, Row};
pub use summary::sentence;

pub(crate) use changes::sign;
pub(crate) use page::{SCRIPT, STYLE, body};
pub(crate) use page_rows::{facet_words, item_keys, merged, relation_words};
pub(crate) use printed::printed;

/// Names of relations and of facets, which the page says.
#[cfg(test)]
pub(crate) fn texts() -> impl Iterator<Item = &'static str> {
    let relations = page_rows::RELATIONS.into_iter().flat_map(|(_, name, meaning)| [name, meaning]);
    let named = changes::FACETS.into_iter().chain(page_rows::LIKELIHOODS);
    relations.chain(named.map(|(_, words)| words))
}
