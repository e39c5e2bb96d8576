//! Migration: which provision of an edition each of many ids and labels is now.

use std::borrow::Cow;

use http::HeaderValue;
use norma_api::media::Media;
use norma_api::problem::{Code, ProblemError};
use norma_api::shapes::{MigrateAnswer, MigrateItem, MigrateRequest, MigratedProvision, MigrationOutcome};
use norma_model::lineage::{Asked, Fate};
use norma_model::{Outline, ProvisionId, Selection};

use crate::representation::{Body, json, parsed};
use crate::{AuthorizedEdition, Failure, Representation};

/// Says what became of the ids in a body, or of the labels in it, which are those of the edition `from`; at most `most` of them.
///
/// # Errors
/// The body is not of the shape that the contract has, or labels come without their edition.
pub async fn migrate<'e>(
    edition: &dyn AuthorizedEdition,
    from: Option<&dyn AuthorizedEdition>,
    body: &[u8],
    most: usize,
) -> Result<Representation<'e>, Failure> {
    let asked = MigrateRequest::parse(body, most)
        .map_err(|error| Failure::new(Code::InvalidBody, format!("{error}.")))?;
    let (texts, ids) = match (&asked, from) {
        (MigrateRequest::Ids { ids }, None) => (ids, ids.iter().map(|id| id.parse().ok()).collect()),
        (MigrateRequest::Labels { labels }, Some(from)) => {
            let index = from.index().await?;
            let named = |label: &String| labelled(label, index.outline()).map(Asked::Provision);
            (labels, labels.iter().map(named).collect::<Vec<_>>())
        }
        (MigrateRequest::Ids { .. }, Some(_)) => {
            return Err(refused("`from` is the edition of labels; found ids in the body: leave `from` out"));
        }
        (MigrateRequest::Labels { .. }, None) => {
            return Err(refused("found labels in the body; expected the URN of their edition in `from`"));
        }
    };
    let known: Vec<Asked> = ids.iter().copied().flatten().collect();
    let mut fates = edition.fates(&known).await?.into_iter();
    let fates: Vec<Option<Fate>> =
        ids.iter().map(|id| id.and_then(|_| fates.next().unwrap_or_default())).collect();
    let body = json(&MigrateAnswer {
        urn: edition.urn().into(),
        revision: edition.revision().into(),
        items: items(edition, texts, &fates).await?,
    })?;
    let content_type = HeaderValue::from_static(Media::Json.content_type());
    Ok(Representation::new(content_type, None, Body::from_bytes(body)))
}

/// The one provision that a label names.
fn labelled(label: &str, outline: &Outline) -> Option<ProvisionId> {
    let selection: Selection = label.parse().ok()?;
    let mut named = selection.resolve(outline).ok()?.provisions.into_iter();
    match (named.next(), named.next()) {
        (Some(ordinal), None) => outline.provisions.get(ordinal as usize).map(|provision| provision.id),
        _ => None,
    }
}

async fn items<'a>(
    edition: &dyn AuthorizedEdition,
    texts: &'a [String],
    fates: &[Option<Fate>],
) -> Result<Vec<MigrateItem<'a>>, Failure> {
    let found = fates.iter().filter_map(|fate| match fate {
        Some(Fate::Provision(ordinal)) => u32::try_from(*ordinal).ok(),
        _ => None,
    });
    let ordinals: Vec<u32> = found.collect();
    let mut fragments = edition.fragments(&ordinals).await?.into_iter();
    let item = |(text, fate): (&'a String, &Option<Fate>)| {
        let (outcome, provision) = match fate {
            Some(Fate::Provision(_)) => {
                let fragment = fragments.next().unwrap_or_default();
                let provision: MigratedProvision<'static> = parsed(&fragment)?;
                (MigrationOutcome::Found, Some(provision))
            }
            Some(Fate::Absent) => (MigrationOutcome::Absent, None),
            Some(Fate::Gone) => (MigrationOutcome::Gone, None),
            None => (MigrationOutcome::Unknown, None),
        };
        Ok(MigrateItem { asked: Cow::Borrowed(text), outcome, provision })
    };
    texts.iter().zip(fates).map(item).collect()
}

fn refused(detail: &'static str) -> Failure {
    let cause =
        ProblemError { detail: detail.into(), parameter: Some("from".into()), ..ProblemError::default() };
    Failure::new(Code::InvalidParameter, detail).because(cause)
}
