//! Named characters: the text of `&mdash;` and other entity references, without any DTD.
//!
//! The table is the union of the HTML and MathML names (which hold the ISO 8879 and ISO 9573-13 sets but the
//! Greek ones) and ISO 8879's Greek letter sets.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{ExtractionError, ExtractionLimits};

/// Builds an error of a code and message at the position being read.
pub(crate) type ErrorFactory<'a> = dyn Fn(&'static str, String) -> ExtractionError + 'a;

static CHARACTERS: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let mut characters = HashMap::new();
    for line in include_str!("../../data/entities.tsv").lines() {
        if let Some((name, codes)) = line.split_once('\t') {
            characters.insert(name, codes.split(' ').filter_map(character).collect());
        }
    }
    characters
});

/// The character of a code point in hexadecimal digits.
fn character(code: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(code, 16).ok()?)
}

/// The value of an entity declared in the document.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    /// The replacement text, in which character references are resolved.
    Internal(String),
    /// A file elsewhere, which is never fetched.
    External,
}

/// Outcome of expanding an entity reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    Text,
    /// The entity names a file elsewhere.
    External,
    /// The name is neither declared nor that of a character.
    Unknown,
}

/// The entities of one document.
#[derive(Default)]
pub(crate) struct Entities {
    declared: HashMap<String, Entity>,
    /// Bytes of all expansions so far, for the limit: entities may refer to each other.
    expanded_bytes: usize,
}

impl Entities {
    /// Records a declaration; the first of a name counts (XML 1.0, section 4.2).
    pub(crate) fn declare(&mut self, name: &str, entity: Entity) {
        self.declared.entry(name.to_owned()).or_insert(entity);
    }

    /// Writes the expansion of `&name;` as text of a document. The five predefined names of XML are excluded.
    pub(crate) fn write(
        &mut self,
        name: &str,
        out: &mut String,
        limits: &ExtractionLimits,
        refuse: &ErrorFactory<'_>,
    ) -> Result<Expansion, ExtractionError> {
        self.expand(name, out, limits, refuse, 0)
    }

    fn expand(
        &mut self,
        name: &str,
        out: &mut String,
        limits: &ExtractionLimits,
        refuse: &ErrorFactory<'_>,
        depth: usize,
    ) -> Result<Expansion, ExtractionError> {
        let value = match self.declared.get(name) {
            Some(Entity::Internal(value)) => value.clone(),
            Some(Entity::External) => return Ok(Expansion::External),
            None => return Ok(write_character(name, out)),
        };
        self.expanded_bytes += value.len();
        if depth >= limits.expansion_depth || self.expanded_bytes > limits.expansion_bytes {
            let message = format!("the expansion of the entity `{name}` is larger or deeper than the limits");
            return Err(refuse("entity-expansion", message));
        }
        let has_markup = value.contains('<');
        let mut rest = value.as_str();
        while let Some(start) = rest.find('&') {
            write_plain(&rest[..start], has_markup, out);
            rest = &rest[start..];
            match reference(rest) {
                Some(inner) if !predefined(inner) => {
                    if self.expand(inner, out, limits, refuse, depth + 1)? != Expansion::Text {
                        out.extend(["&amp;", inner, ";"]);
                    }
                    rest = &rest[inner.len() + 2..];
                }
                _ => {
                    out.push('&');
                    rest = &rest[1..];
                }
            }
        }
        write_plain(rest, has_markup, out);
        Ok(Expansion::Text)
    }
}

/// Writes the characters that a name of the table means.
fn write_character(name: &str, out: &mut String) -> Expansion {
    let Some(characters) = CHARACTERS.get(name) else { return Expansion::Unknown };
    for c in characters.chars() {
        escape(c, out);
    }
    Expansion::Text
}

/// Writes replacement text. Its quotation marks do not end an attribute (XML 1.0, section 4.4.5); those of
/// markup are its own.
fn write_plain(text: &str, has_markup: bool, out: &mut String) {
    if has_markup {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '"' | '\'' => escape(c, out),
            _ => out.push(c),
        }
    }
}

fn escape(c: char, out: &mut String) {
    match c {
        '<' => out.push_str("&lt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&apos;"),
        '\t' => out.push_str("&#9;"),
        '\n' => out.push_str("&#10;"),
        _ => out.push(c),
    }
}

/// The name in a text that begins with `&name;`; `None` for character references and malformed ones.
pub(crate) fn reference(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('&')?;
    let is_in_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte) || byte >= 0x80;
    let end = rest.bytes().position(|byte| !is_in_name(byte))?;
    if end == 0 || rest.as_bytes()[end] != b';' {
        return None;
    }
    let begins_name = !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    begins_name.then(|| &rest[..end])
}

/// Names that XML itself defines (XML 1.0, section 4.6).
pub(crate) fn predefined(name: &str) -> bool {
    matches!(name, "lt" | "gt" | "amp" | "quot" | "apos")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_each_set() {
        let known = |name: &str| CHARACTERS.get(name).map(String::as_str);
        assert_eq!(CHARACTERS.len(), 2232);
        assert_eq!(
            ["mdash", "nbsp", "Eacute", "alpha"].map(known),
            [Some("—"), Some("\u{a0}"), Some("É"), Some("α")]
        );
        assert_eq!(["agr", "b.alpha", "NotEqualTilde"].map(known), [Some("α"), Some("𝛂"), Some("≂\u{338}")]);
        assert_eq!(known("nosuch"), None);
    }
}
