//! Reading: from a text to its tree in one pass, by XML 1.0 and Namespaces in XML 1.0, without a DTD.
//!
//! quick-xml finds the ends of tags, attributes, comments, CDATA, instructions and the meaning of references.
//! Here they become a tree, and what quick-xml accepts but XML 1.0 forbids is refused: invalid names and
//! characters, a second root. Tokens that are rare (a reference, a carriage return) are searched once in the
//! whole text, not once per part. The reader reports the offset of an error; the reason of a malformed tag or
//! character another parser gives.

mod syntax;

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;
use memchr::memchr;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesText, Event};
use quick_xml::parser::{ElementParser, Parser};

use crate::ExtractionLimits;
use crate::xml::changes;
use crate::xml::lookahead::Lookahead;
use crate::xml::names::Name;
use crate::xml::parse_error::{ParseError, ReadError, parse_error};
use crate::xml::repair::Repaired;
use crate::xml::tree::{Attribute, Content, Namespace, NamespaceScope, NodeData, Tree};

use syntax::{
    first_invalid_character, is_name, is_space, is_target, resolve_references, split_qualified_name,
};

const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";

/// Most attributes or declarations of one tag that are compared pairwise.
const FEW: usize = 32;

type ReadResult<T> = Result<T, ReadError>;

impl<'t> Tree<'t> {
    /// Parses a repaired text.
    pub(crate) fn parse(repaired: &'t Repaired<'_>, limits: &ExtractionLimits) -> Result<Self, ParseError> {
        read(&repaired.text, limits).map_err(|error| parse_error(repaired, limits, error))
    }
}

/// Reads a text into a tree, in which the change marks are read too.
pub(crate) fn read<'t>(text: &'t str, limits: &ExtractionLimits) -> ReadResult<Tree<'t>> {
    let mut reader = XmlReader {
        bytes: text.as_bytes(),
        limits,
        tree: Tree::empty(text),
        open: Vec::new(),
        has_root: false,
        in_characters: false,
        references: Lookahead::new("&"),
        returns: Lookahead::new("\r"),
        newlines: Lookahead::new("\n"),
        tabs: Lookahead::new("\t"),
        closers: Lookahead::new("]]>"),
    };
    reader.document()?;
    changes::read(&mut reader.tree);
    Ok(reader.tree)
}

struct XmlReader<'t, 'l> {
    bytes: &'t [u8],
    limits: &'l ExtractionLimits,
    tree: Tree<'t>,
    /// Elements that are not closed yet.
    open: Vec<OpenElement<'t>>,
    /// The root element has begun; a second one is refused.
    has_root: bool,
    /// The last node is character data, to which further data is added.
    in_characters: bool,
    references: Lookahead,
    returns: Lookahead,
    newlines: Lookahead,
    tabs: Lookahead,
    /// Ends of CDATA sections, which character data must not have.
    closers: Lookahead,
}

/// An element that is not closed yet: its node, its tag, and the scope of its namespaces.
struct OpenElement<'t> {
    id: u32,
    tag: &'t str,
    scope: u32,
}

