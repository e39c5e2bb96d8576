//! From one edition to each of its views, as the very bytes that are stored and sent.

use std::cell::OnceCell;
use std::iter::Peekable;
use std::ops::Range;

use norma_model::{Asset, EditionParts};
use serde::Serialize;

use super::splice::{open_list, render, slice, write, write_items, write_list, write_member};
use super::{
    Counts, Graphic, Head, Ics, Metadata, Provision, Relation, SectionNode, SectionType, SectionsView,
    Sliced, Term, borrowed,
};

/// Renders the views of one edition. Bytes depend on the edition, its assets and the revision only.
///
/// What several views hold (a section's body, a provision, a term, a graphic) is rendered once, in the view that is
/// its own, when it is first asked for, and copied from there.
pub struct Views<'a> {
    pub(crate) edition: &'a EditionParts,
    pub(crate) revision: &'a str,
    assets: &'a [Option<Asset>],
    belongings: OnceCell<Vec<Belongings>>,
    graphics: OnceCell<Sliced>,
    terms: OnceCell<Sliced>,
    provisions: OnceCell<Sliced>,
    content: OnceCell<Content>,
}

/// Views above so many bytes are written anew rather than held beside each other: 4 MiB.
pub(crate) const LARGE: usize = 4 << 20;

/// About how many bytes the members of a section or provision take beside its texts.
const MEMBERS: usize = 512;

/// What a section holds itself: indices into the edition's lists.
#[derive(Clone, Default)]
struct Belongings {
    graphics: Vec<usize>,
    terms: Vec<usize>,
    provisions: Range<usize>,
}

/// The content view.
struct Content {
    view: Sliced,
    /// The members of each section that the complete standard has as well, with the comma before them.
    bodies: Vec<Range<usize>>,
}

/// What a standard begins with, complete or without section bodies.
#[derive(Serialize)]
struct StandardHead<'a> {
    urn: &'a str,
    revision: &'a str,
    metadata: Metadata<'a>,
    ics: Vec<Ics<'a>>,
    relations: Vec<Relation<'a>>,
}

/// What a section begins with, in the content view and in the complete standard.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SectionHead<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(rename = "type")]
    kind: SectionType,
    #[serde(skip_serializing_if = "Option::is_none")]
    normative: Option<bool>,
    level: u16,
    order: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'a str>,
}

impl<'a> Views<'a> {
    /// The views of `edition`. `assets` stands parallel to its graphics: the file of each, where there is one.
    ///
    /// # Panics
    /// When `assets` is not as long as the list of graphics.
    pub fn new(edition: &'a EditionParts, assets: &'a [Option<Asset>], revision: &'a str) -> Self {
        let EditionParts {
            urn: _,
            metadata: _,
            // The catalogue keeps the status, from publication on.
            status: _,
            ics: _,
            relations: _,
            sections: _,
            provisions: _,
            terms: _,
            graphics,
            // Only selections ask for tables, and they ask the outline.
            tables: _,
        } = edition;
        assert_eq!(assets.len(), graphics.len(), "one asset, or none, for each graphic");
        Self {
            edition,
            revision,
            assets,
            belongings: OnceCell::new(),
            graphics: OnceCell::new(),
            terms: OnceCell::new(),
            provisions: OnceCell::new(),
            content: OnceCell::new(),
        }
    }

    /// What a section holds itself.
    fn belongings(&self, section: usize) -> &Belongings {
        let all = self.belongings.get_or_init(|| {
            let EditionParts { sections, provisions, terms, graphics, .. } = self.edition;
            let mut belongings = vec![Belongings::default(); sections.len()];
            for (index, graphic) in graphics.iter().enumerate() {
                if let Some(section) = graphic.section {
                    belongings[section].graphics.push(index);
                }
            }
            for (index, term) in terms.iter().enumerate() {
                belongings[term.section].terms.push(index);
            }
            // An edition has its provisions in the order of its sections.
            let mut start = 0;
            for own in provisions.chunk_by(|a, b| a.section == b.section) {
                let end = start + own.len();
                belongings[own[0].section].provisions = start..end;
                start = end;
            }
            belongings
        });
        &all[section]
    }

