//! Content of a block: looks, links, formulae, pictures, marks of provisions and of footnotes.

use super::{BegunShape, Composer, HtmlGap, Inline};
use crate::html::formula;
use crate::html::markup::{Attribute, Tag};
use crate::text::noted::Shape;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

impl<'t> Composer<'_, 't> {
    /// The HTML element for the shape that begins at the noted position with this index; `None` for a shape
    /// that is not inline, and for a look that HTML does not show, such as small capitals.
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

    /// Ends and begins inline elements so that those given are around what comes next.
    pub(super) fn inlines_are_open(&mut self, inlines: &[Inline]) {
        let same = self.open_inlines.iter().zip(inlines).take_while(|(one, other)| one == other).count();
        self.close_inlines(same);
        match self.gap {
            HtmlGap::None => {}
            HtmlGap::Space => self.html.out.push(' '),
            HtmlGap::Break => {
                self.html.begin(Tag::Br, &[]);
                self.html.out.push('\n');
            }
        }
        self.gap = HtmlGap::None;
        for &inline in &inlines[same..] {
            self.open_inline(inline);
            self.open_inlines.push(inline);
        }
    }

    /// Closes inline elements until a number of them is open.
    pub(super) fn close_inlines(&mut self, down_to: usize) {
        while self.open_inlines.len() > down_to {
            let Some(inline) = self.open_inlines.pop() else { return };
            let tag = match inline {
                Inline::Element(key) => self.inline_tag(key),
                Inline::Marked(index) if self.known.marked[index].provision.is_some() => Some(Tag::Span),
                Inline::Marked(_) => Some(Tag::Em),
                Inline::Inserted => Some(Tag::Ins),
            };
            if let Some(tag) = tag {
                self.html.end(tag);
            }
        }
    }

    /// Begins an inline element by the index of its note. It opens before the next words.
    pub(super) fn begin_inline(&mut self, key: usize) {
        let tag = match self.inline_tag(key) {
            // A link within a link is not allowed.
            Some(Tag::A) if self.is_in_link() => None,
            tag => tag,
        };
        let Some(tag) = tag else { return self.begun.push(BegunShape::Nothing) };
        let end = self.ends.get(&key).copied().unwrap_or(self.at);
        // White space at the start is before the element.
        let content = &self.text[self.at..end.max(self.at)];
        let blank = content.len() - content.trim_start().len();
        self.text_to(self.at + blank);
        if tag != Tag::Em
            && let Some(id) = self.waiting.pop()
        {
            self.ids.insert(key, id.to_owned());
        }
        // What ends within the element is in it, and goes on from before it.
        let mut around = Vec::with_capacity(self.inlines.len() + 1);
        let mut within = Vec::new();
        for &inline in &self.inlines {
            match inline {
                Inline::Marked(index) if self.known.marked[index].end < end => within.push(inline),
                _ => around.push(inline),
            }
        }
        around.push(Inline::Element(key));
        around.append(&mut within);
        self.inlines = around;
        self.begun.push(BegunShape::Inline(key));
    }

    fn is_in_link(&self) -> bool {
        self.inlines.iter().any(|inline| match *inline {
            Inline::Element(key) => self.inline_tag(key) == Some(Tag::A),
            _ => false,
        })
    }

    fn open_inline(&mut self, inline: Inline) {
        let key = match inline {
            Inline::Marked(index) => return self.open_marked(index),
            Inline::Inserted => return self.html.begin(Tag::Ins, &[]),
            Inline::Element(key) => key,
        };
        let (Some(tag), Some((shape, node))) = (self.inline_tag(key), self.shape(key)) else { return };
        let mut attributes: Vec<(Attribute, String)> = Vec::new();
        let mut id = self.ids.remove(&key);
        match shape {
            Shape::Look => self.add_language(node, &mut attributes),
            Shape::Code(kind) => attributes.push((Attribute::Type, kind.to_owned())),
            Shape::Reference(ids) => {
                let first = ids.split_whitespace().next().unwrap_or_default();
                attributes.push((Attribute::Href, self.known.standard.part(first).to_owned()));
            }
            Shape::Term(id) => {
                let term = self.known.standard.term(id);
                if let Some(term) = term {
                    attributes.push((Attribute::Term, term.to_owned()));
                }
                attributes.push((Attribute::Href, term.unwrap_or(id).to_owned()));
            }
            Shape::Mark(target) => {
                let footnote = match target.and_then(|ids| ids.split_whitespace().next()) {
                    Some(id) => id.to_owned(),
                    None => self.footnote_id(node),
                };
                attributes.push((Attribute::Type, "mark".to_owned()));
                attributes.push((Attribute::Href, footnote.clone()));
                // The footnote links back to its first mark.
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
        if let Some(direction) = self.known.standard.direction(language.as_str()) {
            attributes.push((Attribute::Dir, direction.to_owned()));
        }
        attributes.push((Attribute::Lang, language.to_string()));
    }

    /// Begins a provision or the words that decided its type.
    fn open_marked(&mut self, index: usize) {
        let Some(provision) = self.known.marked[index].provision else {
            return self.html.begin(Tag::Em, &[(Attribute::Verb, "")]);
        };
        let id = self.fresh(provision.id);
        let mut attributes: Vec<(Attribute, &str)> = Vec::with_capacity(4);
        if let Some(id) = &id {
            attributes.push((Attribute::Id, id));
        }
        attributes.push((Attribute::Provision, provision.kind));
        attributes.push((Attribute::Label, provision.label));
        attributes.push((Attribute::Group, provision.id));
        self.html.begin(Tag::Span, &attributes);
    }

    /// Writes the text up to a byte as a label, outside of inline elements.
    pub(super) fn label(&mut self, end: usize) {
        self.blocks_are_open(true);
        self.inlines_are_open(&[]);
        self.html.begin(Tag::Span, &[(Attribute::Type, "label")]);
        self.html.text(&self.text[self.at..end.max(self.at)]);
        self.html.end(Tag::Span);
        self.at = end.max(self.at);
    }

    /// Writes the text up to a byte hidden, since an element shows it: `^` of a superscript.
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

    /// Writes MathML instead of the line of text up to a byte.
    pub(super) fn formula(&mut self, node: XmlNode<'t>, end: usize) {
        let line = &self.text[self.at..end.max(self.at)];
        if !line.is_empty() {
            self.ready(true);
            formula::write(self.html, node, line);
            self.at = end;
        }
    }

    /// Writes a picture, or an element with its words where the caller has no address for it.
    pub(super) fn picture(&mut self, node: XmlNode<'t>) {
        let Some(&picture) = self.known.pictures.get(&node.id()) else { return };
        self.ready(false);
        let mut attributes = vec![(Attribute::Graphic, picture.id)];
        let id = self.fresh(picture.id);
        if let Some(id) = &id {
            attributes.push((Attribute::Id, id));
        }
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
        if let Some(id) = footnote.xml_id()
            && !id.trim().contains(char::is_whitespace)
        {
            return id.trim().to_owned();
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
