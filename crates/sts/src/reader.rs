//! Reading: from a text to its tree in one pass, as XML 1.0 and Namespaces in XML 1.0 have it, without a DTD.
//!
//! What stands in nearly no text (a reference, a carriage return) is looked for once in all of it, not once in each
//! piece. The reader says where it stopped and not why: whoever wants the reason has another parser read the text.

use std::borrow::Cow;
use std::ops::Range;

use foldhash::HashSet;
use memchr::{memchr, memchr_iter, memchr2};

use crate::Limits;
use crate::names::Name;
use crate::next::Next;
use crate::tree::{Attribute, Content, Data, Namespace, Scope, Tree};

const XML_URI: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_URI: &str = "http://www.w3.org/2000/xmlns/";

/// Attributes or declarations of one tag up to which each is compared with each.
const FEW: usize = 32;

/// Why a text was not read to its end, with the byte where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is no XML from here on, uses a prefix that is not declared, or has too many nodes.
    Markup(usize),
    /// This node is nested too deep.
    Depth(usize),
    /// An attribute of this element is too long.
    Attribute(usize),
}

type Read<T> = Result<T, Stop>;

/// Reads a text.
pub(crate) fn read<'t>(text: &'t str, limits: &Limits) -> Read<Tree<'t>> {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        at: 0,
        limits,
        tree: Tree::empty(text),
        open: Vec::new(),
        in_characters: false,
        known: (0, ""),
        references: Next::of("&"),
        returns: Next::of("\r"),
        lines: Next::of("\n"),
        tabs: Next::of("\t"),
        closers: Next::of("]]>"),
    };
    reader.document()?;
    Ok(reader.tree)
}

struct Reader<'t, 'l> {
    bytes: &'t [u8],
    at: usize,
    limits: &'l Limits,
    tree: Tree<'t>,
    /// Elements that are not closed yet.
    open: Vec<Open<'t>>,
    /// Whether the last that was read is character data, which more of it goes on.
    in_characters: bool,
    /// A prefix that was looked up, and the scope in which it means something.
    known: (u32, &'t str),
    references: Next,
    returns: Next,
    lines: Next,
    tabs: Next,
    closers: Next,
}

/// An element that is not closed yet: its node, its tag, and the scope of its namespaces.
struct Open<'t> {
    id: u32,
    tag: &'t str,
    scope: u32,
}

