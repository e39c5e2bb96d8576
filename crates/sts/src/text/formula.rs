//! Formulae, superscripts and subscripts in a line of text: `t_90`, `x^2`, `1st`.

use super::inline::inner;
use super::noted::{Note, Shape};
use super::{BareScript, TextWriter, line, math, tex, tex_line};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Superscripts that are the end of an ordinal number.
const ORDINALS: &[&str] =
    &["st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "ième", "o", "a", "os", "es"];

/// How much of an element with a formula is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaExtent {
    /// All of its content.
    Whole,
    /// The formula without its label and without the blocks after it, which a display formula may have.
    FormulaAlone,
}

impl<'t> TextWriter<'_, 't> {
    /// Writes a formula in one line: its MathML, else its TeX, else its text.
    pub(super) fn formula(&mut self, node: XmlNode<'t>, extent: FormulaExtent) {
        match node.name() {
            Name::Math => self.math(node),
            Name::TexMath => self.tex(node),
            Name::Alternatives => match best_alternative(node) {
                Some(best) => self.formula(best, extent),
                None => self.first_picture(node),
            },
            Name::Text => self.text(node.characters()),
            _ => self.formula_content(node, extent),
        }
    }

    fn math(&mut self, node: XmlNode<'t>) {
        let line = math::linear(node, &|| self.decimal_sign());
        if line.is_empty() {
            return;
        }
        self.inserted(node, |w| {
            let start = w.put_at(&line);
            w.record(start, Note::Formula(node, w.out.len()));
        });
    }

    fn tex(&mut self, node: XmlNode<'t>) {
        let Some(source) = node.normalized_text() else { return };
        let source = tex::formula(&source);
        // A title or caption is read as print does, if the formula is simple.
        if self.is_short()
            && let Some(line) = tex_line::line(source)
        {
            return self.put(&line);
        }
        self.shaped(Shape::Code("tex"), node, |w| w.put(source));
    }

    /// Writes what is within an element for formulae. Of several renderings of the formula only the best is
    /// written.
    fn formula_content(&mut self, node: XmlNode<'t>, extent: FormulaExtent) {
        let best = node.elements().filter_map(rendering).min();
        for child in inner(node) {
            let name = child.name();
            let surrounds_formula = name == Name::Label || name.follows_formula();
            if extent == FormulaExtent::FormulaAlone && surrounds_formula {
                continue;
            }
            // A child that is not a rendering has the rank `None`, which is the lowest.
            if rendering(child) > best {
                continue;
            }
            match name {
                Name::Math | Name::Alternatives | Name::TexMath | Name::ChemStruct => {
                    self.formula(child, extent);
                }
                _ => self.node(child),
            }
        }
    }

    /// Writes the first of several pictures that show the same.
    pub(super) fn first_picture(&mut self, alternatives: XmlNode<'t>) {
        let pictures = [Name::Graphic, Name::InlineGraphic, Name::Media];
        if let Some(first) = alternatives.elements().find(|n| pictures.contains(&n.name())) {
            self.picture(first);
        }
    }

    /// Writes a superscript or subscript with its mark, `^` or `_`, and in brackets where the words after it
    /// would lengthen it. One with references or formulae in it is written as running text.
    pub(super) fn script(&mut self, node: XmlNode<'t>, mark: char) {
        let shape = if mark == '^' { Shape::Superscript } else { Shape::Subscript };
        let words = match line(self.document, node) {
            Some(words) if !has_reference_or_formula(node) => words,
            _ => return self.shaped(shape, node, |w| w.running(node)),
        };
        if mark == '^' && is_raised_word(&words, self.character_before()) {
            return self.shaped(shape, node, |w| w.put(&words));
        }
        let script = words.trim_start_matches(['−', '-', '+']);
        let is_number = script.chars().all(|c| c.is_ascii_digit() || c == '.');
        let is_word = script.chars().all(|c| c.is_alphanumeric() || c == '.');
        // Digits and then letters need brackets, since `H_2O` has a script of one digit.
        let begins_with_digit = script.starts_with(|c: char| c.is_ascii_digit());
        let is_bare = is_number || is_word && !begins_with_digit;
        let (opening, closing) = if is_bare { ("", "") } else { ("(", ")") };
        self.begin_shape(shape, node);
        let start = self.put_at(&format!("{mark}{opening}{words}{closing}"));
        self.record(start, Note::Sign(start + mark.len_utf8() + opening.len()));
        self.record(self.out.len() - closing.len(), Note::Sign(self.out.len()));
        if is_bare && !script.is_empty() {
            self.bare_script = Some(BareScript { end: self.out.len(), is_number });
        }
        self.end_shape();
    }

    /// The character that the next word follows without a blank; `None` at the start of a block too.
    fn character_before(&self) -> Option<char> {
        if self.open.is_none() || !self.separator.is_empty() {
            return None;
        }
        self.out.chars().next_back()
    }
}

/// True if a superscript says the same without `^`: the end of an ordinal number, a symbol such as `™`, and
/// one that follows nothing, so that it is not an exponent.
fn is_raised_word(words: &str, before: Option<char>) -> bool {
    let Some(before) = before else { return true };
    // `1st`, `No`
    let ends_ordinal = before.is_ascii_digit() || "nNIVXp".contains(before);
    if ends_ordinal && ORDINALS.contains(&words) {
        return true;
    }
    words == "TM" || words.chars().all(|c| "™®℠°*†‡′″ºª".contains(c))
}

fn has_reference_or_formula(node: XmlNode<'_>) -> bool {
    node.descendants()
        .any(|n| matches!(n.name(), Name::Xref | Name::Fn | Name::Math | Name::InlineFormula | Name::Std))
}

/// The rank of a node that renders a formula, the best first; `None` where it renders none.
fn rendering(node: XmlNode<'_>) -> Option<u8> {
    match node.name() {
        Name::Math => Some(0),
        Name::TexMath => Some(2),
        Name::TextualForm => Some(4),
        // A rendering that is not among alternatives is better than the same one among them.
        Name::Alternatives => Some(rendering(best_alternative(node)?)? + 1),
        _ => None,
    }
}

/// The best one of several renderings as text.
pub(super) fn best_alternative(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let order = [
        Name::Math,
        Name::TexMath,
        Name::Table,
        Name::Tgroup,
        Name::TextualForm,
        Name::Code,
        Name::Preformat,
    ];
    for name in order {
        if let Some(rendering) = node.child(name) {
            return Some(rendering);
        }
    }
    node.elements().find(|n| !n.is_blank())
}

#[cfg(test)]
mod tests {
    use super::is_raised_word;

    #[test]
    fn a_superscript_that_is_not_an_exponent_has_no_sign() {
        for (words, before, expected) in [
            ("st", Some('1'), true),
            ("o", Some('N'), true),
            ("st", Some('x'), false),
            ("™", Some('x'), true),
            ("TM", Some('x'), true),
            ("2", Some('x'), false),
            ("2", None, true),
        ] {
            assert_eq!(is_raised_word(words, before), expected, "{words} after {before:?}");
        }
    }
}
