//! Amendments of an edition that its caller may see, and what each changes in it.
//!
//! They depend on the caller and on later arrivals, so nothing of them is stored with the edition: the parts
//! are resolved for each answer, from the stored instructions of the amendment and the stored text of the
//! edition. An edition without visible amendments costs a look at its relations.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use norma_amendments::{ResolvedInstruction, TouchedParts};
use norma_api::shapes::{Amendment, InstructionBase, UnresolvedReason, instruction_id};
use norma_model::Urn;
use norma_render::{
    AmendedParts, PARTS_OF_AMENDED, PackPart, StoredInstruction, amended_edition, instructions,
};
use norma_store::{Entry, GrantedEdition, Level, RelatedKind, Summary};
use tokio::sync::OnceCell;

use super::AuthorizedEdition;
use super::amended_by::AmendedBy;
use crate::Failure;
use crate::failed::failed;
use crate::tag::digest;

/// The amendments of an edition that its caller may see, in the order of their publication.
pub(crate) struct VisibleAmendments {
    amendments: Vec<Arc<AuthorizedEdition>>,
    /// Names them, their revisions and what the caller may see of them.
    pub(crate) state: String,
}

impl VisibleAmendments {
    /// The state of amendments for an entity tag; empty where there are none.
    pub(crate) fn state_of(visible: Option<&Self>) -> String {
        match visible {
            Some(visible) => visible.state.clone(),
            None => String::new(),
        }
    }
}

impl AuthorizedEdition {
    /// The amendments of it that the caller may see; `None` where there are none.
    pub(crate) async fn amendments(&self) -> Result<Option<VisibleAmendments>, Failure> {
        if !self.granted.has_related(RelatedKind::AmendedBy) {
            return Ok(None);
        }
        let found = self.granted.related_editions(RelatedKind::AmendedBy).await.map_err(failed)?;
        let mut found = in_language_of(self.granted.entry(), found);
        if found.is_empty() {
            return Ok(None);
        }
        found.sort_by(|a, b| publication(a.entry()).cmp(&publication(b.entry())));
        // Without a level `read` for both, an answer names the amendment alone.
        let mut state = format!("{:?}", self.granted.level());
        for one in &found {
            let Entry { summary, revision, .. } = &**one.entry();
            let date = summary.published_on.as_ref().map_or("", |date| date.as_str());
            let (urn, reference, level) = (&summary.urn, &summary.reference, one.level());
            state += &format!("\n{urn} {revision} {date} {reference} {level:?}");
        }
        let amendments = found.into_iter().map(|one| Self::new(one, true, &self.services)).collect();
        Ok(Some(VisibleAmendments { amendments, state: digest(state.as_bytes()) }))
    }

    /// What these amendments change in the edition. The memory for it is given back before this returns.
    pub(crate) async fn amended_by(&self, visible: &VisibleAmendments) -> Result<AmendedBy, Failure> {
        let _step = self.services.trace.step("amendments");
        let can_read = self.granted.level() >= Level::Read;
        let base = self.for_part();
        // The parts of the base, which are read for the first amendment with instructions.
        let base_parts = OnceCell::new();
        let mut changes = Vec::new();
        for amendment in &visible.amendments {
            let entry = amendment.granted.entry();
            let mut instructions = Vec::new();
            if can_read && amendment.granted.level() >= Level::Read {
                instructions = amendment.for_part().instructions().await?;
            }
            if instructions.is_empty() {
                changes.push((named(entry), TouchedParts::default()));
                continue;
            }
            let parts = base_parts.get_or_try_init(|| base.amended_parts()).await?;
            for (index, instruction) in instructions.iter().enumerate() {
                changes.push(change(entry, parts, index, instruction));
            }
        }
        Ok(AmendedBy { changes })
    }

    /// What amendments change in the edition; nothing where there are none.
    pub(crate) async fn amended_by_if(
        &self,
        visible: Option<VisibleAmendments>,
    ) -> Result<AmendedBy, Failure> {
        match visible {
            Some(visible) => self.amended_by(&visible).await,
            None => Ok(AmendedBy::default()),
        }
    }

