//! Search: what a caller finds in the editions that they may discover or read, and the texts of its hits.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{AuthorizedEdition, AuthorizedSearch, Failure};
use bytes::Bytes;
use futures::future::BoxFuture;
use norma_api::problem::{Code, ProblemError};
use norma_api::query::SearchQuery;
use norma_api::shapes::{
    SearchFacet, SearchFacets, SearchHit, SearchProgress, SearchState, SearchedStandard, SectionRef, Slice,
    Table, Term, ValueCount,
};
use norma_audit::AuditedStandard;
use norma_editions::search::{
    AnchoredProvision, EditionFacet, EditionSearchInSteps, FoundEdition, FoundTexts, MAX_SELECTIONS,
    NoAnswer, SearchInput, SectionText, search_kind, selected_editions, text_query, unit_filter,
};
use norma_model::{Identifier, Lang};
use norma_search::{Excerpt, LanguageText, Page, SearchCursor, TextQuery, UnitHit, UnitKind, excerpt};
use norma_store::{CatalogueView, GrantedEdition, Lookup};
use serde::Deserialize;

use crate::edition::Authorized;
use crate::failed::failed;
use crate::services::{ReadState, RequestServices};

/// Longest work of a search in one turn: the next client waits this long.
const SEARCH_STEP: Duration = Duration::from_millis(5);

/// Most provisions that are taken out of the text of a section: 1 to 2 MB of JSON.
const MOST_PROVISIONS: u32 = 1_000;

/// What a search found, with the editions of its page.
pub struct GrantedSearch {
    found: FoundTexts,
    query: TextQuery,
    asked: SearchQuery,
    /// Editions of the page, by slot.
    editions: HashMap<u32, GrantedEdition>,
    services: RequestServices,
}

impl GrantedSearch {
    /// Searches the editions of a view.
    pub async fn find(
        shared: &ReadState,
        view: &CatalogueView<'_>,
        asked: SearchQuery,
        services: &RequestServices,
    ) -> Result<Self, Failure> {
        let search = shared.search.as_ref();
        let search = search.ok_or_else(|| Failure::new(Code::SearchOff, "The full-text search is off."))?;
        let query = text_query(&asked, shared.settings.limits.max_query_words)
            .map_err(|error| wrong("q", Code::InvalidParameter, format!("`q`: {error}.")))?;
        let after = match &asked.cursor {
            None => None,
            Some(text) => Some(SearchCursor::decode(text, &asked.canonical()).ok_or_else(|| {
                let detail = "`cursor` was altered, or is of another search: repeat `q` and the filters, or leave it out.";
                wrong("cursor", Code::InvalidCursor, detail.to_owned())
            })?),
        };
        let page = Page {
            limit: asked.limit as usize,
            after,
            grouped: asked.grouped,
            max_matches: shared.settings.search.search_matches,
        };
        let selected = selected_editions(&asked)
            .map_err(|error| wrong("urn", Code::InvalidParameter, format!("`urn`: {error}.")))?;
        let filter = unit_filter(&asked);
        let facets: Vec<EditionFacet> =
            asked.facets.iter().filter_map(|facet| edition_facet(*facet)).collect();
        let input = Arc::new(SearchInput { query, filter, page, facets });
        // Those that are begun take turns, step by step.
        let _begun = services.slots.begin_search().await;
        let mut renewed = None;
        for attempt in 0..MAX_SELECTIONS {
            if attempt > 0 {
                // The index of editions or an edition is not of this view: it changed meanwhile.
                renewed = Some(view.renewed().await.map_err(failed)?);
            }
            let view = renewed.as_ref().unwrap_or(view);
            let editions = view.searchable(&selected).await.map_err(failed)?;
            let found = match services.slots.run_in_steps(search.begin(editions, &input), step).await {
                Ok(found) => found,
                Err(NoAnswer::Changed) => continue,
                Err(error @ NoAnswer::TooManyMatches) => {
                    let detail = format!("Too many texts match (`search-matches`): {error}.");
                    return Err(Failure::new(Code::Unavailable, detail).with(http::header::RETRY_AFTER, "60"));
                }
            };
            let query = input.query.clone();
            return match granted(view, &found).await? {
                Some(editions) => Ok(Self { found, query, asked, editions, services: services.clone() }),
                None => continue,
            };
        }
        let detail = "The catalogue changed while it was searched; ask again.";
        Err(Failure::new(Code::Unavailable, detail).with(http::header::RETRY_AFTER, "1"))
    }

