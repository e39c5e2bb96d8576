//! Comparisons: what happened to each provision of an older edition in a newer one, in pages.

mod cache;
pub(crate) mod compared;
pub(crate) mod compared_pair;
mod pair;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, header};
use norma_api::media::{ContentCoding, Media};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ComparisonPosition, ComparisonQuery};
use norma_api::shapes::{
    ComparedProvision, ComparisonCandidate, ComparisonCounts, ComparisonRelation, ComparisonSummary,
    ComparisonView, Difference, Edit, Facet, Facets, Origin, PartChangeType, PartCounts, ProvisionChange,
    ProvisionType, SectionChange, Slice, TableChange,
};
use norma_compare::{
    ComparisonRecord, Confidence, Link, PartName, TextSpan, UnitName, UnitRelation, Unmatched,
};
use norma_model::ProvisionKind;
use serde::Deserialize;

use crate::comparison::compared::{facets, kind as part_kind, section_change, table_change};
use crate::comparison::compared_pair::{changed, relation};
use crate::content::{find_sections, provisions_in};
use crate::gzip::gzip;
use crate::representation::{Body, VERSION, digest, json, parsed, tag};
use crate::{AuthorizedEdition, Failure, Representation, Request};

pub use self::cache::Comparisons;
pub(crate) use self::cache::{Cached, Wanted};
pub use self::compared_pair::{AuthorizedPair, ComparedPair, PageSize, PairSide};
pub use self::pair::EditionPair;

/// Fewest provisions of a comparison that is compressed. Smaller comparisons and those without items are not:
/// they are little more than names of editions and counts, and gzip saves no packet.
const MIN_COMPRESSED: usize = 4;

/// A page of the comparison of two editions, with the items that match the query. A caller who may read only
/// one of the two gets the counts alone. Nothing is made before the bytes are needed.
///
/// # Errors
/// The query asks for items that the caller may not have, or its cursor is of another state of the
/// comparison.
pub async fn comparison<'e>(
    pair: &'e dyn AuthorizedPair,
    query: &'e ComparisonQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    if pair.readable().is_none() && query.has_filters() {
        let detail = "One of the two editions may only be discovered: expected no filters and no `include`.";
        let cause = ProblemError { detail: detail.into(), ..ProblemError::default() };
        return Err(Failure::new(Code::InvalidParameter, detail).because(cause));
    }
    let codings: &[ContentCoding] = match pair.readable().is_some() && pair.provisions() >= MIN_COMPRESSED {
        true => &[ContentCoding::Gzip, ContentCoding::Identity],
        false => &[ContentCoding::Identity],
    };
    let coding = ContentCoding::negotiate(request.list(header::ACCEPT_ENCODING).as_deref(), codings);
    let matcher = norma_compare::VERSION.to_string();
    let [older, newer] = [PairSide::Older, PairSide::Newer].map(|side| pair.edition(side));
    let made_of = [
        &*older.urn,
        &older.revision,
        older.access.as_str(),
        &newer.urn,
        &newer.revision,
        newer.access.as_str(),
        &matcher,
        VERSION,
        pair.table(),
        pair.language().as_str(),
    ];
    let state = digest(made_of.join("\n").as_bytes());
    if query.after.as_ref().is_some_and(|after| after.state != state) {
        let detail = "The comparison changed since the page before; begin again without `cursor`.";
        let cause = ProblemError {
            detail: detail.into(),
            parameter: Some("cursor".into()),
            ..ProblemError::default()
        };
        return Err(Failure::new(Code::InvalidCursor, detail).because(cause));
    }
    let page = ComparisonQuery { with: String::new(), ..query.clone() }.query_string();
    let tag = tag(&format!("{}.{}", digest(format!("{state}\n{page}").as_bytes()), coding.name()))?;
    let (named, is_exact) = pair.named();
    let location = (!is_exact).then(|| {
        let (path, with) = match named {
            PairSide::Older => (&older.urn, &newer.urn),
            PairSide::Newer => (&newer.urn, &older.urn),
        };
        let canonical = ComparisonQuery { with: with.to_string(), ..query.clone() };
        format!("{}?{}", request.operation.path_with(&[path]), canonical.query_string())
    });
    let body = Body::of_get(async move {
        match pair.readable() {
            Some(editions) => whole_body(pair, editions, query, state, coding).await,
            None => summary_body(pair, coding).await,
        }
    });
    let content_type = HeaderValue::from_static(Media::Json.content_type());
    let mut representation = Representation::new(content_type, Some(tag), body);
    representation.coded(coding);
    if let Some(location) = location {
        representation.set(header::CONTENT_LOCATION, &location)?;
    }
    Ok(representation)
}

