//! A part of a formula in one line: where its brackets are.
//!
//! A part of several operands is in brackets where it becomes a base, a divisor, a radicand or an upper
//! script: `(ab)^2`, `a/(bc)`, `√(ab)`.

/// Signs of sums, products and integrals, which await their operand.
pub(super) const LARGE: &str = "∑∏∫∬∭∮⋃⋂";
/// Marks that are written at an operand without `^`.
pub(super) const MARKS: &str = "′″‴'*°";

/// How the last operand of a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum OperandEnding {
    /// By itself: a token, a bracket.
    #[default]
    Closed,
    /// In a bare script of digits, which the next digit would lengthen.
    Digits,
    /// In a bare script that the next letter or digit would lengthen.
    Letters,
    /// In a divisor or radicand: each operand after it would be read as a part of it.
    Divisor,
}

/// A part of a formula, written.
#[derive(Clone, Debug, Default)]
pub(in crate::text) struct FormulaPart {
    pub(in crate::text) text: String,
    /// Number of operands side by side.
    pub(super) operands: usize,
    /// True where the only operand has a lower script, which another could be taken for.
    pub(super) has_sub: bool,
    /// True where the only operand has an upper script.
    pub(super) has_sup: bool,
    /// True where scripts are before the base.
    pub(super) has_scripts_before: bool,
    /// True for scripts alone, which are those of the operand before them.
    pub(super) is_base_missing: bool,
    pub(super) is_number: bool,
    pub(super) is_fraction: bool,
    pub(super) is_root: bool,
    pub(super) ending: OperandEnding,
}

impl FormulaPart {
    /// A token, or what reads as one.
    pub(in crate::text) fn token(text: impl Into<String>) -> Self {
        Self { text: text.into(), operands: 1, ..Self::default() }
    }

    pub(in crate::text) fn number(text: impl Into<String>) -> Self {
        Self { is_number: true, ..Self::token(text) }
    }

    pub(in crate::text) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(in crate::text) fn fraction(over: &Self, under: &Self) -> Self {
        let text = format!("{}/{}", over.dividend(), under.divisor());
        Self { is_fraction: true, ending: OperandEnding::Divisor, ..Self::token(text) }
    }

    pub(in crate::text) fn root(inner: &Self) -> Self {
        let text = format!("√{}", inner.radicand());
        Self { is_root: true, ending: OperandEnding::Divisor, ..Self::token(text) }
    }

    /// A root of a degree, as a power: `x^(1/3)`.
    pub(in crate::text) fn root_of_degree(inner: &Self, degree: &Self) -> Self {
        let degree = if degree.is_empty() { "2".to_owned() } else { degree.divisor() };
        inner.with_scripts(&Self::default(), &Self::token(format!("(1/{degree})")))
    }

    /// The part with scripts after it.
    pub(in crate::text) fn with_scripts(&self, sub: &Self, sup: &Self) -> Self {
        let mut part = Self { text: self.base(!sub.is_empty(), !sup.is_empty()), ..Self::token("") };
        part.is_base_missing = part.text.is_empty();
        part.has_sub = self.has_sub && part.text == self.text;
        part.has_scripts_before = self.has_scripts_before && part.text == self.text;
        if !sub.is_empty() {
            let sub = sub.lower_script();
            part.ending = ending_of(&sub);
            part.text += "_";
            part.text += &sub;
            part.has_sub = true;
        }
        if is_mark(&sup.text) {
            part.text += &sup.text;
            // The mark ends the scripts: what is written after it is written at the whole.
            (part.has_sub, part.ending) = (false, OperandEnding::Closed);
        } else if !sup.is_empty() {
            let sup = sup.upper_script();
            part.ending = ending_of(&sup);
            part.text += "^";
            part.text += &sup;
            part.has_sup = true;
        }
        part
    }

    /// The part with more pairs of scripts after those that it has.
    pub(in crate::text) fn with_next_scripts(mut self, sub: &Self, sup: &Self) -> Self {
        // `x_i^j` has one script over the other; a blank shows that these are not.
        if !self.has_sup || sub.is_empty() {
            self.text.push(' ');
        }
        let next = Self::default().with_scripts(sub, sup);
        self.text += &next.text;
        Self { ending: next.ending, has_sub: true, has_sup: true, ..self }
    }

    /// The part as a base that scripts may surround.
    pub(in crate::text) fn closed_base(&self) -> Self {
        Self::token(self.base(true, true))
    }

    /// A base and the scripts after it, with scripts before them.
    pub(in crate::text) fn with_scripts_before(mut self, sub: &Self, sup: &Self) -> Self {
        let before = Self::default().with_scripts(sub, sup);
        let first = self.text.chars().next().unwrap_or(' ');
        let runs_on = match before.ending {
            OperandEnding::Letters => first.is_alphanumeric(),
            OperandEnding::Digits => first.is_ascii_digit(),
            OperandEnding::Closed | OperandEnding::Divisor => false,
        };
        let scripts = if runs_on { in_brackets(sub, sup) } else { before.text };
        self.text.insert_str(0, &scripts);
        self.has_scripts_before = true;
        self
    }

    /// A combining mark over or through one character, or else a script.
    pub(in crate::text) fn with_accent(&self, mark: char, script: &str) -> Self {
        let mut characters = self.text.chars();
        if characters.next().is_some() && characters.next().is_none() {
            return Self::token(format!("{}{mark}", self.text));
        }
        let part = self.with_scripts(&Self::default(), &Self::token(script));
        Self { ending: OperandEnding::Closed, ..part }
    }

    /// True if it is one operand, with at most a sign before it.
    fn is_single(&self) -> bool {
        is_enclosed(&self.text) || self.is_bare() && self.operands <= 1
    }

