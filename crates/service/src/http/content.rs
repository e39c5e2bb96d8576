//! `GET /standards/{id}/content`: the ordered section content as JSON, as plain text, or as the source itself.

use axum::http::HeaderValue;
use axum::http::request::Parts;
use bytes::Bytes;
use norma_api::Operation;
use norma_api::media::{Media, View};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::ContentQuery;
use norma_api::shapes::{Head, splice};
use norma_store::Level;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, query};
use super::edition::Edition;
use super::path::StandardId;
use super::problem::Failure;

/// The whole content, or with `section=` one section with all below it.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    let ContentQuery { section } = ContentQuery::parse(query(&request))?;
    let media = media(&request, Operation::Content)?;
    if section.is_some() && media == Media::Xml {
        let cause = ProblemError { parameter: Some("section".into()), ..Default::default() };
        let detail = "The source in XML can be had whole only; ask for a section in JSON or plain text.";
        return Err(Failure::new(Code::InvalidParameter, detail).because(cause));
    }
    let edition = caller.edition(&id, Level::Read, &request).await?;
    let view = match media {
        Media::Text => View::ContentText,
        Media::Xml => View::Source,
        _ => View::Content,
    };
    match section {
        None => edition.send(view, Operation::Content, &request).await,
        Some(section) => part(&edition, view, &section, &request).await,
    }
}

/// The fragments of a section and of those below it, cut out of the stored view.
async fn part(edition: &Edition, view: View, section: &str, request: &Parts) -> Answer {
    let index = edition.index().await?;
    let outline = &index.outline;
    let wanted = section.trim();
    let by_id = outline.sections.iter().position(|s| s.id.as_str() == wanted);
    let by_number = || {
        outline
            .sections
            .iter()
            .position(|s| s.number.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(wanted)))
    };
    let first = by_id.or_else(by_number).ok_or_else(|| {
        Failure::new(Code::SectionNotFound, format!("{} has no section `{wanted}`.", edition.urn()))
    })?;
    let end = outline.sections[first].end as usize;
    let places = match view {
        View::ContentText => &index.text[first..end],
        _ => &index.content[first..end],
    };
    let mut representation = edition.json(&[view.name(), outline.sections[first].id.as_str()], None);
    representation.content_type = HeaderValue::from_static(view.media().content_type());
    let body = async {
        let stored = edition.view(view).await?;
        let fragments = places.iter().map(|&(start, end)| &stored[start as usize..end as usize]);
        Ok(Bytes::from(match view {
            View::ContentText => fragments.collect::<Vec<_>>().concat(),
            _ => {
                let head =
                    Head { urn: edition.urn().into(), revision: edition.entry().revision.as_str().into() };
                splice(&head, "sections", fragments)
            }
        }))
    };
    representation.answer(request, body).await
}
