//! The writer of a formula in one line: where its blanks are.
//!
//! Two formulae that mean different things have different lines: parts have brackets (`part.rs`), and what is
//! written bare ends at a blank: `x^2 3`, `a/b c`.

use super::part::{FormulaPart, LARGE, MARKS, OperandEnding, bracketed, is_combining, is_enclosed};

/// Binary operators, which are written with space around them.
pub(super) const SPACED: &str = "=≠≈≃≅≡∼∝<>≤≥≦≧≪≫⩽⩾+−-±∓×·⋅÷∗*→←↔⇒⇐⇔↦∈∉⊂⊃⊆⊇∪∩∧∨≔≜≝:|";
/// Operators that close what is before them.
const CLOSING: &str = ")]}⟩";

/// An invisible operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::text) enum InvisibleOperator {
    Times,
    Comma,
    Application,
}

/// A line that is being written.
#[derive(Default)]
pub(in crate::text) struct MathLine {
    pub(in crate::text) out: String,
    /// True after an operand, so that an operator that follows is binary.
    operand: bool,
    /// True after a name of several letters, which a letter would lengthen.
    word: bool,
    /// Operands side by side that are written.
    operands: usize,
    /// The last operand, but for its text.
    last: FormulaPart,
    /// True after a sign of a sum, with its bounds.
    after_large: bool,
    /// The invisible operator after the last operand.
    invisible: Option<InvisibleOperator>,
    /// Number of bars that opened an absolute value and are not closed.
    open_bars: usize,
}

impl MathLine {
    /// The line as a part of another.
    pub(in crate::text) fn finish(self) -> FormulaPart {
        FormulaPart { text: self.out.trim().to_owned(), operands: self.operands, ..self.last }
    }

    /// True after a number, also in degrees: a unit may follow.
    pub(in crate::text) fn ends_in_number(&self) -> bool {
        self.out.trim_end_matches('°').ends_with(|c: char| c.is_ascii_digit())
    }

    /// Parts the number at the end from its unit.
    pub(in crate::text) fn part_unit(&mut self) {
        let number = self.out.trim_end_matches('°').len();
        self.out.insert(number, ' ');
    }

    /// Writes an operand, apart from one before it where the two would be read as one.
    pub(in crate::text) fn put(&mut self, part: &FormulaPart) {
        let text = part.text.as_str();
        if matches!(text, "°" | "′" | "″") && self.operand {
            self.trim_end();
        }
        let Some(first) = text.chars().next() else { return };
        if part.is_base_missing {
            return self.put_scripts(part);
        }
        let invisible = self.invisible.take();
        self.part_operands(part, first, invisible);
        // Next to another operand a sign would be read as an operator.
        let follows = self.operand || self.after_large;
        let is_signed_dividend = part.is_fraction && follows && text.starts_with(['−', '-', '+']);
        if is_signed_dividend && let Some((over, under)) = text.split_once('/') {
            self.out.push_str(&format!("({over})/{under}"));
        } else {
            self.out.push_str(text);
        }
        // The digits of a number may be in several elements.
        let goes_on = self.operand && self.last.is_number && part.is_number && invisible.is_none();
        if !goes_on {
            self.operands += 1;
        }
        self.operand = true;
        self.after_large = false;
        self.word = text.chars().rev().take_while(|c| c.is_alphabetic()).count() > 1;
        self.last = FormulaPart { text: String::new(), ..part.clone() };
    }

    /// Parts the next operand from the one before it, by the sign of an invisible operator or by a blank.
    fn part_operands(&mut self, part: &FormulaPart, first: char, invisible: Option<InvisibleOperator>) {
        let between_digits = first.is_ascii_digit() && self.out.ends_with(|c: char| c.is_ascii_digit());
        if between_digits && invisible == Some(InvisibleOperator::Times) {
            self.out.push_str(" × ");
        } else if between_digits && invisible == Some(InvisibleOperator::Comma) {
            self.out.push_str(", ");
        } else {
            let begins_with_word = part.text.chars().take_while(|c| c.is_alphabetic()).count() > 1;
            let is_argument = invisible == Some(InvisibleOperator::Application);
            if self.is_apart(part, first, self.word || begins_with_word || is_argument) {
                self.out.push(' ');
            }
        }
    }

    /// True if a blank parts the next operand from the one before it. `joins` says that letters of the two
    /// would be read as one word.
    fn is_apart(&self, part: &FormulaPart, first: char, joins: bool) -> bool {
        let next = first.is_alphanumeric();
        let ends_in_letter = self.out.ends_with(|c: char| c.is_alphanumeric() || is_combining(c));
        // `2 a/b` is a product with a fraction, `∑ a/b` the sum of fractions.
        let ends_in_operand =
            ends_in_letter || self.out.ends_with(|c| LARGE.contains(c) || MARKS.contains(c));
        if part.is_fraction && ends_in_operand && (next || LARGE.contains(first)) {
            return true;
        }
        let begins_with_script = part.has_scripts_before || matches!(first, '_' | '^');
        if begins_with_script && (self.operand || self.after_large) {
            return !self.out.ends_with(' ');
        }
        if !self.operand || self.out.ends_with(' ') {
            return false;
        }
        let lengthens = match self.last.ending {
            OperandEnding::Divisor => !CLOSING.contains(first),
            OperandEnding::Letters => next,
            OperandEnding::Digits => first.is_ascii_digit(),
            OperandEnding::Closed => false,
        };
        let is_signed_fraction = part.is_fraction && "−-+".contains(first);
        lengthens || joins && ends_in_letter && next || is_signed_fraction
    }

