//! `norma get content URN --format html`: what the service gives of a standard, as one page.

use norma_api::query::ProvisionsQuery;
use norma_client::Client;
use norma_mirror::{PageParts, content_page};

/// The page of a standard, or of one section and what is under it.
pub(super) async fn page(client: &Client, urn: &str, section: Option<&str>) -> anyhow::Result<String> {
    let content = client.content(urn, section).await?;
    let provisions = client.provisions(urn, &ProvisionsQuery::default()).await?;
    let sections = client.sections(urn).await?;
    let bibliographic = client.bibliographic_data(urn).await?;
    let terms = client.terms(urn).await?;
    Ok(content_page(&PageParts {
        content: &content,
        provisions: &provisions,
        sections: &sections,
        terms: &terms,
        bibliographic: &bibliographic,
    }))
}
