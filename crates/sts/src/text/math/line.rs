//! The writer of a formula in one line: where blanks and brackets are.
//!
//! Two formulae that mean different things have different lines. A part of several operands is in brackets
//! where it becomes a base, a divisor, a radicand or an upper script: `(ab)^2`, `a/(bc)`, `√(ab)`. What is
//! written bare ends at a blank: `x^2 3`, `a/b c`.

/// Binary operators, which are written with space around them.
pub(super) const SPACED: &str = "=≠≈≃≅≡∼∝<>≤≥≦≧≪≫⩽⩾+−-±∓×·⋅÷∗*→←↔⇒⇐⇔↦∈∉⊂⊃⊆⊇∪∩∧∨≔≜≝:|";
/// Signs of sums, products and integrals, which await their operand.
const LARGE: &str = "∑∏∫∬∭∮⋃⋂";
/// Marks that are written at an operand without `^`.
const MARKS: &str = "′″‴'*°";
/// Operators that close what is before them.
const CLOSING: &str = ")]}⟩";

/// How the last operand of a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum OperandEnding {
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

/// An invisible operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::text) enum InvisibleOperator {
    Times,
    Comma,
    Application,
}

/// A part of a formula, written.
#[derive(Clone, Debug, Default)]
pub(in crate::text) struct FormulaPart {
    pub(in crate::text) text: String,
    /// Number of operands side by side.
    operands: usize,
    /// Whether the only operand has a lower or an upper script, which another could be taken for.
    has_sub: bool,
    has_sup: bool,
    /// Whether scripts are before its base.
    has_scripts_before: bool,
    /// Whether it is scripts alone.
    is_base_missing: bool,
    is_number: bool,
    is_fraction: bool,
    is_root: bool,
    ending: OperandEnding,
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

    /// Whether it is one operand, with at most a sign before it.
    fn is_single(&self) -> bool {
        is_enclosed(&self.text) || self.is_bare() && self.operands <= 1
    }

    /// Whether it is one run of operands; a number may have a decimal comma.
    fn is_bare(&self) -> bool {
        let is_number = |c: char| c.is_ascii_digit() || "−-+.,".contains(c);
        is_bare(&self.text) || self.is_number && self.operands <= 1 && self.text.chars().all(is_number)
    }

    /// The part as a base; it may have a lower script already where an upper one follows.
    fn base(&self, sub: bool, sup: bool) -> String {
        let signed = self.text.chars().count() > 1 && self.text.starts_with(['−', '-', '+']);
        let scripted = self.has_sup || self.has_scripts_before && (sub || sup) || self.has_sub && sub;
        let bare = is_enclosed(&self.text) || self.is_single() && !signed && !scripted;
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }

    fn lower_script(&self) -> String {
        // A lower script of several letters, as `x_ij`, needs no brackets, unless one of them has a script.
        let several = self.operands > 1 && self.text.contains(['_', '^']);
        let bare = is_bare_script(&self.text) && !several && !self.text.contains('^');
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }

    fn upper_script(&self) -> String {
        let bare = is_enclosed(&self.text)
            || is_bare_script(&self.text) && self.is_single() && !self.text.contains('_');
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }

    fn dividend(&self) -> String {
        let bare = self.is_bare() || self.is_root && self.operands <= 1 && self.text.starts_with('√');
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }

    fn divisor(&self) -> String {
        let bare = self.is_single() || self.is_root && self.operands <= 1 && self.text.starts_with('√');
        if bare { self.text.clone() } else { bracketed(&self.text) }
    }

    fn radicand(&self) -> String {
        if self.is_single() { self.text.clone() } else { bracketed(&self.text) }
    }

    /// The part as a member of a text that is not a product: `(m choose 2)`.
    pub(in crate::text) fn member(&self) -> String {
        if self.is_single() { self.text.clone() } else { bracketed(&self.text) }
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

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20f0}')
}

/// Whether a text is one run of operands without blanks and brackets, with at most a sign before it.
fn is_bare(text: &str) -> bool {
    let body = text.trim_start_matches(['−', '-', '+']);
    body.chars().all(|c| c.is_alphanumeric() || "._^′″*°∞∑∏∫".contains(c) || is_combining(c))
        || text.chars().count() == 1
        || is_enclosed(text)
}

/// Whether a text can be a script without brackets: what is written after it does not change it.
fn is_bare_script(text: &str) -> bool {
    if text.chars().count() == 1 || is_enclosed(text) {
        return true;
    }
    let body = text.trim_start_matches(['−', '-', '+']);
    let first_is_digit = body.starts_with(|c: char| c.is_ascii_digit());
    let digits_then_letters = first_is_digit && body.contains(char::is_alphabetic) && !body.contains('^');
    is_bare(text)
        && !body.is_empty()
        && !body.starts_with(['_', '^'])
        && !digits_then_letters
        && !body.contains(|c| MARKS.contains(c) || LARGE.contains(c))
}

/// Whether one pair of brackets holds the whole text.
fn is_enclosed(text: &str) -> bool {
    let Some(inner) = text.strip_prefix(['(', '[', '{']).and_then(|t| t.strip_suffix([')', ']', '}'])) else {
        return false;
    };
    let mut depth = 0i32;
    inner.chars().all(|c| {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        depth >= 0
    })
}

