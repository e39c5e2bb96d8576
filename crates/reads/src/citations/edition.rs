//! The places of one edition, for the citations that name it.

use std::sync::Arc;

use norma_api::shapes::{
    AccessLevel, CitationCandidate, CitationOutcome, CitedPart, RelatedEdition, ResolvedCitation,
};
use norma_model::Outline;
use norma_model::printed::{CitedLocation, FoundLocation, LocationDetail, LocationKind, OutlinePart};
use norma_render::PackIndex;
use serde::Deserialize;

use super::cited_edition;
use super::detail::{AnchoredItem, FoundDetail, find_detail};
use super::location::{PartNames, shown};
use crate::Failure;
use crate::access::{Access, EditionOfCitation};
use crate::as_of::AsOf;
use crate::edition::{AmendedBy, AuthorizedEdition, SectionHeading, outline_of};
use crate::json::parsed;
use crate::migrate::{LocationInEdition, locations_in_latest};

/// Most parts of an edition whose places in the latest edition one request asks for.
const MOST_FOLLOWED: usize = 1_000;

/// Most provisions of a section that are compared with a detail.
const MOST_ITEMS: u32 = 300;

/// An edition with what its places are found in.
pub(crate) struct EditionLocations {
    pub(crate) edition: Arc<AuthorizedEdition>,
    latest: Option<Arc<AuthorizedEdition>>,
    successors: Vec<RelatedEdition<'static>>,
    headings: Vec<SectionHeading>,
    outline: KnownOutline,
    pub(crate) amended: AmendedBy,
}

/// The parts of an edition that a citation names.
pub(crate) struct CitedParts {
    /// In the order of the citation. Where several parts have its number, all of them.
    pub(crate) parts: Vec<OutlinePart>,
    /// Why there are none, as a sentence.
    pub(crate) reason: Option<String>,
}

/// The parts of an edition that the caller may know.
enum KnownOutline {
    /// All.
    Whole(Arc<PackIndex>),
    /// The sections.
    Sections(Box<Outline>),
}

/// What one citation names in the edition.
struct CitationDraft {
    outcome: CitationOutcome,
    reason: Option<String>,
    parts: Vec<PartOfDraft>,
    nearest: Vec<OutlinePart>,
    candidates: Vec<OutlinePart>,
}

/// A part that a citation names, with what it names within the part.
struct PartOfDraft {
    part: OutlinePart,
    details: Vec<LocationDetail>,
}

impl EditionLocations {
    /// Reads what the places of an edition are found in. Its memory is given back with it.
    pub(crate) async fn read(
        access: &Access<'_>,
        found: &EditionOfCitation,
        as_of: &AsOf,
    ) -> Result<Self, Failure> {
        let edition = found.edition.for_part();
        let latest = found.latest.as_ref().map(|latest| latest.for_part());
        let mut index = None;
        if is_readable(&edition) {
            // For both at once, so that the request does not wait while it holds a part.
            let mut others: Vec<&AuthorizedEdition> = Vec::new();
            others.extend(latest.as_deref().filter(|latest| is_readable(latest)));
            edition.reserve_work_with(&others, 0).await?;
            index = Some(edition.index().await?);
        }
        let headings = edition.headings().await?;
        let outline = match index {
            Some(index) => KnownOutline::Whole(index),
            None => KnownOutline::Sections(Box::new(outline_of(&headings))),
        };
        let amended = edition.amended_by_if(edition.amendments().await?).await?.published_by(as_of);
        let successors = access.successors(&edition, as_of).await?;
        Ok(Self { edition, latest, successors, headings, outline, amended })
    }

    /// The parts that places of a citation name.
    pub(crate) async fn cited_parts(&self, locations: &[CitedLocation]) -> Result<CitedParts, Failure> {
        let mut draft = self.draft(locations);
        self.locate_details(&mut draft).await?;
        let mut parts: Vec<OutlinePart> = draft.parts.iter().map(|named| named.part).collect();
        parts.extend(&draft.candidates);
        let reason = draft.reason.filter(|_| parts.is_empty());
        Ok(CitedParts { parts, reason })
    }

