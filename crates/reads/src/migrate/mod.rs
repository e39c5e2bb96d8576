//! Migration: the counterparts of many ids and labels in an edition, and what changed.

mod pairs;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;
use http::HeaderValue;
use norma_api::media::Media;
use norma_api::problem::{Code, ProblemError};
use norma_api::shapes::{
    ComparedProvision, ComparisonRelation, Likelihood, Lineage, MigrateAnswer, MigrateItem, MigrateRequest,
    MigrationOutcome, MigrationSource, PartChangeType, ProvisionCounts, SectionChange, SectionRef,
};
use norma_compare::{ComparisonRecord, Heading, Link, PartName, UnitRelation};
use norma_model::lineage::{Asked, Fate, Followed};
use norma_model::{Identifier, Outline, Selection};

use self::pairs::{PairComparisons, comparisons};
use crate::access::Access;
use crate::body::Body;
use crate::comparison::{
    ComparedPair, candidate, candidates, changed, facets_of, likelihood, relation, section_change,
};
use crate::edition::AuthorizedEdition;
use crate::json::{json, parsed};
use crate::limits::MAX_MIGRATED_IDS;
use crate::pair_side::PairSide;
use crate::representation::Representation;
use crate::sections::{find_sections, provisions_in};
use crate::{Failure, Request};

/// Bytes of memory for an item of the answer while it is made: as values and as JSON.
const ITEM: u64 = 4096;

/// The thing that an id or label names.
enum NamedItem {
    Asked(Asked),
    Section(NamedSection),
    /// Nothing, for this reason.
    Nothing(String),
}

/// A section of the edition `from`.
struct NamedSection {
    id: String,
    number: Option<String>,
    /// Number of provisions in it and its subsections.
    provisions: u32,
}

/// An item of the answer, and the ordinals of its provisions in the edition.
struct MigrationDraft<'a> {
    item: MigrateItem<'a>,
    ordinals: Vec<u32>,
}

/// Finds the ids in a body, or the labels, which are those of the edition `from`. With `texts`, provisions
/// have their texts.
pub(crate) async fn migrate(
    access: &mut Access<'_>,
    id: &Identifier,
    (from, texts): (Option<&Identifier>, bool),
    body: impl Future<Output = Result<Bytes, Failure>>,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let (edition, from) = access.editions_of_migration(request.operation, id, from).await?;

    let body = body.await?;
    let others: Vec<&AuthorizedEdition> = from.iter().map(|from| &**from).collect();
    edition.reserve_work_with(&others, (MAX_MIGRATED_IDS as u64).saturating_mul(ITEM)).await?;
    let request = MigrateRequest::parse(&body, MAX_MIGRATED_IDS)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let asked = match &request {
        MigrateRequest::Ids { ids } => ids,
        MigrateRequest::Labels { labels } => labels,
    };
    let named = named_items(&request, from.as_deref()).await?;
    let mut known = Vec::new();
    let mut has_sections = false;
    for one in &named {
        match one {
            NamedItem::Asked(asked) => known.push(*asked),
            NamedItem::Section(_) => has_sections = true,
            NamedItem::Nothing(_) => {}
        }
    }
    let fates = edition.fates(&known, from.as_deref()).await?;
    let sources = fates.iter().flatten().filter_map(|followed| followed.source.as_ref());
    let mut others: BTreeSet<&str> = sources.map(|(urn, _)| &**urn).collect();
    if has_sections {
        others.extend(from.as_deref().map(AuthorizedEdition::urn));
    }
    others.remove(edition.urn());
    let compared = comparisons(access, &edition, others).await?;

    let mut fates = fates.iter();
    let mut drafts = Vec::with_capacity(asked.len());
    for (text, named) in asked.iter().zip(named) {
        let mut draft = match named {
            NamedItem::Asked(_) => followed(fates.next().and_then(Option::as_ref), edition.urn(), &compared),
            NamedItem::Section(section) => {
                of_section(&section, from.as_ref().and_then(|from| compared.get(from.urn())))
            }
            NamedItem::Nothing(reason) => nothing(Some(reason)),
        };
        draft.item.asked = text.into();
        drafts.push(draft);
    }
    let units = units_of(&edition, &drafts, texts).await?;
    let mut items = Vec::with_capacity(drafts.len());
    for MigrationDraft { mut item, ordinals } in drafts {
        for ordinal in ordinals {
            item.compared_provisions.extend(units.get(&ordinal).cloned());
        }
        items.push(item);
    }
    let (urn, revision) = (edition.urn().into(), edition.revision().into());
    let body = json(&MigrateAnswer { urn, revision, items })?;
    let content_type = HeaderValue::from_static(Media::Json.content_type());
    Ok(Representation::new(content_type, None, Body::from_bytes(body)))
}

