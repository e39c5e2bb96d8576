//! Resources: the outlines of standards that may be read, and no whole texts.

use norma_api::query::ListQuery;
use norma_client::ListFilters;
use norma_client::shapes::AccessLevel;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::failure::ToolFailure;
use crate::tools::{ToolContext, check_length, outline_text};

/// What the addresses of resources begin with; the URN of an edition follows.
const SCHEME: &str = "norma://";

/// Resources of a page.
const PAGE: u32 = 100;

/// A page of the latest editions that the caller may read.
pub(crate) async fn list(
    context: &ToolContext,
    cursor: Option<String>,
) -> Result<ListResourcesResult, ToolFailure> {
    let filters = ListFilters { latest: true, access: vec![AccessLevel::Read], ..ListFilters::default() };
    let query = ListQuery { limit: PAGE, filters, ..ListQuery::default() };
    let list = context.calls.standards(&query, cursor.as_deref()).await?;
    let mut resources = Vec::with_capacity(list.items.len());
    for standard in list.items {
        resources.push(
            Resource::new(format!("{SCHEME}{}", standard.urn), standard.reference)
                .with_title(standard.title)
                .with_description("Outline")
                .with_mime_type("text/plain"),
        );
    }
    let mut page = ListResourcesResult::with_all_items(resources);
    page.next_cursor = list.next.map(Into::into);
    Ok(page)
}

pub(crate) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{urn}}"), "outline")
        .with_title("Outline of a standard")
        .with_mime_type("text/plain")
}

/// The URN of a resource, and its outline.
pub(crate) async fn read(
    context: &ToolContext,
    uri: &str,
) -> Result<(String, ReadResourceResult), ToolFailure> {
    let Some(urn) = uri.strip_prefix(SCHEME) else {
        return Err(ToolFailure::invalid("Expected norma:// and the URN of a standard."));
    };
    check_length("urn", urn)?;
    let text = outline_text(context, urn).await?;
    Ok((urn.to_owned(), ReadResourceResult::new(vec![ResourceContents::text(text, uri)])))
}
