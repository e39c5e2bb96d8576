//! Repair: a decoded source in a form for any XML parser, with offsets for the source's positions.
//!
//! The document type declaration goes, named characters and entities of the internal subset become text,
//! relative namespace names become the well-known ones, and prefixes that only a DTD would declare are
//! declared.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memrchr;

use crate::diagnostic::Diagnostics;
use crate::xml::doctype::{doctype, past_opaque, prolog_end};
use crate::xml::entities::{Entities, Expansion, predefined, reference};
use crate::xml::lookahead::Lookahead;
use crate::xml::names;
use crate::xml::position::{Lines, OffsetMap, line_column, offset32};
use crate::{ExtractionError, ExtractionLimits};

/// A text that an XML parser can read without a DTD.
pub(crate) struct Repaired<'a> {
    pub text: Cow<'a, str>,
    /// The repairs, by the byte of the source.
    pub diagnostics: Diagnostics,
    source: &'a str,
    /// In any order until the text is rebuilt.
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
    /// Repairs a decoded source.
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

    /// Line and column in the source, both from 1, for a byte of the repaired text.
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

    /// Makes the text and the map of its offsets again from the source and all changes.
    fn rebuild(&mut self) {
        if self.changes.is_empty() {
            return;
        }
        self.changes.sort_by_key(|change| (change.source.start, change.source.end));
        let mut text = String::with_capacity(self.source.len() + 1024);
        let mut offset_map = OffsetMap::default();
        let mut from = 0;
        for change in &self.changes {
            let source = widened(&change.source);
            text.push_str(&self.source[from..source.start]);
            offset_map.note(text.len(), source.start);
            text.push_str(&self.replacement[widened(&change.replacement)]);
            offset_map.note(text.len(), source.end);
            from = source.end;
        }
        text.push_str(&self.source[from..]);
        self.text = Cow::Owned(text);
        self.offset_map = offset_map;
    }

    /// Removes the document type declaration and reads its entities; returns the offset of the root element.
    fn take_prolog(&mut self, entities: &mut Entities) -> usize {
        let root = prolog_end(self.source);
        if let Some(range) = doctype(self.source, root, entities) {
            self.change(range, "");
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
        let mut comments = Lookahead::new("<!");
        let mut instructions = Lookahead::new("<?");
        // Nothing before this byte belongs to the tag of the next declaration.
        let mut known = from;
        let mut at = from;
        let mut replacement = String::new();
        loop {
            let opaque = comments.from(bytes, at).min(instructions.from(bytes, at));
            let declaration = declarations.from(bytes, at);
            at = references.from(bytes, at).min(declaration).min(opaque);
            if at >= bytes.len() {
                return Ok(());
            }
            if at == opaque {
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
            match reference(&source[at..]) {
                Some(name) if !predefined(name) => {
                    replacement.clear();
                    self.resolve_reference(at, name, entities, limits, &mut replacement)?;
                    at += name.len() + "&;".len();
                }
                _ => at += 1,
            }
        }
    }

    /// Replaces the reference `&name;` at a byte of the source; `replacement` is an empty buffer.
    fn resolve_reference(
        &mut self,
        at: usize,
        name: &str,
        entities: &mut Entities,
        limits: &ExtractionLimits,
        replacement: &mut String,
    ) -> Result<(), ExtractionError> {
        let source = self.source;
        let refuse = |code, message| ExtractionError::new(code, line_column(source, at), message);
        let problem = match entities.write(name, replacement, limits, &refuse)? {
            Expansion::Text => None,
            Expansion::External => Some(("external-entity", "names a file, which is never fetched")),
            Expansion::Unknown => Some(("unknown-entity", "is neither declared nor a known character name")),
        };
        if let Some((code, problem)) = problem {
            replacement.extend(["&amp;", name, ";"]);
            let message = format!("the entity `{name}` {problem}; its name is kept as text");
            self.diagnostics.add(code, at, message);
        }
        self.change(at..at + name.len() + "&;".len(), replacement);
        Ok(())
    }

    /// Repairs the namespaces that the tag at `tag` declares: their names have to be absolute URIs
    /// (Namespaces in XML 1.0, section 2.1, and Canonical XML). Stops at malformed attributes, which the
    /// parser refuses.
    fn repair_namespaces(&mut self, tag: usize) {
        let source = self.source;
        let mut at = tag + 1;
        while let Some(attribute) = next_attribute(source, at) {
            // One past the closing quotation mark.
            at = attribute.value.end + 1;
            if let Some(prefix) = attribute.name.strip_prefix("xmlns:") {
                self.repair_namespace(prefix, attribute.value);
            }
        }
    }

    fn repair_namespace(&mut self, prefix: &str, range: Range<usize>) {
        let uri = &self.source[range.clone()];
        if is_absolute(uri) || uri.contains('&') {
            return;
        }
        let known = names::namespace_of(prefix);
        let message =
            format!("the namespace `{uri}` of `{prefix}` is not an absolute URI; it is read as `{known}`");
        self.diagnostics.add("relative-namespace", range.start, message);
        self.change(range, &known);
    }
}

fn widened(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// An attribute of a start tag as written.
struct WrittenAttribute<'a> {
    name: &'a str,
    /// Bytes of the source between the quotation marks.
    value: Range<usize>,
}

/// The next attribute of a tag from a byte after its name on; `None` at the end of the tag and where the
/// attribute is malformed.
fn next_attribute(source: &str, at: usize) -> Option<WrittenAttribute<'_>> {
    let equals = at + source[at..].find(['=', '<', '>'])?;
    if !source[equals..].starts_with('=') {
        return None;
    }
    let name = source[at..equals].split_ascii_whitespace().next_back().unwrap_or_default();
    let value = source[equals + 1..].trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let start = source.len() - value.len() + 1;
    let end = start + source[start..].find([quote, '<'])?;
    if !source[end..].starts_with(quote) {
        return None;
    }
    Some(WrittenAttribute { name, value: start..end })
}

/// An absolute URI begins with a scheme (RFC 3986, section 3.1).
fn is_absolute(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
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