    /// The editions of which the page shows texts, or titles only, in order.
    pub fn audited(&self) -> Vec<AuditedStandard> {
        let shows_text = |slot: u32| self.all_hits().any(|hit| hit.slot == slot && !hit.shows_title_only());
        let mut audited: Vec<AuditedStandard> = self
            .editions
            .iter()
            .map(|(slot, edition)| AuditedStandard {
                urn: edition.entry().summary.urn.as_str().into(),
                only_discovered: !shows_text(*slot),
            })
            .collect();
        audited.sort_by(|a, b| a.urn.cmp(&b.urn));
        audited
    }

    /// The hits of the page.
    fn all_hits(&self) -> impl Iterator<Item = &UnitHit> {
        let found = &self.found.found;
        found.hits.iter().chain(found.groups.iter().flat_map(|group| &group.hits))
    }

    /// Whether all texts of the caller were searched. Otherwise the answer is not to be kept.
    pub fn is_complete(&self) -> bool {
        self.found.state() == SearchState::Complete
    }

    /// The hits of the page with their texts, by slot and position. One edition after the other is read, and
    /// one table after the other, so that memory is reserved for one only.
    async fn hits(&self) -> Result<HashMap<(u32, u32), SearchHit<'static>>, Failure> {
        let mut read_together: BTreeMap<(u32, Option<u32>), Vec<&UnitHit>> = BTreeMap::new();
        for hit in self.all_hits() {
            let table = (hit.kind == UnitKind::Table).then_some(hit.index);
            read_together.entry((hit.slot, table)).or_default().push(hit);
        }
        let mut shapes = HashMap::new();
        for ((slot, _), hits) in read_together {
            let Some(granted) = self.editions.get(&slot) else { continue };
            let memory = self.services.memory.for_part();
            let services = RequestServices { memory, ..self.services.clone() };
            let edition = Authorized::new(granted.clone(), true, &services);
            let texts = HitTexts::of(&edition, &hits).await?;
            for hit in hits {
                shapes.insert((slot, hit.position), self.hit(&edition, &texts, hit).await?);
            }
        }
        Ok(shapes)
    }

    async fn hit(
        &self,
        edition: &Authorized,
        texts: &HitTexts,
        hit: &UnitHit,
    ) -> Result<SearchHit<'static>, Failure> {
        let summary = edition.summary();
        let mut shape = SearchHit {
            kind: search_kind(hit.kind),
            id: None,
            label: None,
            urn: summary.urn.clone().into_owned().into(),
            reference: summary.reference.clone().into_owned().into(),
            title: summary.title.clone().into_owned().into(),
            status: summary.status,
            access: summary.access,
            provision_type: None,
            normative: None,
            section: None,
            text: "".into(),
            highlights: Vec::new(),
        };
        let index = hit.index as usize;
        let language = hit.language.and_then(|code| code.parse().ok());
        let language = language.unwrap_or_else(Lang::undetermined);
        let in_one_language = |text: String| vec![LanguageText::new(text, &language)];
        let parts = match hit.kind {
            UnitKind::Standard => in_one_language(summary.title.into_owned()),
            UnitKind::Section => {
                let section: SectionText = parsed(edition, Some(&edition.section(index).await?))?;
                let own = match hit.shows_title_only() {
                    true => None,
                    false => Some(own_text(edition, &section, index).await?),
                };
                let SectionText { id, label, number, title, text: _ } = section;
                (shape.id, shape.label) = (Some(id.clone().into()), label.map(Into::into));
                // Its text is shown without its title, where the words are far behind.
                let (number, own_title) = (number.map(Into::into), title.clone().map(Into::into));
                shape.section = own.as_ref().map(|_| SectionRef { id: id.into(), number, title: own_title });
                let [title, own] = [title, own].map(|text| in_one_language(text.unwrap_or_default()));
                LanguageText::titled(title, own)
            }
            UnitKind::Provision => {
                let FoundProvision { id, label, kind, normative, section, text, lead_in } =
                    parsed(edition, texts.provisions.get(&hit.index))?;
                (shape.id, shape.label) = (Some(id.into()), label.map(Into::into));
                (shape.provision_type, shape.normative, shape.section) =
                    (Some(kind), Some(normative), section);
                in_one_language(match lead_in {
                    Some(lead_in) => format!("{lead_in} {text}"),
                    None => text,
                })
            }
            UnitKind::Term => {
                let term = texts.terms.get(index).cloned();
                let term = term.ok_or_else(|| edition.unreadable("a term that was found"))?;
                let parts = term_text(&term);
                (shape.id, shape.label, shape.section) = (Some(term.id), term.number, Some(term.section));
                parts
            }
            UnitKind::Table => {
                let fragment = edition.table(index).await?;
                let table: Table<'static> = parsed(edition, Some(&fragment))?;
                let text = table_text(&table);
                (shape.id, shape.label, shape.section) = (Some(table.id), table.label, Some(table.section));
                in_one_language(text)
            }
        };
        let Excerpt { text, highlights } = excerpt(&parts, &self.query);
        shape.text = text.into();
        shape.highlights = highlights
            .into_iter()
            .map(|(start, end)| Slice { start: start as usize, end: end as usize })
            .collect();
        Ok(shape)
    }
}

