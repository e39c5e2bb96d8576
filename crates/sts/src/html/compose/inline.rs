//! Content of a block: looks, links, formulae, pictures, marks of provisions and of footnotes.

use super::{Composer, Inline};
use crate::html::formula;
use crate::html::markup::{Attribute, Tag};
use crate::text::noted::Shape;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl<'t> Composer<'_, 't> {
    pub(super) fn inline_tag(&self, key: usize) -> Option<Tag> {
        let (shape, node) = self.shape(key)?;
        Some(match shape {
            Shape::Look => match node.name() {
                Name::Bold => Tag::B,
                Name::Italic => Tag::I,
                Name::Underline => Tag::U,
                Name::Strike => Tag::S,
                Name::Monospace => Tag::Code,
                _ if node.language().is_some() => Tag::Span,
                _ => return None,
            },
            Shape::Subscript => Tag::Sub,
            Shape::Superscript => Tag::Sup,
            Shape::Code(_) => Tag::Code,
            Shape::Reference(_) | Shape::Term(_) | Shape::Mark(_) => Tag::A,
            _ => return None,
        })
    }

    pub(super) fn open_inline(&mut self, inline: Inline) {
        let key = match inline {
            Inline::Marked(index) => return self.open_marked(index),
            Inline::Inserted => return self.html.begin(Tag::Ins, &[]),
            Inline::Element(key) => key,
        };
        let (Some(tag), Some((shape, node))) = (self.inline_tag(key), self.shape(key)) else { return };
        let mut attributes: Vec<(Attribute, String)> = Vec::new();
        let mut id = self.ids.remove(&key);
        if let Shape::Look = shape {
            self.add_language(node, &mut attributes);
        }
        match shape {
            Shape::Code(kind) => attributes.push((Attribute::Type, kind.to_owned())),
            Shape::Reference(ids) => {
                let first = ids.split_whitespace().next().unwrap_or_default();
                attributes.push((Attribute::Href, self.known.standard.part(first).to_owned()));
            }
            Shape::Term(id) => {
                if let Some(term) = self.known.standard.term(id) {
                    attributes.push((Attribute::Term, term.to_owned()));
                }
                attributes.push((Attribute::Href, self.known.standard.term(id).unwrap_or(id).to_owned()));
            }
            Shape::Mark(target) => {
                let first = target.and_then(|ids| ids.split_whitespace().next());
                let footnote = first.map_or_else(|| self.footnote_id(node), str::to_owned);
                attributes.push((Attribute::Type, "mark".to_owned()));
                attributes.push((Attribute::Href, footnote.clone()));
                let back = back_id(&footnote);
                if self.referred.insert(footnote) {
                    id = Some(back);
                }
            }
            _ => {}
        }
        if let Some(id) = id.and_then(|id| self.fresh(&id)) {
            attributes.push((Attribute::Id, id));
        }
        self.begin_tag(tag, &attributes);
    }

    /// Adds the language that a node states, and its direction.
    pub(super) fn add_language(&self, node: XmlNode<'t>, attributes: &mut Vec<(Attribute, String)>) {
        let Some(language) = node.language() else { return };
        let direction = self.known.standard.direction(language.as_str());
        attributes.extend(direction.map(|direction| (Attribute::Dir, direction.to_owned())));
        attributes.push((Attribute::Lang, language.to_string()));
    }

    fn open_marked(&mut self, index: usize) {
        let Some(provision) = self.known.marked[index].provision else {
            return self.html.begin(Tag::Em, &[(Attribute::Verb, "")]);
        };
        let id = self.fresh(provision.id);
        let mut attributes: Vec<(Attribute, &str)> =
            id.as_deref().map(|id| (Attribute::Id, id)).into_iter().collect();
        attributes.extend([
            (Attribute::Provision, provision.kind),
            (Attribute::Label, provision.label),
            (Attribute::Group, provision.id),
        ]);
        self.html.begin(Tag::Span, &attributes);
    }

    pub(super) fn label(&mut self, end: usize) {
        self.blocks_are_open(true);
        self.inlines_are_open(&[]);
        self.html.begin(Tag::Span, &[(Attribute::Type, "label")]);
        self.html.text(&self.text[self.at..end.max(self.at)]);
        self.html.end(Tag::Span);
        self.at = end.max(self.at);
    }

    pub(super) fn sign(&mut self, end: usize) {
        let sign = &self.text[self.at..end.max(self.at)];
        if !sign.is_empty() {
            self.ready(true);
            self.html.begin(Tag::Span, &[(Attribute::Hidden, "")]);
            self.html.text(sign);
            self.html.end(Tag::Span);
            self.at = end;
        }
    }

    pub(super) fn formula(&mut self, node: XmlNode<'t>, end: usize) {
        let line = &self.text[self.at..end.max(self.at)];
        if !line.is_empty() {
            self.ready(true);
            formula::write(self.html, node, line);
            self.at = end;
        }
    }

    pub(super) fn picture(&mut self, node: XmlNode<'t>) {
        let Some(&picture) = self.known.pictures.get(&node.id()) else { return };
        self.ready(false);
        let mut attributes = vec![(Attribute::Graphic, picture.id)];
        let id = self.fresh(picture.id);
        attributes.extend(id.as_deref().map(|id| (Attribute::Id, id)));
        if picture.missing {
            attributes.push((Attribute::Missing, ""));
        }
        match &picture.address {
            Some(address) => {
                attributes.extend([(Attribute::Src, address.as_str()), (Attribute::Alt, picture.alt)]);
                self.html.begin(Tag::Img, &attributes);
            }
            None => {
                let alt = if picture.alt.is_empty() { picture.id } else { picture.alt };
                attributes.extend([(Attribute::Role, "img"), (Attribute::AriaLabel, alt)]);
                self.html.begin(Tag::Span, &attributes);
                self.html.end(Tag::Span);
            }
        }
    }

    /// The id of a footnote: its own, else one of its section.
    pub(super) fn footnote_id(&mut self, footnote: XmlNode<'t>) -> String {
        if let Some(id) = footnote.xml_id().map(str::trim).filter(|id| !id.contains(char::is_whitespace)) {
            return id.to_owned();
        }
        let next = self.footnotes.len() + 1;
        let number = *self.footnotes.entry(footnote.id()).or_insert(next);
        format!("fn_{}_{number}", self.known.section)
    }

    /// Writes the link from a footnote to its first mark.
    pub(super) fn link_back(&mut self, key: usize) {
        let Some((Shape::Footnote, node)) = self.shape(key) else { return };
        let footnote = self.footnote_id(node);
        if self.referred.contains(&footnote) {
            self.inlines_are_open(&[]);
            let back = back_id(&footnote);
            let attributes =
                [(Attribute::Type, "back"), (Attribute::Href, &*back), (Attribute::AriaLabel, "↩")];
            self.html.begin(Tag::A, &attributes);
            self.html.end(Tag::A);
        }
    }
}

fn back_id(footnote: &str) -> String {
    format!("ref_{footnote}")
}
