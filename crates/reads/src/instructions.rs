//! The instructions of an amendment, each with the parts of the amended editions that it changes.

use std::borrow::Cow;

use norma_api::media::Media;
use norma_api::shapes::{Instruction, InstructionBase, InstructionsView, SectionRef};
use norma_model::Identifier;
use norma_render::StoredInstruction;

use crate::access::Access;
use crate::body::Body;
use crate::edition::AuthorizedEdition;
use crate::json::json;
use crate::representation::Representation;
use crate::{Failure, Request};

/// The instructions of an edition; none where it is not an amendment.
pub(crate) async fn instructions(
    access: &mut Access<'_>,
    id: &Identifier,
    request: Request<'_>,
) -> Result<Representation, Failure> {
    let edition = access.edition(request.operation, id).await?;

    let bases = edition.amended_editions().await?;
    let mut state = String::new();
    for base in &bases {
        state += &format!("{} {}\n", base.urn(), base.revision());
    }
    let read = edition.clone();
    let body = Body::lazy(async move {
        let stored = read.for_part().instructions().await?;
        let mut resolved = Vec::with_capacity(bases.len());
        for base in &bases {
            resolved.push(base.resolved(&stored).await?);
        }
        shape(&read, &stored, &resolved)
    });
    let parts = ["instructions", &state];
    let mut representation =
        Representation::generated(&edition, request, Media::Json, (&parts, &[edition.urn()]), body)?;
    // Arrivals of amended editions and grants change the answer, so no single date applies.
    representation.modified = None;
    Ok(representation)
}

/// The answer; `resolved` has a list for each amended edition.
fn shape(
    edition: &AuthorizedEdition,
    stored: &[StoredInstruction],
    resolved: &[Vec<InstructionBase<'static>>],
) -> Result<bytes::Bytes, Failure> {
    let mut items = Vec::with_capacity(stored.len());
    for (index, one) in stored.iter().enumerate() {
        let section = SectionRef {
            id: Cow::Borrowed(&*one.section_id),
            number: one.section_number.as_deref().map(Cow::Borrowed),
            title: one.section_title.as_deref().map(Cow::Borrowed),
        };
        let provision_ids = one.provision_ids.iter().map(|id| Cow::Borrowed(&**id)).collect();
        let mut bases = Vec::with_capacity(resolved.len());
        for of_base in resolved {
            bases.push(of_base[index].clone());
        }
        items.push(Instruction::new(index, &one.instruction, section, provision_ids, bases));
    }
    json(&InstructionsView { urn: edition.urn().into(), revision: edition.revision().into(), items })
}