    /// True if it is one run of operands; a number may have a decimal comma.
    fn is_bare(&self) -> bool {
        if is_bare(&self.text) {
            return true;
        }
        self.is_number
            && self.operands <= 1
            && self.text.chars().all(|c| c.is_ascii_digit() || "−-+.,".contains(c))
    }

    /// The part as a base; it may have a lower script already where an upper one follows.
    fn base(&self, sub: bool, sup: bool) -> String {
        let is_signed = self.text.chars().count() > 1 && self.text.starts_with(['−', '-', '+']);
        let has_script = self.has_sup || self.has_scripts_before && (sub || sup) || self.has_sub && sub;
        self.bracketed_unless(is_enclosed(&self.text) || self.is_single() && !is_signed && !has_script)
    }

    fn lower_script(&self) -> String {
        // A lower script of several letters, as `x_ij`, needs no brackets, unless one of them has a script.
        let has_script_within = self.operands > 1 && self.text.contains(['_', '^']);
        let has_power = self.text.contains('^');
        self.bracketed_unless(is_bare_script(&self.text) && !has_script_within && !has_power)
    }

    fn upper_script(&self) -> String {
        let is_plain = is_bare_script(&self.text) && self.is_single() && !self.text.contains('_');
        self.bracketed_unless(is_enclosed(&self.text) || is_plain)
    }

    fn dividend(&self) -> String {
        self.bracketed_unless(self.is_bare() || self.is_single_root())
    }

    fn divisor(&self) -> String {
        self.bracketed_unless(self.is_single() || self.is_single_root())
    }

    /// True if it is a root alone, whose sign shows where it begins: `√2/3`.
    fn is_single_root(&self) -> bool {
        self.is_root && self.operands <= 1 && self.text.starts_with('√')
    }

    fn radicand(&self) -> String {
        self.bracketed_unless(self.is_single())
    }

    /// The part as a member of a text that is not a product: `(m choose 2)`.
    pub(in crate::text) fn member(&self) -> String {
        self.bracketed_unless(self.is_single())
    }

    fn bracketed_unless(&self, bare: bool) -> String {
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }
}

/// Scripts before a base that they would run into.
fn in_brackets(sub: &FormulaPart, sup: &FormulaPart) -> String {
    let mut text = String::new();
    for (sign, script) in [('_', sub), ('^', sup)] {
        if !script.is_empty() {
            text = format!("{text}{sign}{}", bracketed(&script.text));
        }
    }
    text
}

fn is_mark(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| MARKS.contains(c)) && characters.next().is_none()
}

/// How a part ends whose last script is this text.
fn ending_of(script: &str) -> OperandEnding {
    let run = script.trim_end_matches(|c: char| c.is_alphanumeric() || c == '.' || is_combining(c));
    match &script[run.len()..] {
        "" => OperandEnding::Closed,
        run if run.chars().all(|c| c.is_ascii_digit() || c == '.') => OperandEnding::Digits,
        _ => OperandEnding::Letters,
    }
}

pub(super) fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20f0}')
}

/// True if a text is one run of operands without blanks and brackets, with at most a sign before it.
fn is_bare(text: &str) -> bool {
    if text.chars().count() == 1 || is_enclosed(text) {
        return true;
    }
    let body = text.trim_start_matches(['−', '-', '+']);
    body.chars().all(|c| c.is_alphanumeric() || "._^′″*°∞∑∏∫".contains(c) || is_combining(c))
}

/// True if a text can be a script without brackets: what is written after it does not change it.
fn is_bare_script(text: &str) -> bool {
    if text.chars().count() == 1 || is_enclosed(text) {
        return true;
    }
    let body = text.trim_start_matches(['−', '-', '+']);
    if body.is_empty() || !is_bare(text) {
        return false;
    }
    // A script of a script has a base.
    if body.starts_with(['_', '^']) {
        return false;
    }
    // `H_2O` has a script of one digit.
    let begins_with_digit = body.starts_with(|c: char| c.is_ascii_digit());
    if begins_with_digit && body.contains(char::is_alphabetic) && !body.contains('^') {
        return false;
    }
    !body.contains(|c| MARKS.contains(c) || LARGE.contains(c))
}

/// True if one pair of brackets or bars holds the whole text.
pub(super) fn is_enclosed(text: &str) -> bool {
    if let Some(inner) = text.strip_prefix('|').and_then(|text| text.strip_suffix('|')) {
        return !inner.is_empty() && !inner.contains('|');
    }
    let Some(inner) = text.strip_prefix(['(', '[', '{']).and_then(|t| t.strip_suffix([')', ']', '}'])) else {
        return false;
    };
    // Of `(a)(b)` the first bracket is closed before the last one opens.
    let mut depth = 0_usize;
    for c in inner.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return false,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    true
}

pub(super) fn bracketed(text: &str) -> String {
    if is_enclosed(text) { text.to_owned() } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::{is_bare_script, is_enclosed};

    #[test]
    fn one_pair_of_brackets_or_bars_encloses_a_text() {
        for text in ["(a + b)", "[a(b)c]", "|x|"] {
            assert!(is_enclosed(text), "{text}");
        }
        for text in ["(a)(b)", "|a||b|", "||", "a", "(a"] {
            assert!(!is_enclosed(text), "{text}");
        }
    }

    #[test]
    fn a_script_is_bare_where_nothing_after_it_changes_it() {
        for text in ["2", "max", "−1", "x^2", "(a b)"] {
            assert!(is_bare_script(text), "{text}");
        }
        for text in ["a b", "2O", "x*", "−+", "_a"] {
            assert!(!is_bare_script(text), "{text}");
        }
    }
}