    /// Writes scripts that have no base of their own: they are at the operand before them.
    fn put_scripts(&mut self, part: &FormulaPart) {
        if self.operand && !self.can_have_scripts(part) && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push_str(&part.text);
        let is_alone = self.operands == 0;
        self.operands = self.operands.max(1);
        self.operand = true;
        self.word = false;
        self.invisible = None;
        self.last.is_base_missing = is_alone;
        self.last.is_number = false;
        self.last.has_sub |= part.has_sub;
        self.last.has_sup |= part.has_sup;
        self.last.ending = part.ending;
    }

    /// True if scripts after the last operand are read as its own.
    fn can_have_scripts(&self, scripts: &FormulaPart) -> bool {
        if self.last.ending == OperandEnding::Divisor || self.last.has_sup {
            return false;
        }
        !(self.last.has_sub && scripts.text.starts_with('_'))
    }

    /// Writes an operand that is itself an operator with scripts: a sum with its bounds, a relation with a
    /// word over it.
    pub(in crate::text) fn put_scripted(&mut self, base: &str, part: &FormulaPart) {
        let large = !base.is_empty() && base.chars().all(|c| LARGE.contains(c));
        let relation = self.operand && base.chars().count() == 1 && SPACED.contains(base) && base != "|";
        if relation {
            self.space();
            self.out.push_str(&part.text);
        } else {
            self.put(part);
        }
        if large || relation {
            self.out.push(' ');
            self.operand = false;
            self.invisible = None;
            self.after_large = large;
        }
    }

    /// Writes an operator: with blanks around it between two operands, at the one next to it otherwise.
    pub(in crate::text) fn operator(&mut self, operator: &str) {
        self.invisible = None;
        if operator == "|" {
            return self.bar();
        }
        self.after_large = operator.chars().all(|c| LARGE.contains(c));
        // A blank before a mark that is at the operand, as `22°`, is not printed.
        if "),]}⟩;.!°′″".contains(operator) && self.operand {
            self.trim_end();
        }
        match operator {
            "," | ";" => {
                self.out.push_str(operator);
                self.out.push(' ');
                self.operand = false;
            }
            "%" | "‰" if self.out.ends_with(|c: char| c.is_ascii_digit()) => {
                self.out.push(' ');
                self.out.push_str(operator);
                self.operand = true;
            }
            ")" | "]" | "}" | "⟩" | "!" | "%" | "′" | "″" | "°" => {
                self.out.push_str(operator);
                self.operand = true;
            }
            _ if SPACED.contains(operator) && self.operand => {
                self.space();
                self.out.push_str(operator);
                self.out.push(' ');
                self.operand = false;
            }
            _ if operator.chars().all(char::is_alphabetic) => {
                self.put(&FormulaPart::token(operator));
                self.operand = false;
            }
            _ => {
                // A sign that begins a line is not one of its operands: `−x`.
                if !SPACED.contains(operator) {
                    self.operands += 1;
                }
                self.out.push_str(operator);
                self.operand = false;
            }
        }
        self.word = false;
        self.last = FormulaPart::default();
    }

    /// Writes a vertical bar: one where an operand is awaited opens an absolute value, the next one after an
    /// operand closes it. Others are operators: `p(a | b)`.
    fn bar(&mut self) {
        let closes = self.operand && self.open_bars > 0;
        if !self.operand {
            self.open_bars += 1;
            self.operands += 1;
            self.out.push('|');
        } else if closes {
            self.open_bars -= 1;
            self.trim_end();
            self.out.push('|');
        } else {
            self.space();
            self.out.push_str("| ");
        }
        self.operand = closes;
        self.word = false;
        self.after_large = false;
        self.last = FormulaPart::default();
    }

    /// Writes the argument of a function: in brackets where it has several terms, which print may leave out.
    pub(in crate::text) fn argument(&mut self, part: &FormulaPart) {
        let has_terms = part.text.contains(' ') && part.operands > 1;
        if has_terms && !is_enclosed(&part.text) {
            self.put(&FormulaPart::token(bracketed(&part.text)));
        } else {
            self.put(part);
        }
    }

    /// True after a function, whose argument the next operand is.
    pub(in crate::text) fn awaits_argument(&self) -> bool {
        self.invisible == Some(InvisibleOperator::Application)
    }

    /// Sets the invisible operator before the next operand.
    pub(in crate::text) fn invisible(&mut self, operator: InvisibleOperator) {
        self.invisible = Some(operator);
    }

    /// Writes a blank after an operand, so that the next scripts are not its own.
    pub(in crate::text) fn part_from_operand(&mut self) {
        if self.operand {
            self.space();
        }
    }

    /// Writes a blank that the source states, which is shown after an operand alone.
    pub(in crate::text) fn stated_space(&mut self) {
        if self.operand {
            self.space();
        }
    }

    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
    }

    fn trim_end(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
    }
}