    /// The complete standard, without its [`Standing`](super::Standing). The bodies of its sections are copied from the content
    /// view where that is at hand, and written here where it is not.
    pub fn complete(&self) -> Vec<u8> {
        let mut bytes = self.standard_head();
        let content = self.content.get().map_or_else(|| self.room_for_content(), |c| c.view.bytes.len());
        let [graphics, terms] = [self.graphics(), self.terms()].map(|v| v.bytes.len());
        bytes.reserve(content + content / 8 + graphics + terms);
        self.write_tree(&mut bytes);
        write_list("graphics", self.graphics().items(), &mut bytes);
        write_list("terms", self.terms().items(), &mut bytes);
        bytes.push(b'}');
        bytes
    }

    /// The standard without section bodies, without its [`Standing`](super::Standing). Its provisions are copied from their
    /// own view where that is at hand, and written here where it is not.
    pub fn metadata(&self) -> Vec<u8> {
        let mut bytes = self.standard_head();
        let provisions = self.provisions.get();
        let expected = provisions.map_or_else(|| self.room_for_provisions(), |list| list.bytes.len());
        bytes.reserve(expected + self.terms().bytes.len() + self.graphics().bytes.len());
        match provisions {
            Some(list) => write_list("provisions", list.items(), &mut bytes),
            None => drop(write_items("provisions", self.each_provision(), &mut bytes, write)),
        }
        write_list("terms", self.terms().items(), &mut bytes);
        write_list("graphics", self.graphics().items(), &mut bytes);
        bytes.push(b'}');
        bytes
    }

    /// The section hierarchy.
    pub fn sections(&self) -> Vec<u8> {
        let Head { urn, revision } = self.head();
        let sections = self.tree(|index, children| self.node(index, children));
        render(&SectionsView { urn, revision, sections })
    }

    /// The ordered content; its fragments are parallel to the edition's sections.
    pub fn content(&self) -> &Sliced {
        &self.laid().view
    }

    fn laid(&self) -> &Content {
        self.content.get_or_init(|| {
            let sections = self.edition.sections.len();
            let mut bodies = Vec::with_capacity(sections);
            let view =
                slice(&self.head(), "sections", self.room_for_content(), 0..sections, |index, bytes| {
                    bodies.push(self.write_content_section(index, bytes));
                });
            Content { view, bodies }
        })
    }

    fn room_for_content(&self) -> usize {
        let sections = &self.edition.sections;
        let texts = sections.iter().flat_map(|s| [s.xml.len(), s.text.len()]);
        room(texts) + sections.len() * MEMBERS + self.terms().bytes.len()
    }

    /// The content, which is not kept when it is large: [`complete`](Self::complete) writes its own then, so that both need not
    /// be in memory together.
    pub fn release_content(&mut self) -> Sliced {
        match self.content().bytes.len() > LARGE {
            true => self.content.take().map(|content| content.view).unwrap_or_default(),
            false => self.content().clone(),
        }
    }

    /// The ordered content as plain text; its fragments are parallel to the edition's sections and are parted
    /// by blank lines.
    pub fn content_text(&self) -> Sliced {
        let sections = &self.edition.sections;
        let mut bytes = Vec::with_capacity(sections.iter().map(|s| s.text.len() + "\n\n".len()).sum());
        let mut fragments = Vec::with_capacity(sections.len());
        for section in sections {
            let start = bytes.len();
            let text = section.text.trim_end();
            if !text.is_empty() {
                bytes.extend_from_slice(text.as_bytes());
                bytes.extend_from_slice(b"\n\n");
            }
            fragments.push(start..bytes.len());
        }
        Sliced { bytes: bytes.into(), fragments }
    }

