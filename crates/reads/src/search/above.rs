//! Titles and names around a hit that have words of the query which the hit has not.

use norma_api::shapes::{FoundAbove, SearchHit, Slice, Table};
use norma_search::{Excerpt, LanguageText, TextQuery, excerpt};

use super::hits::{Terms, in_own_language, parsed};
use crate::Failure;
use crate::edition::{AuthorizedEdition, with_those_around};

/// What a hit has around it.
pub(super) struct AboveHit {
    /// The words that it has not itself, by their bits.
    pub(super) bits: u32,
    /// The id of the table that it is in.
    pub(super) table: Option<String>,
}

/// The caption of its table, the titles above it, the innermost one first, the title of its standard, and the
/// names of terms: those with words that the hit has not.
pub(super) async fn found(
    edition: &AuthorizedEdition,
    hit: &SearchHit<'_>,
    above: AboveHit,
    query: &TextQuery,
) -> Result<Vec<FoundAbove<'static>>, Failure> {
    if above.bits == 0 {
        return Ok(Vec::new());
    }
    let mut around = TextsAround { query: query.of_asked_words(above.bits), found: Vec::new() };
    let language = edition.granted().entry().summary.urn.languages().into_iter().next();
    let language = language.unwrap_or_else(norma_model::Lang::undetermined);
    if let Some(caption) = caption(edition, above.table.as_deref()).await? {
        around.add(&[LanguageText::new(caption, &language)]);
    }
    let id = match &hit.section {
        Some(section) => Some(&section.id),
        None => hit.id.as_ref(),
    };
    if let Some(id) = id {
        let headings = edition.headings().await?;
        let mut titles = with_those_around(&headings, id);
        // The title of a section is its own.
        titles.retain(|heading| hit.id.as_deref() != Some(heading.id.as_str()));
        for heading in titles {
            around.add(&[LanguageText::new(heading.numbered_title(), &language)]);
        }
    }
    around.add(&[LanguageText::new(hit.title.clone().into_owned(), &language)]);
    if around.found.is_empty() {
        for term in parsed::<Terms>(edition, Some(&edition.terms().await?))?.items {
            let names: Vec<_> =
                term.designations.iter().map(|one| in_own_language(&one.text, &one.language)).collect();
            if names.len() > 1 {
                around.add(&LanguageText::joined(names));
            }
        }
    }
    Ok(around.found)
}

/// The caption of a table, if it has one.
async fn caption(edition: &AuthorizedEdition, id: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(id) = id else { return Ok(None) };
    let index = edition.index().await?;
    let Some(position) = index.outline.tables.iter().position(|table| table.id.as_str() == id) else {
        return Ok(None);
    };
    let table: Table<'static> = parsed(edition, Some(&edition.table(position).await?))?;
    Ok(table.caption.map(|caption| caption.into_owned()))
}

/// Texts around a hit that have the words of a query.
struct TextsAround {
    query: TextQuery,
    found: Vec<FoundAbove<'static>>,
}

impl TextsAround {
    /// Adds a text if it has one of the words.
    fn add(&mut self, parts: &[LanguageText<'_>]) {
        let Excerpt { text, highlights } = excerpt(parts, &self.query);
        if highlights.is_empty() {
            return;
        }
        let mut slices = Vec::with_capacity(highlights.len());
        for (start, end) in highlights {
            slices.push(Slice { start: start as usize, end: end as usize });
        }
        self.found.push(FoundAbove { text: text.into(), highlights: slices });
    }
}