    /// The amendments of it by name alone, for a list.
    pub(crate) async fn named_amendments(&self) -> Result<Vec<Amendment<'static>>, Failure> {
        let Some(visible) = self.amendments().await? else { return Ok(Vec::new()) };
        Ok(visible.amendments.iter().map(|one| named(one.granted.entry())).collect())
    }

    /// The stored instructions of the edition, where it is an amendment.
    pub(crate) async fn instructions(&self) -> Result<Vec<StoredInstruction>, Failure> {
        self.expect_readable()?;
        let size = self.directory()?.part(PackPart::Instructions).size;
        self.services.memory.add(size.saturating_mul(4)).await?;
        let read = self.parsed(PackPart::Instructions, instructions).await?;
        Ok(Arc::unwrap_or_clone(read))
    }

    /// The editions that it amends and that the caller may read.
    pub(crate) async fn amended_editions(&self) -> Result<Vec<Arc<Self>>, Failure> {
        let found = self.granted.related_editions(RelatedKind::Amends).await.map_err(failed)?;
        let mut readable = Vec::new();
        for one in found {
            if one.level() >= Level::Read {
                readable.push(Self::new(one, true, &self.services));
            }
        }
        Ok(readable)
    }

    /// Where the instructions of an amendment change this edition, in their order.
    pub(crate) async fn resolved(
        &self,
        stored: &[StoredInstruction],
    ) -> Result<Vec<InstructionBase<'static>>, Failure> {
        let parts = self.for_part().amended_parts().await?;
        let summary = &self.granted.entry().summary;
        let mut resolved = Vec::with_capacity(stored.len());
        for one in stored {
            let ResolvedInstruction { reason, touched } = parts.edition.resolve(&one.instruction);
            resolved.push(InstructionBase {
                urn: summary.urn.to_string().into(),
                reference: summary.reference.clone().into(),
                resolved: reason.is_none(),
                unresolved_reason: reason.map(shown_reason),
                targets: targets(&parts, &touched),
            });
        }
        Ok(resolved)
    }

    /// The parts of the edition that instructions are compared with.
    async fn amended_parts(&self) -> Result<AmendedParts, Failure> {
        self.expect_readable()?;
        let directory = self.directory()?;
        let mut sum: u64 = 0;
        for part in PARTS_OF_AMENDED {
            sum += directory.part(part).size;
        }
        // The parts, their texts, and the parsed blocks.
        self.services.memory.add(sum.saturating_mul(3)).await?;
        let [blocks, content, tables] = PARTS_OF_AMENDED;
        let blocks = self.part(blocks).await?;
        let content = self.part(content).await?;
        let tables = self.part(tables).await?;
        let read = move || amended_edition(&blocks, &content, &tables);
        let read = self.services.slots.run_sized(sum, read).await;
        read.ok_or_else(|| self.unreadable("the text that amendments change"))
    }
}

/// The order of amendments: by their dates, those without one first, then by their URNs.
fn publication(entry: &Entry) -> (Option<&str>, &str) {
    let date = entry.summary.published_on.as_ref().map(|date| date.as_str());
    (date, entry.summary.urn.as_str())
}

/// Of translations of one amendment those in a language of the amended edition; all where there are none.
fn in_language_of(base: &Entry, found: Vec<GrantedEdition>) -> Vec<GrantedEdition> {
    let mut in_language = BTreeSet::new();
    for one in &found {
        if have_common_language(&base.summary, &one.entry().summary) {
            in_language.insert(name_without_language(&one.entry().summary.urn));
        }
    }
    let mut left = Vec::new();
    for one in found {
        let is_in_language = have_common_language(&base.summary, &one.entry().summary);
        if is_in_language || !in_language.contains(&name_without_language(&one.entry().summary.urn)) {
            left.push(one);
        }
    }
    left
}

fn have_common_language(one: &Summary, other: &Summary) -> bool {
    one.languages.iter().any(|language| other.languages.contains(language))
}

/// The document and edition that translations have in common.
fn name_without_language(urn: &Urn) -> (String, String) {
    (urn.document_urn().to_owned(), urn.edition().to_owned())
}

/// An amendment by name alone.
fn named(entry: &Entry) -> Amendment<'static> {
    let summary = &entry.summary;
    let published_on = summary.published_on.as_ref().map(|date| date.as_str().to_owned().into());
    Amendment::named(summary.urn.to_string().into(), summary.reference.clone().into(), published_on)
}

/// A change that an amendment makes in these parts, and what it touches.
fn change(
    entry: &Entry,
    parts: &AmendedParts,
    index: usize,
    stored: &StoredInstruction,
) -> (Amendment<'static>, TouchedParts) {
    let instruction = &stored.instruction;
    let ResolvedInstruction { reason, touched } = parts.edition.resolve(instruction);
    let shape = Amendment {
        instruction_id: Some(instruction_id(index).into()),
        operation: Some(instruction.operation.into()),
        label: Some(instruction.printed.to_string().into()),
        text: Some(instruction.text.to_string().into()),
        new_text: instruction.new_text.as_ref().map(|text| text.to_string().into()),
        language: Some(instruction.language.to_string().into()),
        resolved: Some(reason.is_none()),
        unresolved_reason: reason.map(shown_reason),
        targets: targets(parts, &touched),
        ..named(entry)
    };
    (shape, touched)
}

fn targets(parts: &AmendedParts, touched: &TouchedParts) -> Vec<Cow<'static, str>> {
    parts.ids(touched).into_iter().map(Cow::Owned).collect()
}

fn shown_reason(reason: norma_amendments::UnresolvedReason) -> UnresolvedReason {
    use norma_amendments::UnresolvedReason as Reason;
    match reason {
        Reason::NothingNamed => UnresolvedReason::NothingNamed,
        Reason::PageOrLine => UnresolvedReason::PageOrLine,
        Reason::ClauseMissing => UnresolvedReason::ClauseMissing,
        Reason::ClauseAmbiguous => UnresolvedReason::ClauseAmbiguous,
        Reason::TitleDiffers => UnresolvedReason::TitleDiffers,
        Reason::PartMissing => UnresolvedReason::PartMissing,
        Reason::PartAmbiguous => UnresolvedReason::PartAmbiguous,
        Reason::WordsMissing => UnresolvedReason::WordsMissing,
    }
}