    /// The provisions; its fragments are parallel to the edition's provisions.
    pub fn provisions(&self) -> &Sliced {
        self.provisions.get_or_init(|| {
            slice(&self.head(), "items", self.room_for_provisions(), self.each_provision(), write)
        })
    }

    fn room_for_provisions(&self) -> usize {
        let provisions = &self.edition.provisions;
        let texts = provisions.iter().flat_map(|p| [p.text.len(), p.xml.as_deref().map_or(0, str::len)]);
        room(texts) + provisions.len() * MEMBERS
    }

    /// The provisions, which are not kept when they are large: [`metadata`](Self::metadata) writes its own then, so that
    /// both need not be in memory together.
    pub fn release_provisions(&mut self) -> Sliced {
        match self.provisions().bytes.len() > LARGE {
            true => self.provisions.take().unwrap_or_default(),
            false => self.provisions().clone(),
        }
    }

    /// The terms; its fragments are parallel to the edition's terms.
    pub fn terms(&self) -> &Sliced {
        self.terms.get_or_init(|| slice(&self.head(), "items", 0, self.each_term(), write))
    }

    /// The graphics; its fragments are parallel to the edition's graphics.
    pub fn graphics(&self) -> &Sliced {
        self.graphics.get_or_init(|| slice(&self.head(), "items", 0, self.each_graphic(), write))
    }

    // Shapes are made where they are written, one at a time: those of a whole document take more room than its text.

