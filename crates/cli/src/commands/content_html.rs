//! `norma get content URN --format html`: what the service gives of a standard, as one page.

use std::collections::HashMap;

use norma_api::query::ProvisionsQuery;
use norma_api::shapes::{ContentSection, Graphic, Provision, SectionNode};
use norma_client::Client;
use norma_sts::html::{self, HtmlPicture, HtmlStandard, ProvisionMark, SectionInput};

/// The page of a standard, or of one section and what is under it.
pub(super) async fn page(client: &Client, urn: &str, section: Option<&str>) -> anyhow::Result<String> {
    let content = client.content(urn, section).await?;
    let provisions = client.provisions(urn, &ProvisionsQuery::default()).await?;
    let outline = client.sections(urn).await?;
    let metadata = client.bibliographic_data(urn).await?.metadata;
    let mut standard = HtmlStandard::new(&content.urn, &metadata.language);
    add_sections(&mut standard, &outline.sections);
    for term in client.terms(urn).await?.items {
        standard.add_term(&term.id, &term.section.id);
    }
    let mut marks: HashMap<&str, Vec<ProvisionMark<'_>>> = HashMap::new();
    for provision in &provisions.items {
        marks.entry(&provision.section.id).or_default().push(mark(provision));
    }
    let inputs: Vec<SectionInput<'_>> = content
        .sections
        .iter()
        .map(|section| input(section, marks.remove(&*section.id).unwrap_or_default()))
        .collect();
    let title = match &metadata.title {
        Some(title) => format!("{}  {title}", metadata.reference),
        None => metadata.reference.to_string(),
    };
    Ok(html::page(&title, &metadata.language, &html::article(&standard, &inputs)))
}

fn add_sections(standard: &mut HtmlStandard, nodes: &[SectionNode<'_>]) {
    for node in nodes {
        standard.add_section(&node.id, node.source_id.as_deref());
        add_sections(standard, &node.children);
    }
}

fn mark<'a>(provision: &'a Provision<'_>) -> ProvisionMark<'a> {
    ProvisionMark {
        id: &provision.id,
        kind: provision.kind.as_str(),
        label: &provision.label,
        start: provision.anchor.start,
        end: provision.anchor.end,
        verbal_form: provision.anchor.verbal_form_slice.map(|slice| (slice.start, slice.end)),
    }
}

fn input<'a>(section: &'a ContentSection<'_>, provisions: Vec<ProvisionMark<'a>>) -> SectionInput<'a> {
    SectionInput {
        id: &section.id,
        kind: section.kind.as_str(),
        level: section.level,
        markup: &section.xml,
        text: &section.text,
        provisions,
        graphics: section.graphics.iter().map(picture).collect(),
        terms: section.terms.iter().map(|term| &*term.id).collect(),
        ..SectionInput::default()
    }
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
