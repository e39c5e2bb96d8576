//! Formulae as one line of text: `t_90`, `x^2`, `(a + b)/c`.

use crate::text::{has_invisible, is_invisible};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

/// Binary operators, which are written with space around them.
const SPACED: &str = "=≠≈≃≅≡∼∝<>≤≥≦≧≪≫⩽⩾+−-±∓×·⋅÷∗*→←↔⇒⇐⇔↦∈∉⊂⊃⊆⊇∪∩∧∨≔≜≝:|";
/// Accents over one character, and the combining mark for each.
const ACCENTS: &[(&str, char)] = &[
    ("¯", '\u{304}'),
    ("‾", '\u{304}'),
    ("\u{305}", '\u{304}'),
    ("_", '\u{304}'),
    ("^", '\u{302}'),
    ("ˆ", '\u{302}'),
    ("\u{302}", '\u{302}'),
    ("~", '\u{303}'),
    ("˜", '\u{303}'),
    ("→", '\u{20d7}'),
    ("⃗", '\u{20d7}'),
    ("˙", '\u{307}'),
    (".", '\u{307}'),
    ("¨", '\u{308}'),
];

/// Writes MathML as one line.
pub(crate) fn linear(node: XmlNode<'_>) -> String {
    let mut line = MathLine::default();
    line.row(node);
    line.out.trim().to_owned()
}

/// A line that is being written, and the kind of its last token.
#[derive(Default)]
struct MathLine {
    out: String,
    /// Whether the last token is an operand, so that an operator after it is binary.
    operand: bool,
    /// Whether the last token is a name of several letters.
    word: bool,
}

impl MathLine {
    fn row(&mut self, node: XmlNode<'_>) {
        node.children().for_each(|child| self.node(child));
    }

    fn node(&mut self, node: XmlNode<'_>) {
        match node.name() {
            Name::Other | Name::Mphantom | Name::Annotation | Name::AnnotationXml | Name::None => {}
            Name::Maligngroup | Name::Malignmark | Name::Mprescripts => {}
            Name::Text => {
                if let Some(words) = node.normalized_text() {
                    self.put(&words);
                }
            }
            Name::Mi | Name::Mn | Name::Mtext | Name::Ms => {
                let Some(words) = visible_words(node) else { return };
                if node.name() == Name::Mi && is_sign(&words) {
                    return self.operator(&words);
                }
                let number = self.out.trim_end_matches('°');
                if number.ends_with(|c: char| c.is_ascii_digit()) && is_unit(node, &words, &self.out) {
                    self.out.insert(number.len(), ' ');
                }
                self.put(&words);
            }
            Name::Mo => {
                if let Some(operator) = visible_words(node) {
                    self.operator(&operator);
                }
            }
            Name::Mspace => self.space(),
            Name::Semantics | Name::Maction => node.elements().take(1).for_each(|n| self.node(n)),
            Name::Mfrac => {
                let [over, under] = parts(node);
                self.put(&match (has_bar(node), is_in_parentheses(node)) {
                    (true, _) => format!("{}/{}", bracketed(&over), bracketed(&under)),
                    (false, true) => format!("{} choose {}", bracketed(&over), bracketed(&under)),
                    (false, false) => format!("{over}, {under}"),
                });
            }
            Name::Msqrt => {
                let inner = linear(node);
                self.put(&format!("√{}", bracketed(&inner)));
            }
            Name::Mroot => {
                let [base, index] = parts(node);
                let index = if index.is_empty() { "2".to_owned() } else { index };
                self.put(&format!("{}^(1/{})", bracketed(&base), bracketed(&index)));
            }
            Name::Msub | Name::Munder => {
                let [base, sub] = parts(node);
                self.scripted(&base, &sub, "");
            }
            Name::Msup => {
                let [base, sup] = parts(node);
                self.scripted(&base, "", &sup);
            }
            Name::Msubsup | Name::Munderover => {
                let [base, sub, sup] = parts(node);
                self.scripted(&base, &sub, &sup);
            }
            Name::Mover => {
                let [base, over] = parts(node);
                self.accented(&base, &over);
            }
            Name::Mmultiscripts => self.multiscripts(node),
            Name::Mfenced => self.fenced(node),
            Name::Mtable => self.put(&table_text(node)),
            _ => self.row(node),
        }
    }

