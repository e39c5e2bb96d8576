//! Random formulae: trees, and the MathML in which converters write them.

use crate::reading::{LARGE, OPERATORS};
use crate::tree::{Item, Scripted, Slot, Tree, normal, token};

/// A generator of pseudo-random numbers (xorshift, Marsaglia 2003), so that a failure comes again.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

const LETTERS: &[&str] = &["a", "b", "c", "k", "n", "p", "t", "x", "y", "z", "x\u{304}", "β", "T"];
const NUMBERS: &[&str] = &["1", "2", "3", "10", "0.5", "25"];

/// A random formula with at most so many levels of parts in parts.
pub fn formula(random: &mut Random, depth: usize) -> Tree {
    let count = 1 + random.below(3);
    let items = (0..count).map(|index| Item {
        operator: if index == 0 { String::new() } else { random.pick(OPERATORS).to_owned() },
        signs: if random.one_in(6) { "−".to_owned() } else { String::new() },
        term: term(random, depth),
    });
    Tree::Sum(items.collect())
}

fn term(random: &mut Random, depth: usize) -> Tree {
    let count = 1 + random.below(3);
    let mut factors: Vec<Tree> = Vec::new();
    while factors.len() < count {
        let next = factor(random, depth);
        // A converter that sets two numbers side by side means one number.
        let joined = factors.last().is_some_and(|last| ends_with_number(&normal(last)))
            && begins_with_number(&normal(&next));
        if !joined {
            factors.push(next);
        }
    }
    // A sum has something that it sums.
    if factors.last().is_some_and(is_large) {
        factors.push(token(random.pick(LETTERS)));
    }
    Tree::Product(factors)
}

fn is_number(tree: &Tree) -> bool {
    matches!(tree, Tree::Token(text) if text.starts_with(|c: char| c.is_ascii_digit()))
}

fn is_large(tree: &Tree) -> bool {
    matches!(tree, Tree::Scripted(scripted) if matches!(&scripted.base, Tree::Token(text) if text.starts_with(LARGE)))
}

/// Whether a part ends with the digits of a number that is not a script.
fn ends_with_number(tree: &Tree) -> bool {
    match tree {
        Tree::Scripted(scripted) => scripted.after.is_empty() && ends_with_number(&scripted.base),
        other => is_number(other),
    }
}

/// Whether a part begins with the digits of a number that is not a dividend.
fn begins_with_number(tree: &Tree) -> bool {
    match tree {
        Tree::Scripted(scripted) => scripted.before.is_empty() && begins_with_number(&scripted.base),
        other => is_number(other),
    }
}

fn atom(random: &mut Random) -> Tree {
    match random.below(8) {
        0..3 => token(random.pick(NUMBERS)),
        3 => token(random.pick(&["sin", "Re", "lim"])),
        _ => token(random.pick(LETTERS)),
    }
}

fn factor(random: &mut Random, depth: usize) -> Tree {
    if depth == 0 {
        return atom(random);
    }
    let deeper = depth - 1;
    match random.below(12) {
        0..4 => atom(random),
        4 | 5 => Tree::Fraction(Box::new(part(random, deeper)), Box::new(part(random, deeper))),
        6 => Tree::Root(Box::new(part(random, deeper))),
        7 => enclosed(random, deeper),
        8 => large(random, deeper),
        _ => scripted(random, deeper),
    }
}

/// A part of any kind, for a base, script, dividend, divisor or radicand; most are simple.
fn part(random: &mut Random, depth: usize) -> Tree {
    match random.below(8) {
        0..3 => atom(random),
        3 | 4 => term(random, depth),
        5 => Tree::Sum(vec![Item {
            operator: String::new(),
            signs: "−".to_owned(),
            term: term(random, depth),
        }]),
        6 => match factor(random, depth) {
            large if is_large(&large) => Tree::Product(vec![large, token(random.pick(LETTERS))]),
            other => other,
        },
        _ => formula(random, depth),
    }
}