    /// What each citation names: its text and its places.
    pub(crate) async fn resolve(
        &self,
        access: &mut Access<'_>,
        citations: &[(&str, &[CitedLocation])],
    ) -> Result<Vec<ResolvedCitation<'static>>, Failure> {
        let mut drafts = Vec::with_capacity(citations.len());
        for (_, locations) in citations {
            let mut draft = self.draft(locations);
            self.locate_details(&mut draft).await?;
            drafts.push(draft);
        }
        let names = PartNames::read(&self.edition, all_parts(&drafts)).await?;
        let mut items = Vec::with_capacity(drafts.len());
        for ((text, _), draft) in citations.iter().zip(&drafts) {
            items.push(self.item(text, draft, &names));
        }
        self.follow(access, &drafts, &mut items).await?;
        Ok(items)
    }

    /// The parts of the edition that the caller may know.
    pub(crate) fn outline(&self) -> &Outline {
        match &self.outline {
            KnownOutline::Whole(index) => &index.outline,
            KnownOutline::Sections(outline) => outline,
        }
    }

    /// What the places of a citation are, until one is not there.
    fn draft(&self, locations: &[CitedLocation]) -> CitationDraft {
        let mut draft = CitationDraft {
            outcome: CitationOutcome::Resolved,
            reason: None,
            parts: Vec::new(),
            nearest: Vec::new(),
            candidates: Vec::new(),
        };
        let outline = self.outline();
        for location in locations {
            if matches!(self.outline, KnownOutline::Sections(_)) && !is_section(location) {
                return draft.refused(CitationOutcome::NotLicensed, NOT_LICENSED.to_owned());
            }
            match outline.find_location(location) {
                FoundLocation::Parts(parts) => {
                    for part in parts {
                        draft.parts.push(PartOfDraft { part, details: location.details.clone() });
                    }
                }
                FoundLocation::Ambiguous(parts) => {
                    draft.candidates = parts;
                    let reason = format!("Several parts of the edition are `{location}`.");
                    return draft.refused(CitationOutcome::Ambiguous, reason);
                }
                FoundLocation::TooMany => {
                    let reason = format!("`{location}` names too many parts; cite fewer.");
                    return draft.refused(CitationOutcome::Unreadable, reason);
                }
                FoundLocation::Unknown => {
                    draft.nearest = outline.nearest_locations(location);
                    let reason = format!("The edition has no `{location}`.");
                    return draft.refused(CitationOutcome::LocationUnknown, reason);
                }
            }
        }
        draft
    }

    /// Looks for list items, paragraphs and notes in the texts of their sections.
    async fn locate_details(&self, draft: &mut CitationDraft) -> Result<(), Failure> {
        for at in 0..draft.parts.len() {
            let PartOfDraft { part: OutlinePart::Section(section), details } = &draft.parts[at] else {
                continue;
            };
            let Some(outermost) = details.first() else { continue };
            let (section, is_only) = (*section, details.len() == 1);
            let text = self.text_of(section).await?;
            match find_detail(&text, outermost, &self.items_of(section).await?) {
                FoundDetail::Provision(ordinal) if is_only => {
                    let part = OutlinePart::Provision(ordinal);
                    draft.parts[at] = PartOfDraft { part, details: Vec::new() };
                }
                FoundDetail::Provision(_) | FoundDetail::Within | FoundDetail::Unchecked => {}
                FoundDetail::Absent => {
                    let reason = format!("The section has no {outermost}.");
                    draft.refuse(CitationOutcome::LocationUnknown, reason);
                    draft.nearest = vec![OutlinePart::Section(section)];
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The text of a section itself.
    async fn text_of(&self, section: u32) -> Result<String, Failure> {
        let stored: SectionWithText = parsed(&self.edition.section(section as usize).await?)?;
        Ok(stored.text)
    }

    /// The provisions of a section itself; none where there are many.
    async fn items_of(&self, section: u32) -> Result<Vec<AnchoredItem>, Failure> {
        let (start, end) = self.outline().sections[section as usize].provisions;
        if start == end || end - start > MOST_ITEMS {
            return Ok(Vec::new());
        }
        let ordinals: Vec<u32> = (start..end).collect();
        let mut items = Vec::with_capacity(ordinals.len());
        for (&ordinal, fragment) in ordinals.iter().zip(self.edition.fragments(&ordinals).await?) {
            let stored: StoredPosition = parsed(&fragment)?;
            items.push(AnchoredItem { ordinal, item_label: stored.item_label, start: stored.anchor.start });
        }
        Ok(items)
    }

    /// What an answer says of the edition itself.
    pub(crate) fn head(&self, text: &str, outcome: CitationOutcome) -> ResolvedCitation<'static> {
        let mut item = ResolvedCitation::new(text.to_owned(), outcome);
        let summary = self.edition.summary();
        item.urn = Some(summary.urn.clone().into_owned().into());
        item.reference = Some(summary.reference.clone().into_owned().into());
        item.title = Some(summary.title.clone().into_owned().into());
        item.status = Some(summary.status);
        item.access = Some(summary.access);
        item.superseded_by.clone_from(&self.successors);
        item.amended_by = self.amended.named();
        item.latest = self.latest.as_ref().map(|latest| cited_edition(latest));
        item
    }

    fn item(&self, text: &str, draft: &CitationDraft, names: &PartNames) -> ResolvedCitation<'static> {
        let mut item = self.head(text, draft.outcome);
        item.reason = draft.reason.clone().map(Into::into);
        for PartOfDraft { part, details } in &draft.parts {
            let mut location = self.part(*part, names);
            let details: Vec<String> = details.iter().map(ToString::to_string).collect();
            location.within = (!details.is_empty()).then(|| details.join(", ").into());
            item.locations.push(location);
        }
        for part in &draft.nearest {
            item.nearest.push(self.part(*part, names));
        }
        for part in &draft.candidates {
            let location = Some(self.part(*part, names));
            item.candidates.push(CitationCandidate { edition: cited_edition(&self.edition), location });
        }
        item
    }

    fn part(&self, part: OutlinePart, names: &PartNames) -> CitedPart<'static> {
        shown(part, self.outline(), names, &self.headings, &self.amended)
    }

    /// Adds where the places are in the latest edition, if that is another one and both may be read.
    async fn follow(
        &self,
        access: &mut Access<'_>,
        drafts: &[CitationDraft],
        items: &mut [ResolvedCitation<'static>],
    ) -> Result<(), Failure> {
        let Some(latest) = &self.latest else { return Ok(()) };
        let KnownOutline::Whole(index) = &self.outline else { return Ok(()) };
        if !is_readable(latest) {
            return Ok(());
        }
        let mut followed = Vec::new();
        let mut positions = Vec::new();
        for (at, draft) in drafts.iter().enumerate() {
            for (nth, PartOfDraft { part, .. }) in draft.parts.iter().enumerate() {
                let location = match part {
                    OutlinePart::Section(section) => LocationInEdition::Section(*section),
                    OutlinePart::Provision(ordinal) => LocationInEdition::Provision(*ordinal),
                    OutlinePart::Table(_) | OutlinePart::Figure(_) | OutlinePart::Term(_) => continue,
                };
                if followed.len() < MOST_FOLLOWED {
                    followed.push(location);
                    positions.push((at, nth));
                }
            }
        }
        if followed.is_empty() {
            return Ok(());
        }
        let found = locations_in_latest(access, latest, &self.edition, &index.outline, &followed).await?;
        for ((at, nth), found) in positions.into_iter().zip(found) {
            if let Some(location) = items[at].locations.get_mut(nth) {
                location.in_latest = Some(found);
            }
        }
        Ok(())
    }
}

/// Why a place of an edition that may only be discovered is not shown.
const NOT_LICENSED: &str =
    "You may discover this edition, and not read it: its sections alone are places for you.";

impl CitationDraft {
    fn refused(mut self, outcome: CitationOutcome, reason: String) -> Self {
        self.refuse(outcome, reason);
        self
    }

    fn refuse(&mut self, outcome: CitationOutcome, reason: String) {
        self.outcome = outcome;
        self.reason = Some(reason);
        // The places before the wrong one would look like the answer.
        self.parts.clear();
    }
}

/// The member of a stored section that details are looked for in.
#[derive(Deserialize)]
struct SectionWithText {
    text: String,
}

/// The members of a stored provision that say where it is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredPosition {
    item_label: Option<String>,
    anchor: StoredAnchor,
}

/// The position of a stored provision in the text of its section.
#[derive(Deserialize)]
struct StoredAnchor {
    start: usize,
}

fn is_readable(edition: &AuthorizedEdition) -> bool {
    edition.summary().access == AccessLevel::Read
}

/// All parts that drafts name.
fn all_parts(drafts: &[CitationDraft]) -> impl Iterator<Item = OutlinePart> {
    drafts.iter().flat_map(|draft| {
        let named = draft.parts.iter().map(|named| named.part);
        named.chain(draft.nearest.iter().copied()).chain(draft.candidates.iter().copied())
    })
}

/// Whether a place is a section, which a caller who discovers an edition may know.
fn is_section(location: &CitedLocation) -> bool {
    let is_part =
        location.kind == LocationKind::Clause && location.ordinal.is_none() && location.details.is_empty();
    let ends_with_section = location.to.as_ref().is_none_or(|end| is_section(&end.location));
    is_part && ends_with_section
}
