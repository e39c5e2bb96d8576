//! Two editions that can be compared: what the catalogue says of them, and the way to their comparison.

use std::sync::Arc;

use http::header;
use norma_api::Operation;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{AccessLevel, ComparedEdition};
use norma_editions::comparison::{self, ComparedState, ComparisonError, FoundComparison};
use norma_model::{Lang, PartialUrn, Urn};
use norma_settings::LimitSettings;
use norma_store::{Comparable, Correspondence, GrantedEdition, Level, RelatedKind};
use norma_traces::Trace;

use super::cache::{CachedComparison, Comparisons, WantedComparison};
use super::compared_pair::{ComparedPair, PageSize};
use crate::Failure;
use crate::access::GrantedPair;
use crate::failed::failed;
use crate::pair_side::PairSide;
use crate::revision_failure;
use crate::services::RequestServices;
use crate::tag::digest;

/// Two editions that can be compared, with what the catalogue says of them.
pub(crate) struct ComparablePair {
    pub(crate) granted: GrantedPair,
    /// The language that is compared.
    pub(crate) language: Lang,
    /// The publisher's table for the two.
    table: Vec<Correspondence>,
    /// A digest of the table, which changes the comparison but not a revision.
    pub(crate) table_digest: String,
    /// Number of provisions of both editions, in all their languages.
    pub(crate) provisions: usize,
    /// Bytes of memory that comparing them takes, at most.
    memory: u64,
    services: RequestServices,
}

impl ComparablePair {
    /// Reads from the catalogue what a comparison needs.
    ///
    /// # Errors
    /// The editions cannot be compared.
    pub(crate) async fn read(
        pair: GrantedPair,
        query: &ComparisonQuery,
        services: &RequestServices,
    ) -> Result<Self, Failure> {
        let _step = services.trace.step("read");
        expect_two_texts(&pair)?;
        let [older, newer] = pair.urns();
        let rows = [rows_of(&pair.granted[0]).await?, rows_of(&pair.granted[1]).await?];
        let is_one_document = older.document_urn() == newer.document_urn();
        if !is_one_document && !query.different_documents && !share_a_document([older, newer], &rows) {
            return Err(not_comparable(format!(
                "{older} and {newer} are editions of different documents; to compare them, send \
                 `differentDocuments=true`."
            )));
        }
        let language = language(&pair.granted, query.language.as_ref())?;
        let counts = rows.each_ref().map(|row| row.provisions);
        let provisions = counts.iter().sum();
        let [older, newer] = &pair.compared;
        let mut size_of_earlier: u64 = 0;
        for earlier in pair.earlier.iter().flatten() {
            size_of_earlier += earlier.units_size;
        }
        let memory = comparison::memory([older.entry(), newer.entry()], provisions)
            .saturating_add(size_of_earlier.saturating_mul(MEMORY_OF_EARLIER));
        if let Some(failure) = exceeded(&pair, counts, memory, &services.shared.settings.limits) {
            // A comparison that is stored is only read, however large it is. Those of revisions are not
            // stored.
            let is_stored = !pair.is_of_revision
                && older.has_comparison(newer, &language, norma_compare::VERSION).await.map_err(failed)?;
            if !is_stored {
                return Err(failure);
            }
        }
        let table = older.correspondences(newer).await.map_err(failed)?;
        let table_digest = digest(format!("{table:?}").as_bytes());
        let services = services.clone();
        Ok(Self { granted: pair, language, table, table_digest, provisions, memory, services })
    }