impl<'t> XmlReader<'t, '_> {
    fn document(&mut self) -> ReadResult<()> {
        let bytes = self.bytes;
        first_invalid_character(bytes).map_or(Ok(()), refuse)?;
        let first = if self.tree.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let markup = |from| memchr(b'<', &bytes[from..]).map_or(bytes.len(), |found| from + found);
        let mut at = first;
        let mut start = markup(at);
        loop {
            if start > at {
                self.characters(at..start)?;
            }
            let Some(kind) = bytes.get(start + 1) else { break };
            let next = markup(start + 1);
            at = match kind {
                b'/' => self.end_tag(start)?,
                b'!' | b'?' => self.silent_or_cdata(start, start == first)?,
                _ => self.start_tag(start..next)?,
            };
            start = if next < at { markup(at) } else { next };
        }
        // A `<` at the end of the text begins nothing.
        if start < bytes.len() {
            return refuse(start);
        }
        if let Some(open) = self.open.last() {
            let open = self.tree.nodes[open.id as usize].range().start;
            return Err(ReadError::Truncated { open, at: start });
        }
        if self.has_root { Ok(()) } else { Err(ReadError::NoRoot) }
    }

    /// Reads a comment, an instruction, a declaration or a CDATA section; returns its end.
    fn silent_or_cdata(&mut self, start: usize, first: bool) -> ReadResult<usize> {
        let rest = &self.tree.text[start..];
        let mut lexer = quick_xml::Reader::from_str(rest);
        lexer.config_mut().check_comments = true;
        let event = lexer.read_event().or_else(|_| refuse(start))?;
        let range = start..self.bytes.len() - lexer.get_ref().len();
        let end = range.end;
        match event {
            Event::CData(_) if !self.open.is_empty() => {
                let within = start + "<![CDATA[".len()..end - "]]>".len();
                let characters = self.lines(within)?;
                self.add(range, characters)?;
                return Ok(end);
            }
            Event::Comment(_) => {}
            Event::PI(pi) if is_target(&rest["<?".len()..][..pi.target().len()]) => {}
            Event::Decl(_) if first => return self.declaration(range).map(|()| end),
            _ => return refuse(start),
        }
        self.in_characters = false;
        self.push(Name::Other, range, Content::Other)?;
        Ok(end)
    }

    /// Checks the XML declaration (XML 1.0, production 23).
    fn declaration(&self, range: Range<usize>) -> ReadResult<()> {
        let within = range.start + "<?".len()..range.end - "?>".len();
        let mut names = Vec::new();
        for attribute in attribute_ranges(self.tree.text, within, "xml".len()) {
            let (name, _) = attribute?;
            names.push(&self.tree.text[name]);
        }
        match names[..] {
            ["version"] | ["version", "encoding" | "standalone"] | ["version", "encoding", "standalone"] => {
                Ok(())
            }
            _ => refuse(range.start),
        }
    }

    /// Reads character data between markup. Outside of the root element only white space is allowed.
    fn characters(&mut self, part: Range<usize>) -> ReadResult<()> {
        if self.open.is_empty() {
            return match self.bytes[part.clone()].iter().position(|byte| !is_space(byte)) {
                Some(first) => Err(ReadError::Outside(part.start + first)),
                None => Ok(()),
            };
        }
        if self.closers.is_in(self.bytes, &part) {
            return refuse(part.start);
        }
        let is_plain = !self.references.is_in(self.bytes, &part) && !self.returns.is_in(self.bytes, &part);
        if is_plain && !self.in_characters {
            self.in_characters = true;
            self.push(Name::Text, part, Content::AsWritten)?;
            return Ok(());
        }
        let characters = resolve_references(self.lines(part.clone())?, part.start)?;
        self.add(part, characters)
    }

    /// Adds character data that differs from its bytes in the text, or that continues the previous node.
    fn add(&mut self, range: Range<usize>, characters: Cow<'t, str>) -> ReadResult<()> {
        let text = index32(self.tree.texts.len(), range.start)?;
        if !self.in_characters {
            self.tree.texts.push(characters);
            self.push(Name::Text, range, Content::Text(text))?;
            self.in_characters = true;
            return Ok(());
        }
        let Some(last) = self.tree.nodes.last_mut() else { return refuse(range.start) };
        if let Content::Text(text) = last.content {
            self.tree.texts[text as usize].to_mut().push_str(&characters);
            return Ok(());
        }
        let before = self.tree.text[last.range()].to_owned();
        last.content = Content::Text(text);
        self.tree.texts.push(Cow::Owned(before + &characters));
        Ok(())
    }

    /// A part of the text with normalized line ends (XML 1.0, section 2.11).
    fn lines(&self, part: Range<usize>) -> ReadResult<Cow<'t, str>> {
        let start = part.start;
        BytesText::from_escaped(&self.tree.text[part]).xml10_content().or_else(|_| refuse(start))
    }

    /// Reads a start tag or an empty one that ends in a part of the text, and returns its end.
    fn start_tag(&mut self, part: Range<usize>) -> ReadResult<usize> {
        let start = part.start;
        if self.open.is_empty() && std::mem::replace(&mut self.has_root, true) {
            return Err(ReadError::Outside(start));
        }
        let Some(length) = ElementParser::Outside.feed(&self.bytes[part]) else { return refuse(start) };
        let range = start..start + length + 1;
        let is_empty = self.bytes[start + length - 1] == b'/';
        let within = start + 1..start + length - usize::from(is_empty);
        let bytes = &self.bytes[within.clone()];
        let name = bytes.iter().position(is_space).unwrap_or(bytes.len());
        let tag = &self.tree.text[within.start..][..name];
        let (prefix, local) = split_qualified_name(tag).ok_or(ReadError::Markup(start))?;
        let kind = Name::from_local(local);
        if kind == Name::Unknown && !is_name(local) {
            return refuse(start);
        }
        let attributes = self.tree.attributes.len();
        let declared = self.tree.namespaces.len();
        if name < bytes.len() {
            for attribute in attribute_ranges(self.tree.text, within, name) {
                let (name, value) = attribute?;
                self.attribute(name, value)?;
            }
        }
        let scope = self.scope(declared, start)?;
        let is_declared = prefix.is_empty() || self.tree.namespace(scope, prefix).is_some();
        if !is_declared {
            return refuse(start);
        }
        let own = &self.tree.attributes[attributes..];
        if !own.is_empty() && !self.are_distinct(scope, own) {
            return refuse(start);
        }
        if own.iter().any(|attribute| attribute.value.len() > self.limits.attribute_bytes) {
            return Err(ReadError::Attribute(start));
        }
        let attributes = index32(attributes, start)?..index32(self.tree.attributes.len(), start)?;
        let id = self.push(kind, range.clone(), Content::Element(attributes.clone()))?;
        self.tree.register_id(id, attributes);
        self.in_characters = false;
        if !is_empty {
            self.open.push(OpenElement { id, tag, scope });
        }
        Ok(range.end)
    }

    /// Reads an end tag, which closes the last open element, and returns its end.
    fn end_tag(&mut self, start: usize) -> ReadResult<usize> {
        let OpenElement { id, tag, .. } = self.open.pop().ok_or(ReadError::Outside(start))?;
        let name = start + "</".len();
        let length = memchr(b'>', &self.bytes[name..]).ok_or(ReadError::Markup(start))?;
        let end = name + length + ">".len();
        if self.tree.text[name..name + length].trim_end_matches([' ', '\n', '\t', '\r']) != tag {
            return refuse(start);
        }
        self.in_characters = false;
        let subtree_end = index32(self.tree.nodes.len(), start)?;
        let node = &mut self.tree.nodes[id as usize];
        node.end = index32(end, start)?;
        node.subtree_end = subtree_end;
        Ok(end)
    }

    /// Reads an attribute of a start tag, which may declare a namespace.
    fn attribute(&mut self, name: Range<usize>, value: Range<usize>) -> ReadResult<()> {
        let text = self.tree.text;
        let start = name.start;
        let (prefix, local) = split_qualified_name(&text[name]).ok_or(ReadError::Markup(start))?;
        if !is_name(local) {
            return refuse(start);
        }
        let value = self.attribute_value(value, start)?;
        // The default namespace has no prefix (Namespaces in XML 1.0, section 3).
        let declared = match (prefix, local) {
            ("xmlns", prefix) => prefix,
            ("", "xmlns") => "",
            _ => {
                self.tree.attributes.push(Attribute { prefix, local, value });
                return Ok(());
            }
        };
        self.declare(declared, value, start)
    }

    /// The value of an attribute, with its references resolved and each white space a space (XML 1.0, section
    /// 3.3.3).
    fn attribute_value(&mut self, value: Range<usize>, start: usize) -> ReadResult<Cow<'t, str>> {
        let rare = [&mut self.references, &mut self.returns, &mut self.newlines, &mut self.tabs];
        let is_plain = !rare.into_iter().any(|rare| rare.is_in(self.bytes, &value));
        if is_plain {
            return Ok(Cow::Borrowed(&self.tree.text[value]));
        }
        let spaced = self.lines(value)?.replace(['\n', '\t'], " ");
        resolve_references(spaced.into(), start)
    }

    /// Declares a namespace. The prefixes `xml` and `xmlns` and their namespaces are bound to each other
    /// (Namespaces in XML 1.0, section 3).
    fn declare(&mut self, prefix: &'t str, uri: Cow<'t, str>, start: usize) -> ReadResult<()> {
        if prefix == "xml" && uri == XML_URI {
            return Ok(());
        }
        if matches!(prefix, "xml" | "xmlns") || uri == XML_URI || uri == XMLNS_URI {
            return refuse(start);
        }
        self.tree.prefixes.insert(prefix);
        if self.tree.prefixes.len() > self.limits.prefixes {
            return Err(ReadError::Prefixes(start));
        }
        self.tree.namespaces.push(Namespace { prefix, uri });
        Ok(())
    }

    /// The scope of an element at offset `at` whose own declarations begin at index `declared`.
    fn scope(&mut self, declared: usize, at: usize) -> ReadResult<u32> {
        let around = self.open.last().map_or(0, |open| open.scope);
        let own = &self.tree.namespaces[declared..];
        if own.is_empty() {
            return Ok(around);
        }
        if !distinct(own, |namespace| namespace.prefix) {
            return refuse(at);
        }
        let element = index32(self.tree.nodes.len(), at)?;
        self.tree.scopes.push(NamespaceScope { element, own: declared..self.tree.namespaces.len(), around });
        index32(self.tree.scopes.len() - 1, at)
    }

    /// The attributes of one element need names that differ, all with declared prefixes (Namespaces in XML
    /// 1.0, section 6.3).
    fn are_distinct(&self, scope: u32, own: &[Attribute<'t>]) -> bool {
        if own.iter().any(|attribute| self.namespace_of(attribute, scope).is_none()) {
            return false;
        }
        own.len() < 2 || distinct(own, |attribute| (attribute.local, self.namespace_of(attribute, scope)))
    }

    /// The namespace of an attribute; empty without a prefix, `None` where the prefix is not declared.
    fn namespace_of(&self, attribute: &Attribute<'t>, scope: u32) -> Option<&str> {
        match attribute.prefix {
            "" => Some(""),
            "xml" => Some(XML_URI),
            prefix => {
                let index = self.tree.namespace(scope, prefix)?;
                Some(&self.tree.namespaces[index].uri)
            }
        }
    }

    /// Adds a node under the last open element, within the limits, and returns its index.
    fn push(&mut self, name: Name, range: Range<usize>, content: Content) -> ReadResult<u32> {
        let id = index32(self.tree.nodes.len(), range.start)?;
        if id >= self.limits.nodes {
            return refuse(range.start);
        }
        if self.open.len() >= self.limits.depth as usize {
            return Err(ReadError::Depth(range.start));
        }
        let parent = self.open.last().map_or(0, |open| open.id);
        let start = index32(range.start, range.start)?;
        let end = index32(range.end, range.start)?;
        self.tree.nodes.push(NodeData { name, start, end, parent, subtree_end: id + 1, content });
        Ok(id)
    }
}

