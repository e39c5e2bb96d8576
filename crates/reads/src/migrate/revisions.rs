//! Migration from an earlier revision: its comparison with the edition that ids are followed into says what
//! became of each id or label.

use std::collections::BTreeMap;

use norma_api::query::AskedRevision;
use norma_api::shapes::{ChangeCause, ComparisonRelation, Facet, Lineage, MigrateRequest, MigrationOutcome};
use norma_compare::Heading;
use norma_editions::earlier::{NamedRevision, RevisionError};
use norma_model::lineage::{Asked, Fate, Followed, FormerId};
use norma_store::{EarlierRevision, Retired};

use super::draft::{MigratedUnit, MigrationDraft};
use super::number_of;
use super::pairs::{PairComparisons, comparisons_of_revision};
use crate::Failure;
use crate::access::{Access, named_revision};
use crate::edition::AuthorizedEdition;
use crate::pair_side::PairSide;
use crate::revision_failure::not_derived;

/// An earlier revision of an edition, compared with the one that ids are followed into.
pub(super) struct RevisionComparisons {
    /// URN of its edition.
    pub(super) urn: String,
    /// The name of the revision.
    pub(super) revision: String,
    /// The comparisons of the revision, one for each language that both have.
    pub(super) pair: PairComparisons,
    /// The reason why it cannot be compared.
    pub(super) reason: Option<String>,
}

impl RevisionComparisons {
    /// Compares a retained revision of the edition with this URN.
    ///
    /// # Errors
    /// Those of the store.
    async fn read(
        access: &mut Access<'_>,
        edition: &AuthorizedEdition,
        urn: &str,
        earlier: &EarlierRevision,
    ) -> Result<Self, Failure> {
        let mut found = Self::without_comparison(urn, &earlier.revision, None);
        if !earlier.reason.is_empty() {
            let parsed = urn.parse().map_err(|error: norma_model::UrnError| Failure::internal(&error))?;
            found.reason = Some(not_derived(&parsed, earlier));
            return Ok(found);
        }
        let Some(pair) = access.pair_of_revision(edition, urn, earlier.clone()).await? else {
            return Ok(found);
        };
        (found.pair, found.reason) = comparisons_of_revision(access, pair, urn).await?;
        Ok(found)
    }

    fn without_comparison(urn: &str, revision: &str, reason: Option<String>) -> Self {
        let pair = PairComparisons { other: PairSide::Older, all: Vec::new(), is_pending: false };
        Self { urn: urn.to_owned(), revision: revision.to_owned(), pair, reason }
    }

    /// Adds to a draft what the comparison says of the first of these ids that the revision has; false where
    /// it has none of them.
    pub(super) fn add_to<'a>(&'a self, draft: &mut MigrationDraft<'a>, ids: &[String], texts: bool) -> bool {
        for id in ids {
            if self.add_unit(draft, &|unit| *unit.id == **id, texts) {
                return true;
            }
        }
        false
    }

    /// The same of the first unit of the revision that `fits` accepts.
    fn add_unit<'a>(
        &'a self,
        draft: &mut MigrationDraft<'a>,
        fits: &dyn Fn(&norma_compare::UnitName) -> bool,
        texts: bool,
    ) -> bool {
        let side = self.pair.other;
        for compared in &self.pair.all {
            let compared = compared.pair();
            let Some(unit) = compared.units(side).iter().position(fits) else { continue };
            draft.compare_revision(&self.urn, MigratedUnit { compared, side, unit });
            let Some(source) = &mut draft.item.source else { return true };
            source.revision = Some((&*self.revision).into());
            if texts
                && let Some(revision) = &compared.texts[side.index()]
                && let Some(found) = revision.unit(unit)
            {
                source.text = Some((&*found.text).into());
                source.lead_in = found.lead_in.as_deref().map(Into::into);
            }
            return true;
        }
        false
    }
}

/// The revision that all ids and labels of a request are of, compared with the edition that they are followed
/// into; `None` where it is the present one. `origin` is its edition.
///
/// # Errors
/// There is no such revision, or none that is retained.
pub(super) async fn of_request(
    access: &mut Access<'_>,
    edition: &AuthorizedEdition,
    origin: &AuthorizedEdition,
    name: &AskedRevision,
) -> Result<Option<RevisionComparisons>, Failure> {
    match named_revision(origin.granted(), name, "fromRevision").await? {
        NamedRevision::Present => Ok(None),
        NamedRevision::Earlier(earlier) => {
            RevisionComparisons::read(access, edition, origin.urn(), &earlier).await.map(Some)
        }
    }
}