/// Goes on with a search for one turn.
fn step(search: &mut EditionSearchInSteps) -> Option<Result<FoundTexts, NoAnswer>> {
    let begun = Instant::now();
    search.step(&mut || begun.elapsed() >= SEARCH_STEP).transpose()
}

/// The editions of the page, as their caller may use them; `None` where the catalogue has another revision
/// meanwhile.
async fn granted(
    view: &CatalogueView<'_>,
    found: &FoundTexts,
) -> Result<Option<HashMap<u32, GrantedEdition>>, Failure> {
    let mut editions = HashMap::new();
    for (slot, FoundEdition { urn, revision }) in &found.editions {
        let edition = view.find(&Identifier::Urn(urn.clone()), &[]).await.map_err(failed)?;
        match edition {
            Some(Lookup::Edition(granted)) if granted.entry().revision == *revision => {
                editions.insert(*slot, granted);
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(editions))
}

impl AuthorizedSearch for GrantedSearch {
    fn query(&self) -> &SearchQuery {
        &self.asked
    }

    fn answer(&self) -> BoxFuture<'_, Result<norma_api::shapes::SearchAnswer<'static>, Failure>> {
        Box::pin(async {
            let found = &self.found.found;
            let mut shapes = self.hits().await?;
            let mut shape = |hit: &UnitHit| shapes.remove(&(hit.slot, hit.position));
            let items = found.hits.iter().filter_map(&mut shape).collect();
            let mut standards = Vec::new();
            for group in &found.groups {
                let items: Vec<SearchHit<'static>> = group.hits.iter().filter_map(&mut shape).collect();
                let Some(SearchHit { urn, reference, title, status, access, .. }) = items.first().cloned()
                else {
                    continue;
                };
                let count = group.count;
                standards.push(SearchedStandard {
                    urn,
                    reference,
                    title,
                    status,
                    access,
                    hits: count,
                    items,
                });
            }
            let state = self.found.state();
            // While the index is built, a next page would leave out what is added to this one.
            let next = found.next.as_ref().filter(|_| state != SearchState::Building);
            let progress = SearchProgress {
                searched: self.found.indexed as u64,
                titles_only: Some(self.found.titles_only as u64).filter(|count| *count > 0),
                selected: self.found.selected as u64,
            };
            Ok(norma_api::shapes::SearchAnswer {
                total: found.total,
                state,
                progress: (state != SearchState::Complete).then_some(progress),
                hit_counts: (!self.asked.facets.is_empty()).then(|| self.facets()),
                items,
                standards,
                next: next.map(|cursor| cursor.encode(&self.asked.canonical()).into()),
            })
        })
    }
}

impl GrantedSearch {
    fn facets(&self) -> SearchFacets<'static> {
        let found = &self.found.found;
        let asked = |facet| self.asked.facets.contains(&facet);
        let counted = |facet: SearchFacet, values: Vec<(String, u64)>| {
            asked(facet).then(|| ordered(values.into_iter()))
        };
        let of_editions = |facet: EditionFacet| {
            let counts: Option<&BTreeMap<String, u64>> = self.found.counts.get(&facet);
            counts.map(|counts| ordered(counts.iter().map(|(value, count)| (value.clone(), *count))))
        };
        let kinds = UnitKind::ALL.iter().zip(found.kinds);
        let types = norma_search::PROVISION_KINDS.iter().zip(found.provisions);
        let normative = ["true", "false"].into_iter().zip(found.normative);
        SearchFacets {
            kind: counted(
                SearchFacet::Kind,
                kinds.map(|(unit, count)| (search_kind(*unit).to_string(), count)).collect(),
            ),
            provision_type: counted(
                SearchFacet::Type,
                types
                    .map(|(kind, count)| (norma_api::shapes::ProvisionType::from(*kind).to_string(), count))
                    .collect(),
            ),
            normative: counted(
                SearchFacet::Normative,
                normative.map(|(value, count)| (value.to_owned(), count)).collect(),
            ),
            publisher: of_editions(EditionFacet::Publisher),
            status: of_editions(EditionFacet::Status),
            language: of_editions(EditionFacet::Language),
            ics: of_editions(EditionFacet::Ics),
        }
    }
}

/// Counts of values, the highest first.
fn ordered(values: impl Iterator<Item = (String, u64)>) -> Vec<ValueCount<'static>> {
    let mut values: Vec<(String, u64)> = values.filter(|(_, count)| *count > 0).collect();
    values.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    values.into_iter().map(|(value, count)| ValueCount { facet_value: value.into(), hits: count }).collect()
}