    /// Writes an operand.
    fn put(&mut self, text: &str) {
        let first = text.chars().next();
        let joins = self.word || text.chars().take_while(|c| c.is_alphabetic()).count() > 1;
        let ends_in_letter = self.out.ends_with(char::is_alphanumeric);
        if self.operand && joins && ends_in_letter && first.is_some_and(char::is_alphanumeric) {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.operand = true;
        self.word = text.chars().rev().take_while(|c| c.is_alphabetic()).count() > 1;
    }

    fn operator(&mut self, operator: &str) {
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
                self.put(operator);
                self.operand = false;
            }
            _ => {
                self.out.push_str(operator);
                self.operand = false;
            }
        }
        self.word = false;
    }

    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
    }

    fn scripted(&mut self, base: &str, sub: &str, sup: &str) {
        let mut text = if atomic(base) { base.to_owned() } else { bracketed(base) };
        if !sub.is_empty() {
            text.push('_');
            text.push_str(&bracketed(sub));
        }
        match sup {
            "" => {}
            "′" | "″" | "‴" | "'" | "*" | "°" => text.push_str(sup),
            _ => {
                text.push('^');
                text.push_str(&bracketed(sup));
            }
        }
        self.put(&text);
        // An operator with bounds, as a sum, awaits its operand.
        if base.chars().all(|c| "∑∏∫∬∭∮⋃⋂".contains(c)) && !base.is_empty() {
            self.out.push(' ');
            self.operand = false;
        }
    }

    fn accented(&mut self, base: &str, over: &str) {
        let accent = ACCENTS.iter().find(|(text, _)| *text == over);
        match accent {
            Some((_, mark)) if base.chars().count() == 1 => self.put(&format!("{base}{mark}")),
            Some((text, _)) => self.put(&format!("{}^{text}", bracketed(base))),
            None => self.scripted(base, "", over),
        }
    }

    fn multiscripts(&mut self, node: XmlNode<'_>) {
        let mut children = node.elements();
        let base = children.next().map(linear_of).unwrap_or_default();
        let scripts: Vec<XmlNode<'_>> = children.collect();
        let split = scripts.iter().position(|n| n.name() == Name::Mprescripts).unwrap_or(scripts.len());
        let pairs = |nodes: &[XmlNode<'_>]| -> (String, String) {
            let text =
                |from: usize| nodes.iter().skip(from).step_by(2).map(|n| linear_of(*n)).collect::<String>();
            (text(0), text(1))
        };
        let (sub, sup) = pairs(&scripts[..split]);
        let (before_sub, before_sup) = pairs(scripts.get(split + 1..).unwrap_or_default());
        let mut before = String::new();
        if !before_sub.is_empty() {
            before = format!("_{}", bracketed(&before_sub));
        }
        if !before_sup.is_empty() {
            before = format!("{before}^{}", bracketed(&before_sup));
        }
        self.scripted(&format!("{before}{base}"), &sub, &sup);
    }

    fn fenced(&mut self, node: XmlNode<'_>) {
        let separators: Vec<char> =
            node.attr("separators").unwrap_or(",").chars().filter(|c| !c.is_whitespace()).collect();
        let mut text = node.attr("open").unwrap_or("(").trim().to_owned();
        for (index, child) in node.elements().enumerate() {
            if let Some(separator) =
                index.checked_sub(1).and_then(|i| separators.get(i).or(separators.last()))
            {
                text.push(*separator);
                text.push(' ');
            }
            text.push_str(&linear_of(child));
        }
        text.push_str(node.attr("close").unwrap_or(")").trim());
        self.put(&text);
    }
}

/// The words of a node without invisible operators, such as function application and invisible times.
fn visible_words(node: XmlNode<'_>) -> Option<String> {
    let mut words = node.normalized_text()?;
    if has_invisible(&words) {
        words.retain(|c| !is_invisible(c));
    }
    (!words.is_empty()).then_some(words)
}

/// Whether an identifier is an operator's sign.
fn is_sign(words: &str) -> bool {
    words.chars().count() == 1 && SPACED.contains(words)
}

/// Whether an identifier or text is the unit of the number before it: upright, as units are set (ISO 80000-1,
/// 7.1.1). A single italic letter is a quantity.
fn is_unit(node: XmlNode<'_>, words: &str, before: &str) -> bool {
    const LETTERS: &str = "mgsAKVWNJLlhtTHΩSFCBM";
    let letters = words.chars().all(|c| c.is_alphabetic() || matches!(c, '°' | '%' | '‰'));
    let single = words.chars().count() == 1;
    let upright = node.name() == Name::Mtext || node.attr("mathvariant") == Some("normal");
    let celsius = before.ends_with('°') && matches!(words, "C" | "F");
    letters
        && matches!(node.name(), Name::Mi | Name::Mtext)
        && (!single || celsius || upright && LETTERS.contains(words) || words == "%")
}

/// Whether a fraction has a bar; without one it is a binomial coefficient or two lines.
fn has_bar(fraction: XmlNode<'_>) -> bool {
    let thickness = fraction.attr("linethickness").unwrap_or("1").trim();
    let number = thickness.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%').trim_end();
    number.parse::<f32>() != Ok(0.0)
}

