//! Comparisons: what became of each provision of an older edition in a newer one, as far as the caller may read the two.

use std::borrow::Cow;
use std::collections::HashMap;

use bytes::Bytes;
use http::{HeaderValue, header};
use norma_api::media::{ContentCoding, Media};
use norma_api::query::ComparisonQuery;
use norma_api::shapes::{
    Change, ComparedProvision, ComparedQuantity, ComparedSection, ComparedUnit, ComparisonCandidate,
    ComparisonCounts, ComparisonRelation, ComparisonView, Difference, Edit, Facet, Facets, Origin,
    ProvisionType, QuantityChange, ReferenceChange, ReferenceChangeType, Slice, Strength, TermChange,
};
use norma_compare::{
    Confidence, Quantity, Record, RecordedFacets, RecordedLink, RecordedUnit, RecordedUnmatched,
    ReferenceChangeKind, Relation, SectionName, Span,
};
use norma_model::ProvisionKind;
use serde::Deserialize;

use crate::gzip::gzip;
use crate::pair::{changed, relation};
use crate::representation::{Body, VERSION, digest, json, parsed, tag};
use crate::{
    AuthorizedComparison, AuthorizedEdition, AuthorizedPair, Failure, OneSided, Representation, Request, Side,
};

/// A comparison of fewer provisions is sent as it is: its answer is not much more than the names of the editions and the counts, for
/// which gzip saves no packet.
const MIN_COMPRESSED: usize = 4;

