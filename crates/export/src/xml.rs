//! XML with its characters checked.

use std::borrow::Cow;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// XML that is being written to memory.
pub(crate) struct XmlWriter {
    writer: Writer<Vec<u8>>,
    open: Vec<String>,
}

impl XmlWriter {
    /// A document in UTF-8.
    pub(crate) fn new() -> Self {
        let mut xml = Self { writer: Writer::new(Vec::new()), open: Vec::new() };
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml.write(Event::Text(BytesText::from_escaped("\n")));
        xml
    }

    /// Begins an element.
    pub(crate) fn begin(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let tag = start(name, attributes);
        self.write(Event::Start(tag));
        self.open.push(name.to_owned());
    }

    /// Ends the innermost element.
    pub(crate) fn end(&mut self) {
        if let Some(name) = self.open.pop() {
            self.write(Event::End(BytesEnd::new(name)));
        }
    }

    /// Writes an element without content.
    pub(crate) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.write(Event::Empty(start(name, attributes)));
    }

    /// Writes characters.
    pub(crate) fn text(&mut self, text: &str) {
        self.write(Event::Text(BytesText::new(&allowed(text))));
    }

    /// Writes an element with characters alone.
    pub(crate) fn element(&mut self, name: &str, text: &str) {
        self.begin(name, &[]);
        self.text(text);
        self.end();
    }

    /// Begins a new line between elements, where white space says nothing.
    pub(crate) fn line(&mut self) {
        self.write(Event::Text(BytesText::from_escaped("\n")));
    }

    /// The bytes, with all elements ended.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        while !self.open.is_empty() {
            self.end();
        }
        self.line();
        self.writer.into_inner()
    }

    fn write(&mut self, event: Event<'_>) {
        self.writer.write_event(event).expect("memory can be written to");
    }
}

fn start<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut tag = BytesStart::new(name);
    for (name, value) in attributes {
        tag.push_attribute((*name, &*allowed(value)));
    }
    tag
}

/// A text with U+FFFD for characters that XML 1.0 does not have (section 2.2).
fn allowed(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_absent_from_xml) {
        let replaced = text.chars().map(|c| if is_absent_from_xml(c) { '\u{FFFD}' } else { c });
        replaced.collect::<String>().into()
    } else {
        text.into()
    }
}

/// True for a character that XML 1.0 does not have (section 2.2).
pub(crate) fn is_absent_from_xml(c: char) -> bool {
    matches!(c, '\0'..'\t' | '\x0B' | '\x0C' | '\x0E'..' ' | '\u{FFFE}' | '\u{FFFF}')
}
