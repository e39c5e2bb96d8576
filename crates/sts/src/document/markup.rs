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
    /// Bytes that the markup is longer than the text up to the end of the start tag, by the declarations that
    /// it adds, less the bytes of the text before the section.
    shift: isize,
    /// Bytes of the repaired text that are not in the markup.
    excluded: Vec<Range<usize>>,
}

impl Markup {
    /// Range in the markup of a range of the repaired text, when it is one whole element.
    pub(crate) fn range_in_markup(&self, range: Range<usize>) -> Option<Range<u32>> {
        let start = self.offset_in_markup(range.start)?;
        let end = self.offset_in_markup(range.end)?;
        let element = self.xml.get(start..end)?;
        (element.starts_with('<') && element.ends_with('>')).then(|| offset32(start)..offset32(end))
    }

    /// Byte of the markup for a byte of the repaired text; `None` for one before the section.
    fn offset_in_markup(&self, at: usize) -> Option<usize> {
        let excluded_before: usize =
            self.excluded.iter().filter(|excluded| excluded.end <= at).map(Range::len).sum();
        usize::try_from(at as isize - excluded_before as isize + self.shift).ok()
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
    // The element whose start tag begins the markup, and the first byte after the name in that tag.
    let (holder, from) = match *extent {
        Extent::Whole(node) => (node, range.start + 1 + node.tag(text).len()),
        Extent::Run { parent, .. } => (parent, range.start),
    };
    let tag = holder.tag(text);
    let parts: Vec<&Range<usize>> = std::iter::once(&range).chain(struck_after).collect();
    let declarations = declarations(tree, holder, &parts);
    // A run is wrapped in the tags of its parent.
    let (attributes, end_tag) = match extent {
        Extent::Whole(_) => ("", String::new()),
        Extent::Run { parent, .. } => {
            let start = parent.range().start;
            (&text[start + 1 + tag.len()..start_tag_end(text, start)], format!("</{tag}>"))
        }
    };
    let head = ["<", tag, &declarations, attributes];
    // Exact capacity: a section keeps its markup until the document is finished.
    let head_bytes: usize = head.iter().map(|part| part.len()).sum();
    let excluded_bytes: usize = excluded.iter().map(Range::len).sum();
    let own_bytes = range.len() - excluded_bytes - (from - range.start);
    let struck_bytes: usize = struck_after.iter().map(Range::len).sum();
    let mut xml = String::with_capacity(head_bytes + own_bytes + struck_bytes + end_tag.len());
    xml.extend(head);
    let shift = xml.len() as isize - from as isize;
    let mut at = from;
    for excluded in excluded {
        xml.push_str(&text[at..excluded.start]);
        at = excluded.end;
    }
    // What is struck out comes before the end tag. An empty element has none.
    let close = match extent {
        Extent::Whole(_) => text[at..range.end].rfind("</").map_or(range.end, |close| at + close),
        Extent::Run { .. } => range.end,
    };
    xml.push_str(&text[at..close]);
    let has_end_tag = close < range.end || !end_tag.is_empty();
    if has_end_tag {
        xml.extend(struck_after.iter().map(|part| &text[part.clone()]));
    }
    xml.push_str(&text[close..range.end]);
    xml.push_str(&end_tag);
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
    let start_tag = &element[..start_tag_end(element, 0)];
    let mut declarations = String::new();
    for at in memchr::memmem::find_iter(head.as_bytes(), " xmlns") {
        let Some((name, value)) = head[at + 1..].split_once('=') else { continue };
        let (name, value) = (name.trim_end(), value.trim_start());
        let Some(quote @ ('"' | '\'')) = value.chars().next() else { continue };
        let value = value[1..].split(quote).next().unwrap_or_default();
        let is_used = match name.strip_prefix("xmlns:") {
            Some(prefix) => uses(element, prefix),
            // The default namespace is that of each element without a prefix.
            None => true,
        };
        if is_used && !declares(start_tag, name) {
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
    let start_tag = &text[tag.clone()];
    let declares_any = memchr::memmem::find(start_tag.as_bytes(), b"xmlns").is_some();
    let mut declarations = String::new();
    for (prefix, uri) in node.namespaces() {
        let name = match prefix {
            Some("xml") => continue,
            Some(prefix) => {
                let is_used = slices.iter().any(|slice| tree.uses(prefix, slice)) || tree.uses(prefix, &tag);
                if !is_used {
                    continue;
                }
                ["xmlns:", prefix]
            }
            None => ["xmlns", ""],
        };
        if declares_any && declares(start_tag, &name.concat()) {
            continue;
        }
        let uri = if uri.contains(['&', '<', '"']) {
            Cow::Owned(uri.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"))
        } else {
            Cow::Borrowed(uri)
        };
        declarations.extend([" ", name[0], name[1], "=\"", &uri, "\""]);
    }
    declarations
}

/// Looks for the attribute `name`, which is `xmlns` or begins with `xmlns:`, in a start tag.
fn declares(start_tag: &str, name: &str) -> bool {
    for at in memchr::memmem::find_iter(start_tag.as_bytes(), name.as_bytes()) {
        let is_after_space = start_tag[..at].ends_with(|c: char| c.is_ascii_whitespace());
        if is_after_space && start_tag[at + name.len()..].trim_start().starts_with('=') {
            return true;
        }
    }
    false
}

/// Looks for a prefix followed by a colon, also in attributes and text: a declaration too many does no harm.
fn uses(element: &str, prefix: &str) -> bool {
    memchr::memmem::find(element.as_bytes(), format!("{prefix}:").as_bytes()).is_some()
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