/// The comparison of two editions that the query leaves.
///
/// # Errors
/// The editions cannot be compared, or not be read.
pub async fn comparison<'e>(
    pair: &'e dyn AuthorizedPair,
    query: &'e ComparisonQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let (compared, state) = pair.comparison().await?;
    let coding = coding(&compared, &request);
    let matcher = norma_compare::VERSION.to_string();
    let [older, newer] = [Side::Older, Side::Newer].map(|side| pair.edition(side));
    let filters = ComparisonQuery { with: String::new(), ..query.clone() }.query_string();
    let made_of = [
        &*older.urn,
        &older.revision,
        older.access.as_str(),
        &newer.urn,
        &newer.revision,
        newer.access.as_str(),
        &matcher,
        VERSION,
        &state,
        pair.language().as_str(),
        &filters,
    ];
    let tag = tag(&format!("{}.{}", digest(made_of.join("\n").as_bytes()), coding.name()))?;
    let (named, is_exact) = pair.named();
    let location = (!is_exact).then(|| {
        let (path, with) = match named {
            Side::Older => (&older.urn, &newer.urn),
            Side::Newer => (&newer.urn, &older.urn),
        };
        let canonical = ComparisonQuery { with: with.to_string(), ..query.clone() };
        format!("{}?{}", request.operation.path_with(&[path]), canonical.query_string())
    });
    let body = Body::lazy(async move {
        let identity = body(pair, &compared, query).await?;
        match coding {
            ContentCoding::Gzip => gzip(&identity),
            ContentCoding::Identity => Ok(identity),
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

/// The coding that the caller would rather have, of those that the answer is sent in.
fn coding(compared: &AuthorizedComparison, request: &Request<'_>) -> ContentCoding {
    let provisions = match compared {
        AuthorizedComparison::Both(record) => {
            record.links.len() + record.older_unmatched.len() + record.newer_unmatched.len()
        }
        AuthorizedComparison::One(_, one_sided) => one_sided.provisions.len(),
    };
    let codings: &[ContentCoding] = match provisions >= MIN_COMPRESSED {
        true => &[ContentCoding::Gzip, ContentCoding::Identity],
        false => &[ContentCoding::Identity],
    };
    ContentCoding::negotiate(request.list(header::ACCEPT_ENCODING).as_deref(), codings)
}

async fn body(
    pair: &dyn AuthorizedPair,
    compared: &AuthorizedComparison,
    query: &ComparisonQuery,
) -> Result<Bytes, Failure> {
    let (counts, mut items) = match compared {
        AuthorizedComparison::Both(record) => (whole_counts(record), whole(record)),
        AuthorizedComparison::One(side, one_sided) => half(one_sided, *side),
    };
    items.retain(|item| fits(item, query));
    let mut fragments = Fragments::default();
    if query.text {
        for side in [Side::Older, Side::Newer] {
            if let Some(edition) = pair.readable(side) {
                let ids = items.iter().filter_map(|item| on(item, side)).map(|unit| &*unit.id);
                fragments.read(edition, side, ids).await?;
            }
        }
        fragments.splice(&mut items)?;
    }
    json(&ComparisonView {
        older: pair.edition(Side::Older),
        newer: pair.edition(Side::Newer),
        language: pair.language().as_str().into(),
        matcher: norma_compare::VERSION,
        counts,
        items,
    })
}

fn on<'i, 'a>(item: &'i ComparedProvision<'a>, side: Side) -> Option<&'i ComparedUnit<'a>> {
    match side {
        Side::Older => item.older.as_ref(),
        Side::Newer => item.newer.as_ref(),
    }
}

/// Whether the filters let an item through.
fn fits(item: &ComparedProvision<'_>, query: &ComparisonQuery) -> bool {
    let ComparisonQuery { relations, types, strength_changed, .. } = query;
    let units = [&item.older, &item.newer].into_iter().flatten();
    let mut kinds = units.filter_map(|unit| unit.kind);
    (relations.is_empty() || relations.contains(&item.relation))
        && (types.is_empty() || kinds.any(|kind| types.contains(&kind)))
        && (!strength_changed || item.changed.contains(&Facet::Strength))
}

/// All of a comparison: links and new provisions in the order of the newer edition, then removed ones in the order of the older.
pub fn whole<'a>(record: &'a Record) -> Vec<ComparedProvision<'a>> {
    let mut ordered: Vec<(usize, Option<usize>, ComparedProvision<'a>)> =
        record.links.iter().map(|link| (link.newer, Some(link.older), linked(link, record))).collect();
    let new = |unmatched: &'a RecordedUnmatched| alone(unmatched, record, Side::Newer);
    ordered.extend(record.newer_unmatched.iter().map(|one| (one.unit, None, new(one))));
    ordered.sort_by_key(|(newer, older, _)| (*newer, *older));
    let removed = record.older_unmatched.iter().map(|one| alone(one, record, Side::Older));
    ordered.into_iter().map(|(_, _, item)| item).chain(removed).collect()
}

/// How many provisions have which relation, and how many pairs which kind of change.
pub fn whole_counts(record: &Record) -> ComparisonCounts {
    let mut counts = ComparisonCounts { new: Some(0), removed: Some(0), ..ComparisonCounts::default() };
    for link in &record.links {
        count(&mut counts, relation(link.relation), &changed(&link.facets));
    }
    counts.new = Some(number(record.newer_unmatched.len()));
    counts.removed = Some(number(record.older_unmatched.len()));
    counts
}

/// What the reader of one edition may know.
fn half(one_sided: &OneSided, side: Side) -> (ComparisonCounts, Vec<ComparedProvision<'_>>) {
    let mut counts = ComparisonCounts::default();
    match side {
        Side::Older => counts.removed = Some(0),
        Side::Newer => counts.new = Some(0),
    }
    let items = one_sided.provisions.iter().map(|provision| {
        count(&mut counts, provision.relation, &provision.changed);
        let unit = Some(unit(&provision.id, &provision.label, provision.kind));
        let (older, newer) = match side {
            Side::Older => (unit, None),
            Side::Newer => (None, unit),
        };
        item(provision.relation, (older, newer), provision.changed.clone())
    });
    let items = items.collect();
    (counts, items)
}

fn count(counts: &mut ComparisonCounts, relation: ComparisonRelation, changed: &[Facet]) {
    let add = |count: &mut Option<u32>| *count = count.map(|count| count + 1);
    match relation {
        ComparisonRelation::Same => counts.same += 1,
        ComparisonRelation::Reworded => counts.reworded += 1,
        ComparisonRelation::Split => counts.split += 1,
        ComparisonRelation::Merged => counts.merged += 1,
        ComparisonRelation::New => add(&mut counts.new),
        ComparisonRelation::Removed => add(&mut counts.removed),
    }
    for facet in changed {
        *match facet {
            Facet::Moved => &mut counts.changed.moved,
            Facet::Strength => &mut counts.changed.strength,
            Facet::Negation => &mut counts.changed.negation,
            Facet::Quantities => &mut counts.changed.quantities,
            Facet::References => &mut counts.changed.references,
            Facet::Terms => &mut counts.changed.terms,
        } += 1;
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn item<'a>(
    relation: ComparisonRelation,
    (older, newer): (Option<ComparedUnit<'a>>, Option<ComparedUnit<'a>>),
    changed: Vec<Facet>,
) -> ComparedProvision<'a> {
    ComparedProvision {
        relation,
        older,
        newer,
        changed,
        confidence: None,
        origin: None,
        similarity: None,
        facets: None,
        difference: None,
        candidates: Vec::new(),
    }
}

fn unit<'a>(id: &'a str, label: &'a Option<Box<str>>, kind: Option<ProvisionKind>) -> ComparedUnit<'a> {
    let label = label.as_deref().map(Cow::Borrowed);
    ComparedUnit { id: id.into(), label, kind: kind.map(Into::into), lead_in: None, text: None }
}

fn recorded(units: &[RecordedUnit], index: usize) -> Option<ComparedUnit<'_>> {
    units.get(index).map(|one| unit(&one.id, &one.label, one.kind))
}

fn linked<'a>(link: &'a RecordedLink, record: &'a Record) -> ComparedProvision<'a> {
    let sides = (recorded(&record.older, link.older), recorded(&record.newer, link.newer));
    let is_pair = matches!(link.relation, Relation::Same | Relation::Reworded);
    ComparedProvision {
        confidence: Some(match link.confidence {
            Confidence::Certain => norma_api::shapes::Confidence::Certain,
            Confidence::High => norma_api::shapes::Confidence::High,
            Confidence::Likely => norma_api::shapes::Confidence::Likely,
        }),
        origin: Some(match link.origin {
            norma_compare::Origin::Derived => Origin::Derived,
            norma_compare::Origin::Authored => Origin::Authored,
        }),
        similarity: Some(link.similarity),
        facets: is_pair.then(|| facets(&link.facets)),
        difference: is_pair.then(|| Difference { lead_in: edits(&link.lead_in), text: edits(&link.text) }),
        ..item(relation(link.relation), sides, changed(&link.facets))
    }
}

fn alone<'a>(unmatched: &'a RecordedUnmatched, record: &'a Record, side: Side) -> ComparedProvision<'a> {
    let (relation, units, others) = match side {
        Side::Older => (ComparisonRelation::Removed, &record.older, &record.newer),
        Side::Newer => (ComparisonRelation::New, &record.newer, &record.older),
    };
    let own = recorded(units, unmatched.unit);
    let sides = match side {
        Side::Older => (own, None),
        Side::Newer => (None, own),
    };
    let candidates = unmatched.candidates.iter().filter_map(|candidate| {
        let other = others.get(candidate.unit)?;
        let label = other.label.as_deref().map(Cow::Borrowed);
        Some(ComparisonCandidate { id: (*other.id).into(), label, similarity: candidate.similarity })
    });
    ComparedProvision { candidates: candidates.collect(), ..item(relation, sides, Vec::new()) }
}

fn facets(facets: &RecordedFacets) -> Facets<'_> {
    let RecordedFacets { moved, strength, negation, quantities, references, terms } = facets;
    let section = |name: &'_ SectionName| ComparedSection {
        id: name.id.to_string().into(),
        number: name.label.as_ref().map(|label| label.to_string().into()),
    };
    let level = |strength: norma_compare::Strength| Strength {
        kind: strength.kind.map(ProvisionType::from),
        negated: strength.negated,
    };
    let text = |text: &Option<Box<str>>| text.as_ref().map(|text| Cow::Owned(text.to_string()));
    Facets {
        moved: moved.as_ref().map(|c| Change { from: section(&c.from), to: section(&c.to) }),
        strength: strength.map(|c| Change { from: level(c.from), to: level(c.to) }),
        negation: negation.map(|c| Change { from: number(c.from), to: number(c.to) }),
        quantities: quantities
            .iter()
            .map(|c| QuantityChange { from: c.from.as_ref().map(quantity), to: c.to.as_ref().map(quantity) })
            .collect(),
        references: references
            .iter()
            .map(|change| ReferenceChange {
                from: text(&change.from),
                to: text(&change.to),
                kind: match change.kind {
                    ReferenceChangeKind::Renumbered => ReferenceChangeType::Renumbered,
                    ReferenceChangeKind::Edition => ReferenceChangeType::Edition,
                    ReferenceChangeKind::Other => ReferenceChangeType::Other,
                },
            })
            .collect(),
        terms: terms.iter().map(|c| TermChange { from: (*c.from).into(), to: (*c.to).into() }).collect(),
    }
}