fn refuse<T>(at: usize) -> ReadResult<T> {
    Err(ReadError::Markup(at))
}

/// Ranges of the names and values of attributes, in a part of a text that begins with a name of so many
/// bytes.
fn attribute_ranges(
    text: &str,
    within: Range<usize>,
    name: usize,
) -> impl Iterator<Item = ReadResult<(Range<usize>, Range<usize>)>> {
    let start = within.start;
    // Repeated names are refused once their prefixes are resolved.
    let mut attributes = Attributes::new(&text[within], name);
    attributes.with_checks(false);
    let range = move |part: &[u8]| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        start..start + part.len()
    };
    attributes.map(move |attribute| {
        let Ok(attribute) = attribute else { return refuse(start) };
        let name = range(attribute.key.0);
        // White space separates attributes (XML 1.0, production 40).
        if !is_space(&text.as_bytes()[name.start - 1]) {
            return refuse(start);
        }
        Ok((name, range(&attribute.value)))
    })
}

/// No two items may have one key; few items are compared pairwise, without a set.
fn distinct<'a, T, K: Eq + std::hash::Hash>(items: &'a [T], key: impl Fn(&'a T) -> K) -> bool {
    if items.len() > FEW {
        let mut keys = HashSet::default();
        return items.iter().all(|item| keys.insert(key(item)));
    }
    for (index, item) in items.iter().enumerate() {
        if items[..index].iter().any(|before| key(before) == key(item)) {
            return false;
        }
    }
    true
}

fn index32(index: usize, at: usize) -> ReadResult<u32> {
    u32::try_from(index).map_err(|_| ReadError::Markup(at))
}

#[cfg(test)]
mod tests;
