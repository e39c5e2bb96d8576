//! Tokens of formulae: their words, the invisible operators, and the blanks that the source states.

use super::line::InvisibleOperator;
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// The words of a token without invisible operators, such as function application and invisible times. A
/// picture among them says its alternative text.
pub(super) fn visible_words(node: XmlNode<'_>) -> Option<String> {
    let mut words = node.normalized_text().unwrap_or_default();
    for glyph in node.elements() {
        if glyph.name() == Name::Mglyph
            && let Some(alternative) = glyph.attr("alt")
        {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(alternative.trim());
        }
    }
    if words.is_empty() { None } else { Some(words) }
}

/// The operator that a token without visible words is.
pub(super) fn invisible_operator(token: XmlNode<'_>) -> Option<InvisibleOperator> {
    for text in token.children() {
        for c in text.characters().chars() {
            match c {
                '\u{2061}' => return Some(InvisibleOperator::Application),
                '\u{2062}' => return Some(InvisibleOperator::Times),
                '\u{2063}' => return Some(InvisibleOperator::Comma),
                _ => {}
            }
        }
    }
    None
}

/// True if the source states a blank here: an `mspace` that is not empty, an invisible operator with space
/// around it, a token of nothing but spaces.
pub(super) fn stated_space(node: XmlNode<'_>) -> bool {
    if node.name() == Name::Mspace {
        let is_line_break = node.attr("linebreak").is_some_and(|value| value.trim() == "newline");
        return is_line_break || has_length(node, "width");
    }
    // Blanks of ASCII are there for the layout of the source.
    let has_other_spaces =
        node.children().any(|text| text.characters().contains(|c: char| c.is_whitespace() && !c.is_ascii()));
    has_other_spaces || has_length(node, "lspace") || has_length(node, "rspace")
}

fn has_length(node: XmlNode<'_>, attribute: &str) -> bool {
    node.attr(attribute).is_some_and(is_positive)
}

/// True if a length is more than nothing (MathML 3, 2.1.5.2): `0.2em`, `thickmathspace`.
fn is_positive(length: &str) -> bool {
    let length = length.trim();
    if length.ends_with("mathspace") {
        return !length.starts_with("negative");
    }
    let number = length.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    number.trim().parse::<f32>().is_ok_and(|number| number > 0.0)
}

/// True if letters are set upright, by the token itself or by the nearest `mstyle` that says so.
pub(crate) fn is_upright(token: XmlNode<'_>) -> bool {
    let mut at = Some(token);
    while let Some(node) = at.filter(|node| node.name() != Name::Math) {
        if let Some(variant) = node.attr("mathvariant") {
            return variant == "normal";
        }
        at = node.parent();
    }
    false
}
