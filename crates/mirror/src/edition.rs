//! The files of one edition, read from the service: all of one revision.

use bytes::Bytes;
use norma_client::shapes::{
    BibliographicData, ContentView, GraphicsView, ProvisionsView, ResolveItem, SectionsView, TablesView,
    TermsView,
};
use norma_client::{Client, ClientError, Code, Media, Operation};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::MirrorError;
use crate::folder::{EditionFiles, file_name};
use crate::page::{PageParts, content_page};

/// The files of each edition. Its tables are in `tables/{id}.csv`, its pictures in `pictures/{reference}`.
pub const EDITION_FILES: [&str; 6] =
    ["standard.json", "provisions.json", "tables.json", "graphics.json", "content.txt", "content.html"];

/// The members of `standard.json`. `relatedEditions` is not among them: it changes with other editions, of
/// which no change of this one tells.
const MEMBERS: &str = "fields=status,urn,revision,metadata,ics,relations,sections,graphics,terms";

/// Most references in one request to resolve.
const REFERENCES: usize = 100;

/// Most attempts at an edition that is replaced while it is read.
const ATTEMPTS: usize = 5;

/// An edition as it was read.
pub(crate) struct ReadEdition {
    pub(crate) revision: String,
    pub(crate) status: String,
    /// Entity tag of `standard.json`, which changes with all that changes in the other files.
    pub(crate) etag: Option<String>,
    pub(crate) files: EditionFiles,
}

/// The members that all answers about an edition begin with.
#[derive(Deserialize)]
struct AnswerHead {
    urn: String,
    revision: String,
    status: Option<String>,
}

/// Reads all files of an edition; `None` where the caller may not read it, or not any more.
///
/// # Errors
/// The service cannot be read, or the edition is replaced again and again.
pub(crate) async fn read(client: &Client, urn: &str) -> Result<Option<ReadEdition>, MirrorError> {
    for _ in 0..ATTEMPTS {
        match attempt(client, urn).await {
            Ok(Some(edition)) => return Ok(Some(edition)),
            Ok(None) => {}
            Err(error) if is_gone(&error) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Err(MirrorError::Unsteady { urn: urn.to_owned() })
}

/// True if a copy with this entity tag of `standard.json` is current.
///
/// # Errors
/// The service cannot be read.
pub(crate) async fn is_current(client: &Client, urn: &str, etag: &str) -> Result<bool, MirrorError> {
    match client.is_unchanged(Operation::Standard, &[urn], MEMBERS, etag).await {
        Err(error) if is_gone(&error) => Ok(false),
        answer => Ok(answer?),
    }
}

/// True if an answer says that a copy may not be kept.
fn is_gone(error: &ClientError) -> bool {
    matches!(error, ClientError::Problem { problem, .. } if matches!(problem.status, 403 | 404 | 410))
        && !matches!(
            error.code(),
            Some(
                Code::RoleMissing
                    | Code::CallerSuspended
                    | Code::AssetUrlExpired
                    | Code::AssetUrlInvalid
                    | Code::AssetNotFound
                    | Code::NotFound
            )
        )
}

/// Reads all files; `None` where they are not of one revision.
async fn attempt(client: &Client, urn: &str) -> Result<Option<ReadEdition>, ClientError> {
    let get = async |operation, query, media| {
        Ok::<_, ClientError>(client.fetch(operation, &[urn], query, media).await?.body)
    };
    let answer = client.fetch(Operation::Standard, &[urn], MEMBERS, Media::Json).await?;
    let (standard, etag) = (answer.body, answer.etag);
    let head: AnswerHead = parsed(&standard)?;
    let provisions = get(Operation::Provisions, "", Media::Json).await?;
    let content = get(Operation::Content, "", Media::Json).await?;
    let text = get(Operation::Content, "", Media::Text).await?;
    let sections = get(Operation::Sections, "", Media::Json).await?;
    let terms = get(Operation::Terms, "", Media::Json).await?;
    let graphics = get(Operation::Graphics, "", Media::Json).await?;
    let tables = get(Operation::Tables, "", Media::Json).await?;
    let mut files = tables_of(client, urn, &parsed::<TablesView<'_>>(&tables)?).await?;
    files.extend(pictures_of(client, urn, &parsed::<GraphicsView<'_>>(&graphics)?).await?);
    // The last answer is of the same revision as the first: so is what came in between.
    let bibliographic = get(Operation::Metadata, "fields=metadata,ics,relations", Media::Json).await?;
    for answer in [&provisions, &content, &sections, &terms, &graphics, &tables, &bibliographic] {
        let other: AnswerHead = parsed(answer)?;
        if (&other.urn, &other.revision) != (&head.urn, &head.revision) {
            return Ok(None);
        }
    }
    let html = content_page(&PageParts {
        content: &parsed::<ContentView<'_>>(&content)?,
        provisions: &parsed::<ProvisionsView<'_>>(&provisions)?,
        sections: &parsed::<SectionsView<'_>>(&sections)?,
        terms: &parsed::<TermsView<'_>>(&terms)?,
        bibliographic: &parsed::<BibliographicData<'_>>(&bibliographic)?,
    });
    let named = EDITION_FILES.map(str::to_owned).into_iter();
    files.extend(named.zip([standard, provisions, tables, graphics, text, Bytes::from(html)]));
    files.sort();
    let status = head.status.unwrap_or_default();
    Ok(Some(ReadEdition { revision: head.revision, status, etag, files }))
}

/// Each table as CSV. One that the service does not give as CSV is in `tables.json` only.
async fn tables_of(client: &Client, urn: &str, tables: &TablesView<'_>) -> Result<EditionFiles, ClientError> {
    let mut files = EditionFiles::new();
    for table in &tables.items {
        match client.fetch(Operation::Table, &[urn, &table.id], "", Media::Csv).await {
            Ok(answer) => files.push((format!("tables/{}.csv", file_name(&table.id)), answer.body)),
            Err(error) if error.code() == Some(Code::TableNotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(files)
}

/// Each picture that the service has, once.
async fn pictures_of(
    client: &Client,
    urn: &str,
    graphics: &GraphicsView<'_>,
) -> Result<EditionFiles, ClientError> {
    let mut references: Vec<&str> = Vec::new();
    for graphic in graphics.items.iter().filter(|graphic| graphic.available) {
        if !references.contains(&&*graphic.asset_reference) {
            references.push(&graphic.asset_reference);
        }
    }
    let mut files = EditionFiles::new();
    for batch in references.chunks(REFERENCES) {
        let resolved = client.resolve_all(urn, batch).await?;
        for (reference, item) in batch.iter().zip(resolved.items) {
            if let ResolveItem::Resolved(asset) = item {
                files.push((format!("pictures/{}", file_name(reference)), client.asset(&asset).await?));
            }
        }
    }
    Ok(files)
}

fn parsed<T: DeserializeOwned>(body: &Bytes) -> Result<T, ClientError> {
    serde_json::from_slice(body).map_err(|error| ClientError::Unexpected {
        url: "the service".to_owned(),
        status: 200,
        reason: format!("expected JSON of the operation's shape: {error}"),
    })
}
