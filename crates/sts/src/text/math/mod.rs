//! Formulae as one line of text: `t_90`, `x^2`, `(a + b)/c`.

mod decimal;
mod line;
mod part;
mod tables;
mod tokens;

pub(crate) use self::decimal::{FormulaDecimalSign, decimal_sign};
pub(super) use self::line::MathLine;
use self::line::SPACED;
pub(super) use self::part::FormulaPart;
pub(crate) use self::tokens::is_upright;
use self::tokens::{invisible_operator, stated_space, visible_words};
use crate::xml::names::Name;
use crate::xml::tree::XmlNode;

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

/// Writes MathML as one line. `decimal_sign` asks for the decimal sign of the document, where a comma between
/// numbers may be one.
pub(crate) fn linear(node: XmlNode<'_>, decimal_sign: &dyn Fn() -> FormulaDecimalSign) -> String {
    let walk = FormulaWalk { decimal_sign };
    let mut line = MathLine::default();
    walk.row(&mut line, node);
    line.finish().text
}

/// The walk of a formula.
struct FormulaWalk<'a> {
    decimal_sign: &'a dyn Fn() -> FormulaDecimalSign,
}

impl FormulaWalk<'_> {
    fn row(&self, line: &mut MathLine, node: XmlNode<'_>) {
        // The last element of a number that is written whole, until it is reached.
        let mut written_to = None;
        for child in node.children() {
            if let Some(last) = written_to {
                if child == last {
                    written_to = None;
                }
                continue;
            }
            if child.name() == Name::Mn
                && let Some(number) = decimal::joined_number(child, self.decimal_sign)
            {
                line.put(&FormulaPart::number(number.text));
                written_to = Some(number.last);
                continue;
            }
            self.node(line, child);
        }
    }

    fn node(&self, line: &mut MathLine, node: XmlNode<'_>) {
        match node.name() {
            Name::Other | Name::Mphantom | Name::Annotation | Name::AnnotationXml | Name::None => {}
            Name::Maligngroup | Name::Malignmark | Name::Mprescripts => {}
            Name::Text => {
                if let Some(words) = node.normalized_text() {
                    line.put(&FormulaPart::token(words));
                }
            }
            Name::Mi | Name::Mn | Name::Mtext | Name::Ms | Name::Mo => token(line, node),
            Name::Mspace if stated_space(node) => line.stated_space(),
            Name::Mspace => {}
            Name::Semantics => {
                // The others are annotations of the first.
                if let Some(first) = node.elements().next() {
                    self.node(line, first);
                }
            }
            Name::Maction => {
                if let Some(shown) = shown_of_action(node) {
                    self.node(line, shown);
                }
            }
            Name::Mglyph => line.put(&FormulaPart::token(node.attr("alt").unwrap_or_default().trim())),
            Name::Mfrac => self.fraction(line, node),
            Name::Msqrt => line.put(&FormulaPart::root(&self.row_of(node))),
            Name::Mroot => {
                let [base, degree] = self.parts(node);
                line.put(&FormulaPart::root_of_degree(&base, &degree));
            }
            Name::Msub | Name::Munder => {
                let [base, sub] = self.parts(node);
                scripted(line, node, &base, &sub, &FormulaPart::default());
            }
            Name::Msup => {
                let [base, sup] = self.parts(node);
                scripted(line, node, &base, &FormulaPart::default(), &sup);
            }
            Name::Msubsup | Name::Munderover => {
                let [base, sub, sup] = self.parts(node);
                scripted(line, node, &base, &sub, &sup);
            }
            Name::Mover => self.accent(line, node),
            Name::Mmultiscripts => self.multiscripts(line, node),
            Name::Mfenced => self.fenced(line, node),
            Name::Menclose => self.enclosed(line, node),
            Name::Mtable => line.put(&FormulaPart::token(self.table_text(node))),
            Name::Mstack | Name::Mlongdiv => line.put(&FormulaPart::token(self.column_text(node))),
            Name::Mstyle => match upright_word(node) {
                Some(word) => line.put(&FormulaPart::token(word)),
                None => self.row(line, node),
            },
            Name::Mrow if line.awaits_argument() => line.argument(&self.row_of(node)),
            _ => self.row(line, node),
        }
    }

    /// Writes what is over a base: a combining mark for an accent, or else an upper script.
    fn accent(&self, line: &mut MathLine, node: XmlNode<'_>) {
        let [base, over] = self.parts(node);
        match combining_mark(&over.text) {
            Some(mark) => line.put(&base.with_accent(mark, &over.text)),
            None => scripted(line, node, &base, &FormulaPart::default(), &over),
        }
    }

    /// Writes a fraction, a binomial coefficient or, without bar and parentheses, two lines.
    fn fraction(&self, line: &mut MathLine, node: XmlNode<'_>) {
        let [over, under] = self.parts(node);
        if has_bar(node) {
            line.put(&FormulaPart::fraction(&over, &under));
        } else if is_in_parentheses(node) {
            line.put(&FormulaPart::token(format!("{} choose {}", over.member(), under.member())));
        } else {
            line.put(&FormulaPart::token(format!("{}, {}", over.text, under.text)));
        }
    }

    fn multiscripts(&self, line: &mut MathLine, node: XmlNode<'_>) {
        let children: Vec<XmlNode<'_>> = node.elements().collect();
        let Some((base, scripts)) = children.split_first() else { return };
        let split = scripts.iter().position(|n| n.name() == Name::Mprescripts).unwrap_or(scripts.len());
        let after = self.script_pairs(&scripts[..split]);
        let before = self.script_pairs(scripts.get(split + 1..).unwrap_or_default());
        let base = self.part_of(*base);
        let mut part = if before.is_empty() { base.clone() } else { base.closed_base() };
        for (index, [sub, sup]) in after.iter().enumerate() {
            part = match index {
                0 => part.with_scripts(sub, sup),
                _ => part.with_next_scripts(sub, sup),
            };
        }
        for [sub, sup] in before.iter().rev() {
            part = part.with_scripts_before(sub, sup);
        }
        line.put_scripted(&base.text, &part);
    }

    /// Lower and upper scripts in pairs. Scripts side by side that nothing is above or below are one.
    fn script_pairs(&self, scripts: &[XmlNode<'_>]) -> Vec<[FormulaPart; 2]> {
        let mut pairs: Vec<[MathLine; 2]> = Vec::new();
        for pair in scripts.chunks(2) {
            let has_sub = self.is_written(pair.first());
            let has_sup = self.is_written(pair.get(1));
            if !has_sub && !has_sup {
                continue;
            }
            let goes_on = match pairs.last() {
                Some([sub, sup]) => !has_sub && sub.out.is_empty() || !has_sup && sup.out.is_empty(),
                None => false,
            };
            if !goes_on {
                pairs.push(Default::default());
            }
            if let Some(last) = pairs.last_mut() {
                for (line, node) in last.iter_mut().zip(pair) {
                    self.node(line, *node);
                }
            }
        }
        pairs.into_iter().map(|[sub, sup]| [sub.finish(), sup.finish()]).collect()
    }

    fn is_written(&self, script: Option<&XmlNode<'_>>) -> bool {
        script.is_some_and(|script| !self.part_of(*script).is_empty())
    }

    /// Writes what is between brackets, with separators between the parts: the last one repeats (MathML 3,
    /// 3.3.8).
    fn fenced(&self, line: &mut MathLine, node: XmlNode<'_>) {
        let separators = node.written_attr("separators").unwrap_or(",");
        let separators: Vec<char> = separators.chars().filter(|c| !c.is_whitespace()).collect();
        let mut inner = MathLine::default();
        for (index, child) in node.elements().enumerate() {
            if index > 0
                && let Some(separator) = separators.get(index - 1).or(separators.last())
            {
                inner.operator(separator.encode_utf8(&mut [0; 4]));
            }
            self.node(&mut inner, child);
        }
        let open = node.written_attr("open").unwrap_or("(").trim();
        let close = node.written_attr("close").unwrap_or(")").trim();
        line.put(&FormulaPart::token(format!("{open}{}{close}", inner.finish().text)));
    }

    /// Writes what lines enclose (MathML 3, 3.3.9). Boxes and circles stress a part and say nothing else.
    fn enclosed(&self, line: &mut MathLine, node: XmlNode<'_>) {
        let inner = self.row_of(node);
        let notation = node.attr("notation").unwrap_or("longdiv");
        let has = |name: &str| notation.split_whitespace().any(|one| one == name);
        if has("radical") {
            line.put(&FormulaPart::root(&inner));
        } else if has("longdiv") {
            line.put(&FormulaPart::token(format!("⟌{}", inner.member())));
        } else if has("actuarial") {
            line.put(&inner.with_accent('\u{20e7}', "⏋"));
        } else if has("phasorangle") {
            line.put(&FormulaPart::token(format!("∠{}", inner.member())));
        } else if (has("left") || has("right")) && !has("top") && !has("bottom") {
            let before = if has("left") { "|" } else { "" };
            let after = if has("right") { "|" } else { "" };
            line.put(&FormulaPart::token(format!("{before}{}{after}", inner.text)));
        } else if has("top") && !has("bottom") {
            line.put(&inner.with_accent('\u{304}', "¯"));
        } else if has("bottom") && !has("top") {
            line.put(&inner.with_accent('\u{331}', "ˍ"));
        } else if has("updiagonalstrike") || has("downdiagonalstrike") {
            line.put(&inner.with_accent('\u{338}', "∕"));
        } else {
            self.row(line, node);
        }
    }

    /// The line of one node by itself.
    fn part_of(&self, node: XmlNode<'_>) -> FormulaPart {
        let mut line = MathLine::default();
        self.node(&mut line, node);
        line.finish()
    }

    /// The line of the children of a node by themselves.
    fn row_of(&self, node: XmlNode<'_>) -> FormulaPart {
        let mut line = MathLine::default();
        self.row(&mut line, node);
        line.finish()
    }

    fn text_of(&self, node: XmlNode<'_>) -> String {
        self.part_of(node).text
    }

    /// The first children of an element that has a number of them; empty parts for those that are missing.
    fn parts<const N: usize>(&self, node: XmlNode<'_>) -> [FormulaPart; N] {
        let mut children = node.elements();
        std::array::from_fn(|_| children.next().map(|child| self.part_of(child)).unwrap_or_default())
    }
}

