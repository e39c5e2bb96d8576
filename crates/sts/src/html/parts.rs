//! Input and result of writing HTML.

use foldhash::HashMap;
use norma_model::Lang;

/// What the HTML of a section needs of its standard beyond its own markup.
#[derive(Clone, Debug, Default)]
pub struct HtmlStandard {
    pub(super) urn: String,
    pub(super) language: String,
    /// The language of generated words, if it is a valid tag.
    pub(super) words: Option<Lang>,
    /// Ids of sections by the ids in the source that differ from them.
    sections: HashMap<String, String>,
    /// Ids of terms by their own and those of their sections.
    terms: HashMap<String, String>,
}

impl HtmlStandard {
    /// A standard. Its language (BCP 47) chooses the words that are generated, such as NOTE.
    pub fn new(urn: &str, language: &str) -> Self {
        let words = Lang::of_source(language).ok();
        Self { urn: urn.to_owned(), language: language.to_owned(), words, ..Self::default() }
    }

    /// The direction of a part in a language (BCP 47), where it is not that of the standard or from right to
    /// left.
    pub(super) fn direction(&self, language: &str) -> Option<&'static str> {
        let of_standard = self.words.as_ref().is_some_and(Lang::is_right_to_left);
        let right_to_left = Lang::of_source(language).is_ok_and(|language| language.is_right_to_left());
        match (right_to_left, of_standard) {
            (true, _) => Some("rtl"),
            (false, true) => Some("ltr"),
            (false, false) => None,
        }
    }

    /// Adds a section of the hierarchy, so that references to its id in the source lead to its id.
    pub fn add_section(&mut self, id: &str, source_id: Option<&str>) {
        if let Some(source_id) = source_id {
            self.sections.entry(source_id.to_owned()).or_insert_with(|| id.to_owned());
        }
    }

    /// Adds a term, so that uses of it have `data-term` with its id.
    pub fn add_term(&mut self, id: &str, section_id: &str) {
        self.terms.insert(id.to_owned(), id.to_owned());
        self.terms.entry(section_id.to_owned()).or_insert_with(|| id.to_owned());
    }

    /// The id of a part by its id in the source.
    pub(super) fn part<'a>(&'a self, id: &'a str) -> &'a str {
        self.sections.get(id).map_or(id, String::as_str)
    }

    pub(super) fn term(&self, id: &str) -> Option<&str> {
        self.terms.get(id).map(String::as_str)
    }
}

/// One section as `GET …/content` gives it, without those within it.
#[derive(Clone, Debug, Default)]
pub struct SectionInput<'a> {
    /// The id under which the API has the section.
    pub id: &'a str,
    /// The kind of the section, for `data-type`: `clause`.
    pub kind: &'a str,
    /// Depth in the hierarchy: 1 at the top.
    pub level: u16,
    /// The language of the section (BCP 47), where that is not the standard's.
    pub language: Option<&'a str>,
    /// The markup of the section, from which HTML is written.
    pub markup: &'a str,
    /// The text of the section, which is written where the markup cannot be read.
    pub text: &'a str,
    /// The provisions to be marked, in document order.
    pub provisions: Vec<ProvisionMark<'a>>,
    /// The graphics of the section, in document order.
    pub graphics: Vec<HtmlPicture<'a>>,
    /// Ids of the terms of the section, in document order.
    pub terms: Vec<&'a str>,
    /// Ids of the tables of the section, in document order; without them a table has the id of its source.
    pub tables: Vec<&'a str>,
}

/// A provision to be marked in the text of its section.
#[derive(Clone, Debug, Default)]
pub struct ProvisionMark<'a> {
    /// The id of the provision, which the first of its elements has.
    pub id: &'a str,
    /// The type of the provision, for `data-provision`: `requirement`.
    pub kind: &'a str,
    /// The label of the provision, for `data-label`: `4.2(1)`.
    pub label: &'a str,
    /// First Unicode scalar value of it in the section's text.
    pub start: usize,
    /// One past its last Unicode scalar value.
    pub end: usize,
    /// First Unicode scalar value of its verbal form, and one past its last.
    pub verbal_form: Option<(usize, usize)>,
}

/// A graphic of a section.
#[derive(Clone, Debug, Default)]
pub struct HtmlPicture<'a> {
    /// The id under which the API has the graphic.
    pub id: &'a str,
    /// Words for readers who cannot see it.
    pub alt: &'a str,
    /// Address of the file of the graphic; without one the picture is an element with the words as its label.
    pub address: Option<String>,
    /// True where the store has no file for the graphic.
    pub missing: bool,
}

/// The HTML of one section.
#[derive(Clone, Debug)]
pub struct SectionHtml {
    /// From `<section …>` on, without its end tag: sections within it and `</section>` may follow.
    pub html: String,
    /// True where the text that the markup gives is the stored one. Otherwise provisions are not marked.
    pub marked: bool,
}

/// The HTML of sections within one another.
#[derive(Clone, Debug)]
pub struct ArticleHtml {
    /// One `<article>` element with all sections.
    pub html: String,
    /// Sections without marks of provisions, since their text differs from the stored one.
    pub unmarked: usize,
}
