//! Migration: the counterparts of many ids and labels in an edition, and what changed.

mod draft;
mod locations;
mod pairs;
mod revisions;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bytes::Bytes;
use norma_api::problem::Code;
use norma_api::query::AskedRevision;
use norma_api::shapes::{
    ComparedProvision, ComparisonRelation, Likelihood, Lineage, MigrateAnswer, MigrateRequest,
    MigrationOutcome, PartChangeType, ProvisionCounts, SectionChange, SectionRef,
};
use norma_model::lineage::{Asked, Fate, Followed};
use norma_model::{Identifier, Outline, Selection};

use self::draft::MigrationDraft;
pub(crate) use self::locations::{LocationInEdition, locations_in_latest};
use self::pairs::{PairComparisons, comparisons};
pub(crate) use self::revisions::change_of_retired;
use self::revisions::{FollowedId, FormerRevisions, RevisionComparisons};
use crate::access::Access;
use crate::edition::AuthorizedEdition;
use crate::json::parsed;
use crate::limits::MAX_MIGRATED_IDS;
use crate::pair_side::PairSide;
use crate::representation::Representation;
use crate::sections::{find_sections, provisions_in};
use crate::{Failure, Request};

/// Bytes of memory for an item of the answer while it is made: as values and as JSON.
const ITEM: u64 = 4096;

/// An id, or what a label names.
enum NamedItem {
    Asked(Asked),
    Section(NamedSection),
    /// The id or label names nothing, for this reason.
    Nothing(String),
}

/// A section of the edition `from`.
struct NamedSection {
    id: String,
    number: Option<String>,
    /// Number of provisions in it and its subsections.
    provisions: u32,
}

/// The edition and the revision that ids and labels are of.
#[derive(Debug)]
pub struct MigrationFrom {
    /// The edition; that in the path where there is none.
    pub edition: Option<Identifier>,
    /// The revision of the edition; the present one where there is none.
    pub revision: Option<AskedRevision>,
    /// The answer includes the texts of provisions.
    pub texts: bool,
}

/// What the drafts of a request are made from, besides the fates of its ids.
struct MigrationSources<'a> {
    /// The URN of the edition that ids are followed into.
    own: &'a str,
    /// The URN of the edition `from`, where the request names one.
    from: Option<&'a str>,
    compared: BTreeMap<&'a str, PairComparisons>,
    former: FormerRevisions,
    texts: bool,
}

/// Finds the ids in a body, or the labels, which are those of the edition `from`.
pub(crate) async fn migrate(
    access: &mut Access<'_>,
    id: &Identifier,
    MigrationFrom { edition: from, revision, texts }: MigrationFrom,
    body: impl Future<Output = Result<Bytes, Failure>>,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let (edition, from) = access.editions_of_migration(request.operation, id, from.as_ref()).await?;

    let body = body.await?;
    let others: Vec<&AuthorizedEdition> = from.iter().map(|from| &**from).collect();
    edition.reserve_work_with(&others, (MAX_MIGRATED_IDS as u64).saturating_mul(ITEM)).await?;
    let request = MigrateRequest::parse(&body, MAX_MIGRATED_IDS)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let asked = match &request {
        MigrateRequest::Ids { ids } => ids,
        MigrateRequest::Labels { labels } => labels,
    };
    if let Some(name) = &revision {
        let origin = from.as_ref().unwrap_or(&edition);
        if let Some(compared) = revisions::of_request(access, &edition, origin, name).await? {
            let drafts = of_revision(&edition, origin, &request, &compared, texts).await?;
            return answer(&edition, asked, drafts, texts).await;
        }
    }
    let named = named_items(&request, from.as_deref()).await?;
    let fates = edition.fates(&ids_of(&named), from.as_deref()).await?;
    let from = from.as_deref().map(AuthorizedEdition::urn);
    let others = other_editions(&named, &fates, from, edition.urn());
    let sources = MigrationSources {
        own: edition.urn(),
        from,
        compared: comparisons(access, &edition, others).await?,
        former: revisions::of_retired_ids(access, &edition, &fates).await?,
        texts,
    };
    answer(&edition, asked, drafts(named, &fates, &sources), texts).await
}

/// The ids among what a request names, in order.
fn ids_of(named: &[NamedItem]) -> Vec<Asked> {
    let mut ids = Vec::new();
    for one in named {
        if let NamedItem::Asked(asked) = one {
            ids.push(*asked);
        }
    }
    ids
}

