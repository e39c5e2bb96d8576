//! Repair: a decoded source in a form for any XML parser, with offsets for the source's positions.
//!
//! The document type declaration goes, named characters and entities of the internal subset become text,
//! relative namespace names become the well-known ones, and prefixes that only a DTD would declare are
//! declared.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use crate::diagnostic::Diagnostics;
use crate::xml::entities::{Entities, Entity, Expansion, predefined, reference};
use crate::xml::lookahead::Lookahead;
use crate::xml::names;
use crate::xml::position::{Lines, OffsetMap, line_column, offset32};
use crate::{ExtractionError, ExtractionLimits};

/// Builds an error of a code and message at the position being read.
pub(crate) type ErrorFactory<'a> = dyn Fn(&'static str, String) -> ExtractionError + 'a;

/// A text that an XML parser can read without a DTD.
pub(crate) struct Repaired<'a> {
    pub text: Cow<'a, str>,
    /// The repairs, by the byte of the source.
    pub diagnostics: Diagnostics,
    source: &'a str,
    changes: Vec<Replacement>,
    /// All replacement texts, one after the other.
    replacement: String,
    offset_map: OffsetMap,
    lines: Lines<'a>,
}

/// A range of the source and the range of [`Repaired::replacement`] that replaces it. A document may have a
/// million.
struct Replacement {
    source: Range<u32>,
    replacement: Range<u32>,
}

impl<'a> Repaired<'a> {
    /// Repairs a text.
    pub(crate) fn new(source: &'a str, limits: &ExtractionLimits) -> Result<Self, ExtractionError> {
        let mut repaired = Self {
            text: Cow::Borrowed(source),
            diagnostics: Diagnostics::new(limits.diagnostics),
            source,
            changes: Vec::new(),
            replacement: String::new(),
            offset_map: OffsetMap::default(),
            lines: Lines::new(source),
        };
        let mut entities = Entities::default();
        let root = repaired.take_prolog(&mut entities);
        repaired.resolve(root, &mut entities, limits)?;
        repaired.rebuild();
        Ok(repaired)
    }

    /// Declares a prefix on the root element.
    pub(crate) fn declare(&mut self, prefix: &str) {
        let root = prolog_end(self.source);
        let name = self.source[root..].find([' ', '\t', '\r', '\n', '>', '/']).unwrap_or(0);
        let at = root + name;
        let uri = names::namespace_of(prefix);
        self.change(at..at, &format!(" xmlns:{prefix}=\"{uri}\""));
        let message = format!("the prefix `{prefix}` is not declared; it is read as `{uri}`");
        self.diagnostics.add("undeclared-prefix", root, message);
        self.rebuild();
    }

    /// Line and column in the source for a byte of the repaired text.
    pub(crate) fn position(&self, at: usize) -> (u32, u32) {
        self.source_position(self.offset_map.source_of(at))
    }

    /// An error at a byte of the repaired text.
    pub(crate) fn refusal(
        &self,
        code: &'static str,
        at: usize,
        message: impl Into<String>,
    ) -> ExtractionError {
        ExtractionError::new(code, self.position(at), message.into())
    }

    /// Line and column of a byte of the source.
    pub(crate) fn source_position(&self, at: usize) -> (u32, u32) {
        self.lines.line_column(at)
    }

    /// Records the replacement of a range of the source.
    fn change(&mut self, source: Range<usize>, replacement: &str) {
        let from = self.replacement.len();
        self.replacement.push_str(replacement);
        let replacement = offset32(from)..offset32(self.replacement.len());
        self.changes.push(Replacement { source: offset32(source.start)..offset32(source.end), replacement });
    }

    fn rebuild(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        self.changes.sort_by_key(|change| (change.source.start, change.source.end));
        let mut text = String::with_capacity(self.source.len() + 1024);
        let mut offset_map = OffsetMap::default();
        let mut from = 0;
        let wide = |range: &Range<u32>| range.start as usize..range.end as usize;
        for Replacement { source, replacement } in &self.changes {
            let range = wide(source);
            text.push_str(&self.source[from..range.start]);
            offset_map.note(text.len(), range.start);
            text.push_str(&self.replacement[wide(replacement)]);
            offset_map.note(text.len(), range.end);
            from = range.end;
        }
        text.push_str(&self.source[from..]);
        self.text = Cow::Owned(text);
        self.offset_map = offset_map;
    }