/// The combining mark for an accent over one character.
fn combining_mark(accent: &str) -> Option<char> {
    ACCENTS.iter().find(|(text, _)| *text == accent).map(|(_, mark)| *mark)
}

fn token(line: &mut MathLine, node: XmlNode<'_>) {
    let Some(words) = visible_words(node) else {
        if stated_space(node) {
            line.stated_space();
        }
        if let Some(operator) = invisible_operator(node) {
            line.invisible(operator);
        }
        return;
    };
    if node.name() == Name::Mo || node.name() == Name::Mi && is_sign(&words) {
        return line.operator(&words);
    }
    if line.ends_in_number() && is_unit(node, &words, &line.out) {
        line.part_unit();
    }
    let is_number = words.chars().all(|c| c.is_ascii_digit() || ".,".contains(c));
    line.put(&if is_number { FormulaPart::number(words) } else { FormulaPart::token(words) });
}

/// Writes a base with scripts after it.
fn scripted(
    line: &mut MathLine,
    node: XmlNode<'_>,
    base: &FormulaPart,
    sub: &FormulaPart,
    sup: &FormulaPart,
) {
    // The unit of the number before it may have an exponent.
    if line.ends_in_number()
        && let Some(unit) = first_token(node)
        && let Some(words) = visible_words(unit)
        && is_unit(unit, &words, &line.out)
    {
        line.part_unit();
    }
    if base.is_empty() && is_before_base(node) {
        line.part_from_operand();
    }
    line.put_scripted(&base.text, &base.with_scripts(sub, sup));
}