fn enclosed(random: &mut Random, depth: usize) -> Tree {
    let (open, close) = random.pick(&[('(', ')'), ('(', ')'), ('[', ']'), ('[', ')')]);
    let count = if close == ')' && open == '(' { 1 + random.below(2) } else { 2 };
    Tree::Enclosed(open, (0..count).map(|_| formula(random, depth)).collect(), close)
}

/// A sum with its bounds, as a factor before others.
fn large(random: &mut Random, depth: usize) -> Tree {
    let sub = (!random.one_in(4)).then(|| part(random, depth));
    let sup = random.one_in(2).then(|| part(random, depth));
    let after = vec![Slot { sub, sup }];
    Tree::Scripted(Box::new(Scripted {
        before: Slot::default(),
        base: token(random.pick(&["∑", "∏"])),
        after,
    }))
}

fn scripted(random: &mut Random, depth: usize) -> Tree {
    let base = part(random, depth);
    let slot = |random: &mut Random| match random.below(3) {
        0 => Slot { sub: Some(part(random, depth)), sup: None },
        1 => Slot { sub: None, sup: Some(part(random, depth)) },
        _ => Slot { sub: Some(part(random, depth)), sup: Some(part(random, depth)) },
    };
    match random.below(12) {
        0 => {
            let before = slot(random);
            let after = if random.one_in(2) { vec![slot(random)] } else { Vec::new() };
            Tree::Scripted(Box::new(Scripted { before, base, after }))
        }
        1 => {
            let pair =
                |random: &mut Random| Slot { sub: Some(part(random, depth)), sup: Some(part(random, depth)) };
            let after = vec![pair(random), pair(random)];
            Tree::Scripted(Box::new(Scripted { before: Slot::default(), base, after }))
        }
        2 => {
            let after = vec![Slot { sub: None, sup: Some(token("′")) }];
            Tree::Scripted(Box::new(Scripted { before: Slot::default(), base, after }))
        }
        3 => {
            // The root of a degree is written as a power.
            let power = Tree::Fraction(Box::new(token("1")), Box::new(part(random, depth)));
            let after = vec![Slot { sub: None, sup: Some(power) }];
            Tree::Scripted(Box::new(Scripted { before: Slot::default(), base, after }))
        }
        _ => {
            let after = vec![slot(random)];
            Tree::Scripted(Box::new(Scripted { before: Slot::default(), base, after }))
        }
    }
}

/// The MathML of a tree, in one of the forms that converters choose.
pub fn mathml(tree: &Tree, random: &mut Random) -> String {
    match tree {
        Tree::Token(text) => leaf(text),
        Tree::Sum(items) => {
            let mut out = String::new();
            for Item { operator, signs, term } in items {
                for sign in operator.chars().chain(signs.chars()) {
                    out += &leaf(&sign.to_string());
                }
                out += &mathml(term, random);
            }
            out
        }
        Tree::Product(factors) => {
            let mut out = String::new();
            for (index, factor) in factors.iter().enumerate() {
                let next = mathml(factor, random);
                if index > 0 {
                    out += between(&out, &next, random);
                }
                out += &next;
            }
            out
        }
        Tree::Fraction(over, under) => {
            format!("<mml:mfrac>{}{}</mml:mfrac>", row(over, random), row(under, random))
        }
        Tree::Root(inner) => {
            let inner = mathml(inner, random);
            match random.below(3) {
                0 => format!("<mml:menclose notation='radical'>{inner}</mml:menclose>"),
                1 => format!("<mml:msqrt><mml:mrow>{inner}</mml:mrow></mml:msqrt>"),
                _ => format!("<mml:msqrt>{inner}</mml:msqrt>"),
            }
        }
        Tree::Enclosed(open, members, close) => {
            if random.one_in(3) {
                let members: String = members.iter().map(|member| row(member, random)).collect();
                return format!("<mml:mfenced open='{open}' close='{close}'>{members}</mml:mfenced>");
            }
            let members: Vec<String> = members.iter().map(|member| mathml(member, random)).collect();
            let members = members.join("<mml:mo>,</mml:mo>");
            format!("<mml:mrow><mml:mo>{open}</mml:mo>{members}<mml:mo>{close}</mml:mo></mml:mrow>")
        }
        Tree::Scripted(scripted) => scripts(scripted, random),
    }
}

