//! Comparisons: what happened to each provision of an older edition in a newer one, in pages.

mod cache;
mod compared;
mod compared_pair;
#[cfg(test)]
pub(crate) mod example;
mod items;
mod page;
mod pair;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, header};
use norma_api::media::{ContentCoding, Media};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::{ComparisonPosition, ComparisonQuery};
use norma_api::shapes::{ComparisonSummary, ComparisonView, ProvisionChange};
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
use self::page::{PageItems, ordinals_in_section, page_items};
pub(crate) use self::pair::ComparablePair;
use crate::access::Access;
use crate::body::Body;
use crate::edition::AuthorizedEdition;
use crate::gzip::gzip;
use crate::json::{json, parsed};
use crate::pair_side::PairSide;
use crate::representation::Representation;
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
    let granted = access.pair(request.operation, id, (with, query.with_revision.as_ref())).await?;

    let pair = ComparablePair::read(granted, &query, access.services()).await?;
    let may_read_both = pair.granted.readable.is_some();
    if !may_read_both && query.has_filters() {
        return Err(filters_without_read());
    }
    let state = state_of(&pair);
    if let Some(after) = &query.after
        && after.state != state
    {
        return Err(cursor_of_other_state());
    }

    let coding = if may_read_both && pair.provisions >= MIN_COMPRESSED {
        request.coding()
    } else {
        ContentCoding::Identity
    };
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

/// The failure for filters of a caller who gets the counts alone.
fn filters_without_read() -> Failure {
    let detail = "One of the two editions may only be discovered: expected no filters and no `include`.";
    let cause = ProblemError { detail: detail.into(), ..ProblemError::default() };
    Failure::new(Code::InvalidParameter, detail).because(cause)
}

/// The failure for a cursor from a page of the comparison in another state, whose items have other indexes.
fn cursor_of_other_state() -> Failure {
    let detail = "The comparison changed since the page before; begin again without `cursor`.";
    Failure::of_parameter(Code::InvalidCursor, "cursor", detail)
}

/// Name of the state of a comparison: of the editions, of the publisher's table, and of the program.
fn state_of(pair: &ComparablePair) -> String {
    let matcher = norma_compare::VERSION.to_string();
    let [older, newer] = [PairSide::Older, PairSide::Newer].map(|side| pair.edition(side));
    let made_of = [
        &*older.urn,
        &older.revision,
        &pair.granted.granted[0].entry().revision,
        older.access.as_str(),
        &newer.urn,
        &newer.revision,
        &pair.granted.granted[1].entry().revision,
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
    // Sections and tables are on the first page only.
    let has_parts = query.after.is_none();
    let reads_editions = query.text || query.section.is_some();
    let size = PageSize { items: query.limit as usize, reads_editions, has_parts };
    let held = pair.comparison(size).await?;
    let compared = held.pair();
    let in_section = ordinals_in_section(editions, compared, query).await?;
    let PageItems { items: page, next } = page_items(compared, query, &in_section);
    let next = next.map(|index| query.cursor(&ComparisonPosition { index, state }));
    let texts = if query.text { texts_of(editions, compared, &page).await? } else { UnitTexts::default() };

    let (older, newer) = (pair.edition(PairSide::Older), pair.edition(PairSide::Newer));
    let (language, has_texts) = (pair.language.to_string(), query.text);
    let shape = move || {
        let compared = held.pair();
        let mut items = Vec::with_capacity(page.len());
        for index in page {
            let mut item = item_at(index, &compared.record);
            add_texts(&mut item, index.units(&compared.record), &texts)?;
            if has_texts {
                add_earlier_texts(&mut item, index.units(&compared.record), compared);
            }
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

/// JSON of provisions by the units of the older and of the newer edition.
type UnitTexts = [HashMap<usize, Bytes>; 2];

/// The JSON of the provisions on a page.
async fn texts_of(
    editions: &[Arc<AuthorizedEdition>; 2],
    compared: &ComparedPair,
    page: &[ItemIndex],
) -> Result<UnitTexts, Failure> {
    let mut texts = UnitTexts::default();
    for side in [PairSide::Older, PairSide::Newer] {
        // An earlier revision has no pack: `add_earlier_texts` has its texts.
        if compared.texts[side.index()].is_some() {
            continue;
        }
        // In ascending order, so that each segment of the pack is inflated once.
        let mut units = BTreeSet::new();
        for item in page {
            units.extend(item.units(&compared.record)[side.index()]);
        }
        let mut ordinals = Vec::with_capacity(units.len());
        for unit in &units {
            ordinals.extend(compared.ordinal(side, *unit));
        }
        let fragments = editions[side.index()].fragments(&ordinals).await?;
        texts[side.index()] = units.into_iter().zip(fragments).collect();
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

/// Adds the texts of the provisions of an item that are of an earlier revision.
fn add_earlier_texts<'t>(
    item: &mut ProvisionChange<'t>,
    units: [Option<usize>; 2],
    compared: &'t ComparedPair,
) {
    let sides = [&mut item.older, &mut item.newer];
    for ((provision, unit), texts) in sides.into_iter().zip(units).zip(&compared.texts) {
        let (Some(provision), Some(unit), Some(texts)) = (provision, unit, texts) else { continue };
        let Some(found) = texts.unit(unit) else { continue };
        provision.text = Some((*found.text).into());
        provision.lead_in = found.lead_in.as_deref().map(Cow::Borrowed);
    }
}

fn coded(shape: &impl serde::Serialize, coding: ContentCoding) -> Result<Bytes, Failure> {
    let identity = json(shape)?;
    match coding {
        ContentCoding::Gzip => gzip(&identity),
        ContentCoding::Identity => Ok(identity),
    }
}

/// The members of a stored provision that make up its text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Texts<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
    lead_in: Option<Cow<'a, str>>,
}