/// The counts, and no provision.
async fn summary_body(pair: &dyn AuthorizedPair, coding: ContentCoding) -> Result<Bytes, Failure> {
    let compared = pair.comparison(PageSize { items: 0, reads_editions: false, has_parts: false }).await?;
    let compared: &ComparedPair = (*compared).as_ref();
    coded(
        &ComparisonSummary {
            older: pair.edition(PairSide::Older),
            newer: pair.edition(PairSide::Newer),
            language: pair.language().as_str().into(),
            matcher: norma_compare::VERSION,
            counts: compared.counts,
        },
        coding,
    )
}

async fn whole_body(
    pair: &dyn AuthorizedPair,
    editions: [&dyn AuthorizedEdition; 2],
    query: &ComparisonQuery,
    state: String,
    coding: ContentCoding,
) -> Result<Bytes, Failure> {
    let has_parts = query.after.is_none();
    let reads_editions = query.text || query.section.is_some();
    let size = PageSize { items: query.limit as usize, reads_editions, has_parts };
    let held = pair.comparison(size).await?;
    let compared: &ComparedPair = (*held).as_ref();
    let first = query.after.as_ref().map_or(0, |after| after.index);
    let numbered = compared.items.iter().copied().enumerate().skip(first);
    let mut in_section: [Vec<Range<u32>>; 2] = Default::default();
    if let Some(section) = &query.section {
        for (edition, ordinals) in editions.into_iter().zip(&mut in_section) {
            let index = edition.index().await?;
            let (outline, named) = (index.outline(), find_sections(index.outline(), section));
            *ordinals = named.iter().map(|sections| provisions_in(outline, sections)).collect();
        }
    }
    let mut fitting = numbered.filter(|(_, index)| fits(compared, *index, query, &in_section));
    let page: Vec<ItemIndex> = fitting.by_ref().take(size.items).map(|(_, index)| index).collect();
    let next = fitting.next().map(|(index, _)| query.cursor(&ComparisonPosition { index, state }));
    let mut texts = [HashMap::new(), HashMap::new()];
    if query.text {
        for (side, (edition, texts)) in editions.into_iter().zip(&mut texts).enumerate() {
            let units = page.iter().filter_map(|index| index.units(&compared.record)[side]);
            let units: BTreeSet<usize> = units.collect();
            let ordinals: Vec<u32> =
                units.iter().filter_map(|&unit| compared.ordinals[side].get(unit).copied()).collect();
            let fragments = edition.fragments(&ordinals).await?;
            *texts = units.into_iter().zip(fragments).collect();
        }
    }
    let (older, newer) = (pair.edition(PairSide::Older), pair.edition(PairSide::Newer));
    let language = pair.language().to_string();
    let held = Arc::clone(&held);
    in_turn(pair, move || {
        let compared: &ComparedPair = (*held).as_ref();
        let mut items: Vec<_> = page.iter().map(|index| (index, item_at(*index, &compared.record))).collect();
        for (index, item) in &mut items {
            let [older, newer] = index.units(&compared.record);
            for (unit, ordinal, texts) in
                [(&mut item.older, older, &texts[0]), (&mut item.newer, newer, &texts[1])]
            {
                if let Some(unit) = unit
                    && let Some(fragment) = ordinal.and_then(|ordinal| texts.get(&ordinal))
                {
                    let found: Texts<'_> = parsed(fragment)?;
                    if found.id != unit.id {
                        return Err(Failure::unreadable(format_args!(
                            "the provision {} is where {} should be",
                            found.id, unit.id
                        )));
                    }
                    (unit.text, unit.lead_in) = (Some(found.text), found.lead_in);
                }
            }
        }
        let view = ComparisonView {
            older,
            newer,
            language: language.as_str().into(),
            matcher: norma_compare::VERSION,
            counts: compared.counts,
            items: items.into_iter().map(|(_, item)| item).collect(),
            section_changes: compared
                .record
                .outline
                .iter()
                .filter(|_| has_parts)
                .map(section_change)
                .collect(),
            table_changes: changed_tables(&compared.record).filter(|_| has_parts).map(table_change).collect(),
            next: next.map(Cow::Owned),
        };
        coded(&view, coding)
    })
    .await?
}

