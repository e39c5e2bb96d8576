//! Comparisons: what happened to each provision of an older edition in a newer one, in pages.

mod cache;
mod compared;
mod compared_pair;
mod items;
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
use norma_api::shapes::{ComparisonSummary, ComparisonView, ProvisionChange, ProvisionType};
use norma_model::Identifier;
use serde::Deserialize;

pub(crate) use self::cache::CachedComparison;
pub use self::cache::Comparisons;
pub(crate) use self::compared::{changed, relation, section_change};
pub use self::compared_pair::ComparedPair;
use self::compared_pair::PageSize;
use self::items::{ItemIndex, item_at};
pub(crate) use self::items::{candidate, candidates, facets_of, likelihood};
pub use self::items::{whole, whole_counts, whole_parts};
pub(crate) use self::pair::ComparablePair;
use crate::access::Access;
use crate::body::Body;
use crate::edition::AuthorizedEdition;
use crate::gzip::gzip;
use crate::json::{json, parsed};
use crate::pair_side::PairSide;
use crate::representation::Representation;
use crate::sections::{find_sections, provisions_in};
use crate::tag::{VERSION, digest, tag};
use crate::{Failure, Request};

/// Fewest provisions of a comparison that is compressed. Smaller comparisons and those without items are not:
/// they are little more than names of editions and counts, and gzip saves no packet.
const MIN_COMPRESSED: usize = 4;

