//! `norma get content URN --format html`: what the service gives of a standard, as one page.

use norma_api::query::ProvisionsQuery;
use norma_api::shapes::Graphic;
use norma_client::Client;
use norma_explorer::{html_standard, provision_marks, section_input};
use norma_sts::html::{self, HtmlPicture, SectionInput};

/// The page of a standard, or of one section and what is under it.
pub(super) async fn page(client: &Client, urn: &str, section: Option<&str>) -> anyhow::Result<String> {
    let content = client.content(urn, section).await?;
    let provisions = client.provisions(urn, &ProvisionsQuery::default()).await?;
    let outline = client.sections(urn).await?;
    let metadata = client.bibliographic_data(urn).await?.metadata;
    let mut standard = html_standard(&content.urn, &metadata.language, &outline.sections);
    for term in client.terms(urn).await?.items {
        standard.add_term(&term.id, &term.section.id);
    }
    let mut marks = provision_marks(&provisions.items);
    let inputs: Vec<SectionInput<'_>> = content
        .sections
        .iter()
        .map(|section| section_input(section, &mut marks, section.graphics.iter().map(picture).collect()))
        .collect();
    let title = match &metadata.title {
        Some(title) => format!("{}  {title}", metadata.reference),
        None => metadata.reference.to_string(),
    };
    Ok(html::page(&title, &metadata.language, &html::article(&standard, &inputs)))
}

/// A page of its own has no picture: it names the asset reference, with which the file can be had.
fn picture<'a>(graphic: &'a Graphic<'_>) -> HtmlPicture<'a> {
    let words = graphic.alt_text.as_deref().or(graphic.caption.as_deref());
    HtmlPicture {
        id: &graphic.id,
        alt: words.unwrap_or(&graphic.asset_reference),
        address: None,
        missing: !graphic.available,
    }
}
