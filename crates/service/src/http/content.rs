//! `GET /standards/{id}/content`: the ordered section content as JSON, as plain text, or as the source itself.

use axum::http::HeaderValue;
use axum::http::request::Parts;
use bytes::Bytes;
use norma_api::Operation;
use norma_api::media::{Media, View};
use norma_api::problem::{Code, ProblemError};
use norma_api::query::ContentQuery;
use norma_api::shapes::{Head, splice};
use norma_model::Outline;
use norma_store::Level;
use std::ops::Range;

use super::access::Caller;
use super::deliver::{Answer, Ask, media, query};
use super::edition::Edition;
use super::path::StandardId;
use super::problem::Failure;

/// The whole content, or with `section=` one section with all below it.
pub(super) async fn read(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    let ContentQuery { section } =
        ContentQuery::parse(query(&request), caller.app().settings.limits.queries())?;
    let media = media(&request, Operation::Content)?;
    if section.is_some() && media == Media::Xml {
        let detail = "The source in XML can be had whole only; ask for a section in JSON or plain text.";
        let cause =
            ProblemError { detail: detail.into(), parameter: Some("section".into()), ..Default::default() };
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

/// The fragments of the sections named and of those below them, cut out of the stored view.
async fn part(edition: &Edition, view: View, section: &str, request: &Parts) -> Answer {
    let index = edition.index().await?;
    let named = named(&index.outline, section.trim());
    if named.is_empty() {
        let detail = format!("{} has no section `{}`.", edition.urn(), section.trim());
        return Err(Failure::new(Code::SectionNotFound, detail));
    }
    let places: Vec<(u32, u32)> = match view {
        View::ContentText => named.into_iter().flat_map(|range| index.text[range].to_vec()).collect(),
        _ => named.into_iter().flat_map(|range| index.content[range].to_vec()).collect(),
    };
    let target = (Operation::Content, &[edition.urn()][..], query(request));
    let mut representation = edition.json(&[view.name(), section.trim()], target);
    representation.content_type = HeaderValue::from_static(view.media().content_type());
    let body = async {
        let stored = edition.view(view).await?;
        let mut parts = Vec::with_capacity(places.len());
        for place in places {
            parts.push(stored.get(place).await?);
        }
        let fragments = parts.iter().map(|part| &part[..]);
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

/// The subtrees that an id or a number names: one section by its id, else all that bear the number.
fn named(outline: &Outline, section: &str) -> Vec<Range<usize>> {
    let subtree = |first: usize| first..outline.sections[first].end as usize;
    if let Some(first) = outline.sections.iter().position(|s| s.id.as_str() == section) {
        return vec![subtree(first)];
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (first, one) in outline.sections.iter().enumerate() {
        let bears = one.number.as_deref().is_some_and(|number| number.eq_ignore_ascii_case(section));
        if bears && ranges.last().is_none_or(|last| last.end <= first) {
            ranges.push(subtree(first));
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use norma_model::SectionId;
    use norma_model::outline::OutlineSection;

    use super::*;

    #[test]
    fn a_number_that_several_sections_bear_names_all_of_them_and_an_id_only_one() {
        let section = |id: &str, number: &str, parent, end| OutlineSection {
            id: SectionId::new(id),
            number: Some(number.into()),
            parent,
            end,
            provisions: (0, 0),
        };
        let sections = vec![
            section("a", "1", None, 3),
            section("b", "1", Some(0), 2),
            section("c", "2", Some(0), 3),
            section("d", "1", None, 4),
        ];
        let outline = Outline::new(sections, vec![], vec![], vec![]);
        assert_eq!(named(&outline, "1"), [0..3, 3..4]);
        assert_eq!(named(&outline, "b"), vec![Range { start: 1, end: 2 }]);
        assert!(named(&outline, "3").is_empty());
    }
}
