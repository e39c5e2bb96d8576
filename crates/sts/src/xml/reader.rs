//! Reading: from a text to its tree in one pass, by XML 1.0 and Namespaces in XML 1.0, without a DTD.
//!
//! quick-xml finds the ends of tags, attributes, comments, CDATA, instructions and the meaning of references.
//! Here they become a tree, and what quick-xml accepts but XML 1.0 forbids is refused: invalid names and
//! characters, a second root. Tokens that are rare (a reference, a carriage return) are searched once in the
//! whole text, not once per part. The reader reports the offset of an error; the reason of a malformed tag or
//! character another parser gives.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;
use memchr::{memchr, memchr_iter};
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::attributes::Attributes;
use quick_xml::events::{BytesRef, BytesText, Event};
use quick_xml::parser::{ElementParser, Parser};

use crate::ExtractionLimits;
use crate::xml::changes;
use crate::xml::lookahead::Lookahead;
use crate::xml::names::Name;
use crate::xml::parse_error::ReadError;
use crate::xml::tree::{Attribute, Content, Namespace, NamespaceScope, NodeData, Tree};

const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";

/// Most attributes or declarations of one tag that are compared pairwise.
const FEW: usize = 32;

type ReadResult<T> = Result<T, ReadError>;

/// Reads a text.
pub(crate) fn read<'t>(text: &'t str, limits: &ExtractionLimits) -> ReadResult<Tree<'t>> {
    let mut reader = XmlReader {
        bytes: text.as_bytes(),
        limits,
        tree: Tree::empty(text),
        open: Vec::new(),
        rooted: false,
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
    /// Whether there was a root element.
    rooted: bool,
    /// Whether the last node is character data, to which further data is added.
    in_characters: bool,
    references: Lookahead,
    returns: Lookahead,
    newlines: Lookahead,
    tabs: Lookahead,
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
        match self.open.last() {
            _ if start < bytes.len() => refuse(start),
            Some(open) => {
                let open = self.tree.nodes[open.id as usize].range().start;
                Err(ReadError::Truncated { open, at: start })
            }
            None if self.rooted => Ok(()),
            None => Err(ReadError::NoRoot),
        }
    }

    /// Reads a comment, an instruction, a declaration or a CDATA section; returns its end.
    fn silent_or_cdata(&mut self, start: usize, first: bool) -> ReadResult<usize> {
        let rest = &self.tree.text[start..];
        let mut lexer = quick_xml::Reader::from_str(rest);
        lexer.config_mut().check_comments = true;
        let event = lexer.read_event().or_else(|_| refuse(start))?;
        let range = start..self.bytes.len() - lexer.get_ref().len();
        let end = range.end;
        let of_name = |target: &str| target.splitn(2, ':').all(is_name);
        match event {
            Event::CData(_) if !self.open.is_empty() => {
                let within = start + "<![CDATA[".len()..end - "]]>".len();
                let characters = self.lines(within)?;
                self.add(range, characters)?;
                return Ok(end);
            }
            Event::Comment(_) => {}
            Event::PI(pi) if of_name(&rest["<?".len()..][..pi.target().len()]) => {}
            Event::Decl(_) if first => return self.declaration(range).map(|()| end),
            _ => return refuse(start),
        }
        self.in_characters = false;
        self.push(Name::Other, range, Content::Other)?;
        Ok(end)
    }

    /// The XML declaration.
    fn declaration(&self, range: Range<usize>) -> ReadResult<()> {
        let within = range.start + "<?".len()..range.end - "?>".len();
        let attributes = attribute_ranges(self.tree.text, within, "xml".len());
        let names: Vec<&str> = attributes.map(|a| Ok(&self.tree.text[a?.0])).collect::<ReadResult<_>>()?;
        match names[..] {
            ["version"] | ["version", "encoding" | "standalone"] | ["version", "encoding", "standalone"] => {
                Ok(())
            }
            _ => refuse(range.start),
        }
    }

    fn characters(&mut self, part: Range<usize>) -> ReadResult<()> {
        if self.open.is_empty() {
            let first = self.bytes[part.clone()].iter().position(|byte| !is_space(byte));
            return first.map_or(Ok(()), |first| Err(ReadError::Outside(part.start + first)));
        }
        if self.closers.is_in(self.bytes, &part) {
            return refuse(part.start);
        }
        let plain = !self.references.is_in(self.bytes, &part) && !self.returns.is_in(self.bytes, &part);
        if plain && !self.in_characters {
            self.in_characters = true;
            return self.push(Name::Text, part, Content::AsWritten).map(drop);
        }
        let characters = resolve_references(self.lines(part.clone())?, part.start)?;
        self.add(part, characters)
    }

    /// Adds character data that differs from its bytes in the text, or that continues the previous node.
    fn add(&mut self, range: Range<usize>, characters: Cow<'t, str>) -> ReadResult<()> {
        let texts = u32::try_from(self.tree.texts.len()).map_err(|_| ReadError::Markup(range.start))?;
        let last = self.tree.nodes.last_mut().filter(|_| self.in_characters);
        match last.map(|last| (last.range(), &mut last.content)) {
            Some((_, Content::Text(text))) => {
                self.tree.texts[*text as usize].to_mut().push_str(&characters);
            }
            Some((before, content)) => {
                *content = Content::Text(texts);
                self.tree.texts.push(Cow::Owned(self.tree.text[before].to_owned() + &characters));
            }
            None => {
                self.tree.texts.push(characters);
                self.push(Name::Text, range, Content::Text(texts))?;
            }
        }
        self.in_characters = true;
        Ok(())
    }

    /// A part of the text with normalized line ends (XML 1.0, 2.11).
    fn lines(&self, part: Range<usize>) -> ReadResult<Cow<'t, str>> {
        let start = part.start;
        BytesText::from_escaped(&self.tree.text[part]).xml10_content().or_else(|_| refuse(start))
    }

    /// Reads a start tag or an empty one that ends in a part of the text, and returns its end.
    fn start_tag(&mut self, part: Range<usize>) -> ReadResult<usize> {
        let start = part.start;
        if self.open.is_empty() && std::mem::replace(&mut self.rooted, true) {
            return Err(ReadError::Outside(start));
        }
        let Some(length) = ElementParser::Outside.feed(&self.bytes[part]) else { return refuse(start) };
        let range = start..start + length + 1;
        let empty = self.bytes[start + length - 1] == b'/';
        let within = start + 1..start + length - usize::from(empty);
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
        if own.iter().any(|a| a.value.len() > self.limits.attribute_bytes) {
            return Err(ReadError::Attribute(start));
        }
        let attributes = index32(attributes, start)?..index32(self.tree.attributes.len(), start)?;
        let id = self.push(kind, range.clone(), Content::Element(attributes.clone()))?;
        self.tree.register_id(id, attributes);
        self.in_characters = false;
        if !empty {
            self.open.push(OpenElement { id, tag, scope });
        }
        Ok(range.end)
    }

    /// Takes an end tag; gives its end.
    fn end_tag(&mut self, start: usize) -> ReadResult<usize> {
        let OpenElement { id, tag, .. } = self.open.pop().ok_or(ReadError::Outside(start))?;
        let name = start + "</".len();
        let length = memchr(b'>', &self.bytes[name..]).ok_or(ReadError::Markup(start))?;
        let end = name + length + ">".len();
        if self.tree.text[name..name + length].trim_end_matches([' ', '\n', '\t', '\r']) != tag {
            return refuse(start);
        }
        self.in_characters = false;
        let (past, end) = (index32(self.tree.nodes.len(), start)?, index32(end, start)?);
        let node = &mut self.tree.nodes[id as usize];
        (node.end, node.subtree_end) = (end, past);
        Ok(end as usize)
    }

    fn attribute(&mut self, name: Range<usize>, value: Range<usize>) -> ReadResult<()> {
        let text = self.tree.text;
        let start = name.start;
        let (prefix, local) = split_qualified_name(&text[name])
            .filter(|(_, local)| is_name(local))
            .ok_or(ReadError::Markup(start))?;
        let rare = [&mut self.references, &mut self.returns, &mut self.newlines, &mut self.tabs];
        let plain = !rare.into_iter().any(|rare| rare.is_in(self.bytes, &value));
        let value = match plain {
            true => Cow::Borrowed(&text[value]),
            false => resolve_references(self.lines(value)?.replace(['\n', '\t'], " ").into(), start)?,
        };
        // The default namespace has no prefix (Namespaces in XML 1.0, 3).
        let declared = match (prefix, local) {
            ("xmlns", prefix) => Some(prefix),
            ("", "xmlns") => Some(""),
            _ => None,
        };
        match declared {
            None => self.tree.attributes.push(Attribute { prefix, local, value }),
            Some("xml") if value == XML_URI => {}
            Some("xml" | "xmlns") => return refuse(start),
            Some(_) if value == XML_URI || value == XMLNS_URI => return refuse(start),
            Some(prefix) => {
                self.tree.prefixes.insert(prefix);
                if self.tree.prefixes.len() > self.limits.prefixes {
                    return Err(ReadError::Prefixes(start));
                }
                self.tree.namespaces.push(Namespace { prefix, uri: value });
            }
        }
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

    /// Whether attributes of one element have names that differ, all with declared prefixes.
    fn are_distinct(&self, scope: u32, own: &[Attribute<'t>]) -> bool {
        let uri = |attribute: &Attribute<'t>| match attribute.prefix {
            "" => Some(""),
            "xml" => Some(XML_URI),
            prefix => self.tree.namespace(scope, prefix).map(|n| self.tree.namespaces[n].uri.as_ref()),
        };
        own.iter().all(|attribute| uri(attribute).is_some())
            && (own.len() < 2 || distinct(own, |attribute| (attribute.local, uri(attribute))))
    }

    fn push(&mut self, name: Name, range: Range<usize>, content: Content) -> ReadResult<u32> {
        let id = index32(self.tree.nodes.len(), range.start)?;
        if id >= self.limits.nodes {
            return refuse(range.start);
        }
        if self.open.len() >= self.limits.depth as usize {
            return Err(ReadError::Depth(range.start));
        }
        let parent = self.open.last().map_or(0, |open| open.id);
        let (start, end) = (index32(range.start, range.start)?, index32(range.end, range.start)?);
        self.tree.nodes.push(NodeData { name, start, end, parent, subtree_end: id + 1, content });
        Ok(id)
    }
}