fn quantity(quantity: &Quantity) -> ComparedQuantity<'_> {
    ComparedQuantity {
        value: quantity.value.as_str().into(),
        unit: quantity.unit.as_deref().map(Cow::Borrowed),
    }
}

fn edits(edits: &[norma_compare::Edit]) -> Vec<Edit> {
    let slice = |span: Span| Slice { start: span.start, end: span.end };
    edits.iter().map(|edit| Edit { older: slice(edit.older), newer: slice(edit.newer) }).collect()
}

/// Fragments of the provisions view, by the ids of their provisions, of the editions that may be read.
#[derive(Default)]
struct Fragments {
    older: HashMap<String, Bytes>,
    newer: HashMap<String, Bytes>,
}

impl Fragments {
    async fn read(
        &mut self,
        edition: &dyn AuthorizedEdition,
        side: Side,
        ids: impl Iterator<Item = &str>,
    ) -> Result<(), Failure> {
        let index = edition.index().await?;
        let provisions = index.outline().provisions.iter().zip(0u32..);
        let ordinals: HashMap<String, u32> =
            provisions.map(|(provision, ordinal)| (provision.id.to_string(), ordinal)).collect();
        let mut wanted: Vec<(u32, &str)> =
            ids.filter_map(|id| ordinals.get(id).map(|&ordinal| (ordinal, id))).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let wanted_ordinals: Vec<u32> = wanted.iter().map(|(ordinal, _)| *ordinal).collect();
        let fragments = edition.fragments(&wanted_ordinals).await?;
        let found = wanted.into_iter().map(|(_, id)| id.to_owned()).zip(fragments).collect();
        match side {
            Side::Older => self.older = found,
            Side::Newer => self.newer = found,
        }
        Ok(())
    }

    /// Puts the texts into the items.
    fn splice<'a>(&'a self, items: &mut [ComparedProvision<'a>]) -> Result<(), Failure> {
        for item in items {
            for (unit, fragments) in [(&mut item.older, &self.older), (&mut item.newer, &self.newer)] {
                if let Some(unit) = unit
                    && let Some(fragment) = fragments.get(&*unit.id)
                {
                    let texts: Texts<'a> = parsed(fragment)?;
                    (unit.text, unit.lead_in) = (Some(texts.text), texts.lead_in);
                }
            }
        }
        Ok(())
    }
}

/// What a fragment holds of a provision's text.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Texts<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
    lead_in: Option<Cow<'a, str>>,
}