/// Does work that takes long, and returns its result.
async fn in_turn<T: Send + 'static>(
    pair: &dyn AuthorizedPair,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    pair.work(Box::new(move || drop(sender.send(work())))).await;
    receiver.try_recv().map_err(|error| Failure::internal(&error))
}

fn coded(shape: &impl serde::Serialize, coding: ContentCoding) -> Result<Bytes, Failure> {
    let identity = json(shape)?;
    match coding {
        ContentCoding::Gzip => gzip(&identity),
        ContentCoding::Identity => Ok(identity),
    }
}

/// The index of an item of a comparison in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemIndex {
    Link(u32),
    New(u32),
    Removed(u32),
}

impl ItemIndex {
    /// The units of the older and the newer edition.
    fn units(self, record: &ComparisonRecord) -> [Option<usize>; 2] {
        match self {
            Self::Link(index) => {
                let link = &record.links[index as usize];
                [Some(link.older), Some(link.newer)]
            }
            Self::New(index) => [None, Some(record.newer_unmatched[index as usize].unit)],
            Self::Removed(index) => [Some(record.older_unmatched[index as usize].unit), None],
        }
    }

    fn relation(self, record: &ComparisonRecord) -> ComparisonRelation {
        match self {
            Self::Link(index) => relation(record.links[index as usize].relation),
            Self::New(_) => ComparisonRelation::New,
            Self::Removed(_) => ComparisonRelation::Removed,
        }
    }
}

/// The items of a record: links and new provisions in the order of the newer edition, then removed ones in
/// the order of the older.
pub(crate) fn item_indices(record: &ComparisonRecord) -> Vec<ItemIndex> {
    let mut ordered: Vec<(usize, Option<usize>, ItemIndex)> = (0..)
        .zip(&record.links)
        .map(|(n, link)| (link.newer, Some(link.older), ItemIndex::Link(n)))
        .collect();
    ordered.extend((0..).zip(&record.newer_unmatched).map(|(n, one)| (one.unit, None, ItemIndex::New(n))));
    ordered.sort_by_key(|(newer, older, _)| (*newer, *older));
    let removed = (0..).zip(&record.older_unmatched).map(|(n, _)| ItemIndex::Removed(n));
    ordered.into_iter().map(|(_, _, index)| index).chain(removed).collect()
}

/// Whether the filters let an item through. `in_section` has the ordinals in the section that is asked for,
/// of each edition.
fn fits(
    ComparedPair { record, ordinals, .. }: &ComparedPair,
    index: ItemIndex,
    query: &ComparisonQuery,
    in_section: &[Vec<Range<u32>>; 2],
) -> bool {
    let ComparisonQuery { relations, types, changed: wanted, likelihoods, .. } = query;
    let [older, newer] = index.units(record);
    let is_within = |side: usize| {
        let ordinal = [older, newer][side].and_then(|unit| ordinals[side].get(unit));
        ordinal.is_some_and(|ordinal| in_section[side].iter().any(|range| range.contains(ordinal)))
    };
    let units =
        [older.and_then(|unit| record.older.get(unit)), newer.and_then(|unit| record.newer.get(unit))];
    let mut kinds = units.into_iter().flatten().filter_map(|unit| unit.kind.map(ProvisionType::from));
    let has_changed = || match index {
        ItemIndex::Link(index) => {
            changed(&record.links[index as usize].facets).iter().any(|facet| wanted.contains(facet))
        }
        _ => false,
    };
    let is_sure = || match index {
        ItemIndex::Link(index) => likelihoods.contains(&likelihood(record.links[index as usize].confidence)),
        _ => false,
    };
    (relations.is_empty() || relations.contains(&index.relation(record)))
        && (types.is_empty() || kinds.any(|kind| types.contains(&kind)))
        && (wanted.is_empty() || has_changed())
        && (likelihoods.is_empty() || is_sure())
        && (query.section.is_none() || [0, 1].into_iter().any(is_within))
}

