//! The content of a standard as one page of HTML that loads nothing.

use norma_client::shapes::{BibliographicData, ContentView, ProvisionsView, SectionsView, TermsView};
use norma_explorer::{html_standard, picture_without_address, provision_marks, section_input};
use norma_sts::html::{self, SectionInput};

/// The answers that a page is made of.
#[derive(Clone, Copy, Debug)]
pub struct PageParts<'a> {
    /// The sections with their texts: all of them, or one with those below it.
    pub content: &'a ContentView<'a>,
    /// The provisions, which are marked.
    pub provisions: &'a ProvisionsView<'a>,
    /// The section hierarchy, for headings.
    pub sections: &'a SectionsView<'a>,
    /// The terms, which references lead to.
    pub terms: &'a TermsView<'a>,
    /// The reference, title and language of the page.
    pub bibliographic: &'a BibliographicData<'a>,
}

/// The page of a standard, or of one section and what is under it.
pub fn content_page(parts: &PageParts<'_>) -> String {
    let PageParts { content, provisions, sections, terms, bibliographic } = parts;
    let metadata = &bibliographic.metadata;
    let mut standard = html_standard(&content.urn, &metadata.language, &sections.sections);
    for term in &terms.items {
        standard.add_term(&term.id, &term.section.id);
    }
    let mut marks = provision_marks(&provisions.items);
    let mut inputs: Vec<SectionInput<'_>> = Vec::with_capacity(content.sections.len());
    for section in &content.sections {
        let pictures = section.graphics.iter().map(picture_without_address).collect();
        inputs.push(section_input(section, &mut marks, pictures));
    }
    let title = match &metadata.title {
        Some(title) => format!("{}  {title}", metadata.reference),
        None => metadata.reference.to_string(),
    };
    html::page(&title, &metadata.language, &html::article(&standard, &inputs))
}