/// The things that the ids or labels of a request name.
///
/// # Errors
/// Labels come without their edition.
async fn named_items(
    request: &MigrateRequest,
    from: Option<&AuthorizedEdition>,
) -> Result<Vec<NamedItem>, Failure> {
    match (request, from) {
        (MigrateRequest::Ids { ids }, _) => Ok(ids.iter().map(|id| of_id(id)).collect()),
        (MigrateRequest::Labels { labels }, Some(from)) => {
            let index = from.index().await?;
            Ok(labels.iter().map(|label| of_label(label, &index.outline)).collect())
        }
        (MigrateRequest::Labels { .. }, None) => {
            let detail = "found labels in the body; expected the URN of their edition in `from`";
            let cause = ProblemError {
                detail: detail.into(),
                parameter: Some("from".into()),
                ..ProblemError::default()
            };
            Err(Failure::new(Code::InvalidParameter, detail).because(cause))
        }
    }
}

/// The provisions of the edition that the drafts name, by their ordinals.
async fn units_of(
    edition: &AuthorizedEdition,
    drafts: &[MigrationDraft<'_>],
    texts: bool,
) -> Result<HashMap<u32, ComparedProvision<'static>>, Failure> {
    let ordinals: BTreeSet<u32> = drafts.iter().flat_map(|draft| &draft.ordinals).copied().collect();
    let ordinals: Vec<u32> = ordinals.into_iter().collect();
    let mut units = HashMap::new();
    for (&ordinal, fragment) in ordinals.iter().zip(edition.fragments(&ordinals).await?) {
        let mut unit: ComparedProvision<'static> = parsed(&fragment)?;
        if !texts {
            (unit.text, unit.lead_in) = (None, None);
        }
        units.insert(ordinal, unit);
    }
    Ok(units)
}

fn of_id(id: &str) -> NamedItem {
    id.trim().parse().map_or_else(|error| NamedItem::Nothing(format!("{error}")), NamedItem::Asked)
}

/// The section or the one provision that a label names.
fn of_label(label: &str, outline: &Outline) -> NamedItem {
    let mut sections = sections_named(label, outline);
    match (sections.pop(), sections.len()) {
        (Some(section), 0) => return NamedItem::Section(section),
        (Some(_), more) => {
            return NamedItem::Nothing(format!("{} sections have this number; send the id of one", more + 1));
        }
        (None, _) => {}
    }
    let resolved = label.parse::<Selection>().and_then(|selection| selection.resolve(outline));
    let provisions = resolved.map(|found| found.provisions).unwrap_or_default();
    match provisions[..] {
        [ordinal] => match outline.provisions.get(ordinal as usize) {
            Some(provision) => NamedItem::Asked(Asked::Provision(provision.id)),
            None => NamedItem::Nothing("the provision is missing in the outline".to_owned()),
        },
        [] => NamedItem::Nothing("no provision and no section of `from` has this label".to_owned()),
        _ => NamedItem::Nothing(format!("{} provisions fit; expected the label of one", provisions.len())),
    }
}

/// The sections with this number or id. The number may have a word before it: `Annex A`.
fn sections_named(label: &str, outline: &Outline) -> Vec<NamedSection> {
    let label = label.trim();
    let bare = match label.rsplit_once(char::is_whitespace) {
        Some((word, number)) if word.chars().all(char::is_alphabetic) => number,
        _ => label,
    };
    let named = find_sections(outline, bare).into_iter().filter_map(|range| {
        let section = outline.sections.get(range.start)?;
        Some(NamedSection {
            id: section.id.to_string(),
            number: section.number.as_deref().map(str::to_owned),
            provisions: u32::try_from(provisions_in(outline, &range).len()).unwrap_or(u32::MAX),
        })
    });
    named.collect()
}

fn nothing(reason: Option<String>) -> MigrationDraft<'static> {
    let mut draft = MigrationDraft::new(MigrationOutcome::Unknown);
    draft.item.reason = reason.map(Into::into);
    draft
}

/// Follows a provision or lineage into the edition with this URN.
fn followed<'a>(
    followed: Option<&'a Followed>,
    own: &str,
    compared: &'a BTreeMap<&str, PairComparisons>,
) -> MigrationDraft<'a> {
    let Some(Followed { fate, lineage, source }) = followed else { return nothing(None) };
    let (outcome, ordinal) = match fate {
        Fate::Provision(ordinal) => (MigrationOutcome::Found, u32::try_from(*ordinal).ok()),
        Fate::Absent => (MigrationOutcome::Absent, None),
        Fate::Gone => (MigrationOutcome::Gone, None),
    };
    let mut draft = MigrationDraft::new(outcome);
    draft.ordinals.extend(ordinal);
    draft.item.lineage = lineage.as_ref().map(|id| Lineage::of_id(id.to_string()));
    draft.item.retry = lineage.is_none() && outcome != MigrationOutcome::Gone;
    match source {
        Some((urn, _)) if **urn == *own => {
            draft.item.relation = Some(ComparisonRelation::Same);
            draft.item.likelihood = Some(Likelihood::Certain);
        }
        Some((urn, ordinal)) => {
            if let Some(pair) = compared.get(&**urn) {
                draft.compare(urn, *ordinal, pair);
            }
        }
        None => {}
    }
    draft
}