    /// Removes the document type declaration and reads its entities; returns the offset of the root element.
    fn take_prolog(&mut self, entities: &mut Entities) -> usize {
        let root = prolog_end(self.source);
        if let Some(start) = doctype(self.source, root) {
            let end = subset(self.source, start, entities);
            self.change(start..end, "");
        }
        root
    }

    /// Resolves entities and repairs namespaces, except in comments, instructions and CDATA.
    fn resolve(
        &mut self,
        from: usize,
        entities: &mut Entities,
        limits: &ExtractionLimits,
    ) -> Result<(), ExtractionError> {
        let source = self.source;
        let bytes = source.as_bytes();
        let mut references = Lookahead::new("&");
        let mut declarations = Lookahead::new("xmlns:");
        let mut opaque = [Lookahead::new("<!"), Lookahead::new("<?")];
        // End of the last tag whose namespace declarations were repaired.
        let mut known = from;
        let mut at = from;
        let mut with = String::new();
        loop {
            let [hidden, instruction] = opaque.each_mut().map(|next| next.from(bytes, at));
            let hidden = hidden.min(instruction);
            let declaration = declarations.from(bytes, at);
            at = references.from(bytes, at).min(declaration).min(hidden);
            if at >= bytes.len() {
                break;
            }
            if at == hidden {
                match past_opaque(source, at) {
                    Some(past) => (at, known) = (past, past),
                    None => at += 1,
                }
                continue;
            }
            if at == declaration {
                if let Some(tag) = memrchr(b'<', &bytes[known..at]) {
                    self.repair_namespaces(known + tag);
                }
                known = at;
                at += 1;
                continue;
            }
            let Some(name) = reference(&source[at..]).filter(|name| !predefined(name)) else {
                at += 1;
                continue;
            };
            let refuse = |code, message| ExtractionError::new(code, line_column(source, at), message);
            with.clear();
            let (code, what) = match entities.write(name, &mut with, limits, &refuse)? {
                Expansion::Text => ("", ""),
                Expansion::External => ("external-entity", "names a file, which is never fetched"),
                Expansion::Unknown => ("unknown-entity", "is neither declared nor a known character name"),
            };
            if !code.is_empty() {
                with = format!("&amp;{name};");
                let message = format!("the entity `{name}` {what}; its name is kept as text");
                self.diagnostics.add(code, at, message);
            }
            let end = at + name.len() + 2;
            self.change(at..end, &with);
            at = end;
        }
        Ok(())
    }

    /// Repairs the namespaces that the tag at `tag` declares: their names have to be absolute URIs
    /// (Namespaces in XML 1.0, section 2.1, and Canonical XML). Stops at malformed attributes, which the
    /// parser refuses.
    fn repair_namespaces(&mut self, tag: usize) {
        let source = self.source;
        let mut at = tag + 1;
        while let Some(name) =
            source[at..].find(['=', '<', '>']).filter(|end| source[at + end..].starts_with('='))
        {
            let attribute = source[at..at + name].split_ascii_whitespace().next_back().unwrap_or_default();
            let value = source[at + name + 1..].trim_start();
            let Some(quote) = value.chars().next().filter(|q| matches!(q, '"' | '\'')) else { return };
            let start = source.len() - value.len() + 1;
            let Some(end) =
                source[start..].find([quote, '<']).filter(|end| source[start + end..].starts_with(quote))
            else {
                return;
            };
            if let Some(prefix) = attribute.strip_prefix("xmlns:") {
                self.repair_namespace(prefix, start..start + end);
            }
            at = start + end + 1;
        }
    }

    fn repair_namespace(&mut self, prefix: &str, range: Range<usize>) {
        let uri = &self.source[range.clone()];
        if absolute(uri) || uri.contains('&') {
            return;
        }
        let known = names::namespace_of(prefix);
        let message =
            format!("the namespace `{uri}` of `{prefix}` is not an absolute URI; it is read as `{known}`");
        self.diagnostics.add("relative-namespace", range.start, message);
        self.change(range, &known);
    }
}

