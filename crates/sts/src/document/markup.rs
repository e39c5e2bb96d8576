//! Markup: a section's own XML, well-formed by itself, without the sections nested in it.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use crate::document::extent::Extent;
use crate::xml::position::offset32;
use crate::xml::tree::{Tree, XmlNode};

/// A section's own markup, with the offsets for converting from the repaired text.
pub(crate) struct Markup {
    pub xml: String,
    /// Bytes before the first byte of the source after the declarations were inserted.
    shift: isize,
    excluded: Vec<Range<usize>>,
}

impl Markup {
    /// Range in the markup of a range of the repaired text, when it is one whole element.
    pub(crate) fn range_in_markup(&self, range: Range<usize>) -> Option<Range<u32>> {
        let offset = |at: usize| {
            let range: usize = self.excluded.iter().filter(|c| c.end <= at).map(|c| c.len()).sum();
            usize::try_from(at as isize - range as isize + self.shift).ok()
        };
        let (start, end) = (offset(range.start)?, offset(range.end)?);
        let element = self.xml.get(start..end)?;
        (element.starts_with('<') && element.ends_with('>')).then(|| offset32(start)..offset32(end))
    }
}

/// The own markup of a section: without the bytes `excluded`, which belong to others, and with the parts
/// `struck_after` it, which are in no other section.
pub(crate) fn section_markup<'t>(
    tree: &'t Tree<'t>,
    extent: &Extent<'t>,
    excluded: &[Range<usize>],
    struck_after: &[Range<usize>],
) -> Markup {
    let text = tree.text();
    let range = extent.range();
    let (holder, from) = match *extent {
        Extent::Whole(node) => (node, range.start + 1 + node.tag(text).len()),
        Extent::Run { parent, .. } => (parent, range.start),
    };
    let tag = holder.tag(text);
    let parts: Vec<&Range<usize>> = std::iter::once(&range).chain(struck_after).collect();
    let declarations = declarations(tree, holder, &parts);
    let (attributes, end) = match extent {
        Extent::Whole(_) => ("", String::new()),
        Extent::Run { parent, .. } => {
            let start = parent.range().start;
            (&text[start + 1 + tag.len()..start_tag_end(text, start)], format!("</{tag}>"))
        }
    };
    // Exact capacity: a section keeps its markup until the document is finished.
    let others: usize = excluded.iter().map(Range::len).sum();
    let more: usize = struck_after.iter().map(Range::len).sum();
    let rest = range.len() - others - (from - range.start);
    let head = ["<", tag, &declarations, attributes];
    let mut xml = String::with_capacity(head.map(str::len).iter().sum::<usize>() + rest + more + end.len());
    xml.extend(head);
    let shift = xml.len() as isize - from as isize;
    let mut at = from;
    for range in excluded {
        xml.push_str(&text[at..range.start]);
        at = range.end;
    }
    // An empty element has no end tag before which anything could be.
    let close = match extent {
        Extent::Whole(_) => text[at..range.end].rfind("</").map_or(range.end, |close| at + close),
        Extent::Run { .. } => range.end,
    };
    xml.push_str(&text[at..close]);
    if close < range.end || !end.is_empty() {
        xml.extend(struck_after.iter().map(|part| &text[part.clone()]));
    }
    xml.push_str(&text[close..range.end]);
    xml.push_str(&end);
    Markup { xml, shift, excluded: excluded.to_vec() }
}

/// One element with its namespaces declared.
pub(crate) fn element_markup<'t>(tree: &'t Tree<'t>, node: XmlNode<'t>) -> String {
    let text = tree.text();
    let slice = &text[node.range()];
    let name = 1 + node.tag(text).len();
    [&slice[..name], &declarations(tree, node, &[&node.range()]), &slice[name..]].concat()
}

/// An element of a section's markup with the namespaces that the section declares for it.
pub(crate) fn standalone(element: &str, section: &str) -> String {
    let head = &section[..start_tag_end(section, 0)];
    let own = &element[..start_tag_end(element, 0)];
    let mut declarations = String::new();
    for at in memchr::memmem::find_iter(head.as_bytes(), " xmlns") {
        let attribute = &head[at + 1..];
        let Some((name, value)) = attribute.split_once('=') else { continue };
        let name = name.trim_end();
        let Some(quote) = value.trim_start().chars().next().filter(|q| matches!(q, '"' | '\'')) else {
            continue;
        };
        let value = value.trim_start()[1..].split(quote).next().unwrap_or_default();
        let used = name.strip_prefix("xmlns:").is_none_or(|prefix| uses(element, own, prefix));
        if used && !declares(own, name) {
            let _ = write!(declarations, " {name}={quote}{value}{quote}");
        }
    }
    let name = element.find([' ', '\t', '\r', '\n', '>', '/']).unwrap_or(element.len());
    format!("{}{declarations}{}", &element[..name], &element[name..])
}

/// The namespaces in scope that a slice uses and the start tag of its element does not declare itself.
fn declarations<'t>(tree: &'t Tree<'t>, node: XmlNode<'t>, slices: &[&Range<usize>]) -> String {
    let text = tree.text();
    let start = node.range().start;
    let tag = start..start_tag_end(text, start);
    let own = &text[tag.clone()];
    let uses = |prefix: &str| slices.iter().any(|slice| tree.uses(prefix, slice)) || tree.uses(prefix, &tag);
    let declares_any = memchr::memmem::find(own.as_bytes(), b"xmlns").is_some();
    let mut declarations = String::new();
    for (prefix, uri) in node.namespaces() {
        let name = match prefix {
            Some("xml") => continue,
            Some(prefix) if !uses(prefix) => continue,
            Some(prefix) => ["xmlns:", prefix],
            None => ["xmlns", ""],
        };
        if !(declares_any && declares(own, &name.concat())) {
            let uri = match uri.contains(['&', '<', '"']) {
                true => Cow::Owned(uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")),
                false => Cow::Borrowed(uri),
            };
            declarations.extend([" ", name[0], name[1], "=\"", &uri, "\""]);
        }
    }
    declarations
}

fn declares(start_tag: &str, name: &str) -> bool {
    memchr::memmem::find_iter(start_tag.as_bytes(), name.as_bytes()).any(|at| {
        let before = start_tag[..at].ends_with(|c: char| c.is_ascii_whitespace());
        before && start_tag[at + name.len()..].trim_start().starts_with('=')
    })
}

fn uses(slice: &str, start_tag: &str, prefix: &str) -> bool {
    let needle = format!("{prefix}:");
    let finder = memchr::memmem::Finder::new(&needle);
    finder.find(slice.as_bytes()).is_some() || finder.find(start_tag.as_bytes()).is_some()
}

/// One past the `>` of the start tag that begins here.
pub(crate) fn start_tag_end(text: &str, start: usize) -> usize {
    let mut quote = None;
    for (at, byte) in text.as_bytes().iter().enumerate().skip(start) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), close) if open == *close => quote = None,
            (None, b'>') => return at + 1,
            _ => {}
        }
    }
    text.len()
}
