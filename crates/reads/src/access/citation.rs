//! Editions that the designation of a citation means to a caller: those that the list would show them, and no
//! others.

use std::collections::BTreeSet;
use std::sync::Arc;

use norma_audit::AuditedStandard;
use norma_model::printed::{PrintedCitation, PrintedDocument};
use norma_model::urn::reference_key;
use norma_model::{Identifier, PartialUrn, ProvisionId, Urn};
use norma_store::{Level, ListRow, Query};

use super::Access;
use super::document::{MOST_ROWS, published_on};
use crate::Failure;
use crate::as_of::AsOf;
use crate::edition::AuthorizedEdition;
use crate::failed::failed;

/// Most candidates of an ambiguous designation.
const MOST_CANDIDATES: usize = 10;

/// The result of looking for the edition of a citation.
pub(crate) enum CitedEditionLookup {
    /// No edition that the caller may see.
    Unknown,
    /// One edition.
    One(EditionOfCitation),
    /// Several editions, of which each may be meant.
    Several(Vec<Arc<AuthorizedEdition>>),
}

/// An edition, and the latest one of its document.
#[derive(Clone)]
pub(crate) struct EditionOfCitation {
    pub(crate) edition: Arc<AuthorizedEdition>,
    /// The latest edition that the caller may see, where it is another one.
    pub(crate) latest: Option<Arc<AuthorizedEdition>>,
}

impl Access<'_> {
    /// The edition that the designation of a citation means, whatever the level of the caller.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn edition_of_citation(
        &mut self,
        document: &PrintedDocument,
        as_of: &AsOf,
    ) -> Result<CitedEditionLookup, Failure> {
        self.authorizing.take();
        if let Some(urn) = document.citation.urn.complete() {
            return Ok(match self.visible_edition(&Identifier::Urn(urn), as_of).await? {
                Some(edition) => CitedEditionLookup::One(self.with_latest(edition, as_of).await?),
                None => CitedEditionLookup::Unknown,
            });
        }
        if let Some(edition) = document.citation.urn.edition() {
            let mut named = self.rows_of(&document.citation.urn, as_of).await?;
            named.retain(|row| row.summary.urn.edition() == edition);
            return self.one_of(named, true, as_of).await;
        }
        let rows = self.rows_named(document, as_of).await?;
        // A supplement of a dated edition is one of that edition, not the latest one with this number.
        let names_an_edition = document.citation.dated
            || document.is_consolidated
            || year_of_amended_edition(&document.text).is_some();
        self.one_of(rows, names_an_edition, as_of).await
    }

    /// The edition that an identifier means, with the latest one; `None` where the caller may see none.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn edition_of_locations(
        &mut self,
        id: &Identifier,
        as_of: &AsOf,
    ) -> Result<Option<EditionOfCitation>, Failure> {
        self.authorizing.take();
        let Some(edition) = self.visible_edition(id, as_of).await? else { return Ok(None) };
        self.with_latest(edition, as_of).await.map(Some)
    }

    /// The edition with a published provision; `None` where the caller may see none.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn edition_of_provision(
        &mut self,
        id: &ProvisionId,
        as_of: &AsOf,
    ) -> Result<Option<EditionOfCitation>, Failure> {
        self.authorizing.take();
        let Some(edition) = self.listed_edition_with(id).await? else { return Ok(None) };
        if !as_of.includes(edition.published_on()) {
            return Ok(None);
        }
        self.with_latest(edition, as_of).await.map(Some)
    }

    /// Notes for the audit that an answer shows these standards.
    pub(crate) fn note_cited(&mut self, cited: Vec<AuditedStandard>) {
        self.standards.found = cited;
    }

    /// The editions of the list that a designation with or without date names.
    async fn rows_named(&self, document: &PrintedDocument, as_of: &AsOf) -> Result<Vec<ListRow>, Failure> {
        let references = vec![document.text.clone(), document.citation.undated.clone()];
        let query = Query { references, ..Query::default() };
        let mut rows = self.view.list(&query, None, MOST_ROWS).await.map_err(failed)?.rows;
        rows.retain(|row| as_of.includes(published_on(row)) && is_named(row, document));
        if rows.is_empty() {
            rows = self.rows_of(&document.citation.urn, as_of).await?;
            rows.retain(|row| is_named(row, document));
        }
        // One that is printed in the same way comes before those of the same year.
        let key = reference_key(&document.text);
        let is_same = |row: &ListRow| reference_key(&row.summary.reference) == key;
        if document.citation.dated && rows.iter().any(is_same) {
            rows.retain(is_same);
        }
        Ok(rows)
    }

    /// The edition that these rows are of. Without a date it is the latest one of its document.
    async fn one_of(
        &self,
        rows: Vec<ListRow>,
        is_dated: bool,
        as_of: &AsOf,
    ) -> Result<CitedEditionLookup, Failure> {
        let mut named = BTreeSet::new();
        for row in &rows {
            let urn = &row.summary.urn;
            named.insert(if is_dated { urn.without_language() } else { urn.document_urn() });
        }
        let mut editions = Vec::new();
        for urn in named {
            let urn: Result<PartialUrn, _> = urn.parse();
            let Ok(urn) = urn else { continue };
            // The edition in the language that the caller prefers.
            if let Some(edition) = self.visible_edition(&Identifier::Partial(urn), as_of).await? {
                editions.push(edition);
            }
        }
        if editions.len() > 1 {
            editions.truncate(MOST_CANDIDATES);
            return Ok(CitedEditionLookup::Several(editions));
        }
        // A document of drafts alone has no latest edition.
        if let Some(row) = rows.first().filter(|_| editions.is_empty()) {
            let id = Identifier::Urn(row.summary.urn.clone());
            editions.extend(self.visible_edition(&id, as_of).await?);
        }
        match editions.pop() {
            Some(edition) => Ok(CitedEditionLookup::One(self.with_latest(edition, as_of).await?)),
            None => Ok(CitedEditionLookup::Unknown),
        }
    }

    async fn with_latest(
        &self,
        edition: Arc<AuthorizedEdition>,
        as_of: &AsOf,
    ) -> Result<EditionOfCitation, Failure> {
        let urn: Result<Urn, _> = edition.urn().parse();
        let Ok(urn) = urn else { return Ok(EditionOfCitation { edition, latest: None }) };
        let document: Result<PartialUrn, _> = urn.document_urn().parse();
        let Ok(document) = document else { return Ok(EditionOfCitation { edition, latest: None }) };
        // Of the same language, so that one is not the translation of the other.
        let latest = self.edition_as_of(&Identifier::Partial(document), &urn.languages(), as_of).await?;
        let latest = latest.filter(|latest| !is_edition_of(latest.urn(), &urn));
        Ok(EditionOfCitation { edition, latest })
    }

    /// The edition that an identifier means, in the language that the caller prefers.
    async fn visible_edition(
        &self,
        id: &Identifier,
        as_of: &AsOf,
    ) -> Result<Option<Arc<AuthorizedEdition>>, Failure> {
        self.edition_as_of(id, &self.languages, as_of).await
    }
}