fn absolute(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    })
}

/// One past a comment, instruction or CDATA section that begins here; one without an end extends to the end
/// of the text.
fn past_opaque(source: &str, at: usize) -> Option<usize> {
    let rest = &source.as_bytes()[at..];
    let end = match rest.get(1)? {
        b'?' => "?>",
        b'!' if rest.starts_with(b"<!--") => "-->",
        b'!' if rest.starts_with(b"<![CDATA[") => "]]>",
        _ => return None,
    };
    Some(memmem::find(rest, end.as_bytes()).map_or(source.len(), |found| at + found + end.len()))
}

/// Offset of the root element, or the end of what can be read before it.
fn prolog_end(source: &str) -> usize {
    let mut at = 0;
    loop {
        at = source.len() - source[at..].trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
        if source[at..].starts_with("<!DOCTYPE") {
            at = subset(source, at, &mut Entities::default());
        } else if let Some(past) = past_opaque(source, at) {
            at = past;
        } else {
            return at;
        }
    }
}

/// Offset of the document type declaration.
fn doctype(source: &str, root: usize) -> Option<usize> {
    let mut at = 0;
    while at < root {
        at += memchr(b'<', &source.as_bytes()[at..root])?;
        if source[at..].starts_with("<!DOCTYPE") {
            return Some(at);
        }
        at = past_opaque(source, at)?;
    }
    None
}

/// Reads a document type declaration (XML 1.0, section 2.8) and returns its end.
fn subset(source: &str, start: usize, entities: &mut Entities) -> usize {
    let bytes = source.as_bytes();
    let mut at = start + "<!DOCTYPE".len();
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = past_quoted(bytes, at),
            b'>' => return at + 1,
            b'<' if source[at..].starts_with("<!ENTITY") => at = declaration(source, at, entities),
            b'<' => at = past_opaque(source, at).unwrap_or_else(|| past_declaration(bytes, at)),
            _ => at += 1,
        }
    }
    source.len()
}

fn past_quoted(bytes: &[u8], at: usize) -> usize {
    memchr(bytes[at], &bytes[at + 1..]).map_or(bytes.len(), |end| at + end + 2)
}

fn past_declaration(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' | b'\'' => at = past_quoted(bytes, at),
            b'>' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Reads one entity declaration (XML 1.0, section 4.2); parameter entities have no use without a DTD.
fn declaration(source: &str, start: usize, entities: &mut Entities) -> usize {
    let end = past_declaration(source.as_bytes(), start);
    let body = source[start..end].trim_start_matches("<!ENTITY").trim_start();
    if let Some((name, rest)) = body.split_once([' ', '\t', '\r', '\n']) {
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|q| matches!(q, '"' | '\''));
        match quote.and_then(|q| rest[1..].split_once(q)) {
            Some((value, _)) => entities.declare(name, Entity::Internal(with_characters(value))),
            None if name != "%" => entities.declare(name, Entity::External),
            None => {}
        }
    }
    end
}