/// A page of the comparison of two editions, with the items that match the query. A caller who may read only
/// one of the two gets the counts alone. Nothing is made before the bytes are needed.
pub(crate) async fn comparison(
    access: &mut Access<'_>,
    id: &Identifier,
    with: &Identifier,
    query: ComparisonQuery,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let granted = access.pair(request.operation, id, with).await?;

    let pair = ComparablePair::read(granted, &query, access.services()).await?;
    let may_read_both = pair.granted.readable.is_some();
    if !may_read_both && query.has_filters() {
        let detail = "One of the two editions may only be discovered: expected no filters and no `include`.";
        let cause = ProblemError { detail: detail.into(), ..ProblemError::default() };
        return Err(Failure::new(Code::InvalidParameter, detail).because(cause));
    }
    let state = state_of(&pair);
    if query.after.as_ref().is_some_and(|after| after.state != state) {
        let detail = "The comparison changed since the page before; begin again without `cursor`.";
        let cause = ProblemError {
            detail: detail.into(),
            parameter: Some("cursor".into()),
            ..ProblemError::default()
        };
        return Err(Failure::new(Code::InvalidCursor, detail).because(cause));
    }

    let codings: &[ContentCoding] = match may_read_both && pair.provisions >= MIN_COMPRESSED {
        true => &[ContentCoding::Gzip, ContentCoding::Identity],
        false => &[ContentCoding::Identity],
    };
    let coding = ContentCoding::negotiate(request.list(header::ACCEPT_ENCODING).as_deref(), codings);
    let page = ComparisonQuery { with: String::new(), ..query.clone() }.query_string();
    let tag = tag(&format!("{}.{}", digest(format!("{state}\n{page}").as_bytes()), coding.name()))?;
    let location = location(&pair, &query, request);
    let body = Body::of_get(async move {
        match &pair.granted.readable {
            Some(editions) => whole_body(&pair, editions, &query, state, coding).await,
            None => summary_body(&pair, coding).await,
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

/// Name of the state of a comparison: of the editions, of the publisher's table, and of the program.
fn state_of(pair: &ComparablePair) -> String {
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
        &pair.table_digest,
        pair.language.as_str(),
    ];
    digest(made_of.join("\n").as_bytes())
}

/// The canonical path and query of the comparison; `None` if the request has them.
fn location(pair: &ComparablePair, query: &ComparisonQuery, request: Request<'_>) -> Option<String> {
    if pair.granted.is_exact {
        return None;
    }
    let [older, newer] = pair.granted.urns();
    let (path, with) = match pair.granted.named {
        PairSide::Older => (older, newer),
        PairSide::Newer => (newer, older),
    };
    let canonical = ComparisonQuery { with: with.to_string(), ..query.clone() };
    Some(format!("{}?{}", request.operation.path_with(&[path.as_str()]), canonical.query_string()))
}

/// The counts, and no provision.
async fn summary_body(pair: &ComparablePair, coding: ContentCoding) -> Result<Bytes, Failure> {
    let held = pair.comparison(PageSize { items: 0, reads_editions: false, has_parts: false }).await?;
    coded(
        &ComparisonSummary {
            older: pair.edition(PairSide::Older),
            newer: pair.edition(PairSide::Newer),
            language: pair.language.as_str().into(),
            matcher: norma_compare::VERSION,
            counts: held.pair().counts,
        },
        coding,
    )
}

/// A page of changes, with texts where they are asked for.
async fn whole_body(
    pair: &ComparablePair,
    editions: &[Arc<AuthorizedEdition>; 2],
    query: &ComparisonQuery,
    state: String,
    coding: ContentCoding,
) -> Result<Bytes, Failure> {
    // Read: the comparison, which items of it are asked for, and their texts.
    let has_parts = query.after.is_none();
    let reads_editions = query.text || query.section.is_some();
    let size = PageSize { items: query.limit as usize, reads_editions, has_parts };
    let held = pair.comparison(size).await?;
    let compared = held.pair();
    let in_section = ordinals_in_section(editions, query).await?;
    let first = query.after.as_ref().map_or(0, |after| after.index);
    let numbered = compared.items.iter().copied().enumerate().skip(first);
    let mut fitting = numbered.filter(|(_, index)| fits(compared, *index, query, &in_section));
    let page: Vec<ItemIndex> = fitting.by_ref().take(size.items).map(|(_, index)| index).collect();
    let next = fitting.next().map(|(index, _)| query.cursor(&ComparisonPosition { index, state }));
    let texts = match query.text {
        true => texts_of(editions, compared, &page).await?,
        false => Default::default(),
    };

    // Shape.
    let (older, newer) = (pair.edition(PairSide::Older), pair.edition(PairSide::Newer));
    let language = pair.language.to_string();
    let shape = move || {
        let compared = held.pair();
        let mut items = Vec::with_capacity(page.len());
        for index in page {
            let mut item = item_at(index, &compared.record);
            add_texts(&mut item, index.units(&compared.record), &texts)?;
            items.push(item);
        }
        let (mut section_changes, mut table_changes) = (Vec::new(), Vec::new());
        if has_parts {
            (section_changes, table_changes) = whole_parts(&compared.record);
        }
        let view = ComparisonView {
            older,
            newer,
            language: language.as_str().into(),
            matcher: norma_compare::VERSION,
            counts: compared.counts,
            items,
            section_changes,
            table_changes,
            next: next.map(Cow::Owned),
        };
        coded(&view, coding)
    };
    pair.work(shape).await
}

/// The ordinals of the provisions in the section that is asked for, in each edition.
async fn ordinals_in_section(
    editions: &[Arc<AuthorizedEdition>; 2],
    query: &ComparisonQuery,
) -> Result<[Vec<Range<u32>>; 2], Failure> {
    let mut in_section: [Vec<Range<u32>>; 2] = Default::default();
    let Some(section) = &query.section else { return Ok(in_section) };
    for (edition, ordinals) in editions.iter().zip(&mut in_section) {
        let index = edition.index().await?;
        for sections in find_sections(&index.outline, section) {
            ordinals.push(provisions_in(&index.outline, &sections));
        }
    }
    Ok(in_section)
}

/// JSON of provisions by the units of the older and of the newer edition.
type UnitTexts = [HashMap<usize, Bytes>; 2];

/// The JSON of the provisions on a page.
async fn texts_of(
    editions: &[Arc<AuthorizedEdition>; 2],
    compared: &ComparedPair,
    page: &[ItemIndex],
) -> Result<UnitTexts, Failure> {
    let mut texts = UnitTexts::default();
    for (side, (edition, texts)) in editions.iter().zip(&mut texts).enumerate() {
        let units = page.iter().filter_map(|index| index.units(&compared.record)[side]);
        let units: BTreeSet<usize> = units.collect();
        let ordinals: Vec<u32> =
            units.iter().filter_map(|&unit| compared.ordinals[side].get(unit).copied()).collect();
        let fragments = edition.fragments(&ordinals).await?;
        *texts = units.into_iter().zip(fragments).collect();
    }
    Ok(texts)
}

/// Adds the texts of the provisions of an item, which are these units of the editions.
fn add_texts<'t>(
    item: &mut ProvisionChange<'t>,
    units: [Option<usize>; 2],
    texts: &'t UnitTexts,
) -> Result<(), Failure> {
    let sides = [&mut item.older, &mut item.newer];
    for ((provision, unit), texts) in sides.into_iter().zip(units).zip(texts) {
        let (Some(provision), Some(unit)) = (provision, unit) else { continue };
        let Some(fragment) = texts.get(&unit) else { continue };
        let found: Texts<'_> = parsed(fragment)?;
        if found.id != provision.id {
            return Err(Failure::unreadable(format_args!(
                "the provision {} is where {} should be",
                found.id, provision.id
            )));
        }
        (provision.text, provision.lead_in) = (Some(found.text), found.lead_in);
    }
    Ok(())
}

fn coded(shape: &impl serde::Serialize, coding: ContentCoding) -> Result<Bytes, Failure> {
    let identity = json(shape)?;
    match coding {
        ContentCoding::Gzip => gzip(&identity),
        ContentCoding::Identity => Ok(identity),
    }
}

/// Whether the filters let an item through. `in_section` has the ordinals in the section that is asked for,
/// of each edition.
fn fits(
    ComparedPair { record, ordinals, .. }: &ComparedPair,
    index: ItemIndex,
    query: &ComparisonQuery,
    in_section: &[Vec<Range<u32>>; 2],
) -> bool {
    if !query.relations.is_empty() && !query.relations.contains(&index.relation(record)) {
        return false;
    }
    let [older, newer] = index.units(record);
    if !query.types.is_empty() {
        let older = older.and_then(|unit| record.older.get(unit));
        let newer = newer.and_then(|unit| record.newer.get(unit));
        let mut kinds = [older, newer].into_iter().flatten().filter_map(|unit| unit.kind);
        if !kinds.any(|kind| query.types.contains(&ProvisionType::from(kind))) {
            return false;
        }
    }
    let link = index.link(record);
    if !query.changed.is_empty() {
        // Only a pair has changes.
        let Some(link) = link else { return false };
        if !changed(&link.facets).iter().any(|facet| query.changed.contains(facet)) {
            return false;
        }
    }
    if !query.likelihoods.is_empty() {
        let Some(link) = link else { return false };
        if !query.likelihoods.contains(&likelihood(link.confidence)) {
            return false;
        }
    }
    if query.section.is_none() {
        return true;
    }
    for (side, unit) in [older, newer].into_iter().enumerate() {
        let ordinal = unit.and_then(|unit| ordinals[side].get(unit));
        if ordinal.is_some_and(|ordinal| in_section[side].iter().any(|range| range.contains(ordinal))) {
            return true;
        }
    }
    false
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