fn item_at(index: ItemIndex, record: &ComparisonRecord) -> ProvisionChange<'_> {
    match index {
        ItemIndex::Link(index) => linked(&record.links[index as usize], record),
        ItemIndex::New(index) => alone(&record.newer_unmatched[index as usize], record, PairSide::Newer),
        ItemIndex::Removed(index) => alone(&record.older_unmatched[index as usize], record, PairSide::Older),
    }
}

/// All items of a comparison, in the order of the contract.
pub fn whole(record: &ComparisonRecord) -> Vec<ProvisionChange<'_>> {
    item_indices(record).into_iter().map(|index| item_at(index, record)).collect()
}

/// Numbers of provisions for each relation, and of pairs for each kind of change.
pub fn whole_counts(record: &ComparisonRecord) -> ComparisonCounts {
    let mut counts = ComparisonCounts {
        new: number(record.newer_unmatched.len()),
        removed: number(record.older_unmatched.len()),
        ..ComparisonCounts::default()
    };
    for link in &record.links {
        *match link.relation {
            UnitRelation::Same => &mut counts.same,
            UnitRelation::Reworded => &mut counts.reworded,
            UnitRelation::Split => &mut counts.split,
            UnitRelation::Merged => &mut counts.merged,
        } += 1;
        for facet in changed(&link.facets) {
            *match facet {
                Facet::Strength => &mut counts.changed.strength,
                Facet::Negation => &mut counts.changed.negation,
                Facet::Quantity => &mut counts.changed.quantity,
                Facet::Bound => &mut counts.changed.bound,
                Facet::Condition => &mut counts.changed.condition,
                Facet::Subject => &mut counts.changed.subject,
                Facet::References => &mut counts.changed.references,
                Facet::Terms => &mut counts.changed.terms,
                Facet::DependsOn => &mut counts.changed.depends_on,
                Facet::Moved => &mut counts.changed.moved,
            } += 1;
        }
    }
    counts.sections = counted(record.outline.iter().map(|change| part_kind(change.relation)));
    counts.tables = counted(record.tables.iter().map(|change| part_kind(change.relation)));
    counts
}

/// Number of items for each relation.
fn counted(relations: impl Iterator<Item = PartChangeType>) -> PartCounts {
    let mut counts = PartCounts::default();
    for relation in relations {
        *match relation {
            PartChangeType::Same => &mut counts.same,
            PartChangeType::Changed => &mut counts.changed,
            PartChangeType::Moved => &mut counts.moved,
            PartChangeType::New => &mut counts.new,
            PartChangeType::Removed => &mut counts.removed,
        } += 1;
    }
    counts
}

/// The tables of which something changed.
fn changed_tables(
    record: &ComparisonRecord,
) -> impl Iterator<Item = &norma_compare::TableChange<norma_compare::PartName>> {
    record.tables.iter().filter(|change| change.relation != norma_compare::PartRelation::Same)
}

