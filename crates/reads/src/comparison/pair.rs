//! Two editions that a caller may compare: both are visible to them, and at least one may be read.

use std::sync::Arc;

use crate::{AuthorizedEdition, AuthorizedPair, ComparedPair, Failure, PageSize, PairSide};
use futures::future::BoxFuture;
use http::header;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{AccessLevel, ComparedEdition};
use norma_editions::comparison::{self, ComparisonError};
use norma_model::{Lang, PartialUrn, Urn};
use norma_store::{Comparable, Correspondence, EditionHandle, GrantedEdition, Level};

use crate::comparison::{Cached, Wanted};
use crate::edition::Authorized;
use crate::failed::{failed, unlicensed};
use crate::services::ReadState;
use crate::services::RequestServices;

/// Two editions, the older one first. Whether they may be compared follows from rows of the catalogue alone.
pub struct EditionPair<'s> {
    shared: &'s ReadState,
    granted: [GrantedEdition; 2],
    /// The editions for their comparison.
    compared: [EditionHandle; 2],
    /// The editions, where the caller may read both.
    readable: Option<Box<[Authorized; 2]>>,
    named: (PairSide, bool),
    language: Lang,
    /// The publisher's table for the two, and a digest of it.
    table: (Vec<Correspondence>, String),
    /// Number of provisions of both.
    provisions: usize,
    /// Bytes of memory that comparing them takes, at most.
    memory: u64,
    services: RequestServices,
}

impl<'s> EditionPair<'s> {
    /// The pair of the edition in the path and the other one, if their caller may read one of them and they
    /// can be compared. `exact`: both were asked for by their canonical URNs.
    ///
    /// # Errors
    /// The caller may read neither, or the editions cannot be compared.
    pub async fn new(
        shared: &'s ReadState,
        (first, second): (GrantedEdition, GrantedEdition),
        exact: bool,
        query: &ComparisonQuery,
        services: &RequestServices,
    ) -> Result<Self, Failure> {
        let named = if first.entry().precedes(second.entry()) { PairSide::Older } else { PairSide::Newer };
        let granted = match named {
            PairSide::Older => [first, second],
            PairSide::Newer => [second, first],
        };
        let Some(compared) = granted[0].compared_with(&granted[1]) else {
            return Err(unlicensed(&granted[index(named)].entry().summary.urn));
        };
        let may_read_both = granted.iter().all(|one| one.level() >= Level::Read);
        let authorized = |one: &GrantedEdition| Authorized::new(one.clone(), exact, services);
        let readable = may_read_both.then(|| Box::new(granted.each_ref().map(authorized)));
        let [older, newer] = granted.each_ref().map(|one| &one.entry().summary.urn);
        if older == newer {
            return Err(not_comparable(format!(
                "`with` names the edition in the path, {older}; expected another edition."
            )));
        }
        let rows = [rows_of(&granted[0]).await?, rows_of(&granted[1]).await?];
        let is_one_document = older.document_urn() == newer.document_urn();
        if !is_one_document && !query.different_documents && !share_a_document([older, newer], &rows) {
            return Err(not_comparable(format!(
                "{older} and {newer} are editions of different documents; to compare them, send \
                 `differentDocuments=true`."
            )));
        }
        let language = language(&granted, query.language.as_ref())?;
        let [older, newer] = &compared;
        let limits = &shared.settings.limits;
        let provisions = rows.each_ref().map(|row| row.provisions);
        let memory = comparison::memory([older.entry(), newer.entry()], provisions.iter().sum());
        let has_too_many = provisions.map(|found| found > limits.max_compared_provisions);
        let is_too_large = memory > limits.comparison_memory.bytes();
        if (has_too_many.contains(&true) || is_too_large)
            && !older.has_comparison(newer, &language, norma_compare::VERSION).await.map_err(failed)?
        {
            let urns = [older, newer].map(|edition| edition.entry().summary.urn.as_str());
            let wrong: Vec<&str> =
                urns.into_iter().zip(has_too_many).filter(|(_, many)| *many).map(|(urn, _)| urn).collect();
            return Err(match wrong.is_empty() {
                true => too_large(
                    &urns,
                    format!("{} bytes of memory (`comparison-memory`)", limits.comparison_memory.bytes()),
                ),
                false => too_large(
                    &wrong,
                    format!("{} provisions (`max-compared-provisions`)", limits.max_compared_provisions),
                ),
            });
        }
        let table = older.correspondences(newer).await.map_err(failed)?;
        let digest = crate::digest(format!("{table:?}").as_bytes());
        Ok(Self {
            shared,
            granted,
            compared,
            readable,
            named: (named, exact),
            language,
            table: (table, digest),
            provisions: provisions.iter().sum(),
            memory,
            services: services.clone(),
        })
    }

