//! Short TeX formulae in one line, as MathML is written, for titles and captions.
//!
//! It reads what titles have: letters, numbers, signs, scripts, fractions, roots, Greek letters, upright
//! words. A formula with any other command is left as its source.

use super::math::{FormulaPart, MathLine};

/// Commands that are one sign or letter, and it.
const SIGNS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("varepsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("vartheta", "ϑ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("varphi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("infty", "∞"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("circ", "°"),
    ("prime", "′"),
    ("ldots", "…"),
    ("dots", "…"),
    ("cdots", "…"),
    ("percent", "%"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("log", "log"),
    ("ln", "ln"),
    ("lim", "lim"),
    ("max", "max"),
    ("min", "min"),
];

/// Commands that are an operator, and it.
const OPERATORS: &[(&str, &str)] = &[
    ("times", "×"),
    ("cdot", "⋅"),
    ("div", "÷"),
    ("pm", "±"),
    ("mp", "∓"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("approx", "≈"),
    ("equiv", "≡"),
    ("sim", "∼"),
    ("propto", "∝"),
    ("to", "→"),
    ("rightarrow", "→"),
    ("in", "∈"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("%", "%"),
    ("{", "{"),
    ("}", "}"),
];

/// Commands that set their argument in another type.
const TYPES: &[&str] = &["mathrm", "text", "textrm", "mathit", "mathbf", "mathsf", "operatorname", "mathop"];
/// Commands that are a blank, and those that only move or size what is there.
const BLANKS: &[&str] = &[",", ";", ":", " ", "quad", "qquad", "enspace", "thinspace"];
const WITHOUT_WORDS: &[&str] = &["left", "right", "!", "displaystyle", "textstyle", "limits", "big", "Big"];
/// Most parts within parts.
const DEPTH: usize = 32;

/// A formula in one line; `None` where it has a command that is not known.
pub(super) fn line(source: &str) -> Option<String> {
    let mut reader = TexReader { rest: source.trim() };
    let part = reader.row(0, None)?;
    reader.rest.is_empty().then_some(part.text)
}

/// True if a text may have marks of type that print does not show.
pub(super) fn has_marks(text: &str) -> bool {
    memchr::memchr3(b'`', b'$', b'\\', text.as_bytes()).is_some()
}

/// A short text without the marks of type that an author wrote for a tool, and that came through: backticks
/// around code, TeX between its delimiters.
pub(super) fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'`', b'$', b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((printed, after)) = printed_of_marked(rest) {
            out.push_str(&printed);
            rest = after;
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out + rest
}

/// What print shows of the marked words that a text begins with, and the text after them.
fn printed_of_marked(text: &str) -> Option<(String, &str)> {
    if let Some(code) = text.strip_prefix('`') {
        let (code, after) = code.split_once('`')?;
        return if code.is_empty() { None } else { Some((code.to_owned(), after)) };
    }
    if let Some(formula) = text.strip_prefix('$') {
        let (formula, after) = formula.split_once('$')?;
        // `$5 and $6` are prices.
        let is_tex = formula.contains(['\\', '^', '_']);
        return if is_tex { Some((line(formula)?, after)) } else { None };
    }
    let (formula, after) = text.strip_prefix("\\(")?.split_once("\\)")?;
    Some((line(formula)?, after))
}

struct TexReader<'a> {
    rest: &'a str,
}

impl TexReader<'_> {
    fn skip(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Reads up to a closing sign, which it takes, or to the end.
    fn row(&mut self, depth: usize, close: Option<char>) -> Option<FormulaPart> {
        let mut line = MathLine::default();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() {
                return close.is_none().then(|| line.finish());
            }
            if close.is_some_and(|close| self.skip(close)) {
                return Some(line.finish());
            }
            self.element(&mut line, depth)?;
        }
    }

    /// Writes the next operand with its scripts, or the next operator.
    fn element(&mut self, line: &mut MathLine, depth: usize) -> Option<()> {
        if let Some(command) = self.command() {
            return self.element_of_command(line, &command, depth);
        }
        let c = self.rest.chars().next()?;
        match c {
            '{' => {
                self.rest = &self.rest[1..];
                let part = self.row(self.deeper(depth)?, Some('}'))?;
                self.scripted(line, Some(part), "", depth)
            }
            '_' | '^' => self.scripted(line, Some(FormulaPart::default()), "", depth),
            '}' | '&' | '#' | '$' | '\\' => None,
            c if c.is_ascii_digit() => {
                let end =
                    self.rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(self.rest.len());
                let number = FormulaPart::number(&self.rest[..end]);
                self.rest = &self.rest[end..];
                self.scripted(line, Some(number), "", depth)
            }
            c => {
                self.rest = &self.rest[c.len_utf8()..];
                let sign = printed_sign(c);
                if c.is_alphanumeric() {
                    return self.scripted(line, Some(FormulaPart::token(sign)), "", depth);
                }
                self.scripted(line, None, &sign, depth)
            }
        }
    }

    fn element_of_command(&mut self, line: &mut MathLine, command: &str, depth: usize) -> Option<()> {
        if BLANKS.contains(&command) {
            line.stated_space();
            return Some(());
        }
        if WITHOUT_WORDS.contains(&command) {
            return Some(());
        }
        if let Some((_, sign)) = OPERATORS.iter().find(|(name, _)| *name == command) {
            return self.scripted(line, None, sign, depth);
        }
        let part = self.part_of_command(command, depth)?;
        self.scripted(line, Some(part), "", depth)
    }

    /// The depth of a part within one of this depth; `None` where it is too deep to be read.
    fn deeper(&self, depth: usize) -> Option<usize> {
        (depth < DEPTH).then_some(depth + 1)
    }

    /// The name of the command that comes next.
    fn command(&mut self) -> Option<String> {
        let after = self.rest.strip_prefix('\\')?;
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let end = if letters > 0 { letters } else { after.chars().next().map_or(0, char::len_utf8) };
        let name = after[..end].to_owned();
        self.rest = &after[end..];
        Some(name)
    }

    fn part_of_command(&mut self, command: &str, depth: usize) -> Option<FormulaPart> {
        if let Some((_, sign)) = SIGNS.iter().find(|(name, _)| *name == command) {
            return Some(FormulaPart::token(*sign));
        }
        if TYPES.contains(&command) {
            let words = self.words()?;
            return Some(FormulaPart::token(words));
        }
        match command {
            "frac" | "dfrac" | "tfrac" => {
                let (over, under) = (self.argument(depth)?, self.argument(depth)?);
                Some(FormulaPart::fraction(&over, &under))
            }
            "sqrt" => {
                self.rest = self.rest.trim_start();
                if self.skip('[') {
                    let degree = self.row(self.deeper(depth)?, Some(']'))?;
                    return Some(FormulaPart::root_of_degree(&self.argument(depth)?, &degree));
                }
                Some(FormulaPart::root(&self.argument(depth)?))
            }
            "bar" | "overline" => Some(self.argument(depth)?.with_accent('\u{304}', "¯")),
            "hat" => Some(self.argument(depth)?.with_accent('\u{302}', "^")),
            "vec" => Some(self.argument(depth)?.with_accent('\u{20d7}', "→")),
            "dot" => Some(self.argument(depth)?.with_accent('\u{307}', "˙")),
            _ => None,
        }
    }

    /// The words of a command for type: those between braces.
    fn words(&mut self) -> Option<String> {
        let (words, rest) = self.rest.trim_start().strip_prefix('{')?.split_once('}')?;
        let plain = !words.contains(['\\', '{', '$', '_', '^']);
        self.rest = rest;
        plain.then(|| words.trim().to_owned())
    }

    /// The argument of a command: a group or one token.
    fn argument(&mut self, depth: usize) -> Option<FormulaPart> {
        let depth = self.deeper(depth)?;
        self.rest = self.rest.trim_start();
        if self.skip('{') {
            return self.row(depth, Some('}'));
        }
        if let Some(command) = self.command() {
            return self.part_of_command(&command, depth);
        }
        let c = self.rest.chars().next()?;
        if !c.is_alphanumeric() && !"+-*′'".contains(c) {
            return None;
        }
        self.rest = &self.rest[c.len_utf8()..];
        let text = printed_sign(c);
        Some(if c.is_ascii_digit() { FormulaPart::number(text) } else { FormulaPart::token(text) })
    }

    /// Writes an operand or operator with the scripts that follow it.
    fn scripted(
        &mut self,
        line: &mut MathLine,
        part: Option<FormulaPart>,
        operator: &str,
        depth: usize,
    ) -> Option<()> {
        let (mut sub, mut sup) = (FormulaPart::default(), FormulaPart::default());
        loop {
            self.rest = self.rest.trim_start();
            if self.skip('_') {
                sub = self.argument(depth)?;
            } else if self.skip('^') {
                sup = self.argument(depth)?;
            } else {
                break;
            }
        }
        let plain = sub.is_empty() && sup.is_empty();
        match part {
            Some(part) if plain => line.put(&part),
            Some(part) => line.put_scripted(&part.text, &part.with_scripts(&sub, &sup)),
            None if plain => line.operator(operator),
            None => line.put_scripted(operator, &FormulaPart::token(operator).with_scripts(&sub, &sup)),
        }
        Some(())
    }
}

/// A sign of TeX as print shows it.
fn printed_sign(sign: char) -> String {
    match sign {
        '-' => "−".to_owned(),
        '\'' => "′".to_owned(),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{line, without_marks};

    #[test]
    fn marks_of_type_are_away_and_other_signs_stay() {
        for (text, printed) in [
            ("Use of `open`", "Use of open"),
            ("Area $x^2$ of \\(h_1\\)", "Area x^2 of h_1"),
            ("From $5 to $6", "From $5 to $6"),
            ("A ` alone and C:\\x", "A ` alone and C:\\x"),
            ("$\\ce{H2O}$", "$\\ce{H2O}$"),
        ] {
            assert_eq!(without_marks(text), printed, "{text}");
        }
    }

    #[test]
    fn a_short_formula_is_one_line_and_one_with_other_commands_is_none() {
        for (source, expected) in [
            ("v = \\frac{s}{t}", Some("v = s/t")),
            ("w_{\\mathrm{max}}", Some("w_max")),
            ("x^2 + \\sqrt{ab}", Some("x^2 + √(ab)")),
            ("\\alpha_1\\,\\beta", Some("α_1 β")),
            ("\\sqrt[3]{x}", Some("x^(1/3)")),
            ("-5\\text{ mm}", Some("−5 mm")),
            ("\\frac12", Some("1/2")),
            ("\\left(a+b\\right)^2", Some("(a + b)^2")),
            ("\\sum_{i=1}^n x_i", Some("∑_(i = 1)^n x_i")),
            ("\\bar x", Some("x\u{304}")),
            ("20^\\circ", Some("20°")),
            ("\\begin{matrix}a\\end{matrix}", None),
            ("\\ce{H2O}", None),
            ("{a", None),
            ("a}", None),
            ("\\frac", None),
        ] {
            assert_eq!(line(source).as_deref(), expected, "{source}");
        }
    }
}