    /// The description of an edition in the answer, for a caller who may discover it.
    pub(crate) fn edition(&self, side: PairSide) -> ComparedEdition<'static> {
        let index = side.index();
        let granted = &self.granted.granted[index];
        let entry = granted.entry();
        ComparedEdition {
            urn: entry.summary.urn.to_string().into(),
            revision: self.granted.revision(index).to_owned().into(),
            reference: entry.summary.reference.clone().into(),
            title: entry.summary.title.clone().into(),
            access: match granted.level() {
                Level::Discover => AccessLevel::Discover,
                Level::Read => AccessLevel::Read,
            },
        }
    }

    /// The comparison, cached or made now, after all memory for this page of it is reserved.
    pub(crate) async fn comparison(&self, page: PageSize) -> Result<Arc<CachedComparison>, Failure> {
        self.reserve(page).await?;
        self.cached("", self.found()).await
    }

    /// Does work that takes long, without delaying other requests.
    pub(crate) async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        self.services.slots.run(work).await
    }

    /// Reserves all memory for making a page at once, so that no request waits for memory while it holds the
    /// comparison.
    async fn reserve(&self, PageSize { items, reads_editions, has_parts }: PageSize) -> Result<(), Failure> {
        let items = items.min(self.provisions) as u64;
        let entries = self.granted.granted.each_ref().map(|one| &**one.entry());
        let parts = if has_parts { comparison::memory_of_parts(entries) } else { 0 };
        // Counts alone need no memory.
        let Some([older, newer]) = &self.granted.readable else { return Ok(()) };
        if reads_editions {
            let page = items.saturating_mul(ITEM_WITH_TEXTS).saturating_add(parts);
            return older.reserve_work_with(&[newer], page).await;
        }
        self.services.memory.add(items.saturating_mul(ITEM).saturating_add(parts)).await
    }

    /// The comparison with an earlier revision, cached or made now.
    pub(crate) async fn of_revision(&self) -> Result<Arc<CachedComparison>, Failure> {
        self.cached("", self.found()).await
    }

    /// The stored comparison, and true; or the changes between the pairs that the lineages of the document
    /// give. It is also true if the two will not be compared later, since they are not neighbours.
    pub(crate) async fn stored_or_followed(&self) -> Result<(Arc<CachedComparison>, bool), Failure> {
        let [older, newer] = &self.granted.compared;
        if older.has_comparison(newer, &self.language, norma_compare::VERSION).await.map_err(failed)? {
            return Ok((self.cached("", self.found()).await?, true));
        }
        let [older, newer] = &self.granted.granted;
        let stored = older.partition().await.map_err(failed)?;
        let row = self.services.slots.run_sized(stored.size(), move || stored.decode()).await;
        let (pairs, are_neighbours) = older.lineage_pairs(newer, row.map_err(failed)?.as_ref());
        let state = digest(format!("{pairs:?}").as_bytes());
        let ([older, newer], language) = (self.granted.compared.clone(), self.language.clone());
        let make = async move {
            let found = comparison::follow([&older, &newer], pairs, &language).await.map_err(refused)?;
            Ok(found.into())
        };
        Ok((self.cached(&state, make).await?, !are_neighbours))
    }

    /// The comparison from memory, or the result of `make`. `state` tells comparisons of the same states of
    /// both editions apart.
    async fn cached<M>(&self, state: &str, make: M) -> Result<Arc<CachedComparison>, Failure>
    where
        M: Future<Output = Result<ComparedPair, Failure>> + Send + 'static,
    {
        let [older, newer] = self.granted.granted.each_ref().map(GrantedEdition::entry);
        let key = [
            older.summary.urn.as_str(),
            &older.revision,
            newer.summary.urn.as_str(),
            &newer.revision,
            self.language.as_str(),
            &self.table_digest,
            self.granted.revision(0),
            self.granted.revision(1),
            state,
        ];
        let client = self.services.slots.client().clone();
        let (key, provisions, memory) = (key.join("\n").into(), self.provisions, self.memory);
        self.services
            .shared
            .comparisons
            .get(&WantedComparison { key, provisions, memory, client }, make)
            .await
    }

    /// The stored comparison, or one that is made now. Comparisons of revisions are not stored.
    fn found(&self) -> impl Future<Output = Result<ComparedPair, Failure>> + Send + 'static {
        let [older, newer] = self.granted.compared.clone();
        let [earlier_of_older, earlier_of_newer] =
            self.granted.earlier.each_ref().map(|earlier| earlier.as_ref().map(|earlier| earlier.number));
        let source = ComparisonSource {
            states: [
                ComparedState { edition: older, earlier: earlier_of_older },
                ComparedState { edition: newer, earlier: earlier_of_newer },
            ],
            language: self.language.clone(),
            table: self.table.clone(),
            comparisons: Arc::clone(&self.services.shared.comparisons),
            trace: self.services.trace.clone(),
        };
        let is_of_revision = self.granted.is_of_revision;
        async move {
            let found =
                if is_of_revision { source.of_revision().await } else { source.stored_or_made().await };
            Ok(found.map_err(refused)?.into())
        }
    }
}

/// What a comparison is read or made from.
struct ComparisonSource {
    states: [ComparedState; 2],
    language: Lang,
    table: Vec<Correspondence>,
    comparisons: Arc<Comparisons>,
    trace: Trace,
}

impl ComparisonSource {
    async fn of_revision(self) -> Result<FoundComparison, ComparisonError> {
        let _step = self.trace.step("compare");
        self.comparisons.count_made();
        comparison::make_of_states(self.states, self.table, &self.language).await
    }

    async fn stored_or_made(self) -> Result<FoundComparison, ComparisonError> {
        let [older, newer] = self.states.map(|state| state.edition);
        let step = self.trace.step("read");
        let stored = comparison::stored(&older, &newer, &self.language).await?;
        step.end();
        if let Some(found) = stored {
            return Ok(found);
        }
        let _step = self.trace.step("compare");
        self.comparisons.count_made();
        comparison::make([&older, &newer], self.table, &self.language, usize::MAX).await
    }
}