/// Whether parentheses directly enclose a node.
fn is_in_parentheses(node: XmlNode<'_>) -> bool {
    let is_sign = |n: Option<XmlNode<'_>>, sign: &str| {
        n.is_some_and(|n| n.name() == Name::Mo && n.normalized_text().as_deref() == Some(sign))
    };
    let (before, after) = adjacent(node);
    let fenced = node.parent().filter(|p| p.name() == Name::Mfenced);
    match fenced {
        Some(fenced) => fenced.attr("open").unwrap_or("(").trim() == "(",
        None => is_sign(before, "(") && is_sign(after, ")"),
    }
}

/// The elements before and after a node, or before and after those around it that have no other content.
fn adjacent<'t>(node: XmlNode<'t>) -> (Option<XmlNode<'t>>, Option<XmlNode<'t>>) {
    let mut at = node;
    loop {
        let before = std::iter::successors(at.previous(), |n| n.previous()).find(|n| n.is_element());
        let after = std::iter::successors(at.next(), |n| n.next()).find(|n| n.is_element());
        let around = at.parent().filter(|p| matches!(p.name(), Name::Mrow | Name::Mstyle | Name::Mpadded));
        match around {
            Some(around) if before.is_none() && after.is_none() => at = around,
            _ => return (before, after),
        }
    }
}

/// The line of one node by itself.
fn linear_of(node: XmlNode<'_>) -> String {
    let mut line = MathLine::default();
    line.node(node);
    line.out.trim().to_owned()
}

fn parts<const N: usize>(node: XmlNode<'_>) -> [String; N] {
    let mut children = node.elements();
    std::array::from_fn(|_| children.next().map(linear_of).unwrap_or_default())
}

/// A matrix, `[a, b; c, d]`, or the lines of an equation, `y = a + b; = c`: those that no fence encloses and
/// whose cells are parted at a relation, or of which a line is labelled. The label of a row is not an
/// element.
fn table_text(table: XmlNode<'_>) -> String {
    let relates = |c: char| "=≠≈≃≅≡∼∝<>≤≥≪≫⩽⩾→⇒⇔≔≝".contains(c);
    let labelled = |row: &XmlNode<'_>| row.name() == Name::Mlabeledtr;
    let is_aligned = |row: XmlNode<'_>| {
        let cells = cells(row);
        cells.len() > 1
            && cells.into_iter().map(linear_of).any(|c| c.starts_with(relates) || c.ends_with(relates))
    };
    let is_matrix = has_fence(table) || !table.elements().any(|row| labelled(&row) || is_aligned(row));
    let row = |row: XmlNode<'_>| {
        let cells = cells(row);
        let mut text = match is_matrix {
            true => cells.into_iter().map(linear_of).collect::<Vec<_>>().join(", "),
            false => {
                let mut line = MathLine::default();
                cells.into_iter().for_each(|cell| line.row(cell));
                line.out.trim().to_owned()
            }
        };
        if let Some(relation) = text.chars().next().filter(|c| !is_matrix && relates(*c)) {
            text = format!("{relation} {}", text[relation.len_utf8()..].trim_start());
        }
        match row.elements().next().filter(|_| labelled(&row)).map(linear_of) {
            Some(label) if label.starts_with('(') => format!("{text} {label}"),
            Some(label) if !label.is_empty() => format!("{text} ({label})"),
            _ => text,
        }
    };
    let rows = table.elements().map(row).collect::<Vec<_>>().join("; ");
    if is_matrix { format!("[{rows}]") } else { rows }
}

/// The cells of a row without its label.
fn cells<'t>(row: XmlNode<'t>) -> Vec<XmlNode<'t>> {
    row.elements().skip(usize::from(row.name() == Name::Mlabeledtr)).collect()
}

/// Whether a fence is directly before or after a node.
fn has_fence(node: XmlNode<'_>) -> bool {
    let is_fence = |n: Option<XmlNode<'_>>| {
        n.filter(|n| n.name() == Name::Mo)
            .and_then(XmlNode::normalized_text)
            .is_some_and(|sign| "()[]{}|‖∥⌊⌋⌈⌉⟨⟩".contains(sign.as_str()))
    };
    let (before, after) = adjacent(node);
    is_fence(before) || is_fence(after) || node.parent().is_some_and(|p| p.name() == Name::Mfenced)
}

/// Whether a text is one operand: one token with at most a sign before it.
fn atomic(text: &str) -> bool {
    let body = text.trim_start_matches(['−', '-', '+']);
    body.chars()
        .all(|c| c.is_alphanumeric() || "._^′″*°\u{304}\u{302}\u{303}\u{307}\u{308}\u{20d7}∞∑∏∫".contains(c))
        || text.chars().count() == 1
        || enclosed(text)
}

/// Whether one pair of brackets holds the whole text.
fn enclosed(text: &str) -> bool {
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
    if atomic(text) { text.to_owned() } else { format!("({text})") }
}
