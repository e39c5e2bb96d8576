//! Editions of a document, as of a day: those that the list would show the caller, and no others.

use std::sync::Arc;

use norma_api::shapes::{RelatedEdition, RelatedEditionType};
use norma_model::{Identifier, Lang, PartialDate, PartialUrn, Status, Urn};
use norma_store::{Level, ListRow, Query, Sort, precedes};

use super::Access;
use crate::Failure;
use crate::as_of::AsOf;
use crate::edition::AuthorizedEdition;
use crate::failed::failed;

/// Most editions of the list that one designation or document is compared with.
pub(super) const MOST_ROWS: u32 = 200;

impl Access<'_> {
    /// The editions of the document of an edition that the caller may read, without that one, the newest
    /// first and at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn other_readable_editions(
        &self,
        edition: &AuthorizedEdition,
        as_of: &AsOf,
        most: usize,
    ) -> Result<Vec<Urn>, Failure> {
        let Ok(urn) = edition.urn().parse::<Urn>() else { return Ok(Vec::new()) };
        let Ok(document) = urn.document_urn().parse::<PartialUrn>() else { return Ok(Vec::new()) };
        let mut others = Vec::new();
        for row in self.rows_of(&document, as_of).await? {
            if row.level == Level::Read && row.summary.urn != urn {
                others.push(row.summary.urn);
            }
        }
        others.truncate(most);
        Ok(others)
    }

    /// The edition with this URN in this revision, if the caller may read it.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn readable_revision(
        &self,
        urn: &Urn,
        revision: &str,
    ) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
        let found = self.listed_edition(&Identifier::Urn(urn.clone()), &[]).await?;
        Ok(found.filter(|one| one.granted().level() == Level::Read && one.revision() == revision))
    }

    /// The editions that replaced an edition, of those that the caller may see.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn successors(
        &self,
        edition: &AuthorizedEdition,
        as_of: &AsOf,
    ) -> Result<Vec<RelatedEdition<'static>>, Failure> {
        let mut successors = Vec::new();
        for related in edition.related() {
            if related.kind != RelatedEditionType::ReplacedBy {
                continue;
            }
            if as_of.day().is_some() && !self.is_published_by(&related.urn, as_of).await? {
                continue;
            }
            successors.push(related);
        }
        Ok(successors)
    }

    /// The edition that an identifier means as of a day, in the first of these languages that it is there in.
    pub(super) async fn edition_as_of(
        &self,
        id: &Identifier,
        languages: &[Lang],
        as_of: &AsOf,
    ) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
        let Some(found) = self.listed_edition(id, languages).await? else { return Ok(None) };
        if as_of.includes(found.published_on()) {
            return Ok(Some(found));
        }
        // The URN of a document means the latest edition of that day.
        let urn = id.to_urn().filter(|urn| urn.edition().is_none());
        let Some(urn) = urn else { return Ok(None) };
        let rows = self.rows_of(&urn, as_of).await?;
        let Some(latest) = latest_of(&rows, urn.stage().is_some()) else { return Ok(None) };
        let Ok(edition) = latest.without_language().parse::<PartialUrn>() else { return Ok(None) };
        let found = self.listed_edition(&Identifier::Partial(edition), languages).await?;
        // A translation may have been published later than the original.
        Ok(match found {
            Some(found) if as_of.includes(found.published_on()) => Some(found),
            _ => self.listed_edition(&Identifier::Urn(latest.clone()), languages).await?,
        })
    }

    /// The editions of the list of a document, the newest first.
    pub(super) async fn rows_of(&self, urn: &PartialUrn, as_of: &AsOf) -> Result<Vec<ListRow>, Failure> {
        let document: Result<PartialUrn, _> = urn.document_urn().parse();
        let Ok(document) = document else { return Ok(Vec::new()) };
        let identifiers = vec![Identifier::Partial(document)];
        let query = Query { identifiers, sort: Sort::Published, descending: true, ..Query::default() };
        let mut rows = self.view.list(&query, None, MOST_ROWS).await.map_err(failed)?.rows;
        rows.retain(|row| as_of.includes(published_on(row)));
        Ok(rows)
    }

    async fn is_published_by(&self, urn: &str, as_of: &AsOf) -> Result<bool, Failure> {
        let Ok(urn) = urn.parse::<Urn>() else { return Ok(false) };
        let found = self.listed_edition(&Identifier::Urn(urn), &[]).await?;
        Ok(found.is_some_and(|found| as_of.includes(found.published_on())))
    }
}

/// The date of publication that an edition states.
pub(super) fn published_on(row: &ListRow) -> Option<&str> {
    row.summary.published_on.as_ref().map(|date| date.as_str())
}

/// The latest of these editions; drafts count only where a draft is meant.
fn latest_of(rows: &[ListRow], is_draft_meant: bool) -> Option<&Urn> {
    let mut latest: Option<&ListRow> = None;
    for row in rows {
        if row.status == Status::Draft && !is_draft_meant {
            continue;
        }
        if latest.is_none_or(|best| precedes(&order_of(best), &order_of(row))) {
            latest = Some(row);
        }
    }
    latest.map(|row| &row.summary.urn)
}

fn order_of(row: &ListRow) -> (Urn, Option<PartialDate>) {
    (row.summary.urn.clone(), row.summary.published_on.clone())
}