/// The revisions that had retired ids, by the URN of their edition and their names, each compared with the
/// edition that the ids are followed into.
pub(super) type FormerRevisions = BTreeMap<(String, String), RevisionComparisons>;

/// Compares the revisions that had the retired ids.
///
/// # Errors
/// Those of the store.
pub(super) async fn of_retired_ids(
    access: &mut Access<'_>,
    edition: &AuthorizedEdition,
    fates: &[Option<Followed>],
) -> Result<FormerRevisions, Failure> {
    let mut found = FormerRevisions::new();
    for followed in fates.iter().flatten() {
        let Some(FormerId { urn, revision, by_rules: false, .. }) = &followed.former else { continue };
        let key = (urn.to_string(), revision.to_string());
        if found.contains_key(&key) {
            continue;
        }
        let Some(revisions) = access.revisions_of(edition, urn).await? else { continue };
        let compared = match revisions.find(&AskedRevision::Revision(revision.to_string())) {
            Ok(NamedRevision::Earlier(earlier)) => {
                RevisionComparisons::read(access, edition, urn, &earlier).await?
            }
            Ok(NamedRevision::Present) => continue,
            Err(RevisionError::Unknown | RevisionError::Pruned) => {
                let reason = format!("the source of {urn} in revision {revision} is no longer retained");
                RevisionComparisons::without_comparison(urn, revision, Some(reason))
            }
        };
        found.insert(key, compared);
    }
    Ok(found)
}

/// What became of a provision with a retired id in this edition, and the kinds of change; `None` where its
/// revision is not retained, or only the rules changed.
///
/// # Errors
/// Those of the store.
pub(crate) async fn change_of_retired(
    access: &mut Access<'_>,
    edition: &AuthorizedEdition,
    retired: &Retired,
) -> Result<Option<(ComparisonRelation, Vec<Facet>)>, Failure> {
    let former = FormerId {
        ids: vec![retired.id],
        urn: retired.edition.as_str().into(),
        revision: retired.revision.as_str().into(),
        by_rules: retired.by_rules,
    };
    let (fate, former) = (Fate::Absent, Some(former));
    let fates = [Some(Followed { fate, lineage: None, source: None, former })];
    let compared = of_retired_ids(access, edition, &fates).await?;
    let Some(compared) = compared.values().next() else { return Ok(None) };
    let mut draft = MigrationDraft::new(MigrationOutcome::Unknown);
    if !compared.add_to(&mut draft, &[retired.id.to_string()], false) {
        return Ok(None);
    }
    Ok(draft.item.relation.map(|relation| (relation, draft.item.changed)))
}

/// Adds to a draft what corrections within an edition changed, for an id that an earlier revision had.
pub(super) fn add_former<'a>(
    draft: &mut MigrationDraft<'a>,
    former: &FormerId,
    revisions: &'a FormerRevisions,
    texts: bool,
) {
    draft.item.cause = Some(cause(former));
    if former.by_rules {
        return;
    }
    let key = (former.urn.to_string(), former.revision.to_string());
    let Some(compared) = revisions.get(&key) else { return };
    let ids: Vec<String> = former.ids.iter().map(ToString::to_string).collect();
    let by_lineage = (draft.item.outcome, draft.ordinals.first().copied());
    if compared.add_to(draft, &ids, texts) {
        if let (MigrationOutcome::Found, Some(ordinal)) = by_lineage {
            add_member_of_lineage(draft, ordinal);
        }
        return;
    }
    draft.item.retry |= compared.pair.is_pending;
    let reason = compared.reason.clone().unwrap_or_else(|| no_such_unit(compared));
    draft.item.reason = Some(reason.into());
}

/// The reason why an id was retired: other rules cut the same text otherwise, or the text was corrected.
fn cause(former: &FormerId) -> ChangeCause {
    if former.by_rules { ChangeCause::Rules } else { ChangeCause::Text }
}

/// Adds the provision that the lineage leads to, where the comparison found no counterpart: after several
/// corrections, the first and the last words may have little in common.
fn add_member_of_lineage(draft: &mut MigrationDraft<'_>, ordinal: u32) {
    if draft.item.outcome != MigrationOutcome::Absent {
        return;
    }
    draft.item.outcome = MigrationOutcome::Found;
    draft.ordinals = vec![ordinal];
    draft.item.candidates.clear();
    let reason =
        "corrections in between lead to this provision; a comparison of the two finds too little in common";
    draft.item.reason = Some(reason.into());
}