fn refuse<T>(at: usize) -> ReadResult<T> {
    Err(ReadError::Markup(at))
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
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
    attributes.map(move |attribute| match attribute.map(|a| (range(a.key.0), range(&a.value))) {
        Ok((name, value)) if is_space(&text.as_bytes()[name.start - 1]) => Ok((name, value)),
        _ => refuse(start),
    })
}

/// The prefix of a name, which may be empty, and its local name. Whether the prefix is one shows when it is
/// looked up.
fn split_qualified_name(name: &str) -> Option<(&str, &str)> {
    match name.bytes().position(|b| b == b':') {
        Some(0) => None,
        Some(colon) => Some((&name[..colon], &name[colon + 1..])),
        None => Some(("", name)),
    }
}

/// Whether a word is a name without a colon.
fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(is_name_start) && chars.all(is_name_character)
}

/// Whether a name may begin with a character (XML 1.0, production 4).
fn is_name_start(c: char) -> bool {
    matches!(c,
        'a'..='z' | 'A'..='Z' | '_'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Whether a name may hold a character (XML 1.0, production 4a).
fn is_name_character(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '0'..='9' | '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Offset of the first byte of a character that XML forbids (XML 1.0, production 2).
fn first_invalid_character(bytes: &[u8]) -> Option<usize> {
    let control = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r');
    // Whole chunks without an early exit, so that the loop is vectorised.
    let chunk = bytes.chunks(256).position(|chunk| chunk.iter().fold(false, |any, b| any | control(b)));
    let control = chunk.and_then(|n| bytes[n * 256..].iter().position(control).map(|at| n * 256 + at));
    let beyond = |&at: &usize| matches!(bytes[at..], [_, 0xbf, 0xbe | 0xbf, ..]);
    control.or_else(|| memchr_iter(0xef, bytes).find(beyond))
}

/// Character data that begins at offset `at`, with its references resolved.
fn resolve_references(text: Cow<'_, str>, at: usize) -> ReadResult<Cow<'static, str>> {
    let mut parts = text.split('&');
    let mut resolved = String::with_capacity(text.len());
    resolved.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or(ReadError::Markup(at))?;
        resolved.push(reference(name).ok_or(ReadError::Markup(at))?);
        resolved.push_str(rest);
    }
    Ok(Cow::Owned(resolved))
}

/// The character of a reference; an invalid number gives the replacement character, as in other parsers.
fn reference(name: &str) -> Option<char> {
    use quick_xml::Error::Escape;
    use quick_xml::escape::{EscapeError::InvalidCharRef, ParseCharRefError::InvalidCodepoint};
    let c = match BytesRef::new(name).resolve_char_ref() {
        Ok(Some(c)) => c,
        Ok(None) => return resolve_xml_entity(name)?.chars().next(),
        Err(Escape(InvalidCharRef(InvalidCodepoint(_)))) => char::REPLACEMENT_CHARACTER,
        Err(_) => return None,
    };
    first_invalid_character(c.encode_utf8(&mut [0; 4]).as_bytes()).is_none().then_some(c)
}

/// Whether no two items have one key.
fn distinct<'a, T, K: Eq + std::hash::Hash>(items: &'a [T], key: impl Fn(&'a T) -> K) -> bool {
    if items.len() <= FEW {
        let repeats =
            |(range, item): (usize, &'a T)| items[..range].iter().any(|other| key(other) == key(item));
        return !items.iter().enumerate().any(repeats);
    }
    let mut keys = HashSet::default();
    items.iter().all(|item| keys.insert(key(item)))
}

fn index32(index: usize, at: usize) -> ReadResult<u32> {
    u32::try_from(index).map_err(|_| ReadError::Markup(at))
}

#[cfg(test)]
mod tests;