/// Whether a URN is of an edition, in whatever language.
fn is_edition_of(urn: &str, edition: &Urn) -> bool {
    urn.strip_prefix(edition.without_language()).is_some_and(|rest| rest.starts_with(':'))
}

/// Whether a designation names an edition of the list.
fn is_named(row: &ListRow, document: &PrintedDocument) -> bool {
    let reference = &row.summary.reference;
    if reference_key(reference) == reference_key(&document.text) {
        return true;
    }
    // An amended text is another edition than the text without the amendment.
    let Some(own) = printed_document(reference) else { return false };
    if own.is_consolidated || document.is_consolidated {
        return false;
    }
    let is_same_document = reference_key(&own.citation.undated) == reference_key(&document.citation.undated)
        || row.summary.urn.document_urn() == document.citation.urn.document_urn()
        || own.citation.urn == document.citation.urn;
    is_same_document && is_of_year(row, &own, document)
}

/// The designation that a reference is, as a citation of it would be read.
fn printed_document(reference: &str) -> Option<PrintedDocument> {
    let own = PrintedCitation::read(reference).ok()?;
    own.document.filter(|_| own.locations.is_empty())
}

/// Whether an edition is of the year or month that a designation has.
fn is_of_year(row: &ListRow, own: &PrintedDocument, document: &PrintedDocument) -> bool {
    // Of a supplement also the year of what it amends: `ISO 7301:2021/Amd 1`.
    let amended = year_of_amended_edition(&document.text);
    let own_amended = year_of_amended_edition(&own.text);
    if amended.is_some() && own_amended.is_some() && amended != own_amended {
        return false;
    }
    let Some(cited) = document.citation.year.as_deref() else {
        // Without its own date a supplement is named by the edition that it amends. `:—` and revisions are
        // dates without a year.
        return match amended {
            Some(_) => own_amended.is_some(),
            None => !document.citation.dated,
        };
    };
    let published = published_on(row);
    let Some(stated) = own.citation.year.as_deref().or(published) else { return false };
    if !(stated.starts_with(cited) || cited.starts_with(stated)) {
        return false;
    }
    // The reference has the year alone; the date of publication may have the month.
    match published {
        Some(published) if published.len() >= cited.len() && published.get(..4) == cited.get(..4) => {
            published.starts_with(cited) || stated.len() >= cited.len()
        }
        _ => true,
    }
}

/// The year of the edition that a supplement amends: `2021` of `ISO 7301:2021/Amd 1:2024`.
fn year_of_amended_edition(text: &str) -> Option<&str> {
    for (at, _) in text.match_indices(':') {
        let Some((date, _)) = text[at + 1..].split_once('/') else { continue };
        let Some(year) = date.get(..4) else { continue };
        let is_date = date.len() == 4 || date[4..].starts_with('-');
        if is_date && year.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(year);
        }
    }
    None
}

/// How a caller may use an edition, for the audit.
pub(crate) fn audited(edition: &AuthorizedEdition) -> AuditedStandard {
    let only_discovered = edition.granted().level() == Level::Discover;
    AuditedStandard { urn: edition.urn().into(), only_discovered }
}