fn no_such_unit(compared: &RevisionComparisons) -> String {
    let RevisionComparisons { urn, revision, .. } = compared;
    format!("by the present rules, revision {revision} of {urn} has no provision with this id or label")
}

/// An id of a request for an earlier revision.
pub(super) struct FollowedId {
    /// The id; `None` for a text that cannot be one.
    pub(super) asked: Option<Asked>,
    /// What the lineages say of it.
    pub(super) followed: Option<Followed>,
    /// For the id of a lineage, the ids of its member in the edition of the revision.
    pub(super) members: Vec<String>,
}

/// What became of the ids or labels of a request, all of them of one revision. `ids` are those of the
/// request.
pub(super) fn drafts_of_revision<'a>(
    request: &MigrateRequest,
    compared: &'a RevisionComparisons,
    ids: &[FollowedId],
    texts: bool,
) -> Vec<MigrationDraft<'a>> {
    match request {
        MigrateRequest::Labels { labels } => {
            labels.iter().map(|label| draft_of_label(label, compared, texts)).collect()
        }
        MigrateRequest::Ids { .. } => ids.iter().map(|id| draft_of_id(id, compared, texts)).collect(),
    }
}

fn draft_of_id<'a>(
    FollowedId { asked, followed, members }: &FollowedId,
    compared: &'a RevisionComparisons,
    texts: bool,
) -> MigrationDraft<'a> {
    let Some(asked) = asked else {
        return MigrationDraft::of_nothing(Some(norma_model::lineage::ParseAskedError.to_string()));
    };
    let followed = followed.as_ref();
    let mut draft = MigrationDraft::new(MigrationOutcome::Unknown);
    let former = followed.and_then(|followed| followed.former.as_ref());
    let ids: Vec<String> = match (asked, former) {
        (Asked::Lineage(_), _) => members.clone(),
        (Asked::Provision(_), Some(former)) => former.ids.iter().map(ToString::to_string).collect(),
        (Asked::Provision(id), None) => vec![id.to_string()],
    };
    if let Some(former) = former {
        draft.item.cause = Some(cause(former));
    }
    if !compared.add_to(&mut draft, &ids, texts) {
        return unknown(compared, followed.is_some());
    }
    if let Some(Followed { fate: Fate::Provision(ordinal), .. }) = followed
        && let Ok(ordinal) = u32::try_from(*ordinal)
    {
        add_member_of_lineage(&mut draft, ordinal);
    }
    let lineage = followed.and_then(|followed| followed.lineage.as_ref());
    draft.item.lineage = lineage.map(|id| Lineage::of_id(id.to_string()));
    draft
}

/// The draft for an id or label that the revision does not have, or cannot be compared for.
fn unknown(compared: &RevisionComparisons, is_known: bool) -> MigrationDraft<'static> {
    let reason = match &compared.reason {
        Some(reason) => Some(reason.clone()),
        None => is_known.then(|| no_such_unit(compared)),
    };
    let mut draft = MigrationDraft::of_nothing(reason);
    draft.item.retry = compared.pair.is_pending;
    draft
}

/// What became of the provision or section of the revision with this label.
fn draft_of_label<'a>(label: &str, compared: &'a RevisionComparisons, texts: bool) -> MigrationDraft<'a> {
    let label = label.trim();
    let section = number_of(label);
    for pair in &compared.pair.all {
        for change in &pair.pair().record.outline {
            let (asked, counterpart) = match compared.pair.other {
                PairSide::Older => (&change.older, &change.newer),
                PairSide::Newer => (&change.newer, &change.older),
            };
            if let Some(heading) = asked
                && is_named(heading, section)
            {
                return MigrationDraft::of_section(change, counterpart.is_some());
            }
        }
    }
    let mut draft = MigrationDraft::new(MigrationOutcome::Unknown);
    if compared.add_unit(&mut draft, &|unit| unit.label.as_deref() == Some(label), texts) {
        return draft;
    }
    unknown(compared, true)
}

/// True if a section has this id, or this number in any case.
fn is_named(heading: &Heading, section: &str) -> bool {
    if *heading.id == *section {
        return true;
    }
    match &heading.label {
        Some(number) => number.eq_ignore_ascii_case(section),
        None => false,
    }
}