impl<'a> MigrationDraft<'a> {
    fn new(outcome: MigrationOutcome) -> Self {
        Self { item: MigrateItem::new("", outcome), ordinals: Vec::new() }
    }

    /// Adds what a comparison says about the provision with this ordinal in the other edition.
    fn compare(&mut self, urn: &'a str, ordinal: usize, pair: &'a PairComparisons) {
        let (from, to) = match pair.other {
            PairSide::Older => (0, 1),
            PairSide::Newer => (1, 0),
        };
        let found = pair.all.iter().find_map(|compared| {
            let compared = compared.pair();
            let unit = compared.ordinals[from].binary_search(&u32::try_from(ordinal).ok()?).ok()?;
            Some((compared, unit))
        });
        let Some((ComparedPair { record, ordinals, .. }, unit)) = found else {
            self.item.retry |= pair.is_pending;
            return;
        };
        let sides = |link: &Link<PartName>| [link.older, link.newer];
        let units = |record: &'a ComparisonRecord| [&record.older, &record.newer];
        let source = &units(record)[from][unit];
        let (id, label) = ((*source.id).into(), source.label.as_deref().map(Into::into));
        self.item.source = Some(MigrationSource { urn: urn.into(), id, label });
        let links = record.links.iter().filter(|link| sides(link)[from] == unit);
        let ordinal_of = |link: &Link<PartName>| ordinals[to].get(sides(link)[to]).copied();
        let (pairs, parts): (Vec<_>, Vec<_>) =
            links.partition(|link| matches!(link.relation, UnitRelation::Same | UnitRelation::Reworded));
        let main = pairs.iter().find(|link| ordinal_of(link).is_some_and(|one| self.ordinals.contains(&one)));
        if let Some(link) = parts.first().or(main) {
            self.item.relation = Some(relation(link.relation));
            self.item.likelihood = Some(likelihood(link.confidence));
            self.item.outcome = MigrationOutcome::Found;
            self.ordinals.extend(parts.iter().filter_map(|link| ordinal_of(link)));
        }
        if let Some(link) = main {
            (self.item.changed, self.item.facets) = (changed(&link.facets), facets_of(link, record));
        }
        if self.item.outcome == MigrationOutcome::Absent {
            // A pair of low confidence unites no lineages.
            let others = units(record)[to];
            let likely = pairs
                .iter()
                .filter_map(|link| others.get(sides(link)[to]).map(|unit| candidate(unit, link.similarity)));
            self.item.candidates = likely.collect();
            let unmatched = [&record.older_unmatched, &record.newer_unmatched][from];
            if let Some(one) = unmatched.iter().find(|one| one.unit == unit) {
                self.item.candidates.extend(candidates(one, others));
            }
            self.item.retry |= pair.is_pending;
        }
    }
}

/// Follows a section of the edition `from`; without comparisons, that is the edition itself.
fn of_section<'a>(section: &NamedSection, pair: Option<&'a PairComparisons>) -> MigrationDraft<'a> {
    let Some(pair) = pair else {
        let heading = SectionRef {
            id: section.id.clone().into(),
            number: section.number.clone().map(Into::into),
            title: None,
        };
        let counts = ProvisionCounts { same: section.provisions, changed: 0, new: 0, removed: 0 };
        let (kind, older, newer) = (PartChangeType::Same, Some(heading.clone()), Some(heading));
        let mut draft = MigrationDraft::new(MigrationOutcome::Found);
        draft.item.section_change = Some(SectionChange { kind, older, newer, counts });
        return draft;
    };
    let sides = |change: &'a norma_compare::SectionChange<Heading>| match pair.other {
        PairSide::Older => (&change.older, &change.newer),
        PairSide::Newer => (&change.newer, &change.older),
    };
    let mut changes = pair.all.iter().flat_map(|compared| &compared.pair().record.outline);
    let is_asked = |change: &&'a norma_compare::SectionChange<Heading>| {
        sides(change).0.as_ref().is_some_and(|heading| *heading.id == *section.id)
    };
    let Some(change) = changes.find(is_asked) else {
        return nothing(Some("this section of the two editions cannot be compared".to_owned()));
    };
    let outcome = match sides(change).1 {
        Some(_) => MigrationOutcome::Found,
        None => MigrationOutcome::Absent,
    };
    let mut draft = MigrationDraft::new(outcome);
    draft.item.section_change = Some(section_change(change));
    draft
}
