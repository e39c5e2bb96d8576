//! Requirement objects: a standard as the list of headings, provisions, terms, notes, tables, pictures and
//! other texts that tools for requirements hold, in document order.

mod attributes;
mod blocks;
mod build;
mod files;

use std::collections::{HashMap, HashSet};

use norma_api::shapes::{Graphic, Provision, SectionHead};

use crate::html::HtmlNode;
use crate::standard::ExportedStandard;

pub(crate) use attributes::{AttributeValue, ObjectAttribute, amendments_of};
pub(crate) use build::build;
pub(crate) use files::PictureFile;

/// A standard with what formats for requirements write of it, all of one revision.
#[derive(Clone, Debug)]
pub struct ExportedDocument<'a> {
    /// The standard with all of its provisions, terms and tables.
    pub standard: ExportedStandard<'a>,
    /// URN of the document without edition and language: `urn:nsb:std:nsb:4210`.
    pub document_urn: String,
    /// The sections in document order.
    pub sections: Vec<ExportedSection<'a>>,
    /// The graphics in document order.
    pub graphics: Vec<Graphic<'a>>,
    /// The files of pictures by the ids of their graphics, as far as the service has them.
    pub pictures: HashMap<String, Vec<u8>>,
    /// The ids of the provisions that are exported, with the headings and tables around them and nothing
    /// else; `None` for all of the standard.
    pub chosen: Option<HashSet<String>>,
}

/// A section of a standard.
#[derive(Clone, Debug)]
pub struct ExportedSection<'a> {
    /// Name and position of the section.
    pub head: SectionHead<'a>,
    /// Id of the section that holds it.
    pub parent_id: Option<String>,
    /// HTML of its own content, as `norma_sts::html::section` writes it; `None` where the caller may not read
    /// it: then the section is a heading alone.
    pub html: Option<String>,
}

/// Kind of a requirement object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ObjectKind {
    Heading,
    Provision,
    Term,
    Note,
    Table,
    Picture,
    Text,
}

impl ObjectKind {
    /// The word of the kind in all formats.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Provision => "provision",
            Self::Term => "term",
            Self::Note => "note",
            Self::Table => "table",
            Self::Picture => "picture",
            Self::Text => "text",
        }
    }
}

/// One object.
#[derive(Clone, Debug)]
pub(crate) struct RequirementObject<'a> {
    /// Id that no object of another document has: lower-case letters, digits and one `_`.
    pub(crate) id: String,
    pub(crate) kind: ObjectKind,
    /// Id that the API gives it in its edition; texts without one have none.
    pub(crate) local_id: Option<&'a str>,
    /// Index of the object that it is below.
    pub(crate) parent: Option<usize>,
    /// Number or label as printed: `4.2`, `4.2(1)`, `Table 1`; empty without one.
    pub(crate) label: String,
    /// Title of a heading, designation of a term, caption of a table or picture.
    pub(crate) title: Option<String>,
    /// The content as a tree, with the lead-in of a provision.
    pub(crate) content: Vec<HtmlNode>,
    /// The words of the content; of a provision lead-in and text as the API has them.
    pub(crate) text: String,
    pub(crate) provision: Option<&'a Provision<'a>>,
    /// Ids of the graphics in the content.
    pub(crate) graphic_ids: Vec<String>,
    /// The values of its attributes, in the order of [`ObjectAttribute::ALL`].
    pub(crate) attributes: Vec<AttributeValue>,
}

impl RequirementObject<'_> {
    /// One line that names the object: its label and its title, or the beginning of its text.
    pub(crate) fn name(&self) -> String {
        const MOST: usize = 100;
        let words = self.title.as_deref().unwrap_or(&self.text);
        let mut name = crate::html::collapsed(&format!("{} {words}", self.label));
        if let Some((end, _)) = name.char_indices().nth(MOST) {
            name.truncate(end);
            name.push('…');
        }
        // A heading without number and title.
        if name.is_empty() { self.kind.as_str().to_owned() } else { name }
    }

    /// The value of an attribute, empty where it has none.
    pub(crate) fn value(&self, attribute: ObjectAttribute) -> &str {
        let found = self.attributes.iter().find(|value| value.attribute == attribute);
        found.map_or("", |value| &value.text)
    }
}

/// A standard as objects.
#[derive(Clone, Debug)]
pub(crate) struct RequirementDocument<'a> {
    pub(crate) source: &'a ExportedDocument<'a>,
    /// Id of the document itself, which its editions share where ids are those of lineages.
    pub(crate) id: String,
    pub(crate) objects: Vec<RequirementObject<'a>>,
    /// The files of the pictures in the objects, each once.
    pub(crate) files: Vec<PictureFile<'a>>,
}

impl RequirementDocument<'_> {
    /// The indexes of the objects below each object, and at the end those at the top.
    pub(crate) fn children_of_all(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.objects.len() + 1];
        for (index, object) in self.objects.iter().enumerate() {
            children[object.parent.unwrap_or(self.objects.len())].push(index);
        }
        children
    }

    /// The file of the graphic with an id, if there is one.
    pub(crate) fn file(&self, graphic: &str) -> Option<&PictureFile<'_>> {
        self.files.iter().find(|file| file.graphic_ids.contains(&graphic))
    }

    /// The index of the object for a part of the edition by the id that the API gives it.
    pub(crate) fn object_of(&self, local_id: &str) -> Option<usize> {
        self.objects.iter().position(|object| object.local_id == Some(local_id))
    }

    /// The indexes of the objects for what a provision refers to, each once.
    pub(crate) fn targets(&self, provision: &Provision<'_>) -> Vec<usize> {
        let mut targets = Vec::new();
        for reference in &provision.references {
            if let Some(target) = reference.target_id.as_deref().and_then(|id| self.object_of(id))
                && !targets.contains(&target)
            {
                targets.push(target);
            }
        }
        targets
    }

    /// The time of all that is written: the day of publication, else the first one that ZIP can hold.
    pub(crate) fn time(&self) -> String {
        time(self.source.standard.bibliographic.metadata.published_on.as_deref())
    }
}

/// A date of `YYYY`, `YYYY-MM` or `YYYY-MM-DD` as a time (RFC 3339); without one 1980-01-01.
pub(crate) fn time(date: Option<&str>) -> String {
    let date = date.unwrap_or("1980");
    let missing = match date.len() {
        4 => "-01-01",
        7 => "-01",
        _ => "",
    };
    format!("{date}{missing}T00:00:00Z")
}