/// True if scripts without a base are those before the letter that comes next: `²³⁵U` by a converter that has
/// no `mmultiscripts`.
fn is_before_base(scripts: XmlNode<'_>) -> bool {
    let Some(next) = element_after(scripts) else { return false };
    first_token(next).is_some_and(|token| token.name() == Name::Mi)
}

/// The child that an action shows at first (MathML 3, 3.7.1): the selected one, but for tips of all kinds.
pub(crate) fn shown_of_action(action: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let is_tip = matches!(action.attr("actiontype"), Some("tooltip" | "statusline"));
    let selection = action.attr("selection").and_then(|text| text.trim().parse::<usize>().ok());
    let index = match selection {
        Some(number) if !is_tip => number.saturating_sub(1),
        _ => 0,
    };
    action.elements().nth(index).or_else(|| action.elements().next())
}

/// The first token of a node.
fn first_token(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    let mut at = node;
    while !matches!(at.name(), Name::Mi | Name::Mtext | Name::Mn | Name::Mo | Name::Ms) {
        at = at.elements().next()?;
    }
    Some(at)
}

/// The word of a style that sets several letters upright, each in an element of its own.
fn upright_word(style: XmlNode<'_>) -> Option<String> {
    if style.attr("mathvariant") != Some("normal") || style.elements().count() < 2 {
        return None;
    }
    let mut word = String::new();
    for letter in style.elements() {
        let is_plain_letter = letter.name() == Name::Mi && letter.attr("mathvariant").is_none();
        let text = visible_words(letter)?;
        if !is_plain_letter || text.chars().count() != 1 {
            return None;
        }
        word += &text;
    }
    word.chars().all(char::is_alphabetic).then_some(word)
}

