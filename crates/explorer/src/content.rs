//! Text of a standard: sections with their marks, pictures and terms, as HTML.

use std::collections::HashMap;

use norma_api::Operation;
use norma_api::shapes::{
    ContentSection, ContentView, Graphic, Provision, ProvisionsView, SectionNode, SectionsView,
};
use norma_sts::html::{ArticleHtml, HtmlPicture, HtmlStandard, ProvisionMark, SectionInput, article};

use crate::calls::Service;
use crate::failure::PageFailure;

/// The text of an edition, with what is shown in it.
pub(crate) struct Text {
    pub(crate) urn: String,
    pub(crate) language: String,
    pub(crate) sections: Vec<ContentSection<'static>>,
    pub(crate) provisions: Vec<Provision<'static>>,
    pub(crate) outline: Vec<SectionNode<'static>>,
}

/// How pictures of a page are shown.
pub(crate) struct Pictures<'a> {
    /// The address of an available picture by its id; `None` where the page has no addresses.
    pub(crate) address: &'a dyn Fn(&str) -> Option<String>,
    /// Words for a picture whose file is missing, with `{}` for its reference.
    pub(crate) missing: &'a str,
    /// Word for a picture without words of its own.
    pub(crate) figure: &'a str,
}

impl Text {
    /// The text of an edition in this main language.
    pub(crate) async fn read(service: &Service, urn: &str, language: &str) -> Result<Self, PageFailure> {
        let of = [urn];
        let (content, provisions, outline) = tokio::try_join!(
            service.json::<ContentView<'static>>(Operation::Content, &of, ""),
            service.json::<ProvisionsView<'static>>(Operation::Provisions, &of, ""),
            service.json::<SectionsView<'static>>(Operation::Sections, &of, ""),
        )?;
        Ok(Self {
            urn: content.urn.into_owned(),
            language: language.to_owned(),
            sections: content.sections,
            provisions: provisions.items,
            outline: outline.sections,
        })
    }

    /// Bytes of its markup.
    pub(crate) fn size(&self) -> usize {
        self.sections.iter().map(|section| section.xml.len()).sum()
    }

    /// Sections of each section at the top with those within it, as ranges.
    pub(crate) fn tops(&self) -> Vec<std::ops::Range<usize>> {
        let starts: Vec<usize> =
            (0..self.sections.len()).filter(|&at| at == 0 || self.sections[at].head.level <= 1).collect();
        let ends = starts.iter().skip(1).copied().chain([self.sections.len()]);
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
    }

    /// Which section holds the element with this id, or the provision or term.
    pub(crate) fn section_with(&self, id: &str) -> Option<usize> {
        let provision = self.provisions.iter().find(|provision| *provision.id == *id);
        let id = provision.map_or(id, |provision| &provision.section.id);
        let attribute = format!("id=\"{id}\"");
        self.sections
            .iter()
            .position(|section| *section.head.id == *id || section.terms.iter().any(|term| *term.id == *id))
            .or_else(|| self.sections.iter().position(|section| section.xml.contains(&attribute)))
    }

    /// Some sections as HTML.
    pub(crate) fn article(&self, range: std::ops::Range<usize>, pictures: &Pictures<'_>) -> ArticleHtml {
        let mut standard = html_standard(&self.urn, &self.language, &self.outline);
        for section in &self.sections {
            section.terms.iter().for_each(|term| standard.add_term(&term.id, &section.head.id));
        }
        let mut marks = provision_marks(&self.provisions);
        let titles: Vec<String> = self.sections[range.clone()]
            .iter()
            .flat_map(|section| &section.graphics)
            .map(|graphic| alternative(graphic, pictures))
            .collect();
        let mut titles = titles.iter();
        let inputs: Vec<SectionInput<'_>> = self.sections[range]
            .iter()
            .map(|section| {
                let pictures = section.graphics.iter().map(|graphic| HtmlPicture {
                    id: &graphic.id,
                    alt: titles.next().map(String::as_str).unwrap_or_default(),
                    address: graphic.available.then(|| (pictures.address)(&graphic.id)).flatten(),
                    missing: !graphic.available,
                });
                section_input(section, &mut marks, pictures.collect())
            })
            .collect();
        article(&standard, &inputs)
    }
}

/// What the HTML of sections needs to know of their standard, but for its terms.
pub fn html_standard(urn: &str, language: &str, outline: &[SectionNode<'_>]) -> HtmlStandard {
    let mut standard = HtmlStandard::new(urn, language);
    add_sections(&mut standard, outline);
    standard
}

/// The marks of provisions, by the ids of their sections.
pub fn provision_marks<'a>(provisions: &'a [Provision<'_>]) -> HashMap<&'a str, Vec<ProvisionMark<'a>>> {
    let mut marks: HashMap<&str, Vec<ProvisionMark<'_>>> = HashMap::new();
    for provision in provisions {
        marks.entry(&provision.section.id).or_default().push(ProvisionMark {
            id: &provision.id,
            kind: provision.kind.as_str(),
            label: &provision.label,
            start: provision.anchor.start,
            end: provision.anchor.end,
            verbal_form: provision.anchor.verbal_form_slice.map(|slice| (slice.start, slice.end)),
        });
    }
    marks
}

/// A section with its pictures, and with its provisions, which are taken from `marks`.
pub fn section_input<'a>(
    section: &'a ContentSection<'_>,
    marks: &mut HashMap<&str, Vec<ProvisionMark<'a>>>,
    graphics: Vec<HtmlPicture<'a>>,
) -> SectionInput<'a> {
    let head = &section.head;
    SectionInput {
        id: &head.id,
        kind: head.kind.as_str(),
        level: head.level,
        markup: &section.xml,
        text: &section.text,
        provisions: marks.remove(&*head.id).unwrap_or_default(),
        graphics,
        terms: section.terms.iter().map(|term| &*term.id).collect(),
        ..SectionInput::default()
    }
}

fn add_sections(standard: &mut HtmlStandard, nodes: &[SectionNode<'_>]) {
    for node in nodes {
        standard.add_section(&node.head.id, node.source_id.as_deref());
        add_sections(standard, &node.children);
    }
}

/// What a picture says to readers who do not see it.
fn alternative(graphic: &Graphic<'_>, pictures: &Pictures<'_>) -> String {
    if !graphic.available {
        return pictures.missing.replacen("{}", &graphic.asset_reference, 1);
    }
    let named = [graphic.label.as_deref(), graphic.caption.as_deref()].into_iter().flatten();
    let named = named.collect::<Vec<_>>().join("  ");
    match &graphic.alt_text {
        Some(text) => text.to_string(),
        None if named.is_empty() => pictures.figure.to_owned(),
        None => named,
    }
}
