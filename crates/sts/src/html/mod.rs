//! HTML of the content of a standard, written from the markup of its sections by the walk that writes their
//! text.
//!
//! What it may write is a list of elements and attributes. Links lead to parts of the same page, and the only
//! other address is that of a picture, which the caller gives. So HTML of any document runs, loads and sends
//! nothing.

mod compose;
mod formula;
mod grid;
mod markup;
mod page;
mod parts;
mod section;

use foldhash::HashSet;

use markup::{Attribute, Html, Tag};

pub use page::page;
pub use parts::{ArticleHtml, HtmlPicture, HtmlStandard, ProvisionMark, SectionHtml, SectionInput};

/// The elements that HTML of a standard may have.
pub const ELEMENTS: &[&str] = Tag::NAMES;

/// The attributes that its elements may have.
pub const ATTRIBUTES: &[&str] = Attribute::NAMES;

/// Writes one section, without those within it.
pub fn section(standard: &HtmlStandard, input: &SectionInput<'_>) -> SectionHtml {
    let mut html = Html::default();
    let mut taken: HashSet<String> = std::iter::once(input.id.to_owned()).collect();
    let marked = section::write(standard, input, &mut html, &mut taken);
    SectionHtml { html: html.out, marked }
}

/// Writes sections in document order as one article, each within the one before it of a lower level. No two
/// elements have the same id.
pub fn article(standard: &HtmlStandard, sections: &[SectionInput<'_>]) -> ArticleHtml {
    let mut html = Html::default();
    let mut taken: HashSet<String> = sections.iter().map(|section| section.id.to_owned()).collect();
    let mut unmarked = 0;
    let mut open: Vec<u16> = Vec::new();
    let mut attributes: Vec<(Attribute, &str)> = vec![(Attribute::Lang, &standard.language)];
    if let Some(direction) = standard.direction(&standard.language) {
        attributes.push((Attribute::Dir, direction));
    }
    attributes.push((Attribute::Urn, &standard.urn));
    html.begin(Tag::Article, &attributes);
    for section in sections {
        while open.pop_if(|level| *level >= section.level).is_some() {
            html.end(Tag::Section);
        }
        let marked = section::write(standard, section, &mut html, &mut taken);
        if !marked {
            unmarked += 1;
        }
        open.push(section.level);
    }
    for _ in open {
        html.end(Tag::Section);
    }
    html.end(Tag::Article);
    ArticleHtml { html: html.out, unmarked }
}