impl<'t> Reader<'t, '_> {
    fn document(&mut self) -> Read<()> {
        match no_character(self.bytes) {
            Some(at) => return Err(Stop::Markup(at)),
            None => self.declaration()?,
        }
        self.silent()?;
        if self.peek() != Some(b'<') {
            return self.refuse();
        }
        self.start_tag()?;
        while !self.open.is_empty() {
            match &self.bytes[self.at..] {
                [b'<', b'/', ..] => self.end_tag()?,
                [b'<', b'!', b'-', ..] => self.comment()?,
                [b'<', b'!', ..] => self.cdata()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', ..] => self.start_tag()?,
                _ => self.characters()?,
            }
        }
        self.silent()?;
        if self.at < self.bytes.len() { self.refuse() } else { Ok(()) }
    }

    /// The XML declaration.
    fn declaration(&mut self) -> Read<()> {
        self.take("\u{feff}");
        if !self.take("<?xml ") {
            return Ok(());
        }
        let mut spaced = true;
        self.space();
        for (place, name) in ["version", "encoding", "standalone"].into_iter().enumerate() {
            if spaced && self.bytes[self.at..].starts_with(name.as_bytes()) {
                let (prefix, local) = self.name()?;
                if !prefix.is_empty() || local != name {
                    return self.refuse();
                }
                self.quoted()?;
                spaced = self.space();
            } else if place == 0 {
                return self.refuse();
            }
        }
        if self.take("?>") { Ok(()) } else { self.refuse() }
    }

    /// Comments and instructions around the root element.
    fn silent(&mut self) -> Read<()> {
        loop {
            self.space();
            match &self.bytes[self.at..] {
                [b'<', b'!', b'-', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Read<()> {
        let start = self.at;
        if !self.take("<!--") {
            return self.refuse();
        }
        self.past("--")?;
        if !self.take(">") {
            return self.refuse();
        }
        self.in_characters = false;
        self.push(Name::Silent, start..self.at, Content::Silent).map(drop)
    }

    fn instruction(&mut self) -> Read<()> {
        let start = self.at;
        if self.bytes[start..].starts_with(b"<?xml ") {
            return self.refuse();
        }
        self.at += "<?".len();
        self.name()?;
        self.past("?>")?;
        self.in_characters = false;
        self.push(Name::Silent, start..self.at, Content::Silent).map(drop)
    }

    fn cdata(&mut self) -> Read<()> {
        let start = self.at;
        if !self.take("<![CDATA[") {
            return self.refuse();
        }
        let from = self.at;
        self.past("]]>")?;
        let within = from..self.at - "]]>".len();
        let characters = match self.returns.is_in(self.bytes, &within) {
            true => Cow::Owned(self.tree.text[within].replace("\r\n", "\n").replace('\r', "\n")),
            false => Cow::Borrowed(&self.tree.text[within]),
        };
        self.add(start..self.at, characters)
    }

    fn characters(&mut self) -> Read<()> {
        let start = self.at;
        let Some(found) = memchr(b'<', &self.bytes[start..]) else { return self.refuse() };
        let part = start..start + found;
        if self.closers.is_in(self.bytes, &part) {
            return self.refuse();
        }
        self.at = part.end;
        let plain = !self.references.is_in(self.bytes, &part) && !self.returns.is_in(self.bytes, &part);
        if plain && !self.in_characters {
            self.in_characters = true;
            return self.push(Name::Text, part, Content::AsWritten).map(drop);
        }
        let characters = self.resolved(part.clone(), |c| c)?;
        self.add(part, characters)
    }

    /// Adds character data that does not stand in the text as it is, or that goes on from other.
    fn add(&mut self, range: Range<usize>, characters: Cow<'t, str>) -> Read<()> {
        let texts = u32::try_from(self.tree.texts.len()).map_err(|_| Stop::Markup(range.start))?;
        let last = self.tree.nodes.last_mut().filter(|_| self.in_characters);
        match last.map(|last| (last.start..last.end, &mut last.content)) {
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

    /// A part of the text with its references resolved and its line ends made one (XML 1.0, 2.11 and 4.6); `space` says
    /// what becomes of white space that is not referred to.
    fn resolved(&mut self, part: Range<usize>, space: impl Fn(u8) -> u8) -> Read<Cow<'t, str>> {
        let text = self.tree.text;
        let special = |b: &u8| matches!(b, b'&' | b'\r' | b'\n' | b'\t');
        let mut resolved = String::with_capacity(part.len());
        let mut at = part.start;
        while let Some(found) = self.bytes[at..part.end].iter().position(special) {
            resolved.push_str(&text[at..at + found]);
            at += found;
            match self.bytes[at] {
                b'&' => {
                    let (c, past) = reference(&text[at..part.end]).ok_or(Stop::Markup(at))?;
                    resolved.push(c);
                    at += past;
                    continue;
                }
                b'\r' if self.bytes[at + 1..part.end].first() == Some(&b'\n') => {}
                b'\r' => resolved.push(space(b'\n').into()),
                blank => resolved.push(space(blank).into()),
            }
            at += 1;
        }
        resolved.push_str(&text[at..part.end]);
        Ok(Cow::Owned(resolved))
    }

    fn start_tag(&mut self) -> Read<()> {
        let start = self.at;
        self.at += 1;
        let (prefix, local) = self.name()?;
        let tag = &self.tree.text[start + 1..self.at];
        let attributes = self.tree.attributes.len();
        let declared = self.tree.namespaces.len();
        let empty = loop {
            let spaced = self.space();
            match self.peek() {
                Some(b'>') => break false,
                Some(b'/') => break true,
                Some(_) if spaced => self.attribute()?,
                _ => return self.refuse(),
            }
        };
        self.at += if empty { 2 } else { 1 };
        if self.bytes.get(self.at - 1) != Some(&b'>') {
            return self.refuse();
        }
        let scope = self.scope(declared)?;
        if !self.is_declared(scope, prefix) {
            return Err(Stop::Markup(start));
        }
        let own = &self.tree.attributes[attributes..];
        if !own.is_empty() {
            if !self.are_distinct(scope, own) {
                return Err(Stop::Markup(start));
            }
            if own.iter().any(|a| a.value.len() > self.limits.attribute_bytes) {
                return Err(Stop::Attribute(start));
            }
        }
        let attributes = place(attributes, start)?..place(self.tree.attributes.len(), start)?;
        let content = Content::Element { attributes: attributes.clone(), scope };
        let id = self.push(Name::of(local), start..self.at, content)?;
        self.tree.claim(id, attributes);
        self.in_characters = false;
        if !empty {
            self.open.push(Open { id, tag, scope });
        }
        Ok(())
    }

    fn end_tag(&mut self) -> Read<()> {
        let Some(Open { id, tag, .. }) = self.open.pop() else { return self.refuse() };
        self.at += "</".len();
        if !self.take(tag) {
            return self.refuse();
        }
        self.space();
        if !self.take(">") {
            return self.refuse();
        }
        self.in_characters = false;
        let past = place(self.tree.nodes.len(), self.at)?;
        let node = &mut self.tree.nodes[id as usize];
        (node.end, node.past) = (self.at, past);
        Ok(())
    }

    fn attribute(&mut self) -> Read<()> {
        let (prefix, local) = self.name()?;
        let within = self.quoted()?;
        let (text, bytes) = (self.tree.text, self.bytes);
        let special = [&mut self.references, &mut self.returns, &mut self.lines, &mut self.tabs];
        let plain = !special.into_iter().any(|special| special.is_in(bytes, &within));
        let value = if plain { Cow::Borrowed(&text[within]) } else { self.resolved(within, |_| b' ')? };
        match (prefix, local) {
            ("xmlns", prefix) => self.declare(prefix, value),
            ("", "xmlns") => self.declare("", value),
            _ => {
                self.tree.attributes.push(Attribute { prefix, local, value });
                Ok(())
            }
        }
    }

    /// Takes what stands behind the name of an attribute; gives the place of its value.
    fn quoted(&mut self) -> Read<Range<usize>> {
        self.space();
        if !self.take("=") {
            return self.refuse();
        }
        self.space();
        let Some(quote @ (b'"' | b'\'')) = self.peek() else { return self.refuse() };
        let start = self.at + 1;
        match memchr2(quote, b'<', &self.bytes[start..]).map(|found| start + found) {
            Some(end) if self.bytes[end] == quote => {
                self.at = end + 1;
                Ok(start..end)
            }
            _ => self.refuse(),
        }
    }

    /// Takes a declaration of a namespace; the default one has no prefix (Namespaces in XML 1.0, 3).
    fn declare(&mut self, prefix: &'t str, uri: Cow<'t, str>) -> Read<()> {
        if prefix == "xmlns" || uri == XMLNS_URI || (prefix == "xml") != (uri == XML_URI) {
            return self.refuse();
        }
        if prefix != "xml" {
            self.tree.namespaces.push(Namespace { prefix, uri });
        }
        Ok(())
    }

    /// The scope of an element whose own declarations begin at a place in the list of all.
    fn scope(&mut self, declared: usize) -> Read<u32> {
        let around = self.open.last().map_or(0, |open| open.scope);
        let own = &self.tree.namespaces[declared..];
        if own.is_empty() {
            return Ok(around);
        }
        if !distinct(own, |namespace| namespace.prefix) {
            return self.refuse();
        }
        self.tree.scopes.push(Scope { own: declared..self.tree.namespaces.len(), around });
        place(self.tree.scopes.len() - 1, self.at)
    }

    /// Whether a prefix may stand before the name of an element.
    fn is_declared(&mut self, scope: u32, prefix: &'t str) -> bool {
        if prefix.is_empty() || self.known == (scope, prefix) {
            return true;
        }
        let declared = self.tree.namespace(scope, prefix).is_some();
        if declared {
            self.known = (scope, prefix);
        }
        declared
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

    fn push(&mut self, name: Name, range: Range<usize>, content: Content) -> Read<u32> {
        let id = place(self.tree.nodes.len(), range.start)?;
        if id >= self.limits.nodes {
            return Err(Stop::Markup(range.start));
        }
        if self.open.len() >= self.limits.depth as usize {
            return Err(Stop::Depth(range.start));
        }
        let parent = self.open.last().map_or(0, |open| open.id);
        let Range { start, end } = range;
        self.tree.nodes.push(Data { name, start, end, parent, past: id + 1, content });
        Ok(id)
    }

    /// Reads a name; gives its prefix, which may be empty, and its local name.
    fn name(&mut self) -> Read<(&'t str, &'t str)> {
        let start = self.at;
        let mut colon = None;
        let mut at = start;
        while let Some(&byte) = self.bytes.get(at) {
            match LETTERS[usize::from(byte)] {
                Letter::First | Letter::Inner => at += 1,
                Letter::Colon if colon.is_none() => {
                    colon = Some(at);
                    at += 1;
                }
                Letter::Wide => match self.tree.text[at..].chars().next() {
                    Some(c) if in_name(c) => at += c.len_utf8(),
                    _ => break,
                },
                Letter::Colon | Letter::None => break,
            }
        }
        self.at = at;
        let text = self.tree.text;
        let (prefix, local) = match colon {
            Some(colon) => (&text[start..colon], &text[colon + 1..at]),
            None => ("", &text[start..at]),
        };
        if begins_name(local) && (colon.is_none() || begins_name(prefix)) {
            Ok((prefix, local))
        } else {
            Err(Stop::Markup(start))
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes white space; whether there was any.
    fn space(&mut self) -> bool {
        let start = self.at;
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
        self.at > start
    }

    fn take(&mut self, expected: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(expected.as_bytes());
        if found {
            self.at += expected.len();
        }
        found
    }

    /// Goes behind the next place where something stands.
    fn past(&mut self, sought: &str) -> Read<()> {
        match memchr::memmem::find(&self.bytes[self.at..], sought.as_bytes()) {
            Some(found) => {
                self.at += found + sought.len();
                Ok(())
            }
            None => self.refuse(),
        }
    }

    fn refuse<T>(&self) -> Read<T> {
        Err(Stop::Markup(self.at))
    }
}

/// What a byte is in a name.
#[derive(Clone, Copy)]
enum Letter {
    None,
    First,
    Inner,
    Colon,
    /// Part of a character beyond ASCII.
    Wide,
}

const LETTERS: [Letter; 256] = {
    let mut letters = [Letter::None; 256];
    let mut byte = 0;
    while byte < letters.len() {
        letters[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Letter::First,
            b'0'..=b'9' | b'-' | b'.' => Letter::Inner,
            b':' => Letter::Colon,
            0x80.. => Letter::Wide,
            _ => Letter::None,
        };
        byte += 1;
    }
    letters
};

fn begins_name(name: &str) -> bool {
    match name.bytes().next().map(|byte| LETTERS[usize::from(byte)]) {
        Some(Letter::First) => true,
        Some(Letter::Wide) => name.chars().next().is_some_and(begins_wide_name),
        _ => false,
    }
}

/// Whether a name may begin with a character beyond ASCII (XML 1.0, production 4).
fn begins_wide_name(c: char) -> bool {
    matches!(c,
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Whether a name may hold a character beyond ASCII (XML 1.0, production 4a).
fn in_name(c: char) -> bool {
    begins_wide_name(c) || matches!(c, '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// The first byte that belongs to no character of XML (XML 1.0, production 2).
fn no_character(bytes: &[u8]) -> Option<usize> {
    let control = |b: &u8| *b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r');
    // Whole chunks are looked at, without a way out, since that is many bytes at a time.
    let chunk = bytes.chunks(256).position(|chunk| chunk.iter().fold(false, |any, b| any | control(b)));
    let control = chunk.and_then(|n| bytes[n * 256..].iter().position(control).map(|at| n * 256 + at));
    let beyond = |&at: &usize| matches!(bytes[at..], [_, 0xbf, 0xbe | 0xbf, ..]);
    control.or_else(|| memchr_iter(0xef, bytes).find(beyond))
}

/// The character that a reference at the beginning of a text means, and the reference's length.
fn reference(text: &str) -> Option<(char, usize)> {
    let end = memchr(b';', text.as_bytes())?;
    let number = |digits: &str, radix| {
        let all = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        let code = all.then(|| u32::from_str_radix(digits, radix).ok()).flatten()?;
        let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        (c >= ' ' || matches!(c, '\t' | '\n' | '\r'))
            .then_some(c)
            .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
    };
    let c = match &text[1..end] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => match name.strip_prefix("#x") {
            Some(digits) => number(digits, 16)?,
            None => number(name.strip_prefix('#')?, 10)?,
        },
    };
    Some((c, end + 1))
}

/// Whether no two items have one key.
fn distinct<'a, T, K: Eq + std::hash::Hash>(items: &'a [T], key: impl Fn(&'a T) -> K) -> bool {
    if items.len() <= FEW {
        let repeats =
            |(place, item): (usize, &'a T)| items[..place].iter().any(|other| key(other) == key(item));
        return !items.iter().enumerate().any(repeats);
    }
    let mut seen = HashSet::default();
    items.iter().all(|item| seen.insert(key(item)))
}

fn place(place: usize, at: usize) -> Read<u32> {
    u32::try_from(place).map_err(|_| Stop::Markup(at))
}

#[cfg(test)]
mod tests;