/// A literal entity value with its character references resolved (XML 1.0, section 4.4.8).
fn with_characters(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(start) = rest.find("&#") {
        out.push_str(&rest[..start]);
        let code = &rest[start + 2..];
        let code = &code[..code.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(code.len())];
        let character = match code.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => code.parse().ok(),
        };
        let whole = rest[start + 2 + code.len()..].starts_with(';');
        match character.and_then(char::from_u32).filter(|_| whole) {
            Some(c) => {
                out.push(c);
                rest = &rest[start + 3 + code.len()..];
            }
            None => {
                out.push_str("&#");
                rest = &rest[start + 2..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired(source: &str) -> Result<(String, Vec<&'static str>), ExtractionError> {
        let repaired = Repaired::new(source, &ExtractionLimits::default())?;
        let codes = repaired.diagnostics.listed().map(|diagnostic| diagnostic.code).collect();
        Ok((repaired.text.into_owned(), codes))
    }

    fn text(source: &str) -> String {
        repaired(source).expect("repairs").0
    }

    #[test]
    fn named_characters_become_text_but_not_in_comments_cdata_and_instructions() {
        assert_eq!(text("<a b='&nbsp;&lt;'>&mdash;&amp;</a>"), "<a b='\u{a0}&lt;'>—&amp;</a>");
        let opaque = "<a><!--&mdash;--><![CDATA[&mdash;]]><?x &mdash;?></a>";
        assert_eq!(text(opaque), opaque);
        assert_eq!(text("<a>&QUOT;&LT;</a>"), "<a>&quot;&lt;</a>");
    }

    #[test]
    fn entities_of_the_internal_subset_are_resolved_and_the_declaration_goes() {
        let source = "<?xml version='1.0'?><!-- <!DOCTYPE no --><!DOCTYPE a SYSTEM 'x.dtd' [\n<!-- ]> -->\
            <!ENTITY % p 'q'><!ENTITY e \"x &f; &#38;#60;\"><!ENTITY f '<b>]></b>'>]><a>&e;</a>";
        assert_eq!(text(source), "<?xml version='1.0'?><!-- <!DOCTYPE no --><a>x <b>]></b> &#60;</a>");
    }

    #[test]
    fn external_and_unknown_entities_stay_as_text_and_are_reported() {
        let source = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;&nosuch;</a>";
        let (text, codes) = repaired(source).expect("repairs");
        assert_eq!(text, "<a>&amp;x;&amp;nosuch;</a>");
        assert_eq!(codes, ["external-entity", "unknown-entity"]);
    }

    #[test]
    fn entity_bombs_and_loops_are_refused() {
        let mut bomb = "<!DOCTYPE a [<!ENTITY e0 'lollollol'>".to_owned();
        for n in 1..15 {
            let inner = format!("&e{};", n - 1).repeat(10);
            bomb += &format!("<!ENTITY e{n} '{inner}'>");
        }
        bomb += "]><a>&e14;</a>";
        assert_eq!(repaired(&bomb).map_err(|e| e.code), Err("entity-expansion"));
        let knot = "<!DOCTYPE a [<!ENTITY x '&y;'><!ENTITY y '&x;'>]><a>&x;</a>";
        assert_eq!(repaired(knot).map_err(|e| e.code), Err("entity-expansion"));
    }

    #[test]
    fn relative_namespaces_become_the_known_ones() {
        let (text, codes) = repaired("<a xmlns:oasis=\"-//OASIS//DTD X//EN\"/>").expect("repairs");
        assert!(text.contains("oasis-exchange/table"), "{text}");
        assert_eq!(codes, ["relative-namespace"]);
        let quoted = "<a><![CDATA[<b xmlns:x='y'>]]>&lt;b xmlns:x='y'&gt;</a>";
        assert_eq!(repaired(quoted).expect("repairs").0, quoted);
        assert_eq!(repaired("<a xmlns:tbx='iso:std:iso:34000'/>").expect("repairs").1, Vec::<&str>::new());
    }

    #[test]
    fn only_attributes_are_declarations() {
        let values = "<a t=' xmlns:x=y>' xmlns:y=\"u: xmlns:z='y'\">\n xmlns:x='y'</a>";
        assert_eq!(repaired(values).expect("repairs").0, values);
        let trailing = "<a t='>'\nxmlns:x = 'y'\txmlns:tbx=\"z\">";
        assert_eq!(
            text(trailing),
            format!(
                "<a t='>'\nxmlns:x = '{}'\txmlns:tbx=\"{}\">",
                names::namespace_of("x"),
                names::namespace_of("tbx")
            )
        );
        // The first declaration has no value; what follows is changed once.
        let nested = "<a xmlns:q\u{2}<a xmlns:q='r xmlns:p='s'>";
        assert_eq!(text(nested).matches(&*names::namespace_of("q")).count(), 1);
    }

    #[test]
    fn positions_map_back_to_the_source() {
        let source = "<!DOCTYPE a [\n]>\n<a>&mdash;&mdash;\n<b/></a>";
        let mut repaired = Repaired::new(source, &ExtractionLimits::default()).expect("repairs");
        repaired.declare("mml");
        let at = repaired.text.find("<b").expect("it is there");
        assert_eq!(repaired.position(at), (4, 1));
        assert!(repaired.text.starts_with("\n<a xmlns:mml="));
    }
}