/// True if an identifier is the sign of an operator, which converters write as one.
fn is_sign(words: &str) -> bool {
    words.chars().count() == 1 && SPACED.contains(words)
}

/// True if an identifier or text is the unit of the number before it: upright, as units are set (ISO 80000-1,
/// 7.1.1). A single italic letter is a quantity.
fn is_unit(node: XmlNode<'_>, words: &str, before: &str) -> bool {
    const LETTERS: &str = "mgsAKVWNJLlhtTHΩSFCBM";
    if !matches!(node.name(), Name::Mi | Name::Mtext) {
        return false;
    }
    if !words.chars().all(|c| c.is_alphabetic() || matches!(c, '°' | '%' | '‰')) {
        return false;
    }
    let is_single = words.chars().count() == 1;
    if !is_single || words == "%" {
        return true;
    }
    let is_temperature = before.ends_with('°') && matches!(words, "C" | "F");
    let is_set_upright = || node.name() == Name::Mtext || is_upright(node);
    is_temperature || LETTERS.contains(words) && is_set_upright()
}

/// True if a fraction has a bar; without one it is a binomial coefficient or two lines.
fn has_bar(fraction: XmlNode<'_>) -> bool {
    let thickness = fraction.attr("linethickness").unwrap_or("1").trim();
    let number = thickness.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%').trim_end();
    number.parse::<f32>() != Ok(0.0)
}

/// True if parentheses directly enclose a node.
fn is_in_parentheses(node: XmlNode<'_>) -> bool {
    if let Some(parent) = node.parent()
        && parent.name() == Name::Mfenced
    {
        return parent.attr("open").unwrap_or("(").trim() == "(";
    }
    let (before, after) = adjacent(node);
    before.is_some_and(|n| is_operator(n, "(")) && after.is_some_and(|n| is_operator(n, ")"))
}

fn is_operator(node: XmlNode<'_>, sign: &str) -> bool {
    node.name() == Name::Mo && node.normalized_text().as_deref() == Some(sign)
}

/// The elements before and after a node, or before and after those around it that have no other content.
fn adjacent<'t>(node: XmlNode<'t>) -> (Option<XmlNode<'t>>, Option<XmlNode<'t>>) {
    let mut at = node;
    loop {
        let (before, after) = (element_before(at), element_after(at));
        let is_alone = before.is_none() && after.is_none();
        match at.parent() {
            Some(row) if is_alone && matches!(row.name(), Name::Mrow | Name::Mstyle | Name::Mpadded) => {
                at = row;
            }
            _ => return (before, after),
        }
    }
}

fn element_before(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.previous(), |n| n.previous()).find(|n| n.is_element())
}

fn element_after(node: XmlNode<'_>) -> Option<XmlNode<'_>> {
    std::iter::successors(node.next(), |n| n.next()).find(|n| n.is_element())
}