fn edition_facet(facet: SearchFacet) -> Option<EditionFacet> {
    match facet {
        SearchFacet::Publisher => Some(EditionFacet::Publisher),
        SearchFacet::Status => Some(EditionFacet::Status),
        SearchFacet::Language => Some(EditionFacet::Language),
        SearchFacet::Ics => Some(EditionFacet::Ics),
        SearchFacet::Kind | SearchFacet::Type | SearchFacet::Normative => None,
    }
}

fn wrong(parameter: &'static str, code: Code, detail: String) -> Failure {
    let cause = ProblemError {
        detail: detail.clone().into(),
        parameter: Some(parameter.into()),
        ..ProblemError::default()
    };
    Failure::new(code, detail).because(cause)
}

/// Stored texts of one edition that several hits are taken from.
struct HitTexts {
    /// By index.
    provisions: HashMap<u32, Bytes>,
    /// All of the edition, if one of them is a hit.
    terms: Vec<Term<'static>>,
}

impl HitTexts {
    async fn of(edition: &Authorized, hits: &[&UnitHit]) -> Result<Self, Failure> {
        let of_kind = |kind: UnitKind| hits.iter().filter(move |hit| hit.kind == kind);
        let mut indexes: Vec<u32> = of_kind(UnitKind::Provision).map(|hit| hit.index).collect();
        indexes.sort_unstable();
        let fragments = if indexes.is_empty() { Vec::new() } else { edition.fragments(&indexes).await? };
        let terms = match of_kind(UnitKind::Term).next() {
            Some(_) => parsed::<Terms>(edition, Some(&edition.terms().await?))?.items,
            None => Vec::new(),
        };
        Ok(Self { provisions: indexes.into_iter().zip(fragments).collect(), terms })
    }
}

/// The members of a stored provision that a hit shows.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FoundProvision {
    id: String,
    label: Option<String>,
    #[serde(rename = "type")]
    kind: norma_api::shapes::ProvisionType,
    normative: bool,
    section: Option<SectionRef<'static>>,
    text: String,
    lead_in: Option<String>,
}

/// The terms of an edition.
#[derive(Deserialize)]
struct Terms {
    items: Vec<Term<'static>>,
}

/// What a section has besides its provisions. Of one with very many the whole text, for they take memory.
async fn own_text(edition: &Authorized, section: &SectionText, index: usize) -> Result<String, Failure> {
    let outline = edition.index().await?;
    let found = outline.outline().sections.get(index);
    let (first, end) = found.ok_or_else(|| edition.unreadable("a section"))?.provisions;
    if end - first > MOST_PROVISIONS {
        return Ok(section.text.clone());
    }
    let mut provisions = Vec::new();
    for fragment in edition.fragments(&(first..end).collect::<Vec<u32>>()).await? {
        provisions.push(parsed::<AnchoredProvision>(edition, Some(&fragment))?);
    }
    Ok(section.without(provisions, &HashSet::new()))
}

/// Reads a fragment of an edition.
fn parsed<T: serde::de::DeserializeOwned>(
    edition: &Authorized,
    fragment: Option<&Bytes>,
) -> Result<T, Failure> {
    let read = fragment.and_then(|fragment| serde_json::from_slice(fragment).ok());
    read.ok_or_else(|| edition.unreadable("a text that was found"))
}

/// The designations and definitions of a term, each in its language.
fn term_text(term: &Term<'_>) -> Vec<LanguageText<'static>> {
    let part = |text: &str, language: &str| {
        LanguageText::new(text.to_owned(), &language.parse().unwrap_or_else(|_| Lang::undetermined()))
    };
    let designations = term.designations.iter().map(|one| part(&one.text, &one.language)).collect();
    let definitions = term.definitions.iter().map(|one| part(&one.text, &one.language)).collect();
    LanguageText::titled(LanguageText::joined(designations), LanguageText::joined(definitions))
}

/// The text of a table, as it is indexed.
fn table_text(table: &Table<'_>) -> String {
    let caption = table.caption.as_deref();
    let heads = table.columns.iter().flat_map(|column| &column.heads).map(|head| &**head);
    let cells = table.rows.iter().flat_map(|row| &row.cells).map(|cell| &*cell.text);
    let notes = table.annotations.iter().chain(table.footnotes.iter().map(|footnote| &footnote.text));
    let notes = notes.map(|note| &**note);
    let texts = caption.into_iter().chain(heads).chain(cells).chain(notes);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ; ")
}
