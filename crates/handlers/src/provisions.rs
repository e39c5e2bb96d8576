//! Handlers of provisions: filtered, by selection, and one in context.

use std::borrow::Cow;

use bytes::Bytes;
use http::header;
use norma_api::media::{Media, View};
use norma_api::problem::Code;
use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{
    Provision, SectionInContext, SectionRef, SectionType, SelectionHead, SelectionReport, Summary, splice,
};
use norma_model::{Outline, ProvisionId, Selection};
use serde::Deserialize;

use crate::representation::{Body, digest, head, parsed};
use crate::{AuthorizedEdition, Context, Failure, Representation, Request, json};

/// The provisions that the filters leave.
pub(crate) fn filtered<'e>(
    edition: &'e dyn AuthorizedEdition,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let body = Body::lazy(async move {
        let index = edition.index().await?;
        let all = 0..index.outline().provisions.len() as u32;
        let fragments = matching(edition, filters, index.outline(), all).await?;
        Ok(spliced(&head(edition), &fragments))
    });
    let inputs = ["provisions", request.query()];
    Representation::generated(edition, request, Media::Json, (&inputs, &[edition.urn()]), body)
}

/// The provisions that a selection names and the filters leave.
pub(crate) async fn selected<'e>(
    edition: &'e dyn AuthorizedEdition,
    selection: &Selection,
    filters: &'e ProvisionsQuery,
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let index = edition.index().await?;
    let named = selection.resolve(index.outline())?;
    if named.matched.is_empty() {
        let detail = format!("`{selection}` names nothing in {}.", edition.urn());
        return Err(Failure::new(Code::SelectionNotFound, detail));
    }
    let canonical = selection.to_string();
    let report = canonical.clone();
    let body = Body::lazy(async move {
        let fragments = matching(edition, filters, index.outline(), named.provisions).await?;
        let texts = |items: Vec<String>| items.into_iter().map(Cow::Owned).collect();
        let selection = SelectionReport {
            canonical: report.into(),
            matched: texts(named.matched),
            unmatched: texts(named.unmatched),
        };
        Ok(spliced(&SelectionHead { head: head(edition), selection }, &fragments))
    });
    let inputs = ["selection", &canonical, request.query()];
    Representation::generated(edition, request, Media::Json, (&inputs, &[edition.urn(), &canonical]), body)
}

/// One provision, at this index of its edition and between these two, with its standard, its section and its lineage.
///
/// # Errors
/// It cannot be read.
pub async fn provision<'e>(
    edition: &'e dyn AuthorizedEdition,
    id: &ProvisionId,
    (index, [previous, next]): (usize, [Option<ProvisionId>; 2]),
    request: Request<'_>,
) -> Result<Representation<'e>, Failure> {
    let lineage = edition.lineage(*id, index).await?;
    let related = json(&lineage)?;
    let id = id.to_string();
    let wanted = id.clone();
    let body = Body::lazy(async move {
        let Context { provision, section, ancestors } = edition.provision(index).await?;
        let provision: Provision<'_> = parsed(&provision)?;
        if provision.id != wanted {
            // The catalogue was asked for its index after it was asked for the edition.
            let detail = "The standard was replaced while it was read; ask again.";
            return Err(Failure::new(Code::Unavailable, detail).with(header::RETRY_AFTER, "1"));
        }
        let section: Section<'_> = parsed(&section)?;
        let ancestors: Result<_, Failure> = ancestors.iter().map(|one| parsed(one)).collect();
        let section = section.in_context(ancestors?);
        let neighbours = [previous, next].map(|id| id.map(|id| Cow::Owned(id.to_string())));
        json(&provision.in_context(edition.revision(), edition.summary(), section, neighbours, Some(lineage)))
    });
    let Summary { status, access, updated_at, .. } = edition.summary();
    let live_fields = format!("{status} {access} {updated_at}");
    let lineage_state = digest(&related);
    let inputs = (&["provision", &id, &live_fields, &lineage_state][..], &[&*id][..]);
    let mut representation = Representation::generated(edition, request, Media::Json, inputs, body)?;
    // Other editions and grants change the lineage; no one date tells when.
    representation.modified = None;
    Ok(representation)
}

/// What the context of a provision has of a section of the content; the markup, which is most of one, is passed over.
#[derive(Deserialize)]
struct Section<'a> {
    id: Cow<'a, str>,
    label: Option<Cow<'a, str>>,
    number: Option<Cow<'a, str>>,
    title: Option<Cow<'a, str>>,
    #[serde(rename = "type")]
    kind: SectionType,
    text: Cow<'a, str>,
}

impl<'a> Section<'a> {
    fn in_context(self, ancestors: Vec<SectionRef<'a>>) -> SectionInContext<'a> {
        let Self { id, label, number, title, kind, text } = self;
        SectionInContext { id, label, number, title, kind, ancestors, text }
    }
}

/// The fragments of the provisions that the filters leave: types and norm come from the index, words from the fragments.
async fn matching(
    edition: &dyn AuthorizedEdition,
    filters: &ProvisionsQuery,
    outline: &Outline,
    indexes: impl IntoIterator<Item = u32>,
) -> Result<Vec<Bytes>, Failure> {
    #[derive(Deserialize)]
    struct Text<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    let fits = |index: &u32| {
        let provision = &outline.provisions[*index as usize];
        let typed = filters.types.is_empty() || filters.types.contains(&provision.kind.into());
        typed && filters.normative.is_none_or(|normative| normative == provision.normative)
    };
    let indexes: Vec<u32> = indexes.into_iter().filter(fits).collect();
    let mut fragments = edition.fragments(View::Provisions, &indexes).await?;
    let queries: Vec<String> = filters.q.iter().map(|q| q.to_lowercase()).collect();
    let has_words = |fragment: &[u8]| {
        serde_json::from_slice::<Text<'_>>(fragment).is_ok_and(|Text { text }| {
            let text = text.to_lowercase();
            queries.iter().any(|words| words.split_whitespace().all(|word| text.contains(word)))
        })
    };
    fragments.retain(|fragment| queries.is_empty() || has_words(fragment));
    Ok(fragments)
}

fn spliced(head: &impl serde::Serialize, fragments: &[Bytes]) -> Bytes {
    Bytes::from(splice(head, "items", fragments.iter().map(|fragment| &fragment[..])))
}