/// The editions that provisions and sections come from, without the one that they are followed into.
fn other_editions<'f>(
    named: &[NamedItem],
    fates: &'f [Option<Followed>],
    from: Option<&'f str>,
    own: &str,
) -> BTreeSet<&'f str> {
    let mut others = BTreeSet::new();
    for followed in fates.iter().flatten() {
        if let Some((urn, _)) = &followed.source {
            others.insert(&**urn);
        }
    }
    // Sections have no fates: they are found in the comparison with the edition `from`.
    if named.iter().any(|one| matches!(one, NamedItem::Section(_))) {
        others.extend(from);
    }
    others.remove(own);
    others
}

/// What became of each thing that a request names. `fates` has those of its ids, in their order.
fn drafts<'a>(
    named: Vec<NamedItem>,
    fates: &'a [Option<Followed>],
    sources: &'a MigrationSources<'a>,
) -> Vec<MigrationDraft<'a>> {
    let mut fates = fates.iter();
    let mut drafts = Vec::with_capacity(named.len());
    for one in named {
        drafts.push(match one {
            NamedItem::Asked(_) => match fates.next() {
                Some(Some(fate)) => followed(fate, sources),
                Some(None) | None => MigrationDraft::of_nothing(None),
            },
            NamedItem::Section(section) => {
                let compared = sources.from.and_then(|from| sources.compared.get(from));
                of_section(&section, compared)
            }
            NamedItem::Nothing(reason) => MigrationDraft::of_nothing(Some(reason)),
        });
    }
    drafts
}

/// What became of the ids or labels of an earlier revision of the edition `origin`.
async fn of_revision<'a>(
    edition: &AuthorizedEdition,
    origin: &AuthorizedEdition,
    request: &MigrateRequest,
    compared: &'a RevisionComparisons,
    texts: bool,
) -> Result<Vec<MigrationDraft<'a>>, Failure> {
    let ids = match request {
        MigrateRequest::Ids { ids } => ids.as_slice(),
        MigrateRequest::Labels { .. } => &[],
    };
    let parsed: Vec<Option<Asked>> = ids.iter().map(|id| id.trim().parse().ok()).collect();
    let known: Vec<Asked> = parsed.iter().flatten().copied().collect();
    let mut fates = edition.fates(&known, Some(origin)).await?.into_iter();
    let mut found = Vec::with_capacity(ids.len());
    for asked in parsed {
        let followed = match asked {
            Some(_) => fates.next().flatten(),
            None => None,
        };
        let mut members = Vec::new();
        if let Some(Asked::Lineage(_)) = asked
            && let Some(Followed { source: Some((_, ordinal)), .. }) = &followed
        {
            members = origin.ids_in_revisions(*ordinal).await?;
        }
        found.push(FollowedId { asked, followed, members });
    }
    Ok(revisions::drafts_of_revision(request, compared, &found, texts))
}

/// The answer with these items, in the order of what was asked.
async fn answer(
    edition: &AuthorizedEdition,
    asked: &[String],
    drafts: Vec<MigrationDraft<'_>>,
    texts: bool,
) -> Result<Representation, Failure> {
    let units = units_of(edition, &drafts, texts).await?;
    let mut items = Vec::with_capacity(drafts.len());
    for (text, MigrationDraft { mut item, ordinals }) in asked.iter().zip(drafts) {
        item.asked = text.into();
        for ordinal in ordinals {
            item.compared_provisions.extend(units.get(&ordinal).cloned());
        }
        items.push(item);
    }
    let (urn, revision) = (edition.urn().into(), edition.revision().into());
    Representation::without_tag(&MigrateAnswer { urn, revision, items })
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
            Err(Failure::of_parameter(Code::InvalidParameter, "from", detail))
        }
    }
}

/// The provisions of the edition that the drafts name, by their ordinals.
async fn units_of(
    edition: &AuthorizedEdition,
    drafts: &[MigrationDraft<'_>],
    texts: bool,
) -> Result<HashMap<u32, ComparedProvision<'static>>, Failure> {
    let mut ordinals: Vec<u32> = Vec::new();
    for draft in drafts {
        ordinals.extend(&draft.ordinals);
    }
    ordinals.sort_unstable();
    ordinals.dedup();
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
    match id.trim().parse() {
        Ok(asked) => NamedItem::Asked(asked),
        Err(error) => NamedItem::Nothing(error.to_string()),
    }
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
    let mut named = Vec::new();
    for range in find_sections(outline, number_of(label)) {
        let Some(section) = outline.sections.get(range.start) else { continue };
        let provisions = provisions_in(outline, &range).len();
        named.push(NamedSection {
            id: section.id.to_string(),
            number: section.number.as_deref().map(str::to_owned),
            provisions: u32::try_from(provisions).unwrap_or(u32::MAX),
        });
    }
    named
}

/// The number in the label of a section, without the word before it; a label of one word is that word.
fn number_of(label: &str) -> &str {
    let label = label.trim();
    match label.rsplit_once(char::is_whitespace) {
        Some((word, number)) if word.chars().all(char::is_alphabetic) => number,
        _ => label,
    }
}

