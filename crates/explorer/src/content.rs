//! Text of a standard: sections with their marks, pictures and terms, as HTML.

use std::collections::HashMap;
use std::ops::Range;

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

    /// Bytes of XML in all sections.
    pub(crate) fn size(&self) -> usize {
        self.sections.iter().map(|section| section.xml.len()).sum()
    }

    /// Sections of each section at the top with those within it, as ranges.
    pub(crate) fn tops(&self) -> Vec<Range<usize>> {
        let mut tops: Vec<Range<usize>> = Vec::new();
        for (index, section) in self.sections.iter().enumerate() {
            match tops.last_mut() {
                Some(last) if section.head.level > 1 => last.end = index + 1,
                _ => tops.push(index..index + 1),
            }
        }
        tops
    }

    /// Which section holds the element with this id, or the provision or term.
    pub(crate) fn section_with(&self, id: &str) -> Option<usize> {
        let provision = self.provisions.iter().find(|provision| *provision.id == *id);
        let id = provision.map_or(id, |provision| &provision.section.id);
        for (index, section) in self.sections.iter().enumerate() {
            if *section.head.id == *id || section.terms.iter().any(|term| *term.id == *id) {
                return Some(index);
            }
        }
        // Tables, pictures and paragraphs are in the markup only.
        let attribute = format!("id=\"{id}\"");
        self.sections.iter().position(|section| section.xml.contains(&attribute))
    }

    /// Some sections as HTML.
    pub(crate) fn article(&self, range: Range<usize>, pictures: &Pictures<'_>) -> ArticleHtml {
        let mut standard = html_standard(&self.urn, &self.language, &self.outline);
        for section in &self.sections {
            for term in &section.terms {
                standard.add_term(&term.id, &section.head.id);
            }
        }
        let mut marks = provision_marks(&self.provisions);
        let shown = &self.sections[range];
        // The pictures borrow their words, by section.
        let mut alternatives: Vec<Vec<String>> = Vec::with_capacity(shown.len());
        for section in shown {
            alternatives
                .push(section.graphics.iter().map(|graphic| alternative(graphic, pictures)).collect());
        }
        let mut inputs = Vec::with_capacity(shown.len());
        for (section, alternatives) in shown.iter().zip(&alternatives) {
            let mut graphics = Vec::with_capacity(section.graphics.len());
            for (graphic, alt) in section.graphics.iter().zip(alternatives) {
                let address = if graphic.available { (pictures.address)(&graphic.id) } else { None };
                graphics.push(HtmlPicture { id: &graphic.id, alt, address, missing: !graphic.available });
            }
            inputs.push(section_input(section, &mut marks, graphics));
        }
        article(&standard, &inputs)
    }
}

/// The values of a standard that the HTML of its sections needs, without its terms.
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

/// A picture of a page outside the explorer: an element with words and the id of the graphic, without the
/// address of a file: the writer of the page knows where it is.
pub fn picture_without_address<'a>(graphic: &'a Graphic<'_>) -> HtmlPicture<'a> {
    let words = graphic.alt_text.as_deref().or(graphic.caption.as_deref());
    HtmlPicture {
        id: &graphic.id,
        alt: words.unwrap_or(&graphic.asset_reference),
        address: None,
        missing: !graphic.available,
    }
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
    if let Some(text) = &graphic.alt_text {
        return text.to_string();
    }
    let named: Vec<&str> =
        [&graphic.label, &graphic.caption].into_iter().flatten().map(|part| &**part).collect();
    if named.is_empty() { pictures.figure.to_owned() } else { named.join("  ") }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;

    fn shape<T: DeserializeOwned>(json: Value) -> T {
        serde_json::from_value(json).unwrap()
    }

    /// A text with a foreword, a clause with a subclause, a picture and a term, and an annex.
    fn text() -> Text {
        let section = |id: &str, level: u32, xml: &str, terms: Value, graphics: Value| {
            shape::<ContentSection<'static>>(json!({
                "id": id, "type": "clause", "normative": true, "level": level, "order": 1, "xml": xml,
                "text": "The lid shall be closed.", "terms": terms, "graphics": graphics, "provisionIds": [],
            }))
        };
        let term = json!([{
            "id": "trm_1", "section": {"id": "sec_3"}, "designations": [], "definitions": [], "notes": [],
            "examples": [], "sources": [],
        }]);
        let graphic = json!([{
            "id": "gr_1", "label": "Figure 1", "caption": "The lid", "assetReference": "lid.png",
            "referenceType": "href", "available": false,
        }]);
        Text {
            urn: "urn:x:std:x:1:ed-1:en".to_owned(),
            language: "en".to_owned(),
            sections: vec![
                section("sec_f", 1, "<sec/>", json!([]), json!([])),
                section("sec_3", 1, "<sec/>", term, json!([])),
                section(
                    "sec_3.1",
                    2,
                    "<sec><p id=\"par_7\">The lid shall be closed.</p></sec>",
                    json!([]),
                    graphic,
                ),
                section("sec_A", 1, "<sec/>", json!([]), json!([])),
            ],
            provisions: Vec::new(),
            outline: Vec::new(),
        }
    }

    #[test]
    fn a_section_at_the_top_has_those_within_it() {
        assert_eq!(text().tops(), [0..1, 1..3, 3..4]);
        let mut without_first = text();
        without_first.sections.drain(..2);
        assert_eq!(without_first.tops(), [0..1, 1..2], "a text may begin below the top");
    }

    #[test]
    fn an_element_is_found_in_its_section_by_id_by_term_and_in_the_markup() {
        let text = text();
        for (id, section) in [("sec_3.1", Some(2)), ("trm_1", Some(1)), ("par_7", Some(2)), ("par_", None)] {
            assert_eq!(text.section_with(id), section, "{id}");
        }
    }

    #[test]
    fn a_picture_is_described_by_its_words_or_says_that_its_file_is_missing() {
        let pictures = Pictures { address: &|_| None, missing: "{} is missing", figure: "Figure" };
        let mut graphic = text().sections[2].graphics[0].clone();
        assert_eq!(alternative(&graphic, &pictures), "lid.png is missing");
        graphic.available = true;
        assert_eq!(alternative(&graphic, &pictures), "Figure 1  The lid");
        graphic.alt_text = Some("A closed lid".into());
        assert_eq!(alternative(&graphic, &pictures), "A closed lid");
        (graphic.alt_text, graphic.label, graphic.caption) = (None, None, None);
        assert_eq!(alternative(&graphic, &pictures), "Figure");
    }
}
