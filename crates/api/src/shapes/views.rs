//! From one edition to each of its views, as the very bytes that are stored and sent.

use std::borrow::Cow;
use std::iter::Peekable;

use norma_model::{Asset, EditionParts};

use super::splice::{render, slice};
use super::standard::render_without_standing;
use super::{
    Complete, ContentSection, Counts, Graphic, Head, Ics, Metadata, MetadataView, Provision, Relation,
    Section, SectionNode, SectionsView, Sliced, Standing, Term, borrowed,
};

/// Renders the views of one edition. Bytes depend on the edition, its assets and the revision only.
pub struct Views<'a> {
    pub(crate) edition: &'a EditionParts,
    pub(crate) revision: &'a str,
    pub(crate) graphics: Vec<Graphic<'a>>,
    pub(crate) terms: Vec<Term<'a>>,
    pub(crate) provisions: Vec<Provision<'a>>,
    belongings: Vec<Belongings>,
}

/// What a section holds itself: indices into the edition's lists.
#[derive(Clone, Default)]
struct Belongings {
    graphics: Vec<usize>,
    terms: Vec<usize>,
    provisions: Vec<usize>,
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
            sections,
            provisions,
            terms,
            graphics,
            // Only selections ask for tables, and they ask the outline.
            tables: _,
        } = edition;
        assert_eq!(assets.len(), graphics.len(), "one asset, or none, for each graphic");
        let mut belongings = vec![Belongings::default(); sections.len()];
        for (index, graphic) in graphics.iter().enumerate() {
            if let Some(section) = graphic.section {
                belongings[section].graphics.push(index);
            }
        }
        for (index, term) in terms.iter().enumerate() {
            belongings[term.section].terms.push(index);
        }
        for (index, provision) in provisions.iter().enumerate() {
            belongings[provision.section].provisions.push(index);
        }
        Self {
            edition,
            revision,
            graphics: graphics
                .iter()
                .zip(assets)
                .map(|(graphic, asset)| Graphic::new(graphic, asset.as_ref(), sections))
                .collect(),
            terms: terms.iter().map(|term| Term::new(term, sections)).collect(),
            provisions: provisions.iter().map(|p| Provision::new(p, sections, terms)).collect(),
            belongings,
        }
    }

    /// The complete standard, without [`Standing`].
    pub fn complete(&self) -> Vec<u8> {
        let Head { urn, revision } = self.head();
        render_without_standing(&Complete {
            status: Standing::UNKNOWN.status,
            related_editions: Standing::UNKNOWN.related_editions,
            urn,
            revision,
            metadata: self.metadata_shape(),
            ics: self.ics(),
            relations: self.relations(),
            sections: self.tree(|index, children| self.section(index, children)),
            graphics: self.graphics.clone(),
            terms: self.terms.clone(),
        })
    }

    /// The standard without section bodies, without [`Standing`].
    pub fn metadata(&self) -> Vec<u8> {
        let Head { urn, revision } = self.head();
        render_without_standing(&MetadataView {
            status: Standing::UNKNOWN.status,
            related_editions: Standing::UNKNOWN.related_editions,
            urn,
            revision,
            metadata: self.metadata_shape(),
            ics: self.ics(),
            relations: self.relations(),
            provisions: self.provisions.clone(),
            terms: self.terms.clone(),
            graphics: self.graphics.clone(),
        })
    }

    /// The section hierarchy.
    pub fn sections(&self) -> Vec<u8> {
        let Head { urn, revision } = self.head();
        let sections = self.tree(|index, children| self.node(index, children));
        render(&SectionsView { urn, revision, sections })
    }

    /// The ordered content; its fragments are parallel to the edition's sections.
    pub fn content(&self) -> Sliced {
        let sections = (0..self.edition.sections.len()).map(|index| self.content_section(index));
        slice(&self.head(), "sections", sections)
    }

    /// The ordered content as plain text; its fragments are parallel to the edition's sections and are parted
    /// by blank lines.
    pub fn content_text(&self) -> Sliced {
        let mut bytes = Vec::new();
        let mut fragments = Vec::with_capacity(self.edition.sections.len());
        for section in &self.edition.sections {
            let start = bytes.len();
            let text = section.text.trim_end();
            if !text.is_empty() {
                bytes.extend_from_slice(text.as_bytes());
                bytes.extend_from_slice(b"\n\n");
            }
            fragments.push(start..bytes.len());
        }
        Sliced { bytes, fragments }
    }

    /// The provisions; its fragments are parallel to the edition's provisions.
    pub fn provisions(&self) -> Sliced {
        slice(&self.head(), "items", &self.provisions)
    }

    /// The terms.
    pub fn terms(&self) -> Vec<u8> {
        slice(&self.head(), "items", &self.terms).bytes
    }

    /// The graphics.
    pub fn graphics(&self) -> Vec<u8> {
        slice(&self.head(), "items", &self.graphics).bytes
    }

    pub(crate) fn head(&self) -> Head<'a> {
        Head { urn: self.edition.urn.as_str().into(), revision: self.revision.into() }
    }

    pub(crate) fn metadata_shape(&self) -> Metadata<'a> {
        (&self.edition.metadata).into()
    }

    pub(crate) fn ics(&self) -> Vec<Ics<'a>> {
        self.edition.ics.iter().map(Into::into).collect()
    }

    pub(crate) fn relations(&self) -> Vec<Relation<'a>> {
        self.edition.relations.iter().map(|r| Relation::new(r, &self.edition.sections)).collect()
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
        let own = &self.belongings[index];
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
                provisions: count(&own.provisions),
                terms: count(&own.terms),
                graphics: count(&own.graphics),
            },
        }
    }

    fn content_section(&self, index: usize) -> ContentSection<'a> {
        let norma_model::Section {
            id,
            source_id: _,
            label,
            number,
            title,
            kind,
            normative: _,
            level,
            parent,
            xml,
            text,
        } = &self.edition.sections[index];
        let own = &self.belongings[index];
        ContentSection {
            id: id.as_str().into(),
            label: borrowed(label),
            number: borrowed(number),
            title: borrowed(title),
            kind: (*kind).into(),
            level: *level,
            order: order(index),
            parent: parent.map(|p| self.edition.sections[p].id.as_str().into()),
            xml: xml.into(),
            text: text.into(),
            graphics: own.graphics.iter().map(|&g| self.graphics[g].clone()).collect(),
            terms: own.terms.iter().map(|&t| self.terms[t].clone()).collect(),
            provisions: own.provisions.iter().map(|&p| Cow::clone(&self.provisions[p].id)).collect(),
        }
    }

    fn section(&self, index: usize, children: Vec<Section<'a>>) -> Section<'a> {
        let ContentSection {
            id,
            label,
            number,
            title,
            kind,
            level,
            order,
            parent: _,
            xml,
            text,
            graphics,
            terms,
            provisions,
        } = self.content_section(index);
        let section = &self.edition.sections[index];
        Section {
            id,
            source_id: borrowed(&section.source_id),
            label,
            number,
            title,
            kind,
            normative: section.normative,
            level,
            order,
            xml,
            text,
            graphics,
            terms,
            provisions,
            children,
        }
    }
}

fn order(index: usize) -> u32 {
    u32::try_from(index + 1).expect("limits keep an edition below 2^32 parts")
}

fn count(indices: &[usize]) -> u32 {
    u32::try_from(indices.len()).expect("limits keep an edition below 2^32 parts")
}
