//! `GET /standards/{id}/provisions`, `…/provisions/{selection}` and `GET /provisions/{id}`.

use bytes::Bytes;
use norma_api::Operation;
use norma_api::media::View;
use norma_api::problem::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{
    ContentSection, Head, Provision, SectionRef, SelectionHead, SelectionReport, splice,
};
use norma_model::outline::OutlineSection;
use norma_store::Level;
use serde::Deserialize;
use std::borrow::Cow;

use super::access::Caller;
use super::deliver::{Answer, Ask, json, media, no_parameters, query};
use super::edition::{Edition, Fragments};
use super::path::{self, Selected, StandardId, provision_not_found};
use super::problem::Failure;
use super::words;
use crate::render::Index;

/// All provisions of a standard, or those that the filters leave.
pub(super) async fn all(caller: Caller, StandardId(id): StandardId, Ask(request): Ask) -> Answer {
    let filters = ProvisionsQuery::parse(query(&request), caller.app().settings.limits.queries())?;
    media(&request, Operation::Provisions)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    if filters.is_empty() {
        return edition.send(View::Provisions, Operation::Provisions, &request).await;
    }
    let representation = edition
        .json(&["provisions", query(&request)], (Operation::Provisions, &[edition.urn()], query(&request)));
    let body = async {
        let (index, stored) = (edition.index().await?, edition.view(View::Provisions).await?);
        let kept = filtered(&filters, &index, &stored, 0..index.provisions.len() as u32).await?;
        Ok(spliced(&head(&edition), &kept))
    };
    representation.answer(&request, body).await
}

/// The provisions that a selection names.
pub(super) async fn selected(
    caller: Caller,
    StandardId(id): StandardId,
    Selected(selection): Selected,
    Ask(request): Ask,
) -> Answer {
    let filters = ProvisionsQuery::parse(query(&request), caller.app().settings.limits.queries())?;
    media(&request, Operation::Selection)?;
    let edition = caller.edition(&id, Level::Read, &request).await?;
    let index = edition.index().await?;
    let named = selection.resolve(&index.outline)?;
    if named.matched.is_empty() {
        let detail = format!("`{selection}` names nothing in {}.", edition.urn());
        return Err(Failure::new(Code::SelectionNotFound, detail));
    }
    let canonical = selection.to_string();
    let representation = edition.json(
        &["selection", &canonical, query(&request)],
        (Operation::Selection, &[edition.urn(), &canonical], query(&request)),
    );
    let body = async {
        let stored = edition.view(View::Provisions).await?;
        let kept = filtered(&filters, &index, &stored, named.provisions).await?;
        let texts = |items: Vec<String>| items.into_iter().map(Cow::Owned).collect();
        let selection = SelectionReport {
            canonical: canonical.into(),
            matched: texts(named.matched),
            unmatched: texts(named.unmatched),
        };
        Ok(spliced(&SelectionHead { head: head(&edition), selection }, &kept))
    };
    representation.answer(&request, body).await
}

/// One provision with its standard and its section.
pub(super) async fn one(caller: Caller, path::Provision(id): path::Provision, Ask(request): Ask) -> Answer {
    no_parameters(&request)?;
    media(&request, Operation::Provision)?;
    let (found, place) = caller.seen().await?.provision(&id).await?.ok_or_else(provision_not_found)?;
    let edition = caller.admit(found, Level::Read)?;
    let entry = edition.entry();
    let standing = format!("{:?} {:?} {:?}", entry.status, edition.level(), entry.updated);
    let representation = edition
        .json(&["provision", &id.to_string(), &standing], (Operation::Provision, &[&id.to_string()], ""));
    let body = async {
        let index = edition.index().await?;
        let (provisions, content) =
            (edition.view(View::Provisions).await?, edition.view(View::Content).await?);
        let outline = &index.outline;
        let section = outline.provisions[place].section as usize;
        let provision = provisions.get(index.provisions[place]).await?;
        let provision: Provision<'_> = parsed(&provision)?;
        let mut above = Vec::new();
        let mut next = Some(section as u32);
        while let Some(one) = next {
            above.push(content.get(index.content[one as usize]).await?);
            OutlineSection { parent: next, .. } = outline.sections[one as usize];
        }
        let mut sections = above.iter().map(|bytes| parsed::<ContentSection<'_>>(bytes));
        let section = sections.next().expect("the section itself comes first")?;
        let mut ancestors = sections
            .map(|section| {
                let ContentSection { id, number, title, .. } = section?;
                Ok(SectionRef { id, number, title })
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        ancestors.reverse();
        let neighbour = |at: Option<usize>| {
            at.and_then(|at| outline.provisions.get(at)).map(|p| Cow::Owned(p.id.to_string()))
        };
        let in_context = provision.in_context(
            edition.entry().revision.as_str(),
            words::entry(edition.entry(), edition.level()),
            section,
            ancestors,
            (neighbour(place.checked_sub(1)), neighbour(Some(place + 1))),
        );
        json(&in_context)
    };
    representation.answer(&request, body).await
}

fn head(edition: &Edition) -> Head<'_> {
    Head { urn: edition.urn().into(), revision: edition.entry().revision.as_str().into() }
}

/// The stored fragments of the provisions that the filters leave; types and norm come from the index, words from the
/// fragments.
async fn filtered(
    filters: &ProvisionsQuery,
    index: &Index,
    stored: &Fragments,
    places: impl IntoIterator<Item = u32>,
) -> Result<Vec<Bytes>, Failure> {
    #[derive(Deserialize)]
    struct Text<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    let asked: Vec<String> = filters.q.iter().map(|q| q.to_lowercase()).collect();
    let said = |fragment: &[u8]| {
        serde_json::from_slice::<Text<'_>>(fragment).is_ok_and(|Text { text }| {
            let text = text.to_lowercase();
            asked.iter().any(|words| words.split_whitespace().all(|word| text.contains(word)))
        })
    };
    let mut kept = Vec::new();
    for place in places {
        let provision = &index.outline.provisions[place as usize];
        let typed = filters.types.is_empty() || filters.types.contains(&provision.kind.into());
        let bound = filters.normative.is_none_or(|normative| normative == provision.normative);
        if typed && bound {
            let fragment = stored.get(index.provisions[place as usize]).await?;
            if asked.is_empty() || said(&fragment) {
                kept.push(fragment);
            }
        }
    }
    Ok(kept)
}

fn spliced(head: &impl serde::Serialize, fragments: &[Bytes]) -> Bytes {
    Bytes::from(splice(head, "items", fragments.iter().map(|fragment| &fragment[..])))
}

fn parsed<'a, T: Deserialize<'a>>(fragment: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(fragment).map_err(|error| Failure::internal(&error))
}