/// Sections and tables of the first page, for a comparison that is not served.
pub fn whole_parts(record: &ComparisonRecord) -> (Vec<SectionChange<'_>>, Vec<TableChange<'_>>) {
    let sections = record.outline.iter().map(section_change).collect();
    (sections, changed_tables(record).map(table_change).collect())
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn item<'a>(
    relation: ComparisonRelation,
    (older, newer): (Option<ComparedProvision<'a>>, Option<ComparedProvision<'a>>),
    changed: Vec<Facet>,
) -> ProvisionChange<'a> {
    ProvisionChange {
        relation,
        older,
        newer,
        changed,
        likelihood: None,
        origin: None,
        similarity: None,
        facets: None,
        difference: None,
        candidates: Vec::new(),
    }
}

fn unit<'a>(id: &'a str, label: &'a Option<Box<str>>, kind: Option<ProvisionKind>) -> ComparedProvision<'a> {
    let label = label.as_deref().map(Cow::Borrowed);
    ComparedProvision { id: id.into(), label, kind: kind.map(Into::into), lead_in: None, text: None }
}

fn recorded(units: &[UnitName], index: usize) -> Option<ComparedProvision<'_>> {
    units.get(index).map(|one| unit(&one.id, &one.label, one.kind))
}

fn linked<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> ProvisionChange<'a> {
    let sides = (recorded(&record.older, link.older), recorded(&record.newer, link.newer));
    let is_pair = matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded);
    ProvisionChange {
        likelihood: Some(likelihood(link.confidence)),
        origin: (link.origin == norma_compare::LinkOrigin::Authored).then_some(Origin::Authored),
        similarity: (link.relation != UnitRelation::Same).then_some(link.similarity),
        facets: facets_of(link, record),
        difference: (is_pair && !(link.lead_in.is_empty() && link.text.is_empty()))
            .then(|| Difference { lead_in_edits: edits(&link.lead_in), text_edits: edits(&link.text) }),
        ..item(relation(link.relation), sides, changed(&link.facets))
    }
}

fn alone<'a>(unmatched: &'a Unmatched, record: &'a ComparisonRecord, side: PairSide) -> ProvisionChange<'a> {
    let (relation, units, others) = match side {
        PairSide::Older => (ComparisonRelation::Removed, &record.older, &record.newer),
        PairSide::Newer => (ComparisonRelation::New, &record.newer, &record.older),
    };
    let own = recorded(units, unmatched.unit);
    let sides = match side {
        PairSide::Older => (own, None),
        PairSide::Newer => (None, own),
    };
    ProvisionChange { candidates: candidates(unmatched, others), ..item(relation, sides, Vec::new()) }
}

/// The likelihood in the words of the contract.
pub(crate) fn likelihood(confidence: Confidence) -> norma_api::shapes::Likelihood {
    match confidence {
        Confidence::Certain => norma_api::shapes::Likelihood::Certain,
        Confidence::High => norma_api::shapes::Likelihood::High,
        Confidence::Likely => norma_api::shapes::Likelihood::Likely,
    }
}

/// The facets of a link, where something changed.
pub(crate) fn facets_of<'a>(link: &'a Link<PartName>, record: &'a ComparisonRecord) -> Option<Facets<'a>> {
    Some(facets(&link.facets, record)).filter(|facets| *facets != Facets::default())
}

/// The units of the other edition that are similar to one without counterpart.
pub(crate) fn candidates<'a>(unmatched: &Unmatched, others: &'a [UnitName]) -> Vec<ComparisonCandidate<'a>> {
    let near = unmatched.candidates.iter();
    near.filter_map(|near| Some(candidate(others.get(near.unit)?, near.similarity))).collect()
}

/// A unit that is similar to another.
pub(crate) fn candidate(unit: &UnitName, similarity: f32) -> ComparisonCandidate<'_> {
    let label = unit.label.as_deref().map(Cow::Borrowed);
    ComparisonCandidate { id: (*unit.id).into(), label, similarity }
}

fn edits(edits: &[norma_compare::Edit]) -> Vec<Edit> {
    let slice = |span: TextSpan| Slice { start: span.start, end: span.end };
    edits.iter().map(|edit| Edit { older: slice(edit.older), newer: slice(edit.newer) }).collect()
}

/// The members of a fragment that make up a provision's text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Texts<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    lead_in: Option<Cow<'a, str>>,
}