/// Most bytes of memory for each byte of the units of an earlier revision, in addition to those of its
/// present one: the decoded units of two revisions at once, and their texts.
const MEMORY_OF_EARLIER: u64 = 3;

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

/// True for documents of which one adopts the other, or both the same.
fn share_a_document(urns: [&Urn; 2], rows: &[Comparable; 2]) -> bool {
    let older = document_names(urns[0], &rows[0]);
    let newer = document_names(urns[1], &rows[1]);
    older.iter().any(|document| newer.contains(document))
}

/// The names of the document of an edition, and of those that it adopts.
fn document_names(urn: &Urn, row: &Comparable) -> Vec<Box<str>> {
    let mut names = vec![norma_compare::document_name(urn.as_partial())];
    for adopted in &row.adopted {
        // Text without a URN names no document that could be compared.
        if let Ok(urn) = adopted.parse::<PartialUrn>() {
            names.push(norma_compare::document_name(&urn));
        }
    }
    names
}

/// The language that is compared: the requested one, or the first that both editions have.
fn language(granted: &[GrantedEdition; 2], asked: Option<&Lang>) -> Result<Lang, Failure> {
    let [older, newer] = granted.each_ref().map(|one| &one.entry().summary);
    let common = norma_compare::languages_of_both(&older.languages, &newer.languages);
    let Some(first) = common.first() else {
        return Err(not_comparable(format!(
            "The editions have no language in common: {} is in {}, {} in {}.",
            older.urn,
            list(&older.languages),
            newer.urn,
            list(&newer.languages)
        )));
    };
    let Some(asked) = asked else { return Ok(first.clone()) };
    if common.contains(asked) {
        return Ok(asked.clone());
    }
    let detail = format!("`language`: found {asked}, expected one of {}.", list(&common));
    let cause = ProblemError {
        detail: detail.clone().into(),
        parameter: Some("language".into()),
        allowed: common.iter().map(|language| language.to_string().into()).collect(),
        ..ProblemError::default()
    };
    Err(Failure::new(Code::InvalidParameter, detail).because(cause))
}

fn list(languages: &[Lang]) -> String {
    let codes: Vec<&str> = languages.iter().map(Lang::as_str).collect();
    codes.join(", ")
}

/// Refuses a pair without two texts that can be compared.
fn expect_two_texts(pair: &GrantedPair) -> Result<(), Failure> {
    let [older, newer] = pair.urns();
    if older == newer && !pair.is_of_revision {
        return Err(not_comparable(format!(
            "`with` names the edition in the path, {older}; expected another edition, or its revision in \
             `withRevision`."
        )));
    }
    if let Some(amendment) = amendment_of(&pair.granted) {
        return Err(not_comparable(format!(
            "{amendment} amends the other edition, and holds instructions instead of its text. Read what it \
             changes: {}.",
            Operation::Instructions.path_with(&[&amendment])
        )));
    }
    for (earlier, urn) in pair.earlier.iter().zip([older, newer]) {
        if let Some(earlier) = earlier
            && !earlier.reason.is_empty()
        {
            return Err(revision_failure::not_comparable(urn, earlier, "withRevision"));
        }
    }
    Ok(())
}

/// The one of two editions that amends the other.
fn amendment_of(pair: &[GrantedEdition; 2]) -> Option<String> {
    let [first, second] = pair;
    for (one, other) in [(first, second), (second, first)] {
        let urn = &other.entry().summary.urn;
        if one.related().iter().any(|related| related.kind == RelatedKind::Amends && related.urn == *urn) {
            return Some(one.entry().summary.urn.to_string());
        }
    }
    None
}

fn not_comparable(detail: String) -> Failure {
    Failure::of_parameter(Code::NotComparable, "with", detail)
}

/// The failure when a comparison would be larger than a limit; `None` where it is not. Of an edition that the
/// caller may only discover it says no more than that.
fn exceeded(
    pair: &GrantedPair,
    provisions: [usize; 2],
    memory: u64,
    limits: &LimitSettings,
) -> Option<Failure> {
    let mut large: Vec<&str> = Vec::new();
    for (urn, provisions) in pair.urns().into_iter().zip(provisions) {
        if provisions > limits.max_compared_provisions {
            large.push(urn.as_str());
        }
    }
    let limit = if !large.is_empty() {
        format!("{} provisions (`max-compared-provisions`)", limits.max_compared_provisions)
    } else if memory > limits.comparison_memory.bytes() {
        large.extend(pair.urns().map(|urn| urn.as_str()));
        format!("{} bytes of memory (`comparison-memory`)", limits.comparison_memory.bytes())
    } else {
        return None;
    };
    let detail = format!("{}: expected at most {limit}.", large.join(", "));
    Some(Failure::new(Code::ComparisonTooLarge, detail))
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