    /// Reserves all memory for making a page at once, so that no request waits for memory while it holds the
    /// comparison.
    async fn reserve(&self, PageSize { items, reads_editions, has_parts }: PageSize) -> Result<(), Failure> {
        let items = items.min(self.provisions) as u64;
        let entries = self.granted.each_ref().map(|one| &**one.entry());
        let parts = if has_parts { comparison::memory_of_parts(entries) } else { 0 };
        match &self.readable {
            Some(editions) if reads_editions => {
                let [older, newer] = &**editions;
                older
                    .reserve_work_with(&[newer], items.saturating_mul(ITEM_WITH_TEXTS).saturating_add(parts))
                    .await
            }
            Some(_) => self.services.memory.add(items.saturating_mul(ITEM).saturating_add(parts)).await,
            None => Ok(()),
        }
    }

    /// The stored comparison, and true; or the changes between the pairs that the lineages of the document
    /// give. It is also true if the two will not be compared later, since they are not neighbours.
    pub(crate) async fn stored_or_followed(&self) -> Result<(Arc<Cached>, bool), Failure> {
        let [older, newer] = &self.compared;
        if older.has_comparison(newer, &self.language, norma_compare::VERSION).await.map_err(failed)? {
            return Ok((self.cached("", self.found()).await?, true));
        }
        let stored = self.granted[0].partition().await.map_err(failed)?;
        let row = self.services.slots.run_sized(stored.size(), move || stored.decode()).await;
        let (pairs, are_neighbours) =
            self.granted[0].lineage_pairs(&self.granted[1], row.map_err(failed)?.as_ref());
        let state = crate::digest(format!("{pairs:?}").as_bytes());
        let ([older, newer], language) = (self.compared.clone(), self.language.clone());
        let make = async move {
            let found = comparison::follow([&older, &newer], pairs, &language).await.map_err(refused)?;
            Ok(ComparedPair::new(found.record, found.ordinals))
        };
        Ok((self.cached(&state, make).await?, !are_neighbours))
    }

    /// The comparison from memory, or the result of `make`. `state` tells comparisons of the same states of
    /// both editions apart.
    async fn cached<M>(&self, state: &str, make: M) -> Result<Arc<Cached>, Failure>
    where
        M: Future<Output = Result<ComparedPair, Failure>> + Send + 'static,
    {
        let [older, newer] = self.granted.each_ref().map(GrantedEdition::entry);
        let key = [
            older.summary.urn.as_str(),
            &older.revision,
            newer.summary.urn.as_str(),
            &newer.revision,
            self.language.as_str(),
            &self.table.1,
            state,
        ];
        let client = self.services.slots.client().clone();
        let (key, provisions, memory) = (key.join("\n").into(), self.provisions, self.memory);
        self.shared.comparisons.get(&Wanted { key, provisions, memory, client }, make).await
    }

    /// The stored comparison, or one that is made now.
    fn found(&self) -> impl Future<Output = Result<ComparedPair, Failure>> + Send + 'static {
        let [older, newer] = self.compared.clone();
        let (language, table) = (self.language.clone(), self.table.0.clone());
        let (limits, trace) = (self.shared.settings.ingest.clone(), self.services.trace.clone());
        let comparisons = Arc::clone(&self.shared.comparisons);
        async move {
            let step = trace.step("read");
            let stored = comparison::stored(&older, &newer, &language, &limits).await.map_err(refused)?;
            step.end();
            let found = match stored {
                Some(found) => found,
                None => {
                    let _step = trace.step("compare");
                    comparisons.count_made();
                    comparison::make([&older, &newer], table, &language, usize::MAX).await.map_err(refused)?
                }
            };
            Ok(ComparedPair::new(found.record, found.ordinals))
        }
    }
}