fn bracketed(text: &str) -> String {
    if is_enclosed(text) { text.to_owned() } else { format!("({text})") }
}

/// A line that is being written.
#[derive(Default)]
pub(in crate::text) struct MathLine {
    pub(in crate::text) out: String,
    /// Whether the last token is an operand, so that an operator after it is binary.
    operand: bool,
    /// Whether the last token is a name of several letters.
    word: bool,
    /// Number of operands.
    operands: usize,
    /// The last operand, but for its text.
    last: FormulaPart,
    /// Whether the last token is a sign of a sum, with its bounds.
    after_large: bool,
    /// The invisible operator after it.
    invisible: Option<InvisibleOperator>,
}

impl MathLine {
    /// The line as a part of another.
    pub(in crate::text) fn finish(self) -> FormulaPart {
        FormulaPart { text: self.out.trim().to_owned(), operands: self.operands, ..self.last }
    }

    /// Whether the line ends in a number.
    pub(in crate::text) fn ends_in_number(&self) -> bool {
        self.out.trim_end_matches('°').ends_with(|c: char| c.is_ascii_digit())
    }

    /// Parts the number at the end from its unit.
    pub(in crate::text) fn part_unit(&mut self) {
        let number = self.out.trim_end_matches('°').len();
        self.out.insert(number, ' ');
    }

    /// Writes an operand.
    pub(in crate::text) fn put(&mut self, part: &FormulaPart) {
        let text = part.text.as_str();
        if matches!(text, "°" | "′" | "″") && self.operand {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
        let Some(first) = text.chars().next() else { return };
        if part.is_base_missing {
            return self.put_scripts(part);
        }
        let joins = self.word || text.chars().take_while(|c| c.is_alphabetic()).count() > 1;
        let invisible = self.invisible.take();
        let between_digits = first.is_ascii_digit() && self.out.ends_with(|c: char| c.is_ascii_digit());
        match invisible {
            Some(InvisibleOperator::Times) if between_digits => self.out.push_str(" × "),
            Some(InvisibleOperator::Comma) if between_digits => self.out.push_str(", "),
            _ if self.is_apart(part, first, joins || invisible == Some(InvisibleOperator::Application)) => {
                self.out.push(' ');
            }
            _ => {}
        }
        // Next to another operand a sign would be read as an operator.
        let follows = self.operand || self.after_large;
        let signed_dividend = part.is_fraction && follows && text.starts_with(['−', '-', '+']);
        if signed_dividend && let Some((over, under)) = text.split_once('/') {
            self.out.push_str(&format!("({over})/{under}"));
        } else {
            self.out.push_str(text);
        }
        // The digits of a number may be in several elements.
        let goes_on = self.operand && self.last.is_number && part.is_number && invisible.is_none();
        self.operands += usize::from(!goes_on);
        self.operand = true;
        self.after_large = false;
        self.word = text.chars().rev().take_while(|c| c.is_alphabetic()).count() > 1;
        self.last = FormulaPart { text: String::new(), ..part.clone() };
    }

    /// Whether a blank parts the next operand from the one before it.
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
        match self.last.ending {
            OperandEnding::Divisor if !CLOSING.contains(first) => true,
            OperandEnding::Letters if next => true,
            OperandEnding::Digits if first.is_ascii_digit() => true,
            _ => joins && ends_in_letter && next || part.is_fraction && "−-+".contains(first),
        }
    }

    /// Writes scripts that have no base of their own: they are at the operand before them.
    fn put_scripts(&mut self, part: &FormulaPart) {
        let fits = match self.last.ending {
            _ if self.out.ends_with(' ') => false,
            OperandEnding::Divisor => false,
            _ if self.last.has_sup => false,
            _ => !self.last.has_sub || !part.text.starts_with('_'),
        };
        if self.operand && !fits && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.out.push_str(&part.text);
        let alone = self.operands == 0;
        self.operands = self.operands.max(1);
        self.operand = true;
        self.word = false;
        self.last.is_base_missing = alone;
        self.last.has_sub |= part.has_sub;
        self.last.has_sup |= part.has_sup;
        (self.last.ending, self.last.is_number, self.invisible) = (part.ending, false, None);
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

    pub(in crate::text) fn operator(&mut self, operator: &str) {
        self.invisible = None;
        self.after_large = operator.chars().all(|c| LARGE.contains(c));
        // A blank before a mark that is at the operand, as `22°`, is not printed.
        if "),]}⟩;.!°′″".contains(operator) && self.operand {
            self.out.truncate(self.out.trim_end_matches(' ').len());
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
                self.operands += usize::from(!SPACED.contains(operator));
                self.out.push_str(operator);
                self.operand = false;
            }
        }
        self.word = false;
        self.last = FormulaPart::default();
    }

    pub(in crate::text) fn invisible(&mut self, operator: InvisibleOperator) {
        self.invisible = Some(operator);
    }

    /// Writes a blank after an operand, so that the next scripts are not its own.
    pub(in crate::text) fn part_from_operand(&mut self) {
        if self.operand {
            self.space();
        }
    }

    /// Writes a blank that the source states.
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
}