/// What a converter writes between two factors: nothing, an invisible sign, or a blank.
fn between(before: &str, after: &str, random: &mut Random) -> &'static str {
    // Between two digits an invisible sign becomes one that is read, and a blank would part their number.
    if before.contains("<mml:mn>") && after.contains("<mml:mn>") {
        return "";
    }
    random.pick(&[
        "",
        "",
        "<mml:mo>\u{2062}</mml:mo>",
        "<mml:mo rspace='thickmathspace'>\u{2062}</mml:mo>",
        "<mml:mspace width='0.2em'/>",
    ])
}

fn leaf(text: &str) -> String {
    if let Some(letter) = text.strip_suffix('\u{304}') {
        return format!("<mml:mover accent='true'><mml:mi>{letter}</mml:mi><mml:mo>¯</mml:mo></mml:mover>");
    }
    let first = text.chars().next().unwrap_or(' ');
    let tag = match first {
        c if c.is_ascii_digit() => "mn",
        c if c.is_alphabetic() => "mi",
        _ => "mo",
    };
    format!("<mml:{tag}>{text}</mml:{tag}>")
}

/// A part as one element.
fn row(tree: &Tree, random: &mut Random) -> String {
    let inner = mathml(tree, random);
    match random.below(3) {
        0 => format!("<mml:mstyle displaystyle='false'>{inner}</mml:mstyle>"),
        _ => format!("<mml:mrow>{inner}</mml:mrow>"),
    }
}

fn scripts(scripted: &Scripted, random: &mut Random) -> String {
    let Scripted { before, base, after } = scripted;
    let base = row(base, random);
    let slot = |part: &Option<Tree>, random: &mut Random| match part {
        Some(part) => row(part, random),
        None => random.pick(&["<mml:none/>", "<mml:mrow/>"]).to_owned(),
    };
    if !before.is_empty() || after.len() > 1 || random.one_in(5) {
        let mut inner = base;
        for pair in after {
            inner += &slot(&pair.sub, random);
            inner += &slot(&pair.sup, random);
        }
        if !before.is_empty() {
            inner += "<mml:mprescripts/>";
            inner += &slot(&before.sub, random);
            inner += &slot(&before.sup, random);
        }
        return format!("<mml:mmultiscripts>{inner}</mml:mmultiscripts>");
    }
    match &after[0] {
        Slot { sub: Some(sub), sup: Some(sup) } => {
            let (sub, sup) = (row(sub, random), row(sup, random));
            match random.below(3) {
                0 => format!("<mml:msup><mml:msub>{base}{sub}</mml:msub>{sup}</mml:msup>"),
                1 => format!("<mml:munderover>{base}{sub}{sup}</mml:munderover>"),
                _ => format!("<mml:msubsup>{base}{sub}{sup}</mml:msubsup>"),
            }
        }
        Slot { sub: Some(sub), sup: None } => format!("<mml:msub>{base}{}</mml:msub>", row(sub, random)),
        Slot { sub: None, sup: Some(Tree::Fraction(over, degree)) }
            if **over == token("1") && random.one_in(2) =>
        {
            format!("<mml:mroot>{base}{}</mml:mroot>", row(degree, random))
        }
        Slot { sub: None, sup: Some(sup) } => format!("<mml:msup>{base}{}</mml:msup>", row(sup, random)),
        Slot { sub: None, sup: None } => base,
    }
}