impl AuthorizedPair for EditionPair<'_> {
    fn edition(&self, side: PairSide) -> ComparedEdition<'static> {
        let granted = &self.granted[index(side)];
        let entry = granted.entry();
        ComparedEdition {
            urn: entry.summary.urn.to_string().into(),
            revision: entry.revision.clone().into(),
            reference: entry.summary.reference.clone().into(),
            title: entry.summary.title.clone().into(),
            access: match granted.level() {
                Level::Discover => AccessLevel::Discover,
                Level::Read => AccessLevel::Read,
            },
        }
    }

    fn readable(&self) -> Option<[&dyn AuthorizedEdition; 2]> {
        let [older, newer] = &**self.readable.as_ref()?;
        Some([older, newer])
    }

    fn named(&self) -> (PairSide, bool) {
        self.named
    }

    fn provisions(&self) -> usize {
        self.provisions
    }

    fn language(&self) -> &Lang {
        &self.language
    }

    fn table(&self) -> &str {
        &self.table.1
    }

    fn comparison(
        &self,
        page: PageSize,
    ) -> BoxFuture<'_, Result<Arc<dyn AsRef<ComparedPair> + Send + Sync>, Failure>> {
        Box::pin(async move {
            self.reserve(page).await?;
            Ok(self.cached("", self.found()).await? as Arc<dyn AsRef<ComparedPair> + Send + Sync>)
        })
    }

    fn work(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'_, ()> {
        Box::pin(self.services.slots.run(work))
    }
}

/// Bytes of memory for an item of a page while the page is made: as values, as JSON and in gzip.
const ITEM: u64 = 2048;

/// The same, of an item with texts.
const ITEM_WITH_TEXTS: u64 = 4096;

/// The values in the catalogue that decide whether an edition may be compared.
async fn rows_of(granted: &GrantedEdition) -> Result<Comparable, Failure> {
    let rows = granted.comparable().await.map_err(failed)?;
    // It changed since it was looked up.
    rows.ok_or_else(|| failed(norma_store::StoreError::Contended(granted.entry().summary.urn.to_string())))
}

/// Whether two editions are of one document, or of documents of which one adopts the other or both the same.
fn share_a_document(urns: [&Urn; 2], rows: &[Comparable; 2]) -> bool {
    let [older, newer] = [0, 1].map(|side| {
        let adopted = rows[side].adopted.iter().filter_map(|urn| urn.parse::<PartialUrn>().ok());
        let adopted = adopted.map(|urn| norma_compare::document_name(&urn));
        adopted.chain([norma_compare::document_name(urns[side].as_partial())]).collect::<Vec<_>>()
    });
    older.iter().any(|document| newer.contains(document))
}

fn index(side: PairSide) -> usize {
    match side {
        PairSide::Older => 0,
        PairSide::Newer => 1,
    }
}

/// The language that is compared: the requested one, or the first that both editions have.
fn language([older, newer]: &[GrantedEdition; 2], asked: Option<&Lang>) -> Result<Lang, Failure> {
    let [older, newer] = [older, newer].map(|granted| &granted.entry().summary);
    let common = norma_compare::languages_of_both(&older.languages, &newer.languages);
    let list = |languages: &[Lang]| languages.iter().map(Lang::as_str).collect::<Vec<_>>().join(", ");
    let found = match asked {
        None => common.first(),
        Some(asked) => common.iter().find(|language| *language == asked),
    };
    found.cloned().ok_or_else(|| match (asked, common.is_empty()) {
        (Some(asked), false) => {
            let detail = format!("`language`: found {asked}, expected one of {}.", list(&common));
            let cause = ProblemError {
                detail: detail.clone().into(),
                parameter: Some("language".into()),
                allowed: common.iter().map(|language| language.to_string().into()).collect(),
                ..ProblemError::default()
            };
            Failure::new(Code::InvalidParameter, detail).because(cause)
        }
        _ => not_comparable(format!(
            "The editions have no language in common: {} is in {}, {} in {}.",
            older.urn,
            list(&older.languages),
            newer.urn,
            list(&newer.languages)
        )),
    })
}

fn not_comparable(detail: String) -> Failure {
    let cause = ProblemError {
        detail: detail.clone().into(),
        parameter: Some("with".into()),
        ..ProblemError::default()
    };
    Failure::new(Code::NotComparable, detail).because(cause)
}

/// The failure when a comparison would be larger than a limit. Of an edition that the caller may only
/// discover it says no more than that.
fn too_large(urns: &[&str], limit: String) -> Failure {
    Failure::new(Code::ComparisonTooLarge, format!("{}: expected at most {limit}.", urns.join(", ")))
}

/// The answer where a comparison cannot be made.
fn refused(error: ComparisonError) -> Failure {
    match error {
        ComparisonError::Store(error) => failed(error),
        error @ ComparisonError::OtherVersion { .. } => {
            let detail = "This standard has to be rebuilt by the operator before it can be compared.";
            Failure::new(Code::Unavailable, detail)
                .with(header::RETRY_AFTER, "60")
                .caused_by(error.to_string())
        }
        error => Failure::internal(&error),
    }
}
