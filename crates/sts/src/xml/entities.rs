//! Named characters: the text of `&mdash;` and other entity references, without any DTD.
//!
//! The table is the union of the HTML and MathML names (which hold the ISO 8879 and ISO 9573-13 sets but the
//! Greek ones) and ISO 8879's Greek letter sets.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::xml::repair::ErrorFactory;
use crate::{ExtractionError, ExtractionLimits};

static CHARACTERS: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let (name, codes) = line.split_once('\t')?;
        let code = |hex: &str| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
        Some((name, codes.split(' ').filter_map(code).collect()))
    };
    include_str!("../../data/entities.tsv").lines().filter_map(line).collect()
});

/// The value of an entity declared in the document.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    /// Its replacement text.
    Internal(String),
    /// A file elsewhere, which is never fetched.
    External,
}

/// Outcome of expanding an entity reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    Text,
    /// It names a file elsewhere.
    External,
    Unknown,
}

/// The entities of one document.
#[derive(Default)]
pub(crate) struct Entities {
    declared: HashMap<String, Entity>,
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
            None => {
                return Ok(match CHARACTERS.get(name) {
                    Some(characters) => {
                        characters.chars().for_each(|c| escape(c, out));
                        Expansion::Text
                    }
                    None => Expansion::Unknown,
                });
            }
        };
        self.expanded_bytes += value.len();
        if depth >= limits.expansion_depth || self.expanded_bytes > limits.expansion_bytes {
            return Err(refuse(
                "entity-expansion",
                format!("the expansion of the entity `{name}` is larger or deeper than the limits"),
            ));
        }
        let markup = value.contains('<');
        let mut rest = value.as_str();
        while let Some(start) = rest.find('&') {
            plain(&rest[..start], markup, out);
            rest = &rest[start..];
            match reference(rest) {
                Some(inner) if !predefined(inner) => {
                    if self.expand(inner, out, limits, refuse, depth + 1)? != Expansion::Text {
                        out.push_str("&amp;");
                        out.push_str(inner);
                        out.push(';');
                    }
                    rest = &rest[inner.len() + 2..];
                }
                _ => {
                    out.push('&');
                    rest = &rest[1..];
                }
            }
        }
        plain(rest, markup, out);
        Ok(Expansion::Text)
    }
}

/// Replacement text; its quotation marks do not end an attribute (XML 1.0, section 4.4.5).
fn plain(text: &str, markup: bool, out: &mut String) {
    if markup {
        out.push_str(text);
    } else {
        text.chars().for_each(|c| if matches!(c, '"' | '\'') { escape(c, out) } else { out.push(c) });
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
    let end = rest.bytes().position(|b| !(b.is_ascii_alphanumeric() || b".-_:".contains(&b) || b >= 0x80))?;
    let starts = !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    (end > 0 && starts && rest.as_bytes()[end] == b';').then(|| &rest[..end])
}

/// Whether XML itself knows the name (XML 1.0, section 4.6).
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