/// Follows a provision or lineage into the edition.
fn followed<'a>(followed: &'a Followed, sources: &'a MigrationSources<'a>) -> MigrationDraft<'a> {
    let Followed { fate, lineage, source, former } = followed;
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
        // By other rules, the sentence may have been cut otherwise.
        Some((urn, _)) if **urn == *sources.own && former.is_some() => {}
        Some((urn, _)) if **urn == *sources.own => {
            draft.item.relation = Some(ComparisonRelation::Same);
            draft.item.likelihood = Some(Likelihood::Certain);
        }
        Some((urn, ordinal)) => {
            if let Some(pair) = sources.compared.get(&**urn) {
                draft.compare(urn, *ordinal, pair);
            }
        }
        None => {}
    }
    if let Some(former) = former {
        revisions::add_former(&mut draft, former, &sources.former, sources.texts);
    }
    draft
}

/// Follows a section of the edition `from`; without comparisons, that is the edition itself.
fn of_section<'a>(section: &NamedSection, pair: Option<&'a PairComparisons>) -> MigrationDraft<'a> {
    let Some(pair) = pair else { return unchanged(section) };
    for compared in &pair.all {
        for change in &compared.pair().record.outline {
            let (asked, counterpart) = match pair.other {
                PairSide::Older => (&change.older, &change.newer),
                PairSide::Newer => (&change.newer, &change.older),
            };
            if let Some(heading) = asked
                && *heading.id == *section.id
            {
                return MigrationDraft::of_section(change, counterpart.is_some());
            }
        }
    }
    MigrationDraft::of_nothing(Some("this section of the two editions cannot be compared".to_owned()))
}

/// A section that is followed into its own edition.
fn unchanged(section: &NamedSection) -> MigrationDraft<'static> {
    let heading = SectionRef {
        id: section.id.clone().into(),
        number: section.number.clone().map(Into::into),
        title: None,
    };
    let mut draft = MigrationDraft::new(MigrationOutcome::Found);
    draft.item.section_change = Some(SectionChange {
        kind: PartChangeType::Same,
        older: Some(heading.clone()),
        newer: Some(heading),
        counts: ProvisionCounts { same: section.provisions, changed: 0, new: 0, removed: 0 },
    });
    draft
}

#[cfg(test)]
mod tests {
    use norma_model::outline::{OutlineProvision, OutlineSection};
    use norma_model::{ProvisionId, ProvisionKind, SectionId};

    use super::*;

    fn outline() -> Outline {
        let section = |id: &str, number: &str, end, provisions| OutlineSection {
            id: SectionId::new(id),
            number: Some(number.into()),
            parent: None,
            end,
            provisions,
        };
        let provision = |byte| OutlineProvision {
            id: ProvisionId::from_bytes([byte; 16]),
            kind: ProvisionKind::Requirement,
            normative: true,
            section: 0,
            table: None,
            terms: Vec::new(),
        };
        let sections =
            vec![section("a", "4", 1, (0, 2)), section("b", "A", 2, (2, 2)), section("c", "4", 3, (2, 2))];
        Outline::new(sections, vec![provision(1), provision(2)], vec![], vec![])
    }

    #[test]
    fn the_number_of_a_section_is_what_follows_its_word() {
        for (label, number) in [("Annex A", "A"), (" 4.2 ", "4.2"), ("Anhang B.1", "B.1"), ("Scope", "Scope")]
        {
            assert_eq!(number_of(label), number);
        }
        // A number before the word makes another label.
        assert_eq!(number_of("4 Scope"), "4 Scope");
    }

    #[test]
    fn a_label_names_one_section_or_says_why_not() {
        let outline = outline();
        let NamedItem::Section(annex) = of_label("Annex A", &outline) else { panic!("it is a section") };
        assert_eq!((&*annex.id, annex.provisions), ("b", 0));
        let reason = |label: &str| match of_label(label, &outline) {
            NamedItem::Nothing(reason) => reason,
            NamedItem::Asked(_) | NamedItem::Section(_) => panic!("{label}"),
        };
        assert_eq!(reason("4"), "2 sections have this number; send the id of one");
        assert_eq!(reason("Annex Z"), "no provision and no section of `from` has this label");
    }

    #[test]
    fn an_id_is_read_without_the_blanks_around_it_and_anything_else_names_nothing() {
        let id = ProvisionId::from_bytes([1; 16]);
        assert!(
            matches!(of_id(&format!(" {id} ")), NamedItem::Asked(Asked::Provision(found)) if found == id)
        );
        assert!(matches!(of_id("4.2(1)"), NamedItem::Nothing(_)));
    }
}