    /// The shapes of the graphics.
    pub(crate) fn each_graphic(&self) -> impl Iterator<Item = Graphic<'a>> {
        let EditionParts { graphics, sections, .. } = self.edition;
        graphics
            .iter()
            .zip(self.assets)
            .map(|(graphic, asset)| Graphic::new(graphic, asset.as_ref(), sections))
    }

    /// The shapes of the terms.
    pub(crate) fn each_term(&self) -> impl Iterator<Item = Term<'a>> {
        let EditionParts { terms, sections, .. } = self.edition;
        terms.iter().map(|term| Term::new(term, sections))
    }

    /// The shapes of the provisions.
    fn each_provision(&self) -> impl Iterator<Item = Provision<'a>> {
        self.edition.provisions.iter().map(|provision| Provision::new(provision, self.edition))
    }

    pub(crate) fn head(&self) -> Head<'a> {
        Head { urn: self.edition.urn.as_str().into(), revision: self.revision.into() }
    }

    /// What a standard begins with, still open.
    fn standard_head(&self) -> Vec<u8> {
        let EditionParts { urn, metadata, ics, relations, sections, .. } = self.edition;
        let mut bytes = render(&StandardHead {
            urn: urn.as_str(),
            revision: self.revision,
            metadata: metadata.into(),
            ics: ics.iter().map(Into::into).collect(),
            relations: relations.iter().map(|r| Relation::new(r, sections)).collect(),
        });
        bytes.pop();
        bytes
    }

    /// Folds the sections, which stand in pre-order, into a tree of whatever `make` makes of an index and its
    /// children.
    fn tree<T>(&self, make: impl Fn(usize, Vec<T>) -> T) -> Vec<T> {
        fn below<T>(
            level: u16,
            rest: &mut Peekable<impl Iterator<Item = (usize, u16)>>,
            make: &impl Fn(usize, Vec<T>) -> T,
        ) -> Vec<T> {
            let mut made = Vec::new();
            while let Some((index, own)) = rest.next_if(|&(_, own)| own > level) {
                let children = below(own, rest, make);
                made.push(make(index, children));
            }
            made
        }
        let levels = self.edition.sections.iter().map(|s| s.level).enumerate();
        below(0, &mut levels.peekable(), &make)
    }

    fn node(&self, index: usize, children: Vec<SectionNode<'a>>) -> SectionNode<'a> {
        // Exhaustive on purpose: a new field must find its place here or be left out knowingly.
        let norma_model::Section {
            id,
            source_id,
            label,
            number,
            title,
            kind,
            normative,
            level,
            parent: _,
            xml: _,
            text: _,
        } = &self.edition.sections[index];
        let own = self.belongings(index);
        SectionNode {
            id: id.as_str().into(),
            source_id: borrowed(source_id),
            label: borrowed(label),
            number: borrowed(number),
            title: borrowed(title),
            kind: (*kind).into(),
            normative: *normative,
            level: *level,
            order: order(index),
            children,
            counts: Counts {
                provisions: count(own.provisions.len()),
                terms: count(own.terms.len()),
                graphics: count(own.graphics.len()),
            },
        }
    }

    /// What a section begins with; its parent, and what only the complete standard tells, still lack.
    fn section_head(&self, index: usize) -> SectionHead<'a> {
        let section = &self.edition.sections[index];
        SectionHead {
            id: section.id.as_str(),
            source_id: None,
            label: section.label.as_deref(),
            number: section.number.as_deref(),
            title: section.title.as_deref(),
            kind: section.kind.into(),
            normative: None,
            level: section.level,
            order: order(index),
            parent: None,
        }
    }

    /// Writes a section of the content view; gives the place of its body.
    fn write_content_section(&self, index: usize, bytes: &mut Vec<u8>) -> Range<usize> {
        let parent = self.edition.sections[index].parent.map(|p| self.edition.sections[p].id.as_str());
        write(SectionHead { parent, ..self.section_head(index) }, bytes);
        bytes.pop();
        let start = bytes.len();
        self.write_body(index, bytes);
        let body = start..bytes.len();
        bytes.push(b'}');
        body
    }

    /// Writes the members of a section that it has in the content view and in the complete standard.
    fn write_body(&self, index: usize, bytes: &mut Vec<u8>) {
        let section = &self.edition.sections[index];
        write_member("xml", &section.xml, bytes);
        write_member("text", &section.text, bytes);
        let Belongings { graphics, terms, provisions } = self.belongings(index);
        write_list("graphics", graphics.iter().map(|&g| self.graphics().item(g)), bytes);
        write_list("terms", terms.iter().map(|&t| self.terms().item(t)), bytes);
        let ids: Vec<String> =
            self.edition.provisions[provisions.clone()].iter().map(|p| p.id.to_string()).collect();
        write_member("provisions", &ids, bytes);
    }

    /// Writes the sections of the complete standard, each with those within it.
    fn write_tree(&self, bytes: &mut Vec<u8>) {
        let content = self.content.get();
        open_list("sections", bytes);
        let mut open: Vec<u16> = Vec::new();
        for (index, section) in self.edition.sections.iter().enumerate() {
            while open.pop_if(|level| *level >= section.level).is_some() {
                bytes.extend_from_slice(b"]}");
            }
            if bytes.last() == Some(&b'}') {
                bytes.push(b',');
            }
            let source_id = section.source_id.as_deref();
            write(
                SectionHead { source_id, normative: Some(section.normative), ..self.section_head(index) },
                bytes,
            );
            bytes.pop();
            match content {
                Some(Content { view, bodies }) => {
                    bytes.extend_from_slice(&view.bytes[bodies[index].clone()]);
                }
                None => self.write_body(index, bytes),
            }
            open_list("children", bytes);
            open.push(section.level);
        }
        bytes.extend(open.iter().flat_map(|_| *b"]}"));
        bytes.push(b']');
    }
}

/// About how many bytes texts of these lengths take with their escapes.
fn room(texts: impl Iterator<Item = usize>) -> usize {
    let all: usize = texts.sum();
    all + all / 8
}

fn order(index: usize) -> u32 {
    u32::try_from(index + 1).expect("limits keep an edition below 2^32 parts")
}

fn count(parts: usize) -> u32 {
    u32::try_from(parts).expect("limits keep an edition below 2^32 parts")
}
